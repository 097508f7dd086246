"""Internet and NAT gateways."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import Call, From, ResourceType

_INTERNET_GATEWAY_GONE = ("InvalidInternetGatewayID.NotFound",)

INTERNET_GATEWAY = ResourceType(
    name="AWS::EC2::InternetGateway",
    service="ec2",
    gone=_INTERNET_GATEWAY_GONE,
    calls=(Call("DescribeInternetGateways", {"InternetGatewayIds": ["{id}"]}, at="InternetGateways.0"),),
    fields={"Tags": From("main.Tags", tag_list)},
    writes=(TAGS,),
)

VPC_GATEWAY_ATTACHMENT = ResourceType(
    name="AWS::EC2::VPCGatewayAttachment",
    service="ec2",
    id_parts=2,
    gone=_INTERNET_GATEWAY_GONE,
    calls=(
        Call(
            "DescribeInternetGateways",
            {"InternetGatewayIds": ["{id.0}"]},
            at="InternetGateways.0.Attachments",
            one=lambda attachment, reading: attachment.get("VpcId") == reading.parts[1],
        ),
    ),
    fields={"InternetGatewayId": "id.0", "VpcId": "id.1"},
)

NAT_GATEWAY = ResourceType(
    name="AWS::EC2::NatGateway",
    service="ec2",
    gone=("NatGatewayNotFound",),
    calls=(
        Call(
            "DescribeNatGateways",
            {"NatGatewayIds": ["{id}"]},
            at="NatGateways",
            # Deleted gateways stay visible for about an hour (VPC User Guide, "Delete a NAT gateway").
            one=lambda gateway, _: gateway.get("State") not in {"deleting", "deleted"},
        ),
    ),
    same=("SubnetId", "ConnectivityType"),
    fields={
        "AllocationId": "main.NatGatewayAddresses.0.AllocationId",
        "PrivateIpAddress": "main.NatGatewayAddresses.0.PrivateIp",
        "Tags": From("main.Tags", tag_list),
    },
    writes=(TAGS,),
)

TYPES = (INTERNET_GATEWAY, VPC_GATEWAY_ATTACHMENT, NAT_GATEWAY)
