"""Lambda functions and what their code is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer
from driftwarden.convert import completed, each, every, holding, if_any, non_empty, pick, tag_list, tag_map
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Tags, To, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE: Final = ("ResourceNotFoundException",)
_NO_VPC: Final = {"SubnetIds": [], "SecurityGroupIds": [], "Ipv6AllowedForDualStack": False}


def _configuration(answer: Any, _: Reading) -> Any:
    """The configuration with what stands beside it in the answer."""
    configuration = answer.get("Configuration")
    if not configuration:
        raise EmptyAnswer("lambda:GetFunction", "Configuration")
    return {**configuration, "Code": answer.get("Code"), "Tags": answer.get("Tags")}


def _is_no_image(reading: Reading) -> bool:
    """Container images have no managed runtime, and cannot be signed."""
    return bool(reading.get("main.PackageType") != "Image")


def _logging(config: Any) -> Any:
    picked = pick("LogFormat", "ApplicationLogLevel", "SystemLogLevel", "LogGroup")(config)
    return picked if "LogFormat" in picked else ABSENT


def _runtime_management(config: Any) -> Any:
    return pick("UpdateRuntimeOn", "RuntimeVersionArn")(config) if config.get("UpdateRuntimeOn") else ABSENT


_FUNCTION: Final = {"FunctionName": "{id}"}

_DEFAULTS: Final = {
    "Timeout": 3,
    "MemorySize": 128,
    "Description": "",
    "KmsKeyArn": "",
    "Layers": [],
    "FileSystemConfigs": [],
    "Environment": {"Variables": {}},
    "TracingConfig": {"Mode": "PassThrough"},
    "EphemeralStorage": {"Size": 512},
    "VpcConfig": {"SubnetIds": [], "SecurityGroupIds": []},
    "DeadLetterConfig": {"TargetArn": ""},
    "ImageConfig": {},
    "SnapStart": {"ApplyOn": "None"},
    "LoggingConfig": {"LogFormat": "Text"},
}
"""What a function has without being told (UpdateFunctionConfiguration reference)."""


def _settled(update: Update) -> bool:
    """While an update is under way, Lambda refuses the next. Raises UpdateFailed where it came to nothing."""
    status = update.get("main.LastUpdateStatus", "Successful")
    if status == "Failed":
        reason = update.get("main.LastUpdateStatusReasonCode", "no reason given")
        raise UpdateFailed(f"Lambda could not apply the configuration to {update.id} ({reason})")
    return bool(status == "Successful")


def _stops_or_starts(desired: Any, live: Any) -> bool:
    return 0 in (desired, live)


def _unprotected(desired: Any, _: Any) -> bool:
    return desired is ABSENT or not desired


FUNCTION = ResourceType(
    name="AWS::Lambda::Function",
    service="lambda",
    gone=_GONE,
    calls=(
        Call("GetFunction", {"FunctionName": "{id}"}, at=_configuration),
        Call("GetFunctionRecursionConfig", {"FunctionName": "{id}"}, into="recursion", absent=_GONE),
        Call("GetFunctionConcurrency", {"FunctionName": "{id}"}, into="concurrency", absent=_GONE),
        Call(
            "GetRuntimeManagementConfig",
            {"FunctionName": "{id}"},
            into="runtime",
            absent=_GONE,
            when=_is_no_image,
        ),
        Call(
            "GetFunctionCodeSigningConfig",
            {"FunctionName": "{id}"},
            into="signing",
            absent=_GONE,
            when=_is_no_image,
        ),
    ),
    same=("FunctionName", "Runtime", "Handler", "Role", "Timeout", "MemorySize", "PackageType"),
    fields={
        "Description": From("main.Description", default=""),
        "Environment": From("main.Environment.Variables", holding("Variables"), default={"Variables": {}}),
        "Layers": From("main.Layers", every("Arn"), default=[]),
        "Architectures": From("main.Architectures", default=[]),
        "Code": From("main.Code.ImageUri", holding("ImageUri")),
        "TracingConfig": From("main.TracingConfig.Mode", holding("Mode"), default={"Mode": "PassThrough"}),
        "EphemeralStorage": From("main.EphemeralStorage.Size", holding("Size")),
        "VpcConfig": From("main.VpcConfig", completed(_NO_VPC), default=_NO_VPC),
        "DeadLetterConfig": From("main.DeadLetterConfig.TargetArn", holding("TargetArn")),
        "KmsKeyArn": "main.KMSKeyArn",
        "FileSystemConfigs": From("main.FileSystemConfigs", non_empty(each(pick("Arn", "LocalMountPath")))),
        "ImageConfig": From(
            "main.ImageConfigResponse.ImageConfig",
            if_any(pick("EntryPoint", "Command", "WorkingDirectory")),
        ),
        "SnapStart": From("main.SnapStart.ApplyOn", holding("ApplyOn")),
        "LoggingConfig": From("main.LoggingConfig", _logging),
        "DurableConfig": From(
            "main.DurableConfig", if_any(pick("ExecutionTimeout", "RetentionPeriodInDays"))
        ),
        "TenancyConfig": From("main.TenancyConfig", pick("TenantIsolationMode")),
        "Tags": From("main.Tags", tag_list, default=[]),
        "RecursiveLoop": "recursion.RecursiveLoop",
        "ReservedConcurrentExecutions": "concurrency.ReservedConcurrentExecutions",
        "RuntimeManagementConfig": From("runtime", _runtime_management),
        "CodeSigningConfigArn": "signing.CodeSigningConfigArn",
    },
    compared=TypeFacts(
        kinds={"Layers": Kind.ORDERED},
        never_read_back=("Code",),
        defaults={"PackageType": "Zip", "TracingConfig.Mode": "PassThrough", "MemorySize": 128, "Timeout": 3},
        users_own=(
            "Environment",
            "Environment.Variables",
            "Layers",
            "Description",
            "DeadLetterConfig",
            "ReservedConcurrentExecutions",
        ),
    ),
    writes=(
        Write(
            "UpdateFunctionConfiguration",
            _FUNCTION,
            same=("Runtime", "Handler", "Role"),
            sets={
                **{name: To(name) for name in _DEFAULTS if name != "KmsKeyArn"},
                "KmsKeyArn": To("KMSKeyArn"),
                "DurableConfig": To("DurableConfig"),
            },
            unset=_DEFAULTS,
            ready=_settled,
        ),
        Write(
            "PutFunctionRecursionConfig",
            _FUNCTION,
            sets={"RecursiveLoop": "RecursiveLoop"},
            unset={"RecursiveLoop": "Terminate"},
        ),
        Write(
            "PutFunctionConcurrency",
            _FUNCTION,
            sets={"ReservedConcurrentExecutions": "ReservedConcurrentExecutions"},
        ),
        Write("DeleteFunctionConcurrency", _FUNCTION, removes=("ReservedConcurrentExecutions",)),
        Write(
            "PutFunctionCodeSigningConfig", _FUNCTION, sets={"CodeSigningConfigArn": "CodeSigningConfigArn"}
        ),
        Write("DeleteFunctionCodeSigningConfig", _FUNCTION, removes=("CodeSigningConfigArn",)),
        Write(
            "PutRuntimeManagementConfig",
            _FUNCTION,
            sets={
                "RuntimeManagementConfig.UpdateRuntimeOn": To("UpdateRuntimeOn"),
                "RuntimeManagementConfig.RuntimeVersionArn": To("RuntimeVersionArn"),
            },
            unset={"RuntimeManagementConfig.UpdateRuntimeOn": "Auto"},
            style="whole",
        ),
        Tags("TagResource", "UntagResource", {"Resource": "{main.FunctionArn}"}, pairs=tag_map),
    ),
    refuses={
        "DurableConfig": Caution(
            "it can be changed, but neither given to a function nor taken from one",
            lambda desired, live: not (isinstance(desired, dict) and isinstance(live, dict)),
        )
    },
    warns={
        "Runtime": "code that was deployed since may not run on it",
        "Layers": "code that was deployed since may not run with them",
        "Role": "the function gets other permissions",
        "ReservedConcurrentExecutions": Caution(
            "with 0 a function is stopped, so it stops, or starts again though somebody stopped it",
            _stops_or_starts,
        ),
        "CodeSigningConfigArn": Caution("unsigned code can be deployed", _unprotected),
        "VpcConfig": "the function has no network for up to a minute, and needs free addresses there",
    },
)

LAYER_VERSION = ResourceType(
    name="AWS::Lambda::LayerVersion",
    service="lambda",
    gone=_GONE,
    calls=(Call("GetLayerVersionByArn", {"Arn": "{id}"}),),
    fields={
        "LayerName": lambda reading: (reading.id.split(":") + [ABSENT] * 7)[6],
        "Description": From("main.Description", non_empty()),
        "LicenseInfo": From("main.LicenseInfo", non_empty()),
        "CompatibleRuntimes": From("main.CompatibleRuntimes", non_empty()),
        "CompatibleArchitectures": From("main.CompatibleArchitectures", non_empty()),
    },
)

MICROVM_IMAGE = ResourceType(
    name="AWS::Lambda::MicrovmImage",
    service="lambda-microvms",
    gone=_GONE,
    calls=(
        Call("GetMicrovmImage", {"imageIdentifier": "{id}"}),
        Call("ListTags", {"Resource": "{id}"}, at="Tags", into="tags"),
    ),
    camel=("Name",),
    fields={"Tags": From("tags", tag_list, default=[])},
    writes=(Tags("TagResource", "UntagResource", {"Resource": "{id}"}, pairs=tag_map),),
)
