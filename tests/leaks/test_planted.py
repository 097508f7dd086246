"""A canary at every kind of place, and everything that any program of the project lets out."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import pytest

from driftwarden.compare import compare
from tests.leaks.canaries import MARK, MEMBER, SECURE, WHOLE, canary, everything_planted, plant
from tests.leaks.world import STACK, Fault, World, refused

Check = Callable[[Mapping[str, str]], None]


@pytest.fixture
def planted(world: World) -> World:
    plant(world)
    return world


@pytest.fixture
def writable(planted: World) -> World:
    """The same without rows that nobody can read, which make a remedy refuse the whole stack."""
    planted.rows = {
        name: row for name, row in planted.rows.items() if isinstance(row, dict) and "properties" in row
    }
    planted.save()
    return planted


class TestTheCommandLine:
    @pytest.mark.parametrize(
        "options",
        [
            ("--verbose",),
            ("--json", "--verbose"),
            ("--undeclared", "drift"),
            ("--json", "--undeclared", "drift"),
            ("--revert", "--dry-run", "--json"),
        ],
        ids=" ".join,
    )
    def test_detection(self, planted: World, assert_silent: Check, options: tuple[str, ...]) -> None:
        printed = planted.cli("drift", STACK, *options)
        assert "Policy" in printed
        assert_silent({"drift": printed})

    def test_a_rehearsed_plan(self, writable: World, assert_silent: Check) -> None:
        for way in ("--accept", "--revert"):
            printed = writable.cli("drift", STACK, way, "--dry-run", "--verbose", "--undeclared", "drift")
            assert f"{way} plan" in printed
            assert_silent({way: printed})

    def test_accepting_prints_nothing_and_records_nothing_new(
        self, writable: World, assert_silent: Check
    ) -> None:
        before = writable.state()
        printed = writable.cli("drift", STACK, "--accept", "--yes", "--undeclared", "drift", "--verbose")
        assert "✓ State updated" in printed
        assert_silent({"accept": printed, "what is new in the state": _what_is_new(before, writable.state())})

    def test_reverting_whose_requests_aws_repeats_in_its_refusals(
        self, writable: World, assert_silent: Check
    ) -> None:
        before = writable.state()
        printed = writable.cli("drift", STACK, "--revert", "--yes", "--verbose")
        assert "InvalidRequest (Invalid request provided: " in printed
        assert_silent({"revert": printed, "what is new in the state": _what_is_new(before, writable.state())})

    @pytest.mark.parametrize("part", range(4))
    def test_reading_every_resource(self, planted: World, assert_silent: Check, part: int) -> None:
        _without_values_of_others(planted)
        outputs = {
            name: planted.cli("read", STACK, name) for name in sorted([*planted.rows, "Nobody"])[part::4]
        }
        assert all(outputs.values())
        assert_silent(outputs)

    def test_the_offline_comparison(self, planted: World, assert_silent: Check) -> None:
        _without_resolved_places(planted)
        _without_values_of_others(planted)
        lines = "\n".join(json.dumps(case) for case in everything_planted(planted))
        answers = planted.cli("compare", "--jsonl", stdin=f"{lines}\n{{broken {WHOLE}\n")
        assert answers.count("drifted") > 10
        assert_silent({"compare": answers})

    def test_what_libraries_log(
        self, planted: World, assert_silent: Check, monkeypatch: pytest.MonkeyPatch
    ) -> None:

        def noisy(*arguments: Any) -> Any:
            logging.getLogger("botocore.hooks").warning("sent password=%s", canary("logged"))
            return compare(*arguments)

        monkeypatch.setattr("driftwarden.examine.compare", noisy)
        printed = planted.cli("drift", STACK, "--verbose")
        assert "sent password=***" in printed
        assert_silent({"drift": printed})


class TestTheScanner:
    def test_report_alert_log_metrics_and_answer(self, planted: World, assert_silent: Check) -> None:
        outputs = planted.scanner()
        assert {
            "scan: email",
            "scan: sqs",
            "scan: Subject",
            f"s3 latest/{STACK}/us-east-1.json",
        } <= outputs.keys()
        assert '"Drifted"' in outputs["scan: printed"]
        assert_silent(outputs)


class TestTheGate:
    def test_plan_notices_documents_and_logs(self, writable: World, assert_silent: Check) -> None:
        steps = {}
        for step, outputs in writable.gate():
            steps[step] = outputs
            assert_silent(outputs)
        assert "not everything that was approved could be reverted" in steps["tell"]["tell: email"]
        assert any(key.startswith("s3 results/") for key in steps["execute"])


def echo(code: str = "AccessDenied") -> Callable[[Any], None]:
    """A refusal in whose text AWS repeats what it should not."""
    told = f"not {WHOLE}, {quote(WHOLE)}, {SECURE}, {MEMBER} or {canary('env')}"

    def fail(params: Any) -> None:
        raise refused(code, told)

    return fail


def echo_of_the_request(params: Any) -> None:
    raise refused("AccessDenied", f"not {params}")


def crash(params: Any) -> None:
    raise RuntimeError(f"postgres://ann:{canary('crash')}@db, ghp_{MARK * 6}")


SOME = (
    "Clear",
    "Crashed",
    "Custom",
    "Database",
    "Function",
    "Gone",
    "NamedGone",
    "NoEchoName",
    "Tagged",
    "Throttled",
)
STAGES: dict[str, dict[str, Fault]] = {
    "the read is denied": {"GetResource": echo("AccessDeniedException")},
    "the read is throttled": {"GetResource": echo("ThrottlingException")},
    "the read crashes": {"GetResource": crash},
    "no secret may be resolved": {"GetSecretValue": echo("AccessDeniedException"), "GetParameter": echo()},
    "resolving crashes": {"GetSecretValue": crash},
    "the caller is unknown": {"GetCallerIdentity": crash},
    "the state cannot be read": {"GetObject": crash},
    "S3 takes nothing": {"PutObject": echo_of_the_request},
    "S3 crashes": {"PutObject": crash},
    "SNS takes nothing": {"Publish": echo_of_the_request},
    "SNS crashes": {"Publish": crash},
    "the update is denied": {"UpdateResource": echo("AccessDeniedException")},
    "the update crashes": {"UpdateResource": crash},
}


@pytest.mark.parametrize("stage", STAGES)
class TestAFailure:
    """At whatever stage, in every program."""

    @pytest.fixture
    def broken(self, writable: World, stage: str) -> World:
        writable.rows = {name: writable.rows[name] for name in SOME}
        writable.save()
        # Values that only a resolved secret makes recognisable are not, where none can be resolved.
        if "resolv" in stage:
            _without_resolved_places(writable)
        writable.faults |= STAGES[stage]
        return writable

    def test_on_the_command_line(self, broken: World, assert_silent: Check) -> None:
        arguments = ("--verbose", "--undeclared", "drift")
        outputs = {
            way: broken.cli("drift", STACK, *arguments, *([way, "--yes"] if way else []))
            for way in ("", "--accept", "--revert")
        }
        outputs["read"] = broken.cli("read", STACK, "Function")
        assert_silent(outputs)

    def test_in_the_scanner(self, broken: World, assert_silent: Check) -> None:
        assert_silent(broken.scanner())

    def test_in_the_gate(self, broken: World, assert_silent: Check) -> None:
        for _, outputs in broken.gate():
            assert_silent(outputs)


def test_an_unreadable_state_shows_nothing_of_itself(planted: World, assert_silent: Check) -> None:
    for body in (f'{{"version": 11, "x": {WHOLE}', f'{{"version": 11, "resources": "{SECURE}"}}'):
        planted.save(body.encode())
        assert_silent({"drift": planted.cli("drift", STACK, "--verbose"), **planted.scanner()})


def test_a_lock_that_cannot_be_given_back(
    writable: World, assert_silent: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    writable.faults["DeleteObject"] = echo("InternalError")
    printed = writable.cli("drift", STACK, "--accept", "--yes")
    assert "could not be released" in printed
    assert_silent({"accept": printed})


def _without_resolved_places(world: World) -> None:
    """Take away what shows a secret's value where nothing but the resolved secret tells that it is one."""
    known_by_value = (
        "Policy",
        "Encoded",
        "Pem",
        "Function",
        "Keys",
        "Named",
        "Denied",
        "Throttled",
        "UserData",
    )
    world.rows = {name: row for name, row in world.rows.items() if not name.startswith(known_by_value)}
    world.save()


def _without_values_of_others(world: World) -> None:
    """Take away what shows values that only another resource's live answer tells to be secret."""
    for name in ("Echo", "Elsewhere5", "Elsewhere6", "Elsewhere7"):
        del world.rows[name]
    world.save()


def _what_is_new(before: str, after: str) -> str:
    """The texts of a state record that an earlier one did not hold."""
    return "\n".join(sorted(set(_texts(json.loads(after))) - set(_texts(json.loads(before))))) or "nothing"


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [str(value)]
