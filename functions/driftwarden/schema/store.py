"""The packed schema facts: an index, and one separately compressed entry per type.

Layout of `types.bin`: the four bytes `DWS1`, the length of the index (4 bytes, big-endian), the index as
zlib-compressed JSON (`{"source", "types": {name: [offset, length]}}`), then the entries, each zlib-
compressed JSON of its own. A scan touches ten or thirty of the 1,900 types: only those are decompressed and
parsed, and nothing at all before the first question.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib import resources
from typing import Any

import orjson

from driftwarden.schema.types import TypeSchema

MAGIC = b"DWS1"


Index = dict[str, tuple[int, int]]


def unpack(data: bytes) -> tuple[str, Index, memoryview]:
    """What the facts were distilled from, the index, and the entries. Raises ValueError for another file."""
    if data[:4] != MAGIC:
        raise ValueError("driftwarden/schema/types.bin is damaged: run `make schemas`")
    start = 8 + int.from_bytes(data[4:8], "big")
    head = orjson.loads(zlib.decompress(data[8:start]))
    return head["source"], head["types"], memoryview(data)[start:]


@cache
def _file() -> tuple[Index, memoryview]:
    _, index, entries = unpack(resources.files("driftwarden.schema").joinpath("types.bin").read_bytes())
    return index, entries


@cache
def schema_of(type_name: str) -> TypeSchema | None:
    """Facts of one resource type, or None for a type that the registry does not know."""
    index, entries = _file()
    if (place := index.get(type_name)) is None:
        return None
    offset, length = place
    entry: dict[str, Any] = orjson.loads(zlib.decompress(entries[offset : offset + length]))
    return TypeSchema.from_entry(type_name, entry)


def known_types() -> frozenset[str]:
    """Names of all types in the data file."""
    return frozenset(_file()[0])
