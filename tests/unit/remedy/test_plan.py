"""From an examination to a decision: what is pushed back, what is refused, what a digest covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from driftwarden.clients import Clients
from driftwarden.compare import Context
from driftwarden.examine import Examination, Examiner, Undeclared
from driftwarden.model import (
    Cause,
    Change,
    Finding,
    IgnoredChange,
    Outcome,
    Path,
    Properties,
    Record,
    StackRef,
    StackState,
    StateOrigin,
)
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.remedy.digest import live_digest
from driftwarden.remedy.plan import Wanted, plan_resource
from driftwarden.remedy.steps import Kind, Refusal, Step
from driftwarden.secrets import Offline, bind, conceal

REF = StackRef("Shop", "eu-west-1")


def examiner_of(record: Record, siblings: Sequence[Record], undeclared: Undeclared) -> Examiner:
    records = {one.logical_id: one for one in (record, *siblings)}
    origin = StateOrigin(bucket="b", key="k", etag="e")
    return Examiner(
        state=StackState(ref=REF, version=8, records=records, origin=origin),
        place=Place(region=REF.region, clients=Clients(region=REF.region), limits=Limits()),
        resolver=Offline(),
        context=Context(region=REF.region, account_id="111122223333", stack=REF.name, siblings=records),
        undeclared=undeclared,
    )


def decided(
    resource_type: str,
    live: Properties,
    *,
    observed: Properties | None = None,
    template: Properties | None = None,
    siblings: Sequence[Record] = (),
    leaves: tuple[Path, ...] = (),
    undeclared: Undeclared = "report",
    hidden: Sequence[Path] = (),
    **fields: Any,
) -> Wanted | Refusal | None:
    record = Record(
        logical_id="Subject",
        resource_type=resource_type,
        physical_id="subject",
        properties=template if template is not None else observed or {},
        observed=observed,
        no_echo_leaves=leaves,
        **fields,
    )
    examiner = examiner_of(record, siblings, undeclared)
    bound = bind(record, examiner.state, examiner.resolver)
    changes = conceal(examiner.compare(record, bound.values, live).changes, bound, record)
    quiet = Outcome.CLEAN if bound.cause is None else Outcome.NOT_COMPARED
    finding = Finding(
        logical_id="Subject",
        resource_type=resource_type,
        outcome=Outcome.DRIFTED if changes else quiet,
        changes=changes,
        cause=bound.cause,
        ignored=tuple(IgnoredChange(change=Change(path=path), reason="known") for path in hidden),
    )
    return plan_resource(
        Examination(record=record, finding=finding, bound=bound, live=live), examiner, finding
    )


def step(made: Wanted | Refusal | None) -> Step:
    assert isinstance(made, Wanted), made
    return made.step


def refusal(made: Wanted | Refusal | None) -> Refusal:
    assert isinstance(made, Refusal), made
    return made


def test_nothing_is_planned_for_what_is_as_recorded() -> None:
    assert decided("AWS::SQS::Queue", {"DelaySeconds": 1}, observed={"DelaySeconds": 1}) is None


def test_a_step_goes_from_the_live_value_to_the_recorded_one() -> None:
    made = step(decided("AWS::SQS::Queue", {"DelaySeconds": 9}, observed={"DelaySeconds": 1}))
    assert made.properties == ("DelaySeconds",)
    assert made.changes == (Change(path=("DelaySeconds",), state=1, aws=9),)


@pytest.mark.parametrize(
    ("kind", "observed", "live", "name"),
    [
        (
            "AWS::SQS::Queue",
            {"QueueName": "a", "DelaySeconds": 1},
            {"QueueName": "b", "DelaySeconds": 2},
            "QueueName",
        ),
        ("AWS::Athena::WorkGroup", {"Name": "a"}, {"Name": "b"}, "Name"),
    ],
)
def test_a_create_only_property_refuses_the_whole_resource(
    kind: str, observed: Properties, live: Properties, name: str
) -> None:
    made = refusal(decided(kind, live, observed=observed))
    assert made.kind is Kind.UPDATE_NOT_SUPPORTED
    assert made.reason == f"{name} can only be set when the resource is created"
    assert made.changes


def test_a_property_that_no_write_covers_refuses_the_resource_before_any_request() -> None:
    made = refusal(
        decided("AWS::SQS::QueuePolicy", {"Other": "b"}, observed={"Other": "a", "PolicyDocument": {}})
    )
    assert (made.kind, made.reason) == (Kind.UPDATE_NOT_SUPPORTED, "AWS offers no update of Other in place")


def test_a_type_without_writes_is_not_updatable() -> None:
    made = refusal(decided("AWS::ECS::TaskDefinition", {"Other": "b"}, observed={"Other": "a"}))
    assert made.kind is Kind.UPDATE_NOT_SUPPORTED


def test_a_type_that_only_cloud_control_knows_is_planned() -> None:
    made = step(decided("AWS::Athena::WorkGroup", {"State": "DISABLED"}, observed={"State": "ENABLED"}))
    assert made.properties == ("State",)


def test_a_record_of_cloud_control_goes_by_cloud_control() -> None:
    made = step(
        decided("AWS::SQS::Queue", {"Unheard": "b"}, observed={"Unheard": "a"}, provisioned_by="cc-api")
    )
    assert made.properties == ("Unheard",)


def test_a_property_that_the_type_refuses_refuses_the_resource() -> None:
    made = refusal(
        decided(
            "AWS::SNS::Topic",
            {"Subscription": [], "DisplayName": "b"},
            observed={"Subscription": [{"Protocol": "sqs", "Endpoint": "e"}], "DisplayName": "a"},
        )
    )
    assert made.kind is Kind.REFUSED
    assert made.reason.startswith("Subscription: ")


def scaled_service(count: int) -> tuple[dict[str, Any], list[Record]]:
    target = Record(
        logical_id="Target",
        resource_type="AWS::ApplicationAutoScaling::ScalableTarget",
        physical_id="t",
        properties={
            "ResourceId": "service/main/subject",
            "ScalableDimension": "ecs:service:DesiredCount",
            "MinCapacity": 2,
            "MaxCapacity": 10,
        },
    )
    return {"Cluster": "main", "ServiceName": "subject", "DesiredCount": count}, [target]


def test_a_count_that_scaling_moves_out_of_its_band_is_refused() -> None:
    live, siblings = scaled_service(0)
    made = refusal(
        decided("AWS::ECS::Service", live, observed={**live, "DesiredCount": 4}, siblings=siblings)
    )
    assert made.kind is Kind.REFUSED
    assert "DesiredCount is set by scaling" in made.reason


def test_a_count_inside_of_its_band_is_no_drift_and_not_written() -> None:
    live, siblings = scaled_service(7)
    observed = {**live, "DesiredCount": 4}
    assert decided("AWS::ECS::Service", live, observed=observed, siblings=siblings) is None


def test_a_masked_place_without_a_live_value_refuses_the_resource() -> None:
    made = refusal(
        decided(
            "AWS::Lambda::Function",
            {"Environment": {"Variables": {"MODE": "b"}}},
            observed={"Environment": {"Variables": {"KEY": "***", "MODE": "a"}}},
        )
    )
    assert made.kind is Kind.UNRESOLVABLE
    assert "Environment.Variables.KEY is recorded only as a mask" in made.reason


def test_a_masked_place_alone_is_nothing_to_push() -> None:
    made = refusal(
        decided(
            "AWS::Lambda::Function",
            {"Environment": {"Variables": {"KEY": "real"}}},
            observed={"Environment": {"Variables": {"KEY": "***"}}},
        )
    )
    assert made.kind is Kind.LEFT_ALONE
    assert "real" not in repr(made)


def test_an_embedded_unresolved_token_is_announced() -> None:
    made = step(
        decided(
            "AWS::Lambda::Function",
            {"Environment": {"Variables": {"URL": "x?p=live", "MODE": "b"}}},
            observed={"Environment": {"Variables": {"URL": "x?p={{resolve:ssm-secure:/p}}", "MODE": "a"}}},
        )
    )
    assert any("Environment.Variables.URL" in warning for warning in made.warnings)


def test_a_text_that_mixes_resolvable_and_unresolvable_tokens_refuses_the_resource() -> None:
    text = "{{resolve:ssm-secure:/p}} {{resolve:ssm:/q}}"
    made = refusal(
        decided(
            "AWS::Lambda::Function",
            {"Environment": {"Variables": {"URL": "x", "MODE": "b"}}},
            observed={"Environment": {"Variables": {"URL": text, "MODE": "a"}}},
        )
    )
    assert made.kind is Kind.UNRESOLVABLE


def test_only_values_that_aws_alone_has_are_nothing_to_push() -> None:
    tags = [{"Key": "team", "Value": "shop"}]
    made = refusal(
        decided("AWS::SQS::Queue", {"Tags": [*tags, {"Key": "hand", "Value": "1"}]}, template={"Tags": tags})
    )
    assert made.kind is Kind.LEFT_ALONE
    assert made.left_alone == ("Tags[hand]",)


def test_what_the_deploy_captured_empty_is_removed_when_asked_for() -> None:
    made = step(
        decided(
            "AWS::SQS::Queue",
            {"Tags": [{"Key": "hand", "Value": "1"}], "DelaySeconds": 1},
            observed={"Tags": [], "DelaySeconds": 1},
            template={"DelaySeconds": 1},
            undeclared="drift",
        )
    )
    assert made.properties == ("Tags",)


def test_a_key_that_the_baseline_does_not_have_is_never_an_order_to_remove() -> None:
    made = refusal(
        decided(
            "AWS::SQS::Queue",
            {"Tags": [{"Key": "hand", "Value": "1"}], "DelaySeconds": 1},
            observed={"DelaySeconds": 1},
            undeclared="drift",
        )
    )
    assert made.kind is Kind.LEFT_ALONE


def test_what_an_ignore_rule_hides_is_not_pushed() -> None:
    made = step(
        decided(
            "AWS::SQS::Queue",
            {"DelaySeconds": 2, "VisibilityTimeout": 2},
            observed={"DelaySeconds": 1, "VisibilityTimeout": 1},
            hidden=[("DelaySeconds",)],
        )
    )
    assert made.properties == ("VisibilityTimeout",)
    assert [change.path for change in made.changes] == [("VisibilityTimeout",)]


def digest(live: Properties, observed: Mapping[str, Any] | None = None, kind: str = "AWS::SQS::Queue") -> str:
    record = Record(
        logical_id="Subject",
        resource_type=kind,
        physical_id="s",
        properties=observed or {},
        observed=observed,
    )
    examiner = examiner_of(record, (), "report")
    bound = bind(record, examiner.state, examiner.resolver)
    return live_digest(record, bound, live, examiner.context)


def test_a_digest_tells_any_other_live_value() -> None:
    assert digest({"A": 1, "B": {"C": [1, 2]}}) != digest({"A": 1, "B": {"C": [1, 3]}})
    assert digest({"A": 1}) != digest({"A": 1, "B": 2})


def test_a_digest_does_not_depend_on_the_order_that_a_service_answers_in() -> None:
    assert digest({"A": [{"x": 1, "y": 2}, {"x": 3}]}) == digest({"A": [{"x": 3}, {"y": 2, "x": 1}]})


def test_a_digest_does_not_depend_on_what_aws_alone_writes() -> None:
    kind = "AWS::Athena::WorkGroup"
    assert digest({"State": "a", "CreationTime": "1"}, kind=kind) == digest(
        {"State": "a", "CreationTime": "2"}, kind=kind
    )


def test_a_digest_gives_no_secret_away_and_is_the_same_in_every_run() -> None:
    observed = {"Environment": {"Variables": {"API_TOKEN": "x", "P": "{{resolve:ssm-secure:/p}}"}}}

    def one(token: str, other: str) -> str:
        live = {"Environment": {"Variables": {"API_TOKEN": token, "P": other}}}
        return digest(live, observed, "AWS::Lambda::Function")

    assert one("first-token", "first-value") == one("second-token", "second-value")


def test_a_refused_reference_makes_the_resource_unresolvable() -> None:
    record = Record(
        logical_id="Subject", resource_type="AWS::SQS::Queue", physical_id="s", properties={"DelaySeconds": 1}
    )
    examiner = examiner_of(record, (), "report")
    bound = bind(record, examiner.state, examiner.resolver)
    bound = replace(bound, cause=Cause.REFUSED, reason="no permission")
    finding = Finding(logical_id="Subject", resource_type=record.resource_type, outcome=Outcome.DRIFTED)
    examination = Examination(record=record, finding=finding, bound=bound, live={"DelaySeconds": 2})
    made = refusal(plan_resource(examination, examiner, finding))
    assert (made.kind, made.reason) == (Kind.UNRESOLVABLE, "no permission")


def test_a_value_of_an_impossible_shape_refuses_that_resource_alone() -> None:
    refusal = decided("AWS::Logs::LogGroup", {"RetentionInDays": 7}, observed={"RetentionInDays": ["x"]})
    assert isinstance(refusal, Refusal)
    assert refusal.kind is Kind.REFUSED
    assert "shape" in refusal.reason
