"""Buckets and bucket policies: what a careless revert would break."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from driftwarden.remedy.steps import Kind
from tests.lifecycle.buckets import (
    ACCOUNT,
    BUCKET,
    CORS,
    KEEP,
    NAME,
    ON_ARRIVAL,
    OTHER_TOPIC,
    TOPIC,
    Bucket,
    a_bucket,
    put_access,
    put_cors,
    put_lifecycle,
    put_notifications,
    put_policy,
    put_tags,
    put_versioning,
)
from tests.lifecycle.conftest import REGION, Life


@pytest.fixture
def bucket(life: Life) -> Bucket:
    return a_bucket(life)


def test_each_of_several_edits_goes_back_by_its_own_request(bucket: Bucket) -> None:
    put_cors(bucket, CORS)
    put_tags(bucket, team="shop")
    bucket.recorded()

    def edit() -> None:
        bucket.s3.delete_bucket_cors(**NAME)
        put_tags(bucket, team="other")

    calls = bucket.goes_round(edit, "Tags", "CorsConfiguration.CorsRules")
    assert [name for name, _ in calls] == ["PutBucketCors", "PutBucketTagging"]


def test_a_bucket_that_was_closed_is_not_opened_by_a_record_of_nothing(bucket: Bucket) -> None:
    bucket.recorded()
    put_access(bucket)
    put_tags(bucket, team="shop")
    bucket.life.forget_calls()
    (refusal,) = bucket.life.plan().refusals
    assert refusal.kind is Kind.REFUSED
    assert "could open the bucket to everybody" in refusal.reason
    assert bucket.life.revert() == []
    assert bucket.life.calls == []


def test_opening_a_bucket_in_part_is_announced(bucket: Bucket) -> None:
    put_access(bucket, BlockPublicPolicy=False)
    bucket.recorded()
    put_access(bucket)
    assert warnings(bucket) == [
        "PublicAccessBlockConfiguration: public access that is blocked now becomes possible"
    ]


def test_closing_a_bucket_is_not_announced(bucket: Bucket) -> None:
    put_access(bucket)
    bucket.recorded()
    bucket.s3.delete_public_access_block(**NAME)
    assert warnings(bucket) == []


def warnings(bucket: Bucket) -> list[str]:
    (step,) = bucket.life.plan().steps
    return list(step.warnings)


def test_a_rule_that_deletes_objects_is_announced(bucket: Bucket) -> None:
    put_lifecycle(bucket, KEEP)
    bucket.recorded()
    bucket.s3.delete_bucket_lifecycle(**NAME)
    assert warnings(bucket) == ["LifecycleConfiguration: the rules that come back delete objects"]


def test_suspending_versioning_is_announced(bucket: Bucket) -> None:
    bucket.recorded()
    put_versioning(bucket, "Enabled")
    assert len(warnings(bucket)) == 1
    assert "can no longer be restored" in warnings(bucket)[0]


def test_notifications_of_a_custom_resource_stay(bucket: Bucket) -> None:
    put_notifications(bucket, ON_ARRIVAL)
    bucket.recorded()
    theirs = {"TopicArn": OTHER_TOPIC, "Events": ["s3:ObjectRemoved:*"]}
    bucket.life.record(
        "Notifications",
        "Custom::S3BucketNotifications",
        "notifications",
        {"BucketName": BUCKET, "NotificationConfiguration": {"TopicConfigurations": [theirs]}},
        observed=False,
    )
    put_notifications(bucket, ON_ARRIVAL, theirs)
    assert bucket.life.drift() == {}
    before = bucket.life.read("Invoices")

    put_notifications(bucket, {**ON_ARRIVAL, "Events": ["s3:ObjectCreated:Put"]}, theirs)
    assert bucket.life.drift() == {"Invoices": ["NotificationConfiguration.TopicConfigurations"]}
    bucket.life.revert()
    assert bucket.life.drift() == {}
    assert [one["Topic"] for one in topics(bucket.life.read("Invoices"))] == [TOPIC, OTHER_TOPIC]
    assert topics(bucket.life.read("Invoices"))[0] == topics(before)[0]


def topics(bag: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = bag["NotificationConfiguration"]["TopicConfigurations"]
    return found


def test_notifications_of_a_custom_resource_stay_where_the_record_has_none_of_their_kind(
    bucket: Bucket,
) -> None:
    boto3.client("sqs", region_name=REGION).create_queue(QueueName="arrivals")
    ours = {
        "Id": "ours",
        "QueueArn": f"arn:aws:sqs:{REGION}:{ACCOUNT}:arrivals",
        "Events": ["s3:ObjectCreated:*"],
    }
    theirs = {"Id": "theirs", "TopicArn": OTHER_TOPIC, "Events": ["s3:ObjectRemoved:*"]}
    put_notifications(bucket, QueueConfigurations=[ours])
    bucket.recorded()
    bucket.life.record(
        "Notifications",
        "Custom::S3BucketNotifications",
        "notifications",
        {"BucketName": BUCKET, "NotificationConfiguration": {"TopicConfigurations": [theirs]}},
        observed=False,
    )
    put_notifications(bucket, theirs, QueueConfigurations=[{**ours, "Events": ["s3:ObjectCreated:Put"]}])
    assert bucket.life.drift() == {"Invoices": ["NotificationConfiguration.QueueConfigurations"]}
    bucket.life.forget_calls()
    bucket.life.revert()
    assert bucket.life.calls == [
        (
            "PutBucketNotificationConfiguration",
            {
                "Bucket": BUCKET,
                "NotificationConfiguration": {"TopicConfigurations": [theirs], "QueueConfigurations": [ours]},
            },
        )
    ]
    assert bucket.life.drift() == {}


def test_another_name_in_the_record_is_refused(bucket: Bucket) -> None:
    bucket.life.record("Invoices", "AWS::S3::Bucket", BUCKET, {"BucketName": "another"}, observed=False)
    bucket.life.forget_calls()
    (refusal,) = bucket.life.plan().refusals
    assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
    assert bucket.life.revert() == []
    assert bucket.life.calls == []


POLICY: dict[str, Any] = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Sid": "Read",
            "Effect": "Allow",
            "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
            "Action": "s3:GetObject",
            "Resource": f"arn:aws:s3:::{BUCKET}/*",
        }
    ],
}


class TestBucketPolicy:
    @pytest.fixture
    def policy(self, bucket: Bucket) -> Bucket:
        put_policy(bucket, *POLICY["Statement"])
        bucket.life.record(
            "Policy", "AWS::S3::BucketPolicy", BUCKET, {"Bucket": BUCKET, "PolicyDocument": POLICY}
        )
        return bucket

    @pytest.mark.parametrize("kind", ["changed", "added", "removed"])
    def test_a_statement_edit_goes_back_by_one_request(self, policy: Bucket, kind: str) -> None:
        statement = POLICY["Statement"][0]
        edited = {
            "changed": [{**statement, "Action": "s3:*"}],
            "added": [statement, {**statement, "Sid": "Open", "Principal": "*"}],
            "removed": [{**statement, "Sid": "Other"}],
        }[kind]
        policy.life.goes_round(
            "Policy", lambda: put_policy(policy, *edited), expect=["PolicyDocument.Statement"]
        )
        assert policy.life.written() == ["PutBucketPolicy"]
        assert "ConfirmRemoveSelfBucketAccess" not in policy.life.calls[0][1]

    @pytest.mark.parametrize("nothing", [{}, ""])
    def test_an_empty_policy_is_never_put(self, policy: Bucket, nothing: Any) -> None:
        observed = {"Bucket": BUCKET, "PolicyDocument": nothing}
        policy.life.record(
            "Policy", "AWS::S3::BucketPolicy", BUCKET, {"Bucket": BUCKET}, observedProperties=observed
        )
        (refusal,) = policy.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        assert policy.life.plan().steps == ()

    def test_the_policy_of_another_bucket_is_refused(self, policy: Bucket) -> None:
        observed = {**policy.life.read("Policy"), "Bucket": "another"}
        policy.life.record(
            "Policy", "AWS::S3::BucketPolicy", BUCKET, {"Bucket": BUCKET}, observedProperties=observed
        )
        (refusal,) = policy.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED


def test_object_lock_cannot_be_taken_back(bucket: Bucket) -> None:
    bucket.s3.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
    bucket.life.record("Locked", "AWS::S3::Bucket", "locked", {"BucketName": "locked"})
    observed = {**bucket.life.read("Locked"), "ObjectLockConfiguration": {}}
    bucket.life.record("Locked", "AWS::S3::Bucket", "locked", {}, observedProperties=observed)
    (refusal,) = bucket.life.plan().refusals
    assert "ObjectLockConfiguration" in refusal.reason
    assert bucket.life.plan().steps == ()
