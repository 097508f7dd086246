"""SQS and SNS: every kind of edit is reported exactly, pushed back, and nothing else is touched."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from tests.lifecycle.conftest import REGION, Life

TEMPLATE = {
    "QueueName": "orders",
    "VisibilityTimeout": 60,
    "MessageRetentionPeriod": 345600,
    "Tags": [{"Key": "team", "Value": "shop"}],
}
POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {"Sid": "Mine", "Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}
    ],
}


def sqs() -> Any:
    return boto3.client("sqs", region_name=REGION)


def sns() -> Any:
    return boto3.client("sns", region_name=REGION)


@pytest.fixture
def queue(life: Life) -> str:
    url: str = sqs().create_queue(
        QueueName="orders",
        Attributes={"VisibilityTimeout": "60", "RedriveAllowPolicy": '{"redrivePermission":"denyAll"}'},
        tags={"team": "shop", "cost": "7"},
    )["QueueUrl"]
    life.record("Queue", "AWS::SQS::Queue", url, TEMPLATE)
    return url


@pytest.fixture
def topic(life: Life) -> str:
    arn: str = sns().create_topic(
        Name="events", Attributes={"DisplayName": "Shop"}, Tags=[{"Key": "team", "Value": "shop"}]
    )["TopicArn"]
    life.record("Topic", "AWS::SNS::Topic", arn, {"TopicName": "events", "DisplayName": "Shop"})
    return arn


def test_a_changed_number_goes_back_alone(life: Life, queue: str) -> None:
    def edit() -> None:
        sqs().set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "77"})

    life.goes_round("Queue", edit, expect=["VisibilityTimeout"])
    assert life.calls == [
        ("SetQueueAttributes", {"QueueUrl": queue, "Attributes": {"VisibilityTimeout": "60"}})
    ]


def test_a_document_that_was_set_by_hand_is_removed(life: Life, queue: str) -> None:
    other = sqs().create_queue(QueueName="dead")["QueueUrl"]
    arn = sqs().get_queue_attributes(QueueUrl=other, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 3})
    life.settings = type(life.settings)(undeclared="drift")

    def edit() -> None:
        sqs().set_queue_attributes(QueueUrl=queue, Attributes={"RedrivePolicy": policy})

    life.goes_round("Queue", edit, expect=["RedrivePolicy"])
    assert life.calls == [("SetQueueAttributes", {"QueueUrl": queue, "Attributes": {"RedrivePolicy": ""}})]


def test_two_attributes_go_back_in_one_request(life: Life, queue: str) -> None:
    def edit() -> None:
        sqs().set_queue_attributes(
            QueueUrl=queue, Attributes={"DelaySeconds": "5", "MessageRetentionPeriod": "600"}
        )

    life.goes_round("Queue", edit, expect=["MessageRetentionPeriod", "DelaySeconds"])
    assert life.written() == ["SetQueueAttributes"]


@pytest.mark.parametrize(
    ("add", "remove", "written"),
    [
        ({"extra": "1"}, [], ["UntagQueue"]),
        ({"team": "other"}, [], ["TagQueue"]),
        ({}, ["cost"], ["TagQueue"]),
        ({"extra": "1", "team": "other"}, ["cost"], ["UntagQueue", "TagQueue"]),
    ],
)
def test_of_tags_only_the_difference_is_sent(
    life: Life, queue: str, add: dict[str, str], remove: list[str], written: list[str]
) -> None:
    def edit() -> None:
        if add:
            sqs().tag_queue(QueueUrl=queue, Tags=add)
        if remove:
            sqs().untag_queue(QueueUrl=queue, TagKeys=remove)

    life.goes_round("Queue", edit, expect=["Tags"])
    assert life.written() == written
    assert all(params.get("Tags", {}).keys() <= {"team", "cost"} for _, params in life.calls)
    assert all(params.get("TagKeys", ["extra"]) == ["extra"] for _, params in life.calls)


def test_a_policy_document_goes_back_whole(life: Life) -> None:
    url = sqs().create_queue(QueueName="orders", Attributes={"Policy": json.dumps(POLICY)})["QueueUrl"]
    life.record("Policy", "AWS::SQS::QueuePolicy", url, {"Queues": [url], "PolicyDocument": POLICY})
    opened = {**POLICY, "Statement": [*POLICY["Statement"], {**POLICY["Statement"][0], "Sid": "Theirs"}]}  # type: ignore[dict-item]

    def edit() -> None:
        sqs().set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(opened)})

    life.goes_round("Policy", edit, expect=["PolicyDocument.Statement"])


def test_shortening_a_retention_is_announced(life: Life, queue: str) -> None:
    sqs().set_queue_attributes(QueueUrl=queue, Attributes={"MessageRetentionPeriod": "1209600"})
    (step,) = life.plan().steps
    assert step.warnings == (
        "MessageRetentionPeriod: messages older than that are deleted within 15 minutes",
    )


def test_making_a_retention_longer_is_not_announced(life: Life, queue: str) -> None:
    sqs().set_queue_attributes(QueueUrl=queue, Attributes={"MessageRetentionPeriod": "600"})
    (step,) = life.plan().steps
    assert step.warnings == ()


@pytest.mark.parametrize(
    ("attribute", "value", "path"),
    [
        ("DisplayName", "Other", "DisplayName"),
        ("DisplayName", "", "DisplayName"),
        ("KmsMasterKeyId", "alias/aws/sns", "KmsMasterKeyId"),
    ],
)
def test_a_topic_attribute_goes_back_in_a_request_of_its_own(
    life: Life, topic: str, attribute: str, value: str, path: str
) -> None:
    life.settings = type(life.settings)(undeclared="drift")

    def edit() -> None:
        sns().set_topic_attributes(TopicArn=topic, AttributeName=attribute, AttributeValue=value)

    life.goes_round("Topic", edit, expect=[path])
    assert life.written() == ["SetTopicAttributes"]


def test_topic_tags_go_back(life: Life, topic: str) -> None:
    def edit() -> None:
        sns().tag_resource(
            ResourceArn=topic, Tags=[{"Key": "team", "Value": "x"}, {"Key": "n", "Value": "1"}]
        )

    life.goes_round("Topic", edit, expect=["Tags"])
    assert life.calls == [
        ("UntagResource", {"ResourceArn": topic, "TagKeys": ["n"]}),
        ("TagResource", {"ResourceArn": topic, "Tags": [{"Key": "team", "Value": "shop"}]}),
    ]


def test_a_topic_policy_goes_back(life: Life, topic: str) -> None:
    policy = sns().get_topic_attributes(TopicArn=topic)["Attributes"]["Policy"]
    life.record("Policy", "AWS::SNS::TopicPolicy", topic, {"Topics": [topic], "PolicyDocument": policy})

    def edit() -> None:
        document = json.loads(policy)
        document["Statement"][0]["Action"] = "sns:Publish"
        sns().set_topic_attributes(
            TopicArn=topic, AttributeName="Policy", AttributeValue=json.dumps(document)
        )

    life.goes_round("Policy", edit, expect=["PolicyDocument.Statement"])


def test_a_subscription_is_changed_in_place_and_never_made_again(life: Life, topic: str) -> None:
    arn = sns().subscribe(
        TopicArn=topic,
        Protocol="sqs",
        Endpoint=f"arn:aws:sqs:{REGION}:123456789012:q",
        ReturnSubscriptionArn=True,
    )["SubscriptionArn"]
    sns().set_subscription_attributes(
        SubscriptionArn=arn, AttributeName="FilterPolicy", AttributeValue='{"kind":["order"]}'
    )
    life.record(
        "Sub", "AWS::SNS::Subscription", arn, {"TopicArn": topic, "FilterPolicy": {"kind": ["order"]}}
    )

    def edit() -> None:
        sns().set_subscription_attributes(
            SubscriptionArn=arn, AttributeName="FilterPolicy", AttributeValue='{"kind":["other"]}'
        )

    life.goes_round("Sub", edit, expect=["FilterPolicy.kind"])
    assert life.written() == ["SetSubscriptionAttributes"]


def test_what_only_a_replacement_can_change_is_refused_before_the_first_request(
    life: Life, queue: str
) -> None:
    observed = {**life.read("Queue"), "QueueName": "another", "VisibilityTimeout": 5}
    life.record("Queue", "AWS::SQS::Queue", queue, TEMPLATE, observedProperties=observed)
    plan = life.plan()
    (refusal,) = plan.refusals
    assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
    assert "QueueName can only be set when the resource is created" in refusal.reason
    life.forget_calls()
    assert life.revert(plan) == []
    assert life.calls == []


def test_a_resource_that_changed_after_the_plan_is_left_alone(life: Life, queue: str) -> None:
    sqs().set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "77"})
    plan = life.plan()
    sqs().set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "78"})
    life.forget_calls()
    (result,) = life.revert(plan)
    assert result.fate is Fate.CHANGED
    assert life.calls == []


def test_accepting_takes_the_live_values_over_and_ends_the_drift(life: Life, queue: str) -> None:
    before = life.document
    sqs().set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "77"})
    sqs().tag_queue(QueueUrl=queue, Tags={"extra": "1"})
    life.forget_calls()
    life.accept()
    assert life.drift() == {}
    assert life.calls == []
    after = life.document
    row, old = after["resources"]["Queue"], before["resources"]["Queue"]
    assert row["observedProperties"].pop("VisibilityTimeout") == 77
    assert {"Key": "extra", "Value": "1"} in row["observedProperties"].pop("Tags")
    for name in ("VisibilityTimeout", "Tags"):
        del old["observedProperties"][name]
    assert after["lastModified"] > 0
    assert {**after, "lastModified": 0} == {**before, "lastModified": 0}
