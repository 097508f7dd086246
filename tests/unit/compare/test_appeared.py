"""Values that came up where the template declared, and the deploy captured, nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.model import ABSENT, Change, Record

Diff = Callable[..., Comparison]
Neighbour = Callable[..., Record]


ADMIN = ["arn:aws:iam::aws:policy/AdministratorAccess"]


@pytest.mark.parametrize("captured", [[], {}, None])
def test_an_undeclared_key_that_was_captured_empty_appears_and_is_no_drift(diff: Diff, captured: Any) -> None:
    found = diff("AWS::IAM::Role", {}, {"ManagedPolicyArns": ADMIN}, observed={"ManagedPolicyArns": captured})
    assert found.changes == ()
    assert found.appeared == (Change(path=("ManagedPolicyArns",), state=captured, aws=ADMIN),)


def test_a_declared_empty_list_that_is_filled_is_drift(diff: Diff) -> None:
    observed: dict[str, Any] = {"ManagedPolicyArns": []}
    found = diff("AWS::IAM::Role", observed, {"ManagedPolicyArns": ADMIN}, observed=observed)
    assert found.changes
    assert found.appeared == ()


def test_an_undeclared_key_that_was_captured_with_a_value_is_drift(diff: Diff) -> None:
    for before in ("", "text", 0, False):
        observed = {"Description": before}
        assert diff("AWS::IAM::Role", {}, {"Description": "edited"}, observed=observed).changes


def test_nothing_appears_where_nothing_came_up(diff: Diff) -> None:
    nothing: tuple[dict[str, Any], ...] = ({}, {"ManagedPolicyArns": []}, {"ManagedPolicyArns": None})
    for live in nothing:
        found = diff("AWS::IAM::Role", {}, live, observed={"ManagedPolicyArns": []})
        assert found.appeared == ()


def test_tags_and_policies_that_the_capture_did_not_even_name_appear(diff: Diff) -> None:
    tags, policy = [{"Key": "edited-by", "Value": "console"}], {"Statement": [{"Effect": "Allow"}]}
    found = diff(
        "AWS::Events::EventBus", {}, {"Name": "bus", "Tags": tags, "Policy": policy}, observed={"Name": "bus"}
    )
    assert found.changes == ()
    assert {change.path for change in found.appeared} == {("Tags",), ("Policy",)}
    assert all(change.state is ABSENT for change in found.appeared)


def test_other_keys_that_the_capture_did_not_name_belong_to_aws(diff: Diff) -> None:
    live = {"Name": "bus", "LogConfig": {"Level": "OFF"}, "Tags": [{"Key": "aws:x", "Value": "y"}]}
    assert diff("AWS::Events::EventBus", {}, live, observed={"Name": "bus"}).appeared == ()


def test_a_policy_that_another_resource_of_the_stack_sets_does_not_appear(
    diff: Diff, neighbour: Neighbour
) -> None:
    owner = neighbour("AWS::Events::EventBusPolicy", properties={"EventBusName": "subject"})
    live = {"Name": "bus", "Policy": {"Statement": [{"Effect": "Allow"}]}}
    context = {"observed": {"Name": "bus"}, "neighbours": (owner,)}
    assert diff("AWS::Events::EventBus", {}, live, **context).appeared == ()


class TestOnATemplateBaseline:
    """Nothing was captured, so only what AWS never does by itself, or documents otherwise, can be told."""

    @pytest.mark.parametrize(
        ("kind", "live"),
        [
            ("AWS::IAM::Role", {"ManagedPolicyArns": ADMIN}),
            (
                "AWS::EC2::SecurityGroup",
                {"SecurityGroupIngress": [{"CidrIp": "0.0.0.0/0", "IpProtocol": "-1"}]},
            ),
            ("AWS::SQS::Queue", {"Tags": [{"Key": "edited-by", "Value": "console"}]}),
            ("AWS::Lambda::Function", {"Environment": {"Variables": {"TOKEN": "t"}}}),
            ("AWS::SQS::Queue", {"VisibilityTimeout": 77}),
            ("AWS::S3::Bucket", {"VersioningConfiguration": {"Status": "Enabled"}}),
        ],
    )
    def test_what_somebody_put_there_appears(self, diff: Diff, kind: str, live: Any) -> None:
        found = diff(kind, {}, live)
        assert found.changes == ()
        assert [(change.path, change.state) for change in found.appeared] == [((*live,), ABSENT)]

    @pytest.mark.parametrize(
        ("kind", "live"),
        [
            ("AWS::IAM::Role", {"ManagedPolicyArns": [], "Path": "/", "Description": ""}),
            ("AWS::SQS::Queue", {"VisibilityTimeout": "30", "SqsManagedSseEnabled": True}),
            ("AWS::Lambda::Function", {"Environment": {"Variables": {}}, "RecursiveLoop": "Terminate"}),
            ("AWS::KMS::Key", {"KeyPolicy": {"Statement": [{"Effect": "Allow", "Action": "kms:*"}]}}),
            (
                "AWS::S3::Bucket",
                {"CorsConfiguration": {"CorsRules": []}, "Tags": [{"Key": "aws:x", "Value": "y"}]},
            ),
            ("AWS::Batch::JobDefinition", {"PropagateTags": False}),
        ],
    )
    def test_what_aws_holds_for_everybody_does_not(self, diff: Diff, kind: str, live: Any) -> None:
        assert diff(kind, {}, live).appeared == ()

    def test_a_variable_beside_the_declared_ones_appears_by_its_own_path(self, diff: Diff) -> None:
        declared = {"Environment": {"Variables": {"MODE": "live"}}}
        live = {"Environment": {"Variables": {"MODE": "live", "EXTRA": "1"}}}
        found = diff("AWS::Lambda::Function", declared, live)
        assert found.changes == ()
        assert found.appeared == (Change(path=("Environment", "Variables", "EXTRA"), aws="1"),)


def test_a_declared_property_that_the_capture_left_out_is_held_against_the_template(diff: Diff) -> None:
    template = {"VpcId": "vpc-1", "Tags": [{"Key": "Name", "Value": "private"}]}
    captured = {"VpcId": "vpc-1"}
    assert diff("AWS::EC2::RouteTable", template, template, observed=captured).appeared == ()
    edited = {**template, "Tags": [*template["Tags"], {"Key": "edited-by", "Value": "console"}]}
    found = diff("AWS::EC2::RouteTable", template, edited, observed=captured)
    assert found.changes == ()
    assert found.appeared == (Change(path=("Tags",), state=template["Tags"], aws=edited["Tags"]),)


def test_a_declared_reference_that_the_capture_left_out_tells_nothing(diff: Diff) -> None:
    for text in ("{{resolve:secretsmanager:db:SecretString:user}}", "***"):
        template = {"Settings": [{"Name": "user", "Value": text}]}
        live = {"Settings": [{"Name": "user", "Value": "admin"}]}
        assert diff("AWS::Unheard::Of", template, live, observed={"Other": 1}).appeared == ()
