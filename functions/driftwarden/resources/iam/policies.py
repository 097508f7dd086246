"""IAM policies: those inside of principals, and those that stand by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer, NotAddressable, ResourceGone
from driftwarden.convert import every, json_document, non_empty, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.iam.parts import GONE, INLINE_POLICY, part
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_PRINCIPALS: Final = (
    ("Roles", "GetRolePolicy", "RoleName"),
    ("Groups", "GetGroupPolicy", "GroupName"),
    ("Users", "GetUserPolicy", "UserName"),
)


def _read_policy(reading: Reading) -> dict[str, Any]:
    """An inline policy has no identity of its own: it is read on every principal of its first kind.

    Principals that lost it are left out; of documents that differ, one that was changed is shown.
    """
    template = reading.properties
    kind, operation, member = _first_kind(reading)
    name = reading.id.split(":", 1)[0]
    documents = {
        principal: _document(reading, operation, {member: principal, "PolicyName": name})
        for principal in template[kind]
    }
    holders = [principal for principal, document in documents.items() if document is not ABSENT]
    if not holders:
        raise ResourceGone
    changed = [p for p in holders if documents[p] != template["PolicyDocument"]]
    return {
        "PolicyName": name,
        "PolicyDocument": documents[(changed or holders)[0]],
        **{key: template[key] for key, _, _ in _PRINCIPALS if key in template},
        kind: holders,
    }


def _first_kind(reading: Reading) -> tuple[str, str, str]:
    if reading.get("props.PolicyDocument") is not ABSENT:
        for kind in _PRINCIPALS:
            if reading.properties.get(kind[0]):
                return kind
    raise NotAddressable(f"the record of {reading.record.logical_id} names no principal that has the policy")


def _document(reading: Reading, operation: str, params: Mapping[str, str]) -> Any:
    answer = reading.call(operation, params, absent=GONE)
    if answer is not ABSENT and not answer.get("PolicyDocument"):
        raise EmptyAnswer(f"iam:{operation}", "PolicyDocument")
    return answer if answer is ABSENT else answer["PolicyDocument"]


def _put_documents(update: Update) -> None:
    """Only on the principals that were read, and only where the copy differs: no copy is changed unseen."""
    kind, get, member = _first_kind(update.reading)
    wanted, name = update.desired.get("PolicyDocument"), update.id.split(":", 1)[0]
    if not wanted:
        raise UpdateFailed(f"the record holds no document for the inline policy {name}")
    holders = update.desired.get(kind) or []
    for principal in holders:
        policy = {member: principal, "PolicyName": name}
        live = update.ask(get, policy, absent=GONE)
        if live is ABSENT or live.get("PolicyDocument") != wanted:
            update.call(f"Put{get[3:]}", {**policy, "PolicyDocument": json_document.write(wanted)})
    for principal in update.live.get(kind) or []:
        if principal not in holders:
            update.call(f"Delete{get[3:]}", {member: principal, "PolicyName": name}, done=GONE)


POLICY = ResourceType(
    name=INLINE_POLICY,
    service="iam",
    gone=GONE,
    more=tuple(Call(operation) for _, operation, _ in _PRINCIPALS),
    custom=_read_policy,
    compared=TypeFacts(kinds={"Roles": Kind.SET, "Users": Kind.SET, "Groups": Kind.SET}),
    writes=(
        By(
            _put_documents,
            ("PolicyDocument", *(kind for kind, _, _ in _PRINCIPALS)),
            tuple(
                Write(verb + operation[3:]) for _, operation, _ in _PRINCIPALS for verb in ("Put", "Delete")
            ),
            unsets=False,
        ),
    ),
)

_VERSIONS: Final = 5
"""A managed policy keeps no more of them (IAM quotas)."""


def _set_document(update: Update) -> None:
    """A document is changed by a new version; where all are used up, the oldest that is not in force goes."""
    versions = update.ask("ListPolicyVersions", {"PolicyArn": update.id})["Versions"]
    if len(versions) >= _VERSIONS:
        idle = [version for version in versions if not version["IsDefaultVersion"]]
        oldest = min(idle, key=lambda version: int(version["VersionId"][1:]))
        update.call("DeletePolicyVersion", {"PolicyArn": update.id, "VersionId": oldest["VersionId"]})
    document = json_document.write(update.desired["PolicyDocument"])
    update.call(
        "CreatePolicyVersion", {"PolicyArn": update.id, "PolicyDocument": document, "SetAsDefault": True}
    )


def _attach(update: Update) -> None:
    """Attaches, and never detaches: others outside of the stack may have attached the policy."""
    for kind, _, member in _PRINCIPALS:
        live = update.live.get(kind) or []
        for principal in update.desired.get(kind) or []:
            if principal not in live:
                update.call(f"Attach{member[:-4]}Policy", {member: principal, "PolicyArn": update.id})


def _would_detach(desired: Any, live: Any) -> bool:
    recorded = desired if isinstance(desired, list) else []
    return isinstance(live, list) and any(principal not in recorded for principal in live)


_ATTACHED_ELSEWHERE: Final = Caution(
    "it is attached to more than the record names, and whoever attached it would lose permissions",
    _would_detach,
)

MANAGED_POLICY = ResourceType(
    name="AWS::IAM::ManagedPolicy",
    service="iam",
    gone=GONE,
    calls=(
        Call("GetPolicy", {"PolicyArn": "{id}"}, at="Policy"),
        Call(
            "GetPolicyVersion",
            {"PolicyArn": "{id}", "VersionId": "{main.DefaultVersionId}"},
            at="PolicyVersion.Document",
            into="document",
            absent=GONE,
        ),
        Call(
            "ListEntitiesForPolicy",
            {"PolicyArn": "{id}"},
            at=lambda lists, _: {"PolicyGroups": [], "PolicyRoles": [], "PolicyUsers": [], **lists},
            into="entities",
            pages=True,
            absent=GONE,
        ),
        part("ListPolicyTags", {"PolicyArn": "{id}"}, "Tags", "tags"),
    ),
    same=("Path",),
    fields={
        "ManagedPolicyName": "main.PolicyName",
        "Description": From("main.Description", default=""),
        "PolicyDocument": From("document", non_empty()),
        "Groups": From("entities.PolicyGroups", every("GroupName")),
        "Roles": From("entities.PolicyRoles", every("RoleName")),
        "Users": From("entities.PolicyUsers", every("UserName")),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(
        kinds={"Roles": Kind.AT_LEAST, "Users": Kind.AT_LEAST, "Groups": Kind.AT_LEAST},
        defaults={"Path": "/"},
    ),
    asks=(Call("ListPolicyVersions"),),
    writes=(
        By(
            _set_document,
            ("PolicyDocument",),
            (Write("DeletePolicyVersion"), Write("CreatePolicyVersion")),
            unsets=False,
        ),
        By(
            _attach,
            tuple(kind for kind, _, _ in _PRINCIPALS),
            tuple(Write(f"Attach{member[:-4]}Policy") for _, _, member in _PRINCIPALS),
        ),
        Tags("TagPolicy", "UntagPolicy", {"PolicyArn": "{id}"}),
    ),
    refuses={kind: _ATTACHED_ELSEWHERE for kind, _, _ in _PRINCIPALS},
    warns={"PolicyDocument": "everybody to whom it is attached gets other permissions"},
)
