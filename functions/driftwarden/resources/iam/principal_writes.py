"""Pushes back the policies and memberships of roles, users and groups: the difference, never the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from driftwarden.convert import json_document
from driftwarden.errors import UpdateFailed
from driftwarden.resources.iam.parts import GONE, managed_by_siblings
from driftwarden.resources.spec import By, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_FULL = "LimitExceeded"


def managed_policies(kind: str) -> By:
    """The attached policies of a `Role`, `User` or `Group`."""
    attach, detach = f"Attach{kind}Policy", f"Detach{kind}Policy"

    def run(update: Update) -> None:
        """Attaches before it detaches, so that permissions are at no time less than both sides grant."""
        name = {f"{kind}Name": update.id}
        _swap(
            update,
            "ManagedPolicyArns",
            add=lambda arn: update.call(attach, {**name, "PolicyArn": arn}),
            remove=lambda arn: update.call(detach, {**name, "PolicyArn": arn}, done=GONE),
        )

    return By(run, ("ManagedPolicyArns",), (Write(attach), Write(detach)))


def groups_of_user() -> By:
    """The groups that a user is in."""

    def run(update: Update) -> None:
        """Membership in groups that stay is left as it is."""
        name = {"UserName": update.id}
        _swap(
            update,
            "Groups",
            add=lambda group: update.call("AddUserToGroup", {**name, "GroupName": group}),
            remove=lambda group: update.call("RemoveUserFromGroup", {**name, "GroupName": group}, done=GONE),
        )

    return By(run, ("Groups",), (Write("AddUserToGroup"), Write("RemoveUserFromGroup")))


def _swap(update: Update, of: str, *, add: Callable[[str], object], remove: Callable[[str], object]) -> None:
    """Adds what lacks, then removes what is too much; where the quota is used up, one has to go first."""
    desired, live = (bag.get(of) or [] for bag in (update.desired, update.live))
    extra = [one for one in live if one not in desired]
    for one in desired:
        if one in live:
            continue
        try:
            add(one)
        except UpdateFailed as failed:
            if failed.code != _FULL or not extra:
                raise
            remove(extra.pop())
            add(one)
    for one in extra:
        remove(one)


def inline_policies(kind: str) -> By:
    """The inline policies of a `Role`, `User` or `Group`."""
    put, delete = f"Put{kind}Policy", f"Delete{kind}Policy"

    def run(update: Update) -> None:
        """Policies that an AWS::IAM::Policy of the stack owns are neither put nor deleted."""
        foreign = managed_by_siblings(update.reading, f"{kind}s")
        wrong, extra = (
            [policy for policy in policies if policy["PolicyName"] not in foreign]
            for policies in update.entries("Policies", "PolicyName")
        )
        empty = [policy["PolicyName"] for policy in wrong if not policy.get("PolicyDocument")]
        if empty:
            raise UpdateFailed(f"the record holds no document for the inline policy {empty[0]}")
        for policy in wrong:
            document = json_document.write(policy["PolicyDocument"])
            name = {f"{kind}Name": update.id, "PolicyName": policy["PolicyName"]}
            update.call(put, {**name, "PolicyDocument": document})
        for policy in extra:
            name = {f"{kind}Name": update.id, "PolicyName": policy["PolicyName"]}
            update.call(delete, name, done=GONE)

    return By(run, ("Policies",), (Write(put), Write(delete)))
