"""Paths are dotted for people, and only for them."""

from __future__ import annotations

import pytest

from driftwarden.model import Path
from driftwarden.report.paths import dotted


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("Name",), "Name"),
        (("VersioningConfiguration", "Status"), "VersioningConfiguration.Status"),
        (("Tags", 0, "Key"), "Tags[0].Key"),
        (("Matrix", 1, 2), "Matrix[1][2]"),
        (("Variables", "a.b"), "Variables.a.b"),
        ((0,), "[0]"),
    ],
)
def test_map_keys_are_joined_by_dots_and_positions_stand_in_brackets(path: Path, text: str) -> None:
    assert dotted(path) == text
