"""What a read-back may leave out without being drift, and what it may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from driftwarden.compare import Comparison

Diff = Callable[..., Comparison]

UNREAD = [
    ("AWS::DAX::Cluster", "ReplicationFactor", 3),
    ("AWS::Redshift::Cluster", "Port", 5439),
    ("AWS::Redshift::Cluster", "ClusterType", "multi-node"),
    ("AWS::ElastiCache::CacheCluster", "NumCacheNodes", 2),
    ("AWS::ElastiCache::CacheCluster", "AZMode", "single-az"),
    ("AWS::CloudTrail::Trail", "IsLogging", True),
    ("AWS::Route53::RecordSetGroup", "Comment", "by hand"),
    ("AWS::DMS::ReplicationInstance", "AllowMajorVersionUpgrade", True),
    ("AWS::DocDB::DBInstance", "CertificateRotationRestart", True),
]
"""Inputs that are never returned, and single values that a resource cannot be without."""


@pytest.mark.parametrize(("resource_type", "name", "value"), UNREAD)
def test_what_cannot_be_gone_may_be_missing_from_a_read_back(
    diff: Diff, resource_type: str, name: str, value: Any
) -> None:
    assert diff(resource_type, {name: value}, {}).changes == ()


@pytest.mark.parametrize(("resource_type", "name", "value"), UNREAD)
def test_it_is_compared_all_the_same_when_it_is_there(
    diff: Diff, resource_type: str, name: str, value: Any
) -> None:
    other = {3: 4, 2: 9, 5439: 5446, True: False}.get(value, f"{value}-edited")
    assert diff(resource_type, {name: value}, {name: other}).changes


@pytest.mark.parametrize(
    ("resource_type", "template"),
    [
        ("AWS::Lambda::Function", {"ReservedConcurrentExecutions": 0}),
        ("AWS::Lambda::Function", {"Environment": {"Variables": {"DEBUG": False}}}),
        ("AWS::S3::Bucket", {"VersioningConfiguration": {"Status": "Enabled"}}),
        ("AWS::S3::Bucket", {"CorsConfiguration": {"CorsRules": [{"AllowedMethods": ["GET"]}]}}),
        ("AWS::IAM::Role", {"PermissionsBoundary": "arn:aws:iam::111122223333:policy/limit"}),
        ("AWS::IAM::Role", {"AssumeRolePolicyDocument": {"Statement": [{"Effect": "Allow"}]}}),
        ("AWS::KMS::Key", {"Enabled": True, "EnableKeyRotation": True}),
        ("AWS::SQS::Queue", {"RedrivePolicy": {"maxReceiveCount": 3}}),
    ],
)
def test_a_setting_that_somebody_can_take_away_is_missed(
    diff: Diff, resource_type: str, template: Any
) -> None:
    assert diff(resource_type, template, {}).changes


def test_a_switch_that_is_off_may_be_left_out_unless_it_is_on_by_default(diff: Diff) -> None:
    assert diff("AWS::EC2::NetworkAclEntry", {"Egress": False}, {}).changes == ()
    assert diff("AWS::EC2::NetworkAclEntry", {"Egress": "false"}, {}).changes == ()
    assert diff("AWS::Amplify::Branch", {"EnableAutoBuild": True}, {}).changes


def test_an_observed_baseline_is_held_to_the_letter(diff: Diff) -> None:
    before: Mapping[str, Any] = {"IsLogging": True, "IncludeGlobalServiceEvents": False}
    found = diff("AWS::CloudTrail::Trail", before, {}, observed=before)
    assert {change.path for change in found.changes} == {("IsLogging",), ("IncludeGlobalServiceEvents",)}


def test_a_document_without_a_version_has_the_first_one(diff: Diff) -> None:
    def queue_policy(**head: str) -> dict[str, Any]:
        allow = {"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}
        return {"PolicyDocument": {**head, "Statement": [allow]}}

    kind = "AWS::SQS::QueuePolicy"
    assert diff(kind, queue_policy(), queue_policy(Version="2008-10-17")).changes == ()
    assert diff(kind, queue_policy(), queue_policy(Version="2012-10-17")).changes
    assert diff(kind, queue_policy(Version="2012-10-17"), queue_policy()).changes
