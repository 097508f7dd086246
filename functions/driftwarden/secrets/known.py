"""Values worth masking in every output, because somewhere they stand where only a secret can stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.model import Properties, Record
from driftwarden.secrets.credentials import (
    HARMLESS_PARENTS,
    TYPED,
    is_credential_name,
    is_pointer,
    secret_value_field,
    veil_credentials,
)
from driftwarden.secrets.encodings import spellings
from driftwarden.secrets.references import MASK, TOKEN
from driftwarden.secrets.shape import SECRET, Shape, by_identity, json_document, union

if TYPE_CHECKING:
    from driftwarden.secrets.bind import Bound

_LONG_ENOUGH: Final = 8
_TOO_LONG: Final = 4096
"""A longer value does not turn up inside of another text."""

_VALUES: Final = ("Value", "value", "ParameterValue", "HeaderValue")
_NAMES: Final = ("Name", "Id", "Identifier", "Domain", "Alias")
_SEPARATORS: Final = re.compile(r"[/:|]")


def recorded_credentials(record: Record) -> list[str]:
    """Credentials that the record holds in the clear, attributes included, and a name that a secret gives.

    Left out: short values, ARNs, references, masks.
    """
    found: list[str] = []
    for bag in (record.properties, record.observed, record.attributes):
        if bag:
            _collect(bag, found)
            found += _typed(bag, record)
    found += _secret_names(record)
    return found


def learn_live(live: Properties, record: Record, bound: Bound) -> None:
    """Have the redactor know the live values that stand at secret places, lest another place show them."""
    found: list[str] = []
    _collect(live, found)
    found += _typed(live, record)
    if bound.shape is not None:
        found += filter(_worth_knowing, _at_secret_places(live, bound.shape))
    for value in found:
        bound.redactor.add(value)


def without_values(text: str, values: Properties, record: Record, bound: Bound) -> str:
    """What AWS said about a request that held `values`, without what stands, or may stand, at secret places.

    Apart from `Redactor`, because such a value may be a common word anywhere else.
    """
    sent = set(_at_secret_places(values, bound.shape, doubtful=True))

    def remember(value: Any) -> str:
        sent.add(str(value))
        return MASK

    for key, value in values.items():
        veil_credentials(value, (key,), record.resource_type, remember)
    needles = {needle for value in sent - {MASK} for needle in spellings(value)}
    for needle in sorted(needles, key=len, reverse=True):
        text = text.replace(needle, MASK)
    return text


def _collect(bag: Mapping[str, Any], found: list[str]) -> None:
    # Every value of every resource passes here, so exact types are asked first.
    secret = secret_value_field(bag, ()) if any(name in bag for name in _VALUES) else None
    for key, item in bag.items():
        kind = type(item)
        if kind is str:
            if item[:1] in ("{", "["):
                _collect_any(json_document(item), found)
            elif (key == secret or is_credential_name(key)) and _worth_knowing(item):
                found.append(item)
        elif kind is dict:
            if key not in HARMLESS_PARENTS:
                _collect(item, found)
        elif kind is list:
            _collect_list(item, found, named=is_credential_name(key))


def _collect_list(items: list[Any], found: list[str], *, named: bool) -> None:
    for item in items:
        if type(item) is str:
            if named and _worth_knowing(item):
                found.append(item)
        else:
            _collect_any(item, found)


def _collect_any(value: Any, found: list[str]) -> None:
    if type(value) is dict:
        _collect(value, found)
    elif type(value) is list:
        _collect_list(value, found, named=False)


def _typed(bag: Properties, record: Record) -> Iterator[str]:
    """Credentials that only the resource type tells."""
    for resource_type, name in TYPED:
        if record.resource_type == resource_type and _worth_knowing(bag.get(name)):
            yield bag[name]


def _worth_knowing(value: Any) -> bool:
    return isinstance(value, str) and _LONG_ENOUGH <= len(value) <= _TOO_LONG and not is_pointer(value)


def _secret_names(record: Record) -> Iterable[str]:
    """The physical id, whole and its last part, where a mask or a reference gives the resource its name."""
    hidden = {leaf[0] for leaf in record.no_echo_leaves if len(leaf) == 1}
    hidden |= {key for key, value in record.properties.items() if isinstance(value, str) and _hides(value)}
    if not any(str(name).endswith(_NAMES) for name in hidden):
        return ()
    return record.physical_id, _SEPARATORS.split(record.physical_id)[-1]


def _hides(value: str) -> bool:
    return value == MASK or ("{{resolve:" in value and bool(TOKEN.search(value)))


def _at_secret_places(value: Any, shape: Shape | None, *, doubtful: bool = False) -> Iterator[str]:
    """The texts of a live value that stand at secret places.

    Of list elements that nobody can pair with recorded ones, all but recorded harmless ones where `doubtful`,
    else only those of a list that records nothing but secrets.
    """
    if shape is None:
        return
    if shape.secret:
        yield from _texts(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _at_secret_places(item, shape.fields.get(key), doubtful=doubtful)
    elif isinstance(value, list) and shape.elements:
        for item in value:
            yield from _at_secret_places(item, _of_element(item, shape, doubtful), doubtful=doubtful)
    elif doubtful:
        yield from _texts(value)


def _of_element(item: Any, shape: Shape, doubtful: bool) -> Shape | None:
    named = by_identity(shape.elements)
    if named is not None and isinstance(item, Mapping):
        name, shapes = named
        identity = item.get(name)
        if not doubtful or identity in shapes:
            return shapes.get(identity) if isinstance(identity, str) else None
    if doubtful:
        return None if item in shape.harmless else union(each for _, each in shape.elements)
    shapes_of_all = [each for _, each in shape.elements]
    return SECRET if all(each is not None and each.secret for each in shapes_of_all) else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
