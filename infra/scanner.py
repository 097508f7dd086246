"""One scanner per watched stack: its function, its role, its log."""

from __future__ import annotations

from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.accepted import accept, accept_wildcards
from infra.bundling import Target
from infra.config import Defaults, WatchedStack
from infra.permissions import (
    Outputs,
    output_statements,
    report_history,
    scanner_statements,
    state_bucket,
    state_records,
)

METRICS_NAMESPACE = "Driftwarden"

RETENTIONS = {
    1: logs.RetentionDays.ONE_DAY,
    7: logs.RetentionDays.ONE_WEEK,
    14: logs.RetentionDays.TWO_WEEKS,
    30: logs.RetentionDays.ONE_MONTH,
    90: logs.RetentionDays.THREE_MONTHS,
    180: logs.RetentionDays.SIX_MONTHS,
    365: logs.RetentionDays.ONE_YEAR,
    731: logs.RetentionDays.TWO_YEARS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What all scanners have in common."""

    defaults: Defaults
    target: Target
    sources: lambda_.Code
    dependencies: lambda_.ILayerVersion
    key: kms.IKey
    reports: s3.IBucket
    alerts: sns.ITopic
    failures: sqs.IQueue


class Scanner(Construct):
    """Scans one stack when asked, writes its report, publishes its alert."""

    def __init__(self, scope: Construct, construct_id: str, *, watched: WatchedStack, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        self.watched = watched
        self._log = self._log_group(shared)
        self._role = self._least_role(shared)
        self.function = lambda_.Function(
            self,
            "Function",
            description=f"Driftwarden: scans {watched.name} in {watched.region}",
            runtime=shared.target.runtime,
            architecture=shared.target.processor,
            handler="scan_stack.handler.handler",
            code=shared.sources,
            layers=[shared.dependencies],
            role=self._role,
            memory_size=1024,
            timeout=cdk.Duration.minutes(15),
            tracing=lambda_.Tracing.ACTIVE,
            log_group=self._log,
            logging_format=lambda_.LoggingFormat.JSON,
            environment=self._environment(shared),
            environment_encryption=shared.key,
            reserved_concurrent_executions=shared.defaults.reserved_concurrency,
        )
        self._lint_as_written_by_the_cdk()
        self._keep_failed_events(shared.failures)
        self._accept(shared)

    def metric(self, name: str, *, period: cdk.Duration, statistic: str = "Maximum") -> cloudwatch.Metric:
        """A figure that every finished scan of this stack writes, and a crashed one does not."""
        return cloudwatch.Metric(
            namespace=METRICS_NAMESPACE,
            metric_name=name,
            dimensions_map={"stack": self.watched.name},
            statistic=statistic,
            period=period,
        )

    def _environment(self, shared: Shared) -> dict[str, str]:
        role = {"ROLE_ARN": self.watched.role_arn} if self.watched.role_arn else {}
        return role | {
            "REPORTS_BUCKET": shared.reports.bucket_name,
            "REPORTS_BUCKET_OWNER": cdk.Aws.ACCOUNT_ID,
            "ALERTS_TOPIC_ARN": shared.alerts.topic_arn,
            "STATE_BUCKET": state_bucket(self.watched, shared.defaults),
            "STATE_PREFIX": self.watched.state_prefix or shared.defaults.state_prefix,
        }

    def _log_group(self, shared: Shared) -> logs.LogGroup:
        return logs.LogGroup(
            self,
            "Log",
            retention=RETENTIONS[shared.defaults.log_retention_days],
            encryption_key=shared.key,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )

    def _least_role(self, shared: Shared) -> iam.Role:
        role = iam.Role(
            self,
            "Role",
            description=f"Driftwarden: reads {self.watched.name} in {self.watched.region}",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
        )
        self._log.grant_write(role)
        for statement in scanner_statements(self.watched, shared.defaults):
            role.add_to_policy(statement)
        for statement in output_statements(self.watched, _outputs(shared)):
            role.add_to_policy(statement)
        return role

    def _keep_failed_events(self, failures: sqs.IQueue) -> None:
        lambda_.CfnEventInvokeConfig(
            self,
            "Invocations",
            function_name=self.function.function_name,
            qualifier="$LATEST",
            maximum_retry_attempts=0,
            maximum_event_age_in_seconds=3600,
            destination_config=lambda_.CfnEventInvokeConfig.DestinationConfigProperty(
                on_failure=lambda_.CfnEventInvokeConfig.OnFailureProperty(destination=failures.queue_arn)
            ),
        )

    def _lint_as_written_by_the_cdk(self) -> None:
        """The CDK lets a function wait for its role twice, which cfn-lint finds redundant."""
        function = self.function.node.default_child
        if isinstance(function, cdk.CfnResource):
            function.add_metadata("cfn-lint", {"config": {"ignore_checks": ["W3005"]}})

    def _accept(self, shared: Shared) -> None:
        accept(
            self._role,
            "Which resources to read is known from state at run time only, and list calls take no resource: "
            "the actions are read-only, named one by one, bound to the region. X-Ray takes no resource.",
            "AwsSolutions-IAM5[Resource::*]",
        )
        accept_wildcards(
            self._role,
            "Reports carry the time in their key; the pattern covers the reports of this stack alone.",
            report_history(self.watched, _outputs(shared)),
        )
        if not self.watched.role_arn:
            accept_wildcards(
                self._role,
                "The state record of a stack lies under its name, in one of two layouts, and nothing else.",
                *state_records(self.watched, shared.defaults),
            )
        accept(
            self.function,
            "The bundled wheels and byte code are made for this runtime; it is raised together with them.",
            "AwsSolutions-L1",
        )


def _outputs(shared: Shared) -> Outputs:
    return Outputs(
        reports=shared.reports.bucket_arn,
        topic=shared.alerts.topic_arn,
        queue=shared.failures.queue_arn,
        key=shared.key.key_arn,
    )
