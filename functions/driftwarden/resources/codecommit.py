"""AWS CodeCommit."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.spec import Call, From, ResourceType

REPOSITORY = ResourceType(
    name="AWS::CodeCommit::Repository",
    service="codecommit",
    gone=("RepositoryDoesNotExistException",),
    calls=(
        Call("GetRepository", {"repositoryName": "{id}"}, at="repositoryMetadata"),
        Call("ListTagsForResource", {"resourceArn": "{Arn}"}, at="tags", into="tags"),
    ),
    camel=("RepositoryName", "RepositoryDescription", "KmsKeyId"),
    fields={"Tags": From("tags", tag_list, default=[])},
    placeholders={"RepositoryDescription": "", "KmsKeyId": ""},
)

TYPES = (REPOSITORY,)
