"""Amazon EC2 Auto Scaling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import each, pick, sorted_by, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Write, becomes, emptied, lower

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_GONE = ("ValidationError: AutoScalingGroup name not found",)

_LOAD_BALANCERS = frozenset({"elb", "elbv2"})
"""Traffic sources that also show under LoadBalancerNames and TargetGroupARNs."""


def _subnets(text: str) -> list[str]:
    return [subnet.strip() for subnet in text.split(",") if subnet.strip()]


def _grouped(items: Iterable[Mapping[str, Any]], by: str, member: str) -> dict[str, list[str]]:
    groups: dict[str, set[str]] = {}
    for item in items:
        if item.get(by) is not None and item.get(member) is not None:
            groups.setdefault(item[by], set()).add(item[member])
    return {key: sorted(groups[key]) for key in sorted(groups)}


def _metrics(enabled: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    grouped = _grouped(enabled, "Granularity", "Metric")
    return [{"Granularity": granularity, "Metrics": metrics} for granularity, metrics in grouped.items()]


def _notifications(configurations: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    grouped = _grouped(configurations, "TopicARN", "NotificationType")
    return [{"TopicARN": topic, "NotificationTypes": kinds} for topic, kinds in grouped.items()]


def _traffic_sources(sources: list[Mapping[str, Any]]) -> Any:
    kept = [s for s in sources if s.get("Identifier") and s.get("Type") not in _LOAD_BALANCERS]
    return sorted_by("Identifier")(each(pick("Identifier", "Type"))(kept))


def _hooks(hooks: list[Mapping[str, Any]]) -> Any:
    members = pick(
        "DefaultResult",
        "HeartbeatTimeout",
        "LifecycleHookName",
        "LifecycleTransition",
        "NotificationMetadata",
        "NotificationTargetARN",
        "RoleARN",
    )
    return sorted_by("LifecycleHookName")(each(members)(hooks))


_UNSET: Final[Mapping[str, Any]] = {
    "CapacityRebalance": False,
    "Cooldown": 300,
    "DefaultInstanceWarmup": -1,
    "DeletionProtection": "none",
    "DesiredCapacityType": "units",
    "HealthCheckGracePeriod": 0,
    "HealthCheckType": "EC2",
    "InstanceMaintenancePolicy": {"MinHealthyPercentage": -1, "MaxHealthyPercentage": -1},
    "MaxInstanceLifetime": 0,
    "NewInstancesProtectedFromScaleIn": False,
    "TerminationPolicies": ["Default"],
}
"""What a group has without being told (UpdateAutoScalingGroup reference)."""

_SET_ONLY: Final = (
    "AvailabilityZoneDistribution",
    "AvailabilityZoneImpairmentPolicy",
    "AvailabilityZones",
    "CapacityReservationSpecification",
    "Context",
    "DesiredCapacity",
    "MaxSize",
    "MinSize",
    "ServiceLinkedRoleARN",
    "VPCZoneIdentifier",
)
_TEMPLATES: Final = ("LaunchTemplate", "MixedInstancesPolicy")
_GROUP: Final = (*_UNSET, *_SET_ONLY, *_TEMPLATES)


def _update_group(update: Update) -> None:
    """Only what drifted: a capacity that is sent along terminates what scaling has started since."""
    if update.differs("DesiredCapacity") and _is_scaled(update):
        raise UpdateFailed("scaling sets its DesiredCapacity, which a revert would undo")
    request: dict[str, Any] = {"AutoScalingGroupName": update.id}
    for name in (*_UNSET, *_SET_ONLY):
        if update.differs(name):
            value = _UNSET[name] if update.unset(name) and name in _UNSET else update.wanted(name)
            request["DefaultCooldown" if name == "Cooldown" else name] = value
    if "VPCZoneIdentifier" in request:
        request["VPCZoneIdentifier"] = ",".join(request["VPCZoneIdentifier"])
    if update.desired.get("VPCZoneIdentifier"):
        request.pop("AvailabilityZones", None)
    request |= _template(update)
    if len(request) > 1:
        update.call("UpdateAutoScalingGroup", request)


def _is_scaled(update: Update) -> bool:
    group = {"AutoScalingGroupName": update.id}
    policies = update.ask("DescribePolicies", group).get("ScalingPolicies")
    return bool(policies or update.ask("DescribeScheduledActions", group).get("ScheduledUpdateGroupActions"))


def _template(update: Update) -> dict[str, Any]:
    """A group has a launch template or a mixed instances policy, and giving it one takes the other away."""
    drifted = [name for name in _TEMPLATES if update.differs(name)]
    named = [name for name in drifted if not update.unset(name)]
    declared = [name for name in named if name in update.record.properties] or named
    if not declared:
        if drifted:
            raise UpdateFailed("the record names nothing that its instances could be launched from")
        return {}
    return {declared[0]: _one_name(update.wanted(declared[0]))}


def _one_name(value: Any) -> Any:
    """A launch template goes by its id or by its name, never by both."""
    if isinstance(value, Mapping):
        both = {"LaunchTemplateId", "LaunchTemplateName"} <= value.keys()
        kept = (k for k in value if not (both and k == "LaunchTemplateName"))
        return {k: _one_name(value[k]) for k in kept}
    return [_one_name(item) for item in value] if isinstance(value, list) else value


def _tag(update: Update) -> None:
    """Auto Scaling keeps with each tag whether new instances get it; the property does not say."""
    wrong, extra = update.tag_changes()
    group = {"ResourceId": update.id, "ResourceType": "auto-scaling-group"}
    if extra:
        update.call("DeleteTags", {"Tags": [{**group, "Key": key} for key in extra]})
    if wrong:
        known = (*update.get("main.Tags", []), *(update.record.properties.get("Tags") or ()))
        passed_on = {tag.get("Key"): tag.get("PropagateAtLaunch") in (True, "true") for tag in known}
        tags = [
            {**group, "Key": key, "Value": value, "PropagateAtLaunch": passed_on.get(key, False)}
            for key, value in sorted(wrong.items())
        ]
        update.call("CreateOrUpdateTags", {"Tags": tags})


_ATTACHED: Final = {
    "LoadBalancerNames": ("LoadBalancers", "LoadBalancerNames"),
    "TargetGroupARNs": ("LoadBalancerTargetGroups", "TargetGroupARNs"),
    "TrafficSources": ("TrafficSources", "TrafficSources"),
}


def _attach(update: Update) -> None:
    """Attaches before it detaches, so that traffic always has somewhere to go."""
    for verb, ours, theirs in (
        ("Attach", update.desired, update.live),
        ("Detach", update.live, update.desired),
    ):
        for name, (what, member) in _ATTACHED.items():
            items = [item for item in ours.get(name) or () if item not in (theirs.get(name) or ())]
            if items and update.differs(name):
                update.call(f"{verb}{what}", {"AutoScalingGroupName": update.id, member: items})


def _collect(update: Update) -> None:
    """Metrics are switched one by one; an entry without any stands for all of them."""
    wanted, live = (_metrics_of(bag.get("MetricsCollection")) for bag in (update.desired, update.live))
    group = {"AutoScalingGroupName": update.id}
    for granularity in sorted({granularity for granularity, _ in wanted - live}):
        metrics = sorted(metric for each, metric in wanted - live if each == granularity and metric != _ALL)
        named = {"Metrics": metrics} if metrics else {}
        update.call("EnableMetricsCollection", {**group, "Granularity": granularity, **named})
    extra = sorted(metric for _, metric in live - wanted)
    if extra and not any(metric == _ALL for _, metric in wanted):
        update.call("DisableMetricsCollection", {**group, "Metrics": extra})


_ALL: Final = "all metrics"


def _metrics_of(entries: Any) -> set[tuple[str, str]]:
    return {
        (entry.get("Granularity", "1Minute"), metric)
        for entry in entries or ()
        for metric in entry.get("Metrics") or [_ALL]
    }


def _set_hooks(update: Update) -> None:
    """Puts what is missing or different, deletes what the record does not hold."""
    wrong, extra = update.entries("LifecycleHookSpecificationList", "LifecycleHookName")
    for hook in wrong:
        update.call("PutLifecycleHook", {"AutoScalingGroupName": update.id, **hook})
    for hook in extra:
        named = {"LifecycleHookName": hook["LifecycleHookName"]}
        update.call("DeleteLifecycleHook", {"AutoScalingGroupName": update.id, **named})


def _set_notifications(update: Update) -> None:
    """A put replaces the kinds of one topic."""
    wrong, extra = update.entries("NotificationConfigurations", "TopicARN")
    for one in wrong:
        kinds = {"NotificationTypes": one.get("NotificationTypes", [])}
        request = {"AutoScalingGroupName": update.id, "TopicARN": one["TopicARN"], **kinds}
        update.call("PutNotificationConfiguration", request)
    for one in extra:
        request = {"AutoScalingGroupName": update.id, "TopicARN": one["TopicARN"]}
        update.call("DeleteNotificationConfiguration", request)


AUTO_SCALING_GROUP = ResourceType(
    name="AWS::AutoScaling::AutoScalingGroup",
    service="autoscaling",
    gone=_GONE,
    calls=(
        Call("DescribeAutoScalingGroups", {"AutoScalingGroupNames": ["{id}"]}, at="AutoScalingGroups.0"),
        Call(
            "DescribeLifecycleHooks",
            {"AutoScalingGroupName": "{id}"},
            at="LifecycleHooks",
            into="hooks",
            absent=_GONE,
        ),
        Call(
            "DescribeTrafficSources",
            {"AutoScalingGroupName": "{id}"},
            at="TrafficSources",
            into="traffic",
            pages=("NextToken", "NextToken"),
            absent=_GONE,
        ),
        Call(
            "DescribeNotificationConfigurations",
            {"AutoScalingGroupNames": ["{id}"]},
            at="NotificationConfigurations",
            into="notifications",
            pages=True,
            absent=_GONE,
        ),
    ),
    same=(
        "AutoScalingGroupName",
        "AvailabilityZoneDistribution",
        "AvailabilityZoneImpairmentPolicy",
        "CapacityReservationSpecification",
        "Context",
        "DefaultInstanceWarmup",
        "DesiredCapacity",
        "DesiredCapacityType",
        "HealthCheckGracePeriod",
        "HealthCheckType",
        "InstanceMaintenancePolicy",
        "MaxInstanceLifetime",
        "MixedInstancesPolicy",
        "ServiceLinkedRoleARN",
    ),
    fields={
        "MinSize": From("main.MinSize", default=0),
        "MaxSize": From("main.MaxSize", default=0),
        "Cooldown": "main.DefaultCooldown",
        "VPCZoneIdentifier": From("main.VPCZoneIdentifier", _subnets, default=[]),
        "AvailabilityZones": From("main.AvailabilityZones", default=[]),
        "TerminationPolicies": From("main.TerminationPolicies", default=[]),
        "LoadBalancerNames": From("main.LoadBalancerNames", default=[]),
        "TargetGroupARNs": From("main.TargetGroupARNs", default=[]),
        "NewInstancesProtectedFromScaleIn": From("main.NewInstancesProtectedFromScaleIn", default=False),
        "CapacityRebalance": From("main.CapacityRebalance", default=False),
        "DeletionProtection": From("main.DeletionProtection", default="none"),
        "LaunchTemplate": From(
            "main.LaunchTemplate", pick("LaunchTemplateId", "LaunchTemplateName", "Version")
        ),
        "MetricsCollection": From("main.EnabledMetrics", _metrics, default=[]),
        "LifecycleHookSpecificationList": From("hooks", _hooks, default=[]),
        "TrafficSources": From("traffic", _traffic_sources, default=[]),
        "NotificationConfigurations": From("notifications", _notifications, default=[]),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    compared=TypeFacts(
        kinds={
            "MetricsCollection.*.Metrics": Kind.SET,
            "NotificationConfigurations.*.NotificationTypes": Kind.SET,
        },
        never_read_back=("NotificationConfiguration",),
    ),
    asks=(Call("DescribePolicies"), Call("DescribeScheduledActions")),
    writes=(
        By(_update_group, _GROUP, (Write("UpdateAutoScalingGroup"),)),
        By(
            _attach,
            tuple(_ATTACHED),
            tuple(Write(f"{verb}{what}") for what, _ in _ATTACHED.values() for verb in ("Attach", "Detach")),
        ),
        By(
            _collect,
            ("MetricsCollection",),
            (Write("EnableMetricsCollection"), Write("DisableMetricsCollection")),
        ),
        By(
            _set_hooks,
            ("LifecycleHookSpecificationList",),
            (Write("PutLifecycleHook"), Write("DeleteLifecycleHook")),
        ),
        By(
            _set_notifications,
            ("NotificationConfigurations",),
            (Write("PutNotificationConfiguration"), Write("DeleteNotificationConfiguration")),
        ),
        By(_tag, ("Tags",), (Write("CreateOrUpdateTags"), Write("DeleteTags"))),
    ),
    refuses={name: Caution("Auto Scaling has no way to unset it", emptied) for name in _SET_ONLY},
    warns={
        "DesiredCapacity": Caution("instances are terminated", lower),
        "MaxSize": Caution("instances above it are terminated", lower),
        "LaunchTemplate": "new instances are launched from another version",
        "MixedInstancesPolicy": "new instances are launched from another version",
        "TargetGroupARNs": "instances leave the target groups that the record does not list",
        "DeletionProtection": Caution("the protection against deletion is switched off", becomes("none")),
    },
)

TYPES = (AUTO_SCALING_GROUP,)
