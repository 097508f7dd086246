"""The IAM actions that a scan and a revert need, derived from the declared calls and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from driftwarden.remedy.update import operations_of
from driftwarden.resources.actions import action_for
from driftwarden.resources.registry import find
from driftwarden.resources.spec import Call, ResourceType, Write
from driftwarden.skipped import is_skipped

CLOUD_CONTROL_READ = action_for("cloudcontrol", "GetResource")
CLOUD_CONTROL_WRITES = (
    action_for("cloudcontrol", "GetResourceRequestStatus"),
    action_for("cloudcontrol", "UpdateResource"),
)


def read_actions(resource_types: Iterable[str]) -> tuple[str, ...]:
    """Every IAM action that reading these CloudFormation types takes, sorted.

    A type without a declaration needs `cloudformation:GetResource` and, besides, whatever its Cloud Control
    handler calls with the caller's credentials: `through_cloud_control` names those types.
    """
    actions: set[str] = set()
    for name in resource_types:
        spec = find(name)
        if spec is not None:
            actions.update(_actions(spec, (*spec.calls, *spec.more)))
        elif not is_skipped(name):
            actions.add(CLOUD_CONTROL_READ)
    return tuple(sorted(actions))


def write_actions(resource_types: Iterable[str]) -> tuple[str, ...]:
    """Every IAM action that pushing recorded values back takes beside `read_actions`, sorted.

    Besides, a write may hand a role to a service (`iam:PassRole` on that role), and the handler of a type
    without a declaration calls its service with the caller's credentials.
    """
    actions: set[str] = set()
    for name in resource_types:
        spec = find(name)
        if spec is not None:
            writes = (one for write in spec.writes for one in operations_of(write))
            actions.update(_actions(spec, (*spec.asks, *writes)))
        elif not is_skipped(name):
            actions.update(CLOUD_CONTROL_WRITES)
    return tuple(sorted(actions))


def through_cloud_control(resource_types: Iterable[str]) -> tuple[str, ...]:
    """The types among these that only Cloud Control can read, sorted."""
    return tuple(sorted({name for name in resource_types if find(name) is None and not is_skipped(name)}))


def _actions(spec: ResourceType, requests: Iterable[Call | Write]) -> set[str]:
    return {one.action or action_for(one.service or spec.service, one.operation) for one in requests}
