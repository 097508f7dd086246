"""AWS CodeBuild."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from driftwarden.convert import capitalised, each, pick_camel, tag_list
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

_SOURCE: Final = pick_camel(
    "Type",
    "Location",
    "GitCloneDepth",
    "ReportBuildStatus",
    "InsecureSsl",
    "SourceIdentifier",
    BuildSpec="buildspec",
    GitSubmodulesConfig=("gitSubmodulesConfig", capitalised()),
    BuildStatusConfig=("buildStatusConfig", capitalised()),
)
_ARTIFACTS: Final = pick_camel(
    "Type",
    "Location",
    "Path",
    "NamespaceType",
    "Name",
    "Packaging",
    "OverrideArtifactName",
    "EncryptionDisabled",
    "ArtifactIdentifier",
)
_ENVIRONMENT: Final = pick_camel(
    "Type",
    "Image",
    "ComputeType",
    "PrivilegedMode",
    "Certificate",
    "ImagePullCredentialsType",
    EnvironmentVariables=("environmentVariables", each(pick_camel("Name", "Type", "Value"))),
    Fleet=("fleet", capitalised()),
    DockerServer=("dockerServer", pick_camel("ComputeType", "SecurityGroupIds")),
)
_CLOUDWATCH_LOGS: Final = pick_camel("Status", "GroupName", "StreamName")
_S3_LOGS: Final = pick_camel("Status", "Location", "EncryptionDisabled", "BucketOwnerAccess")
_BATCH: Final = pick_camel(
    "ServiceRole",
    "CombineArtifacts",
    "BatchReportMode",
    "TimeoutInMins",
    Restrictions=("restrictions", pick_camel("MaximumBuildsAllowed", "ComputeTypesAllowed")),
)


def _logs(project: Mapping[str, Any]) -> dict[str, Any]:
    logs = project.get("logsConfig", {})
    return {
        "CloudWatchLogs": {"Status": "ENABLED"} | _CLOUDWATCH_LOGS(logs.get("cloudWatchLogs", {})),
        "S3Logs": {"Status": "DISABLED"} | _S3_LOGS(logs.get("s3Logs", {})),
    }


def _vpc(config: Mapping[str, Any]) -> dict[str, Any]:
    """A project outside of a VPC is answered with an empty block."""
    if not config.get("vpcId"):
        return {}
    stated: dict[str, Any] = pick_camel("VpcId", "Subnets", "SecurityGroupIds")(config)
    return {"Subnets": [], "SecurityGroupIds": []} | stated


PROJECT = ResourceType(
    name="AWS::CodeBuild::Project",
    service="codebuild",
    calls=(Call("BatchGetProjects", {"names": ["{id}"]}, at="projects.0"),),
    camel=(
        "Name",
        "Description",
        "ServiceRole",
        "EncryptionKey",
        "SourceVersion",
        "ResourceAccessRole",
        "TimeoutInMinutes",
        "QueuedTimeoutInMinutes",
        "ConcurrentBuildLimit",
        "AutoRetryLimit",
    ),
    fields={
        "BadgeEnabled": From("main.badge.badgeEnabled", default=False),
        "Source": From("main.source", _SOURCE, default={}),
        "SecondarySources": From("main.secondarySources", each(_SOURCE), default=[]),
        "SecondarySourceVersions": From(
            "main.secondarySourceVersions", each(pick_camel("SourceIdentifier", "SourceVersion")), default=[]
        ),
        "Artifacts": From("main.artifacts", _ARTIFACTS, default={}),
        "SecondaryArtifacts": From("main.secondaryArtifacts", each(_ARTIFACTS), default=[]),
        "Environment": From(
            "main.environment",
            lambda environment: {"EnvironmentVariables": []} | _ENVIRONMENT(environment),
            default={"EnvironmentVariables": []},
        ),
        "LogsConfig": From("main", _logs),
        "Cache": From(
            "main.cache",
            lambda cache: (
                {"Type": "NO_CACHE"} | pick_camel("Type", "Location", "Modes", "CacheNamespace")(cache)
            ),
            default={"Type": "NO_CACHE"},
        ),
        "VpcConfig": From("main.vpcConfig", _vpc, default={}),
        "FileSystemLocations": From(
            "main.fileSystemLocations",
            each(pick_camel("Type", "Location", "MountPoint", "Identifier", "MountOptions")),
            default=[],
        ),
        "BuildBatchConfig": From("main.buildBatchConfig", _BATCH, default={}),
        "Tags": From("main.tags", tag_list, default=[]),
    },
    placeholders={
        "Description": "",
        "ServiceRole": "",
        "EncryptionKey": "",
        "SourceVersion": "",
        "ResourceAccessRole": "",
    },
    compared=TypeFacts(
        kinds={"Environment.EnvironmentVariables": Keyed(("Name",))}, never_read_back=("Source.Auth",)
    ),
)

TYPES = (PROJECT,)
