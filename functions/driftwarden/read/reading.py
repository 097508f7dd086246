"""One resource being read: what is known about it, and the one way to call AWS for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError
from botocore.paginate import Paginator
from botocore.parsers import ResponseParserError

from driftwarden.answers import PhysicalId, ResourceGone, dig
from driftwarden.clients import Clients
from driftwarden.errors import ReadError
from driftwarden.model import ABSENT, Record
from driftwarden.read.limits import Limits
from driftwarden.resources.actions import action_for
from driftwarden.resources.spec import Call, ResourceType

DENIED_CODES: Final = frozenset(
    {
        "403",
        "AccessDenied",
        "AccessDeniedException",
        "AuthorizationError",
        "AuthorizationErrorException",
        "Client.UnauthorizedOperation",
        "Forbidden",
        "ForbiddenException",
        "InsufficientPrivilegesException",
        "NotAuthorized",
        "UnauthorizedException",
        "UnauthorizedOperation",
    }
)
"""Error codes by which services say that the caller lacks a permission."""

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


EVERY_LIST: Final = "*"
"""Asks for all lists of a paged answer, each joined over the pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a stack's resources live and what reads them."""

    region: str
    clients: Clients
    limits: Limits


class Reading:
    """The state of one read: the record, the answers so far, and `call` to ask AWS more.

    `answers` holds the main answer under `main` and each sub-call's part under its `into` name.
    """

    def __init__(
        self, spec: ResourceType, record: Record, place: Place, siblings: Mapping[str, Record]
    ) -> None:
        self.spec = spec
        self.record = record
        self.siblings = siblings
        self.region = place.region
        self.id = record.physical_id
        self.parts = record.physical_id.split("|")
        self.properties = record.properties
        self.answers: dict[str, Any] = {}
        self._place = place
        self._allowed = {c.operation: c for c in (*spec.calls, *spec.more, *spec.asks)}

    @property
    def account(self) -> str:
        """The account of the credentials."""
        return self._place.clients.account_id

    def get(self, path: str, default: Any = ABSENT) -> Any:
        """The value at a dotted path (see resources/spec.py), or `default`."""
        head, _, rest = path.partition(".")
        value = self._root(head)
        if value is ABSENT and head not in self.answers:
            value, rest = self.answers.get("main", ABSENT), path
        found = dig(value, rest)
        return default if found is ABSENT else found

    def _root(self, head: str) -> Any:
        if head == "id":
            return PhysicalId(self.id, self.parts)
        if head == "props":
            return self.properties
        if head == "region":
            return self.region
        if head == "account":
            return self.account
        return self.answers.get(head, ABSENT)

    def fill(self, template: Any) -> Any:
        """A request member: placeholders replaced by values, functions called; ABSENT if one has none."""
        if callable(template):
            return template(self)
        if isinstance(template, Mapping):
            return _all_or_absent({k: self.fill(v) for k, v in template.items()})
        if isinstance(template, list | tuple):
            return _all_or_absent([self.fill(v) for v in template])
        return self._fill_text(template) if isinstance(template, str) else template

    def _fill_text(self, template: str) -> Any:
        whole = _PLACEHOLDER.fullmatch(template)
        if whole:
            return _plain_id(self.get(whole.group(1)))
        values = [_plain_id(self.get(m.group(1))) for m in _PLACEHOLDER.finditer(template)]
        if ABSENT in values:
            return ABSENT
        return _PLACEHOLDER.sub(lambda _: str(values.pop(0)), template)

    def call(
        self,
        operation: str,
        params: Mapping[str, Any],
        *,
        absent: tuple[str, ...] = (),
        pages_of: str = "",
        region: str = "",
    ) -> Any:
        """The parsed answer of one operation that the type declares, or ABSENT on a code in `absent`.

        `pages_of`: follow all pages and answer the joined list found there (ABSENT where no page has it), or
        with EVERY_LIST a map of all lists. Raises ResourceGone on a code in the type's `gone`, ReadError on
        anything else that fails.
        """
        declared = self._allowed[operation]
        service = declared.service or self.spec.service
        at = region or self.region
        client = self._place.clients.reader(service, at)
        try:
            if pages_of:
                joined = _joined(self._pages(client, service, at, declared, params), pages_of)
                return declared.lacking if joined is ABSENT else joined
            self._place.limits.wait(service, operation, at)
            return getattr(client, xform_name(operation))(**params)
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if _says(error, code, absent):
                return ABSENT
            if declared.gone and _says(error, code, self.spec.gone):
                raise ResourceGone from error
            raise _client_error(error, service, declared, code) from error
        except (BotoCoreError, ResponseParserError) as error:
            raise _no_answer(error, f"{service}:{operation}", self.record) from error

    def _pages(
        self, client: Any, service: str, region: str, declared: Call, params: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        name = xform_name(declared.operation)
        if isinstance(declared.pages, tuple):
            paginator = _paginator(client, declared.operation, *declared.pages)
        else:
            paginator = client.get_paginator(name)
        self._place.limits.wait(service, declared.operation, region)
        for number, page in enumerate(paginator.paginate(**params)):
            if number:
                # Nobody knows beforehand that there is one more page: it is paid for once it is there.
                self._place.limits.wait(service, declared.operation, region)
            yield page


def _paginator(client: Any, operation: str, request_token: str, answer_token: str) -> Paginator:
    model = client.meta.service_model.operation_model(operation)
    config = {"input_token": request_token, "output_token": answer_token, "result_key": answer_token}
    return Paginator(getattr(client, xform_name(operation)), config, model)


def _joined(pages: Iterator[Mapping[str, Any]], member: str) -> Any:
    if member != EVERY_LIST:
        found = [part for page in pages if (part := dig(page, member)) is not ABSENT]
        return [item for part in found for item in part] if found else ABSENT
    lists: dict[str, list[Any]] = {}
    for page in pages:
        for name, value in page.items():
            if isinstance(value, list):
                lists.setdefault(name, []).extend(value)
    return lists


def _plain_id(value: Any) -> Any:
    return str(value) if isinstance(value, PhysicalId) else value


def _all_or_absent(filled: Any) -> Any:
    values = filled.values() if isinstance(filled, dict) else filled
    return ABSENT if any(v is ABSENT for v in values) else filled


def _says(error: ClientError, code: str, codes: tuple[str, ...]) -> bool:
    message = f"{code}: {error.response.get('Error', {}).get('Message', '')}"
    return any(code == one or (": " in one and message.startswith(one)) for one in codes)


def _no_answer(error: BotoCoreError | ResponseParserError, operation: str, record: Record) -> ReadError:
    if isinstance(error, ParamValidationError):
        what = (
            "was not sent, because it does not take what the state records (physical id, type or name) for "
            f"{record.logical_id}. Deploy the stack again"
        )
    elif isinstance(error, ResponseParserError):
        what = "got an answer that is not AWS's. Check the endpoint and the proxy"
    else:
        what = (
            f"got no answer ({type(error).__name__}: {error}). Run the scan again; if it stays, check the "
            "network and the endpoint"
        )
    return ReadError(f"{operation} {what}.", operation=operation, code=type(error).__name__)


def _client_error(error: ClientError, service: str, declared: Call, code: str) -> ReadError:
    operation = f"{service}:{declared.operation}"
    message = str(error.response.get("Error", {}).get("Message", "")).strip()
    said = f"{operation} failed with {code or 'no error code'}" + (f" ({message})" if message else "")
    if code not in DENIED_CODES:
        return ReadError(f"{said}. Run the scan again.", operation=operation, code=code)
    action = declared.action or action_for(service, declared.operation)
    return ReadError(f"{said}. Grant {action}.", operation=operation, code=code, action=action)
