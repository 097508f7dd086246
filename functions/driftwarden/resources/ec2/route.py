"""Route tables, their routes, and the subnets that use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.ec2.association import own_association
from driftwarden.resources.ec2.cidr import canonical
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import By, Call, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_ROUTE_TABLE_GONE = ("InvalidRouteTableID.NotFound",)

_DESTINATIONS: Final = ("DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId")

ROUTE_TABLE = ResourceType(
    name="AWS::EC2::RouteTable",
    service="ec2",
    gone=_ROUTE_TABLE_GONE,
    calls=(Call("DescribeRouteTables", {"RouteTableIds": ["{id}"]}, at="RouteTables.0"),),
    same=("VpcId",),
    fields={"Tags": From("main.Tags", tag_list)},
    writes=(TAGS,),
)


def _leads_there(route: Mapping[str, Any], reading: Reading) -> bool:
    return any(_same(route.get(name), reading) for name in _DESTINATIONS)


def _same(destination: str | None, reading: Reading) -> bool:
    return destination is not None and canonical(destination) == canonical(reading.parts[1])


def _destination(name: str) -> Callable[[Reading], Any]:
    return lambda reading: reading.parts[1] if _same(reading.get(f"main.{name}", None), reading) else ABSENT


def _gateway(endpoint: bool) -> Callable[[Any], Any]:
    """EC2 answers a VPC endpoint under `GatewayId` too, CloudFormation has `VpcEndpointId` for it."""
    return lambda gateway: gateway if gateway.startswith("vpce-") is endpoint else ABSENT


_TARGETS: Final = (
    "CarrierGatewayId",
    "CoreNetworkArn",
    "EgressOnlyInternetGatewayId",
    "InstanceId",
    "LocalGatewayId",
    "NatGatewayId",
    "NetworkInterfaceId",
    "TransitGatewayId",
    "VpcPeeringConnectionId",
)
_ALL_TARGETS: Final = (*_TARGETS, "GatewayId", "VpcEndpointId")


def _replace(update: Update) -> None:
    """Deleting and creating would leave a hole, and for good when the second fails; ReplaceRoute does not."""
    if update.get("main.Origin", "") == "EnableVgwRoutePropagation":
        raise UpdateFailed("a virtual private gateway propagates this route, so it cannot be replaced")
    destination = [name for name in _DESTINATIONS if update.live.get(name)]
    target = _target(update)
    request = {"RouteTableId": update.parts[0], destination[0]: update.parts[1]}
    to = {"LocalTarget": True} if target == ("GatewayId", "local") else dict([target])
    update.call("ReplaceRoute", request | to)


def _target(update: Update) -> tuple[str, Any]:
    """The one target that the record names. EC2 answers an instance together with its network interface."""
    named = {n: update.wanted(n) for n in _ALL_TARGETS if n in update.drifted and not update.unset(n)}
    declared = {n: v for n, v in named.items() if n in update.record.properties}
    found = declared or named
    if found.keys() == {"InstanceId", "NetworkInterfaceId"}:
        del found["NetworkInterfaceId"]
    if len(found) != 1:
        raise UpdateFailed(f"the record has to name exactly one target, and names {len(found)}")
    return next(iter(found.items()))


ROUTE = ResourceType(
    name="AWS::EC2::Route",
    service="ec2",
    id_parts=2,
    gone=_ROUTE_TABLE_GONE,
    calls=(
        Call(
            "DescribeRouteTables",
            {"RouteTableIds": ["{id.0}"]},
            at="RouteTables.0.Routes",
            one=_leads_there,
        ),
    ),
    same=_TARGETS,
    fields={
        "RouteTableId": "id.0",
        **{name: _destination(name) for name in _DESTINATIONS},
        "GatewayId": From("main.GatewayId", _gateway(endpoint=False)),
        "VpcEndpointId": From("main.GatewayId", _gateway(endpoint=True)),
    },
    writes=(By(_replace, _ALL_TARGETS, (Write("ReplaceRoute"),)),),
    warns=dict.fromkeys(_ALL_TARGETS, "traffic to this destination goes another way"),
)

SUBNET_ROUTE_TABLE_ASSOCIATION = ResourceType(
    name="AWS::EC2::SubnetRouteTableAssociation",
    service="ec2",
    gone=("InvalidAssociationID.NotFound",),
    calls=(
        Call(
            "DescribeRouteTables",
            {"Filters": [{"Name": "association.route-table-association-id", "Values": ["{id}"]}]},
            at=own_association("DescribeRouteTables", "RouteTables", "RouteTableAssociationId"),
        ),
    ),
    same=("SubnetId", "RouteTableId"),
)

TYPES = (ROUTE_TABLE, ROUTE, SUBNET_ROUTE_TABLE_ASSOCIATION)
