"""Recording what AWS took in a narrower form than the template declares, lest it drift for ever."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.errors import StateError
from driftwarden.model import ABSENT
from driftwarden.report.json import plain
from driftwarden.secrets import Redactor
from driftwarden.state import StackLock, StateDocument, StateStore

if TYPE_CHECKING:
    from driftwarden.remedy.revert import Result


def record_narrowings(
    store: StateStore,
    read: StateDocument,
    lock: StackLock,
    results: Iterable[Result],
    redactor: Redactor,
    warn: Callable[[str], None],
) -> None:
    """Write the narrowed values into the baselines. Best effort: AWS is reverted already, so a failure warns.

    Only what a baseline declares can move, and on a template only a removal: its values say what people want.
    """
    document = copy.deepcopy(dict(read.document))
    changed = False
    for result in results:
        row = document["resources"].get(result.logical_id) if result.narrowed else None
        if row is not None:
            changed = _narrow(row, result.narrowed, redactor) or changed
    if not changed:
        return
    try:
        store.save(read, document, lock=lock)
    except StateError as error:
        warn(f"What AWS narrowed could not be recorded, so the next scan reports it again. {error}")


def _narrow(row: dict[str, Any], narrowed: Mapping[str, Any], redactor: Redactor) -> bool:
    observed = isinstance(row.get("observedProperties"), dict)
    bag = row["observedProperties"] if observed else row["properties"]
    changed = False
    for name, value in narrowed.items():
        if name not in bag or bag[name] == value:
            continue
        if value is ABSENT:
            del bag[name]
        elif observed and redactor.redact(value) == value:
            bag[name] = plain(value)
        else:
            continue
        changed = True
    return changed
