"""Lambda functions and layer versions."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone
from tests.recordings.conftest import Answers, Read, live, unreadable

SUB_CALLS = (
    "GetFunctionRecursionConfig",
    "GetFunctionConcurrency",
    "GetRuntimeManagementConfig",
    "GetFunctionCodeSigningConfig",
)


def configuration(**members: Any) -> dict[str, Any]:
    return {"Configuration": {"FunctionName": "app", "PackageType": "Zip", **members}}


@pytest.fixture
def function(answers: Answers) -> Answers:
    """A plain function, with nothing configured beside it."""
    answers["lambda:GetFunction"] = configuration()
    for operation in SUB_CALLS:
        answers[f"lambda:{operation}"] = {}
    return answers


def test_a_plain_function_has_every_placeholder(function: Answers, read: Read) -> None:
    assert live(read("AWS::Lambda::Function", "app")) == {
        "FunctionName": "app",
        "PackageType": "Zip",
        "Description": "",
        "Environment": {"Variables": {}},
        "Layers": [],
        "Architectures": [],
        "TracingConfig": {"Mode": "PassThrough"},
        "VpcConfig": {"SubnetIds": [], "SecurityGroupIds": [], "Ipv6AllowedForDualStack": False},
        "Tags": [],
    }


def test_a_full_function_reads_back_in_cloudformation_shape(function: Answers, read: Read) -> None:
    function["lambda:GetFunction"] = {
        **configuration(
            Runtime="python3.13",
            Handler="app.main",
            Role="arn:aws:iam::111122223333:role/app",
            Timeout=5,
            MemorySize=256,
            Description="d",
            Environment={"Variables": {"A": "1"}},
            Layers=[{"Arn": "arn:layer:1", "CodeSize": 3}],
            Architectures=["arm64"],
            TracingConfig={"Mode": "Active"},
            EphemeralStorage={"Size": 1024},
            VpcConfig={"SubnetIds": ["subnet-1"], "SecurityGroupIds": ["sg-1"], "VpcId": "vpc-1"},
            DeadLetterConfig={"TargetArn": "arn:dlq"},
            KMSKeyArn="arn:key",
            FileSystemConfigs=[{"Arn": "arn:fs", "LocalMountPath": "/mnt/a"}],
            SnapStart={"ApplyOn": "PublishedVersions", "OptimizationStatus": "On"},
            LoggingConfig={"LogFormat": "JSON", "LogGroup": "/g"},
            DurableConfig={"ExecutionTimeout": 9},
            TenancyConfig={"TenantIsolationMode": "PER_TENANT"},
        ),
        "Tags": {"team": "red", "aws:cloudformation:stack-name": "s", "Env": "p"},
    }
    function["lambda:GetFunctionRecursionConfig"] = {"RecursiveLoop": "Terminate"}
    function["lambda:GetFunctionConcurrency"] = {"ReservedConcurrentExecutions": 0}
    function["lambda:GetRuntimeManagementConfig"] = {
        "UpdateRuntimeOn": "Manual",
        "RuntimeVersionArn": "arn:v",
    }
    function["lambda:GetFunctionCodeSigningConfig"] = {
        "CodeSigningConfigArn": "arn:csc",
        "FunctionName": "app",
    }
    assert live(read("AWS::Lambda::Function", "app")) == {
        "FunctionName": "app",
        "PackageType": "Zip",
        "Runtime": "python3.13",
        "Handler": "app.main",
        "Role": "arn:aws:iam::111122223333:role/app",
        "Timeout": 5,
        "MemorySize": 256,
        "Description": "d",
        "Environment": {"Variables": {"A": "1"}},
        "Layers": ["arn:layer:1"],
        "Architectures": ["arm64"],
        "TracingConfig": {"Mode": "Active"},
        "EphemeralStorage": {"Size": 1024},
        "VpcConfig": {
            "SubnetIds": ["subnet-1"],
            "SecurityGroupIds": ["sg-1"],
            "Ipv6AllowedForDualStack": False,
        },
        "DeadLetterConfig": {"TargetArn": "arn:dlq"},
        "KmsKeyArn": "arn:key",
        "FileSystemConfigs": [{"Arn": "arn:fs", "LocalMountPath": "/mnt/a"}],
        "SnapStart": {"ApplyOn": "PublishedVersions"},
        "LoggingConfig": {"LogFormat": "JSON", "LogGroup": "/g"},
        "DurableConfig": {"ExecutionTimeout": 9},
        "TenancyConfig": {"TenantIsolationMode": "PER_TENANT"},
        "Tags": [{"Key": "Env", "Value": "p"}, {"Key": "team", "Value": "red"}],
        "RecursiveLoop": "Terminate",
        "ReservedConcurrentExecutions": 0,
        "RuntimeManagementConfig": {"UpdateRuntimeOn": "Manual", "RuntimeVersionArn": "arn:v"},
        "CodeSigningConfigArn": "arn:csc",
    }


def test_an_image_function_shows_its_image_and_is_not_asked_about_runtime_or_signing(
    function: Answers, read: Read
) -> None:
    function["lambda:GetFunction"] = {
        **configuration(
            PackageType="Image",
            ImageConfigResponse={"ImageConfig": {"Command": ["run"], "EntryPoint": ["/x"]}},
        ),
        "Code": {"ImageUri": "repo:1", "ResolvedImageUri": "repo@sha256:0", "RepositoryType": "ECR"},
    }
    properties = live(read("AWS::Lambda::Function", "app"))
    assert properties["Code"] == {"ImageUri": "repo:1"}
    assert properties["ImageConfig"] == {"EntryPoint": ["/x"], "Command": ["run"]}
    assert not function.asked("lambda:GetRuntimeManagementConfig")
    assert not function.asked("lambda:GetFunctionCodeSigningConfig")


@pytest.mark.parametrize(
    ("member", "value", "lost"),
    [
        ("LoggingConfig", {"LogGroup": "/g"}, "LoggingConfig"),
        ("SnapStart", {"OptimizationStatus": "Off"}, "SnapStart"),
        ("FileSystemConfigs", [], "FileSystemConfigs"),
        ("DeadLetterConfig", {}, "DeadLetterConfig"),
    ],
)
def test_a_block_without_its_deciding_member_is_left_out(
    function: Answers, read: Read, member: str, value: object, lost: str
) -> None:
    function["lambda:GetFunction"] = configuration(**{member: value})
    assert lost not in live(read("AWS::Lambda::Function", "app"))


def test_a_function_that_lambda_does_not_know_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("lambda:GetFunction", "ResourceNotFoundException", status=404)
    assert isinstance(read("AWS::Lambda::Function", "app"), Gone)


def test_an_answer_without_configuration_is_unreadable_and_never_a_deletion(
    answers: Answers, read: Read
) -> None:
    answers["lambda:GetFunction"] = {"Tags": {"a": "b"}}
    assert unreadable(read("AWS::Lambda::Function", "app")).empty_answer


@pytest.mark.parametrize("operation", ["GetFunction", *SUB_CALLS])
def test_any_denied_call_is_unreadable_and_names_its_action(
    function: Answers, read: Read, operation: str
) -> None:
    function.fails(f"lambda:{operation}", "AccessDeniedException", status=403)
    assert unreadable(read("AWS::Lambda::Function", "app")).action == f"lambda:{operation}"


@pytest.mark.parametrize("operation", SUB_CALLS)
def test_a_setting_that_lambda_does_not_find_is_left_out(
    function: Answers, read: Read, operation: str
) -> None:
    function.fails(f"lambda:{operation}", "ResourceNotFoundException", status=404)
    assert live(read("AWS::Lambda::Function", "app"))["FunctionName"] == "app"


def test_throttling_that_outlasts_the_retries_is_unreadable(function: Answers, read: Read) -> None:
    function.fails("lambda:GetFunctionConcurrency", "TooManyRequestsException", status=429)
    assert unreadable(read("AWS::Lambda::Function", "app")).code == "TooManyRequestsException"


def test_a_reset_connection_is_unreadable(function: Answers, read: Read) -> None:
    function.breaks("lambda:GetFunction")
    assert unreadable(read("AWS::Lambda::Function", "app")).operation == "lambda:GetFunction"


def test_a_layer_version_shows_only_what_is_set(answers: Answers, read: Read) -> None:
    answers["lambda:GetLayerVersionByArn"] = {
        "Description": "",
        "CompatibleRuntimes": ["python3.13"],
        "CompatibleArchitectures": [],
        "Version": 3,
    }
    assert live(
        read("AWS::Lambda::LayerVersion", "arn:aws:lambda:eu-central-1:111122223333:layer:app:3")
    ) == {
        "LayerName": "app",
        "CompatibleRuntimes": ["python3.13"],
    }


def test_a_denied_layer_version_names_the_action_that_iam_knows(answers: Answers, read: Read) -> None:
    answers.fails("lambda:GetLayerVersionByArn", "AccessDeniedException", status=403)
    result = unreadable(
        read("AWS::Lambda::LayerVersion", "arn:aws:lambda:eu-central-1:111122223333:layer:app:3")
    )
    assert result.action == "lambda:GetLayerVersion"


def test_a_microvm_image_takes_its_tags_from_the_tag_call(answers: Answers, read: Read) -> None:
    answers["lambda-microvms:GetMicrovmImage"] = {"name": "app", "state": "CREATED", "tags": {"old": "1"}}
    answers["lambda-microvms:ListTags"] = {}
    image = "arn:aws:lambda:eu-central-1:111122223333:microvm-image:app"
    assert live(read("AWS::Lambda::MicrovmImage", image)) == {"Name": "app", "Tags": []}
