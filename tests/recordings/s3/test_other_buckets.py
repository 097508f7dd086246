"""Directory buckets, table buckets with their tables, and vector buckets."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Unsupported
from tests.recordings.conftest import REGION, Answers, Read, live, unreadable

DIRECTORY = "app--euc1-az1--x-s3"
TABLES = "arn:aws:s3tables:eu-central-1:111122223333:bucket/app"
TABLE_ARN = f"{TABLES}/table/0f1e2d3c"


@pytest.fixture
def directory(answers: Answers) -> Answers:
    answers["s3:HeadBucket"] = {}
    answers["sts:GetCallerIdentity"] = {
        "Account": "111122223333",
        "Arn": "arn:aws-cn:iam::111122223333:user/a",
    }
    answers["s3control:ListTagsForResource"] = {"Tags": [{"Key": "team", "Value": "red"}]}
    return answers


def test_a_directory_bucket_is_tagged_by_an_arn_in_the_callers_partition(
    directory: Answers, read: Read
) -> None:
    assert live(read("AWS::S3Express::DirectoryBucket", DIRECTORY)) == {
        "BucketName": DIRECTORY,
        "DataRedundancy": "SingleAvailabilityZone",
        "Tags": [{"Key": "team", "Value": "red"}],
    }
    assert directory.asked("s3control:ListTagsForResource") == [
        {
            "AccountId": "111122223333",
            "ResourceArn": f"arn:aws-cn:s3express:{REGION}:111122223333:bucket/{DIRECTORY}",
        }
    ]


def test_a_directory_bucket_that_s3_does_not_know_is_gone(directory: Answers, read: Read) -> None:
    directory.fails("s3:HeadBucket", "404", status=404)
    assert isinstance(read("AWS::S3Express::DirectoryBucket", DIRECTORY), Gone)


@pytest.mark.parametrize(
    ("operation", "code", "action"),
    [
        ("s3:HeadBucket", "403", "s3express:CreateSession"),
        ("sts:GetCallerIdentity", "AccessDenied", "sts:GetCallerIdentity"),
        ("s3control:ListTagsForResource", "AccessDenied", "s3express:ListTagsForResource"),
    ],
)
def test_a_denied_call_on_a_directory_bucket_names_the_action_that_iam_knows(
    directory: Answers, read: Read, operation: str, code: str, action: str
) -> None:
    directory.fails(operation, code, status=403)
    assert unreadable(read("AWS::S3Express::DirectoryBucket", DIRECTORY)).action == action


def test_a_table_bucket_keeps_all_its_tags(answers: Answers, read: Read) -> None:
    answers["s3tables:GetTableBucket"] = {"name": "app"}
    answers["s3tables:ListTagsForResource"] = {"tags": {"b": "2", "aws:x": "y", "a": "1"}}
    assert live(read("AWS::S3Tables::TableBucket", TABLES)) == {
        "TableBucketName": "app",
        "Tags": [{"Key": "b", "Value": "2"}, {"Key": "aws:x", "Value": "y"}, {"Key": "a", "Value": "1"}],
    }


def test_denied_tags_of_a_table_bucket_are_unreadable_and_never_empty(answers: Answers, read: Read) -> None:
    answers["s3tables:GetTableBucket"] = {"name": "app"}
    answers.fails("s3tables:ListTagsForResource", "AccessDeniedException", status=403)
    assert unreadable(read("AWS::S3Tables::TableBucket", TABLES)).action == "s3tables:ListTagsForResource"


@pytest.mark.parametrize(
    ("physical_id", "request_members"),
    [
        (f"{TABLES}|sales|orders", {"tableBucketARN": TABLES, "namespace": "sales", "name": "orders"}),
        (f"{TABLES}|sales|orders|more", {"tableBucketARN": TABLES, "namespace": "sales", "name": "orders"}),
        (TABLE_ARN, {"tableArn": TABLE_ARN}),
    ],
)
def test_a_table_is_named_by_its_parts_or_by_its_arn(
    answers: Answers, read: Read, physical_id: str, request_members: dict[str, str]
) -> None:
    answers["s3tables:GetTable"] = {
        "name": "orders",
        "namespace": ["sales"],
        "format": "ICEBERG",
        "tableARN": TABLE_ARN,
    }
    answers["s3tables:ListTagsForResource"] = {"tags": {}}
    assert live(read("AWS::S3Tables::Table", physical_id)) == {
        "TableBucketARN": TABLES,
        "Namespace": "sales",
        "Name": "orders",
        "TableName": "orders",
        "OpenTableFormat": "ICEBERG",
        "Format": "ICEBERG",
        "Tags": [],
    }
    assert answers.asked("s3tables:GetTable") == [request_members]
    assert answers.asked("s3tables:ListTagsForResource") == [{"resourceArn": TABLE_ARN}]


def test_a_table_answer_without_its_name_is_unreadable_and_never_a_deletion(
    answers: Answers, read: Read
) -> None:
    answers["s3tables:GetTable"] = {}
    assert unreadable(read("AWS::S3Tables::Table", TABLE_ARN)).empty_answer


@pytest.mark.parametrize(
    ("resource_type", "physical_id"),
    [
        ("AWS::S3Tables::Table", f"{TABLES}|sales"),
        ("AWS::S3Tables::Table", TABLES),
        ("AWS::S3Tables::Namespace", TABLES),
        ("AWS::S3Tables::Namespace", f"{TABLES}|"),
    ],
)
def test_an_id_that_names_nothing_cannot_be_read(
    answers: Answers, read: Read, resource_type: str, physical_id: str
) -> None:
    assert isinstance(read(resource_type, physical_id), Unsupported)
    assert answers.calls == []


def test_a_namespace_is_nothing_but_its_identity(answers: Answers, read: Read) -> None:
    assert live(read("AWS::S3Tables::Namespace", f"{TABLES}|sales")) == {
        "TableBucketARN": TABLES,
        "Namespace": "sales",
    }


@pytest.mark.parametrize(
    ("encryption", "expected"),
    [
        ({"sseType": "aws:kms", "kmsKeyArn": "arn:key"}, {"SseType": "aws:kms", "KmsKeyArn": "arn:key"}),
        ({"sseType": "AES256", "kmsKeyArn": "arn:key"}, {"SseType": "AES256"}),
        ({}, None),
    ],
)
def test_a_vector_bucket_shows_a_key_only_where_it_is_used(
    answers: Answers, read: Read, encryption: dict[str, Any], expected: dict[str, str] | None
) -> None:
    answers["s3vectors:GetVectorBucket"] = {
        "vectorBucket": {
            "vectorBucketName": "vec",
            "vectorBucketArn": "arn:vec-bucket-of-this-test",
            "encryptionConfiguration": encryption,
        }
    }
    answers["s3vectors:ListTagsForResource"] = {"tags": {"team": "red", "aws:x": "y"}}
    properties = live(read("AWS::S3Vectors::VectorBucket", "vec"))
    assert properties.get("EncryptionConfiguration") == expected
    assert properties["Tags"] == [{"Key": "team", "Value": "red"}]


def test_a_vector_bucket_without_an_arn_has_no_tags_to_ask_for(answers: Answers, read: Read) -> None:
    answers["s3vectors:GetVectorBucket"] = {}
    assert live(read("AWS::S3Vectors::VectorBucket", "vec")) == {"VectorBucketName": "vec"}
