"""A function of the approval gate, and the logs of the gate."""

from __future__ import annotations

from collections.abc import Iterable

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.accepted import accept
from infra.scanner import RETENTIONS, Shared


class GateFunction(Construct):
    """One function of the gate, its role and its log."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        module: str,
        what: str,
        shared: Shared,
        statements: Iterable[iam.PolicyStatement],
        environment: dict[str, str],
        minutes: int = 15,
    ) -> None:
        super().__init__(scope, construct_id)
        log = log_group(self, shared)
        self.role = iam.Role(
            self,
            "Role",
            description=f"Driftwarden: {what}",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
        )
        log.grant_write(self.role)
        for statement in statements:
            self.role.add_to_policy(statement)
        self.function = lambda_.Function(
            self,
            "Function",
            description=f"Driftwarden: {what}",
            runtime=shared.target.runtime,
            architecture=shared.target.processor,
            handler=f"{module}.handler.handler",
            code=shared.sources,
            layers=[shared.dependencies],
            role=self.role,
            memory_size=1024,
            timeout=cdk.Duration.minutes(minutes),
            tracing=lambda_.Tracing.ACTIVE,
            log_group=log,
            logging_format=lambda_.LoggingFormat.JSON,
            environment=environment
            | {
                "REPORTS_BUCKET": shared.reports.bucket_name,
                "REPORTS_BUCKET_OWNER": cdk.Aws.ACCOUNT_ID,
            },
            environment_encryption=shared.key,
        )
        settle_for_the_cdk(self.function)
        accept(
            self.function,
            "The bundled wheels and byte code are made for this runtime; it is raised together with them.",
            "AwsSolutions-L1",
        )


def log_group(scope: Construct, shared: Shared, name: str = "Log", *, prefix: str = "") -> logs.LogGroup:
    """An encrypted log that ends with the retention."""
    return logs.LogGroup(
        scope,
        name,
        log_group_name=f"{prefix}{cdk.Names.unique_resource_name(scope, max_length=60)}-{name}"
        if prefix
        else None,
        retention=RETENTIONS[shared.defaults.log_retention_days],
        encryption_key=shared.key,
        removal_policy=cdk.RemovalPolicy.DESTROY,
    )


def settle_for_the_cdk(construct: Construct) -> None:
    """The CDK lets functions and state machines wait for their role twice, which cfn-lint finds redundant."""
    resource = construct.node.default_child
    if isinstance(resource, cdk.CfnResource):
        resource.add_metadata("cfn-lint", {"config": {"ignore_checks": ["W3005"]}})
