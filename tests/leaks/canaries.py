"""Planted values. Every canary begins and ends with the mark, so that a part of one is found, too."""

from __future__ import annotations

import base64
import json
from typing import Any, Final
from urllib.parse import quote

from tests.leaks.world import World, refused

MARK: Final = "kanari"


def canary(name: str) -> str:
    """A value that nothing may show."""
    return f"{MARK}-{name}-{MARK}"


WHOLE: Final = f'{MARK} "whole" a/b+c&d=<e> é {MARK}'
"""A secret full of characters that every encoding spells in its own way."""

MEMBER, OTHER, SECURE, NAME = (canary(name) for name in ("member", "other", "secure", "name"))
PEM: Final = "\n".join(
    (
        "-----BEGIN PRIVATE KEY-----",
        *(f"{MARK}Line{n}OfAPrivateKey{MARK}" for n in range(3)),
        "-----END PRIVATE KEY-----",
    )
)

REF_WHOLE, REF_NAME, REF_PEM, REF_GONE = (
    f"{{{{resolve:secretsmanager:{name}}}}}" for name in ("prod/whole", "prod/name", "prod/pem", "prod/gone")
)
REF_MEMBER: Final = "{{resolve:secretsmanager:prod/db:SecretString:password}}"
REF_SECURE: Final = "{{resolve:ssm:/prod/token}}"
REF_UNKNOWN: Final = "{{resolve:ssm-secure:/prod/other:1}}"

ENCODINGS: Final = {
    "plain": WHOLE,
    "json": json.dumps({"p": WHOLE}),
    "json in json": json.dumps({"p": json.dumps({"p": WHOLE})}),
    "url": quote(WHOLE),
    "url of json": quote(json.dumps({"p": WHOLE})),
    "base64": base64.b64encode(f"#!/bin/sh\necho {WHOLE}".encode()).decode(),
    "base64 of json": base64.b64encode(json.dumps({"p": WHOLE}).encode()).decode(),
    "html": WHOLE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    "python": repr({"p": WHOLE}),
    "upper": SECURE.upper(),
}


def plant_secrets(world: World) -> None:
    world.secrets |= {
        "prod/whole": WHOLE,
        "prod/name": NAME,
        "prod/pem": PEM,
        "prod/db": json.dumps({"username": "ann", "password": MEMBER, "apiKey": OTHER}),
        "/prod/token": SECURE,
    }


def plant(world: World) -> None:
    """A stack of many types with a canary at every kind of place: drifted, gone, unreadable, partly read."""
    plant_secrets(world)
    _references(world)
    _masks(world)
    _in_the_clear(world)
    _named_after_secrets(world)
    _failures(world)
    world.rows["NotARow"] = canary("row")
    world.rows["NoProperties"] = {"physicalId": canary("row-id"), "resourceType": "AWS::SQS::Queue", "x": 1}
    world.stack_fields = {
        "outputs": {"Url": canary("output"), "Password": canary("output-2")},
        "imports": [{"exportName": canary("import"), "sourceStack": "Base", "sourceRegion": "us-east-1"}],
        "pendingOutputs": {"x": canary("unknown-field")},
    }
    world.save()


def _references(world: World) -> None:
    world.add(
        "Database",
        "AWS::RDS::DBInstance",
        {"MasterUserPassword": REF_MEMBER, "StorageType": "gp2"},
        {"MasterUserPassword": canary("rotated"), "StorageType": "gp3"},
    )
    variables = {
        "URL": f"postgres://ann:{REF_MEMBER}@db/x",
        "TOKEN": REF_SECURE,
        "DOC": f'{{"a":"{REF_WHOLE}"}}',
    }
    live = {
        "URL": f"postgres://ann:{canary('rotated-url')}@db/x",
        "TOKEN": canary("rotated-token"),
        "DOC": json.dumps({"a": canary("rotated-doc")}),
        "ADDED": WHOLE,
    }
    world.add(
        "Function",
        "AWS::Lambda::Function",
        {"Environment": {"Variables": variables}, "Description": "ours"},
        {"Environment": {"Variables": live}, "Description": f"theirs, {SECURE}"},
    )
    world.add(
        "Keys",
        "AWS::Lambda::Function",
        {"Environment": {"Variables": {REF_MEMBER: "1", "B": "1"}}},
        {"Environment": {"Variables": {MEMBER: "2", "B": "2", WHOLE: "3"}}},
    )
    world.add(
        "UnknownKeys",
        "AWS::Lambda::Function",
        {"Environment": {"Variables": {REF_UNKNOWN: "1"}}, "Timeout": 3},
        {"Environment": {"Variables": {canary("unknown-key"): "2"}}, "Timeout": 4},
    )
    world.add(
        "Partly",
        "AWS::CodeBuild::Project",
        {"Source": {"Auth": REF_GONE}, "Name": "p", "Cache": {"Location": REF_UNKNOWN}},
        {
            "Source": {"Auth": canary("uncompared")},
            "Name": "q",
            "Cache": {"Location": canary("uncompared-2")},
        },
    )
    world.add(
        "Lists",
        "AWS::ECS::TaskDefinition",
        {
            "ContainerDefinitions": [
                {"Name": "a", "Command": ["--token", REF_SECURE, "--x"]},
                {"Name": "b", "Environment": [{"Name": "N", "Value": REF_WHOLE}]},
            ]
        },
        {
            "ContainerDefinitions": [
                {"Name": "b", "Environment": [{"Name": "N", "Value": canary("in-list")}]},
                {"Name": "a", "Command": ["--token", canary("in-command"), "--y"]},
            ]
        },
    )
    world.add(
        "Pem",
        "AWS::IoT::Certificate",
        {"Status": "A", "CertificatePem": REF_PEM},
        {"Status": f"B {PEM.splitlines()[2]}", "CertificatePem": PEM.replace("\n", "\r\n")},
    )
    for number, (how, text) in enumerate(ENCODINGS.items()):
        world.add(
            f"Encoded{number}",
            "AWS::SNS::Topic",
            {"DisplayName": how, "Tags": [{"Key": "a", "Value": "b"}]},
            {"DisplayName": f"{how}: {text}", "Tags": [{"Key": text, "Value": text}]},
        )
    world.add(
        "Observed",
        "AWS::Events::Connection",
        {"Description": REF_WHOLE, "Name": "c"},
        {"Description": canary("observed-live"), "Name": "d"},
        observedProperties={"Description": canary("observed"), "Name": "c"},
    )


def _masks(world: World) -> None:
    world.add(
        "NoEcho",
        "AWS::SSM::Parameter",
        {"Value": "***", "Description": "a"},
        {"Value": canary("noecho"), "Description": "b"},
        noEchoLeaves=[["Value"]],
    )
    world.add("Echo", "AWS::SNS::Topic", {"DisplayName": "a"}, {"DisplayName": f"x {canary('noecho')} y"})
    world.add(
        "Custom",
        "AWS::SSM::Parameter",
        {"Value": "***", "Description": "a"},
        {"Value": canary("custom"), "Description": f"{canary('custom')} too"},
    )
    world.add(
        "UserData",
        "AWS::EC2::Instance",
        {"UserData": "***", "Monitoring": False},
        {"UserData": ENCODINGS["base64"], "Monitoring": True},
    )
    world.add(
        "DeepMask",
        "AWS::Batch::JobDefinition",
        {"Parameters": {"a": ["x", "***"]}},
        {"Parameters": {"a": ["y", canary("deep")]}},
    )


def _in_the_clear(world: World) -> None:
    world.add(
        "Clear",
        "AWS::Lambda::Function",
        {
            "Environment": {
                "Variables": {"DB_PASSWORD": canary("env"), "STRIPE_KEY": canary("env-key"), "A": "1"}
            }
        },
        {
            "Environment": {
                "Variables": {
                    "DB_PASSWORD": canary("env-2"),
                    "STRIPE_KEY": canary("env-key-2"),
                    "A": "2",
                    "NEW_SECRET": canary("env-new"),
                }
            }
        },
        attributes={"SecretAccessKey": canary("attribute"), "Arn": canary("attribute-arn")},
    )
    world.add(
        "ClearList",
        "AWS::ECS::TaskDefinition",
        {
            "ContainerDefinitions": [
                {"Name": "a", "Environment": [{"Name": "API_TOKEN", "Value": canary("pair")}]}
            ]
        },
        {
            "ContainerDefinitions": [
                {"Name": "a", "Environment": [{"Name": "API_TOKEN", "Value": canary("pair-2")}]}
            ]
        },
    )
    world.add(
        "Tagged",
        "AWS::SQS::Queue",
        {"Tags": [{"Key": "api-token", "Value": canary("tag")}], "DelaySeconds": 1},
        {"Tags": [{"Key": "api-token", "Value": canary("tag-2")}], "DelaySeconds": 2},
    )
    world.add(
        "Document",
        "AWS::StepFunctions::StateMachine",
        {"DefinitionString": json.dumps({"A": {"Parameters": {"Password": canary("json"), "n": 1}}})},
        {"DefinitionString": json.dumps({"A": {"Parameters": {"Password": canary("json-2"), "n": 2}}})},
    )
    world.add(
        "Issued",
        "AWS::Glue::Job",
        {"Description": "a", "DefaultArguments": {"--x": "1"}},
        {
            "Description": f"Server=db;Password={canary('assigned')};",
            "DefaultArguments": {"--x": f"https://u:{canary('in-url')}@h/", "--y": f"ghp_{MARK * 6}"},
        },
    )
    # The same values where nothing says that they are credentials.
    for number, name in enumerate(("env", "attribute", "pair", "json", "tag", "env-2", "pair-2", "json-2")):
        world.add(
            f"Elsewhere{number}",
            "AWS::SNS::Topic",
            {"DisplayName": "a"},
            {"DisplayName": f"is {canary(name)} known"},
        )
    world.add(
        "Typed",
        "AWS::ApiGateway::ApiKey",
        {"Value": canary("api-key"), "Enabled": True},
        {"Value": canary("api-key-2"), "Enabled": False},
    )


def _named_after_secrets(world: World) -> None:
    arn = f"arn:aws:sqs:us-east-1:123456789012:{NAME}"
    world.add(
        "Named",
        "AWS::SQS::Queue",
        {"QueueName": REF_NAME, "DelaySeconds": 1},
        {"QueueName": NAME, "DelaySeconds": 2, "Arn": arn},
        physicalId=f"https://sqs.us-east-1.amazonaws.com/123456789012/{NAME}",
    )
    world.add(
        "Policy",
        "AWS::IAM::Policy",
        {"PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": "sqs:*", "Resource": arn}]}},
        {"PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": "*", "Resource": arn + "*"}]}},
    )
    world.add("NamedGone", "AWS::SQS::Queue", {"QueueName": REF_NAME}, None, physicalId=f"{NAME}-gone")
    world.add(
        "NoEchoName",
        "AWS::SNS::Topic",
        {"TopicName": "***", "DisplayName": "a"},
        {"TopicName": canary("noecho-name"), "DisplayName": "b"},
        physicalId=f"arn:aws:sns:us-east-1:123456789012:{canary('noecho-name')}",
        noEchoLeaves=[["TopicName"]],
    )
    world.add(
        "NoEchoNameUnread",
        "AWS::S3::Bucket",
        {"BucketName": "***"},
        refused("Throttling", f"bucket {canary('noecho-bucket')} is busy"),
        physicalId=canary("noecho-bucket"),
        noEchoLeaves=[["BucketName"]],
    )
    world.add(
        "UnresolvedName",
        "AWS::S3::Bucket",
        {"BucketName": REF_GONE, "Tags": []},
        refused("AccessDenied", f"not {canary('unresolved-name')}"),
        physicalId=canary("unresolved-name"),
    )


def _failures(world: World) -> None:
    world.add(
        "Denied",
        "AWS::SNS::Topic",
        {"DisplayName": REF_WHOLE},
        refused("AccessDeniedException", f"not with {WHOLE} or {quote(WHOLE)}"),
    )
    world.add(
        "Throttled",
        "AWS::SNS::Topic",
        {"DisplayName": "a"},
        refused("ThrottlingException", f"slower with {SECURE}, {MEMBER}, {canary('env')}"),
    )
    world.add("Broken", "AWS::SNS::Topic", {"DisplayName": "a"}, ValueError(canary("exception")))
    world.add("Crashed", "AWS::SNS::Topic", {"DisplayName": "a"}, RuntimeError(canary("exception-2")))
    world.add("Gone", "AWS::SNS::Topic", {"DisplayName": REF_WHOLE, "Password": canary("gone")}, None)
    world.add("Skipped", "Custom::Thing", {"Password": canary("custom-resource")}, None)


def everything_planted(world: World) -> list[dict[str, Any]]:
    """The stack as lines for an offline comparison."""
    return [
        {
            "id": name,
            "logicalId": name,
            "region": "us-east-1",
            **row,
            "siblings": {
                other: row for other, row in world.rows.items() if isinstance(row, dict) and other != name
            },
            "aws": None if isinstance(live := world.live.get(row["physicalId"]), Exception) else live,
        }
        for name, row in world.rows.items()
        if isinstance(row, dict) and "properties" in row
    ]
