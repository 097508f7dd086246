"""The definitions of the two state machines, in Amazon States Language. Pure: ARNs in, JSON values out.

`revert` is started by people with stack, region and reason. It plans, and starts itself once more, under a
name that derives from the plan: that run asks, waits, executes, proves and tells. So the same plan cannot be
open twice, the request ends within seconds with the plan's id, and the run of a plan is found by that id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

INVOKE = "arn:{partition}:states:::lambda:invoke"
OF_LAMBDA = [
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
]
"""Failures of the service itself, before or beside the function's own work."""
CRASHED = ["Lambda.Unknown", "Sandbox.Timedout", "Runtime.ExitError", "States.TaskFailed"]
NAME_TAKEN = ["StepFunctions.ExecutionAlreadyExistsException", "ExecutionAlreadyExists"]

State = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions:
    """ARNs of the functions that the machines call."""

    partition: str
    plan: str
    ask: str
    decide: str
    execute: str


def revert_definition(functions: Functions, *, approval_seconds: int) -> dict[str, Any]:
    """The machine that takes a revert from the request to its end."""
    return {
        "Comment": "Start with {stack, region, reason}. Nothing changes unless somebody approves the plan.",
        "StartAt": "Planned already?",
        "States": {
            "Planned already?": _choice("$.planId", {"IsPresent": True}, "WaitForApproval", "Plan"),
            **_opening(functions),
            **_approval(functions, approval_seconds),
            **_doing(functions),
            **_telling(functions),
            "NothingToRevert": {"Type": "Succeed"},
            "AlreadyOpen": {"Type": "Succeed"},
            "Opened": {"Type": "Succeed"},
            "Reverted": {"Type": "Succeed"},
            "Rejected": {"Type": "Succeed"},
            "Expired": {"Type": "Succeed"},
            "PartiallyReverted": {
                "Type": "Fail",
                "Error": "PartiallyReverted",
                "Cause": "Not everything that was approved could be reverted and proved; the outcome notice "
                "and the outcome document say what is left.",
            },
            "Failed": {"Type": "Fail", "ErrorPath": "$.error.Error", "CausePath": "$.error.Cause"},
            "NobodyTold": {
                "Type": "Fail",
                "Error": "NobodyTold",
                "Cause": "The run is over, but the notice how it ended could not be sent. Read the outcome "
                "document or the steps of this execution.",
            },
        },
    }


def decide_definition(functions: Functions) -> dict[str, Any]:
    """The machine by whose start a person decides."""
    return {
        "Comment": "Start with {planId, decision, resources?, reason}; the approval notice has it to paste.",
        "StartAt": "RecordDecision",
        "States": {
            "RecordDecision": {
                **_invoke(
                    functions,
                    functions.decide,
                    {"decision.$": "$", "execution.$": "$$.Execution.Id"},
                    ("planId", "decision", "resources", "revert"),
                ),
                "Retry": [_retry(["PublishError", *OF_LAMBDA, *CRASHED[:3]], 2, 5)],
                "End": True,
            }
        },
    }


def _opening(functions: Functions) -> dict[str, State]:
    answer = ("outcome", "planId", "number", "name", "plan", "resources", "refused", "requestedBy")
    return {
        "Plan": {
            **_invoke(
                functions,
                functions.plan,
                {"step": "plan", "request.$": "$", "execution.$": "$$.Execution.Id"},
                answer,
            ),
            "ResultPath": "$.plan",
            "Retry": [_retry(OF_LAMBDA, 2, 5)],
            "Catch": [_catch(["States.ALL"], "NotifyFailed")],
            "Next": "Drifted?",
        },
        "Drifted?": {
            "Type": "Choice",
            "Choices": [
                {"Variable": "$.plan.outcome", "StringEquals": "planned", "Next": "Open"},
                {"Variable": "$.plan.outcome", "StringEquals": "alreadyOpen", "Next": "AlreadyOpen"},
            ],
            "Default": "NothingToRevert",
        },
        "Open": {
            "Type": "Task",
            "Resource": f"arn:{functions.partition}:states:::states:startExecution",
            "Parameters": {
                "StateMachineArn.$": "$$.StateMachine.Id",
                "Name.$": "$.plan.name",
                "Input": {
                    "planId.$": "$.plan.planId",
                    "number.$": "$.plan.number",
                    "stack.$": "$.stack",
                    "region.$": "$.region",
                    "reason.$": "$.reason",
                    "requestedBy.$": "$.plan.requestedBy",
                    "AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID.$": "$$.Execution.Id",
                },
            },
            "ResultPath": "$.run",
            "Catch": [
                {"ErrorEquals": NAME_TAKEN, "ResultPath": "$.taken", "Next": "AlreadyOpen"},
                _catch(["States.ALL"], "NotifyFailed"),
            ],
            "Next": "Opened",
        },
    }


def _approval(functions: Functions, seconds: int) -> dict[str, State]:
    return {
        "WaitForApproval": {
            "Type": "Task",
            "Resource": f"{INVOKE.format(partition=functions.partition)}.waitForTaskToken",
            "TimeoutSeconds": seconds,
            "Parameters": {
                "FunctionName": functions.ask,
                "Payload": {
                    "step": "ask",
                    "run.$": "$",
                    "execution.$": "$$.Execution.Id",
                    "name.$": "$$.Execution.Name",
                    "taskToken.$": "$$.Task.Token",
                    "askedAt.$": "$$.State.EnteredTime",
                    "seconds": seconds,
                },
            },
            "ResultPath": "$.decision",
            "Retry": [_retry(["PublishError", *OF_LAMBDA], 5, 4)],
            "Catch": [
                _catch(["States.Timeout"], "NotifyExpired"),
                _catch(["States.ALL"], "NotifyFailed"),
            ],
            "Next": "Approved?",
        },
        "Approved?": _choice("$.decision.decision", {"StringEquals": "approve"}, "Execute", "NotifyRejected"),
    }


def _doing(functions: Functions) -> dict[str, State]:
    run = {"run.$": "$", "execution.$": "$$.Execution.Id"}
    return {
        "Execute": {
            **_invoke(functions, functions.execute, run, ("results",)),
            "ResultPath": "$.executed",
            # The lock of a try that died is taken over after half an hour.
            "Retry": [
                _retry(["LockHeld"], 60, 6),
                _retry(OF_LAMBDA, 2, 5),
                _retry(CRASHED, 10, 3),
            ],
            "Catch": [_catch(["States.ALL"], "NotifyFailed")],
            "Next": "Verify",
        },
        "Verify": {
            **_invoke(functions, functions.plan, {"step": "verify", **run}, ("inSync",)),
            "ResultPath": "$.verified",
            "Retry": [_retry([*OF_LAMBDA, *CRASHED], 5, 3)],
            # What could not be proved is told as not proved.
            "Catch": [_catch(["States.ALL"], "NotifyOutcome")],
            "Next": "NotifyOutcome",
        },
    }


def _telling(functions: Functions) -> dict[str, State]:
    return {
        "NotifyOutcome": _tell(functions, "executed", "All reverted?"),
        "All reverted?": _choice(
            "$.told.ending", {"StringEquals": "reverted"}, "Reverted", "PartiallyReverted"
        ),
        "NotifyRejected": _tell(functions, "rejected", "Rejected"),
        "NotifyExpired": _tell(functions, "expired", "Expired"),
        "NotifyFailed": _tell(functions, "failed", "Failed"),
    }


def _tell(functions: Functions, ending: str, then: str) -> State:
    payload = {
        "step": "tell",
        "ending": ending,
        "run.$": "$",
        "execution.$": "$$.Execution.Id",
        "name.$": "$$.Execution.Name",
    }
    return {
        **_invoke(functions, functions.ask, payload, ("ending", "outcome")),
        "ResultPath": "$.told",
        "Retry": [_retry(["PublishError", *OF_LAMBDA, *CRASHED[:3]], 5, 5)],
        "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.notTold", "Next": "NobodyTold"}],
        "Next": then,
    }


def _invoke(functions: Functions, function: str, payload: State, answer: tuple[str, ...]) -> State:
    """Calls a function; of its answer, the members named in `answer` are kept."""
    return {
        "Type": "Task",
        "Resource": INVOKE.format(partition=functions.partition),
        "Parameters": {"FunctionName": function, "Payload": payload},
        "ResultSelector": {f"{name}.$": f"$.Payload.{name}" for name in answer},
    }


def _choice(variable: str, condition: State, then: str, otherwise: str) -> State:
    return {
        "Type": "Choice",
        "Choices": [{"Variable": variable, **condition, "Next": then}],
        "Default": otherwise,
    }


def _retry(errors: list[str], seconds: int, attempts: int) -> State:
    return {"ErrorEquals": errors, "IntervalSeconds": seconds, "MaxAttempts": attempts, "BackoffRate": 2}


def _catch(errors: list[str], then: str) -> State:
    return {"ErrorEquals": errors, "ResultPath": "$.error", "Next": then}
