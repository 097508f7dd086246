"""Parameters: a plain one is put whole, and the value of an encrypted one is never sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

NAME = "/shop/limit"
POLICY = {"Type": "NoChangeNotification", "Version": "1.0", "Attributes": {"After": "20", "Unit": "Days"}}


class Parameter:
    """The parameter under test."""

    def __init__(self, life: Life, kind: str = "String") -> None:
        self.life = life
        self.ssm = life.client("ssm")
        self.ssm.put_parameter(
            Name=NAME,
            Value="10",
            Type=kind,
            Description="orders a day",
            Tags=[{"Key": "team", "Value": "shop"}, {"Key": "cost", "Value": "7"}],
        )
        life.record("Limit", "AWS::SSM::Parameter", NAME, {"Name": NAME, "Type": kind, "Value": "10"})

    def put(self, **members: Any) -> None:
        self.ssm.put_parameter(Name=NAME, Overwrite=True, **{"Value": "10", **members})

    def tag(self, **tags: str) -> None:
        pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
        self.ssm.add_tags_to_resource(ResourceType="Parameter", ResourceId=NAME, Tags=pairs)

    def untag(self, key: str) -> None:
        self.ssm.remove_tags_from_resource(ResourceType="Parameter", ResourceId=NAME, TagKeys=[key])

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Limit", edit, expect=expect)


@pytest.fixture
def parameter(life: Life) -> Parameter:
    life.settings = ScanSettings(undeclared="drift")
    return Parameter(life)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"Value": "99", "Description": "orders a day"}, "Value"),
        ({"Description": "something else"}, "Description"),
        ({"Description": "orders a day", "AllowedPattern": "[0-9]+"}, "AllowedPattern"),
    ],
)
def test_a_change_goes_back_and_all_else_is_sent_as_it_is(
    parameter: Parameter, edited: dict[str, Any], expect: str
) -> None:
    ((operation, params),) = parameter.goes_round(lambda: parameter.put(**edited), expect)
    assert operation == "PutParameter"
    assert params["Value"] == "10"
    assert params["Description"] == "orders a day"
    assert params["Overwrite"] is True
    assert params.get("AllowedPattern", "") == ""


@pytest.mark.parametrize(
    ("edit", "drifted", "written"),
    [
        (lambda p: p.tag(extra="1"), "Tags.extra", ["RemoveTagsFromResource"]),
        (lambda p: p.tag(team="other"), "Tags.team", ["AddTagsToResource"]),
        (lambda p: p.untag("cost"), "Tags.cost", ["AddTagsToResource"]),
    ],
    ids=["added", "changed", "removed"],
)
@pytest.mark.parametrize("kind", ["String", "SecureString"])
def test_tags_go_back_by_tag_calls_alone(
    life: Life, kind: str, edit: Callable[[Parameter], None], drifted: str, written: list[str]
) -> None:
    parameter = Parameter(life, kind)
    requests = parameter.goes_round(lambda: edit(parameter), drifted)
    assert [operation for operation, _ in requests] == written


@pytest.mark.parametrize("member", ["Description", "Value"])
def test_an_encrypted_value_is_never_put(life: Life, member: str) -> None:
    parameter = Parameter(life, "SecureString")
    parameter.put(**{member: "something else"})
    parameter.tag(team="other")
    life.forget_calls()
    results = life.revert()
    assert [(result.fate, "SecureString" in result.reason) for result in results] == [(Fate.FAILED, True)]
    assert life.written() == ["AddTagsToResource"]


@pytest.mark.parametrize(("recorded", "now"), [("String", "SecureString"), ("SecureString", "String")])
def test_a_parameter_that_was_or_will_be_encrypted_is_refused(life: Life, recorded: str, now: str) -> None:
    parameter = Parameter(life, recorded)
    parameter.ssm.delete_parameter(Name=NAME)
    parameter.ssm.put_parameter(Name=NAME, Type=now, Value="10", Description="orders a day")
    (refusal,) = life.plan().refusals
    assert refusal.kind is Kind.REFUSED


def test_an_advanced_parameter_does_not_become_a_standard_one(parameter: Parameter) -> None:
    parameter.put(Description="orders a day", Tier="Advanced")
    (refusal,) = parameter.life.plan().refusals
    assert (refusal.kind, "Tier" in refusal.reason) == (Kind.REFUSED, True)


def answers(*policies: dict[str, Any], **described: Any) -> dict[str, Any]:
    listed = [{"PolicyText": json.dumps(policy)} for policy in policies]
    return {
        "GetParameter": {"Parameter": {"Name": NAME, "Type": "String", "Value": "10"}},
        "DescribeParameters": {"Parameters": [{"Name": NAME, "Policies": listed, **described}]},
        "ListTagsForResource": {"TagList": []},
    }


PLAIN = a_record("AWS::SSM::Parameter", NAME)


def test_policies_are_sent_as_one_text() -> None:
    ((_, params),) = sent(PLAIN, answers(Tier="Advanced"), {"Policies": [POLICY]})
    assert json.loads(params["Policies"]) == [POLICY]
    assert params["Tier"] == "Advanced"


def test_policies_that_did_not_drift_are_sent_as_they_are() -> None:
    ((_, params),) = sent(PLAIN, answers(POLICY, Tier="Advanced"), {"Value": "9"})
    assert json.loads(params["Policies"]) == [POLICY]


def test_policies_are_removed_by_an_empty_one() -> None:
    ((_, params),) = sent(PLAIN, answers(POLICY), {"Policies": []})
    assert json.loads(params["Policies"]) == [{}]
