"""Amazon Data Lifecycle Manager."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

LIFECYCLE_POLICY = ResourceType(
    name="AWS::DLM::LifecyclePolicy",
    service="dlm",
    gone=("ResourceNotFoundException",),
    calls=(Call("GetLifecyclePolicy", {"PolicyId": "{id}"}, at="Policy"),),
    same=("Description", "State", "ExecutionRoleArn"),
    fields={"Tags": From("main.Tags", tag_list, default=[])},
    compared=TypeFacts(never_read_back=("DefaultPolicy",)),
)

TYPES = (LIFECYCLE_POLICY,)
