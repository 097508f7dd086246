"""AWS Systems Manager."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import json_document, tag_map
from driftwarden.errors import UpdateFailed
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write, becomes

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_ENCRYPTED: Final = "SecureString"
_PARAMETER = {"ResourceType": "Parameter", "ResourceId": "{id}"}


def _texts(policies: list[dict[str, Any]]) -> list[Any]:
    return [json_document(policy["PolicyText"]) for policy in policies if policy.get("PolicyText")]


def _put(update: Update) -> None:
    """PutParameter always takes the value, and that of a SecureString is only known encrypted: writing it
    back would destroy the secret. All other members are sent as they are, so that none is lost.
    """
    wanted = update.desired
    if _ENCRYPTED in (update.get("main.Type"), wanted.get("Type")):
        raise UpdateFailed("the value of a SecureString is unknown here, and every update would replace it")
    if not wanted.get("Value"):
        raise UpdateFailed("the record holds no value for the parameter")
    request = {"Name": update.id, "Overwrite": True, "Value": str(wanted["Value"])}
    if "Type" in update.drifted:
        request["Type"] = wanted["Type"]
    for name in ("DataType", "Tier"):
        if wanted.get(name):
            request[name] = wanted[name]
    for name in ("Description", "AllowedPattern"):
        if wanted.get(name) or name in update.drifted:
            request[name] = wanted.get(name) or ""
    if wanted.get("Policies") or "Policies" in update.drifted:
        request["Policies"] = _policies(wanted.get("Policies"))
    update.call("PutParameter", request)


def _policies(value: Any) -> str:
    """A list of documents as JSON text; a list with an empty document removes all."""
    found = json_document(value) or [{}]
    return json.dumps([json_document(policy) for policy in found])


PARAMETER = ResourceType(
    name="AWS::SSM::Parameter",
    service="ssm",
    gone=("ParameterNotFound",),
    calls=(
        Call("GetParameter", {"Name": "{id}", "WithDecryption": False}, at="Parameter"),
        # A filtered DescribeParameters may answer empty pages before the one that holds the parameter.
        Call(
            "DescribeParameters",
            {"ParameterFilters": [{"Key": "Name", "Values": ["{id}"]}]},
            at="Parameters",
            into="described",
            pages=True,
        ),
        Call(
            "ListTagsForResource",
            {"ResourceType": "Parameter", "ResourceId": "{id}"},
            at="TagList",
            into="tags",
            absent=("InvalidResourceId", "ParameterNotFound"),
        ),
    ),
    same=("Type", "Value", "DataType"),
    fields={
        "Name": "id",
        "Description": From("described.0.Description", default=""),
        "AllowedPattern": From("described.0.AllowedPattern", default=""),
        "Tier": "described.0.Tier",
        "Policies": From("described.0.Policies", _texts, default=[]),
        "Tags": From("tags", tag_map),
    },
    writes=(
        Tags("AddTagsToResource", "RemoveTagsFromResource", _PARAMETER),
        By(
            _put,
            ("Type", "Value", "DataType", "Description", "AllowedPattern", "Tier", "Policies"),
            (Write("PutParameter"),),
        ),
    ),
    refuses={
        "Type": Caution("the value of a SecureString is unknown here", lambda *both: _ENCRYPTED in both),
        "Tier": Caution("an advanced parameter cannot become a standard one", becomes("Standard")),
    },
    warns={"Tier": Caution("advanced parameters are charged for", becomes("Advanced"))},
)

TYPES = (PARAMETER,)

_TARGET_KINDS: Final = {"Targets": Kind.SET, "Targets.*.Values": Kind.SET}

FACTS = {
    "AWS::SSM::Association": TypeFacts(kinds=_TARGET_KINDS),
    "AWS::SSM::MaintenanceWindowTarget": TypeFacts(kinds=_TARGET_KINDS),
    "AWS::SSM::MaintenanceWindowTask": TypeFacts(kinds=_TARGET_KINDS),
}
