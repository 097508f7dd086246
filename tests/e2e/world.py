"""Three small stacks as the deploy tool leaves them: live resources, and each stack's state record in S3."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from driftwarden.clients import Clients
from driftwarden.model import Live, Record
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from tests.e2e.emulator import ACCOUNT, REGION, Emulator

STATE_BUCKET: Final = f"cdkd-state-{ACCOUNT}"
DATABASE_PASSWORD: Final = "correct-horse-battery-staple"
"""Planted: it must not come up in anything that anybody prints, stores or sends."""

_TRUST: Final = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ],
}
_READ_ORDERS: Final = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": ["sqs:ReceiveMessage"], "Resource": "*"}],
}


@dataclass(slots=True)
class Stack:
    """A stack being built: its resources as the state will record them."""

    name: str
    resources: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(
        self,
        logical_id: str,
        resource_type: str,
        physical_id: str,
        properties: dict[str, Any],
        **attributes: str,
    ) -> str:
        """Record a resource that has just been created; answers its physical id."""
        self.resources[logical_id] = {
            "physicalId": physical_id,
            "resourceType": resource_type,
            "properties": properties,
            "attributes": attributes,
            "dependencies": [],
        }
        return physical_id


class World:
    """The stacks on one emulator."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator
        self._clients = Clients(region=REGION)
        self.stacks = {stack.name: stack for stack in (Stack("Shop"), Stack("Network"), Stack("Ledger"))}

    def build(self) -> None:
        """Create the resources, then capture the baseline and write the state, as a deploy does."""
        self._emulator.client("s3").create_bucket(Bucket=STATE_BUCKET)
        _build_shop(self.stacks["Shop"], self._emulator.client)
        _build_network(self.stacks["Network"], self._emulator.client)
        _build_ledger(self.stacks["Ledger"], self._emulator.client)
        with self._emulator.as_environment():
            for stack in self.stacks.values():
                self._write_state(stack)

    def physical_id(self, stack: str, logical_id: str) -> str:
        """The physical id of a recorded resource."""
        return str(self.stacks[stack].resources[logical_id]["physicalId"])

    def _write_state(self, stack: Stack) -> None:
        records = {
            name: Record(
                logical_id=name,
                resource_type=row["resourceType"],
                physical_id=row["physicalId"],
                properties=row["properties"],
                attributes=row["attributes"],
            )
            for name, row in stack.resources.items()
        }
        for name, record in records.items():
            stack.resources[name]["observedProperties"] = self._observe(record, records)
        body = {
            "version": 8,
            "stackName": stack.name,
            "region": REGION,
            "resources": stack.resources,
            "outputs": {},
            "lastModified": 1_790_000_000_000,
        }
        key = f"cdkd/{stack.name}/{REGION}/state.json"
        self._emulator.client("s3").put_object(Bucket=STATE_BUCKET, Key=key, Body=json.dumps(body))

    def _observe(self, record: Record, siblings: dict[str, Record]) -> dict[str, Any]:
        result = read_record(record, Place(region=REGION, clients=self._clients, limits=Limits()), siblings)
        assert isinstance(result, Live), f"{record.logical_id} was just created and reads back as {result}"
        text = json.dumps(dict(result.properties))
        # A deploy records the reference where a secret's value stands.
        return dict(json.loads(text.replace(DATABASE_PASSWORD, _reference())))


def _reference() -> str:
    return "{{resolve:secretsmanager:shop/database:SecretString:password}}"


def _build_shop(stack: Stack, client: Callable[[str], Any]) -> None:
    secret = client("secretsmanager").create_secret(
        Name="shop/database", SecretString=json.dumps({"password": DATABASE_PASSWORD})
    )
    stack.add("DatabaseSecret", "AWS::SecretsManager::Secret", secret["ARN"], {"Name": "shop/database"})
    for logical_id, name in (("Orders", "shop-orders"), ("OrdersRetry", "shop-orders-retry")):
        url = client("sqs").create_queue(QueueName=name, Attributes={"VisibilityTimeout": "60"})["QueueUrl"]
        stack.add(logical_id, "AWS::SQS::Queue", url, {"QueueName": name, "VisibilityTimeout": 60})
    topic = client("sns").create_topic(Name="shop-events")["TopicArn"]
    stack.add("Events", "AWS::SNS::Topic", topic, {"TopicName": "shop-events"})
    client("s3").create_bucket(Bucket="shop-invoices")
    versioning = {"Status": "Enabled"}
    client("s3").put_bucket_versioning(Bucket="shop-invoices", VersioningConfiguration=versioning)
    stack.add(
        "Invoices",
        "AWS::S3::Bucket",
        "shop-invoices",
        {"BucketName": "shop-invoices", "VersioningConfiguration": versioning},
    )
    role = _worker_role(stack, client)
    _worker(stack, client, role)


def _worker_role(stack: Stack, client: Callable[[str], Any]) -> str:
    iam = client("iam")
    role = iam.create_role(RoleName="shop-worker", AssumeRolePolicyDocument=json.dumps(_TRUST))["Role"]["Arn"]
    iam.put_role_policy(
        RoleName="shop-worker", PolicyName="read-orders", PolicyDocument=json.dumps(_READ_ORDERS)
    )
    properties = {
        "RoleName": "shop-worker",
        "AssumeRolePolicyDocument": _TRUST,
        "Policies": [{"PolicyName": "read-orders", "PolicyDocument": _READ_ORDERS}],
    }
    stack.add("WorkerRole", "AWS::IAM::Role", "shop-worker", properties, Arn=role)
    return str(role)


def _worker(stack: Stack, client: Callable[[str], Any], role: str) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as code:
        code.writestr("index.py", "def handler(event, context):\n    return 'shipped'\n")
    settings = {
        "FunctionName": "shop-worker",
        "Runtime": "python3.13",
        "Handler": "index.handler",
        "Role": role,
        "Timeout": 30,
    }
    variables = {"LOG_LEVEL": "info", "DATABASE_PASSWORD": DATABASE_PASSWORD}
    client("lambda").create_function(
        **settings, Code={"ZipFile": archive.getvalue()}, Environment={"Variables": variables}
    )
    recorded = {**variables, "DATABASE_PASSWORD": _reference()}
    stack.add(
        "Worker", "AWS::Lambda::Function", "shop-worker", {**settings, "Environment": {"Variables": recorded}}
    )


def _build_network(stack: Stack, client: Callable[[str], Any]) -> None:
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.20.0.0/16")["Vpc"]["VpcId"]
    stack.add("Vpc", "AWS::EC2::VPC", vpc, {"CidrBlock": "10.20.0.0/16"})
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.20.1.0/24")["Subnet"]["SubnetId"]
    stack.add("PrivateSubnet", "AWS::EC2::Subnet", subnet, {"VpcId": vpc, "CidrBlock": "10.20.1.0/24"})
    rule = {
        "IpProtocol": "tcp",
        "FromPort": 443,
        "ToPort": 443,
        "CidrIp": "10.20.0.0/16",
        "Description": "https",
    }
    group = ec2.create_security_group(GroupName="web", Description="web servers", VpcId=vpc)["GroupId"]
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[_permission(rule)])
    properties = {
        "GroupName": "web",
        "GroupDescription": "web servers",
        "VpcId": vpc,
        "SecurityGroupIngress": [rule],
    }
    stack.add("WebGroup", "AWS::EC2::SecurityGroup", group, properties)


def _permission(rule: dict[str, Any]) -> dict[str, Any]:
    ends = {k: rule[k] for k in ("IpProtocol", "FromPort", "ToPort")}
    return {**ends, "IpRanges": [{"CidrIp": rule["CidrIp"], "Description": rule["Description"]}]}


def _build_ledger(stack: Stack, client: Callable[[str], Any]) -> None:
    keys = {
        "KeySchema": [{"AttributeName": "entry", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "entry", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    client("dynamodb").create_table(TableName="ledger", **keys)
    stack.add("Entries", "AWS::DynamoDB::Table", "ledger", {"TableName": "ledger", **keys})
    client("logs").create_log_group(logGroupName="/ledger/audit")
    client("logs").put_retention_policy(logGroupName="/ledger/audit", retentionInDays=365)
    properties = {"LogGroupName": "/ledger/audit", "RetentionInDays": 365}
    stack.add("Audit", "AWS::Logs::LogGroup", "/ledger/audit", properties)
    client("ssm").put_parameter(Name="/ledger/currency", Value="EUR", Type="String")
    properties = {"Name": "/ledger/currency", "Type": "String", "Value": "EUR"}
    stack.add("Currency", "AWS::SSM::Parameter", "/ledger/currency", properties)
