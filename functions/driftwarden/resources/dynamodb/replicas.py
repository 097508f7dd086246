"""Changes of a global table that concern its replicas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import tag_list, tag_map
from driftwarden.errors import UpdateNotSupported
from driftwarden.resources.dynamodb import changes

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_REGION_IN_ARN: Final = 3


def arn_in(table: Mapping[str, Any], region: str) -> str:
    """A replica's ARN is the table's but for the region; empty where the table has none."""
    arn = table.get("TableArn", "").split(":")
    if len(arn) <= _REGION_IN_ARN:
        return ""
    arn[_REGION_IN_ARN] = region
    return ":".join(arn)


_REPLICA_SETTINGS: Final = frozenset(
    {
        "Tags",
        "PointInTimeRecoverySpecification",
        "KinesisStreamSpecification",
        "ContributorInsightsSpecification",
    }
)


def bill(update: Update) -> None:
    """The other way would need capacity settings for every replica."""
    changes.change(update, BillingMode=update.desired["BillingMode"])


def limit_writes(update: Update) -> None:
    """Only writes are limited for the table as a whole."""
    changes.limit(update, "WriteOnDemandThroughputSettings", "MaxWriteRequestUnits")


def update_replicas(update: Update) -> None:
    """Every replica is changed in its own region, after all of them were looked at."""
    desired, live = (_by_region(bag.get("Replicas")) for bag in (update.desired, update.live))
    if desired.keys() != live.keys():
        raise UpdateNotSupported("replicas are made and deleted by a deploy alone")
    differing = {region: _differing(desired[region], live[region]) for region in desired}
    fixed = sorted(set().union(*differing.values()) - _REPLICA_SETTINGS)
    if fixed:
        raise UpdateNotSupported(f"{', '.join(fixed)} of a replica cannot be updated in place")
    for region, names in differing.items():
        _update_replica(update, region, names, desired[region], live[region])


def _by_region(replicas: Any) -> dict[str, Mapping[str, Any]]:
    return {replica["Region"]: replica for replica in replicas} if isinstance(replicas, list) else {}


def _differing(desired: Mapping[str, Any], live: Mapping[str, Any]) -> set[str]:
    return {name for name in {*desired, *live} if desired.get(name) != live.get(name)}


def _update_replica(
    update: Update, region: str, names: set[str], desired: Mapping[str, Any], live: Mapping[str, Any]
) -> None:
    if "Tags" in names:
        _tag_replica(update, region, tag_map(desired.get("Tags", [])), tag_map(live.get("Tags", [])))
    if "PointInTimeRecoverySpecification" in names:
        changes.recover(update, desired.get("PointInTimeRecoverySpecification", {}), region)
    if "KinesisStreamSpecification" in names:
        wanted, found = (side.get("KinesisStreamSpecification", {}) for side in (desired, live))
        changes.send_to_kinesis(update, wanted, found, region)
    if "ContributorInsightsSpecification" in names:
        changes.give_insights(update, desired.get("ContributorInsightsSpecification", {}), region)


def _tag_replica(update: Update, region: str, desired: Mapping[str, str], live: Mapping[str, str]) -> None:
    table = update.ask("DescribeTable", {"TableName": update.id})["Table"]
    arn = {"ResourceArn": arn_in(table, region)}
    extra = sorted(live.keys() - desired.keys())
    wrong = {key: value for key, value in desired.items() if live.get(key) != value}
    if extra:
        update.call("UntagResource", {**arn, "TagKeys": extra}, region=region)
    if wrong:
        update.call("TagResource", {**arn, "Tags": tag_list(wrong)}, region=region)


def other_replicas(desired: Any, live: Any) -> bool:
    """Whether AWS and the record list replicas of different regions."""
    return _by_region(desired).keys() != _by_region(live).keys()
