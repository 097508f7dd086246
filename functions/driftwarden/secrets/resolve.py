"""Resolving dynamic references: what every token of a record stands for, or why nobody can tell."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from driftwarden.clients import Clients
from driftwarden.model import Cause, Record, StackRef, StackState
from driftwarden.plain_text import escape_controls
from driftwarden.secrets.fetch import Fetched, Missing, Source, batches, fetch
from driftwarden.secrets.known import recorded_credentials
from driftwarden.secrets.redact import Redactor
from driftwarden.secrets.references import (
    Elsewhere,
    Reference,
    mentions_secrets,
    parse,
    region_of,
    tokens_of,
)

_WORKERS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a token stands for now. A String parameter of Parameter Store is no secret."""

    text: str = field(repr=False)
    secret: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """Why a token stands for nothing we can tell; `reason` is a readable sentence without any value."""

    cause: Cause
    reason: str


Answer: TypeAlias = Resolved | Unresolved


class Resolver(Protocol):
    """Tells what the tokens of a record stand for, and remembers secrets in its redactor."""

    @property
    def redactor(self) -> Redactor:
        """Knows every secret this resolver has resolved."""
        ...

    def resolve_all(self, record: Record, state: StackState) -> Mapping[str, Answer]:
        """The answer for every token of the record, by token text. Never raises for a token."""
        ...


class Offline:
    """Resolves nothing and calls nobody: for comparisons without AWS."""

    def __init__(self, redactor: Redactor | None = None) -> None:
        self.redactor = redactor or Redactor()

    def resolve_all(self, record: Record, state: StackState) -> Mapping[str, Answer]:
        """Every token is unresolved."""
        return {
            token: Unresolved(
                cause=Cause.UNRESOLVED_TOKEN, reason=f"{escape_controls(token)} is not resolved offline"
            )
            for token in record_tokens(record)
        }


class LiveResolver:
    """Resolves through the regional clients of the caller's credentials; each secret is fetched once.

    The first record of a stack that holds a token starts the fetching of all secrets of that stack,
    batched where the service can; every thread waits only for what its own record needs. Safe to share
    between threads.
    """

    def __init__(self, clients: Clients, redactor: Redactor | None = None) -> None:
        self.redactor = redactor or Redactor()
        self._clients = clients
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._fetches: dict[Source, Future[dict[Source, Fetched | Missing]]] = {}
        self._seen: set[StackRef] = set()

    def resolve_all(self, record: Record, state: StackState) -> Mapping[str, Answer]:
        """See `Resolver`."""
        references = [parse(token) for token in record_tokens(record)]
        if not references:
            return {}
        self._start(references, state)
        answers = {reference.text: self._answer(reference, state) for reference in references}
        self._remember(answers.values())
        return answers

    def learn(self, state: StackState) -> None:
        """Have the redactor know every secret of a stack, also those of resources that were never compared.

        To be called before a report is redacted: a resource that could not be read may be named after a
        secret, and so may the error that says so.
        """
        for record in state.records.values():
            for credential in recorded_credentials(record):
                self.redactor.add(credential)
        references = list(_stack_references(state))
        self._start(references, state)
        self.redactor.add_references(reference.text for reference in references)
        self._remember(self._answer(reference, state) for reference in references)

    def forget(self) -> None:
        """Drop every fetched value; the redactor keeps its own until it is told to forget."""
        with self._lock:
            self._fetches.clear()
            self._seen.clear()
            if self._pool is not None:
                self._pool.shutdown(wait=False)
                self._pool = None

    def _start(self, references: list[Reference], state: StackState) -> None:
        with self._lock:
            if state.ref not in self._seen:
                self._seen.add(state.ref)
                references = [*references, *_stack_references(state)]
            placed = (_placed(reference, state) for reference in references)
            new = {source for source in placed if isinstance(source, Source)} - self._fetches.keys()
            for group in batches(new):
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="secrets")
                self._fetches.update(dict.fromkeys(group, self._pool.submit(fetch, self._clients, group)))

    def _remember(self, answers: Iterable[Answer]) -> None:
        for answer in answers:
            if isinstance(answer, Resolved) and answer.secret:
                self.redactor.add(answer.text)

    def _answer(self, reference: Reference, state: StackState) -> Answer:
        source = _placed(reference, state)
        if isinstance(source, Unresolved):
            return source
        with self._lock:
            fetching = self._fetches[source]
        fetched = fetching.result()[source]
        if isinstance(fetched, Missing):
            return _refused(reference, fetched.reason)
        return _select(reference, fetched)


def record_tokens(record: Record) -> tuple[str, ...]:
    """Every distinct token of a record, in what was sent and in what was observed."""
    if not mentions_secrets(record):
        return ()
    bags = (record.properties, record.observed or {})
    return tuple(dict.fromkeys(token for bag in bags for token in tokens_of(bag)))


def _stack_references(state: StackState) -> Iterator[Reference]:
    tokens = {token for record in state.records.values() for token in record_tokens(record)}
    return map(parse, tokens)


def _placed(reference: Reference, state: StackState) -> Source | Unresolved:
    """Where to fetch a reference, or why nowhere."""
    if not reference.resolvable:
        return Unresolved(
            cause=Cause.UNRESOLVED_TOKEN,
            reason=f"{escape_controls(reference.text)} is a spelling that only CloudFormation resolves: use "
            "a secretsmanager or ssm reference to have it compared",
        )
    region = region_of(reference, state)
    if region is Elsewhere.AMBIGUOUS:
        return _refused(
            reference,
            "names no region, and this stack reads from other regions, where the name is another secret's: "
            "spell the reference as a full ARN",
        )
    if region is Elsewhere.MALFORMED:
        return _refused(reference, "holds an ARN without a valid region: fix the reference")
    stage = "" if reference.stage == "AWSCURRENT" and not reference.version else reference.stage
    return Source(reference.service, region, reference.name, stage, reference.version)


def _refused(reference: Reference, why: str) -> Unresolved:
    return Unresolved(cause=Cause.REFUSED, reason=f"{escape_controls(reference.text)} {why}")


def _select(reference: Reference, fetched: Fetched) -> Answer:
    """The whole text, or one member of the JSON object in it. Nothing of the secret goes into a reason."""
    if not reference.json_key:
        return Resolved(text=fetched.text, secret=fetched.secret)
    try:
        document = json.loads(fetched.text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        return _refused(
            reference,
            "asks for a JSON key, but the secret is no JSON object: fix the secret or the reference",
        )
    if reference.json_key not in document:
        return _refused(
            reference, "asks for a JSON key that the secret does not have: fix the secret or the reference"
        )
    return Resolved(text=_as_text(document[reference.json_key]))


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
