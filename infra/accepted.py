"""Findings of cdk-nag that are accepted, each with its reason beside the resource it concerns."""

from __future__ import annotations

from typing import Any

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct


def accept(construct: IConstruct, reason: str, *findings: str) -> None:
    """Accept `findings` (`AwsSolutions-S1`, `AwsSolutions-IAM5[Resource::*]`) on `construct` and below."""
    for finding in findings:
        Validations.of(construct).acknowledge(Acknowledgment(id=finding, reason=reason))


def accept_wildcards(construct: IConstruct, reason: str, *arns: str) -> None:
    """Accept exactly these ARNs with a wildcard in the policies of `construct`."""
    stack = Stack.of(construct)
    accept(construct, reason, *(f"AwsSolutions-IAM5[Resource::{_spelt(stack.resolve(arn))}]" for arn in arns))


def _spelt(value: Any) -> str:
    """An ARN as cdk-nag writes it: `<LogicalId.Arn>` and `<AWS::Partition>` for what deployment fills in."""
    if isinstance(value, str):
        return value
    if "Fn::Join" in value:
        separator, parts = value["Fn::Join"]
        return str(separator).join(_spelt(part) for part in parts)
    if "Fn::GetAtt" in value:
        return f"<{'.'.join(value['Fn::GetAtt'])}>"
    return f"<{value['Ref']}>"
