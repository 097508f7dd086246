"""IAM roles, users and groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import NotAddressable
from driftwarden.convert import every, json_document, non_empty, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, Kind, Rule, TypeFacts
from driftwarden.resources.iam.parts import GONE, managed_by_siblings, part
from driftwarden.resources.iam.principal_writes import groups_of_user, inline_policies, managed_policies
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Tags, To, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading


def _inline_policies(operation: str, principal: str, siblings: str) -> Callable[[Reading], Any]:
    """Inline policies in template order, unknown ones after them by name.

    Policies that an AWS::IAM::Policy of the stack put on the principal are that resource's own and left out.
    """

    def read(reading: Reading) -> Any:
        names = reading.get("inline")
        if names is ABSENT:
            return ABSENT
        found = []
        for name in _in_template_order(set(names) - managed_by_siblings(reading, siblings), reading):
            answer = reading.call(operation, {principal: reading.id, "PolicyName": name}, absent=GONE)
            if answer is ABSENT:
                return ABSENT
            if answer.get("PolicyDocument"):
                found.append({"PolicyName": name, "PolicyDocument": answer["PolicyDocument"]})
        return found

    return read


def _in_template_order(names: set[str], reading: Reading) -> list[str]:
    declared = [policy.get("PolicyName") for policy in reading.get("props.Policies", [])]
    first = [name for name in dict.fromkeys(declared) if name in names]
    return first + sorted(names.difference(first))


_ROLE: Final = {"RoleName": "{id}"}
_USER: Final = {"UserName": "{id}"}
_GROUP: Final = {"GroupName": "{id}"}

_UNBOUND: Final = Caution(
    "permissions that the boundary withholds now are granted",
    lambda desired, _: not desired or desired is ABSENT,
)


def _boundary(kind: str) -> tuple[Write, Write]:
    """Setting and removing it are two operations."""
    name = {f"{kind}Name": "{id}"}
    return (
        Write(f"Put{kind}PermissionsBoundary", name, sets={"PermissionsBoundary": To("PermissionsBoundary")}),
        Write(f"Delete{kind}PermissionsBoundary", name, removes=("PermissionsBoundary",)),
    )


_OWN_POLICIES: Final[Mapping[str, Rule]] = {"Policies": Keyed(("PolicyName",)), "ManagedPolicyArns": Kind.SET}

ROLE = ResourceType(
    name="AWS::IAM::Role",
    service="iam",
    gone=GONE,
    calls=(
        Call("GetRole", _ROLE, at="Role"),
        part("ListAttachedRolePolicies", _ROLE, "AttachedPolicies", "attached", pages=False),
        part("ListRolePolicies", _ROLE, "PolicyNames", "inline"),
        part("ListRoleTags", _ROLE, "Tags", "tags"),
    ),
    more=(Call("GetRolePolicy"),),
    same=("RoleName", "MaxSessionDuration", "Path"),
    fields={
        "Description": From("main.Description", default=""),
        "PermissionsBoundary": From("main.PermissionsBoundary.PermissionsBoundaryArn", default=""),
        "AssumeRolePolicyDocument": From("main.AssumeRolePolicyDocument", non_empty()),
        "ManagedPolicyArns": From("attached", every("PolicyArn")),
        "Policies": _inline_policies("GetRolePolicy", "RoleName", "Roles"),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(
        kinds=_OWN_POLICIES,
        defaults={"Path": "/", "MaxSessionDuration": 3600},
        users_own=(*_OWN_POLICIES, "Description", "PermissionsBoundary"),
    ),
    writes=(
        Write(
            "UpdateRole",
            _ROLE,
            same=("MaxSessionDuration",),
            sets={"Description": "Description"},
            unset={"MaxSessionDuration": 3600, "Description": ""},
            style="whole",
        ),
        Write(
            "UpdateAssumeRolePolicy",
            _ROLE,
            sets={"AssumeRolePolicyDocument": To("PolicyDocument", json_document)},
        ),
        *_boundary("Role"),
        managed_policies("Role"),
        inline_policies("Role"),
        Tags("TagRole", "UntagRole", _ROLE),
    ),
    warns={
        "AssumeRolePolicyDocument": "who may assume the role changes",
        "PermissionsBoundary": _UNBOUND,
    },
)

USER = ResourceType(
    name="AWS::IAM::User",
    service="iam",
    gone=GONE,
    calls=(
        Call("GetUser", _USER, at="User"),
        part("ListAttachedUserPolicies", _USER, "AttachedPolicies", "attached", pages=False),
        part("ListGroupsForUser", _USER, "Groups", "groups", pages=False),
        part("ListUserPolicies", _USER, "PolicyNames", "inline"),
    ),
    more=(Call("GetUserPolicy"),),
    same=("UserName", "Path"),
    fields={
        "PermissionsBoundary": From("main.PermissionsBoundary.PermissionsBoundaryArn", default=""),
        "ManagedPolicyArns": From("attached", every("PolicyArn")),
        "Groups": From("groups", every("GroupName")),
        "Policies": _inline_policies("GetUserPolicy", "UserName", "Users"),
    },
    compared=TypeFacts(
        kinds={**_OWN_POLICIES, "Groups": Kind.SET},
        defaults={"Path": "/"},
        users_own=(*_OWN_POLICIES, "Groups"),
    ),
    writes=(
        *_boundary("User"),
        managed_policies("User"),
        groups_of_user(),
        inline_policies("User"),
    ),
    warns={"PermissionsBoundary": _UNBOUND},
)

GROUP = ResourceType(
    name="AWS::IAM::Group",
    service="iam",
    gone=GONE,
    calls=(
        Call("GetGroup", _GROUP, at="Group"),
        part("ListAttachedGroupPolicies", _GROUP, "AttachedPolicies", "attached", pages=False),
        part("ListGroupPolicies", _GROUP, "PolicyNames", "inline"),
    ),
    more=(Call("GetGroupPolicy"),),
    same=("GroupName", "Path"),
    fields={
        "ManagedPolicyArns": From("attached", every("PolicyArn")),
        "Policies": _inline_policies("GetGroupPolicy", "GroupName", "Groups"),
    },
    compared=TypeFacts(kinds=_OWN_POLICIES, defaults={"Path": "/"}, users_own=tuple(_OWN_POLICIES)),
    writes=(managed_policies("Group"), inline_policies("Group")),
)


def _no_reader(reading: Reading) -> Mapping[str, Any]:
    raise NotAddressable("IAM has no operation that reads one addition of users to a group")


USER_TO_GROUP_ADDITION = ResourceType(name="AWS::IAM::UserToGroupAddition", service="iam", custom=_no_reader)
