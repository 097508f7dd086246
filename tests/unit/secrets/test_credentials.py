"""Credentials known by where they stand, though no reference says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import ABSENT, Change, Path, Record
from driftwarden.secrets import Bound
from driftwarden.secrets.credentials import is_credential_name, is_secret_variable, secret_value_field

CANARY = "canary-in-the-clear-81"

Make = Callable[..., Record]
Show = Callable[..., Change]


@pytest.mark.parametrize(
    "name",
    ["MasterUserPassword", "Password", "Passwords", "AuthToken", "OauthToken", "HECToken",
     "ClientSecret", "client_secret", "SecretString", "SecretStringTemplate", "PrivateKey",
     "PreSharedKey", "SecretAccessKey", "AccessKey", "ApiKeyValue", "KeyPassphrase", "AuthKey",
     "SecretToken", "db-password", "x-api-key", "ConnectionString"],
)  # fmt: skip
def test_names_of_credentials(name: str) -> None:
    assert is_credential_name(name)


@pytest.mark.parametrize(
    "name",
    ["SecretArn", "SecretName", "SecretId", "KmsKeyId", "KeyName", "Key", "PublicKey", "HashKey",
     "KeyPolicy", "HttpTokens", "ServiceToken", "TokenEndpoint", "PasswordPolicy",
     "MinimumPasswordLength", "AccessKeyId", "ClientSecretArn", "KeySchema", "CredentialsArn",
     "AuthType", "RotateMasterUserPasswordAt", "RoutingKeys", "PartitionKey", "TokenValidityUnits"],
)  # fmt: skip
def test_names_that_only_speak_of_credentials(name: str) -> None:
    assert not is_credential_name(name)


@pytest.mark.parametrize(
    "name",
    ["DB_PASSWORD", "PGPASS", "pwd", "API_KEY", "apiKey", "STRIPE_KEY", "GITHUB_TOKEN", "secret",
     "SESSION_SECRET_2", "AWS_SECRET_ACCESS_KEY", "BASIC_AUTH", "SENTRY_DSN", "ENCRYPTIONKEY",
     "DbPasswd", "CREDENTIALS"],
)  # fmt: skip
def test_names_of_secret_variables(name: str) -> None:
    assert is_secret_variable(name)


@pytest.mark.parametrize(
    "name", ["MODE", "LOG_LEVEL", "TABLE_NAME", "KEYBOARD_LAYOUT", "COMPASS", "AUTHOR", "REGION"]
)
def test_names_of_harmless_variables(name: str) -> None:
    assert not is_secret_variable(name)


PLACES: list[tuple[Path, Any]] = [
    (("MasterUserPassword",), CANARY),
    (("Passwords",), [CANARY]),
    (("Passwords", 0), CANARY),
    (("Users",), [{"Username": "ann", "Password": CANARY}]),
    (("Environment", "Variables", "DB_PASSWORD"), CANARY),
    (("Environment", "Variables"), {"STRIPE_KEY": CANARY, "MODE": "live"}),
    (("Environment",), {"Variables": {"STRIPE_KEY": CANARY}}),
    (("ContainerDefinitions",), [{"Environment": [{"Name": "API_KEY", "Value": CANARY}]}]),
    (("ContainerDefinitions", 0, "Environment", "API_KEY", "Value"), CANARY),
    (("EnvironmentVariables",), [{"Name": "TOKEN", "Value": CANARY, "Type": "PLAINTEXT"}]),
    (("DefaultArguments",), {"--db-password": CANARY}),
    (("StageVariables", "apiKey"), CANARY),
    (("ProviderDetails",), {"client_id": "x", "client_secret": CANARY}),
    (("Origins",), [{"CustomHeaders": [{"HeaderName": "X-Origin-Verify", "HeaderValue": CANARY}]}]),
    (("HeaderParameters",), [{"Key": "X", "Value": CANARY, "IsValueSecret": True}]),
    (("OptionSettings",), [{"OptionName": "DBPassword", "Value": CANARY}]),
    (("Parameters",), {"password": CANARY}),
    (("Environment", "Variables", "CONFIG"), json.dumps({"db": {"password": CANARY}, "mode": "live"})),
    (("Environment", "Variables", "DATABASE_URL"), f"postgres://ann:{CANARY}@host/db"),
    (("ConnectionProperties", "URL"), f"jdbc:sqlserver://host;user=ann;Password={CANARY};"),
    (("UserData",), f"-----BEGIN RSA PRIVATE KEY-----\n{CANARY}\n-----END RSA PRIVATE KEY-----"),
]


@pytest.mark.parametrize(("path", "value"), PLACES, ids=[".".join(map(str, path)) for path, _ in PLACES])
def test_a_credential_in_the_clear_is_shown_on_neither_side(
    make_record: Make, shown: Show, as_text: Callable[[Any], str], path: Path, value: Any
) -> None:
    bag: Any = {path[0]: value} if len(path) == 1 else {"X": 1}
    change = shown(make_record(bag), path, value, state=value)
    assert CANARY not in as_text(change)
    assert "***" in as_text(change.state)
    assert "***" in as_text(change.aws)


KEPT: list[tuple[Path, Any]] = [
    (
        ("Environment", "Variables", "DB_SECRET_ARN"),
        "arn:aws:secretsmanager:eu-west-1:111122223333:secret:db-AbCdEf",
    ),
    (("Environment", "Variables", "MODE"), "test"),
    (("MetadataOptions", "HttpTokens"), "optional"),
    (("TokenValidityUnits", "AccessToken"), "hours"),
    (("KmsKeyId",), "alias/mine"),
    (("Tags",), [{"Key": "owner", "Value": "ann"}]),
    (("ManageMasterUserPassword",), True),
    (("EnvironmentVariables",), [{"Name": "TOKEN", "Value": "/app/token", "Type": "PARAMETER_STORE"}]),
    (("Secrets",), [{"Name": "TOKEN", "ValueFrom": "arn:aws:ssm:eu-west-1:111122223333:parameter/x"}]),
    (("KeySchema",), [{"AttributeName": "pk", "KeyType": "HASH"}]),
    (("PolicyDocument",), '{"Statement":[{"Action":"s3:Get*","Resource":"*"}]}'),
]


@pytest.mark.parametrize(("path", "value"), KEPT, ids=[".".join(map(str, path)) for path, _ in KEPT])
def test_what_is_no_credential_is_shown(make_record: Make, shown: Show, path: Path, value: Any) -> None:
    assert shown(make_record({"X": 1}), path, value, state=value).aws == value


def test_the_pair_at_a_list_position_is_judged_by_every_name_recorded_there(
    make_record: Make, shown: Show
) -> None:
    pairs = [{"Name": "MODE", "Value": "live"}, {"Name": "API_KEY", "Value": "x"}]
    record = make_record({"Environment": pairs})
    assert CANARY not in str(shown(record, ("Environment", 0, "Value"), CANARY).aws)
    harmless = make_record({"Environment": [{"Name": "MODE", "Value": "live"}]})
    assert shown(harmless, ("Environment", 0, "Value"), "test").aws == "test"


def test_the_value_of_a_parameter_named_like_a_credential(make_record: Make, shown: Show) -> None:
    record = make_record({"Name": "/app/db-password", "Value": "old", "Type": "String"})
    change = shown(record, ("Value",), CANARY)
    assert str(change.state).startswith("***")
    assert CANARY not in str(change.aws)


def test_two_different_credentials_stay_distinguishable(make_record: Make, shown: Show) -> None:
    record = make_record({"Password": "old"})
    change = shown(record, ("Password",), "new")
    assert change.state != change.aws
    same = shown(record, ("Password",), {"Password": "old"})
    assert same.aws["Password"].startswith("*** (#")


def test_references_and_masks_at_credential_places_stay_as_they_are(make_record: Make, shown: Show) -> None:
    reference = "{{resolve:secretsmanager:pw}}"
    change = shown(make_record({"MasterUserPassword": reference}), ("MasterUserPassword",), "x", pw="canary")
    assert (change.state, change.aws) == (reference, "***")
    change = shown(make_record({"MasterUserPassword": "***"}), ("MasterUserPassword",), "x")
    assert (change.state, change.aws) == ("***", "***")


def test_a_recorded_credential_is_known_everywhere(make_record: Make, bind_to: Callable[..., Bound]) -> None:
    record = make_record(
        {
            "ClientSecret": "canary-property-1",
            "Passwords": ["canary-deep-2", {"Password": "canary-deeper-4"}],
        },
        attributes={"SecretAccessKey": "canary-attribute-3", "Arn": "arn:aws:iam::1:user/x"},
    )
    redactor = bind_to(record).redactor
    text = "canary-property-1 canary-deep-2 canary-attribute-3 canary-deeper-4 arn:aws:iam::1:user/x"
    assert redactor.redact_text(text) == "*** *** *** *** arn:aws:iam::1:user/x"


def test_a_side_without_a_value_is_left_out(make_record: Make, shown: Show) -> None:
    assert shown(make_record({"X": 1}), ("Password",), CANARY, state=ABSENT).state is ABSENT


@pytest.mark.parametrize("kind", [[], {}, None, 5])
def test_a_pair_whose_type_is_no_text_is_still_looked_at(kind: Any) -> None:
    pair = {"Name": "DB_PASSWORD", "Value": "x", "Type": kind}
    assert secret_value_field(pair, ("EnvironmentVariables", 0)) == "Value"
