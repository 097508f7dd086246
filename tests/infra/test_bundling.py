"""Bundles: complete, for the right processor, and the same on every build."""

from __future__ import annotations

import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

import pytest

from infra.bundling import HERE, LAMBDA, Sources, Target, finish, install

pytestmark = pytest.mark.xdist_group("cdk")

WHEEL = {
    "tiny/__init__.py": "ANSWER = 42\n",
    "tiny/inner.py": "def double(number: int) -> int:\n    return 2 * number\n",
    "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
    "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: {tag}\n",
    "tiny-1.0.dist-info/RECORD": "",
}


def wheel(folder: Path, tag: str) -> Path:
    path = folder / f"tiny-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in WHEEL.items():
            archive.writestr(name, text.replace("{tag}", tag))
    return path


def digest(folder: Path) -> str:
    """Names, modes, times and bytes of everything below a folder."""
    told = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        seen = path.stat()
        told.update(repr((path.relative_to(folder), seen.st_mode, int(seen.st_mtime), content)).encode())
    return told.hexdigest()


def build(folder: Path, source: Path, target: Target) -> Path:
    install(folder / "python", target, "--no-index", str(source))
    finish(folder, target, found_at="/opt")
    return folder


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    source = wheel(tmp_path, "py3-none-any")
    first = build(tmp_path / "first", source, HERE)
    source.touch()
    os.utime(source, (time.time() + 60, time.time() + 60))
    second = build(tmp_path / "second", source, HERE)
    assert digest(first) == digest(second)


def test_byte_code_is_taken_without_a_look_at_the_source(tmp_path: Path) -> None:
    made = build(tmp_path / "made", wheel(tmp_path, "py3-none-any"), HERE)
    compiled = sorted(made.rglob("*.pyc"))
    assert {path.name.split(".")[0] for path in compiled} == {"__init__", "inner"}
    # PEP 552: bit 0 says hash-based, bit 1 says that the hash is checked.
    assert {path.read_bytes()[4:8] for path in compiled} == {b"\1\0\0\0"}
    assert not any(str(tmp_path).encode() in path.read_bytes() for path in compiled)


def test_nothing_is_kept_that_differs_between_machines(tmp_path: Path) -> None:
    made = build(tmp_path / "made", wheel(tmp_path, "py3-none-any"), HERE)
    assert {path.name for path in made.glob("python/*.dist-info/*")} == {"METADATA", "WHEEL"}


def test_wheels_are_those_of_the_target(tmp_path: Path) -> None:
    arm = wheel(tmp_path, "cp313-cp313-manylinux2014_aarch64")
    assert (build(tmp_path / "made", arm, LAMBDA) / "python" / "tiny").is_dir()


@pytest.mark.skipif(sys.platform != "linux", reason="the tag is of another system there anyway")
def test_a_wheel_for_another_processor_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = wheel(tmp_path, "cp313-cp313-manylinux2014_s390x")
    with pytest.raises(Exception, match="exit status 1"):
        install(tmp_path / "made", LAMBDA, "--no-index", str(other))
    assert "not a supported wheel" in capfd.readouterr().err


def test_the_functions_are_bundled_without_what_only_the_checkout_needs(tmp_path: Path) -> None:
    Sources(HERE).try_bundle(str(tmp_path / "made"))
    top = {path.name for path in (tmp_path / "made").iterdir()} - {"__pycache__"}
    assert {"driftwarden", "runtime.py", "scan_stack"} <= top
    assert not [name for name in top if name.endswith((".egg-info", ".txt"))]
