"""A watched stack that allows reverts, and how to look at it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from driftwarden.clients import Clients
from driftwarden.examine import Undeclared
from driftwarden.gate.documents import PlanContent
from driftwarden.gate.rules import content_of
from driftwarden.model import StackRef
from driftwarden.remedy.plan import plan_stack
from driftwarden.remedy.revert import Reverter
from driftwarden.remedy.steps import Plan
from driftwarden.remedy.update import Patience
from driftwarden.scan import ScanSettings, examine_all
from driftwarden.secrets import Redactor
from driftwarden.state import LockOperation
from driftwarden.state.keys import DEFAULT_PREFIX
from driftwarden.state.store import StateStore

# A function has fifteen minutes for everything.
_PATIENCE: Final = Patience(polls=(1, 2, 3, 5, *([10.0] * 45)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is configured for one stack. `role_arn` is another account's role for the work at hand."""

    state_bucket: str | None = None
    state_prefix: str = DEFAULT_PREFIX
    role_arn: str | None = None
    undeclared: Undeclared = "drift"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """One stack, with the credentials and the redaction of one invocation."""

    ref: StackRef
    settings: Settings
    redactor: Redactor
    patience: Patience = field(default=_PATIENCE)

    def plan(self) -> tuple[Plan, PlanContent]:
        """What a revert would do now, as a value and as content to store.

        Raises StateError when the state cannot be used, ConfigurationError when the credentials do not work.
        """
        clients = self._clients()
        store = self._store(clients)
        settings = self._scan(store)
        (examined,) = examine_all([store.load(self.ref)], clients, settings=settings, redactor=self.redactor)
        plan = plan_stack(examined)
        return plan, content_of(plan)

    def reverter(self) -> Reverter:
        """What carries a plan out. It is the only thing here that writes."""
        clients = self._clients()
        store = self._store(clients)
        return Reverter(
            store=store,
            clients=clients,
            redactor=self.redactor,
            settings=self._scan(store),
            patience=self.patience,
        )

    def check_unlocked(self) -> None:
        """Raises LockHeld while somebody is at work on the stack: a deploy, or an earlier try of ours."""
        with self._store(self._clients()).lock(self.ref, LockOperation.REVERT):
            pass

    def _clients(self) -> Clients:
        return Clients(region=self.ref.region, role_arn=self.settings.role_arn)

    def _store(self, clients: Clients) -> StateStore:
        return StateStore(clients, bucket=self.settings.state_bucket, prefix=self.settings.state_prefix)

    def _scan(self, store: StateStore) -> ScanSettings:
        """As the scanner judges: what ignore rules hide is not pushed back either."""
        return ScanSettings(undeclared=self.settings.undeclared, ignore=store.ignore_rules())
