"""Where the documents of the gate lie in the reports bucket."""

from __future__ import annotations

import hashlib

from driftwarden.model import StackRef
from driftwarden.report.keys import place, segment


def plan_key(ref: StackRef, plan_id: str) -> str:
    """A plan; never changed once it is there."""
    return f"plans/{place(ref)}/{segment(plan_id)}.json"


def approval_prefix(plan_id: str) -> str:
    """Everything that was asked about a plan."""
    return f"approvals/{segment(plan_id)}/"


def approval_key(plan_id: str, number: int, task_token: str) -> str:
    """One question. Step Functions makes a new token for each try, so each has a key of its own."""
    return f"{approval_prefix(plan_id)}{number}-{hashlib.sha256(task_token.encode()).hexdigest()[:16]}.json"


def decision_key(plan_id: str, number: int) -> str:
    """The answer, of which there can be only one."""
    return f"decisions/{segment(plan_id)}/{number}.json"


def result_key(ref: StackRef, plan_id: str, number: int, logical_id: str) -> str:
    """What became of one resource."""
    return f"results/{place(ref)}/{segment(plan_id)}/{number}/{segment(logical_id)}.json"


def verification_key(ref: StackRef, plan_id: str, number: int) -> str:
    """What reading the approved resources once more showed."""
    return f"verifications/{place(ref)}/{segment(plan_id)}/{number}.json"


def outcome_key(ref: StackRef, run: str) -> str:
    """How it ended. `run` is the name of the execution."""
    return f"outcomes/{place(ref)}/{segment(run)}.json"


def run_name(plan_id: str, number: int) -> str:
    """The name of the execution that takes a plan through the gate: nobody can start the same one twice."""
    return f"{plan_id}-{number}"
