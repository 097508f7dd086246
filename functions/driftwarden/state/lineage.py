"""What the stacks around a nested stack read from other regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from driftwarden.errors import StateError, StateNotFound
from driftwarden.model import StackRef, StackState
from driftwarden.state.schema import UNKNOWN_REGION, StackBody
from driftwarden.state.text import stack_name

Fetch: TypeAlias = Callable[[StackRef], Mapping[str, Any]]
"""The decoded record of a stack; raises StateError."""


def with_ancestors(state: StackState, fetch: Fetch) -> StackState:
    """`state` with its `foreign_regions` widened by its ancestors'.

    A parent hands values down as parameters, so whatever it read elsewhere, and its own region, may stand in
    the nested stack. An ancestor that exists but cannot be read adds UNKNOWN_REGION; one that is gone adds
    only a warning.
    """
    regions = set(state.foreign_regions)
    warnings: list[str] = []
    seen = {state.ref}
    ref = state.parent
    while ref is not None and ref not in seen:
        seen.add(ref)
        try:
            body = StackBody.model_validate(fetch(ref))
        except StateNotFound:
            warnings.append(f"The parent stack {stack_name(ref)} has no state, so what it read is not known.")
            break
        except StateError as error:
            regions.add(UNKNOWN_REGION)
            warnings.append(
                f"The parent stack {stack_name(ref)} could not be read, so secret references without a "
                f"region are refused. {error}"
            )
            break
        regions |= {ref.region, *body.source_regions()}
        ref = body.parent(ref.region)
    return replace(
        state,
        foreign_regions=frozenset(regions - {state.ref.region}),
        warnings=(*state.warnings, *warnings),
    )
