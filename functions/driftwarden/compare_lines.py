"""Offline comparison: recorded resources with their read-backs in, verdicts out, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

from driftwarden.compare import Context, compare
from driftwarden.compare.cloud_control import DENIED
from driftwarden.model import ABSENT, Change, Path, Record, StackRef, StackState, StateOrigin
from driftwarden.report.json import plain
from driftwarden.report.paths import dotted
from driftwarden.resources.registry import find
from driftwarden.secrets import Offline, bind, conceal, learn_live
from driftwarden.secrets.known import recorded_credentials
from driftwarden.skipped import INVISIBLE, is_skipped


class _BadLine(ValueError):
    """The line is not a case; the text says why, without showing it."""


def compare_lines(lines: Iterable[str | bytes]) -> Iterator[dict[str, Any]]:
    """One answer per non-empty line, in order: `{"id", "outcome", "changes", "appeared"?, "cause"?}`.

    A line that is not such a case gives `{"id", "outcome": "error", "error"}`, and the rest goes on. Makes
    no AWS call: dynamic references count as unresolvable.
    """
    return (_answer(line) for line in lines if line.strip())


def _answer(line: str | bytes) -> dict[str, Any]:
    case: Any = None
    try:
        case = orjson.loads(line)
        return {"id": _given_id(case), **_verdict(case)}
    except orjson.JSONDecodeError:
        return {"id": None, "outcome": "error", "error": "the line is not JSON"}
    except _BadLine as error:
        return {"id": _id(case), "outcome": "error", "error": str(error)}
    except Exception as error:
        return {
            "id": _id(case),
            "outcome": "error",
            "error": f"the line cannot be compared: {type(error).__name__}",
        }


def _given_id(case: Any) -> Any:
    if not isinstance(case, Mapping) or "id" not in case:
        raise _BadLine("the line is not an object with an id")
    return case["id"]


def _id(case: Any) -> Any:
    return case.get("id") if isinstance(case, Mapping) else None


def _verdict(case: Mapping[str, Any]) -> dict[str, Any]:
    record = _record(case, str(case.get("logicalId", "")))
    if is_skipped(record.resource_type) or record.resource_type == INVISIBLE:
        return {"outcome": "skipped", "changes": []}
    live = case.get("aws", ABSENT)
    if live is None:
        return {"outcome": "deleted", "changes": []}
    if not isinstance(live, Mapping):
        raise _BadLine("aws must be an object, or null where AWS knows no such resource")
    if record.resource_type in DENIED and find(record.resource_type) is None:
        return {"outcome": "unsupported", "changes": []}
    state = _state(case, record)
    bound = bind(record, state, Offline())
    learn_live(live, record, bound)
    context = Context(
        region=state.ref.region,
        account_id=case.get("accountId"),
        stack=state.ref.name,
        siblings=state.records,
    )
    result = compare(record, bound.values, live, context)
    for sibling in state.records.values() if result.changes or result.appeared else ():
        for credential in recorded_credentials(sibling):
            bound.redactor.add(credential)
    changes = conceal(result.changes, bound, record)
    quiet = "clean" if bound.cause is None else "notCompared"
    answer: dict[str, Any] = {
        "outcome": "drifted" if changes else quiet,
        "changes": [_change(change) for change in changes],
    }
    if result.appeared:
        answer["appeared"] = [_change(change) for change in conceal(result.appeared, bound, record)]
    if bound.cause is not None:
        answer["cause"] = str(bound.cause)
    return answer


def _state(case: Mapping[str, Any], record: Record) -> StackState:
    siblings = _object(case, "siblings")
    records = {name: _record(sibling, name) for name, sibling in siblings.items()}
    records[record.logical_id] = record
    ref = StackRef(str(case.get("stack", "")), str(case.get("region", "")))
    return StackState(ref=ref, version=1, records=records, origin=StateOrigin(bucket="", key="", etag=""))


def _record(case: Any, logical_id: str) -> Record:
    if not isinstance(case, Mapping):
        raise _BadLine("a resource must be an object")
    if not isinstance(case.get("resourceType"), str):
        raise _BadLine("resourceType must be a text")
    observed = case.get("observedProperties")
    if observed is not None and not isinstance(observed, Mapping):
        raise _BadLine("observedProperties must be an object")
    return Record(
        logical_id=logical_id,
        resource_type=case["resourceType"],
        physical_id=str(case.get("physicalId", "")),
        properties=_object(case, "properties"),
        observed=observed,
        attributes=_object(case, "attributes"),
        provisioned_by=str(case.get("provisionedBy", "sdk")),
        no_echo_leaves=tuple(_leaves(case.get("noEchoLeaves"))),
    )


def _object(case: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = case.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _BadLine(f"{key} must be an object")
    return value


def _leaves(value: Any) -> Iterator[Path]:
    for leaf in value if isinstance(value, list) else ():
        if isinstance(leaf, list) and leaf and all(isinstance(part, str | int) for part in leaf):
            yield tuple(leaf)


def _change(change: Change) -> dict[str, Any]:
    out: dict[str, Any] = {"path": dotted(change.path)}
    if change.state is not ABSENT:
        out["stateValue"] = plain(change.state)
    if change.aws is not ABSENT:
        out["awsValue"] = plain(change.aws)
    return out
