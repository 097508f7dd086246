"""Jobs, crawlers, triggers, workflows and what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import Converter, completed, each, inside, pick, renamed, tag_list
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("EntityNotFoundException",)


def _name(reading: Reading) -> Any:
    return reading.get("main.Name", reading.id)


def _arn(kind: str) -> Callable[[Reading], str]:
    """Glue answers no ARNs; they are made of the caller's partition and account."""

    def make(reading: Reading) -> str:
        caller = reading.get("caller.Arn", "")
        partition = caller.split(":")[1] if caller.startswith("arn:") else "aws"
        account = reading.get("caller.Account", "")
        return f"arn:{partition}:glue:{reading.region}:{account}:{kind}/{_name(reading)}"

    return make


def _tagged(kind: str) -> tuple[Call, Call]:
    return (
        Call("GetCallerIdentity", service="sts", into="caller"),
        Call("GetTags", {"ResourceArn": _arn(kind)}, at="Tags", into="tags", absent=_GONE),
    )


_TAGS = From("tags", tag_list, default=[])

WORKFLOW = ResourceType(
    name="AWS::Glue::Workflow",
    service="glue",
    gone=_GONE,
    calls=(
        Call("GetWorkflow", {"Name": "{id}", "IncludeGraph": False}, at="Workflow"),
        *_tagged("workflow"),
    ),
    same=("Description", "DefaultRunProperties", "MaxConcurrentRuns"),
    fields={"Name": _name, "Tags": _TAGS},
    placeholders={"Description": "", "DefaultRunProperties": {}},
)


def _encryption(configuration: Mapping[str, Any]) -> dict[str, Any]:
    members = pick("CloudWatchEncryption", "JobBookmarksEncryption", S3Encryptions="S3Encryption")
    stated: dict[str, Any] = members(configuration.get("EncryptionConfiguration", {}))
    return {"CloudWatchEncryption": {}, "JobBookmarksEncryption": {}, "S3Encryptions": []} | stated


SECURITY_CONFIGURATION = ResourceType(
    name="AWS::Glue::SecurityConfiguration",
    service="glue",
    gone=_GONE,
    calls=(Call("GetSecurityConfiguration", {"Name": "{id}"}, at="SecurityConfiguration"),),
    same=("Name",),
    fields={"EncryptionConfiguration": From("main", _encryption)},
)

_JOB_PLACEHOLDERS: Mapping[str, Any] = {
    "Description": "",
    "LogUri": "",
    "Role": "",
    "WorkerType": "",
    "GlueVersion": "",
    "SecurityConfiguration": "",
    "ExecutionClass": "",
    "JobMode": "",
    "MaintenanceWindow": "",
    "Command": {},
    "DefaultArguments": {},
    "NonOverridableArguments": {},
    "SourceControlDetails": {},
    "MaxRetries": 0,
    "Timeout": 0,
    "NumberOfWorkers": 0,
    "MaxCapacity": 0,
    "AllocatedCapacity": 0,
    "JobRunQueuingEnabled": False,
}


def _with(member: str, value: Any) -> Callable[[Reading], Any]:
    """A structure of the same name that always holds `member`."""
    holder, name = member.split(".")

    def read(reading: Reading) -> Any:
        return completed({name: value})(reading.get(f"main.{holder}", {}))

    return read


JOB = ResourceType(
    name="AWS::Glue::Job",
    service="glue",
    gone=_GONE,
    calls=(Call("GetJob", {"JobName": "{id}"}, at="Job"), *_tagged("job")),
    same=tuple(_JOB_PLACEHOLDERS),
    fields={
        "Name": _name,
        "Connections": _with("Connections.Connections", []),
        "ExecutionProperty": _with("ExecutionProperty.MaxConcurrentRuns", 1),
        "NotificationProperty": _with("NotificationProperty.NotifyDelayAfter", 0),
        "Tags": _TAGS,
    },
    placeholders=_JOB_PLACEHOLDERS,
    compared=TypeFacts(never_read_back=("AllocatedCapacity",)),
)

_DYNAMODB_TARGET: Converter = renamed({"scanAll": "ScanAll", "scanRate": "ScanRate"})

CRAWLER = ResourceType(
    name="AWS::Glue::Crawler",
    service="glue",
    gone=_GONE,
    calls=(Call("GetCrawler", {"Name": "{id}"}, at="Crawler"), *_tagged("crawler")),
    same=(
        "Role",
        "DatabaseName",
        "Description",
        "TablePrefix",
        "Configuration",
        "CrawlerSecurityConfiguration",
        "Classifiers",
        "SchemaChangePolicy",
        "RecrawlPolicy",
        "LineageConfiguration",
        "LakeFormationConfiguration",
    ),
    fields={
        "Name": _name,
        "Targets": From("main.Targets", inside(DynamoDBTargets=each(_DYNAMODB_TARGET)), default={}),
        "Schedule": From("main.Schedule", pick("ScheduleExpression"), default={}),
        "Tags": _TAGS,
    },
    placeholders={
        "Role": "",
        "DatabaseName": "",
        "Description": "",
        "TablePrefix": "",
        "Configuration": "",
        "CrawlerSecurityConfiguration": "",
        "Classifiers": [],
        "SchemaChangePolicy": {},
        "RecrawlPolicy": {},
        "LineageConfiguration": {},
        "LakeFormationConfiguration": {},
    },
    compared=TypeFacts(kinds={"Configuration": Kind.FILLED}),
)

TRIGGER = ResourceType(
    name="AWS::Glue::Trigger",
    service="glue",
    gone=_GONE,
    calls=(Call("GetTrigger", {"Name": "{id}"}, at="Trigger"), *_tagged("trigger")),
    same=("Type", "Schedule", "Description", "WorkflowName", "Actions", "EventBatchingCondition"),
    fields={
        "Name": _name,
        "Predicate": From("main.Predicate", completed({"Logical": "", "Conditions": []}), default={}),
        "Tags": _TAGS,
    },
    placeholders={
        "Type": "",
        "Schedule": "",
        "Description": "",
        "WorkflowName": "",
        "Actions": [],
        "EventBatchingCondition": {},
    },
)
