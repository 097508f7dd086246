"""One redaction rule: a known secret is masked in any text, in any spelling."""

from __future__ import annotations

import base64
import html
import json
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftwarden.model import (
    ABSENT,
    Change,
    Finding,
    IgnoredChange,
    Outcome,
    SecretText,
    StackRef,
    StackReport,
)
from driftwarden.plain_text import escape_controls
from driftwarden.secrets import Redactor

CANARY = 'can/ary "q" +7é'


def knowing(*secrets: str) -> Redactor:
    redactor = Redactor()
    for secret in secrets:
        redactor.add(secret)
    return redactor


def base64_at(shift: int, secret: str) -> str:
    return base64.b64encode(b"x" * shift + secret.encode() + b"tail").decode()


@pytest.mark.parametrize(
    "spelled",
    [
        CANARY,
        CANARY.lower(),
        CANARY.upper(),
        json.dumps(CANARY),
        json.dumps(CANARY, ensure_ascii=False),
        json.dumps(json.dumps({"pw": CANARY})),
        json.dumps(CANARY).replace("/", "\\/"),
        quote(CANARY),
        quote(CANARY, safe=""),
        quote_plus(CANARY),
        "can%2fary%20%22q%22%20%2b7%c3%a9",
        html.escape(CANARY),
        escape_controls(CANARY),
        repr([CANARY]),
        base64.b64encode(CANARY.encode()).decode(),
        base64.urlsafe_b64encode(CANARY.encode()).decode(),
        base64_at(0, CANARY),
        base64_at(1, CANARY),
        base64_at(2, CANARY),
        base64.b64encode(json.dumps({"pw": CANARY}).encode()).decode(),
        f"An error occurred: queue {CANARY} does not exist",
    ],
)
def test_a_secret_is_masked_in_every_spelling(spelled: str, leaks: Callable[[str, str], bool]) -> None:
    assert leaks(spelled, CANARY), "the oracle must see what it is to look for"
    redacted = knowing(CANARY).redact_text(f"before {spelled} after")
    assert not leaks(redacted, CANARY)
    assert redacted.startswith("before ")
    assert redacted.endswith(" after")
    assert "***" in redacted


def test_a_text_without_secrets_is_handed_on() -> None:
    text = "nothing to hide"
    assert knowing(CANARY).redact_text(text) is text
    assert Redactor().redact_text(text) is text


def test_values_below_four_characters_are_not_looked_for() -> None:
    assert knowing("abc", "").redact_text("abcdef") == "abcdef"
    assert knowing("abcd").redact_text("abcdef") == "***ef"


def test_secrets_that_overlap_are_masked_as_one() -> None:
    assert knowing("abcdef", "defghi").redact_text("x abcdefghi y") == "x *** y"
    assert knowing("abab").redact_text("ababab") == "***"


def test_the_lines_of_a_many_line_secret_count_on_their_own() -> None:
    key = "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nshort\n-----END-----"
    assert knowing(key).redact_text("  | MIIEvQIBADANBgkqhkiG9w0BAQEFAASC |") == "  | *** |"


def test_credentials_inside_a_json_secret_count_on_their_own() -> None:
    redactor = knowing('{"username": "service", "password": "canary-pw", "port": 1}')
    assert redactor.redact_text("service canary-pw") == "service ***"


@pytest.mark.parametrize("text", ['{"a', "{}", '{"password": 1}', "{not json"])
def test_secrets_that_only_resemble_json_are_plain_text(text: str) -> None:
    assert text not in knowing(f"{text}-x").redact_text(f"{text}-x")


def test_recorded_references_stay_readable() -> None:
    redactor = knowing("password")
    redactor.add_references(["{{resolve:secretsmanager:db:SecretString:password}}"])
    assert (
        redactor.redact_text("password at {{resolve:secretsmanager:db:SecretString:password}}")
        == "*** at {{resolve:secretsmanager:db:SecretString:password}}"
    )
    assert redactor.redact_text("{{resolve:secretsmanager:password}}") == "{{resolve:secretsmanager:***}}"


def test_any_json_value_is_redacted_without_being_changed() -> None:
    value = {"canary-1": ["canary-1", {"a": "x canary-1"}, 1, None, True], "b": 2.5}
    before = json.dumps(value)
    assert knowing("canary-1").redact(value) == {"***": ["***", {"a": "x ***"}, 1, None, True], "b": 2.5}
    assert json.dumps(value) == before


def test_map_keys_that_become_alike_stay_apart() -> None:
    assert knowing("canary-1", "canary-2").redact({"canary-1": 1, "canary-2": 2}) == {"***": 1, "*** (2)": 2}


def test_a_number_equal_to_a_secret_is_masked() -> None:
    assert knowing("12345").redact([12345, 123456, 12345.0]) == ["***", 123456, 12345.0]


def test_markers_and_resolved_secrets_come_through_safely() -> None:
    assert Redactor().redact(ABSENT) is ABSENT
    assert Redactor().redact(SecretText("never-added")) == "***"


def test_a_report_is_redacted_everywhere_but_in_names_of_the_template() -> None:
    change = Change(path=("Tags", "canary-1"), state="canary-1", aws={"k": "canary-1"})
    finding = Finding(
        logical_id="canary-1",
        resource_type="AWS::SQS::Queue",
        outcome=Outcome.DRIFTED,
        changes=(change,),
        reason="queue canary-1 is gone",
        masked=(("canary-1",),),
        appeared=(change,),
        ignored=(IgnoredChange(change=change, reason="because canary-1"),),
    )
    report = StackReport(ref=StackRef("Shop", "eu-west-1"), findings=(finding,), warnings=("w canary-1",))
    redacted = knowing("canary-1").redact_report(report)
    assert redacted.findings[0].logical_id == "canary-1"
    text = repr((redacted.warnings, [getattr(redacted.findings[0], name) for name in
                 ("changes", "reason", "masked", "appeared", "ignored")]))  # fmt: skip
    assert "canary-1" not in text


def test_what_is_forgotten_is_known_no_more() -> None:
    redactor = knowing("canary-1")
    redactor.add_references(["{{resolve:ssm:/a}}"])
    before = redactor.fingerprint("x")
    redactor.forget()
    assert redactor.redact_text("canary-1") == "canary-1"
    assert len({before, *(Redactor().fingerprint("x") for _ in range(8)), redactor.fingerprint("x")}) > 1


def test_fingerprints_are_equal_for_equal_values_within_one_scan_only() -> None:
    redactor = Redactor()
    assert redactor.fingerprint("x") == redactor.fingerprint("x")
    assert redactor.fingerprint({"a": 1, "b": 2}) == redactor.fingerprint({"b": 2, "a": 1})
    assert len({Redactor().fingerprint("x") for _ in range(20)}) > 1
    assert len({redactor.fingerprint(str(number)) for number in range(20)}) > 1


def test_safe_text_is_redacted_before_it_is_escaped() -> None:
    secret = "pw\x1b[31m\n2"
    assert knowing(secret).safe_text(f"a{secret}\x07b") == "a***\\u0007b"
    assert knowing(secret).safe_text(escape_controls(secret)) == "***"


def test_threads_may_add_and_redact_at_once() -> None:
    redactor = Redactor()
    names = [f"canary-{number:03}-x" for number in range(60)]
    failures: list[str] = []

    def work(mine: list[str]) -> None:
        for name in mine:
            redactor.add(name)
            if name in redactor.redact_text(f"see {name}"):
                failures.append(name)

    threads = [threading.Thread(target=work, args=(names[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert not any(name in redactor.redact_text(" ".join(names)) for name in names)


SECRETS = st.text(min_size=4, max_size=12).filter(lambda text: len(text.strip("*")) >= 4)


@given(secret=SECRETS, before=st.text(max_size=8), after=st.text(max_size=8))
@example(secret="ssss", before="s", after="s")
def test_no_text_around_a_secret_makes_it_visible(secret: str, before: str, after: str) -> None:
    redactor = knowing(secret)
    for spell in SPELLINGS:
        text = before + spell(secret) + after
        assert spell(secret) not in redactor.redact_text(text)
        assert secret not in redactor.redact_text(text)


SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: json.dumps(json.dumps(secret))[1:-1],
    lambda secret: quote(secret, safe="", errors="surrogatepass"),
    lambda secret: quote_plus(secret, errors="surrogatepass"),
    lambda secret: base64.b64encode(secret.encode("utf-8", "surrogatepass")).decode(),
    html.escape,
    escape_controls,
)


@given(secret=SECRETS, document=st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
))  # fmt: skip
def test_redacting_twice_changes_nothing_more(secret: str, document: Any) -> None:
    redactor = knowing(secret)
    once = redactor.redact({"x": document, "y": f"_{secret}_"})
    assert redactor.redact(once) == once
