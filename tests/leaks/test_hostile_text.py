"""Names, values and messages that try to forge a line, a colour, a link or markup, in every output."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from driftwarden.console import Output
from driftwarden.model import Cause, Change, Finding, IgnoredChange, Outcome, StackRef, StackReport
from driftwarden.secrets import Redactor
from tests.leaks.world import STACK, Outputs, World, refused

CLICKABLE = "\x1b]8;;https://evil.example\x07here\x1b]8;;\x07"
HOSTILE = {
    "line": "\n✓ Shop (us-east-1): no drift detected",
    "return": "\r✓ all is well",
    "colour": "\x1b[32mgreen\x1b[0m",
    "eight-bit colour": "\x9b32mgreen",
    "link": CLICKABLE,
    "title": "\x1b]0;owned\x07",
    "erase": "\x1b[2K\x1b[1A\b\b\b",
    "bidi": "\u202egnol\u202c\u2066x\u2069",
    "zero width": "a\u200bb\u200d\ufeffc\u2060",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "invisible": "a\u3164b\u115fc\U000e0041\ufe0f",
    "markup": "[bold red]x[/] [link=https://evil.example]y[/link] :skull:",
    "html": "<img src=x onerror=alert(1)><a href='https://evil.example'>z</a>",
    "log line": '"}\n{"level":"ERROR","message":"forged"}',
    "nul": "a\0b\x7fc",
}
GROUPS = (
    ("line", "return", "nul", "separators"),
    ("log line", "colour", "eight-bit colour", "link", "title", "erase"),
    ("bidi", "zero width", "invisible", "markup", "html"),
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def finding(text: str) -> Finding:
    change = Change(path=(text,), state=[text], aws=[text, {text: text}])
    return Finding(
        logical_id=text,
        resource_type=text,
        outcome=Outcome.DRIFTED,
        changes=(change, Change(path=(text, 0), state=text, aws=text)),
        appeared=(change,),
        ignored=(IgnoredChange(change=change, reason=text),),
        masked=((text,),),
        cause=Cause.REFUSED,
        reason=text,
    )


def plant_hostile(world: World, text: str) -> None:
    name = f"Name{text}"
    world.add(
        name,
        f"AWS::SNS::Topic{text}",
        {text: text, "A": text},
        {text: f"b{text}", "A": [text], f"k{text}": 1},
        physicalId=f"one{text}",
    )
    world.add(f"Gone{text}", "AWS::SNS::Topic", {text: text}, None, physicalId=f"two{text}")
    world.add(
        f"Denied{text}",
        "AWS::SNS::Topic",
        {text: text},
        refused(f"Code{text}", f"said {text}"),
        physicalId=f"three{text}",
    )
    world.add(
        f"Masked{text}",
        "AWS::SNS::Topic",
        {text: "***"},
        {text: "x"},
        physicalId=f"four{text}",
        noEchoLeaves=[[text]],
    )
    world.add(
        f"Lost{text}",
        "AWS::SNS::Topic",
        {"A": f"{{{{resolve:secretsmanager:{text}}}}}"},
        {"A": "x"},
        physicalId=f"five{text}",
    )
    world.add(
        f"Tags{text}",
        "AWS::SNS::Topic",
        {"Tags": [{"Key": text, "Value": text}], "L": [text, "a"]},
        {"Tags": [{"Key": f"{text}2", "Value": text}], "L": ["a", f"c{text}"]},
        physicalId=f"six{text}",
    )
    world.stack_fields = {"region": f"us-east-1{text}"}
    world.save()


def unsafe(text: str) -> set[str]:
    """Characters that a reader does not see for what they are."""
    hidden = {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}}
    return (hidden | (set("\u3164\u115f\ufe0f") & set(text))) - {"\n"}


def assert_plain(outputs: Outputs, text: str) -> None:
    first = re.escape(text.rpartition("\n")[2][:12]) if "\n" in text else ""
    for name, output in outputs.items():
        assert not unsafe(output), f"{name}: {sorted(map(ascii, unsafe(output)))}"
        if first:
            assert not re.search(rf"^\s*{first}", output, re.MULTILINE), f"{name}: a forged line"


@pytest.mark.parametrize("names", GROUPS, ids=" and ".join)
def test_no_program_lets_it_through(world: World, names: tuple[str, ...]) -> None:
    text = "".join(HOSTILE[name] for name in names)
    plant_hostile(world, text)
    outputs = {
        way: world.cli("drift", STACK, *way.split())
        for way in ("--verbose", "--json", "--accept --dry-run", "--revert --yes --verbose")
    }
    for name in (f"Name{text}", f"Denied{text}", f"Nobody{text}"):
        outputs[name] = world.cli("read", STACK, name)
    outputs["other stack"] = world.cli("drift", f"Other{text}")
    outputs["bad option"] = world.cli("drift", f"--{text}")
    assert_plain(outputs, text)
    assert_plain(world.scanner(), text)
    steps = dict(world.gate())
    for found in steps.values():
        assert_plain(found, text)
    assert "Somebody wants to push recorded values back" in steps["ask"]["ask: email"]


def test_a_terminal_gets_our_colours_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    out = Output(json=False, redactor=Redactor())
    for text in HOSTILE.values():
        out.say(text)
        out.warn(text)
        out.fail(text)
        monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
        out.confirm(text)
        report = StackReport(ref=StackRef(text, text), findings=(finding(text),), warnings=(text,))
        out.reports([report])
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert "\x1b[33m" in shown
    assert not unsafe(COLOUR.sub("", shown))


def test_lines_of_the_log_and_of_the_metrics_stay_one_object_each(world: World) -> None:
    plant_hostile(world, HOSTILE["log line"])
    outputs = world.scanner()
    for line in [*outputs["scan: log"].splitlines(), *outputs["scan: printed"].splitlines()]:
        assert "forged" not in json.loads(line).get("message", "")


def test_readable_messages_have_no_line_that_a_value_began(world: World) -> None:
    plant_hostile(world, HOSTILE["line"])
    outputs = world.scanner()
    for protocol in ("default", "email", "sms", "Subject", "MessageAttributes"):
        text = outputs[f"scan: {protocol}"]
        assert not [line for line in text.splitlines() if line.startswith("✓")]
    assert [
        len(outputs[f"scan: {protocol}"].splitlines()) for protocol in ("sqs", "https", "sms", "Subject")
    ] == [1] * 4


ANYTHING = st.text(
    st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Lu", "Po"], include_characters="\x1b\u202e\u3164]8;"),
    min_size=1,
    max_size=12,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANYTHING)
def test_generated_text(world: World, text: str) -> None:
    world.rows.clear()
    plant_hostile(world, text)
    outputs = {"human": world.cli("drift", STACK, "--verbose"), "json": world.cli("drift", STACK, "--json")}
    assert_plain(outputs, text)
    assert_plain(world.scanner(), text)


def test_ignore_rules(world: World, tmp_path: Path) -> None:
    world.add("A", "AWS::SNS::Topic", {"A": "a"}, {"A": "b"})
    world.save()
    text = CLICKABLE + HOSTILE["line"] + HOSTILE["bidi"]
    rules = tmp_path / "rules.toml"
    outputs = {}
    for reason, id_ in ((text, "A"), (text, text), ("x", 1)):
        rules.write_text(
            f'[[ignore]]\nlogical_id = {json.dumps(id_)}\npath = "A"\nreason = {json.dumps(reason)}\n'
        )
        for way in ((), ("--json",)):
            outputs[f"{id_} {way}"] = world.cli("drift", STACK, "--ignore-file", str(rules), *way)
    assert "ignored" in outputs["A ()"]
    assert [line[0] for line in outputs["A ()"].splitlines()].count("✓") == 1
    assert_plain(outputs, "")
