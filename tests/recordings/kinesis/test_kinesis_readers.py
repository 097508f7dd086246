"""Kinesis streams and their consumers."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

STREAM = "AWS::Kinesis::Stream"
CONSUMER = "AWS::Kinesis::StreamConsumer"
CONSUMER_ARN = "arn:aws:kinesis:eu-central-1:111122223333:stream/orders/consumer/audit:1"


@pytest.fixture
def stream(answers: Any) -> Any:
    answers["kinesis:DescribeStream"] = {
        "StreamDescription": {
            "StreamName": "orders",
            "StreamModeDetails": {"StreamMode": "PROVISIONED"},
            "RetentionPeriodHours": 24,
            "Shards": [{"ShardId": "shardId-0"}, {"ShardId": "shardId-1"}],
            "EnhancedMonitoring": [
                {"ShardLevelMetrics": ["IncomingBytes"]},
                {"ShardLevelMetrics": ["OutgoingBytes"]},
                {},
            ],
        }
    }
    answers["kinesis:DescribeStreamSummary"] = {"StreamDescriptionSummary": {"MaxRecordSizeInKiB": 1024}}
    answers["kinesis:ListTagsForStream"] = {"Tags": [{"Key": "team", "Value": "web"}]}
    return answers


@pytest.fixture
def consumer(answers: Any) -> Any:
    answers["kinesis:DescribeStreamConsumer"] = {
        "ConsumerDescription": {
            "ConsumerName": "audit",
            "StreamARN": "arn:stream",
            "ConsumerStatus": "ACTIVE",
        }
    }
    answers["kinesis:ListTagsForResource"] = {"Tags": []}
    return answers


def test_a_provisioned_stream_counts_its_shards(stream: Any, read: Any) -> None:
    assert read(STREAM, "orders") == Live(
        {
            "Name": "orders",
            "StreamModeDetails": {"StreamMode": "PROVISIONED"},
            "ShardCount": 2,
            "RetentionPeriodHours": 24,
            "StreamEncryption": {"EncryptionType": "NONE"},
            "DesiredShardLevelMetrics": ["IncomingBytes", "OutgoingBytes"],
            "MaxRecordSizeInKiB": 1024,
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_the_shards_of_an_on_demand_stream_are_no_property(stream: Any, read: Any) -> None:
    described = stream["kinesis:DescribeStream"]["StreamDescription"]
    described["StreamModeDetails"] = {"StreamMode": "ON_DEMAND"}

    assert "ShardCount" not in read(STREAM, "orders").properties


def test_an_encrypted_stream_names_its_key(stream: Any, read: Any) -> None:
    stream["kinesis:DescribeStream"]["StreamDescription"] |= {"EncryptionType": "KMS", "KeyId": "alias/k"}

    found = read(STREAM, "orders").properties["StreamEncryption"]
    assert found == {"EncryptionType": "KMS", "KeyId": "alias/k"}


@pytest.mark.parametrize("operation", ["DescribeStream", "DescribeStreamSummary", "ListTagsForStream"])
def test_a_stream_that_any_call_does_not_find_is_gone(stream: Any, read: Any, operation: str) -> None:
    stream.fails(f"kinesis:{operation}", "ResourceNotFoundException")

    assert read(STREAM, "orders") == Gone()


@pytest.mark.parametrize("operation", ["DescribeStreamSummary", "ListTagsForStream"])
def test_a_denied_call_for_a_stream_names_the_permission(stream: Any, read: Any, operation: str) -> None:
    stream.fails(f"kinesis:{operation}", "AccessDeniedException")

    found = read(STREAM, "orders")
    assert isinstance(found, Unreadable)
    assert found.action == f"kinesis:{operation}"


def test_a_consumer(consumer: Any, read: Any) -> None:
    expected = {"ConsumerName": "audit", "StreamARN": "arn:stream", "Tags": []}
    assert read(CONSUMER, CONSUMER_ARN) == Live(expected)


@pytest.mark.parametrize("operation", ["DescribeStreamConsumer", "ListTagsForResource"])
def test_a_consumer_that_any_call_does_not_find_is_gone(consumer: Any, read: Any, operation: str) -> None:
    consumer.fails(f"kinesis:{operation}", "ResourceNotFoundException")

    assert read(CONSUMER, CONSUMER_ARN) == Gone()


def test_denied_tags_of_a_consumer_name_the_permission(consumer: Any, read: Any) -> None:
    consumer.fails("kinesis:ListTagsForResource", "AccessDeniedException")

    found = read(CONSUMER, CONSUMER_ARN)
    assert isinstance(found, Unreadable)
    assert found.action == "kinesis:ListTagsForResource"
