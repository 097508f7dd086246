"""`driftwarden drift`: streams, selection, exit status, and bad input that never looks clean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import boto3
import pytest

from tests.unit.cli.conftest import BUCKET, REGION, SECRET, Run, put_state, queue, record


def test_an_untouched_stack_exits_with_0_and_a_tick(run: Run) -> None:
    put_state("Shop", {"Queue": record(queue("orders", VisibilityTimeout="60"), VisibilityTimeout=60)})
    done = run("drift")
    assert done.status == 0
    assert "✓ Shop (us-east-1): no drift detected — 1 resource checked" in done.out
    assert done.err == ""


def test_drift_exits_with_1_and_shows_both_sides(run: Run) -> None:
    put_state("Shop", {"Queue": record(queue("orders", VisibilityTimeout="77"), VisibilityTimeout=60)})
    done = run("drift", "Shop")
    assert done.status == 1
    assert "+/- VisibilityTimeout: 60 -> 77" in done.out
    assert "~ Queue (AWS::SQS::Queue)" in done.out


def test_a_deleted_resource_is_drift(run: Run) -> None:
    url = queue("orders")
    put_state("Shop", {"Queue": record(url)})
    boto3.client("sqs").delete_queue(QueueUrl=url)
    done = run("drift", "Shop", "--json")
    assert done.status == 1
    assert done.reports[0]["deleted"] == [{"logicalId": "Queue", "type": "AWS::SQS::Queue"}]


def test_under_json_stdout_is_the_payload_and_nothing_else(run: Run) -> None:
    put_state("Shop", {"Queue": record(queue("orders"))})
    done = run("drift", "--all", "--json", "--verbose", "--region", REGION)
    (report,) = done.reports
    assert set(report) == {
        "stack",
        "region",
        "drifted",
        "deleted",
        "clean",
        "notSupported",
        "skipped",
        "notCompared",
    }
    assert "--region is deprecated" in done.err
    assert "Queue (AWS::SQS::Queue): clean" in done.err


def test_verbose_prints_one_line_per_resource_however_long_its_name(run: Run) -> None:
    name = "Queue" * 40
    put_state("Shop", {name: record(queue("orders"))})
    assert f"debug: Shop/{name} (AWS::SQS::Queue): clean" in run("drift", "--verbose").out.splitlines()


def test_stacks_come_in_order_of_name_and_resources_of_logical_id(run: Run) -> None:
    url = queue("orders")
    for stack in ("Zebra", "Alpha"):
        put_state(stack, {"B": record(url), "A": record(url)})
    done = run("drift", "--all", "--json")
    assert [r["stack"] for r in done.reports] == ["Alpha", "Zebra"]
    assert [r["logicalId"] for r in done.reports[0]["clean"]] == ["A", "B"]


def test_custom_resources_are_skipped_and_metadata_is_invisible(run: Run) -> None:
    custom = {"physicalId": "x", "resourceType": "Custom::Thing", "properties": {}}
    metadata = {"physicalId": "m", "resourceType": "AWS::CDK::Metadata", "properties": {}}
    put_state("Shop", {"C": custom, "CDKMetadata": metadata})
    done = run("drift", "Shop")
    assert done.status == 0
    assert "NOTHING was compared — 0 of 1 resource checked (1 skipped)" in done.out


def test_an_empty_stack_never_gets_a_tick(run: Run) -> None:
    put_state("Shop", {})
    done = run("drift")
    assert done.status == 0
    assert "✓" not in done.out


@pytest.mark.parametrize(
    ("resources", "cause"),
    [
        ("not a map", "unreadableMap"),
        ({"Row": "text"}, "unreadableRecord"),
        ({"Row": {"physicalId": "x", "properties": {}}}, "unreadableRecord"),
        (
            {"Row": {"physicalId": "x", "resourceType": "AWS::SQS::Queue", "properties": []}},
            "unreadableRecord",
        ),
    ],
)
def test_a_row_that_cannot_be_read_makes_the_comparison_incomplete(
    run: Run, resources: object, cause: str
) -> None:
    put_state("Shop", resources)
    done = run("drift", "Shop", "--json")
    assert done.status == 2
    assert [row["cause"] for row in done.reports[0]["notCompared"]] == [cause]


def test_a_denied_read_is_incomplete_names_the_action_and_spares_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from botocore.client import BaseClient
    from botocore.exceptions import ClientError

    original = BaseClient._make_api_call

    def deny_topics(client: Any, operation: str, params: Any) -> Any:
        if operation == "GetTopicAttributes":
            raise ClientError({"Error": {"Code": "AuthorizationError", "Message": "no"}}, operation)
        return original(client, operation, params)

    topic = {"physicalId": "arn:aws:sns:us-east-1:1:t", "resourceType": "AWS::SNS::Topic", "properties": {}}
    put_state("Shop", {"Queue": record(queue("orders")), "Topic": topic})
    monkeypatch.setattr(BaseClient, "_make_api_call", deny_topics)
    done = run("drift", "Shop", "--json")
    assert done.status == 2
    (row,) = done.reports[0]["notCompared"]
    assert (row["logicalId"], row["cause"], row["referencesUnresolved"]) == ("Topic", "readFailed", False)
    assert [r["logicalId"] for r in done.reports[0]["clean"]] == ["Queue"]
    assert any("Grant sns:GetTopicAttributes" in warning for warning in done.reports[0]["warnings"])


def test_drift_outranks_an_incomplete_comparison(run: Run) -> None:
    url = queue("orders", VisibilityTimeout="77")
    put_state("Shop", {"Queue": record(url, VisibilityTimeout=60), "Row": "text"})
    assert run("drift", "Shop").status == 1


@pytest.mark.parametrize(
    "body", [b"{broken", b"[]", json.dumps({"version": 12, "resources": {}}).encode(), b"\xff\xfe"]
)
def test_a_state_that_cannot_be_understood_is_an_error_of_one_line(run: Run, body: bytes) -> None:
    put_state("Shop", {}, body=body)
    done = run("drift", "Shop")
    assert done.status == 1
    assert done.err.startswith("error: ")
    assert len(done.err.splitlines()) == 1
    assert "Traceback" not in done.err


def test_one_unusable_state_does_not_keep_the_other_stacks_from_being_scanned(run: Run) -> None:
    put_state("Alpha", {"Queue": record(queue("orders"))})
    put_state("Broken", {}, version=12)
    done = run("drift", "--all", "--json")
    assert done.status == 1
    alpha, broken = done.reports
    assert alpha["clean"]
    assert [row["cause"] for row in broken["notCompared"]] == ["unreadableMap"]
    assert "12" in broken["warnings"][0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("drift", "Nope"), "Nope"),
        (("drift", "--stack-region"), "requires an argument"),
        (("drift", "--frobnicate"), "--frobnicate"),
        (("drift", "--all", "--accept", "--revert"), "exclude each other"),
        (("drift", "--state-bucket", "not-there"), "not-there"),
        (("drift", "--profile", "nobody"), "nobody"),
        (("drift", "--undeclared", "maybe"), "maybe"),
    ],
)
def test_a_bad_request_exits_with_1_and_says_why(run: Run, arguments: tuple[str, ...], said: str) -> None:
    put_state("Shop", {})
    put_state("Shop", {}, region="eu-west-1")
    done = run(*arguments)
    assert done.status == 1
    assert said in done.err
    assert done.out == ""


def test_two_regions_of_one_stack_need_a_choice(run: Run) -> None:
    put_state("Shop", {})
    put_state("Shop", {}, region="eu-west-1")
    done = run("drift", "Shop")
    assert done.status == 1
    assert "eu-west-1" in done.err
    assert "us-east-1" in done.err
    assert run("drift", "Shop", "--stack-region", "eu-west-1", "--json").reports[0]["region"] == "eu-west-1"


def test_hostile_names_cannot_forge_a_line(run: Run) -> None:
    evil = "Q\n✓ all is well\x1b[2K"
    put_state(
        "Shop",
        {evil: {"physicalId": "x", "resourceType": "Custom::\x1b[31mX\u2028", "properties": {}}, "R": evil},
    )
    done = run("drift", "Shop", "--verbose")
    assert "\x1b" not in done.out + done.err
    assert "\u2028" not in done.out
    assert not any(line.startswith("✓ all is well") for line in done.out.splitlines())


def _function_with_a_secret(live: str) -> None:
    boto3.client("secretsmanager").create_secret(Name="db", SecretString=json.dumps({"password": SECRET}))
    boto3.client("ssm").put_parameter(Name="/app/url", Value=live, Type="String")
    reference = "{{resolve:secretsmanager:db:SecretString:password}}"
    record = {
        "physicalId": "/app/url",
        "resourceType": "AWS::SSM::Parameter",
        "properties": {"Type": "String", "Value": f"postgres://app:{reference}@db/app"},
    }
    put_state("Shop", {"Url": record})


def test_a_secret_that_matches_is_clean_and_printed_nowhere(run: Run) -> None:
    _function_with_a_secret(f"postgres://app:{SECRET}@db/app")
    done = run("drift", "Shop", "--json", "--verbose")
    assert done.status == 0
    assert done.reports[0]["clean"] == [
        {"logicalId": "Url", "type": "AWS::SSM::Parameter", "referencesUnresolved": False}
    ]
    assert SECRET not in done.out + done.err


def test_a_secret_that_differs_is_drift_and_the_live_value_is_masked(run: Run) -> None:
    _function_with_a_secret(f"postgres://app:{SECRET}-old@db/app")
    done = run("drift", "Shop", "--json", "--verbose")
    assert done.status == 1
    (change,) = done.reports[0]["drifted"][0]["changes"]
    assert change["awsValue"] == "***"
    assert "{{resolve:secretsmanager:db" in change["stateValue"]
    assert SECRET not in done.out + done.err


def test_reading_one_resource_masks_what_a_report_would_mask(run: Run) -> None:
    _function_with_a_secret(f"postgres://app:{SECRET}@db/app")
    done = run("read", "Shop", "Url")
    assert done.status == 0
    assert json.loads(done.out)["Type"] == "String"
    assert SECRET not in done.out + done.err


def test_reading_an_unknown_resource_names_the_known_ones(run: Run) -> None:
    put_state("Shop", {"Queue": record(queue("orders"))})
    done = run("read", "Shop", "Nope")
    assert done.status == 1
    assert "Queue" in done.err


def test_permissions_are_the_reads_of_the_recorded_types(run: Run) -> None:
    put_state(
        "Shop",
        {"Queue": record("u"), "X": {"physicalId": "x", "resourceType": "AWS::Foo::Bar", "properties": {}}},
    )
    done = run("permissions", "Shop")
    (statement,) = json.loads(done.out)["Statement"]
    assert statement["Action"] == [
        "cloudformation:GetResource",
        "sqs:GetQueueAttributes",
        "sqs:ListQueueTags",
    ]
    assert "AWS::Foo::Bar" in done.err


def test_the_program_says_its_version_and_its_commands(run: Run) -> None:
    from driftwarden import __version__

    assert __version__ in run("--version").out
    assert "drift" in run("--help").out


RULE = """
[[ignore]]
logical_id = "Queue"
path = "VisibilityTimeout"
reason = "tuned during the sale"
"""


def _drifted_queue() -> None:
    put_state("Shop", {"Queue": record(queue("orders", VisibilityTimeout="77"), VisibilityTimeout=60)})


def test_rules_in_the_state_bucket_hide_drift_and_the_report_says_so(run: Run) -> None:
    _drifted_queue()
    boto3.client("s3").put_object(Bucket=BUCKET, Key="cdkd/_driftwarden/ignore.toml", Body=RULE)
    done = run("drift", "--json")
    assert done.status == 0
    (ignored,) = done.reports[0]["ignored"]
    assert ignored["changes"][0]["reason"] == "tuned during the sale"


def test_an_ignore_file_takes_the_place_of_the_rules_in_the_bucket(run: Run, tmp_path: Path) -> None:
    _drifted_queue()
    boto3.client("s3").put_object(Bucket=BUCKET, Key="cdkd/_driftwarden/ignore.toml", Body=RULE)
    rules = tmp_path / "rules.toml"
    rules.write_text(RULE.replace("VisibilityTimeout", "DelaySeconds"))
    done = run("drift", "--json", "--ignore-file", str(rules))
    assert done.status == 1
    assert "matches nothing" in done.reports[0]["warnings"][0]


@pytest.mark.parametrize("text", ["[[ignore]]\npath = 'A'\n", "not toml", "\udc80"])
def test_a_bad_ignore_file_is_an_error_that_names_it(run: Run, tmp_path: Path, text: str) -> None:
    _drifted_queue()
    rules = tmp_path / "rules.toml"
    rules.write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run("drift", "--ignore-file", str(rules))
    assert done.status == 1
    assert "rules.toml" in done.err
    assert done.out == ""


@pytest.mark.parametrize("arguments", [(), ("revert",)])
def test_without_a_command_the_help_is_shown_as_lines(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("Usage: driftwarden")
    assert "Commands:" in done.err.splitlines()


@pytest.mark.parametrize("name", ["not-there", "not a name"])
def test_a_bucket_that_cannot_be_used_is_said_once_and_shortly(run: Run, name: str) -> None:
    done = run("drift", "--json", "--state-bucket", name)
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert len(done.err.splitlines()) == 1
    assert len(done.err) < 250


def test_an_endpoint_that_is_no_address_is_no_fault_of_the_program(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", "no-address")
    done = run("drift")
    assert done.status == 1
    assert "Check the credentials, the profile and the endpoint" in done.err


@pytest.mark.parametrize("kind", ["Custom::Thing", "AWS::CDK::Metadata"])
def test_reading_what_is_never_read_says_so(run: Run, kind: str) -> None:
    put_state("Shop", {"X": {"physicalId": "x", "resourceType": kind, "properties": {}}})
    done = run("read", "Shop", "X")
    assert done.status == 1
    assert "never read or compared" in done.err


def test_reading_a_damaged_row_does_not_say_that_there_is_none(run: Run) -> None:
    put_state("Shop", {"X": 5})
    done = run("read", "Shop", "X")
    assert done.status == 1
    assert "the row is not an object" in done.err


def test_permissions_name_what_the_policy_does_not_hold(run: Run) -> None:
    metadata = {"physicalId": "m", "resourceType": "AWS::CDK::Metadata", "properties": {}}
    secret = record("u", KmsMasterKeyId="{{resolve:secretsmanager:db}}")
    put_state("Shop", {"CDKMetadata": metadata, "Queue": secret, "Row": 5})
    done = run("permissions", "Shop")
    assert "CDK" not in done.out + done.err
    assert "a reference names db in us-east-1 (secretsmanager)" in done.err
    assert "secretsmanager:GetSecretValue" in done.err
    assert "Row is left out" in done.err
    assert "s3:GetObject on the state bucket" in done.err
