"""Rules that accept a difference for a while: what they say, and what becomes of a report under them.

A rule file is TOML, one `[[ignore]]` table a rule:

    [[ignore]]
    stack = "Shop-*"                        # optional; `*` and `?` stand for any text and any character
    logical_id = "Cache"                    # or type = "AWS::ElastiCache::*"; at least one of the two
    path = 'Parameters."rds.force_ssl"'     # and everything below it; `*` is any one step, quotes keep dots
    reason = "tuned during the migration"
    owner = "team-data"                     # optional
    expires = 2026-03-31                    # optional; the last day on which the rule hides anything
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from typing import Any

from driftwarden.errors import ConfigurationError
from driftwarden.model import Change, Finding, IgnoredChange, Outcome, Path, StackReport

KEYS = ("stack", "logical_id", "type", "path", "reason", "owner", "expires")
HEADER = re.compile(r"^\s*\[\[\s*ignore\s*\]\]")
STEP = re.compile(r"""(?:^|\.)(?:"((?:[^"\\]|\\.)*)"|([^."\[\]]+))|\[(?:(\d+)|"((?:[^"\\]|\\.)*)"|(\*))\]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoreRule:
    """One rule. `number` counts from 1, `line` is where its table starts in the file."""

    number: int
    line: int
    stack: str
    logical_id: str
    resource_type: str
    path: Path
    reason: str
    owner: str = ""
    expires: date | None = None

    def concerns(self, stack: str, finding: Finding) -> bool:
        """Whether the rule speaks of this resource."""
        return (
            fnmatchcase(stack, self.stack)
            and fnmatchcase(finding.logical_id, self.logical_id)
            and fnmatchcase(finding.resource_type, self.resource_type)
        )

    def covers(self, path: Path) -> bool:
        """Whether a change at this path is the rule's: the path itself or anything below, step by step."""
        return len(path) >= len(self.path) and all(
            wanted in ("*", step) for wanted, step in zip(self.path, path, strict=False)
        )

    def has_expired(self, today: date) -> bool:
        return self.expires is not None and today > self.expires

    def __str__(self) -> str:
        return f"ignore rule {self.number} (line {self.line}: {self.reason})"


def parse_rules(text: str, source: str = "the ignore file") -> tuple[IgnoreRule, ...]:
    """The rules of a file. Raises ConfigurationError that names the file, the rule and the line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{source} is not TOML: {error}") from error
    lines = text.splitlines()
    strange = [key for key in document if key != "ignore"]
    if strange:
        line = _line_of(lines, 0, len(lines), strange[0])
        raise ConfigurationError(
            f"{source}, line {line}: only [[ignore]] tables belong here, not {strange[0]!r}"
        )
    tables = document.get("ignore", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ConfigurationError(f"{source}: write each rule as a table of its own, under [[ignore]]")
    starts = [number for number, line in enumerate(lines) if HEADER.match(line)][: len(tables)]
    starts += [0] * (len(tables) - len(starts)) + [len(lines)]
    return tuple(
        _Table(source, number, table, lines, starts[number - 1], starts[number]).rule()
        for number, table in enumerate(tables, start=1)
    )


def apply_rules(
    reports: Sequence[StackReport], rules: Sequence[IgnoreRule], today: date
) -> tuple[StackReport, ...]:
    """Move what the rules cover into `ignored`, with each rule's reason.

    A resource with nothing left to report is clean (or not compared, if that is what else is true of it).
    An expired rule hides nothing; where it would have, the report's warnings say so. A rule that speaks of
    one of these stacks and found nothing in any of them is named in the warnings of the first such stack.
    """
    used: set[int] = set()
    done = [_under_rules(report, rules, today, used) for report in reports]
    for rule in rules:
        first = next((n for n, r in enumerate(done) if fnmatchcase(r.ref.name, rule.stack)), None)
        if rule.number not in used and first is not None:
            idle = f"{rule} matches nothing that was found{_ask(rule, 'remove it, if unneeded')}"
            done[first] = replace(done[first], warnings=(*done[first].warnings, idle))
    return tuple(done)


def _under_rules(
    report: StackReport, rules: Sequence[IgnoreRule], today: date, used: set[int]
) -> StackReport:
    warnings: dict[str, None] = dict.fromkeys(report.warnings)
    findings = []
    for finding in report.findings:
        ours = [rule for rule in rules if rule.concerns(report.ref.name, finding)]
        hiding: list[IgnoreRule] = []
        for rule in ours:
            if not any(rule.covers(change.path) for change in (*finding.changes, *finding.appeared)):
                continue
            used.add(rule.number)
            if rule.has_expired(today):
                over = f"{rule} expired on {rule.expires} and hides nothing any more"
                warnings[over + _ask(rule, "renew or remove it")] = None
            else:
                hiding.append(rule)
        findings.append(_sorted_out(finding, hiding) if hiding else finding)
    return replace(report, findings=tuple(findings), warnings=tuple(warnings))


def _ask(rule: IgnoreRule, what: str) -> str:
    return f"; ask {rule.owner} to {what}" if rule.owner else f"; {what}"


def _sorted_out(finding: Finding, rules: Sequence[IgnoreRule]) -> Finding:
    ignored = [*finding.ignored]

    def kept(changes: Iterable[Change]) -> Iterator[Change]:
        for change in changes:
            rule = next((rule for rule in rules if rule.covers(change.path)), None)
            if rule is None:
                yield change
            else:
                ignored.append(IgnoredChange(change=change, reason=rule.reason))

    changes, appeared = tuple(kept(finding.changes)), tuple(kept(finding.appeared))
    outcome = finding.outcome
    if outcome is Outcome.DRIFTED and not changes:
        outcome = Outcome.CLEAN if finding.cause is None else Outcome.NOT_COMPARED
    return replace(finding, outcome=outcome, changes=changes, appeared=appeared, ignored=tuple(ignored))


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of the file, with where it stands for the error messages."""

    source: str
    number: int
    table: Mapping[str, Any]
    lines: Sequence[str]
    start: int
    end: int

    def rule(self) -> IgnoreRule:
        for key in self.table:
            if key not in KEYS:
                raise self._error(f"unknown key {key!r}; known are {', '.join(KEYS)}", key)
        if "logical_id" not in self.table and "type" not in self.table:
            raise self._error("say which resources it means: logical_id or type", "")
        return IgnoreRule(
            number=self.number,
            line=self.start + 1,
            stack=self._text("stack", "*"),
            logical_id=self._text("logical_id", "*"),
            resource_type=self._text("type", "*"),
            path=self._path(),
            reason=self._text("reason"),
            owner=self._text("owner", ""),
            expires=self._date(),
        )

    def _text(self, key: str, default: str | None = None) -> str:
        value = self.table.get(key, default)
        if not isinstance(value, str) or (not value.strip() and default is None):
            raise self._error(f"{key} must be a text that is not empty", key)
        return value

    def _path(self) -> Path:
        text = self._text("path")
        steps: list[str | int] = []
        position = 0
        for match in STEP.finditer(text):
            if match.start() != position:
                break
            position = match.end()
            quoted, plain, index, key, any_step = match.groups()
            steps.append(
                int(index) if index else _unquoted(quoted or key) if quoted or key else plain or any_step
            )
        if position != len(text) or not steps:
            raise self._error(
                f"the path {text!r} cannot be read; quote a step that holds dots or brackets", "path"
            )
        return tuple(steps)

    def _date(self) -> date | None:
        value = self.table.get("expires")
        if isinstance(value, datetime):
            return value.date()
        if value is None or isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError) as error:
            raise self._error("expires must be a date, as in 2026-03-31", "expires") from error

    def _error(self, what: str, key: str) -> ConfigurationError:
        line = _line_of(self.lines, self.start, self.end, key) if key else self.start + 1
        return ConfigurationError(f"{self.source}, rule {self.number}, line {line}: {what}")


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _line_of(lines: Sequence[str], start: int, end: int, key: str) -> int:
    """The line, from 1, on which a key is set; the first one of its table when it is not."""
    pattern = re.compile(rf"""^\s*\[*["']?{re.escape(key)}["']?\s*(=|\]|\.)""")
    found = (number for number in range(start, end) if pattern.match(lines[number]))
    return next(found, start) + 1
