"""Amazon EventBridge Scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.convert import capitalised, inside, iso_time, renamed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_DEFAULT_GROUP = "default"

_target = inside(
    EcsParameters=inside(
        NetworkConfiguration=renamed({"awsvpcConfiguration": "AwsvpcConfiguration"}),
        PlacementStrategy=capitalised(),
        PlacementConstraints=capitalised(),
        CapacityProviderStrategy=capitalised(),
    )
)


def _declared_group(reading: Reading) -> Any:
    return reading.get("props.GroupName", _DEFAULT_GROUP)


def _group(reading: Reading) -> Any:
    """Every schedule has a group; the default one counts only where the template names it."""
    group = reading.get("main.GroupName")
    return ABSENT if group == _DEFAULT_GROUP and "GroupName" not in reading.properties else group


def _what_is_not_a_property(reading: Reading) -> Any:
    """UpdateSchedule resets what is left out; the name of a schedule is unique in its group alone."""
    schedule = {"Name": reading.id, "GroupName": reading.get("main.GroupName", _DEFAULT_GROUP)}
    after = reading.get("main.ActionAfterCompletion")
    return schedule if after is ABSENT else {**schedule, "ActionAfterCompletion": after}


def _emptied(desired: Any, live: Any) -> bool:
    return desired is ABSENT or not desired


_PROPERTIES = (
    "Description",
    "ScheduleExpression",
    "ScheduleExpressionTimezone",
    "State",
    "KmsKeyArn",
    "FlexibleTimeWindow",
    "StartDate",
    "EndDate",
    "Target",
)

SCHEDULE = ResourceType(
    name="AWS::Scheduler::Schedule",
    service="scheduler",
    gone=("ResourceNotFoundException",),
    calls=(Call("GetSchedule", {"Name": "{id}", "GroupName": _declared_group}),),
    same=(
        "Name",
        "Description",
        "ScheduleExpression",
        "ScheduleExpressionTimezone",
        "State",
        "KmsKeyArn",
        "FlexibleTimeWindow",
    ),
    fields={
        "GroupName": _group,
        "StartDate": From("main.StartDate", iso_time),
        "EndDate": From("main.EndDate", iso_time),
        "Target": From("main.Target", _target),
    },
    compared=TypeFacts(defaults={"State": "ENABLED"}),
    writes=(Write("UpdateSchedule", _what_is_not_a_property, same=_PROPERTIES, style="whole"),),
    refuses={
        "ScheduleExpression": Caution("a schedule cannot be without its expression", _emptied),
        "FlexibleTimeWindow": Caution("a schedule cannot be without its window", _emptied),
        "Target": Caution("a schedule cannot be without its target", _emptied),
    },
    warns={
        "State": Caution("a schedule that was paused runs again", lambda desired, _: desired != "DISABLED")
    },
)

TYPES = (SCHEDULE,)
