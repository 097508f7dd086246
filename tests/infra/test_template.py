"""What is deployed: a scanner, role and schedule per watched stack, and production settings on everything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.infra.conftest import Synthesized, synthesize

pytestmark = pytest.mark.xdist_group("cdk")

STACKS = ("Shop", "Billing", "Partner")


def only(found: dict[str, dict[str, Any]], start: str) -> dict[str, Any]:
    """The one resource whose logical id starts so."""
    (properties,) = (value for key, value in found.items() if key.startswith(start))
    return properties


@pytest.mark.parametrize("stack", STACKS)
def test_every_stack_has_a_function_a_role_and_a_schedule_of_its_own(
    example: Synthesized, stack: str
) -> None:
    function = only(example.of_type("AWS::Lambda::Function"), f"Scan{stack}")
    schedule = only(example.of_type("AWS::Scheduler::Schedule"), f"Schedule{stack}")
    assert function["Role"]["Fn::GetAtt"][0].startswith(f"Scan{stack}")
    assert schedule["Target"]["Arn"]["Fn::GetAtt"][0].startswith(f"Scan{stack}")
    assert json.loads(schedule["Target"]["Input"])["stack"] == stack


def test_there_are_no_other_functions_and_schedules(example: Synthesized) -> None:
    functions = [f for f in example.of_type("AWS::Lambda::Function") if not f.startswith("Gate")]
    assert len(functions) == len(STACKS)
    assert len(example.of_type("AWS::Scheduler::Schedule")) == len(STACKS)


@pytest.mark.parametrize("stack", STACKS)
def test_a_scanner_runs_with_production_settings(example: Synthesized, stack: str) -> None:
    function = only(example.of_type("AWS::Lambda::Function"), f"Scan{stack}")
    assert function["Handler"] == "scan_stack.handler.handler"
    assert (function["Runtime"], function["Architectures"]) == ("python3.13", ["arm64"])
    assert (function["MemorySize"], function["Timeout"]) == (1024, 900)
    assert function["TracingConfig"] == {"Mode": "Active"}
    assert function["LoggingConfig"]["LogFormat"] == "JSON"
    assert "ReservedConcurrentExecutions" not in function
    log = example.of_type("AWS::Logs::LogGroup")[function["LoggingConfig"]["LogGroup"]["Ref"]]
    assert log["RetentionInDays"] == 90
    assert "KmsKeyId" in log


def test_a_stack_may_have_its_own_schedule_and_timezone(example: Synthesized) -> None:
    schedules = example.of_type("AWS::Scheduler::Schedule")
    assert only(schedules, "ScheduleShop")["ScheduleExpression"] == "rate(1 hour)"
    billing = only(schedules, "ScheduleBilling")
    assert billing["ScheduleExpression"] == "cron(0 6 * * ? *)"
    assert billing["ScheduleExpressionTimezone"] == "Europe/Berlin"


def test_what_a_schedule_cannot_deliver_and_a_scanner_cannot_finish_is_kept(example: Synthesized) -> None:
    (queue,) = example.of_type("AWS::SQS::Queue")
    kept = {"Fn::GetAtt": [queue, "Arn"]}
    for schedule in example.of_type("AWS::Scheduler::Schedule").values():
        assert schedule["Target"]["DeadLetterConfig"] == {"Arn": kept}
    configured = example.of_type("AWS::Lambda::EventInvokeConfig").values()
    assert [c["DestinationConfig"]["OnFailure"]["Destination"] for c in configured] == [kept] * len(STACKS)


def test_the_reports_bucket_is_private_versioned_encrypted_logged_and_kept(example: Synthesized) -> None:
    bucket = only(example.of_type("AWS::S3::Bucket"), "ReportsBucket")
    rule = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"][0]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert bucket["LoggingConfiguration"]["DestinationBucketName"]["Ref"].startswith("ReportsAccessLogs")
    assert {r["Id"] for r in bucket["LifecycleConfiguration"]["Rules"]} == {"reports", "replaced"}
    for resource in example.resources.values():
        if resource["Type"] in ("AWS::S3::Bucket", "AWS::KMS::Key"):
            assert resource["DeletionPolicy"] == "Retain"


def test_the_newest_report_of_a_stack_never_expires(example: Synthesized) -> None:
    rules = only(example.of_type("AWS::S3::Bucket"), "ReportsBucket")["LifecycleConfiguration"]["Rules"]
    assert [r.get("Prefix") for r in rules if "ExpirationInDays" in r] == ["reports/"]


@pytest.mark.parametrize("kind", ["AWS::S3::BucketPolicy", "AWS::SNS::TopicPolicy", "AWS::SQS::QueuePolicy"])
def test_nothing_is_reached_without_tls(example: Synthesized, kind: str) -> None:
    for policy in example.of_type(kind).values():
        denied = [s for s in policy["PolicyDocument"]["Statement"] if s["Effect"] == "Deny"]
        assert {"Bool": {"aws:SecureTransport": "false"}} in [s["Condition"] for s in denied]


def test_the_key_rotates_and_encrypts_topic_and_queue(example: Synthesized) -> None:
    ((name, key),) = example.of_type("AWS::KMS::Key").items()
    assert key["EnableKeyRotation"] is True
    encrypted = [*example.of_type("AWS::SNS::Topic").values(), *example.of_type("AWS::SQS::Queue").values()]
    assert {each["KmsMasterKeyId"]["Fn::GetAtt"][0] for each in encrypted} == {name}


def test_alarms_can_reach_the_encrypted_topic(example: Synthesized) -> None:
    (key,) = example.of_type("AWS::KMS::Key").values()
    topic = only(example.of_type("AWS::SNS::TopicPolicy"), "Alerts")
    for policy in (key["KeyPolicy"], topic["PolicyDocument"]):
        principals = [s.get("Principal") for s in policy["Statement"] if s["Effect"] == "Allow"]
        assert {"Service": "cloudwatch.amazonaws.com"} in principals


@pytest.mark.parametrize("stack", STACKS)
def test_a_failed_and_a_missing_scan_raise_an_alarm(example: Synthesized, stack: str) -> None:
    alarms = example.of_type("AWS::CloudWatch::Alarm")
    failed = only(alarms, f"MonitoringFailedScan{stack}")
    assert (failed["Namespace"], failed["MetricName"]) == ("AWS/Lambda", "Errors")
    silent = only(alarms, f"MonitoringSilentScan{stack}")
    assert silent["Dimensions"] == [{"Name": "stack", "Value": stack}]
    assert silent["TreatMissingData"] == "breaching"
    assert silent["EvaluationPeriods"] == 2
    assert silent["Period"] == (86400 if stack == "Billing" else 3600)


def test_a_filling_dead_letter_queue_raises_an_alarm_and_every_alarm_tells_somebody(
    example: Synthesized,
) -> None:
    alarms = example.of_type("AWS::CloudWatch::Alarm")
    lost = only(alarms, "MonitoringEventsLost")
    assert lost["MetricName"] == "ApproximateNumberOfMessagesVisible"
    (topic,) = (name for name in example.of_type("AWS::SNS::Topic") if name.startswith("Alerts"))
    for alarm in alarms.values():
        assert alarm["AlarmActions"] == [{"Ref": topic}]


def test_the_dashboard_shows_every_stack(example: Synthesized) -> None:
    (dashboard,) = example.of_type("AWS::CloudWatch::Dashboard").values()
    body = json.dumps(dashboard["DashboardBody"])
    assert all(f"{stack} in " in body for stack in STACKS)


def test_subscribers_of_every_kind(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = write_config("""
        [defaults]
        reserved_concurrency = 1
        alert_subscriptions = [
          "ops@example.com",
          "https://example.com/alerts",
          "arn:aws:sqs:us-east-1:111122223333:alerts",
        ]
        [[stacks]]
        name = "Shop"
        region = "us-east-1"
    """)
    made = synthesize(config, tmp_path / "out", target="local")
    protocols = [s["Protocol"] for s in made.of_type("AWS::SNS::Subscription").values()]
    assert sorted(protocols) == ["email", "https", "sqs"]
    (function,) = made.of_type("AWS::Lambda::Function").values()
    assert function["ReservedConcurrentExecutions"] == 1
