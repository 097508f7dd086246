"""Distil the CloudFormation registry schemas that cfn-lint carries into the package's one data file.

Run by `make schemas` with the development dependencies installed; writes
`functions/driftwarden/schema/types.bin`. The format is described in `driftwarden/schema/store.py`, which
reads it.
"""

from __future__ import annotations

import json
import sys
import zlib
from importlib import metadata
from pathlib import Path
from typing import Any

import cfnlint

SOURCE = Path(cfnlint.__file__).parent / "data" / "schemas"
TARGET = Path(__file__).resolve().parent.parent / "functions" / "driftwarden" / "schema" / "types.bin"
REGION_FIRST = "us-east-1"  # the region whose schema wins where regions differ: it has every type first

Json = dict[str, Any]


def schemas() -> dict[str, Json]:
    """Every public resource type of every region, by name."""
    hashes: dict[str, str] = {}
    providers = sorted((SOURCE / "providers").glob("*.json"), key=lambda p: (p.stem != REGION_FIRST, p.stem))
    for provider in providers:
        for name, digest in json.loads(provider.read_text()).items():
            if name.startswith("AWS::"):
                hashes.setdefault(name, digest)
    return {
        name: json.loads((SOURCE / "resources" / f"{digest}.json").read_text())
        for name, digest in sorted(hashes.items())
    }


def steps(pointer: str) -> list[str]:
    """`/properties/Rules/*/Id` -> `["Rules", "*", "Id"]`."""
    return [part for part in pointer.split("/") if part not in ("", "properties")]


def branches(node: Json) -> list[Json]:
    """The node and every alternative it allows."""
    found = [node]
    for word in ("oneOf", "anyOf", "allOf"):
        for branch in node.get(word, ()):
            if isinstance(branch, dict):
                found.extend(branches(branch))
    return found


def reference(node: Json) -> str | None:
    for branch in branches(node):
        ref = branch.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/definitions/"):
            return ref.removeprefix("#/definitions/")
    return None


def map_values(node: Json) -> Any:
    """The value schema of a free-form map, or None for an object with named properties only."""
    for pattern in (node.get("patternProperties") or {}).values():
        return pattern
    extra = node.get("additionalProperties")
    if isinstance(extra, dict):
        return extra
    return {} if extra is True else None


def shape(node: Any) -> Json:
    """What a comparison needs of one schema node: kind, members, element order, default, format."""
    if not isinstance(node, dict):
        return {}
    out = structure(node)
    for word, key in (("unordered", "insertionOrder"), ("unique", "uniqueItems")):
        if node.get(key) is (word == "unique"):
            out[word] = True
    out.update({word: node[word] for word in ("default", "format") if word in node})
    if caseless(node):
        out["caseless"] = True
    return out


def structure(node: Json) -> Json:
    """Kind, members and elements of a node, over all the alternatives it allows."""
    out: Json = {}
    if (ref := reference(node)) is not None:
        out["ref"] = ref
    properties: Json = {}
    required = set(node.get("required") or ())
    for branch in branches(node):
        if (kind := branch.get("type")) is not None:
            out.setdefault("type", kind)
        for name, child in (branch.get("properties") or {}).items():
            properties.setdefault(name, shape(child) | ({"required": True} if name in required else {}))
        if "items" in branch and "items" not in out:
            out["items"] = shape(branch["items"])
    if properties:
        out["properties"] = properties
    elif "ref" not in out and (values := map_values(node)) is not None:
        out["map"] = shape(values)
    return out


def caseless(node: Json) -> bool:
    """An enumeration of texts no two of which differ only in case: no edit can hide in the case."""
    values = [
        value
        for branch in branches(node)
        for word in ("enum", "enumCaseInsensitive")
        for value in branch.get(word, ())
    ]
    texts = {value for value in values if isinstance(value, str)}
    return bool(texts) and len({value.lower() for value in texts}) == len(texts)


def distil(schema: Json) -> Json:
    """One type's entry in the data file."""
    tagging = schema.get("tagging") or {}
    out: Json = {
        "properties": structure({word: schema.get(word) for word in ("properties", "required")}).get(
            "properties", {}
        ),
        "definitions": {name: shape(node) for name, node in (schema.get("definitions") or {}).items()},
        "identifier": [".".join(steps(p)) for p in schema.get("primaryIdentifier", ())],
        "transforms": {
            "/".join(steps(path)): expression.split(" $OR ")
            for path, expression in (schema.get("propertyTransform") or {}).items()
        },
    }
    for word in ("readOnly", "writeOnly", "createOnly", "conditionalCreateOnly"):
        out[word] = sorted(steps(pointer) for pointer in schema.get(f"{word}Properties", ()))
    if tagging.get("taggable", True) and "tagProperty" in tagging:
        out["tagProperty"] = ".".join(steps(tagging["tagProperty"]))
    return {key: value for key, value in out.items() if value}


def pack(entries: dict[str, Json]) -> bytes:
    """Magic, length of the index, index, then one compressed entry per type (see store.py)."""
    blobs, index, offset = [], {}, 0
    for name, entry in entries.items():
        text = json.dumps(entry, separators=(",", ":"), sort_keys=True).encode()
        blob = zlib.compress(text, 9)
        index[name] = [offset, len(blob)]
        offset += len(blob)
        blobs.append(blob)
    head = json.dumps(
        {"source": f"cfn-lint {metadata.version('cfn-lint')}", "types": index}, separators=(",", ":")
    ).encode()
    head = zlib.compress(head, 9)
    return b"DWS1" + len(head).to_bytes(4, "big") + head + b"".join(blobs)


def main() -> int:
    entries = {name: distil(schema) for name, schema in schemas().items()}
    data = pack(entries)
    TARGET.write_bytes(data)
    sys.stdout.write(f"{TARGET.name}: {len(entries)} types, {len(data):,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
