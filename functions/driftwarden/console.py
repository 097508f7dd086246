"""What the command line prints, and where: payload on stdout, progress and complaints on stderr.

Under `--json` stdout carries the payload and nothing else, so everything human moves to stderr.
"""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from driftwarden.errors import UsageError
from driftwarden.model import StackReport
from driftwarden.report.json import dumps, stack_object
from driftwarden.report.text import Line, report_lines
from driftwarden.secrets import Redactor

_STYLES: Final = {
    "": "",
    "good": "green",
    "bad": "red",
    "warn": "yellow",
    "added": "green",
    "removed": "red",
    "dim": "dim",
    "title": "bold",
}


class Output:
    """The two streams of one command. Whatever leaves through it is redacted."""

    def __init__(self, *, json: bool, redactor: Redactor) -> None:
        self._json = json
        self._redactor = redactor
        self._errors = _console(sys.stderr)
        self._humans = self._errors if json else _console(sys.stdout)

    def say(self, text: str) -> None:
        """A line for people."""
        self._print(self._humans, Line(text))

    def warn(self, text: str) -> None:
        """A warning, on stderr in every mode."""
        self._print(self._errors, Line(f"warning: {text}", "warn"))

    def fail(self, text: str) -> None:
        """The one line that tells why the command could not do its work, on stderr."""
        self._print(self._errors, Line(f"error: {text}", "bad"))

    def reports(self, reports: list[StackReport]) -> None:
        """The result of a scan: JSON for programs, or the human report."""
        if self._json:
            # Value by value: a secret that is a common word must not change the payload's own field names.
            clean = map(self._redactor.redact_report, reports)
            self._write([stack_object(report) for report in clean])
            return
        for number, report in enumerate(reports):
            if number:
                self.say("")
            self.lines(report_lines(report))

    @property
    def json(self) -> bool:
        """Whether stdout belongs to a program."""
        return self._json

    def lines(self, lines: Iterable[Line]) -> None:
        """Styled lines for people."""
        for line in lines:
            self._print(self._humans, line)

    def confirm(self, question: str) -> bool:
        """Ask where people read; only a plain yes is one. Raises UsageError where nobody can answer."""
        self._humans.print(Text(self._redactor.safe_text(f"{question} [y/N] ")), end="", soft_wrap=True)
        answer = sys.stdin.readline()
        if not answer:
            raise UsageError("Nobody answered. Where nobody can be asked, add --yes.")
        return answer.strip().lower() in {"y", "yes"}

    def payload(self, value: object) -> None:
        """JSON on stdout, indented when a person reads it."""
        self._write(self._redactor.redact(value))

    def log_to_humans(self) -> None:
        """Send debug lines of this package to where people read; warnings go their own way."""
        handler = _Lines(lambda text: self._print(self._humans, Line(text, "dim")))
        handler.addFilter(lambda record: record.levelno < logging.WARNING)
        logger = logging.getLogger("driftwarden")
        logger.setLevel(logging.DEBUG)
        logger.addHandler(handler)

    @contextmanager
    def library_warnings(self) -> Iterator[None]:
        """Have warnings that this package and libraries log redacted; Python would print them as they are."""
        handler = logging.StreamHandler(sys.stderr)
        handler.setLevel(logging.WARNING)
        handler.setFormatter(_RedactingFormatter(self._redactor))
        root = logging.getLogger()
        root.addHandler(handler)
        try:
            yield
        finally:
            root.removeHandler(handler)

    @contextmanager
    def progress(self, what: str) -> Iterator[Callable[[int, int], None] | None]:
        """A progress bar on a terminal's stderr; None where nobody watches."""
        if not self._errors.is_terminal:
            yield None
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self._errors, transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)

    def _write(self, value: object) -> None:
        # JSON is UTF-8 whatever the locale says.
        sys.stdout.flush()
        sys.stdout.buffer.write(dumps(value, indent=True) + b"\n")

    def _print(self, console: Console, line: Line) -> None:
        console.print(Text(self._redactor.safe_text(line.text), style=_STYLES[line.style]), soft_wrap=True)


class _Lines(logging.Handler):
    """One line per record, however narrow the terminal is."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        self._show(f"debug: {record.getMessage()}")


class _RedactingFormatter(logging.Formatter):
    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.safe_text(super().format(record))


def write_any_text(*streams: object) -> None:
    """Let no character that a stream's encoding lacks end the program in the middle of a report."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _console(stream: IO[str]) -> Console:
    return Console(file=stream, highlight=False, markup=False, emoji=False)
