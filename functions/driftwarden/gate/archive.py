"""The gate's documents in the reports bucket. What must exist once only is written on condition.

Encryption at rest is the bucket's own default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from botocore.exceptions import ClientError
from pydantic import ValidationError

from driftwarden.clients import Clients
from driftwarden.errors import PlanMismatch, PublishError, UnknownPlan
from driftwarden.gate import keys
from driftwarden.gate.documents import (
    Approval,
    Decision,
    Document,
    Outcome,
    PlanDocument,
    ResourceResult,
    Status,
    Verification,
)
from driftwarden.gate.rules import already_decided, checked
from driftwarden.model import StackRef
from driftwarden.report.location import ReportLocation
from driftwarden.report.publish import AWS_FAILURES, describe

_TAKEN: Final = "PreconditionFailed"
# Somebody writes the same key right now: S3 asks to try again, and then it is known who was first.
_CONFLICT: Final = "ConditionalRequestConflict"
_ATTEMPTS: Final = 4
# Without s3:ListBucket, S3 answers "access denied" for an object that is not there.
_MISSING: Final = frozenset({"NoSuchKey", "404", "AccessDenied", "403"})

M = TypeVar("M", bound=Document)


class Archive:
    """The gate's part of the reports bucket. `owner` is the account that must own it.

    Every method raises PublishError when S3 does not do what it was asked to.
    """

    def __init__(self, clients: Clients, bucket: str, *, owner: str | None = None) -> None:
        self._client: Any = clients.reader("s3")
        self._bucket = bucket
        self._region = clients.region
        self._where = {"Bucket": bucket} | ({"ExpectedBucketOwner": owner} if owner else {})

    def location(self, key: str) -> ReportLocation:
        """Where people find a document."""
        return ReportLocation(bucket=self._bucket, key=key, region=self._region)

    def keep_plan(self, plan: PlanDocument) -> str:
        """Store a plan and answer its key. An equal plan that is there already stays as it is."""
        key = keys.plan_key(plan.plan.ref, plan.plan_id)
        self._create(key, plan)
        return key

    def plan(self, ref: StackRef, plan_id: str) -> PlanDocument:
        """A stored plan. Raises UnknownPlan, and PlanMismatch when it is not what its id says."""
        found = self._get(keys.plan_key(ref, plan_id), PlanDocument)
        if found is None:
            raise UnknownPlan(
                f"There is no plan {plan_id} for stack {ref.name} in {ref.region}, or it may not be read."
            )
        return checked(found, plan_id, ref)

    def ask(self, approval: Approval) -> None:
        """Store an open question. The same one twice is one."""
        self._create(keys.approval_key(approval.plan_id, approval.number, approval.task_token), approval)

    def approval(self, plan_id: str) -> Approval:
        """The newest question about a plan. Raises UnknownPlan."""
        found = [self._get(key, Approval) for key in self._keys(keys.approval_prefix(plan_id))]
        asked = [one for one in found if one is not None]
        if not asked:
            raise UnknownPlan(
                f"Nothing waits for a decision on plan {plan_id}. Take the id from the approval notice."
            )
        return max(asked, key=lambda one: (one.number, one.requested_at))

    def decide(self, decision: Decision) -> None:
        """Store the decision. Raises AlreadyDecided when another one is there."""
        if not self._create(keys.decision_key(decision.plan_id, decision.number), decision):
            standing = self.decision(decision.plan_id, decision.number)
            if standing is None or standing.execution != decision.execution:
                raise already_decided(standing or decision)

    def decision(self, plan_id: str, number: int) -> Decision | None:
        """The decision on one run of a plan."""
        return self._get(keys.decision_key(plan_id, number), Decision)

    def start(self, result: ResourceResult) -> None:
        """Note that the work on a resource begins, unless something is noted about it already."""
        self._create(_result_key(result), result)

    def finish(self, result: ResourceResult) -> None:
        """Note what became of a resource."""
        self._put(_result_key(result), result)

    def results(self, decision: Decision) -> dict[str, ResourceResult]:
        """What is noted about the approved resources, by logical id."""
        ref, plan_id, number = decision.ref, decision.plan_id, decision.number
        found = {
            name: self._get(keys.result_key(ref, plan_id, number, name), ResourceResult)
            for name in decision.resources
        }
        return {name: result for name, result in found.items() if result is not None}

    def keep_verification(self, verification: Verification) -> None:
        """Store what reading the approved resources once more showed."""
        key = keys.verification_key(verification.ref, verification.plan_id, verification.number)
        self._put(key, verification)

    def verification(self, ref: StackRef, plan_id: str, number: int) -> Verification | None:
        """What reading the approved resources once more showed."""
        return self._get(keys.verification_key(ref, plan_id, number), Verification)

    def keep_outcome(self, outcome: Outcome, run: str) -> str:
        """Store how the execution named `run` ended, and answer the key."""
        key = keys.outcome_key(outcome.ref, run)
        self._put(key, outcome)
        return key

    def outcome(self, ref: StackRef, run: str) -> Outcome | None:
        """How the execution named `run` ended."""
        return self._get(keys.outcome_key(ref, run), Outcome)

    def find_plan(self, plan_id: str) -> PlanDocument:
        """A stored plan of whatever stack. It takes s3:ListBucket. Raises UnknownPlan, PlanMismatch."""
        for key in self._keys("plans/"):
            if key.endswith(f"/{plan_id}.json") and (found := self._get(key, PlanDocument)):
                return checked(found, plan_id, found.plan.ref)
        raise UnknownPlan(f"There is no plan {plan_id} in s3://{self._bucket}/plans/.")

    def _create(self, key: str, document: Document) -> bool:
        """Whether the object is new: one that is there stays as it is."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self._put(key, document, IfNoneMatch="*")
            except PublishError as error:
                cause = error.__cause__
                code = cause.response["Error"]["Code"] if isinstance(cause, ClientError) else ""
                if code == _TAKEN:
                    return False
                if code != _CONFLICT or attempt == _ATTEMPTS:
                    raise
            else:
                return True
        raise AssertionError("the last attempt returns or raises")

    def _put(self, key: str, document: Document, **condition: str) -> None:
        body = document.json_bytes()
        try:
            self._client.put_object(
                **self._where, Key=key, Body=body, ContentType="application/json", **condition
            )
        except AWS_FAILURES as error:
            raise self._failure("PutObject", key, describe(error)) from error

    def _get(self, key: str, model: type[M]) -> M | None:
        try:
            body = self._client.get_object(**self._where, Key=key)["Body"].read()
        except ClientError as error:
            if error.response["Error"]["Code"] in _MISSING:
                return None
            raise self._failure("GetObject", key, describe(error)) from error
        except AWS_FAILURES as error:
            raise self._failure("GetObject", key, describe(error)) from error
        try:
            return model.model_validate_json(body)
        except ValidationError:
            raise PlanMismatch(
                f"s3://{self._bucket}/{key} does not hold what belongs there. Nothing is done; find out who "
                "wrote it (the bucket keeps versions)."
            ) from None

    def _keys(self, prefix: str) -> Iterator[str]:
        try:
            pages = self._client.get_paginator("list_objects_v2").paginate(**self._where, Prefix=prefix)
            for page in pages:
                yield from (item["Key"] for item in page.get("Contents", []))
        except AWS_FAILURES as error:
            raise self._failure("ListObjectsV2", prefix, describe(error)) from error

    def _failure(self, operation: str, key: str, detail: str) -> PublishError:
        return PublishError(
            f"{operation} on s3://{self._bucket}/{key} failed ({detail}). Check that the bucket belongs to "
            "the expected account, and that the role may use it and its key."
        )


def final(result: ResourceResult) -> bool:
    """Whether nothing more will be done for the resource."""
    return result.status is not Status.STARTED


def _result_key(result: ResourceResult) -> str:
    return keys.result_key(result.ref, result.plan_id, result.number, result.logical_id)
