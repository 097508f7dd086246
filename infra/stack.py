"""The whole deployment, wired."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.alerts import Alerts
from infra.bundling import Dependencies, Sources, Target, code
from infra.config import Watch, WatchedStack
from infra.encryption import Encryption
from infra.failures import Failures
from infra.gate import Gate
from infra.monitoring import Monitoring
from infra.reports import Reports
from infra.scanner import Scanner, Shared
from infra.schedule import ScanSchedule


class DriftwardenStack(cdk.Stack):
    """Reports bucket, alerts topic, dead-letter queue; per watched stack a scanner with role and schedule.

    Where a stack allows reverts, the approval gate too.
    """

    def __init__(self, scope: Construct, construct_id: str, *, watch: Watch, target: Target) -> None:
        super().__init__(scope, construct_id, description="Driftwarden: drift scanner for deployed stacks")
        key = Encryption(self, "Encryption").key
        defaults = watch.defaults
        self._shared = Shared(
            defaults=defaults,
            target=target,
            sources=code(Sources(target)),
            dependencies=self._layer(target),
            key=key,
            reports=Reports(self, "Reports", key=key, retention_days=defaults.report_retention_days).bucket,
            alerts=Alerts(self, "Alerts", key=key, subscribers=defaults.alert_subscriptions).topic,
            failures=Failures(self, "Failures", key=key).queue,
        )
        scanners = [self._scanner(watched) for watched in watch.stacks]
        Monitoring(
            self,
            "Monitoring",
            scanners=scanners,
            defaults=defaults,
            alerts=self._shared.alerts,
            failures=self._shared.failures,
        )
        self._tell()
        revertible = [watched for watched in watch.stacks if watched.revert]
        if revertible:
            self._tell_of(Gate(self, "Gate", stacks=revertible, shared=self._shared))

    def _layer(self, target: Target) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            "Dependencies",
            description="Driftwarden: locked dependencies",
            code=code(Dependencies(target)),
            compatible_runtimes=[target.runtime],
            compatible_architectures=[target.processor],
        )

    def _scanner(self, watched: WatchedStack) -> Scanner:
        place = f"{watched.name}-{watched.region}"
        scanner = Scanner(self, f"Scan-{place}", watched=watched, shared=self._shared)
        ScanSchedule(
            self,
            f"Schedule-{place}",
            watched=watched,
            defaults=self._shared.defaults,
            scanner=scanner.function,
            failures=self._shared.failures,
            key_arn=self._shared.key.key_arn,
        )
        return scanner

    def _tell(self) -> None:
        cdk.CfnOutput(self, "ReportsBucket", value=self._shared.reports.bucket_name)
        cdk.CfnOutput(self, "AlertsTopicArn", value=self._shared.alerts.topic_arn)
        cdk.CfnOutput(self, "DeadLetterQueueUrl", value=self._shared.failures.queue_url)

    def _tell_of(self, gate: Gate) -> None:
        cdk.CfnOutput(self, "RevertStateMachineArn", value=gate.revert.state_machine_arn)
        cdk.CfnOutput(self, "DecideStateMachineArn", value=gate.decide.state_machine_arn)
        cdk.CfnOutput(self, "ApprovalsTopicArn", value=gate.topic.topic_arn)
