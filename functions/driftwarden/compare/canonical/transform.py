"""The registry's own property transforms: JSONata that gives the form in which a service stores a declared
value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import Lock
from typing import Any, Final

from driftwarden.model import ABSENT

_ONE_AT_A_TIME: Final = Lock()
"""An evaluation binds its input inside of the compiled expression, which all threads share."""


def reproduces(expressions: Iterable[str], scopes: Iterable[Any], aws: Any) -> bool:
    """Whether a transform of the declared value is exactly what AWS holds.

    `scopes` are the objects a transform may start from: the resource's properties and the object around the
    value (schemas are written both ways). Expressions that only describe a pattern never match, and none
    explains an absence.
    """
    if aws is ABSENT or aws is None:
        return False
    plain = [_plain(scope) for scope in scopes]
    return any(_evaluate(expression, scope) == aws for expression in expressions for scope in plain)


@lru_cache(maxsize=256)
def _compiled(expression: str) -> Any:
    import jsonata

    return jsonata.Jsonata(expression)


def _evaluate(expression: str, scope: Any) -> Any:
    """The result; None, which no live value is, where the transform fails on this input."""
    from jsonata.jexception import JException

    try:
        with _ONE_AT_A_TIME:
            return _compiled(expression).evaluate(scope)
    except (JException, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None


def _plain(value: Any) -> Any:
    """A copy of JSON data only: what cannot be known or shown is left out."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if _is_json(item)}
    if isinstance(value, list):
        return [_plain(item) for item in value if _is_json(item)]
    return value


def _is_json(value: Any) -> bool:
    return type(value) in (str, int, float, bool, dict, list, type(None)) or isinstance(value, Mapping)
