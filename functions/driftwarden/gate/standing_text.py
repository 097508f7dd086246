"""A plan and what became of it, for people and for programmes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftwarden.gate.desk import Standing
from driftwarden.gate.documents import ChangeEntry
from driftwarden.plain_text import escape_controls
from driftwarden.report.excerpt import excerpt


def standing_object(standing: Standing) -> dict[str, Any]:
    """JSON values; `run`, `decision` and `outcome` are null where there is none."""
    run = {"number": standing.number, "execution": standing.execution, "status": standing.status}
    return {
        "plan": standing.plan.plain(),
        "run": run if standing.number else None,
        "decision": standing.decision.plain() if standing.decision else None,
        "outcome": standing.outcome.plain() if standing.outcome else None,
    }


def standing_lines(standing: Standing) -> Iterator[str]:
    """Lines for a terminal."""
    content = standing.plan.plan
    yield f"Plan {standing.plan.plan_id}"
    yield f"  for {_line(content.stack)} in {content.region}, account {content.account},"
    yield f"  made {standing.plan.planned_at} from {_line(content.state.key)} ({content.state.etag})"
    yield ""
    yield "To push back (live -> recorded):"
    for resource in content.resources:
        yield f"  {_line(resource.logical_id)} ({resource.type}, {_line(resource.physical_id)})"
        yield from (f"    {_change(change)}" for change in resource.changes)
        yield from (f"    warning: {_line(warning)}" for warning in resource.warnings)
        stays = (*resource.preserved, *resource.left_alone, *resource.kept)
        if stays:
            yield f"    stays: {_line(', '.join(stays))}"
    if content.refused:
        yield from ("", "Cannot be reverted:")
    for refused in content.refused:
        yield f"  {_line(refused.logical_id)} ({refused.type}), {refused.kind.value}: {_line(refused.reason)}"
    yield from ("", *_became(standing))


def _became(standing: Standing) -> Iterator[str]:
    if not standing.number:
        yield "Nobody was asked for a decision on it."
        return
    yield f"Run {standing.number}: {standing.status} ({standing.execution})"
    if standing.decision:
        by = standing.decision.decided_by or "not stated"
        yield f"Decision: {standing.decision.decision} at {standing.decision.decided_at} by {_line(by)}"
        yield f"  {_line(standing.decision.reason)}"
        yield from (f"  {_line(name)}" for name in standing.decision.resources)
    if standing.outcome:
        yield f"Ended: {standing.outcome.ending.value} at {standing.outcome.ended_at}"
        for result in standing.outcome.results:
            reason = f": {_line(result.reason)}" if result.reason else ""
            yield f"  {_line(result.logical_id)}: {result.status.value}{reason}"


def _change(change: ChangeEntry) -> str:
    held = change.model_fields_set
    live = excerpt(change.from_) if "from_" in held else "(nothing)"
    wanted = excerpt(change.to) if "to" in held else "(nothing)"
    return f"{_line(change.path)}: {live} -> {wanted}"


def _line(text: str) -> str:
    return escape_controls(text)
