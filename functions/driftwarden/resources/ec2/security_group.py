"""Security groups and their rules.

EC2 answers permissions, each with lists of sources; CloudFormation has one flat rule per source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer
from driftwarden.convert import ip_protocol, non_empty, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, Rule, TypeFacts
from driftwarden.resources.ec2.cidr import canonical
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE = ("InvalidGroup.NotFound", "InvalidSecurityGroupID.NotFound")

_CIDRS: Final = frozenset({"CidrIp", "CidrIpv6"})

_Rule = dict[str, Any]
_Sources = tuple[tuple[str, Mapping[str, str]], ...]

_SOURCES: Final[_Sources] = (
    ("IpRanges", {"CidrIp": "CidrIp"}),
    ("Ipv6Ranges", {"CidrIpv6": "CidrIpv6"}),
    ("UserIdGroupPairs", {"GroupId": "SourceSecurityGroupId", "UserId": "SourceSecurityGroupOwnerId"}),
    ("PrefixListIds", {"PrefixListId": "SourcePrefixListId"}),
)
_DESTINATIONS: Final[_Sources] = (
    *_SOURCES[:2],
    ("UserIdGroupPairs", {"GroupId": "DestinationSecurityGroupId"}),
    ("PrefixListIds", {"PrefixListId": "DestinationPrefixListId"}),
)


def _flat(permissions: Iterable[Mapping[str, Any]], peers: _Sources) -> Iterator[_Rule]:
    """One rule per source, in the order of `peers`; a permission without any gives one without a peer."""
    for permission in permissions:
        base = _present(permission, "IpProtocol", "FromPort", "ToPort")
        rules = [
            base
            | {ours: source[theirs] for theirs, ours in members.items() if source.get(theirs) is not None}
            | _present(source, "Description")
            for listed, members in peers
            for source in permission.get(listed) or ()
        ]
        yield from rules or [base]


def _present(value: Mapping[str, Any], *names: str) -> _Rule:
    return {name: value[name] for name in names if value.get(name) is not None}


def _identity(rule: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """What makes two spellings of a rule one rule: protocol names as EC2 has them, numbers as text."""
    stated = {k: str(v) for k, v in rule.items() if v not in (None, "") and not _any_port(k, v)}
    stated |= {k: canonical(v) for k, v in stated.items() if k in _CIDRS}
    return frozenset((stated | {"IpProtocol": ip_protocol(str(rule.get("IpProtocol")))}).items())


def _any_port(name: str, value: Any) -> bool:
    return name in {"FromPort", "ToPort"} and str(value) == "-1"


def _template_first(live: list[_Rule], declared: Any) -> list[_Rule]:
    """EC2 keeps no order, so the rules of the template come first, in its order."""
    rest = list(live)
    first = []
    for rule in declared if isinstance(declared, list) else ():
        same = (r for r in rest if isinstance(rule, Mapping) and _identity(r) == _identity(rule))
        found = next(same, None)
        if found is not None:
            rest.remove(found)
            first.append(found)
    return first + rest


def _ingress(reading: Reading) -> list[_Rule]:
    live = list(_flat(reading.get("main.IpPermissions", ()), _SOURCES))
    return _template_first(live, reading.get("props.SecurityGroupIngress"))


def _egress(reading: Reading) -> list[_Rule]:
    live = list(_flat(reading.get("main.IpPermissionsEgress", ()), _DESTINATIONS))
    declared = reading.get("props.SecurityGroupEgress")
    if not isinstance(declared, list):
        live = [rule for rule in live if not _allows_all(rule)]
    return _template_first(live, declared)


def _allows_all(rule: Mapping[str, Any]) -> bool:
    """The rule that EC2 gives to every group for which the template declares no egress."""
    return {k: v for k, v in rule.items() if not _any_port(k, v)} == {
        "IpProtocol": "-1",
        "CidrIp": "0.0.0.0/0",
    }


_SIDES: Final = {
    "SecurityGroupIngress": ("Ingress", _SOURCES),
    "SecurityGroupEgress": ("Egress", _DESTINATIONS),
}
_VERBS: Final = ("AuthorizeSecurityGroup", "UpdateSecurityGroupRuleDescriptions", "RevokeSecurityGroup")


def _set_rules(update: Update) -> None:
    """Only the difference, and access is given before it is taken, so that no connection is cut between."""
    drifted = [name for name in _SIDES if update.differs(name)]
    for name in drifted:
        _check(name, update)
    changes = {name: dict(zip(_VERBS, _difference(update, name), strict=True)) for name in drifted}
    for verb in _VERBS:
        for name in drifted:
            side, peers = _SIDES[name]
            for rule in changes[name][verb]:
                request = {"GroupId": update.id, "IpPermissions": [_permission(rule, peers)]}
                update.call(f"{verb}{side}", request, done=_ALREADY)


_ALREADY: Final = ("InvalidPermission.Duplicate", "InvalidPermission.NotFound")


def _check(name: str, update: Update) -> None:
    """A list that was never recorded says nothing, and a group without any egress rule is cut off."""
    if name not in update.desired:
        raise UpdateFailed(f"the record holds no {name}, so nobody can tell which rules should stay")
    undeclared = not isinstance(update.record.properties.get(name), list)
    if name == "SecurityGroupEgress" and undeclared and not update.desired[name]:
        raw = _flat(update.get("main.IpPermissionsEgress", ()), _DESTINATIONS)
        if not any(_allows_all(rule) for rule in raw):
            raise UpdateFailed("without the rules to be revoked the group would have no egress at all")


def _difference(update: Update, name: str) -> tuple[list[_Rule], list[_Rule], list[_Rule]]:
    """The rules that are missing, those that only say something else in their description, and the extra."""
    wanted, live = (
        {_source(_identity(r)): r for r in bag.get(name) or ()} for bag in (update.desired, update.live)
    )
    missing = [rule for source, rule in wanted.items() if source not in live]
    reworded = [
        rule
        for source, rule in wanted.items()
        if source in live and (rule.get("Description") or "") != (live[source].get("Description") or "")
    ]
    return missing, reworded, [rule for source, rule in live.items() if source not in wanted]


def _permission(rule: Mapping[str, Any], peers: _Sources) -> dict[str, Any]:
    """The request form of a flat rule."""
    made: dict[str, Any] = {"IpProtocol": str(rule.get("IpProtocol", "-1"))}
    made |= {name: int(rule[name]) for name in ("FromPort", "ToPort") if rule.get(name) is not None}
    for listed, members in peers:
        source = {theirs: rule[ours] for theirs, ours in members.items() if rule.get(ours)}
        if source:
            made[listed] = [source | _present(rule, "Description")]
    return made


def _revokes(desired: Any, live: Any) -> bool:
    kept, there = (
        {_source(_identity(rule)) for rule in rules} if isinstance(rules, list) else set()
        for rules in (desired, live)
    )
    return not there <= kept


def _describe(update: Update) -> None:
    """Revoking and authorising a rule for the sake of its description would cut traffic."""
    rule = dict(update.live)
    rule.pop("Description", None)
    if not update.unset("Description"):
        rule["Description"] = update.wanted("Description")
    request = {"GroupId": update.parts[0], "IpPermissions": [_permission(rule, _SOURCES)]}
    update.call("UpdateSecurityGroupRuleDescriptionsIngress", request)


_WITH_PORTS: Final = frozenset({"tcp", "udp", "icmp", "icmpv6"})


def _port(member: str) -> Callable[[Mapping[str, Any]], Any]:
    """A rule for any other protocol covers all ports, which EC2 writes as -1 (EC2 API, IpPermission)."""

    def stored(rule: Mapping[str, Any]) -> Any:
        declared = rule.get("IpProtocol")
        named = isinstance(declared, str | int) and ip_protocol(str(declared)) in _WITH_PORTS
        return rule.get(member) if named else -1

    return stored


def _stored_ports(*prefixes: str) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    return {f"{prefix}{member}": _port(member) for prefix in prefixes for member in ("FromPort", "ToPort")}


def _protocol_kinds(*prefixes: str) -> dict[str, Rule]:
    return {f"{prefix}IpProtocol": Kind.PROTOCOL for prefix in prefixes}


SECURITY_GROUP = ResourceType(
    name="AWS::EC2::SecurityGroup",
    service="ec2",
    gone=_GONE,
    calls=(Call("DescribeSecurityGroups", {"GroupIds": ["{id}"]}, at="SecurityGroups.0"),),
    same=("GroupName", "VpcId"),
    fields={
        "GroupDescription": "main.Description",
        "SecurityGroupIngress": _ingress,
        "SecurityGroupEgress": _egress,
        "Tags": From("main.Tags", lambda tags: non_empty()(tag_list(tags))),
    },
    compared=TypeFacts(
        kinds={
            **_protocol_kinds("SecurityGroupIngress.*.", "SecurityGroupEgress.*."),
            "SecurityGroupIngress": Kind.SET,
            "SecurityGroupEgress": Kind.SET,
        },
        stores=_stored_ports("SecurityGroupIngress.*.", "SecurityGroupEgress.*."),
        users_own=("SecurityGroupIngress",),
    ),
    writes=(
        By(
            _set_rules,
            tuple(_SIDES),
            tuple(Write(f"{verb}{side}") for side in ("Ingress", "Egress") for verb in _VERBS),
        ),
        TAGS,
    ),
    warns={
        name: Caution("rules that the record does not hold are revoked, whoever added them", _revokes)
        for name in _SIDES
    },
)


_UNSTATED: Final = frozenset({"Description", "SourceSecurityGroupOwnerId"})
"""What a rule may say beyond its source: EC2 answers an owner that most templates do not state."""


def _ingress_rule(answer: Any, reading: Reading) -> Any:
    """The rule that an id `group|protocol|from|to` and the template name together."""
    groups = answer.get("SecurityGroups")
    if groups is None:
        raise EmptyAnswer("ec2:DescribeSecurityGroups", "SecurityGroups")
    _, protocol, *ports = reading.parts
    permissions = [
        p
        for group in groups
        for p in group.get("IpPermissions") or ()
        if ip_protocol(str(p.get("IpProtocol"))) == ip_protocol(protocol)
        and [str(p.get("FromPort", -1)), str(p.get("ToPort", -1))] == ports
    ]
    return _declared_rule(list(_flat(permissions, _SOURCES)), reading.properties)


def _declared_rule(rules: list[_Rule], template: Mapping[str, Any]) -> Any:
    declared = _identity({k: v for k, v in template.items() if k in _INGRESS})
    source = _source(declared)
    if not any(name in _SOURCE_NAMES for name, _ in source):
        return next(iter(rules), ABSENT)
    exact = (rule for rule in rules if _identity(rule) == declared)
    reworded = (rule for rule in rules if _source(_identity(rule)) == source)
    return next(exact, None) or next(reworded, ABSENT)


def _source(identity: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset((k, v) for k, v in identity if k not in _UNSTATED)


_SOURCE_NAMES: Final = frozenset(ours for _, members in _SOURCES for ours in members.values())
_INGRESS: Final = ("IpProtocol", "FromPort", "ToPort", "Description", *sorted(_SOURCE_NAMES))

SECURITY_GROUP_INGRESS = ResourceType(
    name="AWS::EC2::SecurityGroupIngress",
    service="ec2",
    id_parts=4,
    gone=_GONE,
    calls=(Call("DescribeSecurityGroups", {"GroupIds": ["{id.0}"]}, at=_ingress_rule),),
    same=_INGRESS,
    fields={"GroupId": "id.0"},
    compared=TypeFacts(kinds=_protocol_kinds(""), stores=_stored_ports("")),
    writes=(By(_describe, ("Description",), (Write("UpdateSecurityGroupRuleDescriptionsIngress"),)),),
)

TYPES = (SECURITY_GROUP, SECURITY_GROUP_INGRESS)

FACTS = {
    "AWS::EC2::SecurityGroupEgress": TypeFacts(kinds=_protocol_kinds(""), stores=_stored_ports("")),
}
