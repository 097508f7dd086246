"""AWS Cloud Map."""

from __future__ import annotations

from typing import Any

from driftwarden.convert import tag_list
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

_NAMESPACE_GONE = ("NamespaceNotFound",)
_SERVICE_GONE = ("ServiceNotFound",)


def _tags(gone: tuple[str, ...]) -> Call:
    return Call(
        "ListTagsForResource",
        {"ResourceARN": "{Arn}"},
        at="Tags",
        into="tags",
        lacking=[],
        absent=("ResourceNotFoundException", *gone),
    )


def _time_to_live(seconds: int) -> dict[str, Any]:
    return {"DnsProperties": {"SOA": {"TTL": seconds}}}


def _namespace(name: str, *, dns: bool) -> ResourceType:
    properties = From("main.Properties.DnsProperties.SOA.TTL", _time_to_live, default={})
    return ResourceType(
        name=name,
        service="servicediscovery",
        gone=_NAMESPACE_GONE,
        calls=(Call("GetNamespace", {"Id": "{id}"}, at="Namespace"), _tags(_NAMESPACE_GONE)),
        same=("Name", "Description"),
        fields={**({"Properties": properties} if dns else {}), "Tags": From("tags", tag_list)},
        placeholders={"Description": ""},
        compared=TypeFacts(kinds={"Name": Kind.DNS_NAME}) if dns else None,
    )


SERVICE = ResourceType(
    name="AWS::ServiceDiscovery::Service",
    service="servicediscovery",
    gone=_SERVICE_GONE,
    calls=(
        Call("GetService", {"Id": "{id}"}, at="Service"),
        Call(
            "GetServiceAttributes",
            {"ServiceId": "{id}"},
            at="ServiceAttributes.Attributes",
            into="attributes",
            lacking={},
            absent=_SERVICE_GONE,
        ),
        _tags(_SERVICE_GONE),
    ),
    same=(
        "Name",
        "NamespaceId",
        "Type",
        "Description",
        "DnsConfig",
        "HealthCheckConfig",
        "HealthCheckCustomConfig",
    ),
    fields={"ServiceAttributes": "attributes", "Tags": From("tags", tag_list)},
    placeholders={"Description": ""},
    compared=TypeFacts(never_read_back=("DnsConfig.NamespaceId",)),
)

TYPES = (
    _namespace("AWS::ServiceDiscovery::HttpNamespace", dns=False),
    _namespace("AWS::ServiceDiscovery::PrivateDnsNamespace", dns=True),
    _namespace("AWS::ServiceDiscovery::PublicDnsNamespace", dns=True),
    SERVICE,
)
