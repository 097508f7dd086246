"""AWS Secrets Manager. Only descriptions are read, never a secret's value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import each, non_empty, pick, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update


def _replicate(update: Update) -> None:
    """Replicas are added before others are removed. A replica's key cannot be changed in place."""
    live, desired = (_by_region(bag.get("ReplicaRegions")) for bag in (update.live, update.desired))
    if any(live[region] != desired[region] for region in live.keys() & desired.keys()):
        raise UpdateFailed("a replica gets another key only by being deleted and made again")
    secret = {"SecretId": update.id}
    missing = [desired[region] for region in sorted(desired.keys() - live.keys())]
    extra = sorted(live.keys() - desired.keys())
    if missing:
        update.call("ReplicateSecretToRegions", {**secret, "AddReplicaRegions": missing})
    if extra:
        update.call("RemoveRegionsFromReplication", {**secret, "RemoveReplicaRegions": extra})


def _by_region(replicas: Iterable[Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    known: Any = pick("Region", "KmsKeyId")
    return {replica["Region"]: known(replica) for replica in replicas or ()}


def _lists_more(desired: Any, live: Any) -> bool:
    regions = ({r.get("Region") for r in side} if side is not ABSENT else set() for side in (live, desired))
    now, recorded = regions
    return bool(now - recorded)


SECRET = ResourceType(
    name="AWS::SecretsManager::Secret",
    service="secretsmanager",
    gone=("ResourceNotFoundException",),
    calls=(Call("DescribeSecret", {"SecretId": "{id}"}),),
    same=("Name", "Type", "Description", "KmsKeyId"),
    fields={
        "ReplicaRegions": From(
            "ReplicationStatus", each(pick("Region", KmsKeyId=("KmsKeyId", non_empty()))), default=[]
        ),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    placeholders={"Description": "", "KmsKeyId": ""},
    compared=TypeFacts(kinds={"ReplicaRegions": Keyed(("Region",))}, users_own=("Description",)),
    writes=(
        Write(
            "UpdateSecret",
            {"SecretId": "{id}"},
            same=("Description", "KmsKeyId", "Type"),
            unset={"Description": "", "KmsKeyId": ""},
        ),
        By(
            _replicate,
            ("ReplicaRegions",),
            (Write("ReplicateSecretToRegions"), Write("RemoveRegionsFromReplication")),
        ),
        Tags("TagResource", "UntagResource", {"SecretId": "{id}"}),
    ),
    warns={
        "KmsKeyId": "readers need the other key; versions that cannot be encrypted again keep the one of now",
        "ReplicaRegions": Caution("replicas that the record does not list are deleted", _lists_more),
    },
)

TYPES = (SECRET,)
