"""ECS clusters, services and task definitions."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ARN = "arn:aws:ecs:eu-central-1:111122223333"
SERVICE = f"{ARN}:service/main/web"
TASK = f"{ARN}:task-definition/web:3"


def service(answers: Any, **members: Any) -> None:
    found = {"serviceName": "web", "clusterArn": f"{ARN}:cluster/main", **members}
    answers["ecs:DescribeServices"] = {"services": [found], "failures": []}


def task(answers: Any, **members: Any) -> None:
    answers["ecs:DescribeTaskDefinition"] = {
        "taskDefinition": {"family": "web", "status": "ACTIVE", **members}
    }


def properties(found: Any) -> Any:
    assert isinstance(found, Live)
    return found.properties


def test_a_cluster_has_capitalised_members_and_empty_lists(answers: Any, read: Any) -> None:
    cluster = {
        "clusterName": "main",
        "status": "ACTIVE",
        "settings": [{"name": "containerInsights", "value": "enabled"}],
        "configuration": {"executeCommandConfiguration": {"logging": "DEFAULT"}},
        "serviceConnectDefaults": {"namespace": "ns"},
        "tags": [{"key": "team", "value": "a"}],
    }
    answers["ecs:DescribeClusters"] = {"clusters": [cluster]}

    assert read("AWS::ECS::Cluster", "main") == Live(
        {
            "ClusterName": "main",
            "CapacityProviders": [],
            "DefaultCapacityProviderStrategy": [],
            "ClusterSettings": [{"Name": "containerInsights", "Value": "enabled"}],
            "Configuration": {"ExecuteCommandConfiguration": {"Logging": "DEFAULT"}},
            "ServiceConnectDefaults": {"Namespace": "ns"},
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    )


@pytest.mark.parametrize(
    ("resource_type", "operation", "member"),
    [
        ("AWS::ECS::Cluster", "DescribeClusters", "clusters"),
        ("AWS::ECS::Service", "DescribeServices", "services"),
    ],
)
class TestWhatIsNotDescribed:
    """A thing that ECS lists under `failures` is gone only where the reason says so."""

    def test_a_missing_one_is_gone(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        answers[f"ecs:{operation}"] = {member: [], "failures": [{"arn": "x", "reason": "MISSING"}]}
        assert read(resource_type, "main") == Gone()

    def test_any_other_failure_is_unreadable(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        answers[f"ecs:{operation}"] = {member: [], "failures": [{"arn": "x", "reason": "ACCESS_DENIED"}]}
        found = read(resource_type, "main")
        assert isinstance(found, Unreadable)
        assert (found.operation, found.code) == (f"ecs:{operation}", "ACCESS_DENIED")

    def test_an_inactive_one_was_deleted(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        name = f"{member[:-1]}Name"
        answers[f"ecs:{operation}"] = {member: [{name: "main", "status": "INACTIVE"}]}
        assert read(resource_type, "main") == Gone()

    def test_an_empty_answer_says_nothing(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        answers[f"ecs:{operation}"] = {}
        found = read(resource_type, "main")
        assert isinstance(found, Unreadable)
        assert found.empty_answer

    def test_a_denied_call_is_unreadable_and_not_gone(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        answers.fails(f"ecs:{operation}", "AccessDeniedException", status=403)
        found = read(resource_type, "main")
        assert isinstance(found, Unreadable)
        assert found.action == f"ecs:{operation}"

    def test_a_deleted_cluster_takes_its_services_along(
        self, answers: Any, read: Any, resource_type: str, operation: str, member: str
    ) -> None:
        answers.fails(f"ecs:{operation}", "ClusterNotFoundException")
        assert read(resource_type, "main") == Gone()


@pytest.mark.parametrize(
    ("physical_id", "template", "cluster", "name"),
    [
        ("main|web", {}, "main", "web"),
        (SERVICE, {}, "main", SERVICE),
        (f"{ARN}:service/web", {"Cluster": "main"}, "main", f"{ARN}:service/web"),
        ("web", {"Cluster": "main"}, "main", "web"),
        ("web", {}, "default", "web"),
    ],
)
def test_a_service_is_looked_for_in_its_own_cluster(
    answers: Any, read: Any, physical_id: str, template: dict[str, Any], cluster: str, name: str
) -> None:
    service(answers)

    assert isinstance(read("AWS::ECS::Service", physical_id, template), Live)
    assert answers.asked("ecs:DescribeServices") == [
        {"cluster": cluster, "services": [name], "include": ["TAGS"]}
    ]


def test_a_service_has_placeholders_for_what_ecs_leaves_out(answers: Any, read: Any) -> None:
    service(answers)

    assert read("AWS::ECS::Service", SERVICE) == Live(
        {
            "ServiceName": "web",
            "Cluster": f"{ARN}:cluster/main",
            "DeploymentController": {"Type": "ECS"},
            "LoadBalancers": [],
            "PlacementConstraints": [],
            "ServiceRegistries": [],
            "CapacityProviderStrategy": [],
            "Tags": [],
        }
    )


def test_placement_shows_for_own_machines_and_capacity_providers_without_a_launch_type(
    answers: Any, read: Any
) -> None:
    service(answers, launchType="EC2")
    on_machines = properties(read("AWS::ECS::Service", SERVICE))
    service(answers, launchType="FARGATE", placementStrategy=[{"type": "spread"}])
    on_fargate = properties(read("AWS::ECS::Service", SERVICE))

    assert on_machines["PlacementStrategies"] == on_machines["PlacementStrategy"] == []
    assert "CapacityProviderStrategy" not in on_machines
    assert on_fargate["PlacementStrategies"] == on_fargate["PlacementStrategy"] == [{"Type": "spread"}]


def test_the_details_of_a_deployment_hook_belong_to_the_user(answers: Any, read: Any) -> None:
    hook = {"hookTargetArn": "arn", "hookDetails": {"myKey": {"inner": 1}}}
    service(answers, deploymentConfiguration={"maximumPercent": 200, "lifecycleHooks": [hook]})

    assert properties(read("AWS::ECS::Service", SERVICE))["DeploymentConfiguration"] == {
        "MaximumPercent": 200,
        "LifecycleHooks": [{"HookTargetArn": "arn", "HookDetails": {"myKey": {"inner": 1}}}],
    }


def test_a_container_lacks_what_ecs_filled_in_and_keeps_the_users_maps(answers: Any, read: Any) -> None:
    container = {
        "name": "web",
        "image": "web:1",
        "cpu": 0,
        "memory": 0,
        "versionConsistency": "enabled",
        "essential": False,
        "environment": [],
        "dockerLabels": {"my.label": "x"},
        "logConfiguration": {"logDriver": "awslogs", "options": {"awslogs-group": "g"}},
        "linuxParameters": {
            "capabilities": {"add": [], "drop": []},
            "devices": [],
            "initProcessEnabled": True,
        },
    }
    task(answers, containerDefinitions=[container])

    assert properties(read("AWS::ECS::TaskDefinition", TASK))["ContainerDefinitions"] == [
        {
            "Name": "web",
            "Image": "web:1",
            "Memory": 0,
            "Essential": False,
            "DockerLabels": {"my.label": "x"},
            "LogConfiguration": {"LogDriver": "awslogs", "Options": {"awslogs-group": "g"}},
            "LinuxParameters": {"InitProcessEnabled": True},
        }
    ]


def test_volumes_and_proxy_have_cloudformation_names(answers: Any, read: Any) -> None:
    volumes = [
        {
            "name": "efs",
            "efsVolumeConfiguration": {"fileSystemId": "fs-1", "authorizationConfig": {"iam": "ENABLED"}},
        },
        {"name": "fsx", "fsxWindowsFileServerVolumeConfiguration": {"fileSystemId": "fs-2"}},
        {"name": "docker", "dockerVolumeConfiguration": {"driverOpts": {"o": "1"}, "labels": {"a": "b"}}},
    ]
    task(answers, volumes=volumes, proxyConfiguration={"properties": [{"name": "AppPorts", "value": "80"}]})

    found = properties(read("AWS::ECS::TaskDefinition", TASK))

    assert found["Volumes"] == [
        {
            "Name": "efs",
            "EFSVolumeConfiguration": {"FilesystemId": "fs-1", "AuthorizationConfig": {"IAM": "ENABLED"}},
        },
        {"Name": "fsx", "FSxWindowsFileServerVolumeConfiguration": {"FileSystemId": "fs-2"}},
        {"Name": "docker", "DockerVolumeConfiguration": {"DriverOpts": {"o": "1"}, "Labels": {"a": "b"}}},
    ]
    assert found["ProxyConfiguration"] == {
        "ProxyConfigurationProperties": [{"Name": "AppPorts", "Value": "80"}]
    }


def test_a_task_definition_has_the_tags_that_stand_beside_it(answers: Any, read: Any) -> None:
    task(answers, cpu="256", ephemeralStorage={"sizeInGiB": 30})
    answers["ecs:DescribeTaskDefinition"]["tags"] = [{"key": "team", "value": "a"}]

    assert read("AWS::ECS::TaskDefinition", TASK) == Live(
        {
            "Family": "web",
            "Cpu": "256",
            "EphemeralStorage": {"SizeInGiB": 30},
            "RequiresCompatibilities": [],
            "PlacementConstraints": [],
            "ContainerDefinitions": [],
            "Volumes": [],
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    )


def test_a_deregistered_task_definition_is_gone(answers: Any, read: Any) -> None:
    task(answers, status="INACTIVE")

    assert read("AWS::ECS::TaskDefinition", TASK) == Gone()


@pytest.mark.parametrize(
    ("message", "gone"),
    [("Unable to describe task definition.", True), ("You may not do this.", False)],
)
def test_a_client_error_means_gone_only_where_its_message_says_so(
    answers: Any, read: Any, message: str, gone: bool
) -> None:
    answers.fails("ecs:DescribeTaskDefinition", "ClientException")
    answers["ecs:DescribeTaskDefinition"].response["Error"]["Message"] = message

    found = read("AWS::ECS::TaskDefinition", TASK)

    assert found == Gone() if gone else isinstance(found, Unreadable)
