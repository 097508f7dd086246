"""The packed registry facts: complete, current, and read only where needed."""

from __future__ import annotations

import importlib.util
import json
import re
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pytest

from driftwarden.schema import known_types, schema_of
from driftwarden.schema.store import unpack

DISTILLER = Path(__file__).resolve().parents[3] / ".ci" / "distil_schemas.py"


@pytest.fixture(scope="module")
def distiller() -> Any:
    spec = importlib.util.spec_from_file_location("distil_schemas", DISTILLER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def data() -> bytes:
    return resources.files("driftwarden.schema").joinpath("types.bin").read_bytes()


def test_the_data_file_is_what_the_distiller_makes_of_the_pinned_schemas(distiller: Any) -> None:
    source, _, _ = unpack(data())
    if source != f"cfn-lint {metadata.version('cfn-lint')}":
        pytest.skip("another cfn-lint is installed than the data file was made from")
    assert distiller.pack({name: distiller.distil(s) for name, s in distiller.schemas().items()}) == data()


def test_packing_and_unpacking_gives_the_entries_back(distiller: Any) -> None:
    entries = {"AWS::A::B": {"properties": {"X": {"type": "string"}}}, "AWS::C::D": {"identifier": ["Y"]}}
    _, index, blobs = unpack(distiller.pack(entries))
    import zlib

    for name, entry in entries.items():
        offset, length = index[name]
        assert json.loads(zlib.decompress(blobs[offset : offset + length])) == entry


def test_a_damaged_file_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="make schemas"):
        unpack(b"nope" + data()[4:])


def test_it_knows_the_public_types() -> None:
    assert len(known_types()) > 1500
    assert {"AWS::S3::Bucket", "AWS::Lambda::Function", "AWS::IAM::Role"} <= known_types()


def test_an_unknown_type_has_no_facts() -> None:
    assert schema_of("AWS::Unheard::Of") is None


def test_the_facts_of_a_bucket() -> None:
    bucket = schema_of("AWS::S3::Bucket")
    assert bucket is not None
    assert bucket.identifier == ("BucketName",)
    assert bucket.tag_property == "Tags"
    assert ("Arn",) in bucket.read_only
    assert ("AccessControl",) in bucket.write_only
    assert ("BucketName",) in bucket.create_only
    assert ("LifecycleConfiguration", "Rules", "*", "Transition") in bucket.write_only
    assert any("Filter" in path for path in bucket.transforms)


def test_order_defaults_maps_and_formats() -> None:
    role, function, trail = map(schema_of, ("AWS::IAM::Role", "AWS::Lambda::Function", "AWS::KMS::Key"))
    assert role is not None
    assert function is not None
    assert trail is not None
    assert role.root.member("ManagedPolicyArns").unordered
    layers = function.root.member("Layers")
    assert not layers.unordered
    assert layers.kinds == ("array",)
    assert function.root.member("Environment").member("Variables").free_map
    assert trail.root.member("EnableKeyRotation").kinds == ("boolean",)
    assert schema_of("AWS::DynamoDB::Table").conditional_create_only  # type: ignore[union-attr]


def test_references_are_followed_and_recursive_definitions_end() -> None:
    acl = schema_of("AWS::WAFv2::WebACL")
    assert acl is not None
    shape = acl.root.member("Rules").element.member("Statement")
    for _ in range(4):
        shape = shape.member("AndStatement").member("Statements").element
    assert shape.member("GeoMatchStatement").member("CountryCodes").known


def test_every_entry_can_be_read() -> None:
    for name in known_types():
        assert re.fullmatch(r"AWS::\w+::\w+(::MODULE)?", name)
        assert schema_of(name) is not None
    schema_of.cache_clear()
