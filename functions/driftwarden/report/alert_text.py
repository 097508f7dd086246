"""The alert as a person reads it in a mail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftwarden.report.message_change import change_text


def alert_text(content: dict[str, Any]) -> str:
    """Plain text, one fact a line, from the object that `alert_content.content` makes."""
    parts = (_opening, _changes, _deleted, _not_compared, _closing)
    return "\n".join(line for part in parts for line in part(content))


def counts(summary: dict[str, int]) -> str:
    """`2 drifted, 1 deleted, 3 not compared`: what is not zero."""
    named = (("drifted", "drifted"), ("deleted", "deleted"), ("notCompared", "not compared"))
    return ", ".join(f"{summary[key]:,} {word}" for key, word in named if summary[key])


def _opening(content: dict[str, Any]) -> Iterator[str]:
    place = f"Stack {content['stack']} in {content['region']} (account {content['account'] or 'unknown'})"
    if "error" in content:
        yield f"{place}: the scan failed."
        yield ""
        yield f"{content['error']['class']}: {content['error']['message']}"
    else:
        summary = content["summary"]
        yield f"{place}: {counts(summary)}."
        yield f"{summary['checked']:,} of {summary['resources']:,} resources fully checked."
    yield ""
    yield f"Scanned {content['startedAt']} to {content['finishedAt']}."
    if content["repeat"]:
        yield f"Unchanged since {content['unchangedSince']}: this repeats an earlier alert."


def _changes(content: dict[str, Any]) -> Iterator[str]:
    if not content["summary"]["drifted"]:
        return
    yield from ("", "WHAT CHANGED (recorded -> live)")
    resource = None
    for entry in content["changes"]:
        if resource != (resource := entry["logicalId"]):
            yield f"  {resource} ({entry['type']})"
        yield from change_text(entry)
    yield from _omitted(content, "changes", "changes")


def _deleted(content: dict[str, Any]) -> Iterator[str]:
    if not content["summary"]["deleted"]:
        return
    yield from ("", "DELETED (AWS says that these are gone)")
    for entry in content["deleted"]:
        yield f"  {entry['logicalId']} ({entry['type']})"
    yield from _omitted(content, "deleted", "deleted resources")


def _not_compared(content: dict[str, Any]) -> Iterator[str]:
    if not content["summary"]["notCompared"]:
        return
    yield from ("", "NOT, OR NOT FULLY, COMPARED")
    for entry in content["notCompared"]:
        reason = f": {entry['reason']}" if entry["reason"] else ""
        yield f"  {entry['logicalId']} ({entry['type']}), {entry['cause']}{reason}"
    yield from _omitted(content, "notCompared", "resources")


def _closing(content: dict[str, Any]) -> Iterator[str]:
    yield from ("", "WHAT IT MEANS", f"  {content['meaning']}")
    yield from ("", "NEXT STEP", *(f"  - {step}" for step in content["nextSteps"]))
    yield from ("", "FULL REPORT")
    report = content["report"]
    if "uri" in report:
        yield f"  {report['uri']}"
        yield f"  {report['console']}"
    else:
        yield f"  The report could not be stored: {report['problem']}"
        yield f"  This message and the scanner's log (search for {content['scanId']}) are all there is."


def _omitted(content: dict[str, Any], name: str, what: str) -> Iterator[str]:
    if name in content["omitted"]:
        yield f"  ... and {content['omitted'][name]:,} more {what}; the full report has them all."
