"""Amazon Route 53."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from driftwarden.answers import EmptyAnswer, NotAddressable, ResourceGone
from driftwarden.convert import every, pick, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, as_is, emptied

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_ZONE_GONE = ("NoSuchHostedZone",)


def _bare_id(zone: str) -> str:
    return zone.removeprefix("/hostedzone/")


def _zone(answer: Any, _: Reading) -> Any:
    if answer.get("HostedZone") is None:
        raise EmptyAnswer("route53:GetHostedZone", "HostedZone")
    return answer


def _networks(reading: Reading) -> Any:
    """Only private zones belong to networks."""
    return reading.get("VPCs", []) if reading.get("HostedZone.Config.PrivateZone", False) else ABSENT


def _is_accelerated(features: Mapping[str, Any]) -> bool:
    """CloudFormation says what is wanted, Route 53 how far it is."""
    status = features.get("AcceleratedRecoveryStatus", "")
    return features.get("EnableAcceleratedRecovery") in (True, "true") or status in {"ENABLED", "ENABLING"}


def _associate(update: Update) -> None:
    """Associates before it disassociates, because a private zone keeps at least one network."""
    wanted, live = (bag.get("VPCs") or [] for bag in (update.desired, update.live))
    for operation, networks in (
        ("AssociateVPCWithHostedZone", [vpc for vpc in wanted if vpc not in live]),
        ("DisassociateVPCFromHostedZone", [vpc for vpc in live if vpc not in wanted]),
    ):
        for network in networks:
            update.call(operation, {"HostedZoneId": update.id, "VPC": network})


def _log_queries(update: Update) -> None:
    """A zone logs to one group at most, so the old one has to go first. It comes back when the new one is
    refused."""
    zone = _bare_id(update.id)
    found = update.ask("ListQueryLoggingConfigs", {"HostedZoneId": zone})["QueryLoggingConfigs"]
    for config in found:
        update.call("DeleteQueryLoggingConfig", {"Id": config["Id"]})
    group = update.wanted("QueryLoggingConfig.CloudWatchLogsLogGroupArn")
    if group is ABSENT:
        return
    try:
        update.call("CreateQueryLoggingConfig", {"HostedZoneId": zone, "CloudWatchLogsLogGroupArn": group})
    except UpdateFailed:
        for config in found:
            former = {"CloudWatchLogsLogGroupArn": config["CloudWatchLogsLogGroupArn"]}
            update.call("CreateQueryLoggingConfig", {"HostedZoneId": zone, **former})
        raise


_STATUS: Final = "HostedZone.Features.AcceleratedRecoveryStatus"

HOSTED_ZONE = ResourceType(
    name="AWS::Route53::HostedZone",
    service="route53",
    gone=_ZONE_GONE,
    calls=(
        Call("GetHostedZone", {"Id": "{id}"}, at=_zone),
        Call(
            "ListTagsForResource",
            {"ResourceType": "hostedzone", "ResourceId": lambda reading: _bare_id(reading.id)},
            at="ResourceTagSet.Tags",
            into="tags",
            lacking=[],
            absent=_ZONE_GONE,
        ),
        Call(
            "ListQueryLoggingConfigs",
            {"HostedZoneId": lambda reading: _bare_id(reading.id)},
            at="QueryLoggingConfigs.0.CloudWatchLogsLogGroupArn",
            into="logging",
            absent=_ZONE_GONE,
        ),
    ),
    fields={
        "Name": "main.HostedZone.Name",
        "HostedZoneConfig": From(
            "main.HostedZone.Config",
            lambda config: {"Comment": ""} | pick("Comment", "PrivateZone")(config),
            default={"Comment": ""},
        ),
        "HostedZoneFeatures": From(
            f"main.{_STATUS}",
            lambda status: {"AcceleratedRecoveryStatus": status},
        ),
        "VPCs": _networks,
        "HostedZoneTags": From("tags", tag_list),
        "QueryLoggingConfig": From("logging", lambda group: {"CloudWatchLogsLogGroupArn": group}, default={}),
    },
    compared=TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    writes=(
        Write(
            "UpdateHostedZoneComment",
            {"Id": "{id}"},
            sets={"HostedZoneConfig.Comment": To("Comment", as_is)},
            unset={"HostedZoneConfig.Comment": ""},
        ),
        Write(
            "UpdateHostedZoneFeatures",
            {"HostedZoneId": "{id}"},
            sets={"HostedZoneFeatures": To("EnableAcceleratedRecovery", _is_accelerated)},
            unset={"HostedZoneFeatures": {"EnableAcceleratedRecovery": False}},
            ready=lambda update: not str(update.get(f"main.{_STATUS}", "")).endswith("ING"),
        ),
        By(
            _associate,
            ("VPCs",),
            (Write("AssociateVPCWithHostedZone"), Write("DisassociateVPCFromHostedZone")),
        ),
        By(
            _log_queries,
            ("QueryLoggingConfig",),
            (Write("DeleteQueryLoggingConfig"), Write("CreateQueryLoggingConfig")),
        ),
        Tags(
            "ChangeTagsForResource",
            "ChangeTagsForResource",
            {"ResourceType": "hostedzone", "ResourceId": lambda reading: _bare_id(reading.id)},
            pairs_at="AddTags",
            keys_at="RemoveTagKeys",
            of="HostedZoneTags",
        ),
    ),
    refuses={"VPCs": Caution("a private zone keeps at least one network", emptied)},
    warns={
        "VPCs": "networks that the record does not list no longer resolve the zone, whoever associated them",
        "QueryLoggingConfig": "queries in between are not logged",
    },
)

_FEW: Final = "5"
"""Records are listed from the wanted one on, so the first few suffice."""


class _Identity(NamedTuple):
    zone: str
    name: str
    kind: str


def _record_set(reading: Reading) -> dict[str, Any]:
    """A record set. A list that starts at a name, in a zone that itself may be known by name only, is more
    than declarations can say; and what identifies the record comes from the state, not from the answer."""
    identity = _identity(reading)
    request = {
        "HostedZoneId": identity.zone,
        "StartRecordName": _wire_name(identity.name),
        "StartRecordType": identity.kind,
        "MaxItems": _FEW,
    }
    variant = reading.get("props.SetIdentifier")
    if isinstance(variant, str):
        request["StartRecordIdentifier"] = variant
    listed = reading.call("ListResourceRecordSets", request).get("ResourceRecordSets")
    if listed is None:
        raise EmptyAnswer("route53:ListResourceRecordSets", "ResourceRecordSets")
    for record in listed:
        same = _plain_name(record.get("Name", "")) == _plain_name(identity.name)
        mine = not isinstance(variant, str) or record.get("SetIdentifier") == variant
        if same and mine and record.get("Type") == identity.kind:
            return _properties(record, identity)
    raise ResourceGone


def _identity(reading: Reading) -> _Identity:
    """From an id `zone|name|type`, unless the template says otherwise; then from the template."""
    name, kind = _text(reading, "Name"), _text(reading, "Type")
    if len(reading.parts) == len(_Identity._fields):
        recorded = _Identity(*reading.parts)
        if kind in {"", recorded.kind} and (not name or _plain_name(name) == _plain_name(recorded.name)):
            return recorded
    zone = (_text(reading, "HostedZoneId") or _zone_named(reading)) if kind else ""
    if not zone:
        raise NotAddressable(
            f"the record of {reading.record.logical_id} names no hosted zone and type; deploy the stack again"
        )
    return _Identity(zone, name or reading.id, kind)


def _text(reading: Reading, name: str) -> str:
    value = reading.get(f"props.{name}", "")
    return value if isinstance(value, str) else ""


def _zone_named(reading: Reading) -> str:
    name = _text(reading, "HostedZoneName")
    if not name:
        return ""
    request = {"DNSName": f"{name.rstrip('.')}.", "MaxItems": _FEW}
    zones = reading.call("ListHostedZonesByName", request).get("HostedZones")
    if zones is None:
        raise EmptyAnswer("route53:ListHostedZonesByName", "HostedZones")
    found = next((z for z in zones if _plain_name(z.get("Name", "")) == _plain_name(name)), None)
    if found is None:
        raise ResourceGone
    return _bare_id(found["Id"])


def _wire_name(name: str) -> str:
    return f"{name.rstrip('.').lower()}.".replace("*", r"\052")


def _plain_name(name: str) -> str:
    """A name without what DNS ignores. Route 53 escapes unusual characters, `*` too, as octal codes; an
    escaped dot or backslash stays escaped (Developer Guide, "DNS domain name format")."""
    plain = re.sub(r"\\(?!056|134)([0-7]{3})", lambda code: chr(int(code[1], 8)), name)
    return plain.lower().removesuffix(".")


def _properties(record: Mapping[str, Any], identity: _Identity) -> dict[str, Any]:
    made: dict[str, Any] = {"HostedZoneId": identity.zone, "Name": identity.name, "Type": identity.kind}
    if record.get("AliasTarget") is not None:
        made["AliasTarget"] = record["AliasTarget"]
    else:
        made |= pick("TTL")(record) | {"ResourceRecords": every("Value")(record.get("ResourceRecords", []))}
    made |= pick(*_ROUTING)(record)
    return made


_ROUTING: Final = (
    "SetIdentifier",
    "Weight",
    "Region",
    "Failover",
    "MultiValueAnswer",
    "HealthCheckId",
    "GeoLocation",
    "GeoProximityLocation",
    "CidrRoutingConfig",
)
_ANSWERS: Final = ("TTL", "ResourceRecords", "AliasTarget")
_WRITTEN: Final = (*_ANSWERS, *(name for name in _ROUTING if name != "SetIdentifier"))


def _upsert(update: Update) -> None:
    """The whole record under the name and type that it has; with others, UPSERT would add a second record."""
    identity = _identity(update.reading)
    record: dict[str, Any] = {"Name": identity.name, "Type": identity.kind}
    record |= {name: update.wanted(name) for name in _ROUTING if not update.unset(name)}
    record |= {"Weight": int(record["Weight"])} if "Weight" in record else {}
    record |= _answer(update)
    batch = {"Changes": [{"Action": "UPSERT", "ResourceRecordSet": record}]}
    update.call("ChangeResourceRecordSets", {"HostedZoneId": identity.zone, "ChangeBatch": batch})


def _answer(update: Update) -> dict[str, Any]:
    """A record has values with a time to live, or an alias; the one that the baseline has goes in."""
    values = not update.unset("ResourceRecords")
    alias = not update.unset("AliasTarget")
    if alias and values:
        alias = update.differs("AliasTarget")
    if alias:
        return {"AliasTarget": {"EvaluateTargetHealth": False, **update.wanted("AliasTarget")}}
    if not values or update.unset("TTL"):
        raise UpdateFailed("the record names neither values with a time to live nor an alias")
    listed = [{"Value": value} for value in update.wanted("ResourceRecords")]
    return {"TTL": int(update.wanted("TTL")), "ResourceRecords": listed}


RECORD_SET = ResourceType(
    name="AWS::Route53::RecordSet",
    service="route53",
    gone=_ZONE_GONE,
    more=(Call("ListHostedZonesByName"), Call("ListResourceRecordSets")),
    custom=_record_set,
    compared=TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    writes=(By(_upsert, _WRITTEN, (Write("ChangeResourceRecordSets"),)),),
    warns={
        **dict.fromkeys(_ANSWERS, "clients are sent elsewhere"),
        **dict.fromkeys(("Weight", "Failover", "HealthCheckId"), "traffic that was moved by hand moves back"),
    },
)

TYPES = (HOSTED_ZONE, RECORD_SET)

FACTS = {
    "AWS::Route53::RecordSetGroup": TypeFacts(
        kinds={"RecordSets": Kind.SET, "RecordSets.*.Name": Kind.DNS_NAME}, never_read_back=("Comment",)
    ),
}
