"""Builders of records and states, and a resolver that answers from a table."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from driftwarden.model import ABSENT, Cause, Change, Path, Record, StackRef, StackState, StateOrigin
from driftwarden.secrets import Bound, Redactor, bind, conceal
from driftwarden.secrets.resolve import Answer, Resolved, Unresolved, record_tokens


@dataclasses.dataclass
class Table:
    """A resolver over a table of token -> text (a secret), answer, or nothing (refused)."""

    answers: Mapping[str, str | Answer]
    redactor: Redactor = dataclasses.field(default_factory=Redactor)

    def resolve_all(self, record: Record, state: StackState) -> Mapping[str, Answer]:
        return {token: self._answer(token) for token in record_tokens(record)}

    def _answer(self, token: str) -> Answer:
        answer = self.answers.get(token, Unresolved(cause=Cause.REFUSED, reason=f"{token} is refused"))
        if isinstance(answer, str):
            self.redactor.add(answer)
            return Resolved(text=answer)
        return answer


def new_record(properties: Any, observed: Any = None, **more: Any) -> Record:
    fields = {"logical_id": "Subject", "resource_type": "AWS::Test::Thing", "physical_id": "subject", **more}
    return Record(properties=properties, observed=observed, **fields)


def new_state(
    *records: Record, region: str = "eu-west-1", foreign: frozenset[str] = frozenset()
) -> StackState:
    return StackState(
        ref=StackRef("Shop", region),
        version=11,
        records={f"R{number}": record for number, record in enumerate(records)},
        origin=StateOrigin(bucket="state", key="cdkd/Shop/eu-west-1/state.json", etag="e"),
        foreign_regions=foreign,
    )


@pytest.fixture
def make_record() -> Callable[..., Record]:
    return new_record


@pytest.fixture
def make_state() -> Callable[..., StackState]:
    return new_state


@pytest.fixture
def bind_to() -> Callable[..., Bound]:
    def bound(record: Record, **answers: str | Answer) -> Bound:
        table = {f"{{{{resolve:secretsmanager:{name}}}}}": answer for name, answer in answers.items()}
        return bind(record, new_state(record), Table(table))

    return bound


@pytest.fixture
def shown(bind_to: Callable[..., Bound]) -> Callable[..., Change]:
    """What a report shows of a change at `path` whose sides are the bound baseline's and `aws`."""

    def show(
        record: Record, path: Path, aws: Any = ABSENT, state: Any = None, **answers: str | Answer
    ) -> Change:
        bound = bind_to(record, **answers)
        if state is None:
            state = bound.values
            for part in path:
                state = state[part]
        (change,) = conceal([Change(path=path, state=state, aws=aws)], bound, record)
        return change

    return show


@pytest.fixture
def as_text() -> Callable[[Any], str]:
    """Everything printable of changes or anything else, as one text."""

    def text(value: Any) -> str:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            value = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return json.dumps(value, default=repr, ensure_ascii=False)

    return text
