"""Bundles for Lambda, made without Docker: the same input gives the same bytes on every build.

`python -m infra.bundling` makes the dependency layer for this machine's interpreter, which the emulator uses.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import jsii
from aws_cdk import aws_lambda as lambda_

ROOT = Path(__file__).parent.parent
FUNCTIONS = ROOT / "functions"
LOCK = FUNCTIONS / "requirements.txt"
CACHE = ROOT / ".build"
# Zip files know no earlier date; any fixed one will do.
EPOCH = 315_619_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The interpreter and processor that a bundle is for. `platforms` are pip's; none: this machine's."""

    version: str
    architecture: str
    platforms: tuple[str, ...] = ()

    @property
    def runtime(self) -> lambda_.Runtime:
        """The Lambda runtime of that interpreter."""
        return lambda_.Runtime(f"python{self.version}", lambda_.RuntimeFamily.PYTHON)

    @property
    def processor(self) -> lambda_.Architecture:
        """The Lambda architecture of that processor."""
        arm = self.architecture == "arm64"
        return lambda_.Architecture.ARM_64 if arm else lambda_.Architecture.X86_64


LAMBDA = Target(
    version="3.13",
    architecture="arm64",
    # Amazon Linux 2023, below that runtime, has glibc 2.34: newer wheel tags fit as well.
    platforms=("manylinux2014_aarch64", "manylinux_2_28_aarch64"),
)
HERE = Target(
    version=f"{sys.version_info.major}.{sys.version_info.minor}",
    architecture="arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64",
)


@jsii.implements(cdk.ILocalBundling)
class Dependencies:
    """Puts the locked dependencies under `python/`, where a layer's imports are found."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def try_bundle(self, output_dir: str, options: Any = None, **_: Any) -> bool:
        """Called by the CDK; true says that no container is needed."""
        shutil.copytree(dependencies(self._target), output_dir, dirs_exist_ok=True)
        return True


@jsii.implements(cdk.ILocalBundling)
class Sources:
    """The functions and the core package, as they lie in `functions/`."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def try_bundle(self, output_dir: str, options: Any = None, **_: Any) -> bool:
        """Called by the CDK; true says that no container is needed."""
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info", "requirements.txt", ".*")
        shutil.copytree(FUNCTIONS, output_dir, ignore=unwanted, dirs_exist_ok=True)
        finish(Path(output_dir), self._target, found_at="/var/task")
        return True


def code(bundler: cdk.ILocalBundling) -> lambda_.AssetCode:
    """What `bundler` makes of `functions/`, as a Lambda asset named by the hash of its content."""
    return lambda_.Code.from_asset(
        str(FUNCTIONS),
        asset_hash_type=cdk.AssetHashType.OUTPUT,
        bundling=cdk.BundlingOptions(
            image=cdk.DockerImage.from_registry("none"),
            # Never run: the CDK keeps two bundles of one folder apart by their commands.
            command=[type(bundler).__name__],
            local=bundler,
        ),
    )


def dependencies(target: Target) -> Path:
    """The folder of a finished layer, made at the first call and kept while lock and recipe stay the same."""
    recipe = (
        LOCK.read_bytes() + Path(__file__).read_bytes() + repr((target, bool(_compiler(target)))).encode()
    )
    family = f"layer-{target.version}-{target.architecture}-"
    made = CACHE / (family + hashlib.sha256(recipe).hexdigest()[:16])
    if not made.exists():
        scratch = CACHE / f"making-{os.getpid()}"
        shutil.rmtree(scratch, ignore_errors=True)
        install(scratch / "python", target, "--require-hashes", "--requirement", str(LOCK))
        finish(scratch, target, found_at="/opt")
        for outdated in CACHE.glob(f"{family}*"):
            shutil.rmtree(outdated)
        scratch.rename(made)
    return made


def install(folder: Path, target: Target, *what: str) -> None:
    """Install wheels for `target` into `folder` with pip; a package without such a wheel is an error."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-compile",
    ]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={target.version}"]
    command += [f"--platform={tag}" for tag in target.platforms]
    subprocess.run([*command, f"--target={folder}", *what], check=True)  # noqa: S603


def finish(folder: Path, target: Target, *, found_at: str) -> None:
    """Compile, then drop or fix everything that differs from one build to the next."""
    for record in [*folder.rglob("*.dist-info/RECORD"), *folder.rglob("*.dist-info/INSTALLER")]:
        record.unlink()
    for extra in [*folder.rglob("*.dist-info/REQUESTED"), *folder.rglob("*.dist-info/direct_url.json")]:
        extra.unlink()
    for programs in folder.glob("*/bin"):
        shutil.rmtree(programs)
    _compile(folder, target, found_at)
    for path in sorted([folder, *folder.rglob("*")]):
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (EPOCH, EPOCH))


def _compile(folder: Path, target: Target, found_at: str) -> None:
    """Byte code that Lambda takes without looking at the source: a start costs half as much.

    It needs an interpreter of the target's version; without one the bundle works and starts slower.
    """
    python = _compiler(target)
    if not python:
        sys.stderr.write(f"No python{target.version} on PATH to compile with: functions start slower.\n")
        return
    command = [python, "-m", "compileall", "-q", "--invalidation-mode=unchecked-hash"]
    command += ["-s", str(folder), "-p", found_at, str(folder)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})  # noqa: S603


def _compiler(target: Target) -> str:
    """An interpreter of the target's version, or empty."""
    names = (sys.executable,) if target.version == HERE.version else (f"python{target.version}",)
    for name in names:
        found = shutil.which(name)
        # A version manager may have a name on PATH that does not run.
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:  # noqa: S603
            return found
    return ""


if __name__ == "__main__":
    dependencies(HERE)
