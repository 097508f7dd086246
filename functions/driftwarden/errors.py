"""The one exception family. Every message says what happened, to what, and what to do about it.

DriftwardenError
├── UsageError             the command line or a caller asked for something that cannot be done
├── ConfigurationError     a configuration file, environment variable or ignore rule is wrong
├── StateError             the recorded state cannot be used
│   ├── StateBucketError   the bucket is missing, denied, or owned by another account
│   ├── StateNotFound      no record under that stack name and region
│   ├── StateUnreadable    the record is there but is not a state this tool understands
│   ├── StateConflict      the record changed since it was read; nothing was written
│   └── LockHeld           another deploy, accept or revert holds the stack's lock
├── ReadError              one resource could not be read; the scan turns it into `notCompared`
├── UpdateFailed           AWS did not take a value that was pushed back; other resources go on
│   └── UpdateNotSupported AWS cannot change it in place
├── SecretError            a dynamic reference could not be resolved
├── GateError              a revert request or a decision was refused; nothing was changed
│   ├── UnknownPlan        nothing waits for a decision on that plan
│   ├── PlanMismatch       a stored plan is not the one that its id names
│   ├── NotInPlan          a decision names a resource that the plan does not push back
│   ├── AlreadyDecided     the plan was decided on before
│   └── ApprovalExpired    the time to decide is over
└── PublishError           a report or an alert could not be delivered
"""

from __future__ import annotations


class DriftwardenError(Exception):
    """Base of every error this package raises on purpose; its text is safe to show once redacted."""


class UsageError(DriftwardenError):
    """The request itself is wrong: unknown stack, contradictory flags, nothing to work on."""


class ConfigurationError(DriftwardenError):
    """A configuration value is missing or invalid."""


class StateError(DriftwardenError):
    """Base of everything that goes wrong with the recorded state."""


class StateBucketError(StateError):
    """The state bucket cannot be used: missing, access denied, or another account's."""


class StateNotFound(StateError):
    """There is no state record for the stack."""


class StateUnreadable(StateError):
    """The state record exists but cannot be understood."""


class StateConflict(StateError):
    """The state record changed between read and write; nothing was written."""


class LockHeld(StateError):
    """The stack's lock is held by somebody else."""


class ReadError(DriftwardenError):
    """A live resource could not be read.

    `operation` is `service:Operation`, `code` the AWS error code, `action` the IAM action that the
    operation needs (empty when permission is not the problem).
    """

    def __init__(self, message: str, *, operation: str = "", code: str = "", action: str = "") -> None:
        super().__init__(message)
        self.operation = operation
        self.code = code
        self.action = action


class UpdateFailed(DriftwardenError):
    """A write to a live resource failed, or got no answer. `operation` is `service:Operation`."""

    def __init__(self, message: str, *, operation: str = "", code: str = "") -> None:
        super().__init__(message)
        self.operation = operation
        self.code = code


class UpdateNotSupported(UpdateFailed):
    """AWS offers no update in place; only a replacement would do."""


class SecretError(DriftwardenError):
    """A dynamic reference could not be resolved; the message never holds a secret's value."""


class PublishError(DriftwardenError):
    """A report or an alert could not be delivered."""


class GateError(DriftwardenError):
    """A revert request or a decision was refused; nothing was changed."""


class UnknownPlan(GateError):
    """Nothing waits for a decision on the plan."""


class PlanMismatch(GateError):
    """A stored plan is not the one that its id names, or not of the stack it is used for."""


class NotInPlan(GateError):
    """A decision names a resource that the plan does not push back."""


class AlreadyDecided(GateError):
    """The plan was decided on before."""


class ApprovalExpired(GateError):
    """The time to decide is over."""


def told(error: BaseException) -> str:
    """What may be printed of any error, once redacted: the text of this package's own, else class and place.

    The text of a foreign error may quote anything: a key, a request, a whole answer of AWS.
    """
    if isinstance(error, DriftwardenError):
        return str(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}"
