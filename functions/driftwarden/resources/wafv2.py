"""AWS WAF."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import renamed, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_Spelling = Callable[[Mapping[str, Any], Any], Any]

_CAN_HOLD_STATEMENTS: Final = ("Statement", "ScopeDownStatement")
_ARN: Final = renamed({"ARN": "Arn"})


def _address(reading: Reading) -> Any:
    """`arn:aws:wafv2:us-east-1:111122223333:regional/webacl/NAME/ID`."""
    scope, _, path = reading.id.rpartition(":")[2].partition("/webacl/")
    name, _, identifier = path.partition("/")
    if not (scope and name and identifier):
        return ABSENT
    return {"Name": name, "Scope": _scope(reading), "Id": identifier}


def _scope(reading: Reading) -> str:
    return "CLOUDFRONT" if ":global/webacl/" in reading.id else "REGIONAL"


def _rules(reading: Reading) -> list[dict[str, Any]]:
    ours = reading.get("props.Rules", [])
    rules = reading.get("main.Rules", [])
    return [
        {**rule, "Statement": _statement(rule["Statement"], _member(_item(ours, place), "Statement"))}
        if "Statement" in rule
        else rule
        for place, rule in enumerate(rules)
    ]


def _statement(statement: Mapping[str, Any], ours: Any) -> dict[str, Any]:
    """A statement as CloudFormation spells it; `ours` is the template's statement in the same place."""
    made = {}
    for kind, body in statement.items():
        spell: _Spelling = _BODIES.get(kind, _nested)
        made[kind] = spell(body, _member(ours, kind)) if isinstance(body, Mapping) else body
    return made


def _nested(body: Mapping[str, Any], ours: Any) -> dict[str, Any]:
    made = dict(body)
    for name in _CAN_HOLD_STATEMENTS:
        if name in made:
            made[name] = _statement(made[name], _member(ours, name))
    if "Statements" in made:
        theirs = _member(ours, "Statements")
        made["Statements"] = [_statement(s, _item(theirs, i)) for i, s in enumerate(made["Statements"])]
    return made


def _reference(body: Mapping[str, Any], _: Any) -> Any:
    return _ARN(body)


def _byte_match(body: Mapping[str, Any], ours: Any) -> dict[str, Any]:
    """WAF answers bytes; CloudFormation takes them as text or in base64, and the template chose."""
    made = {name: member for name, member in body.items() if name != "SearchString"}
    found = body.get("SearchString")
    return made if found is None else made | _search_string(found, ours)


def _search_string(found: bytes, ours: Any) -> dict[str, str]:
    encoded, plain = _member(ours, "SearchStringBase64"), _member(ours, "SearchString")
    if isinstance(encoded, str):
        return {"SearchStringBase64": encoded if _decoded(encoded) == found else _encoded(found)}
    if isinstance(plain, str) and plain.encode() == found:
        return {"SearchString": plain}
    try:
        return {"SearchString": found.decode()}
    except UnicodeDecodeError:
        return {"SearchStringBase64": _encoded(found)}


def _encoded(found: bytes) -> str:
    return b64encode(found).decode("ascii")


def _decoded(text: str) -> bytes | None:
    try:
        return b64decode(text)
    except (binascii.Error, ValueError):
        return None


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _item(values: Any, place: int) -> Any:
    return values[place] if isinstance(values, list) and place < len(values) else None


_BODIES: Final[Mapping[str, _Spelling]] = {
    "ByteMatchStatement": _byte_match,
    "IPSetReferenceStatement": _reference,
    "RegexPatternSetReferenceStatement": _reference,
    "RuleGroupReferenceStatement": _reference,
}

WEB_ACL = ResourceType(
    name="AWS::WAFv2::WebACL",
    service="wafv2",
    gone=("WAFNonexistentItemException",),
    calls=(
        Call("GetWebACL", _address, at="WebACL"),
        Call(
            "ListTagsForResource",
            {"ResourceARN": "{id}"},
            at="TagInfoForResource.TagList",
            into="tags",
            lacking=[],
            absent=("WAFNonexistentItemException",),
        ),
    ),
    same=(
        "Name",
        "Description",
        "DefaultAction",
        "VisibilityConfig",
        "CaptchaConfig",
        "ChallengeConfig",
        "AssociationConfig",
        "CustomResponseBodies",
        "TokenDomains",
    ),
    fields={"Scope": _scope, "Rules": _rules, "Tags": From("tags", tag_list)},
    placeholders={"Description": "", "CustomResponseBodies": {}, "TokenDomains": []},
    compared=TypeFacts(kinds={"Rules": Keyed(("Priority",))}),
)

TYPES = (WEB_ACL,)

FACTS = {
    "AWS::WAFv2::RuleGroup": TypeFacts(kinds={"Rules": Keyed(("Priority",))}),
}
