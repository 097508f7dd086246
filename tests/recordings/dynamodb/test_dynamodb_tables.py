"""DynamoDB tables."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "orders"
ARN = f"arn:aws:dynamodb:eu-central-1:111122223333:table/{NAME}"
TABLE = "AWS::DynamoDB::Table"

KEY = [{"AttributeName": "pk", "KeyType": "HASH"}]
ATTRIBUTES = [{"AttributeName": "pk", "AttributeType": "S"}]
ALL = {"ProjectionType": "ALL"}


@pytest.fixture
def table(answers: Any) -> Any:
    answers["dynamodb:DescribeTable"] = {
        "Table": {
            "TableName": NAME,
            "TableArn": ARN,
            "KeySchema": KEY,
            "AttributeDefinitions": ATTRIBUTES,
            "ProvisionedThroughput": {
                "ReadCapacityUnits": 5,
                "WriteCapacityUnits": 6,
                "NumberOfDecreasesToday": 1,
            },
        }
    }
    answers["dynamodb:ListTagsOfResource"] = {"Tags": []}
    answers["dynamodb:DescribeContinuousBackups"] = {
        "ContinuousBackupsDescription": {"ContinuousBackupsStatus": "ENABLED"}
    }
    answers["dynamodb:DescribeTimeToLive"] = {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    answers.fails("dynamodb:GetResourcePolicy", "PolicyNotFoundException")
    answers["dynamodb:DescribeKinesisStreamingDestination"] = {"KinesisDataStreamDestinations": []}
    answers["dynamodb:DescribeContributorInsights"] = {"TableName": NAME}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_table_holds_only_what_was_asked_for(table: Any, read: Any) -> None:
    assert properties(read(TABLE, NAME)) == {
        "TableName": NAME,
        "KeySchema": KEY,
        "AttributeDefinitions": ATTRIBUTES,
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        "Tags": [],
    }


def test_settings_of_other_operations_become_properties(table: Any, read: Any) -> None:
    table["dynamodb:DescribeContinuousBackups"] = {
        "ContinuousBackupsDescription": {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": {
                "PointInTimeRecoveryStatus": "ENABLED",
                "RecoveryPeriodInDays": 7,
            },
        }
    }
    table["dynamodb:DescribeTimeToLive"] = {
        "TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    }
    table["dynamodb:GetResourcePolicy"] = {"Policy": '{"Statement": []}'}
    table["dynamodb:DescribeKinesisStreamingDestination"] = {
        "KinesisDataStreamDestinations": [
            {"StreamArn": "old", "DestinationStatus": "DISABLED"},
            {"StreamArn": "new", "DestinationStatus": "ENABLING"},
        ]
    }
    table["dynamodb:DescribeContributorInsights"] = {
        "ContributorInsightsStatus": "ENABLED",
        "ContributorInsightsMode": "THROTTLED_KEYS",
    }

    found = properties(read(TABLE, NAME))

    assert found["PointInTimeRecoverySpecification"] == {
        "PointInTimeRecoveryEnabled": True,
        "RecoveryPeriodInDays": 7,
    }
    assert found["TimeToLiveSpecification"] == {"Enabled": True, "AttributeName": "expires"}
    assert found["ResourcePolicy"] == {"PolicyDocument": {"Statement": []}}
    assert found["KinesisStreamSpecification"] == {"StreamArn": "new"}
    assert found["ContributorInsightsSpecification"] == {"Enabled": True, "Mode": "THROTTLED_KEYS"}


def test_settings_that_are_off_say_so_without_their_details(table: Any, read: Any) -> None:
    table["dynamodb:DescribeContinuousBackups"]["ContinuousBackupsDescription"][
        "PointInTimeRecoveryDescription"
    ] = {"PointInTimeRecoveryStatus": "DISABLED", "RecoveryPeriodInDays": 35}
    table["dynamodb:DescribeContributorInsights"] = {
        "ContributorInsightsStatus": "DISABLED",
        "ContributorInsightsMode": "THROTTLED_KEYS",
    }
    table["dynamodb:DescribeTable"]["Table"].update(
        StreamSpecification={"StreamEnabled": False}, SSEDescription={"Status": "UPDATING"}
    )

    found = properties(read(TABLE, NAME))

    assert found["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": False}
    assert found["ContributorInsightsSpecification"] == {"Enabled": False}
    assert not {"StreamSpecification", "SSESpecification", "KinesisStreamSpecification"} & set(found)


def test_encryption_and_streams_have_cloudformation_names(table: Any, read: Any) -> None:
    table["dynamodb:DescribeTable"]["Table"].update(
        BillingModeSummary={"BillingMode": "PAY_PER_REQUEST"},
        TableClassSummary={"TableClass": "STANDARD"},
        SSEDescription={"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": "arn:aws:kms:::key/1"},
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )

    found = properties(read(TABLE, NAME))

    assert found["BillingMode"] == "PAY_PER_REQUEST"
    assert found["TableClass"] == "STANDARD"
    assert found["SSESpecification"] == {
        "SSEEnabled": True,
        "SSEType": "KMS",
        "KMSMasterKeyId": "arn:aws:kms:::key/1",
    }
    assert found["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}


@pytest.fixture
def indexed_table(table: Any) -> Any:
    table["dynamodb:DescribeTable"]["Table"].update(
        WarmThroughput={"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"},
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-date",
                "IndexStatus": "ACTIVE",
                "KeySchema": KEY,
                "Projection": ALL,
                "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
                "WarmThroughput": {"ReadUnitsPerSecond": 3, "WriteUnitsPerSecond": 4, "Status": "ACTIVE"},
            }
        ],
        LocalSecondaryIndexes=[{"IndexName": "local", "ItemCount": 3, "KeySchema": KEY, "Projection": ALL}],
    )
    return table


INDEX = {"IndexName": "by-date", "KeySchema": KEY, "Projection": ALL}


def test_indexes_lose_their_state(indexed_table: Any, read: Any) -> None:
    found = properties(read(TABLE, NAME, {"TableName": NAME}))
    assert found["GlobalSecondaryIndexes"] == [INDEX]
    assert found["LocalSecondaryIndexes"] == [{"IndexName": "local", "KeySchema": KEY, "Projection": ALL}]


def test_throughputs_that_aws_sets_by_itself_are_read_only_where_declared(
    indexed_table: Any, read: Any
) -> None:
    declared = {"IndexName": "by-date", "ProvisionedThroughput": {"ReadCapacityUnits": 1}}
    found = properties(read(TABLE, NAME, {"GlobalSecondaryIndexes": [declared]}))
    assert found["GlobalSecondaryIndexes"] == [
        {**INDEX, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}}
    ]
    assert "WarmThroughput" not in found


def test_a_warm_throughput_without_a_number_is_not_declared(indexed_table: Any, read: Any) -> None:
    declared = {"IndexName": "by-date", "WarmThroughput": {}}
    template = {"GlobalSecondaryIndexes": [declared], "WarmThroughput": {"ReadUnitsPerSecond": 1}}
    found = properties(read(TABLE, NAME, template))
    assert found["GlobalSecondaryIndexes"] == [INDEX]
    assert found["WarmThroughput"] == {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000}


def test_without_a_template_every_throughput_is_read(indexed_table: Any, read: Any) -> None:
    found = properties(read(TABLE, NAME))
    assert found["GlobalSecondaryIndexes"][0]["WarmThroughput"] == {
        "ReadUnitsPerSecond": 3,
        "WriteUnitsPerSecond": 4,
    }
    assert found["WarmThroughput"] == {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000}


def test_tags_are_read_to_the_last_page(table: Any, read: Any) -> None:
    table["dynamodb:ListTagsOfResource"] = [
        {"Tags": [{"Key": "b", "Value": "1"}], "NextToken": "more"},
        {"Tags": [{"Key": "a", "Value": "2"}, {"Key": "aws:x", "Value": "3"}]},
    ]
    assert properties(read(TABLE, NAME))["Tags"] == [{"Key": "a", "Value": "2"}, {"Key": "b", "Value": "1"}]


def test_a_missing_table_is_gone(answers: Any, read: Any) -> None:
    answers.fails("dynamodb:DescribeTable", "ResourceNotFoundException")
    assert read(TABLE, NAME) == Gone()


def test_a_table_that_vanishes_before_its_tags_is_gone(table: Any, read: Any) -> None:
    table.fails("dynamodb:ListTagsOfResource", "ResourceNotFoundException")
    assert read(TABLE, NAME) == Gone()


SUB_CALLS = [
    "DescribeContinuousBackups",
    "DescribeTimeToLive",
    "GetResourcePolicy",
    "DescribeKinesisStreamingDestination",
    "DescribeContributorInsights",
]


@pytest.mark.parametrize("operation", ["ListTagsOfResource", *SUB_CALLS])
def test_a_denied_sub_call_names_the_missing_permission(table: Any, read: Any, operation: str) -> None:
    table.fails(f"dynamodb:{operation}", "AccessDeniedException", status=403)
    result = read(TABLE, NAME)
    assert isinstance(result, Unreadable)
    assert result.action == f"dynamodb:{operation}"


@pytest.mark.parametrize("operation", SUB_CALLS)
def test_a_throttled_sub_call_is_no_missing_setting(table: Any, read: Any, operation: str) -> None:
    table.fails(f"dynamodb:{operation}", "ThrottlingException")
    assert isinstance(read(TABLE, NAME), Unreadable)


@pytest.mark.parametrize("operation", SUB_CALLS)
def test_a_setting_that_the_service_does_not_find_is_not_configured(
    table: Any, read: Any, operation: str
) -> None:
    table.fails(f"dynamodb:{operation}", "ResourceNotFoundException")
    assert properties(read(TABLE, NAME))["TableName"] == NAME


@pytest.mark.parametrize("operation", SUB_CALLS)
def test_an_empty_sub_answer_leaves_the_setting_out(table: Any, read: Any, operation: str) -> None:
    table[f"dynamodb:{operation}"] = {}
    assert not any(name.endswith("Specification") for name in properties(read(TABLE, NAME)))
