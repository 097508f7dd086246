"""Networks: tags by their difference, routes in place, and access given before it is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import Record
from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

Calls = list[tuple[str, dict[str, Any]]]

TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]


class Network:
    """A network to put the resources under test into."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.ec2 = life.client("ec2")
        self.vpc = self.ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]

    def subnet(self, block: str = "10.0.1.0/24") -> str:
        return str(self.ec2.create_subnet(VpcId=self.vpc, CidrBlock=block)["Subnet"]["SubnetId"])

    def internet_gateway(self) -> str:
        return str(self.ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"])

    def route_table(self) -> str:
        return str(self.ec2.create_route_table(VpcId=self.vpc)["RouteTable"]["RouteTableId"])

    def nat_gateway(self, block: str = "10.0.9.0/24") -> str:
        made = self.ec2.create_nat_gateway(SubnetId=self.subnet(block), ConnectivityType="private")
        return str(made["NatGateway"]["NatGatewayId"])

    def peering(self) -> str:
        other = self.ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
        made = self.ec2.create_vpc_peering_connection(VpcId=self.vpc, PeerVpcId=other)
        return str(made["VpcPeeringConnection"]["VpcPeeringConnectionId"])

    def group(self, name: str = "web") -> str:
        return str(self.ec2.create_security_group(GroupName=name, Description="x", VpcId=self.vpc)["GroupId"])

    def tag(self, resource: str, **tags: str) -> None:
        pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
        self.ec2.create_tags(Resources=[resource], Tags=pairs)

    def untag(self, resource: str, key: str) -> None:
        self.ec2.delete_tags(Resources=[resource], Tags=[{"Key": key}])


@pytest.fixture
def network(life: Life) -> Network:
    return Network(life)


def test_vpc_attributes_go_back_one_by_one(network: Network) -> None:
    life, ec2, vpc = network.life, network.ec2, network.vpc
    life.record("Vpc", "AWS::EC2::VPC", vpc, {"CidrBlock": "10.0.0.0/16"})

    def on() -> None:
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": True})

    calls = life.goes_round("Vpc", on, expect=["EnableDnsHostnames"])
    assert calls == [("ModifyVpcAttribute", {"VpcId": vpc, "EnableDnsHostnames": {"Value": False}})]

    def off() -> None:
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsSupport={"Value": False})

    life.goes_round("Vpc", off, expect=["EnableDnsSupport"])


def test_dns_support_comes_on_before_host_names(network: Network) -> None:
    life, ec2, vpc = network.life, network.ec2, network.vpc
    ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": True})
    life.record("Vpc", "AWS::EC2::VPC", vpc, {"CidrBlock": "10.0.0.0/16"})

    def off() -> None:
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": False})
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsSupport={"Value": False})

    calls = life.goes_round("Vpc", off, expect=["EnableDnsHostnames", "EnableDnsSupport"])
    assert [sorted(params)[0] for _, params in calls] == ["EnableDnsSupport", "EnableDnsHostnames"]


def test_a_subnet_stops_giving_public_addresses(network: Network) -> None:
    subnet = network.subnet()
    network.life.record("Subnet", "AWS::EC2::Subnet", subnet, {"VpcId": network.vpc})

    def edit() -> None:
        network.ec2.modify_subnet_attribute(SubnetId=subnet, MapPublicIpOnLaunch={"Value": True})

    calls = network.life.goes_round("Subnet", edit, expect=["MapPublicIpOnLaunch"])
    assert calls == [("ModifySubnetAttribute", {"SubnetId": subnet, "MapPublicIpOnLaunch": {"Value": False}})]


MAKE: dict[str, Callable[[Network], str]] = {
    "AWS::EC2::InternetGateway": Network.internet_gateway,
    "AWS::EC2::NatGateway": Network.nat_gateway,
    "AWS::EC2::RouteTable": Network.route_table,
    "AWS::EC2::SecurityGroup": Network.group,
    "AWS::EC2::Subnet": Network.subnet,
    "AWS::EC2::VPC": lambda network: network.vpc,
}


@pytest.mark.parametrize("resource_type", MAKE)
def test_only_the_difference_of_tags_is_sent(network: Network, resource_type: str) -> None:
    made = MAKE[resource_type](network)
    network.ec2.create_tags(Resources=[made], Tags=TAGS)
    network.life.record("Made", resource_type, made, {"Tags": TAGS})

    def edit() -> None:
        network.tag(made, Stage="test", Owner="me")
        network.untag(made, "Team")

    calls = network.life.goes_round("Made", edit, expect=["Tags"])
    assert calls == [
        ("DeleteTags", {"Resources": [made], "Tags": [{"Key": "Owner"}]}),
        ("CreateTags", {"Resources": [made], "Tags": TAGS}),
    ]


@pytest.mark.parametrize("resource_type", MAKE)
def test_tags_that_came_up_where_there_were_none_go(network: Network, resource_type: str) -> None:
    made = MAKE[resource_type](network)
    network.life.record("Made", resource_type, made, {"Tags": []})
    before = network.life.read("Made")
    if "Tags" in before:
        network.life.goes_round("Made", lambda: network.tag(made, Owner="me"), expect=["Tags"])


def route(network: Network, *, target: dict[str, str]) -> str:
    table = network.route_table()
    network.ec2.create_route(RouteTableId=table, DestinationCidrBlock="10.7.0.0/16", **target)
    template = {"RouteTableId": table, "DestinationCidrBlock": "10.7.0.0/16", **target}
    network.life.record("Route", "AWS::EC2::Route", f"{table}|10.7.0.0/16", template)
    return table


def test_a_route_is_replaced_in_place(network: Network) -> None:
    gateway = network.nat_gateway()
    other = network.nat_gateway("10.0.10.0/24")
    table = route(network, target={"NatGatewayId": gateway})
    place = {"RouteTableId": table, "DestinationCidrBlock": "10.7.0.0/16"}

    calls = network.life.goes_round(
        "Route", lambda: network.ec2.replace_route(**place, NatGatewayId=other), expect=["NatGatewayId"]
    )
    assert calls == [("ReplaceRoute", {**place, "NatGatewayId": gateway})]


def test_a_route_gets_its_one_target_back_whatever_kind_it_has_now(network: Network) -> None:
    gateway, peering = network.nat_gateway(), network.peering()
    table = route(network, target={"NatGatewayId": gateway})
    place = {"RouteTableId": table, "DestinationCidrBlock": "10.7.0.0/16"}
    network.ec2.delete_route(**place)
    network.ec2.create_route(**place, VpcPeeringConnectionId=peering)
    network.life.forget_calls()

    network.life.revert()

    assert network.life.calls == [("ReplaceRoute", {**place, "NatGatewayId": gateway})]


HTTPS = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
SSH = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22}
WORLD = {"CidrIp": "0.0.0.0/0"}
OFFICE = {"CidrIp": "198.51.100.0/24", "Description": "office"}


def permission(ports: dict[str, Any], *ranges: dict[str, str]) -> dict[str, Any]:
    return {**ports, "IpRanges": list(ranges)}


@pytest.fixture
def group(network: Network) -> str:
    """A group that lets in HTTPS from everywhere and SSH from the office."""
    made = network.group()
    for rule in (permission(HTTPS, WORLD), permission(SSH, OFFICE)):
        network.ec2.authorize_security_group_ingress(GroupId=made, IpPermissions=[rule])
    template = {"SecurityGroupIngress": [{**HTTPS, **WORLD}, {**SSH, **OFFICE}], "VpcId": network.vpc}
    network.life.record("Group", "AWS::EC2::SecurityGroup", made, template)
    return made


def operations(calls: Calls) -> list[str]:
    return [operation for operation, _ in calls]


def test_an_added_rule_is_revoked_and_nothing_else(network: Network, group: str) -> None:
    rule = permission({"IpProtocol": "tcp", "FromPort": 3389, "ToPort": 3389}, WORLD)

    def edit() -> None:
        network.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert calls == [("RevokeSecurityGroupIngress", {"GroupId": group, "IpPermissions": [rule]})]


def test_a_removed_rule_is_authorised_and_nothing_else(network: Network, group: str) -> None:
    rule = permission(SSH, OFFICE)

    def edit() -> None:
        network.ec2.revoke_security_group_ingress(GroupId=group, IpPermissions=[rule])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert calls == [("AuthorizeSecurityGroupIngress", {"GroupId": group, "IpPermissions": [rule]})]


def test_access_is_given_before_it_is_taken(network: Network, group: str) -> None:
    def edit() -> None:
        narrow = permission(HTTPS, {"CidrIp": "203.0.113.0/24"})
        network.ec2.revoke_security_group_ingress(GroupId=group, IpPermissions=[permission(HTTPS, WORLD)])
        network.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[narrow])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert operations(calls) == ["AuthorizeSecurityGroupIngress", "RevokeSecurityGroupIngress"]


def test_a_description_is_changed_without_touching_access(network: Network, group: str) -> None:
    def edit() -> None:
        other = permission(SSH, {"CidrIp": OFFICE["CidrIp"], "Description": "nobody knows"})
        network.ec2.update_security_group_rule_descriptions_ingress(GroupId=group, IpPermissions=[other])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert operations(calls) == ["UpdateSecurityGroupRuleDescriptionsIngress"]


def test_an_added_egress_rule_goes_and_the_way_out_stays(network: Network, group: str) -> None:
    network.life.settings = ScanSettings(undeclared="drift")
    rule = permission(SSH, OFFICE)

    def edit() -> None:
        network.ec2.authorize_security_group_egress(GroupId=group, IpPermissions=[rule])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupEgress"])
    assert calls == [("RevokeSecurityGroupEgress", {"GroupId": group, "IpPermissions": [rule]})]


def test_an_undeclared_egress_list_never_cuts_all_outbound_traffic(network: Network, group: str) -> None:
    network.life.settings = ScanSettings(undeclared="drift")
    everything = {"IpProtocol": "-1", "IpRanges": [WORLD]}
    network.ec2.authorize_security_group_egress(GroupId=group, IpPermissions=[permission(HTTPS, WORLD)])
    network.ec2.revoke_security_group_egress(GroupId=group, IpPermissions=[everything])
    network.life.forget_calls()

    (result,) = network.life.revert()

    assert result.fate is Fate.FAILED
    assert "no egress at all" in result.reason
    assert network.life.calls == []


def test_rules_of_another_resource_of_the_stack_stay(network: Network, group: str) -> None:
    ec2, life = network.ec2, network.life
    metrics = {"IpProtocol": "tcp", "FromPort": 9100, "ToPort": 9100, "CidrIp": "10.0.0.0/16"}
    owned = permission(
        {k: metrics[k] for k in ("IpProtocol", "FromPort", "ToPort")}, {"CidrIp": "10.0.0.0/16"}
    )
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[owned])
    life.record(
        "Rule", "AWS::EC2::SecurityGroupIngress", f"{group}|tcp|9100|9100", {"GroupId": group, **metrics}
    )

    def edit() -> None:
        ec2.revoke_security_group_ingress(GroupId=group, IpPermissions=[permission(SSH, OFFICE)])

    calls = life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert operations(calls) == ["AuthorizeSecurityGroupIngress"]


def test_a_rule_from_another_group_keeps_its_owner(network: Network) -> None:
    ec2, group, other = network.ec2, network.group(), network.group("other")
    rule = {**HTTPS, "UserIdGroupPairs": [{"GroupId": other, "UserId": ACCOUNT}]}
    network.life.record("Group", "AWS::EC2::SecurityGroup", group, {"SecurityGroupIngress": []})

    def edit() -> None:
        ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])

    calls = network.life.goes_round("Group", edit, expect=["SecurityGroupIngress"])
    assert calls == [("RevokeSecurityGroupIngress", {"GroupId": group, "IpPermissions": [rule]})]


def test_a_plan_warns_of_rules_that_somebody_added(network: Network, group: str) -> None:
    rule = permission(HTTPS, {"CidrIp": "203.0.113.0/24"})
    network.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    (step,) = network.life.plan().steps
    assert "whoever added them" in " ".join(step.warnings)


@pytest.fixture
def ingress(network: Network) -> str:
    """A rule of its own, into a group."""
    group = network.group()
    network.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[permission(SSH, OFFICE)])
    template = {"GroupId": group, **SSH, **OFFICE}
    network.life.record("Rule", "AWS::EC2::SecurityGroupIngress", f"{group}|tcp|22|22", template)
    return group


@pytest.mark.parametrize("description", ["nobody knows", None])
def test_a_standalone_rule_is_described_in_place(
    network: Network, ingress: str, description: str | None
) -> None:
    def edit() -> None:
        said = {"Description": description} if description else {}
        other = permission(SSH, {"CidrIp": OFFICE["CidrIp"], **said})
        network.ec2.revoke_security_group_ingress(GroupId=ingress, IpPermissions=[permission(SSH, OFFICE)])
        network.ec2.authorize_security_group_ingress(GroupId=ingress, IpPermissions=[other])

    calls = network.life.goes_round("Rule", edit, expect=["Description"])
    assert calls == [
        (
            "UpdateSecurityGroupRuleDescriptionsIngress",
            {"GroupId": ingress, "IpPermissions": [permission(SSH, OFFICE)]},
        )
    ]


def test_a_gateway_in_another_subnet_is_no_update(network: Network) -> None:
    gateway = network.nat_gateway()
    network.life.record(
        "Nat", "AWS::EC2::NatGateway", gateway, {"SubnetId": network.subnet()}, observed=False
    )
    (refused,) = network.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED
    assert "SubnetId" in refused.reason


@pytest.fixture
def instance(network: Network) -> str:
    """A recorded instance in a group."""
    image = network.ec2.describe_images()["Images"][0]["ImageId"]
    made = network.ec2.run_instances(
        ImageId=image,
        MinCount=1,
        MaxCount=1,
        InstanceType="t3.micro",
        SubnetId=network.subnet(),
        SecurityGroupIds=[network.group()],
        TagSpecifications=[{"ResourceType": "instance", "Tags": TAGS}],
    )["Instances"][0]["InstanceId"]
    network.life.record("Server", "AWS::EC2::Instance", made, {"Tags": TAGS})
    return str(made)


@pytest.mark.parametrize(
    ("edit", "path", "back"),
    [
        (
            {"DisableApiTermination": {"Value": True}},
            "DisableApiTermination",
            {"DisableApiTermination": {"Value": False}},
        ),
        ({"SourceDestCheck": {"Value": False}}, "SourceDestCheck", {"SourceDestCheck": {"Value": True}}),
    ],
)
def test_attributes_of_an_instance_go_back_one_by_one(
    network: Network, instance: str, edit: dict[str, Any], path: str, back: dict[str, Any]
) -> None:
    calls = network.life.goes_round(
        "Server",
        lambda: network.ec2.modify_instance_attribute(InstanceId=instance, **edit),
        expect=[path],
    )
    assert calls == [("ModifyInstanceAttribute", {"InstanceId": instance, **back})]


def test_security_groups_of_an_instance_go_back(network: Network, instance: str) -> None:
    before, other = network.life.read("Server")["SecurityGroupIds"], network.group("other")

    def edit() -> None:
        network.ec2.modify_instance_attribute(InstanceId=instance, Groups=[other])

    calls = network.life.goes_round("Server", edit, expect=["SecurityGroupIds"])
    assert calls == [("ModifyInstanceAttribute", {"InstanceId": instance, "Groups": before})]


def test_only_the_difference_of_an_instances_tags_is_sent(network: Network, instance: str) -> None:
    network.life.goes_round("Server", lambda: network.tag(instance, Owner="me"), expect=["Tags"])
    calls = network.life.goes_round("Server", lambda: network.untag(instance, "Team"), expect=["Tags"])
    assert calls == [("CreateTags", {"Resources": [instance], "Tags": TAGS[1:]})]


def server(**members: Any) -> tuple[Record, dict[str, Any]]:
    """An instance that answers with these members."""
    found = {"InstanceId": "i-1", "State": {"Name": "running"}, **members}
    record = a_record("AWS::EC2::Instance", "i-1")
    return record, {"DescribeInstances": {"Reservations": [{"Instances": [found]}]}}


def test_only_the_drifted_metadata_option_is_sent() -> None:
    record, answers = server(MetadataOptions={"HttpTokens": "optional", "HttpPutResponseHopLimit": 1})
    wanted = {"MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1}}
    assert sent(record, answers, wanted) == [
        ("ModifyInstanceMetadataOptions", {"InstanceId": "i-1", "HttpTokens": "required"})
    ]


def test_monitoring_and_credits_go_back() -> None:
    record, answers = server(Monitoring={"State": "enabled"})
    wanted = {"Monitoring": False, "CreditSpecification": {"CPUCredits": "standard"}}
    credits = {"InstanceId": "i-1", "CpuCredits": "standard"}
    assert sent(record, answers, wanted) == [
        ("ModifyInstanceCreditSpecification", {"InstanceCreditSpecifications": [credits]}),
        ("UnmonitorInstances", {"InstanceIds": ["i-1"]}),
    ]


def test_another_instance_type_is_no_update(network: Network, instance: str) -> None:
    """It would need the instance to be stopped."""
    network.ec2.stop_instances(InstanceIds=[instance])
    network.ec2.modify_instance_attribute(InstanceId=instance, InstanceType={"Value": "t3.large"})
    (refused,) = network.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED
