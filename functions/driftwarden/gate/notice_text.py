"""The notices of the gate as a person reads them in a mail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from driftwarden.report.message_change import change_text

_STAYS: Final = {
    "preserved": "tags that AWS services wrote",
    "leftAlone": "values that AWS alone has, which no baseline explains",
    "kept": "places whose recorded value is masked or cannot be resolved",
}
_ENDINGS: Final = {
    "reverted": "everything that was approved is as recorded again, and was read once more to prove it.",
    "partiallyReverted": "not everything that was approved could be reverted, or could be proved to be.",
    "rejected": "the revert was rejected. Nothing was changed.",
    "expired": "nobody decided in time. Nothing was changed.",
    "failed": "the revert failed.",
}


def approval_text(told: dict[str, Any]) -> str:
    """Plain text, one fact a line, from the object that a programme gets."""
    parts = (_request, _changes, _stays, _refused, _how)
    return "\n".join(line for part in parts for line in part(told))


def outcome_text(told: dict[str, Any]) -> str:
    """Plain text, one fact a line, from the object that a programme gets."""
    parts = (_ending, _results, _next)
    return "\n".join(line for part in parts for line in part(told))


def _request(told: dict[str, Any]) -> Iterator[str]:
    yield f"Somebody wants to push recorded values back into stack {told['stack']} in {told['region']} " + (
        f"(account {told['account'] or 'unknown'}). Nothing happens unless you approve it."
    )
    yield ""
    by = told["requestedBy"]
    yield f"Asked by: {f'{by}, as they say' if by else 'not stated'}; CloudTrail knows who started it"
    yield f"Reason:   {told['reason'] or '(none given)'}"
    yield f"Decide until {told['expiresAt']}. After that the request expires and nothing is changed."


def _changes(told: dict[str, Any]) -> Iterator[str]:
    yield from ("", "WHAT WILL CHANGE (live -> recorded)")
    for resource in told["resources"]:
        yield f"  {resource['logicalId']} ({resource['type']}, {resource['physicalId']})"
        for change in resource["changes"]:
            yield from change_text(change)
        if "changesMore" in resource:
            yield f"    ... and {resource['changesMore']:,} more changes; the plan has them all"
        yield from (f"    WARNING: {warning}" for warning in resource["warnings"])
    yield from _omitted(told, "resources", "the plan")


def _stays(told: dict[str, Any]) -> Iterator[str]:
    lines = [
        f"  {resource['logicalId']}: {meaning}: {', '.join(resource['stays'][name])}"
        for resource in told["resources"]
        for name, meaning in _STAYS.items()
        if resource["stays"][name]
    ]
    if lines:
        yield from ("", "WHAT STAYS AS IT IS", *lines)


def _refused(told: dict[str, Any]) -> Iterator[str]:
    if not told["refused"] and "refused" not in told["omitted"]:
        return
    yield from ("", "WHAT CANNOT BE REVERTED")
    for resource in told["refused"]:
        yield f"  {resource['logicalId']} ({resource['type']}), {resource['kind']}: {resource['reason']}"
    yield from _omitted(told, "refused", "the plan")


def _how(told: dict[str, Any]) -> Iterator[str]:
    decide = told["decide"]
    yield from ("", "HOW TO DECIDE")
    yield "  1. Open the state machine that takes decisions, and choose Start execution:"
    yield f"     {decide['console']}"
    yield "  2. Paste one of these as the input, with your own reason:"
    yield f"     approve all of it:       {json.dumps(decide['approve'])}"
    yield f"     approve some resources:  {json.dumps(decide['approveSome'])}"
    yield f"     reject it:               {json.dumps(decide['reject'])}"
    yield "  The execution succeeds when your decision was taken, and says why when it was not."
    yield f"  Or: driftwarden revert approve {told['planId']} --reason TEXT"
    yield from ("", "THE WHOLE PLAN", f"  {told['plan']['uri']}", f"  {told['plan']['console']}")
    yield from ("", "THE REQUEST", f"  {told['watch']}")


def _ending(told: dict[str, Any]) -> Iterator[str]:
    yield f"Stack {told['stack']} in {told['region']}: {_ENDINGS[told['kind']]}"
    yield ""
    if told["error"]:
        yield from (told["error"], "")
    yield f"Asked by: {told['requestedBy'] or 'not stated'} ({told['reason'] or 'no reason given'})"
    decision = told["decision"]
    if decision:
        by = decision["decidedBy"] or "somebody who did not say"
        yield f"Decision: {decision['decision']} at {decision['decidedAt']}, by {by}"
        yield f"          {decision['execution']}"
        yield f"          {decision['reason'] or '(no reason given)'}"
    yield f"Ended:    {told['endedAt']}"


def _results(told: dict[str, Any]) -> Iterator[str]:
    if told["results"]:
        yield from ("", "WHAT HAPPENED")
    for result in told["results"]:
        reason = f": {result['reason']}" if result["reason"] else ""
        yield f"  {result['logicalId']} ({result['type']}): {result['status']}{reason}"
        for change in result["remaining"]:
            yield "    still to change:"
            yield from change_text(change)
    yield from _omitted(told, "results", "the outcome")
    if told["unproved"]:
        yield from ("", "NOT PROVED WHEN READ ONCE MORE")
    for one in told["unproved"]:
        yield f"  {one['logicalId']}: {one['reason']}"
    yield from _omitted(told, "unproved", "the outcome")


def _next(told: dict[str, Any]) -> Iterator[str]:
    if told["kind"] in ("partiallyReverted", "failed"):
        yield from (
            "",
            "NEXT STEP",
            "  - See to the reasons above, then request a new revert: it plans afresh.",
        )
    if told["kind"] == "expired":
        yield from ("", "NEXT STEP", "  - Request the revert again if it is still wanted.")
    yield from (
        "",
        "ON RECORD",
        f"  {told['outcome']['uri']}",
        f"  {told['outcome']['console']}",
        f"  {told['watch']}",
    )


def _omitted(told: dict[str, Any], name: str, where: str) -> Iterator[str]:
    if name in told["omitted"]:
        yield f"  ... and {told['omitted'][name]:,} more; {where} has them all."
