"""The rules that every comparison follows: which keys are judged, how deep, and what a change says."""

from __future__ import annotations

from collections.abc import Callable

from driftwarden.compare import Comparison
from driftwarden.model import ABSENT, Change

Diff = Callable[..., Comparison]


QUEUE = "AWS::SQS::Queue"


def test_a_changed_value_carries_both_original_sides(diff: Diff) -> None:
    found = diff(QUEUE, {"VisibilityTimeout": 30}, {"VisibilityTimeout": 77})
    assert found.changes == (Change(path=("VisibilityTimeout",), state=30, aws=77),)


def test_nested_maps_are_walked_key_by_key(diff: Diff) -> None:
    found = diff(
        "AWS::S3::Bucket",
        {"VersioningConfiguration": {"Status": "Enabled"}},
        {"VersioningConfiguration": {"Status": "Suspended"}},
    )
    assert [change.path for change in found.changes] == [("VersioningConfiguration", "Status")]


def test_lists_are_reported_whole_at_their_own_path(diff: Diff) -> None:
    found = diff("AWS::Lambda::Function", {"Layers": ["a:1", "b:2"]}, {"Layers": ["a:1", "b:3"]})
    assert found.changes == (Change(path=("Layers",), state=["a:1", "b:2"], aws=["a:1", "b:3"]),)


def test_top_level_properties_that_only_aws_has_are_not_drift(diff: Diff) -> None:
    live = {"VisibilityTimeout": 30, "MaximumMessageSize": 1024}
    assert diff(QUEUE, {"VisibilityTimeout": 30}, live).changes == ()
    assert diff(QUEUE, {}, live, observed={"VisibilityTimeout": 30}).changes == ()


def test_a_nested_key_that_only_aws_has_is_drift_on_an_observed_baseline_only(diff: Diff) -> None:
    before = {"Environment": {"Variables": {"MODE": "live"}}}
    after = {"Environment": {"Variables": {"MODE": "live", "EXTRA": "1"}}}
    assert diff("AWS::Lambda::Function", before, after).changes == ()
    found = diff("AWS::Lambda::Function", before, after, observed=before)
    assert found.changes == (Change(path=("Environment", "Variables", "EXTRA"), state=ABSENT, aws="1"),)


def test_a_property_that_is_gone_is_drift_without_a_live_side(diff: Diff) -> None:
    block = {"Environment": {"Variables": {"MODE": "live"}}}
    assert diff("AWS::Lambda::Function", block, {}).changes[0].aws is ABSENT


def test_absent_null_and_empty_containers_are_the_same(diff: Diff) -> None:
    assert diff("AWS::SNS::Topic", {"Subscription": [], "Tags": [], "DisplayName": None}, {}).changes == ()
    assert diff("AWS::S3::Bucket", {}, {}, observed={"CorsConfiguration": {"CorsRules": []}}).changes == ()


def test_an_object_of_false_flags_is_not_empty(diff: Diff) -> None:
    before = {"PublicAccessBlockConfiguration": {"BlockPublicAcls": True, "IgnorePublicAcls": True}}
    after = {"PublicAccessBlockConfiguration": {"BlockPublicAcls": False, "IgnorePublicAcls": False}}
    assert len(diff("AWS::S3::Bucket", {}, after, observed=before).changes) == 2


def test_an_empty_environment_variable_is_not_the_same_as_none(diff: Diff) -> None:
    before = {"Environment": {"Variables": {"FLAG": "", "MODE": "live"}}}
    after = {"Environment": {"Variables": {"MODE": "live"}}}
    assert diff("AWS::Lambda::Function", before, after, observed=before).changes


def test_inputs_that_no_read_returns_are_not_drift_on_a_template_baseline(diff: Diff) -> None:
    template = {"Code": {"ZipFile": "x = 1"}, "MemorySize": 128}
    assert diff("AWS::Lambda::Function", template, {"MemorySize": 128}).changes == ()
    assert diff("AWS::RDS::DBInstance", {"MasterUserPassword": "p"}, {}).changes == ()


def test_a_write_only_input_that_is_returned_all_the_same_is_compared(diff: Diff) -> None:
    template = {"SnapStart": {"ApplyOn": "PublishedVersions"}}
    assert diff("AWS::Lambda::Function", template, {}).changes == ()
    assert diff("AWS::Lambda::Function", template, {"SnapStart": {"ApplyOn": "None"}}).changes


def test_read_only_members_belong_to_aws(diff: Diff) -> None:
    before = {"Name": "api", "RootResourceId": "a"}
    assert (
        diff("AWS::ApiGateway::RestApi", {}, {"Name": "api", "RootResourceId": "b"}, observed=before).changes
        == ()
    )


def test_a_create_only_input_that_is_not_read_back_cannot_have_been_edited(diff: Diff) -> None:
    assert diff("AWS::DocDB::DBCluster", {"DBSubnetGroupName": "g"}, {}).changes == ()
    assert diff("AWS::DocDB::DBCluster", {"DBSubnetGroupName": "g"}, {"DBSubnetGroupName": "h"}).changes


def test_defaults_that_a_service_adds_to_list_elements_are_not_edits_but_declared_members_are(
    diff: Diff,
) -> None:
    template = {"PortMappings": [{"ContainerPort": 80}], "Name": "web", "Image": "i:1"}
    filled = {**template, "PortMappings": [{"ContainerPort": 80, "HostPort": 80}], "Cpu": 0, "Links": []}
    kind = "AWS::ECS::TaskDefinition"
    assert diff(kind, {"ContainerDefinitions": [template]}, {"ContainerDefinitions": [filled]}).changes == ()
    edited = {**filled, "Image": "i:2"}
    assert diff(kind, {"ContainerDefinitions": [template]}, {"ContainerDefinitions": [edited]}).changes


def test_a_scalar_where_a_list_was_recorded_is_a_difference_not_a_crash(diff: Diff) -> None:
    before = {"Targets": [{"Id": "t", "Arn": "arn:aws:sqs:eu-west-1:111122223333:q"}]}
    assert diff("AWS::Events::Rule", before, {"Targets": "none"}, observed=before).changes


def test_nulls_inside_lists_mean_nothing(diff: Diff) -> None:
    tags = [{"Key": "Env", "Value": "dev"}]
    assert diff("AWS::S3::Bucket", {"Tags": tags}, {"Tags": [*tags, None]}).changes == ()


def test_a_type_that_no_schema_knows_is_compared_literally(diff: Diff) -> None:
    assert diff("AWS::Unheard::Of", {"A": {"B": "1"}}, {"A": {"B": "1"}}).changes == ()
    assert diff("AWS::Unheard::Of", {"A": ["x", "y"]}, {"A": ["y", "x"]}).changes


def test_member_names_may_differ_from_the_schema_in_case_only(diff: Diff) -> None:
    step = {"Action": {"Operation": "UPPER_CASE", "Parameters": {"sourceColumn": "a"}}}
    spelled = {"Action": {"Operation": "UPPER_CASE", "Parameters": {"SourceColumn": "a"}}}
    other = {"Action": {"Operation": "UPPER_CASE", "Parameters": {"SourceColumn": "b"}}}
    assert diff("AWS::DataBrew::Recipe", {"Steps": [step]}, {"Steps": [spelled]}).changes == ()
    assert diff("AWS::DataBrew::Recipe", {"Steps": [step]}, {"Steps": [other]}).changes


def test_a_property_may_be_answered_under_its_other_name(diff: Diff) -> None:
    machine, kind = {"StartAt": "A", "States": {}}, "AWS::StepFunctions::StateMachine"
    text = '{"States": {}, "StartAt": "A"}'
    assert diff(kind, {"DefinitionString": text}, {"Definition": machine}).changes == ()
    assert diff(kind, {"DefinitionString": text}, {"Definition": {**machine, "StartAt": "B"}}).changes


def test_what_a_service_rewrites_at_run_time_is_not_drift_unless_declared(diff: Diff) -> None:
    def table(location: str) -> dict[str, object]:
        return {"TableInput": {"Parameters": {"table_type": "ICEBERG", "metadata_location": location}}}

    assert diff("AWS::Glue::Table", {}, table("s3://b/2"), observed=table("s3://b/1")).changes == ()
    declared = table("s3://b/1")
    assert diff("AWS::Glue::Table", declared, table("s3://b/2"), observed=declared).changes


def test_placeholders_of_a_definition_are_filled_in_before_it_is_compared(diff: Diff) -> None:
    kind = "AWS::StepFunctions::StateMachine"
    template = {"DefinitionString": '{"Resource": "${Task}"}', "DefinitionSubstitutions": {"Task": "arn:f"}}
    assert diff(kind, template, {"DefinitionString": '{"Resource":"arn:f"}'}).changes == ()
    assert diff(kind, template, {"DefinitionString": '{"Resource":"arn:g"}'}).changes
