"""What could not be done is kept."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.accepted import accept


class Failures(Construct):
    """The dead-letter queue of schedules and scanners: keeps the event of a scan that failed for 14 days."""

    def __init__(self, scope: Construct, construct_id: str, *, key: kms.IKey) -> None:
        super().__init__(scope, construct_id)
        self.queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.KMS,
            encryption_master_key=key,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(14),
        )
        accept(self.queue, "This queue is the dead-letter queue.", "AwsSolutions-SQS3")
