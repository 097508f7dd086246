"""All resource types that something is known about, by name.

A service's module is imported when a type of it is asked for. Its `TYPES` are the first-class ones; its
`FACTS`, type name -> TypeFacts, say how the types compare that Cloud Control reads.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any, Final

from driftwarden import resources
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import ResourceType

_MODULES: Final = {
    "ApiGateway": "apigateway",
    "ApiGatewayV2": "apigatewayv2",
    "ApplicationAutoScaling": "applicationautoscaling",
    "AppRunner": "apprunner",
    "AppSync": "appsync",
    "AutoScaling": "autoscaling",
    "Backup": "backup",
    "BedrockAgentCore": "bedrockagentcore",
    "Budgets": "budgets",
    "CertificateManager": "acm",
    "CloudFormation": "cloudformation",
    "CloudFront": "cloudfront",
    "CloudTrail": "cloudtrail",
    "CloudWatch": "cloudwatch",
    "CodeArtifact": "codeartifact",
    "CodeBuild": "codebuild",
    "CodeCommit": "codecommit",
    "CodeDeploy": "codedeploy",
    "CodePipeline": "codepipeline",
    "CodeStarNotifications": "codestarnotifications",
    "Cognito": "cognito",
    "DAX": "dax",
    "DLM": "dlm",
    "DMS": "dms",
    "DocDB": "docdb",
    "DynamoDB": "dynamodb",
    "EC2": "ec2",
    "ECR": "ecr",
    "ECS": "ecs",
    "EFS": "efs",
    "ElastiCache": "elasticache",
    "ElasticBeanstalk": "elasticbeanstalk",
    "ElasticLoadBalancing": "elb",
    "ElasticLoadBalancingV2": "elbv2",
    "EMR": "emr",
    "EMRServerless": "emrserverless",
    "Events": "events",
    "FSx": "fsx",
    "Glue": "glue",
    "GuardDuty": "guardduty",
    "IAM": "iam",
    "Kinesis": "kinesis",
    "KinesisFirehose": "firehose",
    "KMS": "kms",
    "Lambda": "lambda_",
    "Location": "location",
    "Logs": "logs",
    "Neptune": "neptune",
    "Pipes": "pipes",
    "RDS": "rds",
    "Redshift": "redshift",
    "Route53": "route53",
    "S3": "s3",
    "S3Express": "s3express",
    "S3Tables": "s3tables",
    "S3Vectors": "s3vectors",
    "Scheduler": "scheduler",
    "SecretsManager": "secretsmanager",
    "ServiceCatalog": "servicecatalog",
    "ServiceDiscovery": "servicediscovery",
    "SES": "ses",
    "SNS": "sns",
    "SQS": "sqs",
    "SSM": "ssm",
    "StepFunctions": "stepfunctions",
    "WAFv2": "wafv2",
}
"""CloudFormation service segment -> module. A scan imports only the services its stacks use."""


def find(type_name: str) -> ResourceType | None:
    """The declaration of a CloudFormation type, or None where Cloud Control has to read it."""
    module = _module_of(type_name)
    return _types_of(module).get(type_name) if module else None


def facts_of(type_name: str) -> TypeFacts | None:
    """How the values of a CloudFormation type compare, or None where its schema says it all."""
    module = _module_of(type_name)
    return _facts_of(module).get(type_name) if module else None


def all_types() -> tuple[ResourceType, ...]:
    """Every declared type, in order of name."""
    return tuple(
        sorted((t for module in _MODULES.values() for t in _types_of(module).values()), key=lambda t: t.name)
    )


def all_facts() -> dict[str, TypeFacts]:
    """How values compare, for every type that a module says it of."""
    return {name: facts for module in _MODULES.values() for name, facts in _facts_of(module).items()}


def modules() -> frozenset[str]:
    """The module names found in this package; a test holds them against the table above."""
    ours = {"spec", "comparing", "registry", "actions"}
    return frozenset(m.name for m in pkgutil.iter_modules(resources.__path__)) - ours


def _module_of(type_name: str) -> str | None:
    segments = type_name.split("::")
    return _MODULES.get(segments[1]) if len(segments) == 3 and segments[0] == "AWS" else None  # noqa: PLR2004


def _declared(module: str, name: str, otherwise: Any) -> Any:
    return getattr(import_module(f"{resources.__name__}.{module}"), name, otherwise)


@cache
def _types_of(module: str) -> dict[str, ResourceType]:
    declared: tuple[ResourceType, ...] = _declared(module, "TYPES", ())
    by_name = {t.name: t for t in declared}
    if len(by_name) != len(declared):
        raise ValueError(f"resources/{module}.py declares a resource type twice")
    return by_name


@cache
def _facts_of(module: str) -> dict[str, TypeFacts]:
    read_by_cloud_control: dict[str, TypeFacts] = _declared(module, "FACTS", {})
    types = _types_of(module)
    if twice := types.keys() & read_by_cloud_control:
        raise ValueError(f"resources/{module}.py has facts about {min(twice)} beside its declaration")
    return read_by_cloud_control | {name: t.compared for name, t in types.items() if t.compared}
