"""Lambda: the requests for what no emulator keeps, made from Lambda's answers and checked by its model."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.remedy.writes import push, unwritable
from driftwarden.resources.registry import find
from tests.lifecycle.requests import Requests, a_record, member, sent, update_of

NAME = {"FunctionName": "worker"}
ARN = "arn:aws:lambda:us-east-1:123456789012:function:worker"
SIGNING = "arn:aws:lambda:us-east-1:123456789012:code-signing-config:csc-0123456789abcdef0"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:failed"
CONFIGURATION = {
    "FunctionName": "worker",
    "FunctionArn": ARN,
    "Runtime": "python3.12",
    "Handler": "index.handler",
    "LastUpdateStatus": "Successful",
}
ANSWERS = {
    "GetFunction": {"Configuration": CONFIGURATION},
    "GetFunctionConcurrency": {},
    "GetRuntimeManagementConfig": {"UpdateRuntimeOn": "Auto"},
}


def function_sent(wanted: dict[str, Any], **live: Any) -> Requests:
    answers = {**ANSWERS, "GetFunction": {"Configuration": {**CONFIGURATION, **live}}}
    return sent(a_record("AWS::Lambda::Function", "worker"), answers, wanted)


@pytest.mark.parametrize("nothing", [ABSENT, {}, ""], ids=repr)
@pytest.mark.parametrize(
    ("name", "at", "default"),
    [
        ("Timeout", "Timeout", 3),
        ("MemorySize", "MemorySize", 128),
        ("Description", "Description", ""),
        ("KmsKeyArn", "KMSKeyArn", ""),
        ("Layers", "Layers", []),
        ("FileSystemConfigs", "FileSystemConfigs", []),
        ("Environment", "Environment", {"Variables": {}}),
        ("TracingConfig", "TracingConfig", {"Mode": "PassThrough"}),
        ("EphemeralStorage", "EphemeralStorage", {"Size": 512}),
        ("VpcConfig", "VpcConfig", {"SubnetIds": [], "SecurityGroupIds": []}),
        ("DeadLetterConfig", "DeadLetterConfig", {"TargetArn": ""}),
        ("ImageConfig", "ImageConfig", {}),
        ("SnapStart", "SnapStart", {"ApplyOn": "None"}),
        ("LoggingConfig", "LoggingConfig", {"LogFormat": "Text"}),
    ],
)
def test_what_was_not_recorded_gets_its_default_and_no_placeholder(
    name: str, at: str, default: Any, nothing: Any
) -> None:
    assert function_sent({name: nothing}) == [("UpdateFunctionConfiguration", {**NAME, at: default})]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Layers", ["arn:aws:lambda:us-east-1:123456789012:layer:tools:3"]),
        ("TracingConfig", {"Mode": "Active"}),
        ("EphemeralStorage", {"Size": 1024}),
        (
            "VpcConfig",
            {"SubnetIds": ["subnet-1"], "SecurityGroupIds": ["sg-1"], "Ipv6AllowedForDualStack": False},
        ),
        ("DeadLetterConfig", {"TargetArn": QUEUE}),
        (
            "FileSystemConfigs",
            [
                {
                    "Arn": "arn:aws:elasticfilesystem:us-east-1:123456789012:access-point/fsap-01234567",
                    "LocalMountPath": "/mnt/a",
                }
            ],
        ),
        ("ImageConfig", {"Command": ["run"]}),
        ("SnapStart", {"ApplyOn": "PublishedVersions"}),
        ("LoggingConfig", {"LogFormat": "JSON", "ApplicationLogLevel": "INFO", "LogGroup": "/shop"}),
    ],
)
def test_a_structure_goes_back_as_it_was_recorded(name: str, value: Any) -> None:
    assert function_sent({name: value}) == [("UpdateFunctionConfiguration", {**NAME, name: value})]


def test_the_next_request_waits_until_the_update_has_ended() -> None:
    busy = {"Configuration": {**CONFIGURATION, "LastUpdateStatus": "InProgress"}}
    done = {"Configuration": CONFIGURATION}
    record = a_record("AWS::Lambda::Function", "worker")
    wanted = {"Timeout": 5, "ReservedConcurrentExecutions": 2}
    answers = {**ANSWERS, "GetFunction": [done, busy, done]}
    with update_of(record, answers, wanted) as (update, requests):
        push(update)
        assert update.get("main.LastUpdateStatus") == "Successful"
    assert [name for name, _ in requests] == ["UpdateFunctionConfiguration", "PutFunctionConcurrency"]


def test_nothing_more_is_sent_to_a_function_that_stays_busy() -> None:
    busy = {"Configuration": {**CONFIGURATION, "LastUpdateStatus": "InProgress"}}
    record = a_record("AWS::Lambda::Function", "worker")
    answers = {**ANSWERS, "GetFunction": busy}
    wanted = {"Timeout": 5, "ReservedConcurrentExecutions": 2}
    with (
        update_of(record, answers, wanted) as (update, requests),
        pytest.raises(UpdateFailed, match="still being updated"),
    ):
        push(update)
    assert [name for name, _ in requests] == ["UpdateFunctionConfiguration"]


def test_an_update_that_lambda_could_not_apply_is_a_failure() -> None:
    failed = {
        **CONFIGURATION,
        "LastUpdateStatus": "Failed",
        "LastUpdateStatusReasonCode": "SubnetOutOfIPAddresses",
    }
    record = a_record("AWS::Lambda::Function", "worker")
    answers = {**ANSWERS, "GetFunction": [{"Configuration": CONFIGURATION}, {"Configuration": failed}]}
    with (
        update_of(record, answers, {"Timeout": 5}) as (update, _),
        pytest.raises(UpdateFailed, match="SubnetOutOfIPAddresses"),
    ):
        push(update)


def test_the_order_of_a_functions_requests() -> None:
    requests = function_sent(
        {
            "Timeout": 5,
            "RecursiveLoop": "Allow",
            "ReservedConcurrentExecutions": 0,
            "CodeSigningConfigArn": SIGNING,
            "RuntimeManagementConfig": {"UpdateRuntimeOn": "FunctionUpdate"},
            "Tags": [{"Key": "team", "Value": "shop"}],
        }
    )
    assert [name for name, _ in requests] == [
        "UpdateFunctionConfiguration",
        "PutFunctionRecursionConfig",
        "PutFunctionConcurrency",
        "PutFunctionCodeSigningConfig",
        "PutRuntimeManagementConfig",
        "TagResource",
    ]
    assert member(requests, "PutFunctionConcurrency", "ReservedConcurrentExecutions") == 0
    assert member(requests, "TagResource", "Tags") == {"team": "shop"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RecursiveLoop", ("PutFunctionRecursionConfig", {**NAME, "RecursiveLoop": "Terminate"})),
        ("ReservedConcurrentExecutions", ("DeleteFunctionConcurrency", NAME)),
        ("CodeSigningConfigArn", ("DeleteFunctionCodeSigningConfig", NAME)),
    ],
)
@pytest.mark.parametrize("nothing", ["", None, ABSENT], ids=repr)
def test_what_has_a_request_of_its_own_is_unset_by_it(
    name: str, expected: tuple[str, Any], nothing: Any
) -> None:
    assert function_sent({name: nothing}) == [expected]


def test_a_pinned_runtime_goes_back_with_its_version_and_an_automatic_one_without() -> None:
    version = "arn:aws:lambda:us-east-1::runtime:" + "0" * 64
    pinned = {"UpdateRuntimeOn": "Manual", "RuntimeVersionArn": version}
    record = a_record("AWS::Lambda::Function", "worker")
    assert function_sent({"RuntimeManagementConfig": pinned}) == [
        ("PutRuntimeManagementConfig", {**NAME, **pinned})
    ]
    answers = {**ANSWERS, "GetRuntimeManagementConfig": pinned}
    for automatic in ({"UpdateRuntimeOn": "Auto"}, ABSENT):
        requests = sent(record, answers, {"RuntimeManagementConfig": automatic})
        assert requests == [("PutRuntimeManagementConfig", {**NAME, "UpdateRuntimeOn": "Auto"})]


UUID = "01234567-89ab-cdef-0123-456789abcdef"
MAPPING = {"UUID": UUID, "EventSourceMappingArn": f"{ARN}:mapping", "State": "Enabled", "BatchSize": 10}


def mapping_sent(wanted: dict[str, Any], **live: Any) -> Requests:
    answers = {"GetEventSourceMapping": {**MAPPING, **live}}
    return sent(a_record("AWS::Lambda::EventSourceMapping", UUID), answers, wanted)


@pytest.mark.parametrize("nothing", [ABSENT, {}, ""], ids=repr)
@pytest.mark.parametrize(
    ("name", "at", "default"),
    [
        ("FilterCriteria", "FilterCriteria", {}),
        ("DestinationConfig", "DestinationConfig", {}),
        ("ScalingConfig", "ScalingConfig", {}),
        ("SourceAccessConfigurations", "SourceAccessConfigurations", []),
        ("FunctionResponseTypes", "FunctionResponseTypes", []),
        ("MetricsConfig", "MetricsConfig", {"Metrics": []}),
        ("KmsKeyArn", "KMSKeyArn", ""),
        ("MaximumRetryAttempts", "MaximumRetryAttempts", -1),
        ("MaximumRecordAgeInSeconds", "MaximumRecordAgeInSeconds", -1),
        ("MaximumBatchingWindowInSeconds", "MaximumBatchingWindowInSeconds", 0),
        ("TumblingWindowInSeconds", "TumblingWindowInSeconds", 0),
        ("ParallelizationFactor", "ParallelizationFactor", 1),
        ("BisectBatchOnFunctionError", "BisectBatchOnFunctionError", False),
    ],
)
def test_a_mapping_without_a_recorded_setting_gets_the_default(
    name: str, at: str, default: Any, nothing: Any
) -> None:
    assert mapping_sent({name: nothing}) == [("UpdateEventSourceMapping", {"UUID": UUID, at: default})]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FilterCriteria", {"Filters": [{"Pattern": "{}"}]}),
        ("DestinationConfig", {"OnFailure": {"Destination": QUEUE}}),
        ("ScalingConfig", {"MaximumConcurrency": 5}),
        ("FunctionResponseTypes", ["ReportBatchItemFailures"]),
        ("FunctionName", "other"),
        ("Enabled", False),
    ],
)
def test_only_the_drifted_setting_of_a_mapping_is_sent(name: str, value: Any) -> None:
    assert mapping_sent({name: value}) == [("UpdateEventSourceMapping", {"UUID": UUID, name: value})]


def test_the_tags_of_a_mapping_go_back_when_it_has_stopped_changing() -> None:
    record = a_record("AWS::Lambda::EventSourceMapping", UUID)
    answers = {
        "GetEventSourceMapping": [MAPPING, {**MAPPING, "State": "Updating"}, MAPPING],
        "ListTags": {"Tags": {"old": "1"}},
    }
    requests = sent(record, answers, {"BatchSize": 5, "Tags": [{"Key": "team", "Value": "shop"}]})
    assert requests == [
        ("UpdateEventSourceMapping", {"UUID": UUID, "BatchSize": 5}),
        ("UntagResource", {"Resource": f"{ARN}:mapping", "TagKeys": ["old"]}),
        ("TagResource", {"Resource": f"{ARN}:mapping", "Tags": {"team": "shop"}}),
    ]


@pytest.mark.parametrize("name", ["BatchSize", "FunctionName", "Queues", "Topics"])
def test_a_mapping_setting_without_a_default_is_not_unset(name: str) -> None:
    spec = find("AWS::Lambda::EventSourceMapping")
    assert spec is not None
    assert unwritable(spec, name, {}) != ""


def test_the_settings_of_asynchronous_invocations_go_back_together() -> None:
    live = {
        "MaximumRetryAttempts": 0,
        "MaximumEventAgeInSeconds": 60,
        "DestinationConfig": {"OnFailure": {"Destination": QUEUE}},
    }
    requests = sent(
        a_record("AWS::Lambda::EventInvokeConfig", "worker|live"),
        {"GetFunctionEventInvokeConfig": live},
        {"MaximumRetryAttempts": 2},
    )
    assert requests == [
        ("PutFunctionEventInvokeConfig", {**NAME, "Qualifier": "live", **live, "MaximumRetryAttempts": 2})
    ]


def test_a_setting_of_asynchronous_invocations_that_was_not_recorded_is_left_out() -> None:
    live = {"MaximumRetryAttempts": 0, "DestinationConfig": {"OnFailure": {"Destination": QUEUE}}}
    requests = sent(
        a_record("AWS::Lambda::EventInvokeConfig", "worker|$LATEST"),
        {"GetFunctionEventInvokeConfig": live},
        {"DestinationConfig": ABSENT},
    )
    assert requests == [("PutFunctionEventInvokeConfig", {**NAME, "MaximumRetryAttempts": 0})]


URL = {
    "FunctionArn": ARN,
    "AuthType": "AWS_IAM",
    "InvokeMode": "RESPONSE_STREAM",
    "Cors": {"AllowOrigins": ["*"]},
}
NO_CORS: dict[str, list[str]] = {
    name: [] for name in ("AllowHeaders", "AllowMethods", "AllowOrigins", "ExposeHeaders")
}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"InvokeMode": ""}, {"InvokeMode": "BUFFERED"}),
        ({"InvokeMode": ABSENT}, {"InvokeMode": "BUFFERED"}),
        ({"Cors": NO_CORS}, {"Cors": {}}),
        ({"Cors": ABSENT}, {"Cors": {}}),
        ({"AuthType": "NONE"}, {"AuthType": "NONE"}),
    ],
)
def test_of_an_address_only_what_drifted_is_sent(wanted: dict[str, Any], expected: dict[str, Any]) -> None:
    record = a_record("AWS::Lambda::Url", "worker", Qualifier="live")
    requests = sent(record, {"GetFunctionUrlConfig": URL}, wanted)
    assert requests == [("UpdateFunctionUrlConfig", {**NAME, "Qualifier": "live", **expected})]


@pytest.mark.parametrize("nothing", ["", None, ABSENT], ids=repr)
def test_authentication_is_never_defaulted(nothing: Any) -> None:
    spec = find("AWS::Lambda::Url")
    assert spec is not None
    assert unwritable(spec, "AuthType", {"AuthType": nothing}) != ""


def test_the_tags_of_an_image_go_back() -> None:
    requests = sent(
        a_record("AWS::Lambda::MicrovmImage", "arn:aws:lambda:us-east-1:123456789012:microvm-image:tools"),
        {"GetMicrovmImage": {"name": "tools"}, "ListTags": {"Tags": {"old": "1"}}},
        {"Tags": [{"Key": "team", "Value": "shop"}]},
    )
    assert [name for name, _ in requests] == ["UntagResource", "TagResource"]


def test_a_layer_version_is_never_updated() -> None:
    spec = find("AWS::Lambda::LayerVersion")
    assert spec is not None
    assert spec.writes == ()
