"""Carrying out a plan: isolation, proof of convergence, locks, interrupts, and races."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ConnectionClosedError

from driftwarden.errors import LockHeld, StateUnreadable
from driftwarden.model import ABSENT
from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind, document
from driftwarden.remedy.update import Update
from driftwarden.resources import sqs as queues
from driftwarden.resources.spec import By, Write
from driftwarden.state import LockOperation
from tests.lifecycle.conftest import BUCKET, KEY, REF, REGION, Life

SECRET = "tr0ub4dor-and-3"

Fault = Callable[[str, Callable[[], Any]], Any]


def sqs() -> Any:
    return boto3.client("sqs", region_name=REGION)


def timeout_of(url: str) -> str:
    answer = sqs().get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])
    return str(answer["Attributes"]["VisibilityTimeout"])


def drifted_queues(life: Life, number: int) -> list[str]:
    urls = []
    for index in range(number):
        url = sqs().create_queue(QueueName=f"q{index}", Attributes={"VisibilityTimeout": "60"})["QueueUrl"]
        life.record(f"Q{index}", "AWS::SQS::Queue", url, {"VisibilityTimeout": 60})
        urls.append(url)
    for url in urls:
        sqs().set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "77"})
    return urls


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch, life: Life) -> Callable[[Fault], None]:
    """Put something between the code and every SetQueueAttributes."""
    original = BaseClient._make_api_call

    def install(fault: Fault) -> None:
        def call(client: Any, operation: str, params: Any) -> Any:
            if operation != "SetQueueAttributes":
                return original(client, operation, params)
            return fault(params["QueueUrl"], lambda: original(client, operation, params))

        monkeypatch.setattr(BaseClient, "_make_api_call", call)

    return install


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "SetQueueAttributes")


def lock_is_there() -> bool:
    found = boto3.client("s3", region_name=REGION).list_objects_v2(
        Bucket=BUCKET, Prefix=KEY.replace("state.json", "lock.json")
    )
    return bool(found["KeyCount"])


def test_one_resource_that_fails_leaves_the_others_alone(life: Life, faults: Callable[[Fault], None]) -> None:
    urls = drifted_queues(life, 3)

    def fault(url: str, call: Callable[[], Any]) -> Any:
        if url == urls[1]:
            raise refusal("InvalidAttributeValue")
        return call()

    plan = life.plan()
    faults(fault)
    results = {result.logical_id: result for result in life.revert(plan)}
    assert {name: r.fate for name, r in results.items()} == {
        "Q0": Fate.REVERTED,
        "Q1": Fate.FAILED,
        "Q2": Fate.REVERTED,
    }
    assert "sqs:SetQueueAttributes failed with InvalidAttributeValue" in results["Q1"].reason
    assert [change.path for change in results["Q1"].remaining] == [("VisibilityTimeout",)]
    assert not lock_is_there()


def test_a_success_that_changed_nothing_is_no_success(life: Life, faults: Callable[[Fault], None]) -> None:
    drifted_queues(life, 1)
    plan = life.plan()
    faults(lambda url, call: {})
    (result,) = life.revert(plan)
    assert result.fate is Fate.NOT_CONVERGED
    (change,) = result.remaining
    assert (change.path, change.state, change.aws) == (("VisibilityTimeout",), 60, 77)


def test_a_write_whose_answer_was_lost_is_judged_by_reading_again(
    life: Life, faults: Callable[[Fault], None]
) -> None:
    drifted_queues(life, 1)

    def fault(url: str, call: Callable[[], Any]) -> Any:
        call()
        raise ConnectionClosedError(endpoint_url="https://example.invalid")

    plan = life.plan()
    faults(fault)
    (result,) = life.revert(plan)
    assert result.fate is Fate.REVERTED


def test_what_is_as_recorded_again_is_not_written(life: Life) -> None:
    (url,) = drifted_queues(life, 1)
    plan = life.plan()
    sqs().set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "60"})
    life.forget_calls()
    (result,) = life.revert(plan)
    assert result.fate is Fate.REVERTED
    assert life.calls == []


def test_another_change_on_the_same_resource_after_the_plan_stops_its_revert(life: Life) -> None:
    urls = drifted_queues(life, 2)
    plan = life.plan()
    sqs().set_queue_attributes(QueueUrl=urls[0], Attributes={"DelaySeconds": "9"})
    results = life.revert(plan)
    assert [result.fate for result in results] == [Fate.CHANGED, Fate.REVERTED]


def test_a_part_of_the_plan_may_be_carried_out(life: Life) -> None:
    urls = drifted_queues(life, 2)
    results = life.reverter().revert(life.plan(), only={"Q1"})
    assert [result.logical_id for result in results] == ["Q1"]
    assert [timeout_of(url) for url in urls] == ["77", "60"]


def test_no_more_resources_than_wanted_are_written_at_once(
    life: Life, faults: Callable[[Fault], None]
) -> None:
    drifted_queues(life, 6)
    running, most = 0, 0
    guard = threading.Lock()
    two = threading.Barrier(2, timeout=20)

    def fault(url: str, call: Callable[[], Any]) -> Any:
        nonlocal running, most
        with guard:
            running += 1
            most = max(most, running)
        two.wait()
        with guard:
            running -= 1
        return call()

    plan = life.plan()
    faults(fault)
    results = life.reverter(concurrency=2).revert(plan)
    assert {result.fate for result in results} == {Fate.REVERTED}
    assert most == 2


def test_results_are_told_as_they_come(life: Life) -> None:
    drifted_queues(life, 3)
    told: list[str] = []
    results = life.reverter().revert(life.plan(), told=lambda result: told.append(result.logical_id))
    assert sorted(told) == [result.logical_id for result in results]


def test_a_held_lock_stops_everything_before_the_first_request(life: Life) -> None:
    (url,) = drifted_queues(life, 1)
    plan = life.plan()
    with life.store.lock(REF, LockOperation.ACCEPT) as lock:
        with pytest.raises(LockHeld, match=lock.owner.split("@")[0]):
            life.revert(plan)
        with pytest.raises(LockHeld):
            life.accept()
        lock.check(REF)
    assert timeout_of(url) == "77"


def test_of_two_reverts_and_a_deploy_that_race_one_wins_and_the_others_say_so(
    life: Life, faults: Callable[[Fault], None]
) -> None:
    urls = drifted_queues(life, 2)
    plan = life.plan()
    started, go = threading.Event(), threading.Event()

    def fault(url: str, call: Callable[[], Any]) -> Any:
        started.set()
        assert go.wait(20)
        return call()

    faults(fault)
    ended: dict[str, Any] = {}

    def first() -> None:
        ended["first"] = [result.fate for result in life.reverter().revert(plan)]

    thread = threading.Thread(target=first)
    thread.start()
    assert started.wait(20)
    with pytest.raises(LockHeld, match="drift-revert"):
        life.reverter().revert(plan)
    deploy = life.store.lock(REF, LockOperation.ACCEPT)
    with pytest.raises(LockHeld):
        deploy.acquire()
    go.set()
    thread.join(30)
    assert ended["first"] == [Fate.REVERTED, Fate.REVERTED]
    assert [timeout_of(url) for url in urls] == ["60", "60"]
    assert not lock_is_there()


def test_a_lock_that_somebody_took_over_stops_further_writes_and_is_not_deleted(
    life: Life, faults: Callable[[Fault], None]
) -> None:
    urls = drifted_queues(life, 2)
    body = b'{"owner": "ada", "timestamp": 1, "expiresAt": 99999999999999, "operation": "deploy"}'
    key = KEY.replace("state.json", "lock.json")

    def fault(url: str, call: Callable[[], Any]) -> Any:
        boto3.client("s3", region_name=REGION).put_object(Bucket=BUCKET, Key=key, Body=body)
        return call()

    plan = life.plan()
    faults(fault)
    life.reverter(concurrency=1).revert(plan)
    left = boto3.client("s3", region_name=REGION).get_object(Bucket=BUCKET, Key=key)["Body"].read()
    assert left == body
    assert timeout_of(urls[0]) == "60"


def test_an_interrupt_finishes_what_is_under_way_drops_the_rest_and_releases_the_lock(
    life: Life, faults: Callable[[Fault], None]
) -> None:
    urls = drifted_queues(life, 10)
    plan = life.plan()
    first, interrupted = urls[0], threading.Event()
    life_goes_on = threading.Event()

    def as_slow_as_a_service(url: str, call: Callable[[], Any]) -> Any:
        if url != first:
            assert interrupted.wait(30)
            # The thread that was interrupted needs a moment to drop what has not begun.
            life_goes_on.wait(0.5)
        return call()

    def stop(result: Any) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    faults(as_slow_as_a_service)
    before = life.document
    with pytest.raises(KeyboardInterrupt):
        life.reverter(concurrency=1).revert(plan, told=stop)
    done = [timeout_of(url) for url in urls].count("60")
    assert 1 <= done < 10
    assert not lock_is_there()
    assert life.document == before
    life_goes_on.set()
    results = life.revert()
    assert {result.fate for result in results} == {Fate.REVERTED}
    assert life.drift() == {}


def test_a_deploy_that_added_a_broken_row_meanwhile_stops_the_revert(life: Life) -> None:
    (url,) = drifted_queues(life, 1)
    plan = life.plan()
    broken = life.document
    broken["resources"]["Row"] = "text"
    boto3.client("s3", region_name=REGION).put_object(
        Bucket=BUCKET, Key=KEY, Body=json.dumps(broken).encode()
    )
    with pytest.raises(StateUnreadable, match="Row"):
        life.revert(plan)
    assert timeout_of(url) == "77"
    assert not lock_is_there()


def test_a_secret_is_resolved_again_right_before_it_is_sent(life: Life) -> None:
    secrets = boto3.client("secretsmanager", region_name=REGION)
    secrets.create_secret(Name="db", SecretString="first-secret")
    arn = boto3.client("sns", region_name=REGION).create_topic(Name="t", Attributes={"DisplayName": "x"})[
        "TopicArn"
    ]
    life.record(
        "Topic",
        "AWS::SNS::Topic",
        arn,
        {"DisplayName": "{{resolve:secretsmanager:db}}"},
        observed=False,
    )
    plan = life.plan()
    secrets.put_secret_value(SecretId="db", SecretString=SECRET)
    (result,) = life.revert(plan)
    assert result.fate is Fate.REVERTED
    attributes = boto3.client("sns", region_name=REGION).get_topic_attributes(TopicArn=arn)["Attributes"]
    assert attributes["DisplayName"] == SECRET


def test_no_secret_shows_in_the_plan_or_in_a_result(life: Life, leaks: Callable[[str, str], bool]) -> None:
    boto3.client("secretsmanager", region_name=REGION).create_secret(Name="db", SecretString=SECRET)
    arn = boto3.client("sns", region_name=REGION).create_topic(
        Name="t", Attributes={"DisplayName": f"{SECRET}-old"}, Tags=[{"Key": SECRET, "Value": SECRET}]
    )["TopicArn"]
    life.record(
        "Topic",
        "AWS::SNS::Topic",
        arn,
        {"DisplayName": "{{resolve:secretsmanager:db}}", "Tags": [{"Key": "a", "Value": "b"}]},
        observed=False,
    )
    plan = life.plan()
    results = life.revert(plan)
    assert results
    for shown in (repr(plan), str(document(plan)), repr(results), repr(life.plan_accept())):
        assert not leaks(shown, SECRET)


def test_an_error_that_repeats_the_secret_is_redacted(
    life: Life, leaks: Callable[[str, str], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    boto3.client("secretsmanager", region_name=REGION).create_secret(Name="db", SecretString=SECRET)
    arn = boto3.client("sns", region_name=REGION).create_topic(Name="t", Attributes={"DisplayName": "x"})[
        "TopicArn"
    ]
    recorded = {"DisplayName": "{{resolve:secretsmanager:db}}"}
    life.record("Topic", "AWS::SNS::Topic", arn, recorded, observed=False)
    plan = life.plan()
    original = BaseClient._make_api_call

    def call(client: Any, operation: str, params: Any) -> Any:
        if operation == "SetTopicAttributes":
            error = {"Code": "InvalidParameter", "Message": f"bad value {params['AttributeValue']}"}
            raise ClientError({"Error": error}, operation)
        return original(client, operation, params)

    monkeypatch.setattr(BaseClient, "_make_api_call", call)
    (result,) = life.revert(plan)
    assert "bad value ***" in result.reason
    assert not leaks(repr(result), SECRET)


def test_a_plan_has_the_same_id_for_the_same_content_and_no_other(life: Life) -> None:
    (url,) = drifted_queues(life, 1)
    first, second = life.plan(), life.plan()
    assert first.id == second.id
    sqs().set_queue_attributes(QueueUrl=url, Attributes={"DelaySeconds": "3"})
    assert life.plan().id != first.id


def test_what_aws_takes_in_a_narrower_form_only_is_recorded(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    (url,) = drifted_queues(life, 1)

    def narrowly(update: Update) -> None:
        update.call("SetQueueAttributes", {"QueueUrl": update.id, "Attributes": {"VisibilityTimeout": "61"}})
        update.narrow("VisibilityTimeout", 61)
        update.narrow("NeverRecorded", 1)
        update.narrow("DelaySeconds", ABSENT)

    narrow = replace(
        queues.QUEUE, writes=(By(narrowly, ("VisibilityTimeout",), (Write("SetQueueAttributes"),)),)
    )
    monkeypatch.setattr("driftwarden.read.api.find", lambda name: narrow)
    before = life.document["resources"]["Q0"]
    (result,) = life.revert()
    assert result.fate is Fate.REVERTED
    after = life.document["resources"]["Q0"]
    assert after["observedProperties"]["VisibilityTimeout"] == 61
    assert "NeverRecorded" not in after["observedProperties"]
    assert "DelaySeconds" not in after["observedProperties"]
    assert after["properties"] == before["properties"]
    assert timeout_of(url) == "61"


def test_a_plan_names_everything_that_is_not_touched(life: Life) -> None:
    urls = drifted_queues(life, 2)
    sqs().delete_queue(QueueUrl=urls[1])
    life.record("Refused", "AWS::SQS::Queue", urls[0], {}, observed=False, observedBaselineRefused=True)
    plan = life.plan()
    assert [step.logical_id for step in plan.steps] == ["Q0"]
    assert [(refusal.logical_id, refusal.kind) for refusal in plan.refusals] == [
        ("Q1", Kind.DELETED),
        ("Refused", Kind.NOT_COMPARED),
    ]
