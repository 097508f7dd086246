"""Global tables: every replica is changed in its own region, and none is made or deleted."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.remedy.update import Update
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.gaps import fill
from tests.lifecycle.requests import a_record, sent, stopped

ARN = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/orders"
FAR = "eu-west-1"
KEY = [{"AttributeName": "id", "KeyType": "HASH"}]
RECORD = a_record("AWS::DynamoDB::GlobalTable", "orders")


def described(*regions: str, **members: Any) -> dict[str, Any]:
    table = {
        "TableName": "orders",
        "TableArn": ARN,
        "TableStatus": "ACTIVE",
        "KeySchema": KEY,
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
        "Replicas": [{"RegionName": region, "ReplicaStatus": "ACTIVE"} for region in regions],
        **members,
    }
    off = {
        "ContinuousBackupsDescription": {
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"}
        }
    }
    return {
        "DescribeTable": {"Table": table},
        "ListTagsOfResource": {"Tags": [{"Key": "team", "Value": "shop"}]},
        "DescribeContinuousBackups": off,
        "DescribeContributorInsights": {"ContributorInsightsStatus": "DISABLED"},
    }


def replica(region: str, **settings: Any) -> dict[str, Any]:
    return {
        "Region": region,
        "ContributorInsightsSpecification": {"Enabled": False},
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": False},
        "Tags": [{"Key": "team", "Value": "shop"}],
        **settings,
    }


@pytest.mark.parametrize(
    "recorded", [[replica(REGION)], [], [replica(REGION), replica(FAR), replica("eu-west-2")]]
)
def test_replicas_are_neither_deleted_nor_made(recorded: list[Any]) -> None:
    requests = stopped(
        RECORD,
        described(REGION, FAR),
        {"Replicas": recorded},
        because="replicas are made and deleted by a deploy",
    )
    assert requests == []


def regions_of(answers: dict[str, Any], wanted: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """(operation, region, parameters) of every write."""
    made: list[tuple[str, str, dict[str, Any]]] = []
    below = Update.call

    def call(update: Update, operation: str, params: Any, *, done: Any = (), region: str = "") -> Any:
        made.append((operation, region or update.region, params))
        return below(update, operation, params, done=done, region=region)

    with mock.patch.object(Update, "call", call):
        sent(RECORD, answers, wanted)
    return made


def test_each_replica_is_changed_in_its_own_region() -> None:
    far = replica(
        FAR,
        Tags=[{"Key": "cost", "Value": "7"}],
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        ContributorInsightsSpecification={"Enabled": True},
    )
    requests = regions_of(described(REGION, FAR), {"Replicas": [replica(REGION), far]})
    far_arn = ARN.replace(REGION, FAR)
    assert requests == [
        ("UntagResource", FAR, {"ResourceArn": far_arn, "TagKeys": ["team"]}),
        ("TagResource", FAR, {"ResourceArn": far_arn, "Tags": [{"Key": "cost", "Value": "7"}]}),
        (
            "UpdateContinuousBackups",
            FAR,
            {
                "TableName": "orders",
                "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            },
        ),
        ("UpdateContributorInsights", FAR, {"TableName": "orders", "ContributorInsightsAction": "ENABLE"}),
    ]


def test_what_a_replica_cannot_change_in_place_stops_all_of_them() -> None:
    wanted = [replica(REGION, Tags=[]), replica(FAR, KMSMasterKeyId="k1")]
    requests = stopped(RECORD, described(REGION, FAR), {"Replicas": wanted}, because="KMSMasterKeyId")
    assert requests == []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"DeletionProtectionEnabled": False}, {"DeletionProtectionEnabled": False}),
        ({"TableClass": ""}, {"TableClass": "STANDARD"}),
        ({"BillingMode": "PAY_PER_REQUEST"}, {"BillingMode": "PAY_PER_REQUEST"}),
        (
            {"WriteOnDemandThroughputSettings": {}},
            {"OnDemandThroughput": {"MaxWriteRequestUnits": -1}},
        ),
        (
            {"StreamSpecification": {"StreamViewType": "KEYS_ONLY"}},
            {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
        ),
    ],
)
def test_a_setting_of_the_whole_table_goes_back(wanted: dict[str, Any], expected: dict[str, Any]) -> None:
    assert sent(RECORD, described(REGION), wanted) == [("UpdateTable", {"TableName": "orders", **expected})]


@pytest.fixture
def recorded(life: Life, monkeypatch: pytest.MonkeyPatch) -> Life:
    life.settings = ScanSettings(undeclared="drift")
    fill(
        life,
        monkeypatch,
        {
            "DescribeContributorInsights": lambda p: {"ContributorInsightsStatus": "DISABLED"},
            "DescribeKinesisStreamingDestination": lambda p: {},
        },
    )
    life.client("dynamodb").create_table(
        TableName="orders",
        KeySchema=KEY,
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
        Tags=[{"Key": "team", "Value": "shop"}],
    )
    life.record("Orders", "AWS::DynamoDB::GlobalTable", "orders", {"TableName": "orders"})
    return life


def test_deletion_protection_and_a_tag_of_the_local_replica_go_back(recorded: Life) -> None:
    dynamodb = recorded.client("dynamodb")
    calls = recorded.goes_round(
        "Orders",
        lambda: dynamodb.update_table(TableName="orders", DeletionProtectionEnabled=True),
        expect=["DeletionProtectionEnabled"],
    )
    assert [name for name, _ in calls] == ["UpdateTable"]
    calls = recorded.goes_round(
        "Orders",
        lambda: dynamodb.tag_resource(ResourceArn=ARN, Tags=[{"Key": "x", "Value": "1"}]),
        expect=["Replicas"],
    )
    assert calls == [("UntagResource", {"ResourceArn": ARN, "TagKeys": ["x"]})]


@pytest.mark.parametrize(
    ("member", "value"),
    [("BillingMode", "PROVISIONED"), ("Replicas", [replica(REGION), replica(FAR)])],
)
def test_what_would_do_harm_is_refused_by_the_plan(recorded: Life, member: str, value: Any) -> None:
    observed = {**recorded.read("Orders"), member: value}
    recorded.record(
        "Orders", "AWS::DynamoDB::GlobalTable", "orders", {"TableName": "orders"}, observedProperties=observed
    )
    assert [refusal.kind for refusal in recorded.plan().refusals] == [Kind.REFUSED]
    recorded.forget_calls()
    recorded.revert()
    assert recorded.calls == []
