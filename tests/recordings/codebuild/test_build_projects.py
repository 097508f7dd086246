"""CodeBuild projects."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

PROJECT = "AWS::CodeBuild::Project"


def project_of(answers: Any, read: Any, **members: Any) -> Any:
    answers["codebuild:BatchGetProjects"] = {"projects": [{"name": "build", **members}]}
    return read(PROJECT, "build").properties


def test_a_project_always_has_its_blocks(answers: Any, read: Any) -> None:
    assert project_of(answers, read) == {
        "Name": "build",
        "Description": "",
        "ServiceRole": "",
        "EncryptionKey": "",
        "SourceVersion": "",
        "ResourceAccessRole": "",
        "BadgeEnabled": False,
        "Source": {},
        "SecondarySources": [],
        "SecondarySourceVersions": [],
        "Artifacts": {},
        "SecondaryArtifacts": [],
        "Environment": {"EnvironmentVariables": []},
        "LogsConfig": {"CloudWatchLogs": {"Status": "ENABLED"}, "S3Logs": {"Status": "DISABLED"}},
        "Cache": {"Type": "NO_CACHE"},
        "VpcConfig": {},
        "FileSystemLocations": [],
        "BuildBatchConfig": {},
        "Tags": [],
    }


def test_a_source_has_cloudformation_spelling_and_no_credentials(answers: Any, read: Any) -> None:
    source = {
        "type": "GITHUB",
        "buildspec": "version: 0.2",
        "auth": {"type": "OAUTH", "resource": "arn"},
        "gitSubmodulesConfig": {"fetchSubmodules": True},
    }
    assert project_of(answers, read, source=source)["Source"] == {
        "Type": "GITHUB",
        "BuildSpec": "version: 0.2",
        "GitSubmodulesConfig": {"FetchSubmodules": True},
    }


def test_the_environment_leaves_out_what_the_service_reports_about_itself(answers: Any, read: Any) -> None:
    environment = {
        "image": "aws/codebuild/standard:7.0",
        "environmentVariables": [{"name": "STAGE", "value": "prod", "type": "PLAINTEXT"}],
        "dockerServer": {"computeType": "BUILD_GENERAL1_SMALL", "status": {"status": "ACTIVE"}},
    }
    assert project_of(answers, read, environment=environment)["Environment"] == {
        "Image": "aws/codebuild/standard:7.0",
        "EnvironmentVariables": [{"Name": "STAGE", "Value": "prod", "Type": "PLAINTEXT"}],
        "DockerServer": {"ComputeType": "BUILD_GENERAL1_SMALL"},
    }


def test_a_vpc_block_is_one_only_with_a_vpc(answers: Any, read: Any) -> None:
    assert project_of(answers, read, vpcConfig={"subnets": ["subnet-1"]})["VpcConfig"] == {}

    inside = {"vpcId": "vpc-1", "subnets": ["subnet-1"]}
    found = project_of(answers, read, vpcConfig=inside)["VpcConfig"]
    assert found == {"VpcId": "vpc-1", "Subnets": ["subnet-1"], "SecurityGroupIds": []}


def test_a_project_that_is_not_listed_is_gone(answers: Any, read: Any) -> None:
    answers["codebuild:BatchGetProjects"] = {"projects": [], "projectsNotFound": ["build"]}

    assert read(PROJECT, "build") == Gone()


@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_project_that_was_not_read_is_not_gone(answers: Any, read: Any, code: str) -> None:
    answers.fails("codebuild:BatchGetProjects", code)

    found = read(PROJECT, "build")
    assert not isinstance(found, Live)
    assert isinstance(found, Unreadable)
    assert found.code == code
