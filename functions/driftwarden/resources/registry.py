"""All first-class resource types by name. A service's module is imported when a type of it is asked for."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Final

from driftwarden import resources
from driftwarden.resources.spec import ResourceType

_MODULES: Final = {
    "ApiGateway": "apigateway",
    "ApiGatewayV2": "apigatewayv2",
    "AppSync": "appsync",
    "AutoScaling": "autoscaling",
    "BedrockAgentCore": "bedrockagentcore",
    "CertificateManager": "acm",
    "CloudFormation": "cloudformation",
    "CloudFront": "cloudfront",
    "CloudTrail": "cloudtrail",
    "CloudWatch": "cloudwatch",
    "CodeBuild": "codebuild",
    "CodeCommit": "codecommit",
    "Cognito": "cognito",
    "DLM": "dlm",
    "DocDB": "docdb",
    "DynamoDB": "dynamodb",
    "EC2": "ec2",
    "ECR": "ecr",
    "ECS": "ecs",
    "EFS": "efs",
    "ElastiCache": "elasticache",
    "ElasticLoadBalancingV2": "elbv2",
    "EMR": "emr",
    "Events": "events",
    "FSx": "fsx",
    "Glue": "glue",
    "IAM": "iam",
    "Kinesis": "kinesis",
    "KinesisFirehose": "firehose",
    "KMS": "kms",
    "Lambda": "lambda_",
    "Logs": "logs",
    "Neptune": "neptune",
    "RDS": "rds",
    "Route53": "route53",
    "S3": "s3",
    "S3Express": "s3express",
    "S3Tables": "s3tables",
    "S3Vectors": "s3vectors",
    "Scheduler": "scheduler",
    "SecretsManager": "secretsmanager",
    "ServiceDiscovery": "servicediscovery",
    "SNS": "sns",
    "SQS": "sqs",
    "SSM": "ssm",
    "StepFunctions": "stepfunctions",
    "WAFv2": "wafv2",
}
"""CloudFormation service segment -> module. A scan imports only the services its stacks use."""


def find(type_name: str) -> ResourceType | None:
    """The declaration of a CloudFormation type, or None where Cloud Control has to read it."""
    segments = type_name.split("::")
    module = _MODULES.get(segments[1]) if len(segments) == 3 and segments[0] == "AWS" else None  # noqa: PLR2004
    return _types_of(module).get(type_name) if module else None


def all_types() -> tuple[ResourceType, ...]:
    """Every declared type, in order of name."""
    return tuple(
        sorted((t for module in _MODULES.values() for t in _types_of(module).values()), key=lambda t: t.name)
    )


def modules() -> frozenset[str]:
    """The module names found in this package; a test holds them against the table above."""
    ours = {"spec", "registry", "actions"}
    return frozenset(m.name for m in pkgutil.iter_modules(resources.__path__)) - ours


@cache
def _types_of(module: str) -> dict[str, ResourceType]:
    declared: tuple[ResourceType, ...] = import_module(f"{resources.__name__}.{module}").TYPES
    by_name = {t.name: t for t in declared}
    if len(by_name) != len(declared):
        raise ValueError(f"resources/{module}.py declares a resource type twice")
    return by_name
