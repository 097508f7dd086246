"""The scan itself, with the credentials and the state that the event names."""

from __future__ import annotations

from driftwarden.clients import Clients
from driftwarden.model import StackReport
from driftwarden.scan import ScanSettings, scan
from driftwarden.secrets.redact import Redactor
from driftwarden.state.keys import DEFAULT_PREFIX
from driftwarden.state.store import StateStore
from scan_stack.event import ScanEvent


def scan_one(event: ScanEvent, redactor: Redactor) -> StackReport:
    """Load the recorded state of the event's stack and compare it with AWS.

    Raises StateError when the state cannot be used, ConfigurationError when credentials or role do not work.
    """
    clients = Clients(region=event.region, role_arn=event.role_arn)
    store = StateStore(clients, bucket=event.state_bucket, prefix=event.state_prefix or DEFAULT_PREFIX)
    settings = ScanSettings(undeclared=event.undeclared, ignore=store.ignore_rules())
    (report,) = scan([store.load(event.ref)], clients, settings=settings, redactor=redactor)
    return report
