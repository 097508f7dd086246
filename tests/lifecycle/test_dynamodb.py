"""Tables: one kind of change a call, capacity that is scaled stays, and no replica is ever deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.gaps import fill
from tests.lifecycle.requests import a_record, sent, stopped

Calls = list[tuple[str, dict[str, Any]]]

ARN = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/orders"
STREAM = f"arn:aws:kinesis:{REGION}:{ACCOUNT}:stream/changes"
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
MORE_UNITS = {"ReadCapacityUnits": 9, "WriteCapacityUnits": 9}
KEY = [{"AttributeName": "id", "KeyType": "HASH"}]
BY_SHOP = {
    "IndexName": "byShop",
    "KeySchema": [{"AttributeName": "shop", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}
DEFINITIONS = [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "shop")]
TAGS = [{"Key": "team", "Value": "shop"}, {"Key": "cost", "Value": "7"}]
RESOURCE_POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "dynamodb:GetItem", "Resource": ARN}],
}


class Table:
    """The table under test; what the emulator does not know of it is kept here."""

    def __init__(self, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life = life
        self.dynamodb = life.client("dynamodb")
        self.insights = "DISABLED"
        self.destinations: list[dict[str, str]] = []
        fill(
            life,
            monkeypatch,
            {
                "DescribeContributorInsights": lambda p: {"ContributorInsightsStatus": self.insights},
                "UpdateContributorInsights": self._set_insights,
                "DescribeKinesisStreamingDestination": lambda p: {
                    "KinesisDataStreamDestinations": self.destinations
                },
                "EnableKinesisStreamingDestination": lambda p: self.destinations.append(
                    {"StreamArn": p["StreamArn"], "DestinationStatus": "ACTIVE"}
                ),
                "DisableKinesisStreamingDestination": lambda p: self.destinations.clear(),
            },
        )

    def _set_insights(self, params: dict[str, Any]) -> None:
        self.insights = f"{params['ContributorInsightsAction']}D"

    def made(self, **members: Any) -> Table:
        basis = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS}
        self.dynamodb.create_table(
            TableName="orders",
            **{
                "KeySchema": KEY,
                "AttributeDefinitions": DEFINITIONS[: 2 if "GlobalSecondaryIndexes" in members else 1],
                "Tags": TAGS,
                **(members if "BillingMode" in members else {**basis, **members}),
            },
        )
        return self

    def recorded(self, **template: Any) -> Table:
        self.life.record("Orders", "AWS::DynamoDB::Table", "orders", {"TableName": "orders", **template})
        return self

    def update(self, **members: Any) -> None:
        self.dynamodb.update_table(TableName="orders", **members)

    def goes_round(self, edit: Callable[[], object], *expect: str) -> Calls:
        return self.life.goes_round("Orders", edit, expect=expect)


@pytest.fixture
def table(life: Life, monkeypatch: pytest.MonkeyPatch) -> Table:
    life.settings = ScanSettings(undeclared="drift")
    return Table(life, monkeypatch)


def test_changed_capacity_goes_back(table: Table) -> None:
    table.made().recorded(ProvisionedThroughput=UNITS)
    calls = table.goes_round(
        lambda: table.update(ProvisionedThroughput=MORE_UNITS),
        "ProvisionedThroughput.ReadCapacityUnits",
        "ProvisionedThroughput.WriteCapacityUnits",
    )
    assert calls == [("UpdateTable", {"TableName": "orders", "ProvisionedThroughput": UNITS})]


def test_deletion_protection_goes_back_and_its_loss_is_warned_of(table: Table) -> None:
    table.made().recorded()
    calls = table.goes_round(
        lambda: table.update(DeletionProtectionEnabled=True), "DeletionProtectionEnabled"
    )
    assert calls == [("UpdateTable", {"TableName": "orders", "DeletionProtectionEnabled": False})]
    table.update(DeletionProtectionEnabled=True)
    (step,) = table.life.plan().steps
    assert any("can be deleted again" in text for text in step.warnings)


def test_an_opened_stream_is_closed(table: Table) -> None:
    table.made().recorded()
    observed = {**table.life.read("Orders"), "StreamSpecification": {}}
    table.life.record("Orders", "AWS::DynamoDB::Table", "orders", observedProperties=observed)
    view = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    calls = table.goes_round(lambda: table.update(StreamSpecification=view), "StreamSpecification")
    assert [params["StreamSpecification"] for _, params in calls] == [{"StreamEnabled": False}]
    assert table.life.read("Orders").get("StreamSpecification") is None


def test_point_in_time_recovery_goes_back(table: Table) -> None:
    table.made().recorded()

    def recover(enabled: bool) -> None:
        table.dynamodb.update_continuous_backups(
            TableName="orders", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": enabled}
        )

    path = "PointInTimeRecoverySpecification"
    ((operation, params),) = table.goes_round(
        lambda: recover(True), f"{path}.PointInTimeRecoveryEnabled", f"{path}.RecoveryPeriodInDays"
    )
    assert (operation, params[path]) == ("UpdateContinuousBackups", {"PointInTimeRecoveryEnabled": False})


def expires(table: Table, attribute: str, *, enabled: bool = True) -> None:
    table.dynamodb.update_time_to_live(
        TableName="orders", TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute}
    )


def test_expiry_that_was_put_off_is_put_on_with_a_warning(table: Table) -> None:
    table.made()
    expires(table, "until")
    table.recorded()
    calls = table.goes_round(lambda: expires(table, "until", enabled=False), "TimeToLiveSpecification")
    assert [params["TimeToLiveSpecification"] for _, params in calls] == [
        {"Enabled": True, "AttributeName": "until"}
    ]
    expires(table, "until", enabled=False)
    (step,) = table.life.plan().steps
    assert any("are deleted" in text for text in step.warnings)


def test_expiry_by_another_attribute_is_refused_before_anything_is_sent(table: Table) -> None:
    table.made()
    expires(table, "until")
    table.recorded()
    expires(table, "until", enabled=False)
    expires(table, "created")
    assert [refusal.kind for refusal in table.life.plan().refusals] == [Kind.REFUSED]
    table.life.forget_calls()
    table.life.revert()
    assert table.life.calls == []


def test_contributor_insights_go_back(table: Table) -> None:
    table.made().recorded()

    def edit() -> None:
        table.insights = "ENABLED"

    ((operation, params),) = table.goes_round(edit, "ContributorInsightsSpecification.Enabled")
    assert (operation, params["ContributorInsightsAction"]) == ("UpdateContributorInsights", "DISABLE")


def test_a_kinesis_destination_goes_back(table: Table) -> None:
    table.made()
    table.destinations.append({"StreamArn": STREAM, "DestinationStatus": "ACTIVE"})
    table.recorded()
    calls = table.goes_round(table.destinations.clear, "KinesisStreamSpecification")
    assert calls == [("EnableKinesisStreamingDestination", {"TableName": "orders", "StreamArn": STREAM})]


def test_a_resource_policy_goes_back(table: Table) -> None:
    table.made()
    table.dynamodb.put_resource_policy(ResourceArn=ARN, Policy=json.dumps(RESOURCE_POLICY))
    table.recorded()
    ((operation, params),) = table.goes_round(
        lambda: table.dynamodb.delete_resource_policy(ResourceArn=ARN), "ResourcePolicy"
    )
    assert (operation, json.loads(params["Policy"])) == ("PutResourcePolicy", RESOURCE_POLICY)
    assert set(params) == {"ResourceArn", "Policy"}


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (lambda d: d.tag_resource(ResourceArn=ARN, Tags=[{"Key": "x", "Value": "1"}]), ["UntagResource"]),
        (lambda d: d.untag_resource(ResourceArn=ARN, TagKeys=["cost", "team"]), ["TagResource"]),
        (lambda d: d.untag_resource(ResourceArn=ARN, TagKeys=["cost"]), ["TagResource"]),
    ],
    ids=["added", "both-removed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    table: Table, edit: Callable[[Any], object], written: list[str]
) -> None:
    table.made().recorded()
    assert [name for name, _ in table.goes_round(lambda: edit(table.dynamodb), "Tags")] == written


def test_an_index_that_was_deleted_is_made_again(table: Table) -> None:
    index = {**BY_SHOP, "ProvisionedThroughput": UNITS}
    table.made(GlobalSecondaryIndexes=[index]).recorded(GlobalSecondaryIndexes=[index])
    calls = table.goes_round(
        lambda: table.update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "byShop"}}]),
        "GlobalSecondaryIndexes",
    )
    assert calls == [
        (
            "UpdateTable",
            {
                "TableName": "orders",
                "AttributeDefinitions": DEFINITIONS,
                "GlobalSecondaryIndexUpdates": [{"Create": index}],
            },
        )
    ]


def test_the_capacity_of_an_index_goes_back(table: Table) -> None:
    index = {**BY_SHOP, "ProvisionedThroughput": UNITS}
    table.made(GlobalSecondaryIndexes=[index]).recorded(GlobalSecondaryIndexes=[index])
    sized = {"IndexName": "byShop", "ProvisionedThroughput": MORE_UNITS}
    calls = table.goes_round(
        lambda: table.update(GlobalSecondaryIndexUpdates=[{"Update": sized}]),
        "GlobalSecondaryIndexes",
    )
    assert [params["GlobalSecondaryIndexUpdates"] for _, params in calls] == [
        [{"Update": {"IndexName": "byShop", "ProvisionedThroughput": UNITS}}]
    ]


RECORD = a_record("AWS::DynamoDB::Table", "orders", ProvisionedThroughput=UNITS)
LIMITS = {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20}


def described(**members: Any) -> dict[str, Any]:
    table = {
        "TableName": "orders",
        "TableArn": ARN,
        "TableStatus": "ACTIVE",
        "KeySchema": KEY,
        "AttributeDefinitions": DEFINITIONS,
        "ProvisionedThroughput": UNITS,
        **members,
    }
    return {"DescribeTable": {"Table": table}}


ON_DEMAND = {
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
}


def updates(answers: dict[str, Any], wanted: dict[str, Any]) -> list[dict[str, Any]]:
    """The UpdateTable requests, without the table's name."""
    requests = sent(RECORD, answers, wanted)
    assert {name for name, _ in requests} <= {"UpdateTable"}
    return [{k: v for k, v in params.items() if k != "TableName"} for _, params in requests]


def test_every_kind_of_change_is_a_call_of_its_own() -> None:
    wanted = {
        "DeletionProtectionEnabled": True,
        "TableClass": "STANDARD_INFREQUENT_ACCESS",
        "SSESpecification": {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": "k1"},
        "StreamSpecification": {"StreamViewType": "KEYS_ONLY"},
        "ProvisionedThroughput": MORE_UNITS,
    }
    assert updates(described(), wanted) == [
        {"DeletionProtectionEnabled": True},
        {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        {"SSESpecification": {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "k1"}},
        {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
        {"ProvisionedThroughput": MORE_UNITS},
    ]


@pytest.mark.parametrize(
    "unsettled",
    [
        {"TableStatus": "UPDATING"},
        {"SSEDescription": {"Status": "UPDATING"}},
        {"GlobalSecondaryIndexes": [{**BY_SHOP, "IndexStatus": "CREATING"}]},
    ],
)
def test_the_next_change_waits_until_the_table_has_settled(unsettled: dict[str, Any]) -> None:
    now, busy = described()["DescribeTable"], described(**unsettled)["DescribeTable"]
    wanted = {"DeletionProtectionEnabled": True, "TableClass": "STANDARD_INFREQUENT_ACCESS"}
    assert len(updates({"DescribeTable": [now, busy, now]}, wanted)) == 2
    with pytest.raises(UpdateFailed, match="still being updated"):
        updates({"DescribeTable": [now, busy, busy, busy]}, wanted)


def test_a_change_that_is_not_about_capacity_leaves_the_billing_mode_alone() -> None:
    (request,) = updates(described(**ON_DEMAND), {"DeletionProtectionEnabled": True})
    assert "BillingMode" not in request


@pytest.mark.parametrize("nothing", [{}, {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}])
def test_absent_capacity_is_no_order_to_switch_the_billing_mode(nothing: dict[str, Any]) -> None:
    requests = stopped(RECORD, described(), {"ProvisionedThroughput": nothing}, because="holds no capacity")
    assert requests == []


def test_a_table_without_recorded_capacity_is_left_on_demand() -> None:
    answers = described(**ON_DEMAND)
    requests = stopped(RECORD, answers, {"BillingMode": "PROVISIONED"}, because="holds no capacity")
    assert requests == []


def test_a_table_with_recorded_capacity_is_provisioned_again_with_all_its_indexes() -> None:
    index = {**BY_SHOP, "ProvisionedThroughput": UNITS}
    record = a_record("AWS::DynamoDB::Table", "orders", GlobalSecondaryIndexes=[index])
    answers = described(**ON_DEMAND, GlobalSecondaryIndexes=[BY_SHOP])
    requests = sent(record, answers, {"ProvisionedThroughput": UNITS, "GlobalSecondaryIndexes": [index]})
    assert [params for _, params in requests] == [
        {
            "TableName": "orders",
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": UNITS,
            "GlobalSecondaryIndexUpdates": [
                {"Update": {"IndexName": "byShop", "ProvisionedThroughput": UNITS}}
            ],
        }
    ]


def test_an_index_without_recorded_capacity_keeps_the_table_on_demand() -> None:
    answers = described(**ON_DEMAND, GlobalSecondaryIndexes=[BY_SHOP])
    requests = stopped(
        RECORD, answers, {"ProvisionedThroughput": UNITS}, because="an index has no recorded capacity"
    )
    assert requests == []


def test_a_table_goes_back_on_demand_by_its_mode_alone() -> None:
    assert updates(described(), {"BillingMode": "PAY_PER_REQUEST"}) == [{"BillingMode": "PAY_PER_REQUEST"}]


def test_scaled_capacity_stays_and_everything_else_goes_back() -> None:
    targets = {"DescribeScalableTargets": {"ScalableTargets": [{"ResourceId": "table/orders"}]}}
    wanted = {"ProvisionedThroughput": MORE_UNITS, "DeletionProtectionEnabled": True}
    requests = stopped(RECORD, {**described(), **targets}, wanted, because="Application Auto Scaling governs")
    assert [params for _, params in requests] == [{"TableName": "orders", "DeletionProtectionEnabled": True}]


def test_the_scaled_capacity_of_an_index_stays() -> None:
    index = {**BY_SHOP, "ProvisionedThroughput": UNITS}
    record = a_record("AWS::DynamoDB::Table", "orders", GlobalSecondaryIndexes=[index])
    targets = {"DescribeScalableTargets": {"ScalableTargets": [{"ResourceId": "table/orders/index/byShop"}]}}
    now = described(GlobalSecondaryIndexes=[{**index, "ProvisionedThroughput": MORE_UNITS}])
    requests = stopped(
        record,
        {**now, **targets},
        {"GlobalSecondaryIndexes": [index]},
        because="governs the capacity of table/orders/index/byShop",
    )
    assert requests == []


def test_a_stream_of_another_view_is_closed_before_it_is_opened() -> None:
    now = described(StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    wanted = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}}
    assert updates(now, wanted) == [
        {"StreamSpecification": {"StreamEnabled": False}},
        {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
    ]


def test_of_two_indexes_each_is_a_call_and_the_missing_comes_first() -> None:
    other = {**BY_SHOP, "IndexName": "byHand"}
    now = described(**ON_DEMAND, GlobalSecondaryIndexes=[other])
    assert updates(now, {"GlobalSecondaryIndexes": [BY_SHOP]}) == [
        {"AttributeDefinitions": DEFINITIONS, "GlobalSecondaryIndexUpdates": [{"Create": BY_SHOP}]},
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byHand"}}]},
    ]


@pytest.mark.parametrize(
    "wanted",
    [
        {"GlobalSecondaryIndexes": [{**BY_SHOP, "Projection": {"ProjectionType": "KEYS_ONLY"}}]},
        {"AttributeDefinitions": DEFINITIONS[:1]},
    ],
)
def test_what_only_a_new_index_can_have_is_not_begun(wanted: dict[str, Any]) -> None:
    answers = described(**ON_DEMAND, GlobalSecondaryIndexes=[BY_SHOP])
    requests = stopped(RECORD, answers, wanted, because="index")
    assert requests == []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"OnDemandThroughput": {}}, {"MaxReadRequestUnits": -1, "MaxWriteRequestUnits": -1}),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 7}},
            {"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": -1},
        ),
    ],
)
def test_a_limit_that_was_not_recorded_is_lifted(wanted: dict[str, Any], expected: dict[str, int]) -> None:
    now = described(**ON_DEMAND, OnDemandThroughput=LIMITS)
    assert updates(now, wanted) == [{"OnDemandThroughput": expected}]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"SSESpecification": {}}, {"SSESpecification": {"Enabled": False}}),
        ({"TableClass": ""}, {"TableClass": "STANDARD"}),
        ({"StreamSpecification": {}}, {"StreamSpecification": {"StreamEnabled": False}}),
    ],
)
def test_what_was_not_set_has_a_value_of_its_own(wanted: dict[str, Any], expected: dict[str, Any]) -> None:
    now = described(
        SSEDescription={"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": "k1"},
        TableClassSummary={"TableClass": "STANDARD_INFREQUENT_ACCESS"},
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )
    assert updates(now, wanted) == [expected]


def test_expiry_that_was_recorded_empty_is_put_off_by_its_live_attribute() -> None:
    expiry = {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"}}
    requests = sent(RECORD, {**described(), "DescribeTimeToLive": expiry}, {"TimeToLiveSpecification": {}})
    specification = {"Enabled": False, "AttributeName": "until"}
    assert requests == [
        ("UpdateTimeToLive", {"TableName": "orders", "TimeToLiveSpecification": specification})
    ]


def test_another_kinesis_destination_is_added_before_the_old_one_is_left() -> None:
    streams = {
        "KinesisDataStreamDestinations": [{"StreamArn": f"{STREAM}-old", "DestinationStatus": "ACTIVE"}]
    }
    now = {**described(), "DescribeKinesisStreamingDestination": streams}
    requests = sent(RECORD, now, {"KinesisStreamSpecification": {"StreamArn": STREAM}})
    assert [(name, params["StreamArn"]) for name, params in requests] == [
        ("EnableKinesisStreamingDestination", STREAM),
        ("DisableKinesisStreamingDestination", f"{STREAM}-old"),
    ]


def test_a_changed_precision_keeps_the_kinesis_destination() -> None:
    streams = {"KinesisDataStreamDestinations": [{"StreamArn": STREAM, "DestinationStatus": "ACTIVE"}]}
    now = {**described(), "DescribeKinesisStreamingDestination": streams}
    precise = {"ApproximateCreationDateTimePrecision": "MICROSECOND"}
    requests = sent(RECORD, now, {"KinesisStreamSpecification": {"StreamArn": STREAM, **precise}})
    assert requests == [
        (
            "UpdateKinesisStreamingDestination",
            {"TableName": "orders", "StreamArn": STREAM, "UpdateKinesisStreamingConfiguration": precise},
        )
    ]


def test_a_resource_policy_that_was_recorded_empty_is_deleted() -> None:
    now = {**described(), "GetResourcePolicy": {"Policy": json.dumps(RESOURCE_POLICY)}}
    assert sent(RECORD, now, {"ResourcePolicy": {}}) == [("DeleteResourcePolicy", {"ResourceArn": ARN})]
