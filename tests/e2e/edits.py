"""What somebody changes by hand, behind the state's back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.e2e.emulator import Emulator
from tests.e2e.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change in the live account: where, in plain words, and the path at which a report must show it."""

    stack: str
    logical_id: str
    what: str
    path: str
    make: Callable[[Emulator, str], Any]


def _backdoor(emulator: Emulator, role: str) -> None:
    everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    emulator.client("iam").put_role_policy(
        RoleName=role,
        PolicyName="break-glass",
        PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [everything]}),
    )


def _open_ssh(emulator: Emulator, group: str) -> None:
    world = {"CidrIp": "0.0.0.0/0", "Description": "temporary"}
    rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [world]}
    emulator.client("ec2").authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])


def _public_addresses(emulator: Emulator, subnet: str) -> None:
    emulator.client("ec2").modify_subnet_attribute(SubnetId=subnet, MapPublicIpOnLaunch={"Value": True})


def _suspend_versioning(emulator: Emulator, bucket: str) -> None:
    emulator.client("s3").put_bucket_versioning(
        Bucket=bucket, VersioningConfiguration={"Status": "Suspended"}
    )


def _debug_logging(emulator: Emulator, function: str) -> None:
    client = emulator.client("lambda")
    variables = client.get_function_configuration(FunctionName=function)["Environment"]["Variables"]
    client.update_function_configuration(
        FunctionName=function, Environment={"Variables": {**variables, "LOG_LEVEL": "debug"}}
    )


def _delete_queue(emulator: Emulator, url: str) -> None:
    emulator.client("sqs").delete_queue(QueueUrl=url)


EDITS: Final = (
    Edit(
        stack="Shop",
        logical_id="WorkerRole",
        what="give the worker's role a second inline policy that allows everything",
        path="Policies",
        make=_backdoor,
    ),
    Edit(
        stack="Shop",
        logical_id="Invoices",
        what="suspend the versioning of the invoices bucket",
        path="VersioningConfiguration.Status",
        make=_suspend_versioning,
    ),
    Edit(
        stack="Shop",
        logical_id="Worker",
        what="change an environment variable of the worker function",
        path="Environment.Variables.LOG_LEVEL",
        make=_debug_logging,
    ),
    Edit(
        stack="Shop",
        logical_id="OrdersRetry",
        what="delete the retry queue",
        path="",
        make=_delete_queue,
    ),
    Edit(
        stack="Network",
        logical_id="WebGroup",
        what="open ssh to the whole world in the web security group",
        path="SecurityGroupIngress",
        make=_open_ssh,
    ),
    Edit(
        stack="Network",
        logical_id="PrivateSubnet",
        what="give public addresses to whatever starts in the private subnet",
        path="MapPublicIpOnLaunch",
        make=_public_addresses,
    ),
)
"""A path of "" means: the resource is gone."""


def make_all(emulator: Emulator, world: World) -> None:
    """Make every edit."""
    for edit in EDITS:
        edit.make(emulator, world.physical_id(edit.stack, edit.logical_id))
