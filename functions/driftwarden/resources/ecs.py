"""Amazon ECS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer
from driftwarden.convert import capitalised, each, renamed, tag_list
from driftwarden.errors import ReadError, UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, Kind, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, emptied, lower

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def _described(operation: str, member: str, name: str) -> Callable[[Any, Reading], Any]:
    """The one described thing. ECS reports what it cannot describe under `failures`, not as an error.

    A deleted cluster or service can be described for a while, with status INACTIVE (Amazon ECS API Reference,
    DescribeClusters and DescribeServices).
    """

    def read(answer: Any, _: Reading) -> Any:
        found = answer.get(member)
        if found and found[0].get(name):
            return ABSENT if found[0].get("status") == "INACTIVE" else found[0]
        reasons = [str(f.get("reason", "")) for f in answer.get("failures") or ()]
        refused = next((r for r in reasons if r != "MISSING"), None)
        if refused is not None:
            raise ReadError(
                f"ecs:{operation} failed with {refused or 'no reason'}. Run the scan again.",
                operation=f"ecs:{operation}",
                code=refused,
            )
        if found or (found is None and not reasons):
            raise EmptyAnswer(f"ecs:{operation}", member)
        return ABSENT

    return read


def _tags(arn: str) -> Tags:
    """ECS spells tags with small letters."""
    return Tags(
        "TagResource",
        "UntagResource",
        {"resourceArn": arn},
        pairs_at="tags",
        keys_at="tagKeys",
        pairs=capitalised(),
    )


CLUSTER = ResourceType(
    name="AWS::ECS::Cluster",
    service="ecs",
    gone=("ClusterNotFoundException",),
    calls=(
        Call(
            "DescribeClusters",
            {"clusters": ["{id}"], "include": ["TAGS", "SETTINGS", "CONFIGURATIONS"]},
            at=_described("DescribeClusters", "clusters", "clusterName"),
        ),
    ),
    camel=("ClusterName",),
    fields={
        "CapacityProviders": From("main.capacityProviders", default=[]),
        "DefaultCapacityProviderStrategy": From(
            "main.defaultCapacityProviderStrategy", capitalised(), default=[]
        ),
        "ClusterSettings": From("main.settings", capitalised(), default=[]),
        "Configuration": From("main.configuration", capitalised()),
        "ServiceConnectDefaults": From(
            "main.serviceConnectDefaults.namespace", lambda namespace: {"Namespace": namespace}
        ),
        "Tags": From("main.tags", tag_list, default=[]),
    },
    writes=(
        Write(
            "PutClusterCapacityProviders",
            {"cluster": "{clusterArn}"},
            style="whole",
            camel=("CapacityProviders", "DefaultCapacityProviderStrategy"),
            unset={"CapacityProviders": [], "DefaultCapacityProviderStrategy": []},
        ),
        Write(
            "UpdateCluster",
            {"cluster": "{clusterArn}"},
            sets={
                "ClusterSettings": "settings",
                "Configuration": "configuration",
                "ServiceConnectDefaults": To(
                    "serviceConnectDefaults.namespace", lambda defaults: defaults.get("Namespace", "")
                ),
            },
            unset={
                "ClusterSettings": [{"Name": "containerInsights", "Value": "disabled"}],
                "ServiceConnectDefaults": {"Namespace": ""},
            },
        ),
        _tags("{clusterArn}"),
    ),
    warns={"CapacityProviders": "providers that the record does not list are taken from the cluster"},
)


def _cluster(reading: Reading) -> str:
    """The cluster of an id `cluster|service` or of a service ARN, else the template's, else `default`."""
    if len(reading.parts) > 1:
        return reading.parts[0]
    resource = reading.id.rpartition(":")[2].split("/") if reading.id.startswith("arn:") else []
    if len(resource) == len(("service", "cluster", "name")):
        return resource[1]
    declared = reading.get("props.Cluster")
    return declared if isinstance(declared, str) else "default"


def _placement(reading: Reading) -> Any:
    """Only tasks on the user's own machines are placed: other services have no strategy to show."""
    strategy = reading.get("main.placementStrategy", [])
    own_machines = reading.get("main.launchType") in {"EC2", "EXTERNAL"}
    return capitalised()(strategy) if strategy or own_machines else ABSENT


def _capacity_providers(reading: Reading) -> Any:
    strategy = reading.get("main.capacityProviderStrategy", [])
    return capitalised()(strategy) if strategy or not reading.get("main.launchType", "") else ABSENT


_WRITTEN: Final[Mapping[str, str]] = {
    **{
        name: f"{name[0].lower()}{name[1:]}"
        for name in (
            "AvailabilityZoneRebalancing",
            "CapacityProviderStrategy",
            "DeploymentConfiguration",
            "DesiredCount",
            "EnableECSManagedTags",
            "EnableExecuteCommand",
            "HealthCheckGracePeriodSeconds",
            "LoadBalancers",
            "NetworkConfiguration",
            "PlacementConstraints",
            "PlacementStrategy",
            "PlatformVersion",
            "PropagateTags",
            "ServiceRegistries",
            "TaskDefinition",
        )
    },
    "PlacementStrategies": "placementStrategy",
}
"""Property -> member of UpdateService."""

_UNSET: Final[Mapping[str, Any]] = {
    "CapacityProviderStrategy": [],
    "EnableECSManagedTags": False,
    "EnableExecuteCommand": False,
    "HealthCheckGracePeriodSeconds": 0,
    "LoadBalancers": [],
    "PlacementConstraints": [],
    "PlacementStrategies": [],
    "PlacementStrategy": [],
    "PlatformVersion": "LATEST",
    "PropagateTags": "NONE",
    "ServiceRegistries": [],
}
"""What a service has without being told (UpdateService reference)."""

_DEPLOYED: Final = frozenset(
    {
        "CapacityProviderStrategy",
        "LoadBalancers",
        "NetworkConfiguration",
        "PlatformVersion",
        "ServiceRegistries",
        "TaskDefinition",
    }
)
"""Members that make a deployment of their own, and that ECS takes only where it makes the deployments."""


def _update_service(update: Update) -> None:
    """One request, because each could start a deployment; and only what drifted, because a count or a task
    definition that is sent along undoes what scaling or another pipeline did since."""
    drifted = [name for name in _WRITTEN if update.differs(name)]
    _check_service(update, drifted)
    request: dict[str, Any] = {
        "cluster": update.get("main.clusterArn"),
        "service": update.get("main.serviceArn"),
    }
    for name in drifted:
        value = _UNSET[name] if update.unset(name) else update.wanted(name)
        request[_WRITTEN[name]] = capitalised("hookDetails").write(value)
    if "CapacityProviderStrategy" in drifted:
        request["forceNewDeployment"] = True
    update.call("UpdateService", request)


def _check_service(update: Update, drifted: list[str]) -> None:
    controller = update.get("main.deploymentController.type", "ECS")
    elsewhere = sorted(_DEPLOYED.intersection(drifted)) if controller != "ECS" else []
    if elsewhere:
        raise UpdateFailed(f"{', '.join(elsewhere)} is set by its {controller} deployments")
    if "DesiredCount" in drifted and _is_scaled(update):
        raise UpdateFailed("Application Auto Scaling sets its DesiredCount, which a revert would undo")


def _is_scaled(update: Update) -> bool:
    resource = update.get("main.serviceArn").rpartition(":")[2]
    if resource.count("/") == 1:
        resource = f"service/{update.get('main.clusterArn').rpartition('/')[2]}/{resource.partition('/')[2]}"
    request = {
        "ServiceNamespace": "ecs",
        "ResourceIds": [resource],
        "ScalableDimension": "ecs:service:DesiredCount",
    }
    return bool(update.ask("DescribeScalableTargets", request).get("ScalableTargets"))


SERVICE = ResourceType(
    name="AWS::ECS::Service",
    service="ecs",
    gone=("ClusterNotFoundException", "ServiceNotFoundException"),
    calls=(
        Call(
            "DescribeServices",
            {"cluster": _cluster, "services": [lambda reading: reading.parts[-1]], "include": ["TAGS"]},
            at=_described("DescribeServices", "services", "serviceName"),
        ),
    ),
    camel=(
        "AvailabilityZoneRebalancing",
        "DesiredCount",
        "EnableECSManagedTags",
        "EnableExecuteCommand",
        "HealthCheckGracePeriodSeconds",
        "LaunchType",
        "PlatformVersion",
        "PropagateTags",
        "SchedulingStrategy",
        "ServiceName",
        "TaskDefinition",
    ),
    fields={
        "Cluster": "main.clusterArn",
        "NetworkConfiguration": From("main.networkConfiguration", capitalised()),
        "DeploymentConfiguration": From("main.deploymentConfiguration", capitalised("hookDetails")),
        "DeploymentController": From(
            "main.deploymentController.type", lambda kind: {"Type": kind}, default={"Type": "ECS"}
        ),
        "LoadBalancers": From("main.loadBalancers", capitalised(), default=[]),
        "PlacementConstraints": From("main.placementConstraints", capitalised(), default=[]),
        "PlacementStrategies": _placement,
        "PlacementStrategy": _placement,
        "ServiceRegistries": From("main.serviceRegistries", capitalised(), default=[]),
        "CapacityProviderStrategy": _capacity_providers,
        "Tags": From("main.tags", tag_list, default=[]),
    },
    asks=(Call("DescribeScalableTargets", service="application-autoscaling"),),
    writes=(
        By(_update_service, tuple(_WRITTEN), (Write("UpdateService"),)),
        _tags("{serviceArn}"),
    ),
    refuses={name: Caution("ECS has no way to unset it", emptied) for name in _WRITTEN if name not in _UNSET},
    warns={
        "TaskDefinition": "a deployment that another pipeline made since is rolled back",
        "DesiredCount": Caution("tasks are stopped", lower),
        **dict.fromkeys(
            ("CapacityProviderStrategy", "LoadBalancers", "NetworkConfiguration", "PlatformVersion"),
            "a new deployment starts",
        ),
    },
)


def _task_definition(answer: Any, _: Reading) -> Any:
    """A deregistered task definition can be described for ever, with status INACTIVE."""
    described = answer.get("taskDefinition")
    if described is None:
        raise EmptyAnswer("ecs:DescribeTaskDefinition", "taskDefinition")
    if described.get("status") in {"INACTIVE", "DELETE_IN_PROGRESS"}:
        return ABSENT
    return described | {"tags": answer.get("tags", [])}


_USER_MAPS: Final = ("dockerLabels", "options", "driverOpts", "labels")


def _container(container: Mapping[str, Any]) -> dict[str, Any]:
    """A container definition without what ECS fills in for members that were not sent."""
    made = capitalised(*_USER_MAPS)(container)
    if "LinuxParameters" in made:
        linux = made["LinuxParameters"]
        capabilities = {"Capabilities": _filled(linux["Capabilities"])} if "Capabilities" in linux else {}
        made["LinuxParameters"] = _filled(linux | capabilities)
    filled_in = {"Cpu": 0, "VersionConsistency": "enabled"}
    return {k: v for k, v in _filled(made).items() if filled_in.get(k) != v}


def _filled(value: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in value.items() if v not in ([], {})}


def _volume(volume: Mapping[str, Any]) -> dict[str, Any]:
    made = {_VOLUMES.get(k, k): v for k, v in capitalised(*_USER_MAPS)(volume).items()}
    if "EFSVolumeConfiguration" in made:
        made["EFSVolumeConfiguration"] = _efs(made["EFSVolumeConfiguration"])
    return made


def _efs(configuration: Mapping[str, Any]) -> dict[str, Any]:
    made = {"FilesystemId" if k == "FileSystemId" else k: v for k, v in configuration.items()}
    if "AuthorizationConfig" in made:
        authorization = made["AuthorizationConfig"]
        made["AuthorizationConfig"] = {"IAM" if k == "Iam" else k: v for k, v in authorization.items()}
    return made


_VOLUMES: Final = {
    "EfsVolumeConfiguration": "EFSVolumeConfiguration",
    "FsxWindowsFileServerVolumeConfiguration": "FSxWindowsFileServerVolumeConfiguration",
    "S3filesVolumeConfiguration": "S3FilesVolumeConfiguration",
}


TASK_DEFINITION = ResourceType(
    name="AWS::ECS::TaskDefinition",
    service="ecs",
    gone=("ClientException: Unable to describe task definition",),
    calls=(
        Call(
            "DescribeTaskDefinition",
            {"taskDefinition": "{id}", "include": ["TAGS"]},
            at=_task_definition,
        ),
    ),
    camel=(
        "Cpu",
        "EnableFaultInjection",
        "ExecutionRoleArn",
        "Family",
        "IpcMode",
        "Memory",
        "NetworkMode",
        "PidMode",
        "TaskRoleArn",
    ),
    fields={
        "EphemeralStorage": From("main.ephemeralStorage.sizeInGiB", lambda size: {"SizeInGiB": size}),
        "RuntimePlatform": From("main.runtimePlatform", capitalised()),
        "RequiresCompatibilities": From("main.requiresCompatibilities", default=[]),
        "PlacementConstraints": From("main.placementConstraints", capitalised(), default=[]),
        "ContainerDefinitions": From("main.containerDefinitions", each(_container), default=[]),
        "Volumes": From("main.volumes", each(_volume), default=[]),
        "ProxyConfiguration": From(
            "main.proxyConfiguration",
            lambda proxy: renamed({"Properties": "ProxyConfigurationProperties"})(capitalised()(proxy)),
        ),
        "Tags": From("main.tags", tag_list),
    },
    compared=TypeFacts(
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
)

TYPES = (CLUSTER, SERVICE, TASK_DEFINITION)
