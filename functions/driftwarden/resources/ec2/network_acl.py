"""Network ACLs, their entries, and the subnets that use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import number, tag_list
from driftwarden.resources.ec2.association import own_association
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("InvalidNetworkAclID.NotFound",)

NETWORK_ACL = ResourceType(
    name="AWS::EC2::NetworkAcl",
    service="ec2",
    gone=_GONE,
    calls=(Call("DescribeNetworkAcls", {"NetworkAclIds": ["{id}"]}, at="NetworkAcls.0"),),
    same=("VpcId",),
    fields={"Tags": From("main.Tags", tag_list)},
    writes=(TAGS,),
)


def _is_entry(entry: Mapping[str, Any], reading: Reading) -> bool:
    """Whether an id `acl|number|egress` names the entry."""
    egress = "true" if entry.get("Egress") else "false"
    return [str(entry.get("RuleNumber")), egress] == [reading.parts[1], reading.parts[2].lower()]


NETWORK_ACL_ENTRY = ResourceType(
    name="AWS::EC2::NetworkAclEntry",
    service="ec2",
    id_parts=3,
    gone=_GONE,
    calls=(
        Call("DescribeNetworkAcls", {"NetworkAclIds": ["{id.0}"]}, at="NetworkAcls.0.Entries", one=_is_entry),
    ),
    same=("RuleNumber", "Egress", "RuleAction", "CidrBlock", "Ipv6CidrBlock", "PortRange", "IcmpTypeCode"),
    fields={
        "NetworkAclId": "id.0",
        "Protocol": From("main.Protocol", number),
        "Icmp": "main.IcmpTypeCode",
    },
)

SUBNET_NETWORK_ACL_ASSOCIATION = ResourceType(
    name="AWS::EC2::SubnetNetworkAclAssociation",
    service="ec2",
    gone=("InvalidAssociationID.NotFound",),
    calls=(
        Call(
            "DescribeNetworkAcls",
            {"Filters": [{"Name": "association.association-id", "Values": ["{id}"]}]},
            at=own_association("DescribeNetworkAcls", "NetworkAcls", "NetworkAclAssociationId"),
        ),
    ),
    same=("NetworkAclId", "SubnetId"),
)

TYPES = (NETWORK_ACL, NETWORK_ACL_ENTRY, SUBNET_NETWORK_ACL_ASSOCIATION)
