"""Amazon EventBridge rules and event buses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import (
    Converter,
    back,
    capitalised,
    each,
    inside,
    json_document,
    non_empty,
    pick,
    renamed,
    tag_list,
)
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE = ("ResourceNotFoundException",)
_DEFAULT_BUS = "default"
_ENTRIES_PER_CALL: Final = 10

_ecs_names = renamed({"Tags": "TagList", "PlacementStrategy": "PlacementStrategies"})
_ecs_members = inside(
    NetworkConfiguration=renamed({"awsvpcConfiguration": "AwsVpcConfiguration"}),
    PlacementStrategy=capitalised(),
    PlacementConstraints=capitalised(),
    CapacityProviderStrategy=capitalised(),
)


def _rule_name(reading: Reading) -> str:
    return reading.id.rsplit("/", 1)[-1]


def _bus_name(reading: Reading) -> str:
    """The bus in the rule's ARN, `...:rule/BUS/NAME`; names of partner buses hold slashes themselves."""
    _, _, path = reading.id.partition(":rule/")
    return path.rpartition("/")[0] or _DEFAULT_BUS


def _rule_arn(reading: Reading) -> Any:
    """The state may know the rule by its name alone, tags are only told for its ARN."""
    arn = reading.get("main.Arn", reading.id)
    return reading.id if reading.id.startswith("arn:") else arn


def _other_bus(name: str) -> Any:
    return ABSENT if name == _DEFAULT_BUS else name


_ecs_parameters = Converter(
    read=lambda answer: _ecs_names(_ecs_members(answer)),
    write=lambda value: back(_ecs_members, _ecs_names.write(value)),
)
"""EventBridge spells parts of an ECS target as ECS does, CloudFormation does not."""

_target = inside(EcsParameters=_ecs_parameters)


def _dead_letters(arn: str) -> dict[str, str]:
    return {"Arn": arn}


def _leave_to_its_service(update: Update) -> None:
    """A rule that an AWS service made for itself can be changed by force alone."""
    owner = update.get("main.ManagedBy")
    if owner is not ABSENT:
        raise UpdateFailed(f"the rule is managed by {owner}")


def _set_targets(update: Update) -> None:
    """Targets are added before others are removed. EventBridge answers without error even where it took only
    some of them.
    """
    rule = {"Rule": _rule_name(update.reading), "EventBusName": _bus_name(update.reading)}
    wrong, extra = update.entries("Targets", "Id")
    for some in _batches([back(_target, target) for target in wrong]):
        _check(update.call("PutTargets", {**rule, "Targets": some}))
    for some in _batches([target["Id"] for target in extra]):
        _check(update.call("RemoveTargets", {**rule, "Ids": some}))


def _batches(entries: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(entries), _ENTRIES_PER_CALL):
        yield entries[start : start + _ENTRIES_PER_CALL]


def _check(answer: Mapping[str, Any]) -> None:
    if answer.get("FailedEntryCount"):
        first: Mapping[str, str] = next(iter(answer.get("FailedEntries", ())), {})
        said = " ".join(first[name] for name in ("TargetId", "ErrorCode", "ErrorMessage") if first.get(name))
        raise UpdateFailed(f"EventBridge did not take {answer['FailedEntryCount']} targets: {said}")


def _loses_targets(desired: Any, live: Any) -> bool:
    recorded, now = (_ids(side) for side in (desired, live))
    return bool(now - recorded)


def _ids(targets: Any) -> set[Any]:
    listed: Iterable[Mapping[str, Any]] = targets if isinstance(targets, list) else ()
    return {target.get("Id") for target in listed}


def _lacks_trigger(update: Update) -> bool:
    return update.unset("EventPattern") and update.unset("ScheduleExpression")


def _keep_a_trigger(update: Update) -> None:
    """PutRule replaces the whole rule, which has to have at least one of the two."""
    if _lacks_trigger(update):
        raise UpdateFailed("a rule needs an event pattern or a schedule")


_RULE_PROPERTIES: Final = ("Description", "ScheduleExpression", "EventPattern", "State", "RoleArn")


RULE = ResourceType(
    name="AWS::Events::Rule",
    service="events",
    gone=_GONE,
    calls=(
        Call("DescribeRule", {"Name": _rule_name, "EventBusName": _bus_name}),
        Call(
            "ListTargetsByRule",
            {"Rule": _rule_name, "EventBusName": _bus_name},
            at="Targets",
            into="targets",
            pages=True,
            absent=_GONE,
        ),
        Call("ListTagsForResource", {"ResourceARN": _rule_arn}, at="Tags", into="tags", absent=_GONE),
    ),
    same=("Name", "Description", "ScheduleExpression", "State", "RoleArn"),
    fields={
        "EventBusName": From("main.EventBusName", _other_bus),
        "EventPattern": From("main.EventPattern", json_document),
        "Targets": From("targets", each(_target)),
        "Tags": From("tags", tag_list),
    },
    placeholders={"Description": ""},
    compared=TypeFacts(
        kinds={"Targets": Keyed(("Id",))}, defaults={"EventBusName": "default", "State": "ENABLED"}
    ),
    writes=(
        By(_leave_to_its_service, (*_RULE_PROPERTIES, "Targets"), ()),
        By(_keep_a_trigger, _RULE_PROPERTIES, ()),
        Write(
            "PutRule",
            {"Name": _rule_name, "EventBusName": _bus_name},
            sets={name: name for name in _RULE_PROPERTIES},
            style="whole",
        ),
        By(_set_targets, ("Targets",), (Write("PutTargets"), Write("RemoveTargets"))),
        Tags("TagResource", "UntagResource", {"ResourceARN": _rule_arn}),
    ),
    warns={
        "State": Caution("a rule that was paused fires again", lambda desired, _: desired != "DISABLED"),
        "Targets": Caution("targets that the record does not list get no more events", _loses_targets),
    },
)


def _update_bus(update: Update) -> None:
    """A member that is left out goes back to its default, so all of them are sent."""
    request = {"Name": update.id}
    for name in ("Description", "KmsKeyIdentifier", "LogConfig"):
        if not update.unset(name):
            request[name] = update.desired[name]
    if not update.unset("DeadLetterConfig.Arn"):
        request["DeadLetterConfig"] = update.desired["DeadLetterConfig"]
    update.call("UpdateEventBus", request)


EVENT_BUS = ResourceType(
    name="AWS::Events::EventBus",
    service="events",
    gone=_GONE,
    calls=(
        Call("DescribeEventBus", {"Name": "{id}"}),
        Call("ListTagsForResource", {"ResourceARN": "{main.Arn}"}, at="Tags", into="tags"),
    ),
    same=("Name", "Description", "KmsKeyIdentifier"),
    fields={
        "DeadLetterConfig": From("main.DeadLetterConfig.Arn", _dead_letters, default={"Arn": ""}),
        "LogConfig": From("main.LogConfig", non_empty(pick("IncludeDetail", "Level"))),
        "Policy": From("main.Policy", non_empty(json_document)),
        "Tags": From("tags", tag_list, default=[]),
    },
    placeholders={"Description": "", "KmsKeyIdentifier": ""},
    compared=TypeFacts(users_own=("Policy",)),
    writes=(
        By(
            _update_bus,
            ("Description", "KmsKeyIdentifier", "DeadLetterConfig", "LogConfig"),
            (Write("UpdateEventBus"),),
        ),
        Write("PutPermission", {"EventBusName": "{id}"}, same=("Policy",)),
        Write(
            "RemovePermission",
            {"EventBusName": "{id}", "RemoveAllPermissions": True},
            removes=("Policy",),
            done=("ResourceNotFoundException",),
        ),
        Tags("TagResource", "UntagResource", {"ResourceARN": "{main.Arn}"}),
    ),
    warns={
        "KmsKeyIdentifier": "senders and archives without access to that key fail",
        "Policy": "other accounts than now can send events",
    },
)

TYPES = (RULE, EVENT_BUS)
