"""The embedded AWS emulator: started on a free loopback port, stopped with everything that it started."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import boto3
from botocore.config import Config

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = ROOT / ".emulator" / "bin" / "ministack"
REGION: Final = "us-east-1"
ACCOUNT: Final = "000000000000"
_PATIENCE: Final = 60.0


class Emulator:
    """MiniStack in a process group of its own, with its files in a temporary folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="driftwarden-emulator-"))
        self.port = _free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Emulator:
        with (self.folder / "emulator.log").open("wb") as log:
            self._process = subprocess.Popen(
                [PROGRAM],
                env={
                    **os.environ,
                    "GATEWAY_PORT": str(self.port),
                    "BIND_HOST": "127.0.0.1",
                    "IOT_MTLS_ENABLED": "0",
                },
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the emulator and every function that it runs, and remove its files."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a program that works on the emulator; nothing of the user's own AWS set-up."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "CDKD_"))}
        return {
            **kept,
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))),
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
            "CDK_DEFAULT_ACCOUNT": ACCOUNT,
            "CDK_DEFAULT_REGION": REGION,
        }

    @contextmanager
    def as_environment(self) -> Iterator[None]:
        """Let clients that this process makes meanwhile find the emulator."""
        before = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.environment)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def client(self, service: str) -> Any:
        """A boto3 client of the emulator."""
        return boto3.client(
            service,
            region_name=REGION,
            endpoint_url=self.endpoint,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 3}),
        )

    def log(self) -> str:
        """What the emulator printed, its end at least."""
        return (self.folder / "emulator.log").read_text(errors="replace")[-4000:]

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.endpoint}/_ministack/health", timeout=1):  # noqa: S310 - our own
                    return
            except OSError:
                if self._process is None or self._process.poll() is not None:
                    raise RuntimeError(f"the emulator stopped: {self.log()}") from None
                time.sleep(0.2)
        raise RuntimeError(f"the emulator did not answer within {_PATIENCE:.0f} s: {self.log()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
