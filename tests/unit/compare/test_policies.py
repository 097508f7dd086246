"""IAM policy documents are compared by meaning, and by nothing less."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.compare.canonical.policy import policy
from driftwarden.model import UNKNOWN, Record

Diff = Callable[..., Comparison]
Neighbour = Callable[..., Record]


ROLE = "arn:aws:iam::111122223333:role/reader"
BUCKET = "arn:aws:s3:::invoices"


def document(**changes: Any) -> Any:
    statement = {
        "Sid": "Read",
        "Effect": "Allow",
        "Principal": {"AWS": ROLE},
        "Action": ["s3:GetObject", "s3:ListBucket"],
        "Resource": [BUCKET, f"{BUCKET}/*"],
        "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
    }
    return {"Version": "2012-10-17", "Statement": [{**statement, **changes}]}


def changes(diff: Diff, template: Any, live: Any, **context: Any) -> Any:
    kind = "AWS::S3::BucketPolicy"
    return diff(kind, {"PolicyDocument": template}, {"PolicyDocument": live}, **context).changes


SAME = {
    "one element or a list of one": (document(Action="s3:Get*"), document(Action=["s3:Get*"])),
    "a statement that is not in a list": (
        document(),
        {"Version": "2012-10-17", "Statement": document()["Statement"][0]},
    ),
    "the order of actions": (document(), document(Action=["s3:ListBucket", "s3:GetObject"])),
    "the order of resources": (document(), document(Resource=[f"{BUCKET}/*", BUCKET])),
    "the case of actions": (document(), document(Action=["S3:getobject", "s3:LISTBucket"])),
    "an action named twice": (document(Action=["s3:Get*"]), document(Action=["s3:Get*", "s3:Get*"])),
    "an account and its root": (
        document(Principal={"AWS": "444455556666"}),
        document(Principal={"AWS": "arn:aws:iam::444455556666:root"}),
    ),
    "everybody": (document(Principal="*"), document(Principal={"AWS": "*"})),
    "booleans in conditions": (
        document(Condition={"Bool": {"aws:SecureTransport": False}}),
        document(Condition={"Bool": {"aws:SecureTransport": ["false"]}}),
    ),
    "an empty condition and none": (
        {"Statement": [{"Effect": "Allow", "Action": "a:b", "Condition": {}}]},
        {"Statement": [{"Effect": "Allow", "Action": "a:b"}]},
    ),
    "an object and its JSON text": (document(), json.dumps(document()).replace("/", "\\/")),
}

OTHER = {
    "a wider action": document(Action=["s3:*", "s3:ListBucket"]),
    "one action more": document(Action=["s3:GetObject", "s3:ListBucket", "s3:PutObject"]),
    "another resource": document(Resource=["*"]),
    "the case of a resource": document(Resource=[BUCKET.upper(), f"{BUCKET}/*"]),
    "deny for allow": document(Effect="Deny"),
    "another principal": document(Principal={"AWS": "*"}),
    "a service for an account": document(Principal={"Service": ROLE}),
    "a NotAction for an Action": {
        "Version": "2012-10-17",
        "Statement": [
            {"NotAction" if k == "Action" else k: v for k, v in document()["Statement"][0].items()}
        ],
    },
    "a changed aws: condition": document(Condition={"StringEquals": {"aws:SourceAccount": "444455556666"}}),
    "a laxer condition operator": document(Condition={"StringLike": {"aws:SourceAccount": "111122223333"}}),
    "no condition": {
        "Version": "2012-10-17",
        "Statement": [{k: v for k, v in document()["Statement"][0].items() if k != "Condition"}],
    },
    "an older policy language": {**document(), "Version": "2008-10-17"},
    "one statement more": {
        "Version": "2012-10-17",
        "Statement": [*document()["Statement"], {"Effect": "Allow", "Action": "*", "Resource": "*"}],
    },
}


@pytest.mark.parametrize("what", SAME)
def test_the_same_meaning_is_no_drift(diff: Diff, what: str) -> None:
    left, right = SAME[what]
    assert changes(diff, left, right) == ()
    assert changes(diff, right, left) == ()


@pytest.mark.parametrize("what", OTHER)
def test_another_meaning_is_drift(diff: Diff, what: str) -> None:
    for observed in (None, {"PolicyDocument": document()}):
        assert changes(diff, document(), OTHER[what], observed=observed)


@pytest.mark.parametrize("what", SAME)
def test_a_canonical_policy_is_its_own_canonical_form(what: str) -> None:
    once = policy(SAME[what][0])
    assert policy(once) == once


def test_the_order_of_statements_means_nothing(diff: Diff) -> None:
    both = [*document()["Statement"], *document(Effect="Deny", Sid="No")["Statement"]]
    assert changes(diff, {"Statement": both}, {"Statement": both[::-1]}) == ()


def test_a_change_names_the_part_of_the_document(diff: Diff) -> None:
    (change,) = changes(diff, document(), OTHER["deny for allow"])
    assert change.path == ("PolicyDocument", "Statement")
    assert change.state == document()["Statement"]


def test_an_operator_whose_aws_keys_were_lost_in_the_read_is_not_drift(diff: Diff) -> None:
    lost = document(Condition={"StringEquals": {}})
    assert changes(diff, document(), lost) == ()
    owned = document(Condition={"StringEquals": {"s3:prefix": "a"}})
    assert changes(diff, owned, lost)


class TestPrincipalsThatAwsWritesAsIds:
    UNIQUE = "AROAEXAMPLEREADER0001"

    def role(self, neighbour: Neighbour) -> Any:
        return neighbour("AWS::IAM::Role", attributes={"Arn": ROLE, "RoleId": self.UNIQUE})

    def test_the_id_of_the_recorded_role_is_the_role(self, diff: Diff, neighbour: Neighbour) -> None:
        live = document(Principal={"AWS": self.UNIQUE})
        assert changes(diff, document(), live, neighbours=(self.role(neighbour),)) == ()

    def test_the_id_of_a_deleted_role_is_an_orphaned_grant(self, diff: Diff, neighbour: Neighbour) -> None:
        live = document(Principal={"AWS": "AROAEXAMPLEGONE99999"})
        assert changes(diff, document(), live, neighbours=(self.role(neighbour),))
        assert changes(diff, document(), document(Principal={"AWS": self.UNIQUE}))

    def test_an_origin_access_identity_is_known_by_its_canonical_id(
        self, diff: Diff, neighbour: Neighbour
    ) -> None:
        oai = neighbour(
            "AWS::CloudFront::CloudFrontOriginAccessIdentity",
            physical_id="E2EXAMPLE",
            attributes={"S3CanonicalUserId": "c0ffee"},
        )
        declared = document(Principal={"CanonicalUser": "c0ffee"})
        prefix = "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity "
        same, other = (document(Principal={"AWS": prefix + name}) for name in ("E2EXAMPLE", "E9OTHER"))
        assert changes(diff, declared, same, neighbours=(oai,)) == ()
        assert changes(diff, declared, other, neighbours=(oai,))


def test_an_unknown_value_in_a_policy_equals_anything_in_its_place(diff: Diff) -> None:
    unknown = document(Condition={"StringEquals": {"sts:ExternalId": UNKNOWN}})
    live = document(Condition={"StringEquals": {"sts:ExternalId": "x-1"}})
    assert changes(diff, unknown, live) == ()
    assert changes(diff, unknown, document(Effect="Deny", Condition=live["Statement"][0]["Condition"]))


class TestOtherDocuments:
    def test_formatting_and_key_order_of_json_text_mean_nothing(self, diff: Diff) -> None:
        left, right = '{"A": 1, "B": [1, 2]}', '{"B":[1,2],"A":1}'
        kind = "AWS::CloudWatch::Dashboard"
        assert diff(kind, {"DashboardBody": left}, {"DashboardBody": right}).changes == ()
        assert diff(kind, {"DashboardBody": left}, {"DashboardBody": '{"A":1,"B":[2,1]}'}).changes

    def test_a_users_own_text_is_compared_to_the_letter(self, diff: Diff) -> None:
        for name, kind in (("Value", "AWS::SSM::Parameter"), ("SecretString", "AWS::SecretsManager::Secret")):
            assert diff(kind, {name: '{"a": 1}'}, {name: '{"a":1}'}).changes

    def test_event_patterns_tell_numbers_from_texts_and_see_added_keys(self, diff: Diff) -> None:
        pattern, kind = {"detail": {"code": [5]}}, "AWS::Events::Rule"
        assert diff(kind, {"EventPattern": pattern}, {"EventPattern": json.dumps(pattern)}).changes == ()
        for other in ({"detail": {"code": ["5"]}}, {**pattern, "source": ["a"]}):
            assert diff(kind, {"EventPattern": pattern}, {"EventPattern": other}).changes
