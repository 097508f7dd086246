"""When a scanner runs."""

from __future__ import annotations

import json
import re

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.config import Defaults, WatchedStack

MINUTES = {"minute": 1, "hour": 60, "day": 24 * 60}


class ScanSchedule(Construct):
    """Starts one scanner for its stack. What cannot be delivered goes to the dead-letter queue."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        watched: WatchedStack,
        defaults: Defaults,
        scanner: lambda_.IFunction,
        failures: sqs.IQueue,
        key_arn: str,
    ) -> None:
        super().__init__(scope, construct_id)
        role = iam.Role(
            self,
            "Role",
            description=f"Driftwarden: starts the scans of {watched.name} in {watched.region}",
            assumed_by=iam.ServicePrincipal(
                "scheduler.amazonaws.com",
                conditions={"StringEquals": {"aws:SourceAccount": cdk.Aws.ACCOUNT_ID}},
            ),
            inline_policies={"Start": _may_start(scanner.function_arn, failures.queue_arn, key_arn)},
        )
        scheduler.CfnSchedule(
            self,
            "Schedule",
            description=f"Scans {watched.name} in {watched.region}",
            schedule_expression=expression(watched, defaults),
            schedule_expression_timezone=watched.timezone or defaults.timezone,
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=scheduler.CfnSchedule.TargetProperty(
                arn=scanner.function_arn,
                role_arn=role.role_arn,
                input=json.dumps(event(watched, defaults)),
                dead_letter_config=scheduler.CfnSchedule.DeadLetterConfigProperty(arn=failures.queue_arn),
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                    maximum_event_age_in_seconds=3600, maximum_retry_attempts=3
                ),
            ),
        )


def event(watched: WatchedStack, defaults: Defaults) -> dict[str, str]:
    """What the scanner is started with."""
    return {
        "stack": watched.name,
        "region": watched.region,
        "undeclared": watched.undeclared or defaults.undeclared,
    }


def expression(watched: WatchedStack, defaults: Defaults) -> str:
    """The stack's schedule, else the default."""
    return watched.schedule or defaults.schedule


def period_minutes(schedule: str) -> int:
    """The longest time between two scans: a day for a `cron` of every day, a week for one that skips days."""
    rate = re.fullmatch(r"rate\((\d+) (minute|hour|day)s?\)", schedule)
    if rate:
        return int(rate[1]) * MINUTES[rate[2]]
    _, _, day_of_month, month, day_of_week, _ = schedule.removeprefix("cron(").removesuffix(")").split()
    every_day = {day_of_month, day_of_week} <= {"*", "?"} and month == "*"
    return MINUTES["day"] if every_day else 7 * MINUTES["day"]


def _may_start(function_arn: str, queue_arn: str, key_arn: str) -> iam.PolicyDocument:
    return iam.PolicyDocument(
        statements=[
            iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[function_arn]),
            iam.PolicyStatement(actions=["sqs:SendMessage"], resources=[queue_arn]),
            iam.PolicyStatement(actions=["kms:GenerateDataKey", "kms:Decrypt"], resources=[key_arn]),
        ]
    )
