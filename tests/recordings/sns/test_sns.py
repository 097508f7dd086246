"""Topics, topic policies and subscriptions."""

from __future__ import annotations

import json

import pytest

from driftwarden.model import Gone, Unsupported
from tests.recordings.conftest import Answers, Read, live, unreadable

TOPIC = "arn:aws:sns:eu-central-1:111122223333:orders"
SUBSCRIPTION = f"{TOPIC}:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sns:Publish"}]}


def topic(answers: Answers, **attributes: str) -> None:
    answers["sns:GetTopicAttributes"] = {"Attributes": {"TopicArn": TOPIC, **attributes}}
    answers["sns:ListTagsForResource"] = {"Tags": []}


def test_a_plain_topic_has_every_placeholder(answers: Answers, read: Read) -> None:
    topic(answers)
    assert live(read("AWS::SNS::Topic", TOPIC)) == {
        "TopicName": "orders",
        "DisplayName": "",
        "KmsMasterKeyId": "",
        "TracingConfig": "",
        "SignatureVersion": "",
        "DeliveryStatusLogging": [],
        "Tags": [],
    }


def test_a_fifo_topic_reads_back_in_cloudformation_shape(answers: Answers, read: Read) -> None:
    topic(
        answers,
        FifoTopic="true",
        ContentBasedDeduplication="false",
        DisplayName="Orders",
        ArchivePolicy='{"MessageRetentionPeriod":"30"}',
        DataProtectionPolicy="no json",
    )
    answers["sns:ListTagsForResource"] = {
        "Tags": [{"Key": "team", "Value": "red"}, {"Key": "Env", "Value": "p"}]
    }
    properties = live(read("AWS::SNS::Topic", TOPIC))
    assert properties["FifoTopic"] is True
    assert properties["ContentBasedDeduplication"] is False
    assert properties["FifoThroughputScope"] == ""
    assert properties["ArchivePolicy"] == {"MessageRetentionPeriod": "30"}
    assert properties["DataProtectionPolicy"] == "no json"
    assert [tag["Key"] for tag in properties["Tags"]] == ["Env", "team"]


def test_only_fifo_topics_have_a_throughput_scope(answers: Answers, read: Read) -> None:
    topic(answers, FifoTopic="false", FifoThroughputScope="Topic")
    assert "FifoThroughputScope" not in live(read("AWS::SNS::Topic", TOPIC))


def test_delivery_logging_is_one_entry_per_protocol_spelt_as_in_the_template(
    answers: Answers, read: Read
) -> None:
    topic(
        answers,
        SQSSuccessFeedbackRoleArn="arn:role",
        SQSSuccessFeedbackSampleRate="50",
        HTTPFailureFeedbackRoleArn="arn:role",
        FirehoseSuccessFeedbackRoleArn="arn:role",
    )
    template = {"DeliveryStatusLogging": [{"Protocol": "https"}, {"Protocol": "http/s"}, {"Protocol": "sqs"}]}
    assert live(read("AWS::SNS::Topic", TOPIC, template))["DeliveryStatusLogging"] == [
        {"Protocol": "Firehose", "SuccessFeedbackRoleArn": "arn:role"},
        {"Protocol": "https", "FailureFeedbackRoleArn": "arn:role"},
        {"Protocol": "sqs", "SuccessFeedbackRoleArn": "arn:role", "SuccessFeedbackSampleRate": "50"},
    ]


def test_subscriptions_are_read_on_all_pages_if_the_template_has_any(answers: Answers, read: Read) -> None:
    topic(answers)
    answers["sns:ListSubscriptionsByTopic"] = [
        {"Subscriptions": [{"Protocol": "sqs", "Endpoint": "b", "Owner": "1"}], "NextToken": "2"},
        {"Subscriptions": [{"Protocol": "sqs", "Endpoint": "A"}, {"Protocol": "email", "Endpoint": "z"}, {}]},
    ]
    template = {"Subscription": [{"Protocol": "sqs", "Endpoint": "b"}]}
    assert live(read("AWS::SNS::Topic", TOPIC, template))["Subscription"] == [
        {"Protocol": "email", "Endpoint": "z"},
        {"Protocol": "sqs", "Endpoint": "A"},
        {"Protocol": "sqs", "Endpoint": "b"},
    ]


@pytest.mark.parametrize("operation", ["GetTopicAttributes", "ListTagsForResource"])
def test_a_topic_that_sns_does_not_know_is_gone(answers: Answers, read: Read, operation: str) -> None:
    topic(answers)
    answers.fails(f"sns:{operation}", "NotFound", status=404)
    assert isinstance(read("AWS::SNS::Topic", TOPIC), Gone)


@pytest.mark.parametrize(
    "operation", ["GetTopicAttributes", "ListTagsForResource", "ListSubscriptionsByTopic"]
)
def test_any_denied_call_is_unreadable_and_names_its_action(
    answers: Answers, read: Read, operation: str
) -> None:
    topic(answers)
    answers["sns:ListSubscriptionsByTopic"] = {"Subscriptions": []}
    answers.fails(f"sns:{operation}", "AuthorizationError", status=403)
    assert unreadable(read("AWS::SNS::Topic", TOPIC, {"Subscription": []})).action == f"sns:{operation}"


def test_throttling_that_outlasts_the_retries_is_unreadable(answers: Answers, read: Read) -> None:
    topic(answers)
    answers.fails("sns:ListTagsForResource", "Throttled", status=429)
    assert unreadable(read("AWS::SNS::Topic", TOPIC)).code == "Throttled"


def test_a_reset_connection_is_unreadable(answers: Answers, read: Read) -> None:
    answers.breaks("sns:GetTopicAttributes")
    assert unreadable(read("AWS::SNS::Topic", TOPIC)).operation == "sns:GetTopicAttributes"


def test_an_answer_without_attributes_is_unreadable_and_never_a_deletion(
    answers: Answers, read: Read
) -> None:
    answers["sns:GetTopicAttributes"] = {}
    assert unreadable(read("AWS::SNS::Topic", TOPIC)).empty_answer


def test_a_topic_policy_reads_the_first_of_its_topics(answers: Answers, read: Read) -> None:
    topic(answers, Policy=json.dumps(POLICY))
    assert live(read("AWS::SNS::TopicPolicy", f"{TOPIC},{TOPIC}-2")) == {
        "Topics": [TOPIC, f"{TOPIC}-2"],
        "PolicyDocument": POLICY,
    }
    assert answers.asked("sns:GetTopicAttributes") == [{"TopicArn": TOPIC}]


def test_a_subscription_parses_its_documents(answers: Answers, read: Read) -> None:
    answers["sns:GetSubscriptionAttributes"] = {
        "Attributes": {
            "TopicArn": TOPIC,
            "Protocol": "sqs",
            "Endpoint": "arn:aws:sqs:q",
            "RawMessageDelivery": "true",
            "FilterPolicy": '{"kind":["order"]}',
            "RedrivePolicy": "",
            "DeliveryPolicy": "no json",
            "PendingConfirmation": "false",
        }
    }
    assert live(read("AWS::SNS::Subscription", SUBSCRIPTION)) == {
        "TopicArn": TOPIC,
        "Protocol": "sqs",
        "Endpoint": "arn:aws:sqs:q",
        "RawMessageDelivery": True,
        "FilterPolicy": {"kind": ["order"]},
        "DeliveryPolicy": "no json",
    }


@pytest.mark.parametrize("physical_id", ["PendingConfirmation", "pending confirmation"])
def test_a_subscription_that_nobody_confirmed_cannot_be_asked_for(
    answers: Answers, read: Read, physical_id: str
) -> None:
    assert isinstance(read("AWS::SNS::Subscription", physical_id), Unsupported)
    assert answers.calls == []


def test_a_subscription_that_was_cancelled_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("sns:GetSubscriptionAttributes", "NotFound", status=404)
    assert isinstance(read("AWS::SNS::Subscription", SUBSCRIPTION), Gone)
