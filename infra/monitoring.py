"""How the operators notice that scanning itself is broken."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.config import Defaults
from infra.scanner import Scanner
from infra.schedule import expression, period_minutes

DAY = 24 * 60
MOST_DAYS = 7
FIGURES = {
    "Drifted": "Drifted resources",
    "Deleted": "Deleted resources",
    "NotCompared": "Resources that could not be compared",
    "ScanSeconds": "Seconds a scan takes",
}
IGNORE, BREACH = cloudwatch.TreatMissingData.NOT_BREACHING, cloudwatch.TreatMissingData.BREACHING


class Monitoring(Construct):
    """Alarms that go to the alerts topic, and one dashboard."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        scanners: Sequence[Scanner],
        defaults: Defaults,
        alerts: sns.ITopic,
        failures: sqs.IQueue,
    ) -> None:
        super().__init__(scope, construct_id)
        self._notify = actions.SnsAction(alerts)
        for scanner in scanners:
            self._scan_failed(scanner)
            self._no_scan(scanner, period_minutes(expression(scanner.watched, defaults)))
        self._events_lost(failures)
        self._dashboard(scanners, failures)

    def _scan_failed(self, scanner: Scanner) -> None:
        self._alarm(
            f"Failed{scanner.node.id}",
            metric=scanner.function.metric_errors(period=cdk.Duration.minutes(5), statistic="Sum"),
            description=f"A scan of {_where(scanner)} failed. Its log says why; the stack was not checked.",
        )

    def _no_scan(self, scanner: Scanner, minutes: int) -> None:
        """CloudWatch looks back seven days at most, in periods of one day at most."""
        period = min(minutes, DAY)
        periods = min(-(-2 * minutes // period), MOST_DAYS * DAY // period)
        self._alarm(
            f"Silent{scanner.node.id}",
            metric=scanner.metric(
                "ScanSeconds", period=cdk.Duration.minutes(period), statistic="SampleCount"
            ),
            description=f"No scan of {_where(scanner)} finished in two periods. Is its schedule enabled?",
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            periods=periods,
            missing=BREACH,
        )

    def _events_lost(self, failures: sqs.IQueue) -> None:
        self._alarm(
            "EventsLost",
            metric=failures.metric_approximate_number_of_messages_visible(
                period=cdk.Duration.minutes(5), statistic="Maximum"
            ),
            description="Scans that could not be started or kept failing wait in the dead-letter queue.",
        )

    def _alarm(
        self,
        name: str,
        *,
        metric: cloudwatch.IMetric,
        description: str,
        comparison: cloudwatch.ComparisonOperator = (
            cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        ),
        periods: int = 1,
        missing: cloudwatch.TreatMissingData = IGNORE,
    ) -> None:
        alarm = cloudwatch.Alarm(
            self,
            name,
            metric=metric,
            threshold=1,
            comparison_operator=comparison,
            evaluation_periods=periods,
            treat_missing_data=missing,
            alarm_description=description,
        )
        alarm.add_alarm_action(self._notify)
        alarm.add_ok_action(self._notify)

    def _dashboard(self, scanners: Sequence[Scanner], failures: sqs.IQueue) -> None:
        dashboard = cloudwatch.Dashboard(self, "Dashboard", default_interval=cdk.Duration.days(7))
        for name, title in FIGURES.items():
            dashboard.add_widgets(
                cloudwatch.GraphWidget(title=title, width=24, left=[_figure(s, name) for s in scanners])
            )
        dashboard.add_widgets(
            cloudwatch.GraphWidget(
                title="Failed scans",
                width=12,
                left=[s.function.metric_errors(label=_where(s)) for s in scanners],
            ),
            cloudwatch.GraphWidget(
                title="Waiting in the dead-letter queue",
                width=12,
                left=[failures.metric_approximate_number_of_messages_visible()],
            ),
        )


def _figure(scanner: Scanner, name: str) -> cloudwatch.Metric:
    return scanner.metric(name, period=cdk.Duration.hours(1)).with_(label=_where(scanner))


def _where(scanner: Scanner) -> str:
    return f"{scanner.watched.name} in {scanner.watched.region}"
