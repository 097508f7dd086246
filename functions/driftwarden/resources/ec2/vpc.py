"""VPCs and subnets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from driftwarden.convert import tag_list
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, To, Write, as_is, becomes

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_VPC_GONE = ("InvalidVpcID.NotFound",)


def _attribute(name: str, into: str) -> Call:
    return Call(
        "DescribeVpcAttribute",
        {"VpcId": "{id}", "Attribute": f"{name[0].lower()}{name[1:]}"},
        at=f"{name}.Value",
        into=into,
        absent=_VPC_GONE,
    )


_DNS_DEFAULTS: Final = {"EnableDnsSupport": True, "EnableDnsHostnames": False}
"""What a VPC has without being told (VPC User Guide, "DNS attributes for your VPC")."""


def _set_dns(update: Update) -> None:
    """One attribute per call; host names need DNS support: on after it, off before it."""
    wanted = {
        name: default if update.unset(name) else update.wanted(name)
        for name, default in _DNS_DEFAULTS.items()
        if update.differs(name)
    }
    names = list(wanted) if wanted.get("EnableDnsSupport", True) else list(reversed(wanted))
    for name in names:
        update.call("ModifyVpcAttribute", {"VpcId": update.id, name: {"Value": wanted[name]}})


VPC = ResourceType(
    name="AWS::EC2::VPC",
    service="ec2",
    gone=_VPC_GONE,
    calls=(
        Call("DescribeVpcs", {"VpcIds": ["{id}"]}, at="Vpcs.0"),
        _attribute("EnableDnsHostnames", "hostnames"),
        _attribute("EnableDnsSupport", "support"),
    ),
    same=("CidrBlock", "InstanceTenancy"),
    fields={
        "EnableDnsHostnames": "hostnames",
        "EnableDnsSupport": "support",
        "Tags": From("main.Tags", tag_list),
    },
    writes=(
        By(_set_dns, tuple(_DNS_DEFAULTS), (Write("ModifyVpcAttribute"),)),
        Write(
            "ModifyVpcTenancy",
            {"VpcId": "{id}"},
            same=("InstanceTenancy",),
            unset={"InstanceTenancy": "default"},
        ),
        TAGS,
    ),
    refuses={
        "InstanceTenancy": Caution(
            "a VPC can only be made dedicated when it is created", becomes("dedicated", "host")
        )
    },
    warns={
        "EnableDnsSupport": Caution("instances can no longer resolve names", becomes(False)),
        "EnableDnsHostnames": Caution("instances lose their public DNS names", becomes(False)),
    },
)

SUBNET = ResourceType(
    name="AWS::EC2::Subnet",
    service="ec2",
    gone=("InvalidSubnetID.NotFound",),
    calls=(Call("DescribeSubnets", {"SubnetIds": ["{id}"]}, at="Subnets.0"),),
    same=("VpcId", "CidrBlock", "AvailabilityZone", "MapPublicIpOnLaunch"),
    fields={"Tags": From("main.Tags", tag_list)},
    writes=(
        Write(
            "ModifySubnetAttribute",
            {"SubnetId": "{id}"},
            sets={"MapPublicIpOnLaunch": To("MapPublicIpOnLaunch.Value", as_is)},
            unset={"MapPublicIpOnLaunch": False},
        ),
        TAGS,
    ),
    warns={"MapPublicIpOnLaunch": Caution("new instances get a public address", becomes(True))},
)

TYPES = (VPC, SUBNET)

FACTS = {
    "AWS::EC2::PrefixList": TypeFacts(kinds={"Entries": Keyed(("Cidr",))}),
}
