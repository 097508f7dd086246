"""Security groups: permissions become flat rules, one per source."""

from __future__ import annotations

from typing import Any

from driftwarden.model import Live

GROUP = "sg-0123456789abcdef0"
ALLOW_ALL = {"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}


def described(**members: Any) -> dict[str, Any]:
    return {
        "SecurityGroups": [{"GroupId": GROUP, "GroupName": "web", "Description": "web servers", **members}]
    }


def rules(found: Any, direction: str) -> list[dict[str, Any]]:
    assert isinstance(found, Live)
    listed: list[dict[str, Any]] = found.properties[direction]
    return listed


def test_every_source_of_a_permission_is_a_rule_of_its_own(answers: Any, read: Any) -> None:
    permission = {
        "IpProtocol": "tcp",
        "FromPort": 443,
        "ToPort": 443,
        "PrefixListIds": [{"PrefixListId": "pl-1"}],
        "UserIdGroupPairs": [{"GroupId": "sg-peer", "UserId": "111122223333", "VpcId": "vpc-1"}],
        "Ipv6Ranges": [{"CidrIpv6": "::/0"}],
        "IpRanges": [{"CidrIp": "10.0.0.0/8", "Description": "office"}],
    }
    answers["ec2:DescribeSecurityGroups"] = described(
        IpPermissions=[permission], IpPermissionsEgress=[permission]
    )
    found = read("AWS::EC2::SecurityGroup", GROUP)

    port = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
    assert rules(found, "SecurityGroupIngress") == [
        {**port, "CidrIp": "10.0.0.0/8", "Description": "office"},
        {**port, "CidrIpv6": "::/0"},
        {**port, "SourceSecurityGroupId": "sg-peer", "SourceSecurityGroupOwnerId": "111122223333"},
        {**port, "SourcePrefixListId": "pl-1"},
    ]
    assert rules(found, "SecurityGroupEgress") == [
        {**port, "CidrIp": "10.0.0.0/8", "Description": "office"},
        {**port, "CidrIpv6": "::/0"},
        {**port, "DestinationSecurityGroupId": "sg-peer"},
        {**port, "DestinationPrefixListId": "pl-1"},
    ]


def test_the_rules_of_the_template_come_first_however_it_spells_them(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSecurityGroups"] = described(
        IpPermissions=[
            {"IpProtocol": "udp", "FromPort": 53, "ToPort": 53, "IpRanges": [{"CidrIp": "10.0.0.0/8"}]},
            {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]},
            {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "IpRanges": [{"CidrIp": "10.1.0.0/16"}]},
        ]
    )
    declared = {"IpProtocol": "6", "FromPort": "443", "ToPort": "443", "CidrIp": "10.1.2.3/16"}
    found = read("AWS::EC2::SecurityGroup", GROUP, {"SecurityGroupIngress": [declared]})

    assert [r["FromPort"] for r in rules(found, "SecurityGroupIngress")] == [443, 53, 22]


def test_the_allow_all_egress_that_ec2_adds_shows_only_where_the_template_has_egress(
    answers: Any, read: Any
) -> None:
    answers["ec2:DescribeSecurityGroups"] = described(IpPermissionsEgress=[ALLOW_ALL])

    assert rules(read("AWS::EC2::SecurityGroup", GROUP), "SecurityGroupEgress") == []
    closed = read("AWS::EC2::SecurityGroup", GROUP, {"SecurityGroupEgress": []})
    assert rules(closed, "SecurityGroupEgress") == [{"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"}]


def test_an_egress_rule_to_the_world_that_ec2_did_not_add_shows(answers: Any, read: Any) -> None:
    tcp = {"IpProtocol": "tcp", "FromPort": 0, "ToPort": 65535, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    described_as = {"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0", "Description": "mine"}]}
    answers["ec2:DescribeSecurityGroups"] = described(IpPermissionsEgress=[ALLOW_ALL, tcp, described_as])

    assert rules(read("AWS::EC2::SecurityGroup", GROUP), "SecurityGroupEgress") == [
        {"IpProtocol": "tcp", "FromPort": 0, "ToPort": 65535, "CidrIp": "0.0.0.0/0"},
        {"IpProtocol": "-1", "CidrIp": "0.0.0.0/0", "Description": "mine"},
    ]


def test_a_group_without_rules_or_tags_has_empty_rule_lists_and_no_tags(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSecurityGroups"] = described(Tags=[{"Key": "aws:x", "Value": "1"}])

    assert read("AWS::EC2::SecurityGroup", GROUP) == Live(
        {
            "GroupName": "web",
            "GroupDescription": "web servers",
            "SecurityGroupIngress": [],
            "SecurityGroupEgress": [],
        }
    )


def test_a_permission_without_a_source_is_one_rule_without_a_source(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSecurityGroups"] = described(IpPermissions=[{"IpProtocol": "tcp", "FromPort": 80}])

    assert rules(read("AWS::EC2::SecurityGroup", GROUP), "SecurityGroupIngress") == [
        {"IpProtocol": "tcp", "FromPort": 80}
    ]
