"""Load balancers: only the attributes that drifted, and nobody else's targets, certificates or secrets."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

BALANCER = "AWS::ElasticLoadBalancingV2::LoadBalancer"
TARGET_GROUP = "AWS::ElasticLoadBalancingV2::TargetGroup"
ARN = f"arn:aws:elasticloadbalancing:us-east-1:{ACCOUNT}"
LISTENER = f"{ARN}:listener/app/shop/1/2"
BLUE, GREEN = (f"{ARN}:targetgroup/{name}/1" for name in ("blue", "green"))
OLD, NEW, FURTHER = (f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/{name}" for name in ("old", "new", "more"))
TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]


class Balancing:
    """A load balancer with what it needs."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.elb = life.client("elbv2")
        self.ec2 = life.client("ec2")
        self.vpc = self.ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        self.subnets = [self._subnet(zone) for zone in "abc"]
        self.groups = [
            self.ec2.create_security_group(GroupName=name, Description="x", VpcId=self.vpc)["GroupId"]
            for name in ("web", "other")
        ]
        made = self.elb.create_load_balancer(
            Name="shop", Subnets=self.subnets[:2], SecurityGroups=self.groups[:1], Tags=TAGS
        )
        self.arn = made["LoadBalancers"][0]["LoadBalancerArn"]

    def _subnet(self, zone: str) -> str:
        block = f"10.0.{ord(zone)}.0/24"
        made = self.ec2.create_subnet(VpcId=self.vpc, CidrBlock=block, AvailabilityZone=f"us-east-1{zone}")
        return str(made["Subnet"]["SubnetId"])

    def attribute(self, key: str, value: str) -> None:
        self.elb.modify_load_balancer_attributes(
            LoadBalancerArn=self.arn, Attributes=[{"Key": key, "Value": value}]
        )

    def target_group(self, name: str = "blue", **members: Any) -> str:
        common = {"Protocol": "HTTP", "Port": 80, "VpcId": self.vpc, "TargetType": "ip"}
        made = self.elb.create_target_group(Name=name, **{**common, **members})
        return str(made["TargetGroups"][0]["TargetGroupArn"])

    def listener(self, target_group: str) -> str:
        made = self.elb.create_listener(
            LoadBalancerArn=self.arn,
            Protocol="HTTP",
            Port=80,
            DefaultActions=[{"Type": "forward", "TargetGroupArn": target_group}],
        )
        return str(made["Listeners"][0]["ListenerArn"])


@pytest.fixture
def balancing(life: Life) -> Balancing:
    return Balancing(life)


@pytest.fixture
def balancer(balancing: Balancing) -> Balancing:
    """With its load balancer recorded."""
    balancing.life.record("Balancer", BALANCER, balancing.arn, {"Tags": TAGS})
    return balancing


def test_only_the_drifted_attribute_is_sent(balancer: Balancing) -> None:
    calls = balancer.life.goes_round(
        "Balancer",
        lambda: balancer.attribute("load_balancing.cross_zone.enabled", "true"),
        expect=["LoadBalancerAttributes"],
    )
    attribute = {"Key": "load_balancing.cross_zone.enabled", "Value": "false"}
    request = {"LoadBalancerArn": balancer.arn, "Attributes": [attribute]}
    assert calls == [("ModifyLoadBalancerAttributes", request)]


def test_an_attribute_that_only_aws_has_is_left_alone(balancing: Balancing) -> None:
    """AWS brings new attributes up over time: no record says what they should be."""
    record = a_record(BALANCER, f"{ARN}:loadbalancer/app/shop/1")
    known = {"Key": "idle_timeout.timeout_seconds", "Value": "60"}
    live = [{"Key": "idle_timeout.timeout_seconds", "Value": "5"}, {"Key": "brand.new", "Value": "true"}]
    requests = sent(
        record,
        {
            "DescribeLoadBalancers": {"LoadBalancers": [{"LoadBalancerArn": record.physical_id}]},
            "DescribeLoadBalancerAttributes": {"Attributes": live},
        },
        {"LoadBalancerAttributes": [known]},
    )
    assert [params["Attributes"] for _, params in requests] == [[known]]


def test_losing_the_protection_against_deletion_is_warned_of(balancer: Balancing) -> None:
    balancer.attribute("deletion_protection.enabled", "true")
    (step,) = balancer.life.plan().steps
    assert "protection against deletion" in " ".join(step.warnings)


def test_subnets_and_security_groups_are_replaced(balancer: Balancing) -> None:
    elb, arn = balancer.elb, balancer.arn
    subnets = balancer.life.goes_round(
        "Balancer", lambda: elb.set_subnets(LoadBalancerArn=arn, Subnets=balancer.subnets), expect=["Subnets"]
    )
    assert [operation for operation, _ in subnets] == ["SetSubnets"]
    assert sorted(subnets[0][1]["Subnets"]) == sorted(balancer.subnets[:2])
    groups = balancer.life.goes_round(
        "Balancer",
        lambda: elb.set_security_groups(LoadBalancerArn=arn, SecurityGroups=balancer.groups),
        expect=["SecurityGroups"],
    )
    request = {"LoadBalancerArn": arn, "SecurityGroups": balancer.groups[:1]}
    assert groups == [("SetSecurityGroups", request)]


def test_chosen_addresses_are_never_replaced() -> None:
    record = a_record(BALANCER, f"{ARN}:loadbalancer/net/shop/1")
    fixed = {"SubnetId": "subnet-1", "LoadBalancerAddresses": [{"AllocationId": "eipalloc-1"}]}
    balancers = [{"LoadBalancerArn": record.physical_id, "AvailabilityZones": [fixed]}]
    with pytest.raises(UpdateFailed, match="chosen addresses"):
        sent(record, {"DescribeLoadBalancers": {"LoadBalancers": balancers}}, {"Subnets": ["subnet-2"]})


def test_the_address_type_goes_back(balancer: Balancing) -> None:
    def edit() -> None:
        balancer.elb.set_ip_address_type(LoadBalancerArn=balancer.arn, IpAddressType="dualstack")

    calls = balancer.life.goes_round("Balancer", edit, expect=["IpAddressType"])
    assert calls == [("SetIpAddressType", {"LoadBalancerArn": balancer.arn, "IpAddressType": "ipv4"})]


def test_only_the_difference_of_tags_is_sent(balancer: Balancing) -> None:
    def edit() -> None:
        tags = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
        balancer.elb.add_tags(ResourceArns=[balancer.arn], Tags=tags)
        balancer.elb.remove_tags(ResourceArns=[balancer.arn], TagKeys=["Team"])

    calls = balancer.life.goes_round("Balancer", edit, expect=["Tags"])
    named = {"ResourceArns": [balancer.arn]}
    assert calls == [("RemoveTags", {**named, "TagKeys": ["Owner"]}), ("AddTags", {**named, "Tags": TAGS})]


POOL = "ipam-pool-1"


@pytest.mark.parametrize(
    ("live", "wanted", "change"),
    [
        ({}, POOL, {"IpamPools": {"Ipv4IpamPoolId": POOL}}),
        ({"IpamPools": {"Ipv4IpamPoolId": POOL}}, "", {"RemoveIpamPools": ["ipv4"]}),
    ],
)
def test_an_address_pool_is_set_and_removed(
    live: dict[str, Any], wanted: str, change: dict[str, Any]
) -> None:
    record = a_record(BALANCER, f"{ARN}:loadbalancer/app/shop/1")
    balancers = [{"LoadBalancerArn": record.physical_id, **live}]
    requests = sent(
        record, {"DescribeLoadBalancers": {"LoadBalancers": balancers}}, {"Ipv4IpamPoolId": wanted}
    )
    assert requests == [("ModifyIpPools", {"LoadBalancerArn": record.physical_id, **change})]


def test_reserved_capacity_is_set_and_reset() -> None:
    record = a_record(BALANCER, f"{ARN}:loadbalancer/app/shop/1")
    answers = {"DescribeLoadBalancers": {"LoadBalancers": [{"LoadBalancerArn": record.physical_id}]}}
    capacity = {"CapacityUnits": 100}
    named = {"LoadBalancerArn": record.physical_id}
    assert sent(record, answers, {"MinimumLoadBalancerCapacity": capacity}) == [
        ("ModifyCapacityReservation", {**named, "MinimumLoadBalancerCapacity": capacity})
    ]
    reserved = {**answers, "DescribeCapacityReservation": {"MinimumLoadBalancerCapacity": capacity}}
    assert sent(record, reserved, {"MinimumLoadBalancerCapacity": {}}) == [
        ("ModifyCapacityReservation", {**named, "ResetCapacityReservation": True})
    ]


def test_only_the_drifted_part_of_a_health_check_is_sent(balancing: Balancing) -> None:
    arn = balancing.target_group(HealthCheckPath="/alive")
    balancing.life.record("Targets", TARGET_GROUP, arn)

    def edit() -> None:
        balancing.elb.modify_target_group(TargetGroupArn=arn, HealthCheckPath="/", HealthyThresholdCount=9)

    calls = balancing.life.goes_round("Targets", edit, expect=["HealthCheckPath", "HealthyThresholdCount"])
    request = {"TargetGroupArn": arn, "HealthCheckPath": "/alive", "HealthyThresholdCount": 5}
    assert calls == [("ModifyTargetGroup", request)]


def test_only_the_drifted_target_group_attribute_is_sent(balancing: Balancing) -> None:
    arn = balancing.target_group()
    balancing.life.record("Targets", TARGET_GROUP, arn)
    key = "deregistration_delay.timeout_seconds"

    def edit() -> None:
        attributes = [{"Key": key, "Value": "1"}]
        balancing.elb.modify_target_group_attributes(TargetGroupArn=arn, Attributes=attributes)

    calls = balancing.life.goes_round("Targets", edit, expect=["TargetGroupAttributes"])
    request = {"TargetGroupArn": arn, "Attributes": [{"Key": key, "Value": "300"}]}
    assert calls == [("ModifyTargetGroupAttributes", request)]


def test_declared_targets_are_registered_before_others_are_deregistered(balancing: Balancing) -> None:
    elb, arn = balancing.elb, balancing.target_group()
    mine, other = {"Id": "10.0.97.5", "Port": 80}, {"Id": "10.0.97.6", "Port": 80}
    elb.register_targets(TargetGroupArn=arn, Targets=[mine])
    balancing.life.record("Targets", TARGET_GROUP, arn, {"Targets": [mine]})
    before = balancing.life.read("Targets")

    elb.register_targets(TargetGroupArn=arn, Targets=[other])
    elb.deregister_targets(TargetGroupArn=arn, Targets=[mine])
    balancing.life.forget_calls()
    (result,) = balancing.life.revert()

    assert result.fate is Fate.REVERTED, result
    assert balancing.life.written() == ["RegisterTargets", "DeregisterTargets"]
    assert balancing.life.read("Targets") == before


def test_targets_that_a_service_of_the_stack_registers_stay(balancing: Balancing) -> None:
    elb, arn = balancing.elb, balancing.target_group()
    balancing.life.record("Targets", TARGET_GROUP, arn)
    group = "AWS::AutoScaling::AutoScalingGroup"
    balancing.life.client("autoscaling").create_launch_configuration(
        LaunchConfigurationName="one", ImageId="ami-1", InstanceType="t3.micro"
    )
    balancing.life.client("autoscaling").create_auto_scaling_group(
        AutoScalingGroupName="web",
        LaunchConfigurationName="one",
        MinSize=0,
        MaxSize=0,
        AvailabilityZones=["us-east-1a"],
        TargetGroupARNs=[arn],
    )
    balancing.life.record("Group", group, "web", {"TargetGroupARNs": [arn]})
    elb.register_targets(TargetGroupArn=arn, Targets=[{"Id": "10.0.97.5", "Port": 80}])
    assert balancing.life.drift() == {}


def test_targets_that_no_template_lists_are_never_deregistered() -> None:
    record = a_record(TARGET_GROUP, BLUE)
    target = {"Target": {"Id": "i-1", "Port": 80}, "TargetHealth": {"State": "healthy"}}
    answers = {
        "DescribeTargetGroups": {"TargetGroups": [{"TargetGroupArn": BLUE, "Port": 80}]},
        "DescribeTargetHealth": {"TargetHealthDescriptions": [target]},
    }
    with pytest.raises(UpdateFailed, match="whoever registered them"):
        sent(record, answers, {"Targets": [{"Id": "i-2"}]})


def test_a_target_group_cannot_change_its_port(balancing: Balancing) -> None:
    arn = balancing.target_group()
    template = {"Port": 8080}
    balancing.life.record("Targets", TARGET_GROUP, arn, template, observedProperties=template)
    (refused,) = balancing.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED


def test_a_listener_sends_traffic_back_and_the_plan_says_so(balancing: Balancing) -> None:
    blue, green = balancing.target_group(), balancing.target_group("green")
    arn = balancing.listener(blue)
    balancing.life.record("Listener", "AWS::ElasticLoadBalancingV2::Listener", arn)

    def edit() -> None:
        action = {"Type": "forward", "TargetGroupArn": green}
        balancing.elb.modify_listener(ListenerArn=arn, DefaultActions=[action])

    calls = balancing.life.goes_round("Listener", edit, expect=["DefaultActions"])
    assert [(operation, sorted(params)) for operation, params in calls] == [
        ("ModifyListener", ["DefaultActions", "ListenerArn"])
    ]
    edit()
    (step,) = balancing.life.plan().steps
    assert "a deployment may have moved it" in " ".join(step.warnings)


def test_a_listener_goes_back_to_its_port(balancing: Balancing) -> None:
    arn = balancing.listener(balancing.target_group())
    balancing.life.record("Listener", "AWS::ElasticLoadBalancingV2::Listener", arn)
    calls = balancing.life.goes_round(
        "Listener", lambda: balancing.elb.modify_listener(ListenerArn=arn, Port=8080), expect=["Port"]
    )
    assert calls == [("ModifyListener", {"ListenerArn": arn, "Port": 80})]


def listener(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A listener that answers with these members."""
    found = {"ListenerArn": LISTENER, "Protocol": "HTTPS", "Port": 443, **members}
    record = a_record("AWS::ElasticLoadBalancingV2::Listener", LISTENER)
    return record, {"DescribeListeners": {"Listeners": [found]}}


OIDC = {
    "Issuer": "https://id.example",
    "AuthorizationEndpoint": "https://id.example/a",
    "TokenEndpoint": "https://id.example/t",
    "UserInfoEndpoint": "https://id.example/u",
    "ClientId": "shop",
}


def authenticate(**members: Any) -> dict[str, Any]:
    return {"Type": "authenticate-oidc", "Order": 1, "AuthenticateOidcConfig": {**OIDC, **members}}


def test_a_client_secret_is_never_sent_the_listener_keeps_its_own() -> None:
    record, answers = listener(DefaultActions=[authenticate(Scope="openid")])
    wanted = authenticate(Scope="openid email", ClientSecret="", SessionTimeout="3600")
    ((_, request),) = sent(record, answers, {"DefaultActions": [wanted]})
    (action,) = request["DefaultActions"]
    assert action["AuthenticateOidcConfig"] == {
        **OIDC,
        "Scope": "openid email",
        "SessionTimeout": 3600,
        "UseExistingClientSecret": True,
    }


def test_without_a_secret_to_keep_an_oidc_action_is_refused() -> None:
    record, answers = listener(DefaultActions=[{"Type": "forward", "TargetGroupArn": BLUE}])
    with pytest.raises(UpdateFailed, match="client secret"):
        sent(record, answers, {"DefaultActions": [authenticate()], "Port": 8443})


def certificates(*arns: str) -> list[dict[str, Any]]:
    return [{"CertificateArn": arn, "IsDefault": index == 0} for index, arn in enumerate(arns)]


def test_one_default_certificate_is_sent_and_without_its_flag() -> None:
    record, answers = listener(Certificates=certificates(NEW))
    assert sent(record, answers, {"Certificates": certificates(OLD)}) == [
        ("ModifyListener", {"ListenerArn": LISTENER, "Certificates": [{"CertificateArn": OLD}]})
    ]


def test_further_certificates_are_added_and_removed_one_by_one() -> None:
    record, answers = listener(Certificates=list(reversed(certificates(OLD, FURTHER))))
    assert sent(record, answers, {"Certificates": certificates(OLD, NEW)}) == [
        ("AddListenerCertificates", {"ListenerArn": LISTENER, "Certificates": [{"CertificateArn": NEW}]}),
        (
            "RemoveListenerCertificates",
            {"ListenerArn": LISTENER, "Certificates": [{"CertificateArn": FURTHER}]},
        ),
    ]


def test_a_listener_becomes_secure_in_one_request() -> None:
    record, answers = listener(Protocol="HTTP", Port=80)
    wanted = {
        "Protocol": "HTTPS",
        "Port": 443,
        "SslPolicy": "ELBSecurityPolicy-TLS13-1-2-2021-06",
        "Certificates": [{"CertificateArn": OLD}],
    }
    assert sent(record, answers, wanted) == [("ModifyListener", {"ListenerArn": LISTENER, **wanted})]


def test_what_only_secure_listeners_have_is_not_sent_to_others() -> None:
    record, answers = listener(Certificates=certificates(OLD), SslPolicy="ELBSecurityPolicy-2016-08")
    wanted = {"Protocol": "HTTP", "Port": 80, "SslPolicy": "", "Certificates": []}
    assert sent(record, answers, wanted) == [
        ("ModifyListener", {"ListenerArn": LISTENER, "Protocol": "HTTP", "Port": 80})
    ]


def test_options_of_secure_listeners_have_a_value_for_none() -> None:
    record, answers = listener(AlpnPolicy=["HTTP2Only"], MutualAuthentication={"Mode": "passthrough"})
    assert sent(record, answers, {"AlpnPolicy": [], "MutualAuthentication": {}}) == [
        (
            "ModifyListener",
            {"ListenerArn": LISTENER, "AlpnPolicy": ["None"], "MutualAuthentication": {"Mode": "off"}},
        )
    ]
