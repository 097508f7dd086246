"""An account, a state record and every way out of the program, for watching what leaves it.

Live values of resources behind Cloud Control, secrets and parameters come from tables; buckets, topics and
the caller's identity from an emulated AWS.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

import execute_revert.handler
import plan_revert.handler
import record_decision.handler
import request_approval.handler
import scan_stack.handler
from driftwarden.cli import main

REGION = "us-east-1"
ACCOUNT = "123456789012"
STATE_BUCKET = f"cdkd-state-{ACCOUNT}"
REPORTS_BUCKET = "reports"
STACK = "Shop"
STATE_KEY = f"cdkd/{STACK}/{REGION}/state.json"
MACHINE = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:revert"

Outputs = dict[str, str]
Fault = Callable[[Mapping[str, Any]], None]


def refused(code: str, message: str, operation: str = "Anything") -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, operation)


class World:
    """One stack, its live resources, and what every program of the project prints, stores and sends."""

    def __init__(self, log: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
        self.rows: dict[str, Any] = {}
        self.live: dict[str, Any] = {}
        self.secrets: dict[str, Any] = {}
        self.faults: dict[str, Fault] = {}
        self.stack_fields: dict[str, Any] = {}
        self.sent: list[dict[str, Any]] = []
        self._seen: dict[str, str] = {}
        self._log = log
        self._capsys = capsys
        self.s3 = boto3.client("s3", region_name=REGION)
        for bucket in (STATE_BUCKET, REPORTS_BUCKET):
            self.s3.create_bucket(Bucket=bucket)
        self.topic = boto3.client("sns", region_name=REGION).create_topic(Name="alerts")["TopicArn"]

    def add(self, name: str, kind: str, properties: Any, live: Any, **fields: Any) -> None:
        """Record a resource. `live`: its properties, None when it is gone, or what reading it raises."""
        row = {
            "physicalId": f"id-{name}",
            "resourceType": kind,
            "provisionedBy": "cc-api",
            "properties": properties,
            **fields,
        }
        self.rows[name] = row
        self.live[row["physicalId"]] = live

    def save(self, body: bytes = b"") -> None:
        document = {
            "version": 11,
            "stackName": STACK,
            "region": REGION,
            "resources": self.rows,
            **self.stack_fields,
        }
        self.s3.put_object(Bucket=STATE_BUCKET, Key=STATE_KEY, Body=body or json.dumps(document).encode())

    def state(self) -> str:
        """The state record as it lies in the bucket."""
        return str(self.s3.get_object(Bucket=STATE_BUCKET, Key=STATE_KEY)["Body"].read().decode())

    # --- the ways out

    def cli(self, *arguments: str, stdin: str = "") -> str:
        """Everything one run of the command line prints."""
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            main(arguments)
        return self._printed()

    def stored(self) -> Outputs:
        """Every object of the reports bucket that is new since the last look, with its key and metadata."""
        self.faults, faults = {}, self.faults
        found = {}
        for item in self.s3.list_objects_v2(Bucket=REPORTS_BUCKET).get("Contents", []):
            if self._seen.get(item["Key"]) == item["ETag"]:
                continue
            self._seen[item["Key"]] = item["ETag"]
            answer = self.s3.get_object(Bucket=REPORTS_BUCKET, Key=item["Key"])
            body = answer["Body"].read().decode()
            found[f"s3 {item['Key']}"] = "\n".join((item["Key"], json.dumps(answer["Metadata"]), body))
        self.faults = faults
        return found

    def scanner(self) -> Outputs:
        """One run of the scanner Lambda."""
        return self._lambda("scan", scan_stack.handler.handler, {"stack": STACK, "region": REGION})

    def gate(self) -> Iterator[tuple[str, Outputs]]:
        """A revert from its request to the last notice; stops where a function fails."""
        request = {"stack": STACK, "region": REGION, "reason": "because", "requestedBy": "ann"}
        execution = f"{MACHINE}:one"
        planned: dict[str, Any] = {}
        yield (
            "plan",
            self._lambda(
                "plan",
                plan_revert.handler.handler,
                {"step": "plan", "request": request, "execution": execution},
                planned,
            ),
        )
        if not planned:
            return
        run = {**request, "planId": planned["planId"], "number": 1}
        name = f"{planned['planId']}-1"
        execution = f"{MACHINE}:{name}"
        question = {
            "step": "ask",
            "run": run,
            "execution": execution,
            "name": name,
            "taskToken": "token",
            "askedAt": "2035-01-01T00:00:00Z",
            "seconds": 3600,
        }
        decision = {"planId": planned["planId"], "decision": "approve", "reason": "fine"}
        ending = {"step": "tell", "ending": "executed", "run": run, "execution": execution, "name": name}
        failed = {**ending, "ending": "failed", "run": {**run, "error": {"Error": "E", "Cause": "{}"}}}
        steps = {
            "ask": (request_approval.handler.handler, question),
            "decide": (record_decision.handler.handler, {"decision": decision, "execution": f"{MACHINE}:d"}),
            "execute": (execute_revert.handler.handler, {"run": run, "execution": execution}),
            "verify": (plan_revert.handler.handler, {"step": "verify", "run": run, "execution": execution}),
            "tell": (request_approval.handler.handler, ending),
            "tell of a failure": (request_approval.handler.handler, failed),
        }
        for step, (handler, event) in steps.items():
            yield step, self._lambda(step, handler, event)

    def _lambda(self, name: str, handler: Any, event: Any, answered: dict[str, Any] | None = None) -> Outputs:
        context = SimpleNamespace(
            function_name="driftwarden",
            memory_limit_in_mb=1024,
            invoked_function_arn=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:driftwarden",
            aws_request_id=f"request-{name}",
            get_remaining_time_in_millis=lambda: 900_000,
        )
        self._log.seek(0)
        self._log.truncate()
        self.sent.clear()
        try:
            answer = handler(event, context)
            if answered is not None:
                answered.update(answer)
            outcome = json.dumps(answer)
        except Exception as error:
            outcome = _all_of(error)
        return {
            f"{name}: answer": outcome,
            f"{name}: log": self._log.getvalue(),
            f"{name}: printed": self._printed(),
            **{f"{name}: {part}": _spoken(text) for sent in self.sent for part, text in sent.items()},
            **self.stored(),
        }

    def _printed(self) -> str:
        captured = self._capsys.readouterr()
        return captured.out + captured.err

    # --- what AWS answers

    def answer(self, operation: str, params: Mapping[str, Any]) -> Any:
        """The answer of an operation that a table holds, NotImplemented for all others."""
        if fault := self.faults.get(operation):
            fault(params)
        answers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "GetResource": self._get_resource,
            "UpdateResource": self._update_resource,
            "GetSecretValue": self._get_secret,
            "BatchGetSecretValue": self._batch,
            "GetParameter": self._get_parameter,
            "GetParameters": self._batch,
            "SendTaskSuccess": lambda params: {},
        }
        if operation == "Publish":
            self.sent.append({**params, **json.loads(params["Message"])})
        return answers[operation](params) if operation in answers else NotImplemented

    def _get_resource(self, params: Mapping[str, Any]) -> Any:
        live = self.live.get(params["Identifier"])
        if live is None:
            raise refused("ResourceNotFoundException", f"{params['Identifier']} was not found", "GetResource")
        if isinstance(live, Exception):
            raise live
        return {"ResourceDescription": {"Properties": json.dumps(live)}}

    def _update_resource(self, params: Mapping[str, Any]) -> Any:
        """Fails, and repeats what it was sent."""
        said = f"Invalid request provided: {params['PatchDocument']}"
        event = {"OperationStatus": "FAILED", "RequestToken": "t", "ErrorCode": "InvalidRequest"}
        return {"ProgressEvent": {**event, "StatusMessage": said}}

    def _get_secret(self, params: Mapping[str, Any]) -> Any:
        found = self.secrets.get(params["SecretId"])
        if found is None:
            raise refused("ResourceNotFoundException", f"no {params['SecretId']}", "GetSecretValue")
        return {"SecretString": found, "Name": params["SecretId"]}

    def _get_parameter(self, params: Mapping[str, Any]) -> Any:
        value = self._get_secret({"SecretId": params["Name"]})["SecretString"]
        return {"Parameter": {"Name": params["Name"], "Type": "SecureString", "Value": value}}

    def _batch(self, params: Mapping[str, Any]) -> Any:
        raise refused("AccessDeniedException", "no batches")


def _spoken(part: Any) -> str:
    """A part of an SNS request as its reader gets it."""
    if isinstance(part, str):
        return part
    return "\n".join(f"{name}={each['StringValue']}" for name, each in part.items())


def _all_of(error: BaseException | None) -> str:
    """What Lambda or a shell could print of an exception, and of what it is chained to."""
    parts = []
    while error is not None:
        parts.append(f"{type(error).__name__}: {error} {error!r}")
        error = error.__cause__ or error.__context__
    return "\n".join(parts)


def in_front_of_aws(world: World) -> Callable[..., Any]:
    """A stand-in for botocore's one way to make a call."""
    original = BaseClient._make_api_call

    def call(client: Any, operation: str, params: Any) -> Any:
        answer = world.answer(operation, params)
        return original(client, operation, params) if answer is NotImplemented else answer

    return call
