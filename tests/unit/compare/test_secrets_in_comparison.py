"""Unknown values and resolved secrets inside a baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.model import ABSENT, UNKNOWN, SecretText

Diff = Callable[..., Comparison]


DB, FUNCTION = "AWS::RDS::DBInstance", "AWS::Lambda::Function"


def variables(**values: Any) -> Any:
    return {"Environment": {"Variables": values}}


@pytest.mark.parametrize("live", [{"MasterUserPassword": "x"}, {"MasterUserPassword": None}, {}])
def test_an_unknown_value_equals_anything_and_its_absence(diff: Diff, live: Any) -> None:
    baseline = {"MasterUserPassword": UNKNOWN}
    for observed in (None, baseline):
        assert diff(DB, baseline, live, observed=observed).changes == ()


def test_an_unknown_value_inside_a_list_element_hides_no_other_edit(diff: Diff) -> None:
    kind = "AWS::ECS::TaskDefinition"

    def task(value: Any, image: str = "i:1") -> Any:
        environment = [{"Name": "TOKEN", "Value": value}, {"Name": "MODE", "Value": "live"}]
        return {"ContainerDefinitions": [{"Name": "c", "Image": image, "Environment": environment}]}

    assert diff(kind, task(UNKNOWN), task("t-1")).changes == ()
    assert diff(kind, task(UNKNOWN), task("t-1", image="i:2")).changes


def test_a_secret_compares_as_its_text(diff: Diff) -> None:
    assert diff(FUNCTION, variables(PIN=SecretText("s3cret")), variables(PIN="s3cret")).changes == ()
    (change,) = diff(FUNCTION, variables(PIN=SecretText("s3cret")), variables(PIN="other")).changes
    assert change.path == ("Environment", "Variables", "PIN")
    assert isinstance(change.state, SecretText)
    assert "s3cret" not in repr(change)


def test_no_spelling_is_tried_on_a_secret(diff: Diff) -> None:
    before = {"CidrIp": SecretText("10.1.2.3/8")}
    assert diff("AWS::EC2::SecurityGroupIngress", before, {"CidrIp": "10.0.0.0/8"}).changes


def test_nothing_at_the_very_place_of_a_secret_cannot_be_checked(diff: Diff) -> None:
    baseline = {"MasterUserPassword": SecretText("s3cret")}
    assert diff(DB, baseline, {}, observed=baseline).changes == ()
    both = variables(PIN=SecretText("s3cret"), MODE="live")
    assert diff(FUNCTION, both, variables(MODE="live"), observed=both).changes == ()


def test_a_whole_block_with_a_secret_in_it_that_is_gone_is_drift(diff: Diff) -> None:
    baseline = variables(PIN=SecretText("s3cret"))
    (change,) = diff(FUNCTION, baseline, {}, observed=baseline).changes
    assert change.path == ("Environment",)
    assert change.aws is ABSENT
    assert "s3cret" not in f"{change}"


def test_a_change_of_a_list_keeps_the_secret_wrapped(diff: Diff) -> None:
    policies = [{"PolicyName": "p", "PolicyDocument": {"Statement": [{"Effect": SecretText("Allow")}]}}]
    (change,) = diff("AWS::IAM::Role", {"Policies": policies}, {"Policies": []}).changes
    assert change.state is policies
