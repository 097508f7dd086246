"""Firehose delivery streams."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

TYPE = "AWS::KinesisFirehose::DeliveryStream"


@pytest.fixture
def firehose(answers: Any) -> Any:
    answers["firehose:DescribeDeliveryStream"] = {"DeliveryStreamDescription": described()}
    answers["firehose:ListTagsForDeliveryStream"] = {"Tags": []}
    return answers


def described(**destination: Any) -> dict[str, Any]:
    return {
        "DeliveryStreamName": "clicks",
        "DeliveryStreamType": "DirectPut",
        "Destinations": [{"DestinationId": "1", **destination}],
    }


def destination_of(firehose: Any, read: Any, kind: str, description: dict[str, Any]) -> Any:
    answer = {"DeliveryStreamDescription": described(**{f"{kind}DestinationDescription": description})}
    firehose["firehose:DescribeDeliveryStream"] = answer
    return read(TYPE, "clicks").properties[f"{kind}DestinationConfiguration"]


def test_an_extended_s3_destination_has_all_of_its_blocks(firehose: Any, read: Any) -> None:
    description = {
        "RoleARN": "arn:role",
        "BucketARN": "arn:bucket",
        "BufferingHints": {},
        "FileExtension": ".json",
        "DataFormatConversionConfiguration": {
            "Enabled": True,
            "OutputFormatConfiguration": {"Serializer": {}},
        },
        "S3BackupDescription": {"BucketARN": "arn:backup"},
    }
    assert destination_of(firehose, read, "ExtendedS3", description) == {
        "RoleARN": "arn:role",
        "BucketARN": "arn:bucket",
        "EncryptionConfiguration": {},
        "CloudWatchLoggingOptions": {},
        "ProcessingConfiguration": {},
        "DataFormatConversionConfiguration": {"Enabled": True},
        "DynamicPartitioningConfiguration": {},
        "S3BackupConfiguration": {
            "BucketARN": "arn:backup",
            "EncryptionConfiguration": {},
            "CloudWatchLoggingOptions": {},
        },
    }


def test_an_extended_destination_goes_before_the_plain_one_that_describes_it_too(
    firehose: Any, read: Any
) -> None:
    firehose["firehose:DescribeDeliveryStream"]["DeliveryStreamDescription"] = described(
        ExtendedS3DestinationDescription={"BucketARN": "arn:b"},
        S3DestinationDescription={"BucketARN": "arn:b"},
    )
    found = read(TYPE, "clicks").properties
    assert "ExtendedS3DestinationConfiguration" in found
    assert "S3DestinationConfiguration" not in found


def test_the_buckets_of_a_redshift_destination_are_named_as_in_cloudformation(
    firehose: Any, read: Any
) -> None:
    description = {"Username": "loader", "S3DestinationDescription": {"BucketARN": "arn:b"}}
    found = destination_of(firehose, read, "Redshift", description)
    assert found["Username"] == "loader"
    assert found["S3Configuration"]["BucketARN"] == "arn:b"


def test_the_vpc_of_an_opensearch_destination_is_known_by_its_subnets(firehose: Any, read: Any) -> None:
    vpc = {"VpcId": "vpc-1", "SubnetIds": ["subnet-1"]}
    description = {
        "IndexName": "i",
        "VpcConfigurationDescription": vpc,
        "ProcessingConfiguration": {"Processors": [{}]},
        "BufferingHints": {},
    }
    assert destination_of(firehose, read, "Amazonopensearchservice", description) == {
        "IndexName": "i",
        "VpcConfiguration": {"SubnetIds": ["subnet-1"]},
        "ProcessingConfiguration": {"Processors": [{}]},
    }


def test_an_http_destination_has_no_bucket(firehose: Any, read: Any) -> None:
    description = {"RoleARN": "arn:role", "S3DestinationDescription": {"BucketARN": "arn:b"}}
    assert destination_of(firehose, read, "HttpEndpoint", description) == {"RoleARN": "arn:role"}


def test_source_encryption_and_tags(firehose: Any, read: Any) -> None:
    firehose["firehose:DescribeDeliveryStream"]["DeliveryStreamDescription"] |= {
        "Destinations": [],
        "Source": {
            "KinesisStreamSourceDescription": {"KinesisStreamARN": "arn:stream", "RoleARN": "arn:role"}
        },
        "DeliveryStreamEncryptionConfiguration": {"KeyType": "AWS_OWNED_CMK", "Status": "ENABLED"},
    }
    assert read(TYPE, "clicks") == Live(
        {
            "DeliveryStreamName": "clicks",
            "DeliveryStreamType": "DirectPut",
            "KinesisStreamSourceConfiguration": {"KinesisStreamARN": "arn:stream", "RoleARN": "arn:role"},
            "DeliveryStreamEncryptionConfigurationInput": {"KeyType": "AWS_OWNED_CMK"},
            "Tags": [],
        }
    )


@pytest.mark.parametrize("operation", ["DescribeDeliveryStream", "ListTagsForDeliveryStream"])
def test_a_stream_that_any_call_does_not_find_is_gone(firehose: Any, read: Any, operation: str) -> None:
    firehose.fails(f"firehose:{operation}", "ResourceNotFoundException")

    assert read(TYPE, "clicks") == Gone()


def test_denied_tags_are_unreadable_and_not_absent(firehose: Any, read: Any) -> None:
    firehose.fails("firehose:ListTagsForDeliveryStream", "AccessDeniedException")

    found = read(TYPE, "clicks")
    assert isinstance(found, Unreadable)
    assert found.action == "firehose:ListTagsForDeliveryStream"
