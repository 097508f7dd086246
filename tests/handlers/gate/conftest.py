"""The approval gate in memory: two queues, their state, and handlers called as the machines call them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import botocore.client
import botocore.loaders
import botocore.session
import pytest
from botocore.exceptions import ClientError

import execute_revert.handler
import plan_revert.handler
import record_decision.handler
import request_approval.handler

ACCOUNT = "123456789012"
MACHINE = f"arn:aws:states:us-east-1:{ACCOUNT}:execution:Driftwarden-revert"
DECIDE = f"arn:aws:states:us-east-1:{ACCOUNT}:execution:Driftwarden-decide"
WRITES = frozenset({"SetQueueAttributes", "TagQueue", "UntagQueue"})


class Calls:
    """Watches the API calls of all clients, and makes some of them fail."""

    def __init__(self) -> None:
        self.made: list[tuple[str, dict[str, Any]]] = []
        self.failures: list[tuple[Callable[[str, dict[str, Any]], bool], Exception]] = []
        self.tokens: list[str] = []
        self.spent: set[str] = set()

    def fail(self, operation: str, code: str = "InternalError", *, key: str = "", times: int = 1000) -> None:
        """Let an operation fail; of S3 only under a key."""
        left = [times]

        def applies(name: str, arguments: dict[str, Any]) -> bool:
            if name != operation or not str(arguments.get("Key", "")).startswith(key) or not left[0]:
                return False
            left[0] -= 1
            return True

        answer = {
            "Error": {"Code": code, "Message": "not today"},
            "ResponseMetadata": {"HTTPStatusCode": 500},
        }
        self.failures.append((applies, ClientError(answer, operation)))

    def recover(self) -> None:
        """Let everything work again."""
        self.failures.clear()

    @property
    def writes(self) -> list[str]:
        """Requests that change a watched resource, as `Operation queue`."""
        return [
            f"{name} {arguments['QueueUrl'].rpartition('/')[2]}"
            for name, arguments in self.made
            if name in WRITES
        ]

    def before(self, operation: str, arguments: dict[str, Any]) -> Any:
        """Note a call; an answer of its own for the one that moto does not know."""
        self.made.append((operation, arguments))
        for applies, error in self.failures:
            if applies(operation, arguments):
                raise error
        if operation != "SendTaskSuccess":
            return None
        token = arguments["taskToken"]
        if token in self.spent:
            raise ClientError({"Error": {"Code": "TaskTimedOut", "Message": "gone"}}, operation)
        self.spent.add(token)
        self.tokens.append(token)
        return {"ResponseMetadata": {"HTTPStatusCode": 200}}


class Gate:
    """The state machine's part, played by the tests."""

    def __init__(self, world: Any, calls: Calls) -> None:
        self.world = world
        self.calls = calls
        self.queues = {name: self._queue(name.lower()) for name in ("Orders", "Returns")}

    def _queue(self, name: str) -> str:
        sqs = self.world.sqs
        return str(sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": "30"})["QueueUrl"])

    def record(self, **observed: Any) -> None:
        """Write the state of the stack, as a deploy leaves it."""
        rows = {
            name: {
                "physicalId": url,
                "resourceType": "AWS::SQS::Queue",
                "properties": {"QueueName": name.lower(), "VisibilityTimeout": 30, **observed},
            }
            for name, url in self.queues.items()
        }
        state = {
            "version": 8,
            "stackName": "Shop",
            "region": "us-east-1",
            "resources": rows,
            "outputs": {},
            "lastModified": 1_738_310_000_000,
        }
        key = "cdkd/Shop/us-east-1/state.json"
        self.world.s3.put_object(Bucket="state", Key=key, Body=json.dumps(state))

    def drift(self, *names: str, seconds: int = 120) -> None:
        """Change live queues by hand."""
        for name in names or tuple(self.queues):
            self.world.sqs.set_queue_attributes(
                QueueUrl=self.queues[name], Attributes={"VisibilityTimeout": str(seconds)}
            )
        self.calls.made.clear()

    def live(self, name: str) -> int:
        """The visibility timeout of a live queue."""
        answer = self.world.sqs.get_queue_attributes(
            QueueUrl=self.queues[name], AttributeNames=["VisibilityTimeout"]
        )
        return int(answer["Attributes"]["VisibilityTimeout"])

    def plan(self, **request: Any) -> dict[str, Any]:
        given = {"stack": "Shop", "region": "us-east-1", "reason": "undo", **request}
        event = {"step": "plan", "request": given, "execution": f"{MACHINE}:request-1"}
        answer: dict[str, Any] = self._call(plan_revert.handler, event)
        return answer

    def run(self, plan: dict[str, Any]) -> dict[str, Any]:
        """What the run of a plan carries along."""
        own = {"planId": plan["planId"], "number": plan["number"], "requestedBy": None}
        return {"stack": "Shop", "region": "us-east-1", "reason": "undo", **own}

    def ask(self, plan: dict[str, Any], *, token: str = "", seconds: int = 3600, **more: Any) -> Any:
        event = {
            "step": "ask",
            "run": self.run(plan),
            "execution": f"{MACHINE}:{plan['name']}",
            "name": plan["name"],
            "taskToken": token or "token-1",
            "askedAt": more.pop("asked_at", "2999-01-01T00:00:00Z"),
            "seconds": seconds,
            **more,
        }
        return self._call(request_approval.handler, event)

    def decide(self, plan: dict[str, Any], decision: str = "approve", *, by: str = "d-1", **more: Any) -> Any:
        given = {"planId": plan["planId"], "decision": decision, "reason": "looked at it", **more}
        return self._call(record_decision.handler, {"decision": given, "execution": f"{DECIDE}:{by}"})

    def execute(self, plan: dict[str, Any]) -> Any:
        event = {"run": self.run(plan), "execution": f"{MACHINE}:{plan['name']}"}
        return self._call(execute_revert.handler, event)

    def verify(self, plan: dict[str, Any]) -> Any:
        event = {"step": "verify", "run": self.run(plan), "execution": f"{MACHINE}:{plan['name']}"}
        return self._call(plan_revert.handler, event)

    def tell(self, plan: dict[str, Any], ending: str = "executed", **more: Any) -> Any:
        event = {
            "step": "tell",
            "ending": ending,
            "run": {**self.run(plan), **more},
            "execution": f"{MACHINE}:{plan['name']}",
            "name": plan["name"],
        }
        return self._call(request_approval.handler, event)

    def approved(self, *resources: str) -> dict[str, Any]:
        """A plan that somebody approved."""
        plan = self.plan()
        self.ask(plan)
        self.decide(plan, resources=list(resources) or None)
        self.world.alerts()
        return plan

    def documents(self, kind: str) -> list[dict[str, Any]]:
        """What is stored under a prefix."""
        return [self.world.report(key) for key in self.world.stored() if key.startswith(f"{kind}/")]

    def _call(self, module: Any, event: dict[str, Any]) -> Any:
        context: Any = SimpleNamespace(
            function_name="driftwarden-gate",
            memory_limit_in_mb=1024,
            invoked_function_arn=f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:driftwarden-gate",
            aws_request_id="request-1",
            get_remaining_time_in_millis=lambda: 900_000,
        )
        answer = module.handler(json.loads(json.dumps(event)), context)
        assert json.loads(json.dumps(answer)) == answer
        return answer


@pytest.fixture(scope="session")
def service_models() -> botocore.loaders.Loader:
    return botocore.loaders.create_loader()


@pytest.fixture(autouse=True)
def models_are_read_once(service_models: botocore.loaders.Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every invocation makes clients of its own; the descriptions of the services need no second reading."""
    monkeypatch.setattr(botocore.session, "create_loader", lambda *_: service_models)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Calls]:
    watched = Calls()
    real = botocore.client.BaseClient._make_api_call

    def call(self: Any, operation: str, arguments: dict[str, Any]) -> Any:
        answer = watched.before(operation, arguments)
        return real(self, operation, arguments) if answer is None else answer

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)
    yield watched


@pytest.fixture
def gate(world: Any, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> Gate:
    variables = {
        "APPROVALS_TOPIC_ARN": world.topic,
        "DECIDE_ARN": f"arn:aws:states:us-east-1:{ACCOUNT}:stateMachine:Driftwarden-decide",
        "REVERTIBLE_STACKS": json.dumps({"us-east-1/Shop": {}}),
        "STATE_BUCKET": "state",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    world.s3.create_bucket(Bucket="state")
    made = Gate(world, calls)
    made.record()
    return made
