"""Which values are credentials by where they stand, whatever the record says about them.

Names come from the write-only and credential properties of the CloudFormation registry schemas
(`MasterUserPassword`, `ClientSecret`, `HECToken`, `PreSharedKey`, ...) and from what people call environment
variables, headers and options.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from driftwarden.model import Path
from driftwarden.secrets.references import MASK

Veil = Callable[[Any], str]
"""Turns a credential into what a report shows in its place."""

_ENDINGS: Final = (
    "password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "tokenvalue", "apikey",
    "apikeyvalue", "authkey", "secretkey", "accesskey", "privatekey", "presharedkey", "sharedkey", "keytab",
    "credential", "authcode", "authorizationcode", "secretstring", "secretstringtemplate", "secretvalue",
    "authenticationmaterial", "connectionstring",
)  # fmt: skip

# Named like a credential, yet a choice from a list, a unit or an ARN.
_HARMLESS: Final = frozenset({"httptoken", "servicetoken", "dkimdnstokenvalue"})
HARMLESS_PARENTS: Final = frozenset({"TokenValidityUnits"})

_VARIABLE_PARTS: Final = re.compile(
    r"passw|passphrase|secret|token|credential|connection_?string|dsn\b|key$|(?<!by)(?<!com)pass$"
)
_VARIABLE_WORDS: Final = frozenset({"pass", "pwd", "pw", "key", "keys", "auth", "pin"})
_HEADERS: Final = re.compile(r"authorization|cookie|verify|secret|token|key|password|auth")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PAIRS: Final = (
    ("Name", "Value"), ("Key", "Value"), ("OptionName", "Value"), ("ParameterName", "ParameterValue"),
    ("ParameterKey", "ParameterValue"), ("HeaderName", "HeaderValue"), ("name", "value"), ("key", "value"),
)  # fmt: skip
_VALUE_FIELDS: Final = frozenset(value for _, value in _PAIRS)
_POINTERS: Final = frozenset({"PARAMETER_STORE", "SECRETS_MANAGER"})

TYPED: Final = frozenset({("AWS::ApiGateway::ApiKey", "Value"), ("AWS::AppSync::ApiKey", "ApiKeyId")})

_ARN: Final = re.compile(r"arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:\d*:\S+")
_IN_URL: Final = re.compile(
    r"(?<=://)((?:\{\{resolve:[^}]+\}\}|[^/\s:@\"'])*+):(?!\{\{resolve:|\*\*\*@)[^/\s@\"']+(?=@)"
)
_ASSIGNED: Final = re.compile(
    r"(?i)((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)\s*=\s*)(?!\{\{resolve:|\*\*\*)[^;&\s\"',)}]+"
)
# Tokens that their issuers made recognisable: AWS, GitHub, Slack, Stripe, JSON Web Tokens.
_ISSUED: Final = re.compile(
    r"\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}"
    r"|[sr]k_(?:live|test)_\w{10,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+)"
)
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)


@lru_cache(maxsize=4096)
def is_credential_name(name: str) -> bool:
    """Whether a property or map key of this name holds a credential itself, not its name or ARN."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("s")
    return plain.endswith(_ENDINGS) and plain not in _HARMLESS


def is_secret_variable(name: str) -> bool:
    """Whether an environment variable of this name probably holds a credential."""
    return bool(_VARIABLE_PARTS.search(name.lower())) or any(
        word.lower() in _VARIABLE_WORDS for word in _WORD.findall(name)
    )


def veil_credentials(value: Any, path: Path, resource_type: str, veil: Veil) -> Any:
    """A copy of `value`, found at `path`, in which `veil(...)` stands for every credential. Booleans, ARNs,
    references and masks are not credentials."""
    if len(path) == 1 and (resource_type, path[0]) in TYPED:
        return _veiled(value, veil)
    return _Walk(veil).walk(value, path)


def _veiled(value: Any, veil: Veil) -> Any:
    """Every scalar below `value` veiled."""
    if isinstance(value, Mapping):
        return {key: _veiled(item, veil) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_veiled(item, veil) for item in value]
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return value
    return value if isinstance(value, str) and is_pointer(value) else veil(value)


def veil_text(text: str) -> str:
    """Any text with `***` for what shows by itself that it is a credential: tokens that their issuers made
    recognisable, private keys, passwords in URLs and in `password=...`."""
    text = _ISSUED.sub(MASK, _PRIVATE_KEY.sub(MASK, text))
    text = _IN_URL.sub(rf"\1:{MASK}", text)
    return _ASSIGNED.sub(rf"\1{MASK}", text)


def is_pointer(text: str) -> bool:
    """Whether a text at a credential's place only names one, or is already masked."""
    return text == MASK or "{{resolve:" in text or bool(_ARN.fullmatch(text))


class _Walk:
    def __init__(self, veil: Veil) -> None:
        self._veil = veil

    def walk(self, value: Any, path: Path) -> Any:
        if _is_credential_place(path) and not isinstance(value, Mapping):
            return (
                [self.walk(item, (*path, i)) for i, item in enumerate(value)]
                if _has_maps(value)
                else (_veiled(value, self._veil))
            )
        if isinstance(value, Mapping):
            return self._walk_map(value, path)
        if isinstance(value, list | tuple):
            return [self.walk(item, (*path, index)) for index, item in enumerate(value)]
        return self._text(value) if isinstance(value, str) else value

    def _walk_map(self, value: Mapping[str, Any], path: Path) -> dict[str, Any]:
        secret = secret_value_field(value, path)
        return {
            key: _veiled(item, self._veil) if key == secret else self.walk(item, (*path, key))
            for key, item in value.items()
        }

    def _text(self, text: str) -> str:
        if text[:1] in ("{", "["):
            try:
                document = json.loads(text)
            except ValueError:
                document = None
            if isinstance(document, dict | list):
                clean = self.walk(document, ())
                if clean != document:
                    return json.dumps(clean, ensure_ascii=False, separators=(",", ":"))
        return veil_text(text)


def in_secret_pair(path: Path, pair: Any, siblings: Any) -> bool:
    """Whether a change at `path` is the value of a name-value pair that holds a credential.

    `pair` is what the record holds one step above, `siblings` two steps above: the live pair at that
    position may be another one, so one secret among them is enough.
    """
    if not path or path[-1] not in _VALUE_FIELDS:
        return False
    if len(path) > 1 and isinstance(path[-2], str):
        return _names_secret(path[-2], "", path[:-2])
    pairs = [pair, *(siblings if isinstance(siblings, list | tuple) else ())]
    return any(secret_value_field(each, path[:-1]) == path[-1] for each in pairs if isinstance(each, Mapping))


def secret_value_field(element: Mapping[str, Any], path: Path) -> str | None:
    """The field of the name-value pair at `path` that holds a credential, as the pair's name says."""
    for name_field, value_field in _PAIRS:
        name = element.get(name_field)
        if isinstance(name, str) and value_field in element:
            kind = element.get("Type")
            if isinstance(kind, str) and kind in _POINTERS:
                return None
            if element.get("IsValueSecret") is True or _names_secret(name, name_field, path):
                return value_field
            return None
    return None


def _names_secret(name: str, name_field: str, path: Path) -> bool:
    if name_field == "HeaderName":
        return bool(_HEADERS.search(name.lower()))
    if _in_environment(path):
        return is_secret_variable(name)
    return is_credential_name(name)


def _is_credential_place(path: Path) -> bool:
    names = [part for part in path if isinstance(part, str)]
    if not names or (len(names) > 1 and names[-2] in HARMLESS_PARENTS):
        return False
    if is_credential_name(names[-1]):
        return True
    return (
        len(names) > 1
        and isinstance(path[-1], str)
        and _in_environment(path[:-1], maps_only=True)
        and (is_secret_variable(names[-1]))
    )


def _in_environment(path: Path, *, maps_only: bool = False) -> bool:
    """Whether environment variables stand at or below `path`. As a map they are its direct children."""
    names = [part.lower() for part in path if isinstance(part, str)]
    if maps_only:
        names = names[-1:]
        if path and not isinstance(path[-1], str):
            return False
    return any(
        "environment" in name or name.endswith("variables") or name == "defaultarguments" for name in names
    )


def _has_maps(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value)
