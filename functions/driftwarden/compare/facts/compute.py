"""Lambda, ECS, EC2, Auto Scaling, load balancing, Elastic Beanstalk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from driftwarden.compare.canonical.network import protocol
from driftwarden.compare.facts.vocabulary import Keyed, Kind, Rule, TypeFacts

WITH_PORTS = frozenset({"tcp", "udp", "icmp", "icmpv6"})


def _port(member: str) -> Callable[[Mapping[str, Any]], Any]:
    """A rule for any other protocol covers all ports, which EC2 writes as -1 (EC2 API, IpPermission)."""

    def stored(rule: Mapping[str, Any]) -> Any:
        declared = rule.get("IpProtocol")
        named = isinstance(declared, str | int) and protocol(str(declared)) in WITH_PORTS
        return rule.get(member) if named else -1

    return stored


def _named_key(pair: Mapping[str, Any]) -> Any:
    """EC2 puts the pair's name in the place of the key's own comment."""
    return " ".join([*str(pair.get("PublicKeyMaterial", "")).split()[:2], str(pair.get("KeyName", ""))])


def _ports(*prefixes: str) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    return {f"{prefix}{member}": _port(member) for prefix in prefixes for member in ("FromPort", "ToPort")}


def _rules(*prefixes: str) -> dict[str, Rule]:
    return {f"{prefix}IpProtocol": Kind.PROTOCOL for prefix in prefixes}


FACTS = {
    "AWS::Lambda::Function": TypeFacts(
        kinds={"Layers": Kind.ORDERED},
        never_read_back=("Code",),
        defaults={"PackageType": "Zip", "TracingConfig.Mode": "PassThrough", "MemorySize": 128, "Timeout": 3},
        users_own=(
            "Environment",
            "Environment.Variables",
            "Layers",
            "Description",
            "DeadLetterConfig",
            "ReservedConcurrentExecutions",
        ),
    ),
    "AWS::ECS::TaskDefinition": TypeFacts(
        kinds={
            "ContainerDefinitions": Keyed(("Name",)),
            "ContainerDefinitions.*.MountPoints": Keyed(("ContainerPath",)),
            "ContainerDefinitions.*.DependsOn": Keyed(("ContainerName",)),
            "Volumes": Keyed(("Name",)),
            "Cpu": Kind.UNITS,
            "Memory": Kind.UNITS,
        },
        defaults={
            "ContainerDefinitions.*.Cpu": 0,
            "ContainerDefinitions.*.PortMappings.*.Protocol": "tcp",
        },
    ),
    "AWS::EC2::Instance": TypeFacts(
        kinds={
            "Volumes": Kind.AT_LEAST,
            "NetworkInterfaces": Keyed(("DeviceIndex",)),
            "BlockDeviceMappings": Kind.AT_LEAST,
        },
    ),
    "AWS::EC2::KeyPair": TypeFacts(stores={"PublicKeyMaterial": _named_key}),
    "AWS::EC2::NetworkInterface": TypeFacts(kinds={"PrivateIpAddresses": Kind.AT_LEAST}),
    "AWS::EMRServerless::Application": TypeFacts(
        kinds={
            f"{prefix}.{member}": Kind.UNITS
            for prefix in ("MaximumCapacity", "InitialCapacity.*.Value.WorkerConfiguration")
            for member in ("Cpu", "Memory", "Disk")
        }
    ),
    "AWS::AppRunner::Service": TypeFacts(
        kinds={"InstanceConfiguration.Cpu": Kind.UNITS, "InstanceConfiguration.Memory": Kind.UNITS}
    ),
    "AWS::ApplicationAutoScaling::ScalableTarget": TypeFacts(
        kinds={"RoleARN": Kind.SERVICE_ROLE, "ScheduledActions": Keyed(("ScheduledActionName",))}
    ),
    "AWS::ElasticLoadBalancing::LoadBalancer": TypeFacts(
        kinds={"Listeners": Keyed(("LoadBalancerPort",)), "Policies": Keyed(("PolicyName",))}
    ),
    "AWS::Lambda::EventSourceMapping": TypeFacts(kinds={"FilterCriteria.Filters": Kind.SET}),
    "AWS::EC2::SecurityGroup": TypeFacts(
        kinds={
            **_rules("SecurityGroupIngress.*.", "SecurityGroupEgress.*."),
            "SecurityGroupIngress": Kind.SET,
            "SecurityGroupEgress": Kind.SET,
        },
        stores=_ports("SecurityGroupIngress.*.", "SecurityGroupEgress.*."),
        users_own=("SecurityGroupIngress",),
    ),
    "AWS::EC2::SecurityGroupIngress": TypeFacts(kinds=_rules(""), stores=_ports("")),
    "AWS::EC2::SecurityGroupEgress": TypeFacts(kinds=_rules(""), stores=_ports("")),
    "AWS::EC2::PrefixList": TypeFacts(kinds={"Entries": Keyed(("Cidr",))}),
    "AWS::AutoScaling::AutoScalingGroup": TypeFacts(
        kinds={
            "MetricsCollection.*.Metrics": Kind.SET,
            "NotificationConfigurations.*.NotificationTypes": Kind.SET,
        },
        never_read_back=("NotificationConfiguration",),
    ),
    "AWS::ElasticLoadBalancingV2::LoadBalancer": TypeFacts(
        kinds={"LoadBalancerAttributes": Kind.ATTRIBUTES, "SubnetMappings": Keyed(("SubnetId",))}
    ),
    "AWS::ElasticLoadBalancingV2::TargetGroup": TypeFacts(
        kinds={"TargetGroupAttributes": Kind.ATTRIBUTES, "Targets": Kind.SET}
    ),
    "AWS::ElasticLoadBalancingV2::Listener": TypeFacts(kinds={"ListenerAttributes": Kind.ATTRIBUTES}),
    "AWS::ElasticLoadBalancingV2::ListenerRule": TypeFacts(
        kinds={
            "Conditions": Kind.SET,
            "Conditions.*.Values": Kind.SET,
            "Conditions.*.SourceIpConfig.Values": Kind.SET,
            "Conditions.*.PathPatternConfig.Values": Kind.SET,
            "Conditions.*.HostHeaderConfig.Values": Kind.SET,
            "Conditions.*.HttpRequestMethodConfig.Values": Kind.SET,
            "Conditions.*.HttpHeaderConfig.Values": Kind.SET,
            "Conditions.*.QueryStringConfig.Values": Kind.SET,
        },
    ),
    "AWS::ElasticBeanstalk::ConfigurationTemplate": TypeFacts(kinds={"OptionSettings": Kind.AT_LEAST}),
    "AWS::ElasticBeanstalk::Environment": TypeFacts(kinds={"OptionSettings": Kind.AT_LEAST}),
}
