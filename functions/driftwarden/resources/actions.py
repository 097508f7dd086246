"""IAM actions behind API operations (AWS Service Authorization Reference).

Nearly all are `prefix:Operation`; the prefixes that differ from boto3's service names, and the operations
whose action has another name, are listed here once.
"""

from __future__ import annotations

from typing import Final

_PREFIXES: Final = {
    "apigatewayv2": "apigateway",
    "application-autoscaling": "application-autoscaling",
    "bedrock-agentcore-control": "bedrock-agentcore",
    "cloudcontrol": "cloudformation",
    "cognito-idp": "cognito-idp",
    "docdb": "rds",
    "efs": "elasticfilesystem",
    "elb": "elasticloadbalancing",
    "elbv2": "elasticloadbalancing",
    "emr": "elasticmapreduce",
    "lambda-microvms": "lambda",
    "neptune": "rds",
    "opensearch": "es",
    "stepfunctions": "states",
}

_RENAMED: Final = {
    ("lambda", "GetLayerVersionByArn"): "lambda:GetLayerVersion",
    ("s3", "HeadBucket"): "s3:ListBucket",
    ("s3", "HeadObject"): "s3:GetObject",
    ("s3", "GetBucketAccelerateConfiguration"): "s3:GetAccelerateConfiguration",
    ("s3", "GetBucketEncryption"): "s3:GetEncryptionConfiguration",
    ("s3", "GetBucketLifecycleConfiguration"): "s3:GetLifecycleConfiguration",
    ("s3", "GetBucketNotificationConfiguration"): "s3:GetBucketNotification",
    ("s3", "GetBucketReplication"): "s3:GetReplicationConfiguration",
    ("s3", "GetObjectLockConfiguration"): "s3:GetBucketObjectLockConfiguration",
    ("s3", "GetPublicAccessBlock"): "s3:GetBucketPublicAccessBlock",
    ("s3", "ListBucketAnalyticsConfigurations"): "s3:GetAnalyticsConfiguration",
    ("s3", "ListBucketIntelligentTieringConfigurations"): "s3:GetIntelligentTieringConfiguration",
    ("s3", "ListBucketInventoryConfigurations"): "s3:GetInventoryConfiguration",
    ("s3", "ListBucketMetricsConfigurations"): "s3:GetMetricsConfiguration",
    ("s3", "ListObjectsV2"): "s3:ListBucket",
}

_HTTP_NAMED: Final = frozenset({"apigateway", "apigatewayv2"})
"""API Gateway names its actions after the HTTP method; every read is a GET."""

_HTTP_METHODS: Final = {"Update": "PATCH", "Put": "PUT", "Delete": "DELETE"}
"""By the verb in front of an operation's name."""


def action_for(service: str, operation: str) -> str:
    """The IAM action that allows an `operation` (API name, `GetQueueAttributes`) of boto3's `service`."""
    if service in _HTTP_NAMED:
        methods = (method for verb, method in _HTTP_METHODS.items() if operation.startswith(verb))
        return f"apigateway:{next(methods, 'GET')}"
    return _RENAMED.get((service, operation)) or f"{_PREFIXES.get(service, service)}:{operation}"
