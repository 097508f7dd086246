"""Taking live values into the state: exactly those, and nothing secret."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from driftwarden.errors import StateConflict
from driftwarden.remedy.accept import AcceptPlan, accept
from driftwarden.report.paths import dotted
from driftwarden.state import LockOperation
from tests.lifecycle.conftest import BUCKET, KEY, REF, REGION, Life

REFERENCE = "{{resolve:secretsmanager:db}}"
SECRET = "tr0ub4dor-and-3"


def sqs() -> Any:
    return boto3.client("sqs", region_name=REGION)


@pytest.fixture
def queue(life: Life) -> str:
    url: str = sqs().create_queue(QueueName="orders", Attributes={"VisibilityTimeout": "60"})["QueueUrl"]
    life.record("Queue", "AWS::SQS::Queue", url, {"VisibilityTimeout": 60})
    return url


def edit(url: str, **attributes: str) -> None:
    sqs().set_queue_attributes(QueueUrl=url, Attributes=attributes)


def rewrite(document: dict[str, Any]) -> None:
    body = json.dumps(document).encode()
    boto3.client("s3", region_name=REGION).put_object(Bucket=BUCKET, Key=KEY, Body=body)


def paths(plan: AcceptPlan) -> tuple[list[str], list[str]]:
    """(accepted, refused) paths of the only resource."""
    (one,) = plan.acceptances
    return [dotted(e.path) for e in one.edits], [dotted(change.path) for change, _ in one.refused]


def test_the_observed_baseline_moves_and_the_template_does_not(life: Life, queue: str) -> None:
    edit(queue, VisibilityTimeout="77")
    life.accept()
    row = life.document["resources"]["Queue"]
    assert row["observedProperties"]["VisibilityTimeout"] == 77
    assert row["properties"] == {"VisibilityTimeout": 60}
    assert life.drift() == {}


def test_without_an_observed_baseline_the_template_moves(life: Life, queue: str) -> None:
    life.record("Queue", "AWS::SQS::Queue", queue, {"VisibilityTimeout": 60}, observed=False)
    edit(queue, VisibilityTimeout="77", DelaySeconds="3")
    life.accept()
    row = life.document["resources"]["Queue"]
    assert row["properties"] == {"VisibilityTimeout": 77}
    assert "observedProperties" not in row


def test_every_other_byte_of_meaning_stays(life: Life, queue: str) -> None:
    document = life.document
    document["futureField"] = {"deep": [1, 2.5, None, "ünïcode"]}
    document["resources"]["Queue"]["futureField"] = ["kept"]
    rewrite(document)
    edit(queue, VisibilityTimeout="77")
    life.accept()
    after = life.document
    after["resources"]["Queue"]["observedProperties"]["VisibilityTimeout"] = 60
    assert {**after, "lastModified": 0} == {**document, "lastModified": 0}


def test_the_version_that_was_read_is_written(life: Life, queue: str) -> None:
    document = life.document
    document["version"] = 5
    rewrite(document)
    edit(queue, VisibilityTimeout="77")
    life.accept()
    assert life.document["version"] == 5


def test_a_deploy_between_scan_and_write_stops_the_accept(life: Life, queue: str) -> None:
    edit(queue, VisibilityTimeout="77")
    plan = life.plan_accept()
    document = life.document
    document["outputs"] = {"new": "deploy"}
    rewrite(document)
    with pytest.raises(StateConflict):
        accept(life.store, plan)
    assert life.document == document
    with life.store.lock(REF, LockOperation.ACCEPT) as lock:
        lock.check(REF)


def test_a_nested_value_is_taken_over_where_it_stands(life: Life) -> None:
    policy = {
        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}]
    }
    url = sqs().create_queue(QueueName="q", Attributes={"Policy": json.dumps(policy)})["QueueUrl"]
    document = {"Version": "2012-10-17", **policy}
    life.record(
        "Policy", "AWS::SQS::QueuePolicy", url, {"Queues": [url], "PolicyDocument": document}, observed=False
    )
    closed = [{**policy["Statement"][0], "Action": "sqs:ReceiveMessage"}]
    edit(url, Policy=json.dumps({"Version": "2012-10-17", "Statement": closed}))
    life.accept()
    assert life.document["resources"]["Policy"]["properties"]["PolicyDocument"]["Statement"] == closed
    assert life.drift() == {}


def test_a_document_that_is_recorded_as_text_is_taken_over_whole(life: Life) -> None:
    policy = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}],
    }
    url = sqs().create_queue(QueueName="q", Attributes={"Policy": json.dumps(policy)})["QueueUrl"]
    text = json.dumps(policy)
    life.record("Policy", "AWS::SQS::QueuePolicy", url, {"PolicyDocument": text}, observed=False)
    edit(url, Policy=text.replace("sqs:SendMessage", "sqs:ReceiveMessage"))
    assert life.drift() != {}
    life.accept()
    assert life.drift() == {}


def topic(life: Life, live: str, recorded: dict[str, Any], **fields: Any) -> None:
    boto3.client("secretsmanager", region_name=REGION).create_secret(Name="db", SecretString=SECRET)
    arn = boto3.client("sns", region_name=REGION).create_topic(
        Name="t", Attributes={"DisplayName": live}, Tags=[{"Key": "team", "Value": "x"}]
    )["TopicArn"]
    life.record("Topic", "AWS::SNS::Topic", arn, recorded, observed=False, **fields)


def test_a_place_with_a_reference_is_refused_and_the_rest_is_accepted(life: Life) -> None:
    topic(life, "stale", {"DisplayName": REFERENCE, "Tags": [{"Key": "team", "Value": "shop"}]})
    assert paths(life.plan_accept()) == (["Tags"], ["DisplayName"])
    life.accept()
    properties = life.document["resources"]["Topic"]["properties"]
    assert properties == {"DisplayName": REFERENCE, "Tags": [{"Key": "team", "Value": "x"}]}
    assert life.drift() == {"Topic": ["DisplayName"]}


def test_an_absence_above_a_reference_is_refused(life: Life) -> None:
    topic(life, "x", {"ArchivePolicy": {"KEY": REFERENCE}})
    accepted, refused = paths(life.plan_accept())
    assert accepted == []
    assert refused[0].startswith("ArchivePolicy")


def test_a_masked_place_is_refused(life: Life) -> None:
    topic(life, "real", {"DisplayName": "***"})
    assert paths(life.plan_accept()) == ([], ["DisplayName"])


def test_a_secret_that_turned_up_elsewhere_does_not_enter_the_state(life: Life) -> None:
    topic(life, f"pw {SECRET}", {"DisplayName": "plain", "Tags": [{"Key": "team", "Value": REFERENCE}]})
    accepted, refused = paths(life.plan_accept())
    assert accepted == []
    assert set(refused) == {"DisplayName", "Tags"}
    life.accept()
    assert SECRET not in json.dumps(life.document)


def test_what_a_sibling_owns_does_not_become_this_resources(life: Life) -> None:
    iam = boto3.client("iam", region_name=REGION)
    trust = {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }
    document = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
    }
    iam.create_role(RoleName="app", AssumeRolePolicyDocument=json.dumps(trust))
    for name in ("own", "sibling"):
        iam.put_role_policy(RoleName="app", PolicyName=name, PolicyDocument=json.dumps(document))
    own = [{"PolicyName": "own", "PolicyDocument": document}]
    life.record(
        "Role", "AWS::IAM::Role", "app", {"AssumeRolePolicyDocument": trust, "Policies": own}, observed=False
    )
    life.record(
        "Policy",
        "AWS::IAM::Policy",
        "Policy",
        {"PolicyName": "sibling", "Roles": ["app"], "PolicyDocument": document},
        observed=False,
    )
    iam.put_role_policy(RoleName="app", PolicyName="hand", PolicyDocument=json.dumps(document))
    life.accept()
    recorded = life.document["resources"]["Role"]["properties"]["Policies"]
    assert sorted(policy["PolicyName"] for policy in recorded) == ["hand", "own"]
