"""Make a virtual environment, also where Python came without `venv` or `ensurepip` (Debian splits them off).

    python3 .ci/make_venv.py FOLDER

Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HELP = """\
Cannot make a virtual environment with {python}: {cause}
Install one of these, then run the same command again:
  Debian, Ubuntu:  apt-get install python3-venv     (or python3-pip)
  Fedora, RHEL:    dnf install python3-pip
  anywhere:        a Python 3.11 or later from python.org, named with: make PYTHON=/path/to/python3"""


def main(folder: Path) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  (the interpreter is the user's, not the project's)
        print(HELP.format(python=sys.executable, cause="it is older than Python 3.11"), file=sys.stderr)
        return 1
    causes = []
    for make in (_with_venv, _with_virtualenv):
        cause = make(folder)
        if not cause:
            return 0
        causes.append(cause)
        shutil.rmtree(folder, ignore_errors=True)
    print(HELP.format(python=sys.executable, cause="; ".join(causes)), file=sys.stderr)
    return 1


def _with_venv(folder: Path) -> str:
    return _run([sys.executable, "-m", "venv", "--clear", str(folder)], "venv failed")


def _with_virtualenv(folder: Path) -> str:
    """`pip install --target` also works where the system's Python refuses other installs (PEP 668)."""
    with tempfile.TemporaryDirectory() as aside:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", aside, "virtualenv"]
        cause = _run(pip, "pip is missing or cannot install virtualenv")
        if cause:
            return cause
        make = [sys.executable, "-m", "virtualenv", "--quiet", "--clear", str(folder)]
        return _run(make, "virtualenv failed", env={**os.environ, "PYTHONPATH": aside})


def _run(command: list[str], what: str, env: dict[str, str] | None = None) -> str:
    """Why the command failed, in one line; empty when it did not."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return f"{what} ({lines[0] if lines else f'exit status {done.returncode}'})"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
