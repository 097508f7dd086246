"""Say which generated files no longer match their sources: exit status 1 when there are any."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path

import distil_schemas

from driftwarden.gate import documents
from driftwarden.report import document

REPORT_SCHEMA = Path(document.__file__).with_name("report.schema.json")
GATE_SCHEMAS = Path(documents.__file__).with_name("schemas")


def unpacked(packed: bytes) -> dict[str, bytes]:
    """What a schema data file holds; packed bytes differ between builds of zlib."""
    start = 8 + int.from_bytes(packed[4:8], "big")
    head = json.loads(zlib.decompress(packed[8:start]))
    types = {
        name: zlib.decompress(packed[start + offset : start + offset + length])
        for name, (offset, length) in head["types"].items()
    }
    return types | {"source": head["source"].encode()}


def main() -> int:
    fresh = distil_schemas.pack({n: distil_schemas.distil(s) for n, s in distil_schemas.schemas().items()})
    stale = []
    if unpacked(fresh) != unpacked(distil_schemas.TARGET.read_bytes()):
        stale.append(f"{distil_schemas.TARGET}: run `make schemas`")
    if document.schema_text() != REPORT_SCHEMA.read_text(encoding="utf-8"):
        stale.append(f"{REPORT_SCHEMA}: run `make schemas`")
    for name in documents.DOCUMENTS:
        path = GATE_SCHEMAS / f"{name}.schema.json"
        if documents.schema_text(name) != path.read_text(encoding="utf-8"):
            stale.append(f"{path}: run `make schemas`")
    for line in stale:
        sys.stderr.write(f"out of date: {line}\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
