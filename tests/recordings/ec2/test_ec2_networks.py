"""VPCs, subnets, gateways and routes as CloudFormation spells them."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

VPC = "vpc-0123456789abcdef0"
TABLE = "rtb-0123456789abcdef0"
TAGS = [{"Key": "team", "Value": "net"}, {"Key": "aws:cloudformation:stack-name", "Value": "s"}]


def attribute(params: dict[str, Any]) -> dict[str, Any]:
    if params["Attribute"] == "enableDnsHostnames":
        return {"EnableDnsHostnames": {"Value": False}}
    return {"EnableDnsSupport": {"Value": True}}


def test_a_vpc_has_its_dns_attributes_and_its_users_tags(answers: Any, read: Any) -> None:
    vpc = {"VpcId": VPC, "CidrBlock": "10.0.0.0/16", "InstanceTenancy": "default", "Tags": TAGS}
    answers["ec2:DescribeVpcs"] = {"Vpcs": [vpc]}
    answers["ec2:DescribeVpcAttribute"] = attribute

    assert read("AWS::EC2::VPC", VPC) == Live(
        {
            "CidrBlock": "10.0.0.0/16",
            "InstanceTenancy": "default",
            "EnableDnsHostnames": False,
            "EnableDnsSupport": True,
            "Tags": [{"Key": "team", "Value": "net"}],
        }
    )


def test_a_vpc_deleted_between_two_calls_lacks_the_attribute_only(answers: Any, read: Any) -> None:
    answers["ec2:DescribeVpcs"] = {"Vpcs": [{"CidrBlock": "10.0.0.0/16"}]}
    answers.fails("ec2:DescribeVpcAttribute", "InvalidVpcID.NotFound")

    assert read("AWS::EC2::VPC", VPC) == Live({"CidrBlock": "10.0.0.0/16"})


def test_a_denied_vpc_attribute_is_unreadable_and_names_the_action(answers: Any, read: Any) -> None:
    answers["ec2:DescribeVpcs"] = {"Vpcs": [{"CidrBlock": "10.0.0.0/16"}]}
    answers.fails("ec2:DescribeVpcAttribute", "UnauthorizedOperation", status=403)

    found = read("AWS::EC2::VPC", VPC)

    assert isinstance(found, Unreadable)
    assert (found.operation, found.action) == ("ec2:DescribeVpcAttribute", "ec2:DescribeVpcAttribute")


def test_a_throttled_read_is_unreadable(answers: Any, read: Any) -> None:
    answers.fails("ec2:DescribeVpcs", "RequestLimitExceeded", status=503)

    found = read("AWS::EC2::VPC", VPC)

    assert isinstance(found, Unreadable)
    assert (found.code, found.action) == ("RequestLimitExceeded", "")


@pytest.mark.parametrize(
    ("resource_type", "operation", "code"),
    [
        ("AWS::EC2::VPC", "DescribeVpcs", "InvalidVpcID.NotFound"),
        ("AWS::EC2::Subnet", "DescribeSubnets", "InvalidSubnetID.NotFound"),
        ("AWS::EC2::InternetGateway", "DescribeInternetGateways", "InvalidInternetGatewayID.NotFound"),
        ("AWS::EC2::NatGateway", "DescribeNatGateways", "NatGatewayNotFound"),
        ("AWS::EC2::RouteTable", "DescribeRouteTables", "InvalidRouteTableID.NotFound"),
        ("AWS::EC2::SecurityGroup", "DescribeSecurityGroups", "InvalidGroup.NotFound"),
    ],
)
def test_the_exact_not_found_code_means_gone(
    answers: Any, read: Any, resource_type: str, operation: str, code: str
) -> None:
    answers.fails(f"ec2:{operation}", code)
    assert read(resource_type, "x-1") == Gone()

    answers.fails(f"ec2:{operation}", "InvalidParameterValue")
    assert isinstance(read(resource_type, "x-1"), Unreadable)


def test_an_empty_list_means_gone_and_an_answer_without_the_list_does_not(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSubnets"] = {"Subnets": []}
    assert read("AWS::EC2::Subnet", "subnet-1") == Gone()

    answers["ec2:DescribeSubnets"] = {}
    found = read("AWS::EC2::Subnet", "subnet-1")
    assert isinstance(found, Unreadable)
    assert found.empty_answer


def test_a_subnet_lacks_what_the_answer_lacks(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSubnets"] = {"Subnets": [{"VpcId": VPC, "MapPublicIpOnLaunch": False, "Tags": TAGS}]}

    assert read("AWS::EC2::Subnet", "subnet-1") == Live(
        {"VpcId": VPC, "MapPublicIpOnLaunch": False, "Tags": [{"Key": "team", "Value": "net"}]}
    )


def test_an_internet_gateway_has_nothing_but_tags(answers: Any, read: Any) -> None:
    answers["ec2:DescribeInternetGateways"] = {
        "InternetGateways": [{"OwnerId": "111122223333", "Tags": TAGS}]
    }

    assert read("AWS::EC2::InternetGateway", "igw-1") == Live({"Tags": [{"Key": "team", "Value": "net"}]})


@pytest.mark.parametrize(
    ("gateway", "expected"),
    [
        ({"Attachments": [{"VpcId": VPC}]}, Live({"InternetGatewayId": "igw-1", "VpcId": VPC})),
        ({"Attachments": [{"VpcId": "vpc-other"}]}, Gone()),
        ({"Attachments": []}, Gone()),
        ({}, Gone()),
    ],
)
def test_a_gateway_attachment_is_gone_once_the_gateway_is_detached(
    answers: Any, read: Any, gateway: dict[str, Any], expected: Any
) -> None:
    answers["ec2:DescribeInternetGateways"] = {"InternetGateways": [gateway]}

    assert read("AWS::EC2::VPCGatewayAttachment", f"igw-1|{VPC}") == expected


@pytest.mark.parametrize("state", ["deleting", "deleted"])
def test_a_deleted_nat_gateway_that_still_shows_is_gone(answers: Any, read: Any, state: str) -> None:
    answers["ec2:DescribeNatGateways"] = {"NatGateways": [{"NatGatewayId": "nat-1", "State": state}]}

    assert read("AWS::EC2::NatGateway", "nat-1") == Gone()


def test_a_nat_gateway_shows_its_first_address(answers: Any, read: Any) -> None:
    addresses = [{"AllocationId": "eipalloc-1", "PrivateIp": "10.0.0.4"}, {"AllocationId": "eipalloc-2"}]
    gateway = {
        "State": "available",
        "SubnetId": "subnet-1",
        "ConnectivityType": "public",
        "NatGatewayAddresses": addresses,
    }
    answers["ec2:DescribeNatGateways"] = {"NatGateways": [gateway]}

    assert read("AWS::EC2::NatGateway", "nat-1") == Live(
        {
            "SubnetId": "subnet-1",
            "ConnectivityType": "public",
            "AllocationId": "eipalloc-1",
            "PrivateIpAddress": "10.0.0.4",
        }
    )


def table(*routes: dict[str, Any]) -> dict[str, Any]:
    local = {"DestinationCidrBlock": "10.0.0.0/16", "GatewayId": "local"}
    return {"RouteTables": [{"RouteTableId": TABLE, "VpcId": VPC, "Routes": [local, *routes]}]}


@pytest.mark.parametrize(
    ("destination", "route", "expected"),
    [
        (
            "0.0.0.0/0",
            {"DestinationCidrBlock": "0.0.0.0/0", "GatewayId": "igw-1"},
            {"DestinationCidrBlock": "0.0.0.0/0", "GatewayId": "igw-1"},
        ),
        (
            "::/0",
            {"DestinationIpv6CidrBlock": "::/0", "EgressOnlyInternetGatewayId": "eigw-1"},
            {"DestinationIpv6CidrBlock": "::/0", "EgressOnlyInternetGatewayId": "eigw-1"},
        ),
        (
            "pl-1",
            {"DestinationPrefixListId": "pl-1", "GatewayId": "vpce-1"},
            {"DestinationPrefixListId": "pl-1", "VpcEndpointId": "vpce-1"},
        ),
    ],
)
def test_a_route_has_its_destination_and_its_target(
    answers: Any, read: Any, destination: str, route: dict[str, Any], expected: dict[str, Any]
) -> None:
    answers["ec2:DescribeRouteTables"] = table(route)

    assert read("AWS::EC2::Route", f"{TABLE}|{destination}") == Live({"RouteTableId": TABLE, **expected})


def test_a_route_whose_block_ec2_normalised_is_found_and_keeps_the_templates_spelling(
    answers: Any, read: Any
) -> None:
    answers["ec2:DescribeRouteTables"] = table(
        {"DestinationCidrBlock": "100.68.0.0/18", "NatGatewayId": "nat-1"}
    )

    assert read("AWS::EC2::Route", f"{TABLE}|100.68.0.18/18") == Live(
        {"RouteTableId": TABLE, "DestinationCidrBlock": "100.68.0.18/18", "NatGatewayId": "nat-1"}
    )


def test_a_route_that_the_table_does_not_list_is_gone(answers: Any, read: Any) -> None:
    answers["ec2:DescribeRouteTables"] = table()
    assert read("AWS::EC2::Route", f"{TABLE}|0.0.0.0/0") == Gone()

    answers["ec2:DescribeRouteTables"] = {"RouteTables": []}
    assert read("AWS::EC2::Route", f"{TABLE}|0.0.0.0/0") == Gone()


def test_a_route_id_without_a_destination_names_nothing_and_asks_nothing(answers: Any, read: Any) -> None:
    assert isinstance(read("AWS::EC2::Route", TABLE), Unsupported)
    assert answers.calls == []


def test_a_subnet_association_is_found_by_its_own_id(answers: Any, read: Any) -> None:
    mine = {"RouteTableAssociationId": "rtbassoc-1", "RouteTableId": TABLE, "SubnetId": "subnet-1"}
    other = {"RouteTableAssociationId": "rtbassoc-2", "RouteTableId": TABLE, "SubnetId": "subnet-2"}
    answers["ec2:DescribeRouteTables"] = {"RouteTables": [{"Associations": [other, mine]}]}

    found = read("AWS::EC2::SubnetRouteTableAssociation", "rtbassoc-1")

    assert found == Live({"SubnetId": "subnet-1", "RouteTableId": TABLE})
    assert read("AWS::EC2::SubnetRouteTableAssociation", "rtbassoc-3") == Gone()
