"""Ingress rules and network ACL entries that are resources of their own."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

GROUP = "sg-0123456789abcdef0"
ID = f"{GROUP}|tcp|443|443"
HTTPS = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}


@pytest.fixture
def group(answers: Any) -> Any:
    https = {
        **HTTPS,
        "IpRanges": [{"CidrIp": "10.0.0.0/8"}, {"CidrIp": "192.168.0.0/16", "Description": "office"}],
        "UserIdGroupPairs": [{"GroupId": "sg-peer", "UserId": "111122223333"}],
    }
    everything = {"IpProtocol": "-1", "IpRanges": [{"CidrIp": "10.1.0.0/16"}]}
    answers["ec2:DescribeSecurityGroups"] = {"SecurityGroups": [{"IpPermissions": [https, everything]}]}
    return answers


def test_the_rule_of_the_template_is_read(group: Any, read: Any) -> None:
    template = {**HTTPS, "GroupId": GROUP, "CidrIp": "192.168.0.0/16", "Description": "office"}

    assert read("AWS::EC2::SecurityGroupIngress", ID, template) == Live(
        {**HTTPS, "GroupId": GROUP, "CidrIp": "192.168.0.0/16", "Description": "office"}
    )


def test_a_changed_description_is_a_change_and_no_deletion(group: Any, read: Any) -> None:
    template = {**HTTPS, "GroupId": GROUP, "CidrIp": "192.168.0.0/16", "Description": "home"}

    found = read("AWS::EC2::SecurityGroupIngress", ID, template)

    assert isinstance(found, Live)
    assert found.properties["Description"] == "office"


def test_the_owner_of_a_peer_need_not_be_declared(group: Any, read: Any) -> None:
    template = {"IpProtocol": "6", "FromPort": "443", "ToPort": "443", "SourceSecurityGroupId": "sg-peer"}

    assert read("AWS::EC2::SecurityGroupIngress", ID, template) == Live(
        {
            **HTTPS,
            "GroupId": GROUP,
            "SourceSecurityGroupId": "sg-peer",
            "SourceSecurityGroupOwnerId": "111122223333",
        }
    )


def test_a_rule_for_all_protocols_has_no_ports(group: Any, read: Any) -> None:
    template = {"IpProtocol": -1, "CidrIp": "10.1.0.0/16"}

    assert read("AWS::EC2::SecurityGroupIngress", f"{GROUP}|-1|-1|-1", template) == Live(
        {"GroupId": GROUP, "IpProtocol": "-1", "CidrIp": "10.1.0.0/16"}
    )


@pytest.mark.parametrize(
    ("physical_id", "source"),
    [(ID, "172.16.0.0/12"), (f"{GROUP}|tcp|22|22", "10.0.0.0/8"), (f"{GROUP}|udp|443|443", "10.0.0.0/8")],
)
def test_a_rule_that_was_revoked_is_gone(group: Any, read: Any, physical_id: str, source: str) -> None:
    assert read("AWS::EC2::SecurityGroupIngress", physical_id, {**HTTPS, "CidrIp": source}) == Gone()


def test_without_a_template_the_first_rule_with_the_ports_is_read(group: Any, read: Any) -> None:
    assert read("AWS::EC2::SecurityGroupIngress", ID) == Live(
        {**HTTPS, "GroupId": GROUP, "CidrIp": "10.0.0.0/8"}
    )


def test_an_id_of_another_form_names_nothing(answers: Any, read: Any) -> None:
    assert isinstance(read("AWS::EC2::SecurityGroupIngress", "sgr-1"), Unsupported)


def test_an_answer_without_groups_says_nothing(answers: Any, read: Any) -> None:
    answers["ec2:DescribeSecurityGroups"] = {}

    assert isinstance(read("AWS::EC2::SecurityGroupIngress", ID), Unreadable)


ACL = "acl-0123456789abcdef0"


@pytest.fixture
def acl(answers: Any) -> Any:
    entries = [
        {"RuleNumber": 100, "Egress": True, "Protocol": "-1", "RuleAction": "allow"},
        {
            "RuleNumber": 100,
            "Egress": False,
            "Protocol": "1",
            "RuleAction": "deny",
            "CidrBlock": "10.0.0.0/8",
            "IcmpTypeCode": {"Code": -1, "Type": 8},
        },
    ]
    answers["ec2:DescribeNetworkAcls"] = {"NetworkAcls": [{"VpcId": "vpc-1", "Entries": entries}]}
    return answers


def test_an_acl_entry_is_found_by_number_and_direction(acl: Any, read: Any) -> None:
    assert read("AWS::EC2::NetworkAclEntry", f"{ACL}|100|true") == Live(
        {"NetworkAclId": ACL, "RuleNumber": 100, "Egress": True, "Protocol": -1, "RuleAction": "allow"}
    )
    assert read("AWS::EC2::NetworkAclEntry", f"{ACL}|100|false") == Live(
        {
            "NetworkAclId": ACL,
            "RuleNumber": 100,
            "Egress": False,
            "Protocol": 1,
            "RuleAction": "deny",
            "CidrBlock": "10.0.0.0/8",
            "Icmp": {"Code": -1, "Type": 8},
            "IcmpTypeCode": {"Code": -1, "Type": 8},
        }
    )
    assert read("AWS::EC2::NetworkAclEntry", f"{ACL}|110|false") == Gone()


def test_an_acl_shows_its_network(acl: Any, read: Any) -> None:
    assert read("AWS::EC2::NetworkAcl", ACL) == Live({"VpcId": "vpc-1"})


def test_an_acl_association_is_found_in_whichever_acl_lists_it(answers: Any, read: Any) -> None:
    mine = {"NetworkAclAssociationId": "aclassoc-1", "NetworkAclId": ACL, "SubnetId": "subnet-1"}
    answers["ec2:DescribeNetworkAcls"] = {"NetworkAcls": [{}, {"Associations": [mine]}]}

    assert read("AWS::EC2::SubnetNetworkAclAssociation", "aclassoc-1") == Live(
        {"NetworkAclId": ACL, "SubnetId": "subnet-1"}
    )
    assert read("AWS::EC2::SubnetNetworkAclAssociation", "aclassoc-2") == Gone()
