"""Load balancers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import every, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, Kind, TypeFacts
from driftwarden.resources.elbv2.common import TAGS, attributes_of, complete, keyed, tags_of
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, To, Write, as_is, emptied

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_GONE: Final = ("LoadBalancerNotFound",)


def _unprotects(desired: Any, live: Any) -> bool:
    off = {"Key": "deletion_protection.enabled", "Value": "false"}
    return isinstance(desired, list) and off in desired


def _set_subnets(update: Update) -> None:
    """All subnets are listed. Addresses chosen for a network load balancer cannot be, and would be lost."""
    zones = update.get("main.AvailabilityZones", [])
    addresses = [address for zone in zones for address in zone.get("LoadBalancerAddresses") or ()]
    if any(a.get("AllocationId") or a.get("PrivateIPv4Address") or a.get("IPv6Address") for a in addresses):
        raise UpdateFailed("its subnets hold chosen addresses, which a change of subnets would replace")
    request: dict[str, Any] = {"LoadBalancerArn": update.id, "Subnets": update.desired["Subnets"]}
    if update.differs(_PREFIX):
        request[_PREFIX] = "off" if update.unset(_PREFIX) else update.wanted(_PREFIX)
    update.call("SetSubnets", request)


def _set_groups(update: Update) -> None:
    """The request takes all groups, also where only the setting beside them drifted."""
    request: dict[str, Any] = {
        "LoadBalancerArn": update.id,
        "SecurityGroups": update.desired["SecurityGroups"],
    }
    if update.differs(_PRIVATE_LINK):
        request[_PRIVATE_LINK] = "on" if update.unset(_PRIVATE_LINK) else update.wanted(_PRIVATE_LINK)
    update.call("SetSecurityGroups", request)


_PREFIX: Final = "EnablePrefixForIpv6SourceNat"
_PRIVATE_LINK: Final = "EnforceSecurityGroupInboundRulesOnPrivateLinkTraffic"

LOAD_BALANCER = ResourceType(
    name="AWS::ElasticLoadBalancingV2::LoadBalancer",
    service="elbv2",
    gone=_GONE,
    calls=(
        Call("DescribeLoadBalancers", {"LoadBalancerArns": ["{id}"]}, at="LoadBalancers.0"),
        Call(
            "DescribeCapacityReservation",
            {"LoadBalancerArn": "{id}"},
            at="MinimumLoadBalancerCapacity",
            into="capacity",
            # Partitions and emulators without capacity reservations do not know the operation.
            absent=("InvalidAction",),
        ),
        attributes_of("DescribeLoadBalancerAttributes", "LoadBalancerArn"),
        tags_of(_GONE),
    ),
    same=(
        "EnablePrefixForIpv6SourceNat",
        "EnforceSecurityGroupInboundRulesOnPrivateLinkTraffic",
        "IpAddressType",
        "Scheme",
        "Type",
    ),
    fields={
        "Name": "main.LoadBalancerName",
        "Subnets": From("main.AvailabilityZones", every("SubnetId"), default=[]),
        "SecurityGroups": From("main.SecurityGroups", default=[]),
        "Ipv4IpamPoolId": "main.IpamPools.Ipv4IpamPoolId",
        "MinimumLoadBalancerCapacity": From(
            "capacity", lambda capacity: capacity if capacity.get("CapacityUnits", 0) > 0 else ABSENT
        ),
        "LoadBalancerAttributes": From("attributes", complete),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(
        kinds={"LoadBalancerAttributes": Kind.ATTRIBUTES, "SubnetMappings": Keyed(("SubnetId",))}
    ),
    writes=(
        By(_set_subnets, ("Subnets", _PREFIX), (Write("SetSubnets"),)),
        By(_set_groups, ("SecurityGroups", _PRIVATE_LINK), (Write("SetSecurityGroups"),)),
        Write(
            "SetIpAddressType",
            {"LoadBalancerArn": "{id}"},
            same=("IpAddressType",),
            unset={"IpAddressType": "ipv4"},
        ),
        Write(
            "ModifyIpPools",
            {"LoadBalancerArn": "{id}"},
            sets={"Ipv4IpamPoolId": "IpamPools.Ipv4IpamPoolId"},
        ),
        Write(
            "ModifyIpPools",
            {"LoadBalancerArn": "{id}", "RemoveIpamPools": ["ipv4"]},
            removes=("Ipv4IpamPoolId",),
        ),
        Write(
            "ModifyCapacityReservation",
            {"LoadBalancerArn": "{id}"},
            sets={"MinimumLoadBalancerCapacity": To("MinimumLoadBalancerCapacity", as_is)},
        ),
        Write(
            "ModifyCapacityReservation",
            {"LoadBalancerArn": "{id}", "ResetCapacityReservation": True},
            removes=("MinimumLoadBalancerCapacity",),
        ),
        keyed("ModifyLoadBalancerAttributes", "LoadBalancerArn", "LoadBalancerAttributes"),
        TAGS,
    ),
    refuses={
        "SecurityGroups": Caution("it would be left without any security group", emptied),
        "Subnets": Caution("it would be left without any subnet", emptied),
    },
    warns={
        "LoadBalancerAttributes": Caution("the protection against deletion is switched off", _unprotects),
        "Subnets": "connections through the subnets that go are cut",
        "SecurityGroups": "other clients than now may connect",
    },
)

TYPES = (LOAD_BALANCER,)
