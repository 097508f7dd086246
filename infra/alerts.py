"""Who is told."""

from __future__ import annotations

from collections.abc import Iterable

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct


class Alerts(Construct):
    """The alerts topic and its subscribers: e-mail addresses, https endpoints, ARNs of queues.

    A queue must allow the topic `sqs:SendMessage` in a policy of its own: it belongs to somebody else.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, key: kms.IKey, subscribers: Iterable[str]
    ) -> None:
        super().__init__(scope, construct_id)
        self.topic = sns.Topic(self, "Topic", display_name="Driftwarden", master_key=key, enforce_ssl=True)
        self._let_alarms_publish()
        for number, subscriber in enumerate(subscribers):
            self.topic.add_subscription(self._subscription(f"Subscriber{number}", subscriber))

    def _let_alarms_publish(self) -> None:
        """A topic with a policy of its own has lost the default one, which let the account's alarms in."""
        self.topic.add_to_resource_policy(
            iam.PolicyStatement(
                sid="Alarms",
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[self.topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": cdk.Aws.ACCOUNT_ID}},
            )
        )

    def _subscription(self, name: str, subscriber: str) -> sns.ITopicSubscription:
        if subscriber.startswith("https://"):
            return subscriptions.UrlSubscription(subscriber)
        if ":sqs:" in subscriber:
            return subscriptions.SqsSubscription(sqs.Queue.from_queue_arn(self, name, subscriber))
        return subscriptions.EmailSubscription(subscriber)
