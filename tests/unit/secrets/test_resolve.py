"""Resolving references through AWS: what is asked, where, how often, and what a failure means."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto import mock_aws

from driftwarden.clients import Clients
from driftwarden.model import Cause, Record, StackState
from driftwarden.secrets import LiveResolver, bind
from driftwarden.secrets.resolve import Answer, Resolved, Unresolved

Make = Callable[..., Record]
MakeState = Callable[..., StackState]

HOME, ABROAD = "eu-west-1", "us-east-2"


def token(body: str) -> str:
    return f"{{{{resolve:{body}}}}}"


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clients]:
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        yield Clients(region=HOME)


@pytest.fixture
def answers(clients: Clients, make_record: Make, make_state: MakeState) -> Callable[..., list[Answer]]:
    def ask(*bodies: str, **state: Any) -> list[Answer]:
        record = make_record({"List": [token(body) for body in bodies]})
        found = LiveResolver(clients).resolve_all(record, make_state(record, **state))
        return [found[token(body)] for body in bodies]

    return ask


Ask = Callable[..., list[Answer]]


def texts(answers: list[Answer]) -> list[str]:
    return [answer.text if isinstance(answer, Resolved) else answer.reason for answer in answers]


def test_secrets_by_name_arn_and_json_key(clients: Clients, answers: Ask) -> None:
    home = clients.reader("secretsmanager", HOME)
    home.create_secret(Name="plain", SecretString="canary-plain")
    document = {"pw": "canary-pw", "port": 5432, "tls": True, "hosts": ["a", "b"]}
    arn = home.create_secret(Name="prod/db", SecretString=json.dumps(document))["ARN"]
    found = answers(
        "secretsmanager:plain",
        "secretsmanager:plain:SecretString",
        "secretsmanager:prod/db:SecretString:pw",
        f"secretsmanager:{arn}:SecretString:pw::",
        "secretsmanager:prod/db:SecretString:port",
        "secretsmanager:prod/db:SecretString:tls",
        "secretsmanager:prod/db:SecretString:hosts",
    )
    assert texts(found) == [
        "canary-plain",
        "canary-plain",
        "canary-pw",
        "canary-pw",
        "5432",
        "true",
        '["a","b"]',
    ]
    assert all(isinstance(answer, Resolved) and answer.secret for answer in found)


def test_a_stage_and_a_version_choose_the_value(clients: Clients, answers: Ask) -> None:
    home = clients.reader("secretsmanager", HOME)
    first = home.create_secret(Name="turning", SecretString="canary-old")["VersionId"]
    home.put_secret_value(SecretId="turning", SecretString="canary-new")
    assert texts(
        answers(
            "secretsmanager:turning:SecretString::AWSCURRENT",
            "secretsmanager:turning:SecretString::AWSPREVIOUS",
            f"secretsmanager:turning:SecretString:::{first}",
        )
    ) == ["canary-new", "canary-old", "canary-old"]


def test_parameters_are_secret_exactly_when_they_are_secure_strings(clients: Clients, answers: Ask) -> None:
    home = clients.reader("ssm", HOME)
    home.put_parameter(Name="/image", Value="ami-1", Type="String")
    home.put_parameter(Name="/image", Value="ami-2", Type="String", Overwrite=True)
    home.put_parameter(Name="/pw", Value="canary-pw", Type="SecureString")
    home.put_parameter(Name="/list", Value="a,b", Type="StringList")
    assert answers("ssm:/image", "ssm:/image:1", "ssm:/pw", "ssm:/list") == [
        Resolved(text="ami-2", secret=False),
        Resolved(text="ami-1", secret=False),
        Resolved(text="canary-pw"),
        Resolved(text="a,b", secret=False),
    ]


def test_an_arn_is_read_in_its_own_region(clients: Clients, answers: Ask) -> None:
    clients.reader("secretsmanager", HOME).create_secret(Name="twin", SecretString="canary-home")
    arn = clients.reader("secretsmanager", ABROAD).create_secret(Name="twin", SecretString="canary-abroad")[
        "ARN"
    ]
    clients.reader("ssm", ABROAD).put_parameter(Name="/p", Value="abroad", Type="String")
    parameter = f"ssm:arn:aws:ssm:{ABROAD}:123456789012:parameter/p"
    assert texts(answers("secretsmanager:twin", f"secretsmanager:{arn}", parameter)) == [
        "canary-home",
        "canary-abroad",
        "abroad",
    ]


def test_ambiguous_and_malformed_references_are_refused_without_a_call(answers: Ask) -> None:
    found = answers(
        "secretsmanager:twin",
        "ssm:/p",
        "secretsmanager:arn:aws:secretsmanager:not a region:1:secret:x",
        foreign=frozenset({ABROAD}),
    )
    assert [answer.cause for answer in found if isinstance(answer, Unresolved)] == [Cause.REFUSED] * 3
    assert "full ARN" in texts(found)[0]


def test_spellings_that_nobody_resolves(answers: Ask) -> None:
    found = answers("ssm-secure:/pw:1", "vault:x", "secretsmanager:", foreign=frozenset({ABROAD}))
    assert [answer.cause for answer in found if isinstance(answer, Unresolved)] == [
        Cause.UNRESOLVED_TOKEN
    ] * 3


def test_what_is_missing_is_refused_by_name_and_the_rest_resolved(clients: Clients, answers: Ask) -> None:
    home = clients.reader("secretsmanager", HOME)
    home.create_secret(Name="there", SecretString='{"pw": "canary-pw"}')
    home.create_secret(Name="bytes", SecretBinary=b"canary-bytes")
    home.create_secret(Name="text", SecretString="canary-no-json")
    home.create_secret(Name="list", SecretString='["canary-in-list"]')
    there, gone, key, binary, text, listed, parameter = answers(
        "secretsmanager:there:SecretString:pw",
        "secretsmanager:gone\x1b[31m",
        "secretsmanager:there:SecretString:absent",
        "secretsmanager:bytes",
        "secretsmanager:text:SecretString:pw",
        "secretsmanager:list:SecretString:pw",
        "ssm:/gone",
    )
    assert there == Resolved(text="canary-pw")
    failures = [gone, key, binary, text, listed, parameter]
    assert all(isinstance(answer, Unresolved) and answer.cause is Cause.REFUSED for answer in failures)
    assert "gone\\u001b[31m" in texts([gone])[0]
    assert "ResourceNotFoundException" in texts([gone])[0]
    assert "ParameterNotFound" in texts([parameter])[0]
    assert "JSON" in texts([key])[0]
    assert "canary" not in " ".join(texts(failures))


class Fake:
    """A client of either service: notes calls, answers from a table, raises the exceptions in it."""

    def __init__(self, values: dict[str, Any], batch: Exception | None = None) -> None:
        self.values, self.batch = values, batch
        self.calls: list[tuple[str, Any]] = []
        self._lock = threading.Lock()

    def reader(self, service: str, region: str) -> Fake:
        return self

    def _note(self, call: str, what: Any) -> None:
        with self._lock:
            self.calls.append((call, what))

    def _value(self, name: str) -> Any:
        value = self.values[name]
        if isinstance(value, Exception):
            raise value
        return value

    def batch_get_secret_value(self, SecretIdList: list[str], NextToken: str = "") -> Any:
        self._note("batch_get_secret_value", (sorted(SecretIdList), NextToken))
        if self.batch:
            raise self.batch
        half = SecretIdList[:1] if not NextToken else SecretIdList[1:]
        good = [name for name in half if not isinstance(self.values[name], Exception)]
        entries = [{"ARN": f"arn:{name}", "Name": name, "SecretString": self.values[name]} for name in good]
        return {"SecretValues": entries, "NextToken": "" if NextToken else "more"}

    def get_secret_value(self, SecretId: str, **selectors: str) -> Any:
        self._note("get_secret_value", (SecretId, selectors))
        return {"SecretString": self._value(SecretId)}

    def get_parameters(self, Names: list[str], WithDecryption: bool) -> Any:
        self._note("get_parameters", sorted(Names))
        if self.batch:
            raise self.batch
        good = [name for name in Names if not isinstance(self.values[name], Exception)]
        return {"Parameters": [{"Name": n, "Type": "SecureString", "Value": self.values[n]} for n in good]}

    def get_parameter(self, Name: str, WithDecryption: bool) -> Any:
        self._note("get_parameter", Name)
        return {"Parameter": {"Name": Name, "Type": "SecureString", "Value": self._value(Name)}}


def error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "canary-in-message"}}, "Operation")


def test_each_secret_is_fetched_once_for_all_records_keys_and_threads(
    make_record: Make, make_state: MakeState
) -> None:
    fake = Fake({"a": '{"k": "canary-1", "l": "canary-2"}', "b": "canary-3", "c": "canary-4"})
    bodies = ["a:SecretString:k", "a:SecretString:l", "a", "a:SecretString::AWSCURRENT", "b", "c"]
    records = [make_record({"P": token(f"secretsmanager:{body}")}, {"P": 1}) for body in bodies * 8]
    state = make_state(*records)
    resolver = LiveResolver(fake)  # type: ignore[arg-type]
    with ThreadPoolExecutor(8) as pool:
        bound = list(pool.map(lambda record: resolver.resolve_all(record, state), records))
    assert all(isinstance(answer, Resolved) for answers in bound for answer in answers.values())
    assert [call for call, _ in fake.calls] == ["batch_get_secret_value"] * 2


def test_without_the_batch_permission_every_secret_is_read_singly(
    make_record: Make, make_state: MakeState
) -> None:
    fake = Fake(
        {"a": "canary-1", "b": "canary-2", "/p": "canary-3", "/q": "canary-4"}, error("AccessDeniedException")
    )
    record = make_record(
        {"L": [token(body) for body in ("secretsmanager:a", "secretsmanager:b", "ssm:/p", "ssm:/q")]}
    )
    found = LiveResolver(fake).resolve_all(record, make_state(record))  # type: ignore[arg-type]
    assert sorted(texts(list(found.values()))) == ["canary-1", "canary-2", "canary-3", "canary-4"]
    singles = [what for call, what in fake.calls if call in ("get_secret_value", "get_parameter")]
    assert sorted(map(str, singles)) == ["('a', {})", "('b', {})", "/p", "/q"]


def test_one_bad_member_of_a_batch_decides_about_itself_only(
    make_record: Make, make_state: MakeState
) -> None:
    values = {
        "a": "canary-1",
        "b": error("ResourceNotFoundException"),
        "/p": "canary-3",
        "/q": error("ParameterNotFound"),
    }
    record = make_record(
        {"L": [token(body) for body in ("secretsmanager:a", "secretsmanager:b", "ssm:/p", "ssm:/q")]}
    )
    found = LiveResolver(Fake(values)).resolve_all(record, make_state(record))  # type: ignore[arg-type]
    assert [type(answer) for answer in found.values()] == [Resolved, Unresolved, Resolved, Unresolved]


def test_a_version_is_never_asked_for_in_a_batch(make_record: Make, make_state: MakeState) -> None:
    fake = Fake({"a": "canary-1", "b": "canary-2"})
    bodies = ("a", "b", "a:SecretString::AWSPREVIOUS", "b:SecretString:::v1")
    record = make_record({"L": [token(f"secretsmanager:{body}") for body in bodies]})
    LiveResolver(fake).resolve_all(record, make_state(record))  # type: ignore[arg-type]
    singles = sorted(str(what) for call, what in fake.calls if call == "get_secret_value")
    assert singles == ["('a', {'VersionStage': 'AWSPREVIOUS'})", "('b', {'VersionId': 'v1'})"]


@pytest.mark.parametrize(
    ("failure", "needed"),
    [
        (error("AccessDeniedException"), "secretsmanager:GetSecretValue"),
        (error("AccessDeniedException"), "kms:Decrypt"),
        (error("ThrottlingException"), "scan again"),
        (error("InvalidRequestException"), "InvalidRequestException"),
        (EndpointConnectionError(endpoint_url="https://x"), "EndpointConnectionError"),
    ],
)
def test_a_failure_refuses_that_record_s_secrets_and_says_what_to_do(
    make_record: Make, make_state: MakeState, failure: Exception, needed: str
) -> None:
    record = make_record({"Password": token("secretsmanager:a"), "Size": 1})
    bound = bind(record, make_state(record), LiveResolver(Fake({"a": failure})))  # type: ignore[arg-type]
    assert bound.cause is Cause.REFUSED
    assert needed in bound.reason
    assert token("secretsmanager:a") in bound.reason
    assert "canary" not in bound.reason
    assert bound.values["Size"] == 1


def test_an_unexpected_error_reaches_the_caller_and_blocks_nobody(
    make_record: Make, make_state: MakeState
) -> None:
    record = make_record({"Password": token("secretsmanager:a")})
    resolver = LiveResolver(Fake({"a": KeyError("broken answer")}))  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(KeyError):
            resolver.resolve_all(record, make_state(record))


def test_resolved_secrets_are_known_to_the_redactor_and_forgotten_on_request(
    make_record: Make, make_state: MakeState
) -> None:
    fake = Fake({"a": "canary-1"})
    resolver = LiveResolver(fake)  # type: ignore[arg-type]
    record = make_record({"Password": token("secretsmanager:a")})
    resolver.resolve_all(record, make_state(record))
    assert resolver.redactor.redact_text("x canary-1") == "x ***"
    resolver.forget()
    resolver.resolve_all(record, make_state(record))
    assert len(fake.calls) == 2


def test_a_string_parameter_is_not_masked_elsewhere(
    clients: Clients, make_record: Make, make_state: MakeState
) -> None:
    clients.reader("ssm", HOME).put_parameter(Name="/image", Value="ami-12345", Type="String")
    record = make_record({"Image": token("ssm:/image")})
    resolver = LiveResolver(clients)
    resolver.resolve_all(record, make_state(record))
    assert resolver.redactor.redact_text("ami-12345") == "ami-12345"


def test_no_repr_on_the_way_shows_a_secret(clients: Clients, answers: Ask) -> None:
    clients.reader("secretsmanager", HOME).create_secret(Name="a", SecretString="canary-1")
    assert "canary-1" not in repr(answers("secretsmanager:a"))


def test_a_stack_s_secrets_can_be_learnt_without_comparing_its_resources(
    make_record: Make, make_state: MakeState
) -> None:
    fake = Fake({"a": "canary-1", "b": error("AccessDeniedException")})
    named = make_record({"Name": token("secretsmanager:a"), "Other": token("secretsmanager:b")})
    key = make_record({}, attributes={"SecretAccessKey": "canary-recorded-2"})
    resolver = LiveResolver(fake)  # type: ignore[arg-type]
    resolver.learn(make_state(named, key))
    assert resolver.redactor.redact_text("canary-1 canary-recorded-2") == "*** ***"
