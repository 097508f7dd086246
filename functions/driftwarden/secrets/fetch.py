"""Reading secrets and parameters from AWS: batched where that keeps the meaning, one by one on any doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, TypeAlias

from driftwarden.clients import Clients
from driftwarden.secrets.references import PARAMETER_STORE, SECRETS_MANAGER

GET_SECRET: Final = "secretsmanager:GetSecretValue"  # noqa: S105 - an IAM action
BATCH_GET_SECRET: Final = "secretsmanager:BatchGetSecretValue"  # noqa: S105 - likewise
GET_PARAMETER: Final = "ssm:GetParameter"
GET_PARAMETERS: Final = "ssm:GetParameters"
DECRYPT: Final = "kms:Decrypt"

_BATCH: Final = {SECRETS_MANAGER: 20, PARAMETER_STORE: 10}
_WORKERS: Final = 8
_ARN_COLONS: Final = 5

_DENIED: Final = frozenset({"AccessDeniedException", "AccessDenied", "UnauthorizedOperation"})
_ABSENT: Final = frozenset({"ResourceNotFoundException", "ParameterNotFound", "ParameterVersionNotFound"})


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """One thing to fetch, a secret in one version or a parameter, for all references to it."""

    service: str
    region: str
    name: str
    stage: str = ""
    version: str = ""

    @property
    def batchable(self) -> bool:
        """Whether a batch, in which versions cannot be told apart for certain, may fetch it."""
        arn = self.name.startswith("arn:")
        if self.service == PARAMETER_STORE:
            return self.name.count(":") == (_ARN_COLONS if arn else 0)
        return not self.version and not self.stage


@dataclass(frozen=True, slots=True)
class Fetched:
    """The value, and whether it is a secret (a String parameter is none)."""

    text: str = field(repr=False)
    secret: bool


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no value, as the end of a sentence that begins with the reference."""

    reason: str


Answer: TypeAlias = Fetched | Missing


def batches(sources: Iterable[Source]) -> Iterator[tuple[Source, ...]]:
    """Groups that one request may fetch together: same service, region and spelling (name or ARN).

    Names and ARNs are kept apart, because another account's secret may bear the same name as one of ours.
    """
    together = sorted(sources, key=_batch_key)
    for (service, _, _, batchable), members in groupby(together, key=_batch_key):
        group = list(members)
        size = _BATCH[service] if batchable else 1
        for start in range(0, len(group), size):
            yield tuple(group[start : start + size])


def fetch(clients: Clients, group: tuple[Source, ...]) -> dict[Source, Answer]:
    """The answer for every member of a group from `batches`.

    Whatever a batch request does not plainly deliver is asked for singly, so that a missing permission for
    the batch, or one bad member, never decides about the others.
    """
    answers = _fetch_batch(clients, group) if len(group) > 1 else {}
    rest = [source for source in group if source not in answers]
    if rest:
        with ThreadPoolExecutor(max_workers=min(_WORKERS, len(rest))) as pool:
            answers.update(zip(rest, pool.map(lambda source: _fetch_one(clients, source), rest), strict=True))
    return answers


def _batch_key(source: Source) -> tuple[str, str, bool, bool]:
    return source.service, source.region, source.name.startswith("arn:"), source.batchable


def _fetch_batch(clients: Clients, group: tuple[Source, ...]) -> dict[Source, Answer]:
    from botocore.exceptions import BotoCoreError, ClientError

    ask = _batch_secrets if group[0].service == SECRETS_MANAGER else _batch_parameters
    try:
        found = ask(clients.reader(group[0].service, group[0].region), [source.name for source in group])
    except (BotoCoreError, ClientError):
        return {}
    return {source: found[source.name] for source in group if source.name in found}


def _batch_secrets(client: Any, names: list[str]) -> dict[str, Answer]:
    """By exact ARN or exact name. https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html"""
    found: dict[str, Answer] = {}
    key = "ARN" if names[0].startswith("arn:") else "Name"
    request: dict[str, Any] = {"SecretIdList": names}
    while True:
        page = client.batch_get_secret_value(**request)
        for entry in page.get("SecretValues", ()):
            if "SecretString" in entry:
                found[entry.get(key, "")] = Fetched(entry["SecretString"], secret=True)
        if not page.get("NextToken"):
            return found
        request["NextToken"] = page["NextToken"]


def _batch_parameters(client: Any, names: list[str]) -> dict[str, Answer]:
    page = client.get_parameters(Names=names, WithDecryption=True)
    key = "ARN" if names[0].startswith("arn:") else "Name"
    return {parameter.get(key, ""): _parameter(parameter) for parameter in page.get("Parameters", ())}


def _fetch_one(clients: Clients, source: Source) -> Answer:
    from botocore.exceptions import BotoCoreError, ClientError

    ask: Callable[[Any, Source], Answer] = _secret if source.service == SECRETS_MANAGER else _named_parameter
    try:
        return ask(clients.reader(source.service, source.region), source)
    except ClientError as error:
        return Missing(_because(source, str(error.response.get("Error", {}).get("Code", ""))))
    except BotoCoreError as error:
        return Missing(
            f"could not be read in {source.region} ({type(error).__name__}): check network and credentials, "
            "then scan again"
        )


def _secret(client: Any, source: Source) -> Answer:
    selectors = {"VersionStage": source.stage, "VersionId": source.version}
    answer = client.get_secret_value(SecretId=source.name, **{k: v for k, v in selectors.items() if v})
    if "SecretString" not in answer:
        return Missing("names a secret that holds no text: store it as a SecretString")
    return Fetched(answer["SecretString"], secret=True)


def _named_parameter(client: Any, source: Source) -> Answer:
    return _parameter(client.get_parameter(Name=source.name, WithDecryption=True).get("Parameter", {}))


def _parameter(parameter: dict[str, Any]) -> Answer:
    if "Value" not in parameter:
        return Missing("was answered without a value: scan again")
    return Fetched(parameter["Value"], secret=parameter.get("Type") == "SecureString")


def _because(source: Source, code: str) -> str:
    what, action = (
        ("secret", GET_SECRET) if source.service == SECRETS_MANAGER else ("parameter", GET_PARAMETER)
    )
    where = f"in {source.region} ({code or 'no error code'})"
    if code in _DENIED:
        return f"may not be read {where}: grant {action} on the {what}, and {DECRYPT} on a key of yours"
    if code in _ABSENT:
        return f"names a {what} or version that does not exist {where}: restore it or fix the reference"
    return f"could not be read {where}: scan again, or check {action} on the {what}"
