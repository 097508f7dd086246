"""A stack on an emulated AWS: record what was made, edit it behind that record's back, push it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from moto import mock_aws

from driftwarden.clients import Clients
from driftwarden.model import Live, Outcome, Record, StackRef, StackReport, StackState
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.remedy.accept import AcceptPlan, accept, plan_accept
from driftwarden.remedy.plan import plan_stack
from driftwarden.remedy.revert import Fate, Result, Reverter
from driftwarden.remedy.steps import Plan
from driftwarden.remedy.update import Patience
from driftwarden.report.paths import dotted
from driftwarden.scan import ScanSettings, StackExamination, examine_all, scan
from driftwarden.secrets import Redactor
from driftwarden.state import StateStore

REGION = "us-east-1"
ACCOUNT = "123456789012"
BUCKET = f"cdkd-state-{ACCOUNT}"
REF = StackRef("Shop", REGION)
KEY = f"cdkd/{REF.name}/{REF.region}/state.json"
HASTY = Patience(retries=(0, 0), polls=(0,) * 50, settling=(0, 0))

READS = ("Get", "Describe", "List", "Head", "Batch", "Search")


class Life:
    """One recorded stack and its live resources."""

    def __init__(self) -> None:
        self.clients = Clients(region=REGION)
        self.store = StateStore(self.clients)
        self.redactor = Redactor()
        self.settings = ScanSettings()
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._rows: dict[str, dict[str, Any]] = {}
        boto3.client("s3", region_name=REGION).create_bucket(Bucket=BUCKET)

    def client(self, service: str) -> Any:
        """A client for making resources and for edits behind the record's back."""
        return boto3.client(service, region_name=REGION)

    def record(
        self,
        logical_id: str,
        resource_type: str,
        physical_id: str,
        properties: Mapping[str, Any] | None = None,
        *,
        observed: bool = True,
        **fields: Any,
    ) -> None:
        """Record a resource that exists; its baseline is what AWS reports now, unless `observed` is false."""
        row: dict[str, Any] = {
            "physicalId": physical_id,
            "resourceType": resource_type,
            "properties": dict(properties or {}),
            **fields,
        }
        self._rows[logical_id] = row
        self._save()
        if observed and "observedProperties" not in fields:
            row["observedProperties"] = self.read(logical_id)
            self._save()

    def _save(self) -> None:
        document = {"version": 8, "stackName": REF.name, "region": REGION, "resources": self._rows}
        boto3.client("s3", region_name=REGION).put_object(
            Bucket=BUCKET, Key=KEY, Body=json.dumps(document, default=str).encode()
        )

    @property
    def state(self) -> StackState:
        return self.store.load(REF)

    @property
    def document(self) -> dict[str, Any]:
        """The state record as it lies in the bucket."""
        body = boto3.client("s3", region_name=REGION).get_object(Bucket=BUCKET, Key=KEY)["Body"].read()
        document: dict[str, Any] = json.loads(body)
        return document

    def read(self, logical_id: str) -> dict[str, Any]:
        """The whole live read-back of a recorded resource."""
        state = self.state
        record: Record = state.records[logical_id]
        place = Place(region=REGION, clients=self.clients, limits=Limits())
        result = read_record(record, place, state.records)
        assert isinstance(result, Live), result
        return dict(result.properties)

    def scan(self) -> StackReport:
        (report,) = scan([self.state], self.clients, settings=self.settings)
        return report

    def drift(self) -> dict[str, list[str]]:
        """Logical id -> drifted paths, for every drifted resource."""
        drifted = [f for f in self.scan().findings if f.outcome is Outcome.DRIFTED]
        return {f.logical_id: [dotted(change.path) for change in f.changes] for f in drifted}

    def examine(self) -> StackExamination:
        (examined,) = examine_all([self.state], self.clients, settings=self.settings, redactor=self.redactor)
        return examined

    def plan(self) -> Plan:
        return plan_stack(self.examine())

    def reverter(self, **changes: Any) -> Reverter:
        return Reverter(
            **{
                "store": self.store,
                "clients": self.clients,
                "redactor": self.redactor,
                "settings": self.settings,
                "patience": HASTY,
                **changes,
            }
        )

    def revert(self, plan: Plan | None = None) -> list[Result]:
        """Plan and carry out; the plan's own refusals are in `plan()`."""
        return self.reverter().revert(plan or self.plan())

    def plan_accept(self) -> AcceptPlan:
        return plan_accept(self.examine())

    def accept(self) -> None:
        accept(self.store, self.plan_accept())

    def forget_calls(self) -> None:
        self.calls.clear()

    def written(self) -> list[str]:
        """The writing operations since the calls were forgotten, the state bucket's own left out."""
        return [operation for operation, _ in self.calls]

    def goes_round(
        self, logical_id: str, edit: Callable[[], object], *, expect: Sequence[str]
    ) -> list[tuple[str, dict[str, Any]]]:
        """Clean, edited, exactly that reported, pushed back, clean, and nothing else on it changed.

        Answers the writing requests of the revert.
        """
        before = self.read(logical_id)
        assert self.drift() == {}, "clean before the edit"
        edit()
        assert self.drift() == {logical_id: list(expect)}, "exactly the edit is reported"
        plan = self.plan()
        assert [r.reason for r in plan.refusals] == []
        self.forget_calls()
        results = self.revert(plan)
        sent = list(self.calls)
        assert [(r.fate, r.reason, r.remaining) for r in results] == [(Fate.REVERTED, "", ())]
        assert self.drift() == {}, "clean after the revert"
        assert self.read(logical_id) == before, "the whole read-back is what it was before the edit"
        return sent


@pytest.fixture
def life(monkeypatch: pytest.MonkeyPatch) -> Iterator[Life]:
    """An empty stack on an emulated AWS; writing requests on live resources are kept in `calls`."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing-credentials")
    monkeypatch.setenv("AWS_REGION", REGION)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    original = BaseClient._make_api_call
    with mock_aws():
        life = Life()

        def call(client: Any, operation: str, params: Any) -> Any:
            ours = params.get("Bucket") == BUCKET
            if not ours and not operation.startswith(READS):
                life.calls.append((operation, params))
            try:
                return original(client, operation, params)
            except NotImplementedError as missing:
                unknown = {"Error": {"Code": "UnknownOperation", "Message": str(missing)}}
                raise ClientError(unknown, operation) from missing

        monkeypatch.setattr(BaseClient, "_make_api_call", call)
        yield life
