"""Secrets: compared like for like, never shown, never stored.

`bind` makes a record's baseline comparable, `conceal` makes the changes presentable, a `Redactor` masks by
value wherever text leaves the process.
"""

from driftwarden.secrets.bind import Bound, bind
from driftwarden.secrets.conceal import conceal
from driftwarden.secrets.known import learn_live, without_values
from driftwarden.secrets.permissions import SecretRead, required_actions, required_reads
from driftwarden.secrets.redact import Redactor
from driftwarden.secrets.references import MASK
from driftwarden.secrets.resolve import LiveResolver, Offline, Resolver

__all__ = [
    "MASK",
    "Bound",
    "LiveResolver",
    "Offline",
    "Redactor",
    "Resolver",
    "SecretRead",
    "bind",
    "conceal",
    "learn_live",
    "required_actions",
    "required_reads",
    "without_values",
]
