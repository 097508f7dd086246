"""The capacity of a table and its indexes, and the indexes themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import pick
from driftwarden.errors import UpdateFailed, UpdateNotSupported
from driftwarden.model import ABSENT
from driftwarden.resources.dynamodb.changes import change
from driftwarden.resources.dynamodb.settings import key_and_projection

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_PROVISIONED: Final = "PROVISIONED"
_UNITS: Final = "ProvisionedThroughput"
_THROUGHPUTS: Final = (_UNITS, "OnDemandThroughput", "WarmThroughput")

Index = Mapping[str, Any]


def bill(update: Update) -> None:
    """A table with recorded units is provisioned, also where its billing mode was not recorded. One without
    units says nothing about the mode.
    """
    mode = _wanted_mode(update)
    if mode == _live_mode(update):
        return
    if mode != _PROVISIONED:
        change(update, BillingMode=mode)
        return
    units = _units(update.desired)
    if not units:
        raise UpdateFailed("the record holds no capacity that the table could be provisioned with")
    recorded = _by_name(update.desired)
    named = {name: _units(recorded.get(name, {})) for name in _by_name(update.live)}
    if not all(named.values()):
        raise UpdateFailed("an index has no recorded capacity that it could be provisioned with")
    indexes = [{"Update": {"IndexName": name, _UNITS: capacity}} for name, capacity in named.items()]
    more = {"GlobalSecondaryIndexUpdates": indexes} if indexes else {}
    change(update, BillingMode=mode, ProvisionedThroughput=units, **more)


def provision(update: Update) -> None:
    """Last of all, because it stops where Application Auto Scaling governs the capacity."""
    if _UNITS not in update.drifted or _wanted_mode(update) != _PROVISIONED or _switches(update):
        return
    units = _units(update.desired)
    if not units:
        raise UpdateFailed("the record holds no capacity that the table could be provisioned with")
    _refuse_scaled(update)
    change(update, ProvisionedThroughput=units)


def index(update: Update) -> None:
    """One index a call: new ones first, then the capacity of those that stay, then those that have to go."""
    desired, live = _by_name(update.desired), _by_name(update.live)
    missing = [name for name in desired if name not in live]
    extra = [name for name in live if name not in desired]
    stay = [name for name in desired if name in live and desired[name] != live[name]]
    if not (missing or extra or stay):
        raise UpdateNotSupported("attribute definitions come and go with the indexes that use them")
    if other_keys(list(desired.values()), list(live.values())):
        raise UpdateNotSupported("the keys and the projection of an index are chosen when it is made")
    present = list(live.values())
    for name in missing:
        present.append(desired[name])
        _create(update, desired[name], present)
    for name in stay:
        _size(update, desired[name], live[name])
    for name in extra:
        change(update, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": name}}])


def other_keys(desired: Any, live: Any) -> bool:
    """Whether an index has other keys or another projection than recorded; only a new index can."""
    ours, theirs = (_keys(side) for side in (desired, live))
    return any(ours[name] != theirs[name] for name in ours.keys() & theirs.keys())


def loses_index(desired: Any, live: Any) -> bool:
    """Whether AWS has an index that the record does not list."""
    return bool(_keys(live).keys() - _keys(desired).keys())


def _keys(indexes: Any) -> dict[str, Any]:
    listed = indexes if isinstance(indexes, list) else []
    return {item["IndexName"]: key_and_projection(item) for item in listed}


def _create(update: Update, wanted: Index, present: list[Index]) -> None:
    """DynamoDB takes the definitions of all attributes that are a key, and of no others."""
    keyed = [update.live, *(update.live.get("LocalSecondaryIndexes") or ()), *present]
    used = {key["AttributeName"] for holder in keyed for key in holder.get("KeySchema", ())}
    known = {
        a["AttributeName"]: a for bag in (update.live, update.desired) for a in bag["AttributeDefinitions"]
    }
    created = {**key_and_projection(wanted), **pick("OnDemandThroughput", "WarmThroughput")(wanted)}
    if _wanted_mode(update) == _PROVISIONED:
        created |= pick(_UNITS)(wanted)
    change(
        update,
        AttributeDefinitions=[known[name] for name in sorted(used & known.keys())],
        GlobalSecondaryIndexUpdates=[{"Create": created}],
    )


def _size(update: Update, wanted: Index, found: Index) -> None:
    for name in _THROUGHPUTS:
        value = wanted.get(name)
        if not value or value == found.get(name):
            continue
        if name == _UNITS:
            if _wanted_mode(update) != _PROVISIONED or _switches(update):
                continue
            _refuse_scaled(update, f"/index/{wanted['IndexName']}")
        sized = {"IndexName": wanted["IndexName"], name: value}
        change(update, GlobalSecondaryIndexUpdates=[{"Update": sized}])


def _refuse_scaled(update: Update, index: str = "") -> None:
    resource = f"table/{update.id}{index}"
    answer = update.ask(
        "DescribeScalableTargets", {"ServiceNamespace": "dynamodb", "ResourceIds": [resource]}
    )
    if answer.get("ScalableTargets"):
        raise UpdateFailed(
            f"Application Auto Scaling governs the capacity of {resource}, so it stays as it is"
        )


def _wanted_mode(update: Update) -> str:
    if "BillingMode" in update.drifted:
        return str(update.desired["BillingMode"])
    return _PROVISIONED if _UNITS in update.drifted and _units(update.desired) else _live_mode(update)


def _live_mode(update: Update) -> str:
    return str(update.get("main.BillingModeSummary.BillingMode", _PROVISIONED))


def _switches(update: Update) -> bool:
    return _wanted_mode(update) != _live_mode(update)


def _units(holder: Mapping[str, Any]) -> dict[str, Any]:
    """The units of a table or an index; none where they are zero, as on-demand tables answer them."""
    found: dict[str, Any] = pick("ReadCapacityUnits", "WriteCapacityUnits")(holder.get(_UNITS) or {})
    return found if all(found.get(unit) for unit in ("ReadCapacityUnits", "WriteCapacityUnits")) else {}


def _by_name(bag: Mapping[str, Any]) -> dict[str, Index]:
    indexes = bag.get("GlobalSecondaryIndexes", ABSENT)
    return {item["IndexName"]: item for item in indexes} if isinstance(indexes, list) else {}
