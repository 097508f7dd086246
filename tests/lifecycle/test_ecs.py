"""Services: one request with only what drifted, so that neither scaling nor a deployment is undone."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

PREFIX = f"arn:aws:ecs:us-east-1:{ACCOUNT}"
CLUSTER = f"{PREFIX}:cluster/shop"
SERVICE = f"{PREFIX}:service/shop/web"
TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
ECS_TAGS = [{"key": "Stage", "value": "prod"}, {"key": "Team", "value": "shop"}]
EDITED = [{"key": "Stage", "value": "test"}, {"key": "Owner", "value": "me"}]


class Containers:
    """A cluster with a service in it."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.ecs = life.client("ecs")
        self.ecs.create_cluster(
            clusterName="shop",
            settings=[{"name": "containerInsights", "value": "enabled"}],
            capacityProviders=["FARGATE"],
            tags=ECS_TAGS,
        )
        self.task("1")
        made = self.ecs.create_service(
            cluster="shop",
            serviceName="web",
            taskDefinition="web:1",
            desiredCount=2,
            launchType="FARGATE",
            tags=ECS_TAGS,
        )
        self.service = made["service"]["serviceArn"]

    def task(self, image: str) -> str:
        container = {"name": "web", "image": image, "memory": 128}
        made = self.ecs.register_task_definition(family="web", containerDefinitions=[container])
        return str(made["taskDefinition"]["taskDefinitionArn"])

    def update(self, **members: Any) -> None:
        self.ecs.update_service(cluster="shop", service="web", **members)

    def record_service(self) -> None:
        template = {"Cluster": CLUSTER, "ServiceName": "web", "Tags": TAGS}
        self.life.record("Web", "AWS::ECS::Service", self.service, template)


@pytest.fixture
def containers(life: Life) -> Containers:
    return Containers(life)


def test_insights_of_a_cluster_go_back(containers: Containers) -> None:
    containers.life.record("Cluster", "AWS::ECS::Cluster", "shop", {"Tags": TAGS})

    def edit() -> None:
        settings = [{"name": "containerInsights", "value": "disabled"}]
        containers.ecs.update_cluster(cluster="shop", settings=settings)

    calls = containers.life.goes_round("Cluster", edit, expect=["ClusterSettings"])
    settings = [{"name": "containerInsights", "value": "enabled"}]
    assert calls == [("UpdateCluster", {"cluster": CLUSTER, "settings": settings})]


@pytest.mark.parametrize("kind", ["cluster", "service"])
def test_only_the_difference_of_tags_is_sent(containers: Containers, kind: str) -> None:
    if kind == "cluster":
        containers.life.record("Web", "AWS::ECS::Cluster", "shop", {"Tags": TAGS})
    else:
        containers.record_service()
    arn = CLUSTER if kind == "cluster" else containers.service

    def edit() -> None:
        containers.ecs.tag_resource(resourceArn=arn, tags=EDITED)
        containers.ecs.untag_resource(resourceArn=arn, tagKeys=["Team"])

    calls = containers.life.goes_round("Web", edit, expect=["Tags"])
    assert calls == [
        ("UntagResource", {"resourceArn": arn, "tagKeys": ["Owner"]}),
        ("TagResource", {"resourceArn": arn, "tags": ECS_TAGS}),
    ]


def cluster(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A cluster that answers with these members."""
    found = {"clusterArn": CLUSTER, "clusterName": "shop", "status": "ACTIVE", **members}
    return a_record("AWS::ECS::Cluster", "shop"), {"DescribeClusters": {"clusters": [found]}}


def test_capacity_providers_and_strategy_are_put_together() -> None:
    strategy = [{"capacityProvider": "FARGATE", "weight": 1, "base": 0}]
    record, answers = cluster(capacityProviders=["FARGATE"], defaultCapacityProviderStrategy=strategy)
    assert sent(record, answers, {"CapacityProviders": ["FARGATE", "FARGATE_SPOT"]}) == [
        (
            "PutClusterCapacityProviders",
            {
                "cluster": CLUSTER,
                "capacityProviders": ["FARGATE", "FARGATE_SPOT"],
                "defaultCapacityProviderStrategy": strategy,
            },
        )
    ]


def test_what_a_cluster_did_not_have_is_unset() -> None:
    record, answers = cluster(
        settings=[{"name": "containerInsights", "value": "enhanced"}],
        serviceConnectDefaults={"namespace": "arn:of:a:namespace"},
        capacityProviders=["FARGATE"],
    )
    wanted: dict[str, Any] = {"ClusterSettings": [], "ServiceConnectDefaults": {}, "CapacityProviders": []}
    assert sent(record, answers, wanted) == [
        (
            "PutClusterCapacityProviders",
            {"cluster": CLUSTER, "capacityProviders": [], "defaultCapacityProviderStrategy": []},
        ),
        (
            "UpdateCluster",
            {
                "cluster": CLUSTER,
                "settings": [{"name": "containerInsights", "value": "disabled"}],
                "serviceConnectDefaults": {"namespace": ""},
            },
        ),
    ]


def test_the_command_configuration_of_a_cluster_goes_back() -> None:
    record, answers = cluster(configuration={"executeCommandConfiguration": {"logging": "NONE"}})
    wanted = {"ExecuteCommandConfiguration": {"Logging": "DEFAULT"}}
    configuration = {"executeCommandConfiguration": {"logging": "DEFAULT"}}
    assert sent(record, answers, {"Configuration": wanted}) == [
        ("UpdateCluster", {"cluster": CLUSTER, "configuration": configuration})
    ]


def test_capacity_providers_that_a_sibling_associates_stay(containers: Containers) -> None:
    life = containers.life
    life.record("Cluster", "AWS::ECS::Cluster", "shop")
    associated = {"Cluster": "shop", "CapacityProviders": ["FARGATE_SPOT"]}
    life.record(
        "Association",
        "AWS::ECS::ClusterCapacityProviderAssociations",
        "shop",
        associated,
        observed=False,
        provisionedBy="cc-api",
    )
    put = containers.ecs.put_cluster_capacity_providers
    put(cluster="shop", capacityProviders=["FARGATE", "FARGATE_SPOT"], defaultCapacityProviderStrategy=[])
    assert "Cluster" not in life.drift()

    put(cluster="shop", capacityProviders=["FARGATE_SPOT"], defaultCapacityProviderStrategy=[])
    life.forget_calls()
    life.revert()
    ((_, request),) = life.calls
    assert request["capacityProviders"] == ["FARGATE", "FARGATE_SPOT"]


def test_a_count_goes_back_alone_where_nothing_scales_it(containers: Containers) -> None:
    containers.record_service()
    calls = containers.life.goes_round(
        "Web", lambda: containers.update(desiredCount=5), expect=["DesiredCount"]
    )
    request = {"cluster": CLUSTER, "service": containers.service, "desiredCount": 2}
    assert calls == [("UpdateService", request)]


def scale(containers: Containers) -> None:
    """Let Application Auto Scaling set the count of the service, from outside of the stack."""
    containers.life.client("application-autoscaling").register_scalable_target(
        ServiceNamespace="ecs",
        ResourceId="service/shop/web",
        ScalableDimension="ecs:service:DesiredCount",
        MinCapacity=1,
        MaxCapacity=9,
    )


def test_a_count_that_is_scaled_is_never_sent(containers: Containers) -> None:
    containers.record_service()
    scale(containers)
    containers.update(desiredCount=5, enableExecuteCommand=True)
    containers.life.forget_calls()

    (result,) = containers.life.revert()

    assert result.fate is Fate.FAILED
    assert "Application Auto Scaling" in result.reason
    assert containers.life.calls == []


def test_tag_drift_sends_no_count(containers: Containers) -> None:
    containers.record_service()
    scale(containers)
    containers.ecs.untag_resource(resourceArn=containers.service, tagKeys=["Team"])
    containers.life.forget_calls()
    containers.life.revert()
    assert containers.life.written() == ["TagResource"]


def test_a_task_definition_goes_back_with_a_warning_about_the_deployment(containers: Containers) -> None:
    containers.record_service()
    newer = containers.task("2")
    calls = containers.life.goes_round(
        "Web", lambda: containers.update(taskDefinition=newer), expect=["TaskDefinition"]
    )
    assert [(operation, sorted(params)) for operation, params in calls] == [
        ("UpdateService", ["cluster", "service", "taskDefinition"])
    ]
    containers.update(taskDefinition=newer)
    (step,) = containers.life.plan().steps
    assert "another pipeline made since is rolled back" in " ".join(step.warnings)


def service(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A service that answers with these members."""
    found = {
        "serviceArn": SERVICE,
        "clusterArn": CLUSTER,
        "serviceName": "web",
        "status": "ACTIVE",
        "launchType": "FARGATE",
        **members,
    }
    return a_record("AWS::ECS::Service", SERVICE), {"DescribeServices": {"services": [found]}}


def test_what_drifted_goes_out_in_one_request() -> None:
    record, answers = service()
    wanted = {
        "NetworkConfiguration": {
            "AwsvpcConfiguration": {"Subnets": ["subnet-1"], "AssignPublicIp": "DISABLED"}
        },
        "DeploymentConfiguration": {
            "DeploymentCircuitBreaker": {"Enable": True, "Rollback": True},
            "MaximumPercent": 200,
        },
        "EnableExecuteCommand": False,
    }
    assert sent(record, answers, wanted) == [
        (
            "UpdateService",
            {
                "cluster": CLUSTER,
                "service": SERVICE,
                "networkConfiguration": {
                    "awsvpcConfiguration": {"subnets": ["subnet-1"], "assignPublicIp": "DISABLED"}
                },
                "deploymentConfiguration": {
                    "deploymentCircuitBreaker": {"enable": True, "rollback": True},
                    "maximumPercent": 200,
                },
                "enableExecuteCommand": False,
            },
        )
    ]


@pytest.mark.parametrize(
    ("name", "wanted", "member", "value"),
    [
        ("PlatformVersion", "", "platformVersion", "LATEST"),
        ("HealthCheckGracePeriodSeconds", "", "healthCheckGracePeriodSeconds", 0),
        ("PropagateTags", "", "propagateTags", "NONE"),
        ("LoadBalancers", [], "loadBalancers", []),
        ("PlacementConstraints", [], "placementConstraints", []),
        ("PlacementStrategies", [], "placementStrategy", []),
    ],
)
def test_what_was_not_set_gets_the_value_for_none(name: str, wanted: Any, member: str, value: Any) -> None:
    record, answers = service()
    ((_, request),) = sent(record, answers, {name: wanted})
    assert request[member] == value


def test_another_capacity_strategy_needs_a_new_deployment() -> None:
    record, answers = service(launchType="")
    ((_, request),) = sent(record, answers, {"CapacityProviderStrategy": [{"CapacityProvider": "FARGATE"}]})
    assert request["capacityProviderStrategy"] == [{"capacityProvider": "FARGATE"}]
    assert request["forceNewDeployment"] is True


@pytest.mark.parametrize("controller", ["CODE_DEPLOY", "EXTERNAL"])
def test_what_another_controller_deploys_is_left_to_it(controller: str) -> None:
    record, answers = service(deploymentController={"type": controller})
    with pytest.raises(UpdateFailed, match=controller):
        sent(record, answers, {"TaskDefinition": "web:1", "EnableExecuteCommand": True})


def test_a_launch_type_is_no_update(containers: Containers) -> None:
    containers.record_service()
    baseline = containers.life.read("Web") | {"LaunchType": "EC2"}
    containers.life.record(
        "Web", "AWS::ECS::Service", containers.service, baseline, observedProperties=baseline
    )
    (refused,) = containers.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED


def test_a_task_definition_itself_is_never_updated(containers: Containers) -> None:
    arn = f"{PREFIX}:task-definition/web:1"
    containers.life.record("Task", "AWS::ECS::TaskDefinition", arn)
    baseline = containers.life.read("Task") | {"Cpu": "256"}
    containers.life.record("Task", "AWS::ECS::TaskDefinition", arn, baseline, observedProperties=baseline)
    (refused,) = containers.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED
