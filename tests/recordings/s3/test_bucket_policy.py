"""Bucket policies, and the principals that S3 answers otherwise than it was given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.model import Gone
from tests.recordings.conftest import Answers, Read, live, record_of, unreadable

OAI_USER = "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity"


def statement(principal: object, **members: Any) -> dict[str, Any]:
    made = {
        "Effect": "Allow",
        "Principal": principal,
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::b/*",
    }
    return {**made, **members}


def policy(answers: Answers, statements: object) -> None:
    document = {"Version": "2012-10-17", "Statement": statements}
    answers["s3:GetBucketPolicy"] = {"Policy": json.dumps(document)}


def principals(read: Read, template: object = (), **siblings: Any) -> list[Any]:
    properties = {"PolicyDocument": {"Statement": template}}
    document = live(read("AWS::S3::BucketPolicy", "b", properties, siblings))["PolicyDocument"]
    return [s["Principal"] for s in document["Statement"]]


def test_a_bucket_policy_is_parsed(answers: Answers, read: Read) -> None:
    policy(answers, [statement("*")])
    assert live(read("AWS::S3::BucketPolicy", "b")) == {
        "Bucket": "b",
        "PolicyDocument": {"Version": "2012-10-17", "Statement": [statement("*")]},
    }


def test_a_single_statement_stays_an_object(answers: Answers, read: Read) -> None:
    policy(answers, statement("*"))
    assert live(read("AWS::S3::BucketPolicy", "b"))["PolicyDocument"]["Statement"] == statement("*")


@pytest.mark.parametrize("code", ["NoSuchBucket", "NoSuchBucketPolicy"])
def test_without_bucket_or_policy_it_is_gone(answers: Answers, read: Read, code: str) -> None:
    answers.fails("s3:GetBucketPolicy", code, status=404)
    assert isinstance(read("AWS::S3::BucketPolicy", "b"), Gone)


def test_a_denied_policy_is_unreadable_and_names_the_action(answers: Answers, read: Read) -> None:
    answers.fails("s3:GetBucketPolicy", "AccessDenied", status=403)
    assert unreadable(read("AWS::S3::BucketPolicy", "b")).action == "s3:GetBucketPolicy"


def test_an_empty_policy_is_unreadable_and_never_a_deletion(answers: Answers, read: Read) -> None:
    answers["s3:GetBucketPolicy"] = {"Policy": ""}
    assert unreadable(read("AWS::S3::BucketPolicy", "b")).empty_answer


def test_an_origin_access_identity_is_the_siblings_canonical_user(answers: Answers, read: Read) -> None:
    policy(answers, [statement({"AWS": f"{OAI_USER} ESIBLING"})])
    oai = record_of(
        "Oai",
        "AWS::CloudFront::CloudFrontOriginAccessIdentity",
        "ESIBLING",
        attributes={"S3CanonicalUserId": "canonical-1"},
    )
    assert principals(read, Oai=oai) == [{"CanonicalUser": "canonical-1"}]


def test_an_origin_access_identity_outside_the_stack_is_asked_for_once(answers: Answers, read: Read) -> None:
    policy(answers, [statement({"AWS": f"{OAI_USER} EOUTSIDE"})])
    answers["cloudfront:GetCloudFrontOriginAccessIdentity"] = {
        "CloudFrontOriginAccessIdentity": {"Id": "EOUTSIDE", "S3CanonicalUserId": "canonical-2"}
    }
    assert [principals(read), principals(read)] == [[{"CanonicalUser": "canonical-2"}]] * 2
    assert answers.asked("cloudfront:GetCloudFrontOriginAccessIdentity") == [{"Id": "EOUTSIDE"}]


def test_an_origin_access_identity_that_was_deleted_stays_as_s3_answers_it(
    answers: Answers, read: Read
) -> None:
    policy(answers, [statement({"AWS": f"{OAI_USER} EDELETED"})])
    answers.fails(
        "cloudfront:GetCloudFrontOriginAccessIdentity", "NoSuchCloudFrontOriginAccessIdentity", status=404
    )
    assert principals(read) == [{"AWS": f"{OAI_USER} EDELETED"}]


def test_a_denied_origin_access_identity_is_unreadable_and_no_false_drift(
    answers: Answers, read: Read
) -> None:
    policy(answers, [statement({"AWS": f"{OAI_USER} EDENIED"})])
    answers.fails("cloudfront:GetCloudFrontOriginAccessIdentity", "AccessDenied", status=403)
    result = unreadable(read("AWS::S3::BucketPolicy", "b"))
    assert result.action == "cloudfront:GetCloudFrontOriginAccessIdentity"


ORPHAN = {"AWS": "AIDAJQABLZS4A3QDU576Q"}


def test_an_orphaned_id_is_the_canonical_user_of_the_equal_template_statement(
    answers: Answers, read: Read
) -> None:
    policy(answers, [statement(ORPHAN)])
    template = [statement({"CanonicalUser": "c"}), statement({"CanonicalUser": "other"}, Action="s3:*")]
    assert principals(read, template) == [{"CanonicalUser": "c"}]


@pytest.mark.parametrize(
    "template",
    [
        [],
        [statement({"CanonicalUser": "c"}, Effect="Deny")],
        [statement({"CanonicalUser": "c"}), statement({"CanonicalUser": "d"})],
        [statement({"AWS": "arn:aws:iam::111122223333:root"})],
    ],
)
def test_an_orphaned_id_without_one_equal_statement_stays(
    answers: Answers, read: Read, template: list[dict[str, Any]]
) -> None:
    policy(answers, [statement(ORPHAN)])
    assert principals(read, template) == [ORPHAN]


@pytest.mark.parametrize(
    "principal",
    [
        {"AWS": [f"{OAI_USER} ELIST"]},
        {"AWS": "arn:aws:iam::111122223333:root"},
        {"Service": "logging.s3.amazonaws.com"},
    ],
)
def test_other_principals_stay_as_s3_answers_them(answers: Answers, read: Read, principal: object) -> None:
    policy(answers, [statement(principal)])
    assert principals(read, [statement({"CanonicalUser": "c"})]) == [principal]
