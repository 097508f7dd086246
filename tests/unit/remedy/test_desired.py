"""The wanted bag: the drifted parts of the baseline laid over live, and nothing that belongs to others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from driftwarden.compare import Context
from driftwarden.model import ABSENT, Cause, Path, Record, StackRef, StackState, StateOrigin
from driftwarden.remedy.desired import Desired, desired_of
from driftwarden.secrets import Offline, bind
from driftwarden.secrets.resolve import Answer, Resolved, Unresolved

REFERENCE = "{{resolve:secretsmanager:db:SecretString:password}}"
NOBODYS = "{{resolve:ssm-secure:/pw}}"


class Known(Offline):
    """Resolves REFERENCE, and nothing else."""

    def resolve_all(self, record: Record, state: StackState) -> Mapping[str, Answer]:
        answers = dict(super().resolve_all(record, state))
        for token in answers:
            if token == REFERENCE:
                answers[token] = Resolved(text="hunter22")
            else:
                answers[token] = Unresolved(cause=Cause.UNRESOLVED_TOKEN, reason="nobody resolves it")
        return answers


def wanted(
    resource_type: str,
    *,
    live: Mapping[str, Any],
    observed: Mapping[str, Any] | None = None,
    template: Mapping[str, Any] | None = None,
    siblings: Sequence[Record] = (),
    leaves: tuple[Path, ...] = (),
    ignored: frozenset[Path] = frozenset(),
) -> Desired:
    record = Record(
        logical_id="Subject",
        resource_type=resource_type,
        physical_id="subject",
        properties=template if template is not None else dict(observed or {}),
        observed=observed,
        no_echo_leaves=leaves,
    )
    records = {one.logical_id: one for one in (record, *siblings)}
    state = StackState(
        ref=StackRef("Shop", "eu-west-1"),
        version=8,
        records=records,
        origin=StateOrigin(bucket="b", key="k", etag="e"),
    )
    context = Context(region="eu-west-1", account_id="111122223333", stack="Shop", siblings=records)
    bound = bind(record, state, Known())
    return desired_of(record, bound, live, context, list(record.baseline), ignored)


def tag(key: str, value: str) -> dict[str, str]:
    return {"Key": key, "Value": value}


def test_only_what_differs_comes_from_the_baseline() -> None:
    desired = wanted(
        "AWS::SQS::Queue",
        observed={"VisibilityTimeout": 60, "DelaySeconds": 0},
        live={"VisibilityTimeout": 77, "DelaySeconds": 0, "Other": "live"},
    )
    assert desired.values == {"VisibilityTimeout": 60, "DelaySeconds": 0, "Other": "live"}
    assert desired.drifted == {"VisibilityTimeout"}


def test_a_key_that_the_baseline_lacks_stays_as_it_is_live() -> None:
    desired = wanted("AWS::SQS::Queue", observed={"DelaySeconds": 0}, live={"DelaySeconds": 5, "New": 1})
    assert desired.values["New"] == 1


def test_a_key_that_somebody_added_inside_an_observed_block_goes() -> None:
    block = {"Enabled": "a"}
    desired = wanted(
        "AWS::Glue::Job",
        observed={"DefaultArguments": {"--job-language": "python"}},
        live={"DefaultArguments": {"--job-language": "python", "--extra": "1"}, **block},
    )
    assert desired.values["DefaultArguments"] == {"--job-language": "python"}
    assert desired.left_alone == []


def test_on_a_template_alone_nested_values_of_aws_stay_and_are_named() -> None:
    desired = wanted(
        "AWS::Glue::Table",
        template={"TableInput": {"Name": "t", "Parameters": {"kind": "a"}}},
        live={"TableInput": {"Name": "t", "Parameters": {"kind": "b", "table_type": "ICEBERG"}}},
    )
    assert desired.values["TableInput"]["Parameters"] == {"kind": "a", "table_type": "ICEBERG"}
    assert desired.left_alone == ["TableInput.Parameters.table_type"]


def test_on_a_template_alone_entries_of_a_keyed_list_stay_and_are_named_in_brackets() -> None:
    key = "deletion_protection.enabled"
    desired = wanted(
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        template={"LoadBalancerAttributes": [tag("idle_timeout.timeout_seconds", "60")]},
        live={"LoadBalancerAttributes": [tag("idle_timeout.timeout_seconds", "90"), tag(key, "true")]},
    )
    assert desired.values["LoadBalancerAttributes"] == [
        tag("idle_timeout.timeout_seconds", "60"),
        tag(key, "true"),
    ]
    assert desired.left_alone == [f"LoadBalancerAttributes[{key}]"]


def test_on_a_template_alone_a_positional_list_goes_back_whole() -> None:
    desired = wanted(
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        template={"SecurityGroups": ["sg-1"]},
        live={"SecurityGroups": ["sg-2", "sg-3"]},
    )
    assert desired.values["SecurityGroups"] == ["sg-1"]
    assert desired.left_alone == []


def test_into_a_document_nothing_of_the_live_one_is_mixed() -> None:
    ours = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "a", "Resource": "*"}]}
    theirs = {**ours, "Id": "theirs", "Statement": [{"Effect": "Allow", "Action": "b", "Resource": "*"}]}
    desired = wanted(
        "AWS::SQS::QueuePolicy", template={"PolicyDocument": ours}, live={"PolicyDocument": theirs}
    )
    assert desired.values["PolicyDocument"] == ours


@pytest.mark.parametrize("recorded", [[tag("team", "shop")], []])
def test_tags_that_services_wrote_stay_and_those_of_people_go(recorded: list[dict[str, str]]) -> None:
    desired = wanted(
        "AWS::AutoScaling::AutoScalingGroup",
        observed={"Tags": recorded},
        live={"Tags": [tag("AmazonECSManaged", ""), tag("console", "1"), tag("team", "other")]},
    )
    assert desired.values["Tags"] == [*recorded, tag("AmazonECSManaged", "")]
    assert desired.preserved == ["AmazonECSManaged"]
    assert desired.left_alone == []


def test_a_service_tag_is_not_listed_as_left_alone_on_a_template_alone() -> None:
    desired = wanted(
        "AWS::AutoScaling::AutoScalingGroup",
        template={"Tags": [tag("team", "shop")]},
        live={"Tags": [tag("AmazonECSManaged", ""), tag("team", "other"), tag("console", "1")]},
    )
    assert desired.preserved == ["AmazonECSManaged"]
    assert desired.left_alone == ["Tags[console]"]


def test_a_key_value_list_that_is_no_tag_list_keeps_no_service_key() -> None:
    desired = wanted(
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        observed={"LoadBalancerAttributes": [tag("a", "1")]},
        live={"LoadBalancerAttributes": [tag("a", "2"), tag("AmazonECSManaged", "x")]},
    )
    assert desired.values["LoadBalancerAttributes"] == [tag("a", "1")]


def test_a_nested_tag_list_goes_back_whole() -> None:
    ours = [{"ResourceType": "instance", "Tags": [tag("team", "shop")]}]
    theirs = [{"ResourceType": "instance", "Tags": [tag("team", "x"), tag("AmazonECSManaged", "")]}]
    desired = wanted(
        "AWS::EC2::LaunchTemplate",
        observed={"LaunchTemplateData": {"TagSpecifications": ours}},
        live={"LaunchTemplateData": {"TagSpecifications": theirs}},
    )
    assert desired.values["LaunchTemplateData"]["TagSpecifications"] == ours
    assert desired.preserved == []


def test_what_a_sibling_owns_stays() -> None:
    document = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "a", "Resource": "*"}]}
    policy = Record(
        logical_id="Policy",
        resource_type="AWS::IAM::Policy",
        physical_id="p",
        properties={"PolicyName": "siblings", "Roles": ["subject"], "PolicyDocument": document},
    )
    siblings = {"PolicyName": "siblings", "PolicyDocument": document}
    stranger = {"PolicyName": "strangers", "PolicyDocument": document}
    desired = wanted(
        "AWS::IAM::Role",
        observed={"Policies": []},
        live={"Policies": [siblings, stranger]},
        siblings=[policy],
    )
    assert desired.values["Policies"] == [siblings]


def test_a_number_that_scaling_moved_stays_inside_of_a_block_that_drifted() -> None:
    target = Record(
        logical_id="Target",
        resource_type="AWS::ApplicationAutoScaling::ScalableTarget",
        physical_id="t",
        properties={
            "ResourceId": "table/subject",
            "ScalableDimension": "dynamodb:table:ReadCapacityUnits",
            "MinCapacity": 5,
            "MaxCapacity": 100,
        },
    )
    desired = wanted(
        "AWS::DynamoDB::Table",
        observed={"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}},
        live={"ProvisionedThroughput": {"ReadCapacityUnits": 40, "WriteCapacityUnits": 9}},
        siblings=[target],
    )
    assert desired.values["ProvisionedThroughput"] == {"ReadCapacityUnits": 40, "WriteCapacityUnits": 5}


def test_a_secret_goes_out_in_the_clear_and_shows_in_no_text() -> None:
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"PASSWORD": REFERENCE, "MODE": "a"}}},
        live={"Environment": {"Variables": {"PASSWORD": "stale", "MODE": "b"}}},
    )
    assert desired.values["Environment"]["Variables"] == {"PASSWORD": "hunter22", "MODE": "a"}
    assert "hunter22" not in repr(desired)


def test_a_whole_unresolved_token_keeps_the_live_value() -> None:
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"PASSWORD": NOBODYS, "MODE": "a"}}},
        live={"Environment": {"Variables": {"PASSWORD": "resolved", "MODE": "b"}}},
    )
    assert desired.values["Environment"]["Variables"] == {"PASSWORD": "resolved", "MODE": "a"}
    assert desired.kept == [("Environment", "Variables", "PASSWORD")]
    assert desired.literal == []


def test_an_embedded_unresolved_token_goes_out_as_text_and_is_named() -> None:
    url = f"jdbc:x?password={NOBODYS}"
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"URL": url, "MODE": "a"}}},
        live={"Environment": {"Variables": {"URL": "jdbc:x?password=live", "MODE": "b"}}},
    )
    assert desired.values["Environment"]["Variables"]["URL"] == url
    assert desired.literal == [("Environment", "Variables", "URL")]


@pytest.mark.parametrize("leaves", [(), (("Environment", "Variables", "KEY"),)])
def test_a_masked_position_keeps_the_live_value(leaves: tuple[Path, ...]) -> None:
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"KEY": "***", "MODE": "a"}}},
        live={"Environment": {"Variables": {"KEY": "real", "MODE": "b"}}},
        leaves=leaves,
    )
    assert desired.values["Environment"]["Variables"] == {"KEY": "real", "MODE": "a"}
    assert desired.lost == []


@pytest.mark.parametrize("leaves", [(), (("Environment", "Variables", "KEY"),)])
def test_a_masked_position_with_nothing_live_is_lost(leaves: tuple[Path, ...]) -> None:
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"KEY": "***", "MODE": "a"}}},
        live={"Environment": {"Variables": {"MODE": "b"}}},
        leaves=leaves,
    )
    assert desired.lost == [("Environment", "Variables", "KEY")]


def test_a_secret_inside_of_a_list_finds_its_live_partner_by_name() -> None:
    container = {
        "Name": "app",
        "Environment": [{"Name": "KEY", "Value": "***"}, {"Name": "MODE", "Value": "a"}],
    }
    live = {
        "Name": "app",
        "Environment": [{"Name": "MODE", "Value": "b"}, {"Name": "KEY", "Value": "real"}],
    }
    desired = wanted(
        "AWS::ECS::TaskDefinition",
        observed={"ContainerDefinitions": [container]},
        live={"ContainerDefinitions": [live]},
    )
    (made,) = desired.values["ContainerDefinitions"]
    assert made["Environment"] == [{"Name": "KEY", "Value": "real"}, {"Name": "MODE", "Value": "a"}]


def test_a_place_that_an_ignore_rule_hides_stays_live() -> None:
    desired = wanted(
        "AWS::RDS::DBParameterGroup",
        observed={"Parameters": {"a": "1", "b": "1"}},
        live={"Parameters": {"a": "2", "b": "2"}},
        ignored=frozenset({("Parameters", "a")}),
    )
    assert desired.values["Parameters"] == {"a": "2", "b": "1"}


def test_a_block_that_disappeared_comes_back() -> None:
    desired = wanted(
        "AWS::Lambda::Function",
        observed={"Environment": {"Variables": {"MODE": "a"}}},
        live={},
    )
    assert desired.values["Environment"] == {"Variables": {"MODE": "a"}}
    assert desired.drifted == {"Environment"}


def test_equal_values_in_another_spelling_are_not_written() -> None:
    desired = wanted("AWS::SQS::Queue", observed={"VisibilityTimeout": "60"}, live={"VisibilityTimeout": 60})
    assert desired.drifted == frozenset()
    assert desired.values.get("Missing", ABSENT) is ABSENT
