"""Changes of tables and global tables alike.

UpdateTable takes one kind of change a call, and the table has to settle before the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import pick
from driftwarden.errors import UpdateNotSupported
from driftwarden.model import ABSENT

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_SETTLED: Final = (None, "ACTIVE")
_SETTLING_ENCRYPTION: Final = ("ENABLING", "DISABLING", "UPDATING")
_SETTLING_INSIGHTS: Final = ("ENABLING", "DISABLING")
_NO_LIMIT: Final = -1

_key = pick("SSEType", "KMSMasterKeyId")


def change(update: Update, **members: Any) -> None:
    """One UpdateTable, and the wait until the table takes the next."""
    update.call("UpdateTable", {"TableName": update.id, **members})
    update.poll(lambda: _settled(update.ask("DescribeTable", {"TableName": update.id})["Table"]))


def _settled(table: Mapping[str, Any]) -> bool:
    states = [
        table.get("TableStatus"),
        *(index.get("IndexStatus") for index in table.get("GlobalSecondaryIndexes", ())),
        *(replica.get("ReplicaStatus") for replica in table.get("Replicas", ())),
    ]
    encryption = dig(table, "SSEDescription.Status")
    return all(state in _SETTLED for state in states) and encryption not in _SETTLING_ENCRYPTION


def protect(update: Update) -> None:
    """A call of its own, so that nothing else can fail with it."""
    change(update, DeletionProtectionEnabled=update.wanted("DeletionProtectionEnabled") is True)


def store(update: Update) -> None:
    """The table class; a table is STANDARD without one."""
    change(update, TableClass=update.desired.get("TableClass") or "STANDARD")


def limit(update: Update, name: str, *units: str) -> None:
    """The on-demand limits; those that are not recorded are lifted."""
    wanted = update.desired.get(name) or {}
    change(update, OnDemandThroughput={unit: wanted.get(unit, _NO_LIMIT) for unit in units})


def encrypt(update: Update) -> None:
    """Without a specification a table is encrypted by a key of DynamoDB's own."""
    wanted = update.desired.get("SSESpecification") or {}
    if wanted.get("SSEEnabled"):
        change(update, SSESpecification={"Enabled": True, **_key(wanted)})
    else:
        change(update, SSESpecification={"Enabled": False})


def stream(update: Update) -> None:
    """What a stream shows cannot change while it is on: it is closed, and another one opened."""
    wanted = update.desired.get("StreamSpecification") or {}
    if update.live.get("StreamSpecification"):
        change(update, StreamSpecification={"StreamEnabled": False})
    if wanted.get("StreamViewType") and wanted.get("StreamEnabled", True):
        view = {"StreamEnabled": True, "StreamViewType": wanted["StreamViewType"]}
        change(update, StreamSpecification=view)


def expire(update: Update) -> None:
    """Switching the attribute takes an hour in between, in which nothing expires: it is not begun."""
    wanted, found = (bag.get("TimeToLiveSpecification") or {} for bag in (update.desired, update.live))
    if switches_attribute(wanted.get("AttributeName"), found.get("AttributeName")):
        raise UpdateNotSupported(
            "the attribute that items expire by can be switched only an hour after it was put off"
        )
    attribute = wanted.get("AttributeName") or found.get("AttributeName")
    if attribute:
        enabled = bool(wanted) and wanted.get("Enabled", True) is True
        specification = {"Enabled": enabled, "AttributeName": attribute}
        update.call("UpdateTimeToLive", {"TableName": update.id, "TimeToLiveSpecification": specification})


def switches_attribute(wanted: Any, found: Any) -> bool:
    """Whether both sides name an attribute, and not the same."""
    return wanted not in (None, ABSENT) and found not in (None, ABSENT) and wanted != found


def recover(update: Update, wanted: Mapping[str, Any], region: str = "") -> None:
    """Point-in-time recovery; its period says nothing while it is off."""
    enabled = wanted.get("PointInTimeRecoveryEnabled") is True
    specification = {"PointInTimeRecoveryEnabled": enabled}
    if enabled:
        specification |= pick("RecoveryPeriodInDays")(wanted)
    request = {"TableName": update.id, "PointInTimeRecoverySpecification": specification}
    update.call("UpdateContinuousBackups", request, region=region)


def send_to_kinesis(
    update: Update, wanted: Mapping[str, Any], found: Mapping[str, Any], region: str = ""
) -> None:
    """The destination of a table's changes is replaced; its precision can change in place."""
    table = {"TableName": update.id}
    precision = pick("ApproximateCreationDateTimePrecision")(wanted)
    target, now = wanted.get("StreamArn"), found.get("StreamArn")
    if target and target == now:
        settings = {"UpdateKinesisStreamingConfiguration": precision}
        update.call(
            "UpdateKinesisStreamingDestination", {**table, "StreamArn": now, **settings}, region=region
        )
        return
    if target:
        settings = {"EnableKinesisStreamingConfiguration": precision} if precision else {}
        request = {**table, "StreamArn": target, **settings}
        update.call("EnableKinesisStreamingDestination", request, region=region)
    if now:
        update.call("DisableKinesisStreamingDestination", {**table, "StreamArn": now}, region=region)


def give_insights(update: Update, wanted: Mapping[str, Any], region: str = "") -> None:
    """Contributor insights take a while to come and to go."""
    table = {"TableName": update.id}
    action = "ENABLE" if wanted.get("Enabled") else "DISABLE"
    mode = pick(ContributorInsightsMode="Mode")(wanted) if action == "ENABLE" else {}
    update.call(
        "UpdateContributorInsights", {**table, "ContributorInsightsAction": action, **mode}, region=region
    )

    def arrived() -> bool:
        answer = update.reading.call("DescribeContributorInsights", table, region=region)
        return answer.get("ContributorInsightsStatus") not in _SETTLING_INSIGHTS

    update.poll(arrived)
