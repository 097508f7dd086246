"""Modifying databases: what is applied at once, and what must never be applied along with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.spec import By, Caution, Write, becomes, emptied, older

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Modify:
    """How a database is modified: request members by property, apart by when they take effect.

    operation    ModifyDBInstance or ModifyDBCluster
    identifier   the request member that names the database
    status       the member of the main answer that says whether it is settled
    soon         applied at once whatever the request says (RDS User Guide, "Settings for DB instances")
    at_once      applied in the maintenance window unless ApplyImmediately is sent. That applies all that
                 waits for the window too, so it is never sent while something waits
    unset        what a database has without being told
    """

    operation: str
    identifier: str
    status: str
    soon: Mapping[str, str]
    at_once: Mapping[str, str]
    unset: Mapping[str, Any]

    def writes(self) -> tuple[By, ...]:
        """Two requests; the one that can be refused comes first."""
        declared = (Write(self.operation),)
        return (
            By(self._at_once, tuple(self.at_once), declared),
            By(self._soon, tuple(self.soon), declared),
        )

    def _at_once(self, update: Update) -> None:
        """Waits until it is applied: until then the live value is the old one."""
        waiting = ", ".join(_pending(update))
        if waiting:
            raise UpdateFailed(f"{waiting} waits for the maintenance window and would be applied at once too")
        self._send(update, self.at_once, ApplyImmediately=True)
        update.wait(lambda u: self._settled(u) and not _pending(u))

    def _soon(self, update: Update) -> None:
        """Without ApplyImmediately, so that nothing else happens before its time."""
        self._send(update, self.soon)
        update.wait(self._settled)

    def _send(self, update: Update, members: Mapping[str, str], **more: bool) -> None:
        request: dict[str, Any] = {self.identifier: update.id, **more}
        for name, member in members.items():
            value = self.unset.get(name) if update.unset(name) else update.wanted(name)
            if update.differs(name) and value is not None:
                request[member] = value
        update.call(self.operation, request)

    def _settled(self, update: Update) -> bool:
        return update.get(f"main.{self.status}", "") in {"available", "storage-optimization"}


def _pending(update: Update) -> list[str]:
    values: Mapping[str, Any] = update.get("main.PendingModifiedValues", {})
    return sorted(name for name, value in values.items() if value)


def instance_of_family(soon: tuple[str, ...]) -> Modify:
    """How an instance is modified that belongs to a cluster which decides about nearly everything."""
    return Modify(
        operation="ModifyDBInstance",
        identifier="DBInstanceIdentifier",
        status="DBInstanceStatus",
        soon={name: name for name in ("AutoMinorVersionUpgrade", "PreferredMaintenanceWindow", *soon)},
        at_once={"DBInstanceClass": "DBInstanceClass"},
        unset={"DeletionProtection": False},
    )


def cluster_of_family(**soon: str) -> Modify:
    """How a cluster is modified whose service applies all but the engine's version at once
    (ModifyDBCluster reference of Amazon DocumentDB and of Amazon Neptune, "ApplyImmediately")."""
    same = (
        "BackupRetentionPeriod",
        "DBClusterParameterGroupName",
        "DeletionProtection",
        "Port",
        "PreferredBackupWindow",
        "PreferredMaintenanceWindow",
        "VpcSecurityGroupIds",
    )
    return Modify(
        operation="ModifyDBCluster",
        identifier="DBClusterIdentifier",
        status="Status",
        soon={name: name for name in same} | soon,
        at_once={"EngineVersion": "EngineVersion"},
        unset={"BackupRetentionPeriod": 1, "DeletionProtection": False, "IamAuthEnabled": False},
    )


INSTANCE_REFUSES: Final[Mapping[str, str | Caution]] = {
    name: Caution("it cannot be unset", emptied)
    for name in ("AutoMinorVersionUpgrade", "DBInstanceClass", "PreferredMaintenanceWindow")
}
INSTANCE_WARNS: Final[Mapping[str, str | Caution]] = {
    "AutoMinorVersionUpgrade": Caution("the engine no longer gets its fixes", becomes(False)),
    "DBInstanceClass": "the database is not available while its instance is replaced",
}

DATABASE_REFUSES: Final[Mapping[str, str | Caution]] = {
    "EngineVersion": Caution("an engine cannot go back to an older version", older),
    "Port": Caution("a database needs a port", emptied),
}
DATABASE_WARNS: Final[Mapping[str, str | Caution]] = {
    "DeletionProtection": Caution("the protection against deletion is switched off", becomes(False, ABSENT)),
    "EngineVersion": "the database is not available while its engine is replaced",
    "Port": "the database restarts, and clients have to find the other port",
}
