"""How IAM identities reach machines and programs: instance profiles and access keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.answers import ResourceGone
from driftwarden.convert import every
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.iam.parts import GONE
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def _set_role(update: Update) -> None:
    """A profile holds one role, so the old one leaves first; it comes back when the new one is refused."""
    wanted, live = (list(bag.get("Roles") or []) for bag in (update.desired, update.live))
    new, old = (
        [role for role in ours if role not in theirs] for ours, theirs in ((wanted, live), (live, wanted))
    )
    for role in new:
        if update.ask("GetRole", {"RoleName": role}, absent=GONE) is ABSENT:
            raise UpdateFailed(f"the recorded role {role} does not exist any more")
    profile = {"InstanceProfileName": update.id}
    for role in old:
        update.call("RemoveRoleFromInstanceProfile", {**profile, "RoleName": role}, done=GONE)
    try:
        for role in new:
            update.call("AddRoleToInstanceProfile", {**profile, "RoleName": role})
    except UpdateFailed:
        for role in old:
            update.call("AddRoleToInstanceProfile", {**profile, "RoleName": role})
        raise


INSTANCE_PROFILE = ResourceType(
    name="AWS::IAM::InstanceProfile",
    service="iam",
    gone=GONE,
    calls=(Call("GetInstanceProfile", {"InstanceProfileName": "{id}"}, at="InstanceProfile"),),
    same=("InstanceProfileName", "Path"),
    fields={"Roles": From("main.Roles", every("RoleName"), default=[])},
    asks=(Call("GetRole"),),
    writes=(
        By(
            _set_role,
            ("Roles",),
            (Write("RemoveRoleFromInstanceProfile"), Write("AddRoleToInstanceProfile")),
        ),
    ),
    warns={"Roles": "instances have no credentials for a moment"},
)


def _own_key(keys: Any, reading: Reading) -> Any:
    own = [key for key in keys.get("AccessKeyMetadata", []) if key.get("AccessKeyId") == reading.id]
    if not own:
        raise ResourceGone
    return own[0]


ACCESS_KEY = ResourceType(
    name="AWS::IAM::AccessKey",
    service="iam",
    gone=GONE,
    calls=(
        Call("GetAccessKeyLastUsed", {"AccessKeyId": "{id}"}, at="UserName"),
        Call("ListAccessKeys", {"UserName": "{main}"}, at=_own_key, into="key", pages=True),
    ),
    fields={"UserName": "key.UserName", "Status": "key.Status"},
    writes=(
        Write(
            "UpdateAccessKey",
            {"AccessKeyId": "{id}", "UserName": "{key.UserName}"},
            sets={"Status": "Status"},
        ),
    ),
    refuses={
        "Status": Caution(
            "a key that was switched off may have leaked; nobody but a person should switch it on again",
            becomes("Active"),
        )
    },
)

FACTS = {
    "AWS::IAM::OIDCProvider": TypeFacts(kinds={"Url": Kind.URL}),
}
