"""One KMS key for everything the project stores or sends."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct


class Encryption(Construct):
    """A customer key with yearly rotation that the AWS services between our own resources may use too."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        self.key = kms.Key(
            self,
            "Key",
            description="Driftwarden: reports, alerts, failed events and logs",
            enable_key_rotation=True,
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )
        self._allow_logs()
        self._allow_alarms()

    def _allow_logs(self) -> None:
        """CloudWatch Logs User Guide, "Encrypt log data in CloudWatch Logs using AWS KMS"."""
        here = cdk.Stack.of(self)
        log_groups = here.format_arn(
            service="logs",
            resource="log-group",
            resource_name="*",
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        self.key.add_to_resource_policy(
            iam.PolicyStatement(
                sid="LogGroups",
                principals=[iam.ServicePrincipal(f"logs.{cdk.Aws.REGION}.amazonaws.com")],
                actions=[
                    "kms:Encrypt",
                    "kms:Decrypt",
                    "kms:ReEncrypt*",
                    "kms:GenerateDataKey*",
                    "kms:DescribeKey",
                ],
                resources=["*"],
                conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": log_groups}},
            )
        )

    def _allow_alarms(self) -> None:
        """Amazon SNS Developer Guide, "Enable compatibility between event sources and encrypted topics"."""
        self.key.add_to_resource_policy(
            iam.PolicyStatement(
                sid="AlarmsToTopic",
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["kms:Decrypt", "kms:GenerateDataKey*"],
                resources=["*"],
                conditions={"StringEquals": {"aws:SourceAccount": cdk.Aws.ACCOUNT_ID}},
            )
        )
