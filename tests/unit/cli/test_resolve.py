"""`driftwarden drift --accept` and `--revert`: plan, prompt, streams, exit status, what is left alone."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from tests.unit.cli.conftest import ACCOUNT, BUCKET, REGION, SECRET, Run, put_state, queue, record

INCOMPLETE = "Comparison INCOMPLETE — nothing to {}, and that is NOT a clean bill of health"
KEY = f"cdkd/Shop/{REGION}/state.json"
LOCK = f"cdkd/Shop/{REGION}/lock.json"


def stored(key: str = KEY) -> Any:
    return json.loads(boto3.client("s3").get_object(Bucket=BUCKET, Key=key)["Body"].read())


def locked() -> bool:
    found = boto3.client("s3").list_objects_v2(Bucket=BUCKET, Prefix=LOCK)
    return bool(found["KeyCount"])


def timeout_of(url: str) -> str:
    answer = boto3.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])
    return str(answer["Attributes"]["VisibilityTimeout"])


def drifted(name: str = "orders", **more: Any) -> str:
    url = queue(name, VisibilityTimeout="77")
    put_state("Shop", {"Queue": record(url, VisibilityTimeout=60), **more})
    return url


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_revert_pushes_the_recorded_value_and_says_so(run: Run) -> None:
    url = drifted()
    done = run("drift", "Shop", "--revert", "--yes")
    assert (done.status, done.err) == (0, "")
    assert timeout_of(url) == "60"
    assert "+/- VisibilityTimeout: 77 -> 60" in done.out
    assert "✓ Shop/Queue (AWS::SQS::Queue): reverted" in done.out
    assert "Revert summary: 1 reverted" in done.out
    assert not locked()
    assert run("drift", "Shop").status == 0


def test_an_accept_takes_the_live_value_over_and_says_so(run: Run) -> None:
    url = drifted()
    done = run("drift", "Shop", "--accept", "-y")
    assert (done.status, done.err) == (0, "")
    assert timeout_of(url) == "77"
    assert stored()["resources"]["Queue"]["properties"] == {"VisibilityTimeout": 77}
    assert "✓ State updated" in done.out
    assert not locked()
    assert run("drift", "Shop").status == 0


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_a_dry_run_prints_the_plan_and_changes_nothing(run: Run, direction: str) -> None:
    url = drifted()
    before = stored()
    done = run("drift", "Shop", f"--{direction}", "--dry-run")
    assert done.status == 0
    assert "VisibilityTimeout" in done.out
    assert "Dry run" in done.out
    assert (timeout_of(url), stored(), locked()) == ("77", before, False)


@pytest.mark.parametrize("direction", ["accept", "revert"])
@pytest.mark.parametrize(
    ("typed", "changes"), [("y\n", True), ("yes\n", True), ("n\n", False), ("\n", False)]
)
def test_only_a_plain_yes_is_one(
    run: Run, answer: Callable[[str], None], direction: str, typed: str, changes: bool
) -> None:
    url = drifted()
    before = stored()
    answer(typed)
    done = run("drift", "Shop", f"--{direction}")
    assert done.status == 0
    assert ((timeout_of(url) == "60") or (stored() != before)) is changes
    assert ("Cancelled" in done.out) is not changes


def test_where_nobody_can_be_asked_nothing_is_done(run: Run, answer: Callable[[str], None]) -> None:
    url = drifted()
    answer("")
    done = run("drift", "Shop", "--revert")
    assert done.status == 1
    assert "--yes" in done.err
    assert timeout_of(url) == "77"


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_under_json_everything_human_goes_to_stderr(
    run: Run, answer: Callable[[str], None], direction: str
) -> None:
    drifted()
    answer("y\n")
    done = run("drift", "Shop", f"--{direction}", "--json")
    (report,) = done.reports
    assert [one["logicalId"] for one in report["drifted"]] == ["Queue"]
    for text in (
        f"--{direction} plan",
        "[y/N]",
        "State updated" if direction == "accept" else "Revert summary",
    ):
        assert text in done.err
        assert text not in done.out


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_a_clean_stack_has_nothing_to_resolve(run: Run, direction: str) -> None:
    put_state("Shop", {"Queue": record(queue("orders", VisibilityTimeout="60"), VisibilityTimeout=60)})
    done = run("drift", "Shop", f"--{direction}", "--yes")
    assert done.status == 0
    assert f"No drift detected — nothing to {direction}." in done.out


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_a_stack_that_was_not_wholly_compared_is_never_called_clean(
    run: Run, direction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    custom = {"physicalId": "x", "resourceType": "Custom::Thing", "properties": {}}
    refused = {**record(queue("orders")), "observedBaselineRefused": True}
    put_state("Shop", {"C": custom, "Q": refused}, version=10)
    done = run("drift", "Shop", f"--{direction}", "--yes")
    assert done.status == 0
    assert INCOMPLETE.format(direction) in done.out
    assert "2 of 2 resources" in done.out
    assert "1 uncertain" in done.out
    assert "! Q (AWS::SQS::Queue) [baselineRefused]" in done.out
    assert "1 never drift-checked by design" in done.out
    assert "? C (Custom::Thing)" in done.out
    assert "No drift detected" not in done.out


def test_a_deleted_resource_keeps_its_record(run: Run) -> None:
    url = drifted()
    gone = queue("gone")
    put_state("Shop", {"Queue": record(url, VisibilityTimeout=60), "Gone": record(gone)})
    boto3.client("sqs").delete_queue(QueueUrl=gone)
    done = run("drift", "Shop", "--accept", "--yes")
    assert done.status == 2
    assert "deleted in AWS; its record is kept" in done.out
    assert stored()["resources"]["Gone"] == record(gone)
    assert stored()["resources"]["Queue"]["properties"] == {"VisibilityTimeout": 77}


def test_a_deleted_resource_cannot_be_reverted_and_the_others_are(run: Run) -> None:
    url, gone = queue("orders", VisibilityTimeout="77"), queue("gone")
    put_state("Shop", {"Queue": record(url, VisibilityTimeout=60), "Gone": record(gone)})
    boto3.client("sqs").delete_queue(QueueUrl=gone)
    done = run("drift", "Shop", "--revert", "--yes")
    assert done.status == 2
    assert timeout_of(url) == "60"
    assert "Revert summary: 1 reverted, 1 deleted" in done.out


def test_what_cannot_be_updated_in_place_has_a_glyph_and_advice_of_its_own(run: Run) -> None:
    url = queue("orders", VisibilityTimeout="77")
    put_state(
        "Shop",
        {"Queue": record(url, VisibilityTimeout=60), "Other": record(queue("b"), QueueName="another")},
    )
    done = run("drift", "Shop", "--revert", "--yes")
    assert done.status == 2
    assert "⊘ Shop/Other (AWS::SQS::Queue): could not revert — QueueName can only be set" in done.out
    assert "cdkd deploy --replace" in done.out
    assert "Revert summary: 1 reverted, 1 update-not-supported" in done.out
    assert timeout_of(url) == "60"


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_a_stack_with_a_row_that_cannot_be_read_is_refused_whole(run: Run, direction: str) -> None:
    url = queue("orders", VisibilityTimeout="77")
    put_state("Shop", {"Queue": record(url, VisibilityTimeout=60), "Row": "text"})
    before = stored()
    done = run("drift", "Shop", f"--{direction}", "--yes")
    assert done.status == 1
    assert "rows that cannot be read (Row)" in done.err
    assert (timeout_of(url), stored(), locked()) == ("77", before, False)


@pytest.mark.parametrize("direction", ["accept", "revert"])
def test_a_lock_that_somebody_holds_names_the_holder(run: Run, direction: str) -> None:
    url = drifted()
    body = {"owner": "ada@build:7", "timestamp": 1, "expiresAt": 99999999999999, "operation": "deploy"}
    boto3.client("s3").put_object(Bucket=BUCKET, Key=LOCK, Body=json.dumps(body).encode())
    before = stored()
    done = run("drift", "Shop", f"--{direction}", "--yes")
    assert done.status == 1
    assert "ada@build:7" in done.err
    assert (timeout_of(url), stored(), stored(LOCK)) == ("77", before, body)


def test_one_locked_stack_does_not_stop_the_others(run: Run) -> None:
    first, second = (queue(name, VisibilityTimeout="77") for name in ("a", "b"))
    put_state("Shop", {"Queue": record(first, VisibilityTimeout=60)})
    put_state("Zoo", {"Queue": record(second, VisibilityTimeout=60)})
    body = {"owner": "ada", "timestamp": 1, "expiresAt": 99999999999999, "operation": "deploy"}
    boto3.client("s3").put_object(Bucket=BUCKET, Key=LOCK, Body=json.dumps(body).encode())
    done = run("drift", "--all", "--revert", "--yes")
    assert done.status == 1
    assert (timeout_of(first), timeout_of(second)) == ("77", "60")


def url_parameter(live: str, *, type_: str = "String") -> None:
    boto3.client("secretsmanager").create_secret(Name="db", SecretString=json.dumps({"password": SECRET}))
    boto3.client("sns").create_topic(Name="t", Attributes={"DisplayName": live})
    reference = "{{resolve:secretsmanager:db:SecretString:password}}"
    topic = {
        "physicalId": f"arn:aws:sns:{REGION}:{ACCOUNT}:t",
        "resourceType": "AWS::SNS::Topic",
        "properties": {"DisplayName": f"db {reference}"},
    }
    put_state("Shop", {"Topic": topic})


def display_name() -> str:
    arn = f"arn:aws:sns:{REGION}:{ACCOUNT}:t"
    attributes = boto3.client("sns").get_topic_attributes(TopicArn=arn)["Attributes"]
    return str(attributes["DisplayName"])


def test_a_revert_sends_the_secret_itself_and_shows_only_the_reference(
    run: Run, leaks: Callable[[str, str], bool]
) -> None:
    url_parameter("db stale-password")
    done = run("drift", "Shop", "--revert", "--yes", "--json", "--verbose")
    assert done.status == 0
    assert display_name() == f"db {SECRET}"
    assert "{{resolve:secretsmanager:db" in done.err
    assert not leaks(done.out + done.err, SECRET)
    assert not leaks(done.out + done.err, "stale-password")


def test_an_accept_refuses_a_secret_by_name_and_exits_with_0(
    run: Run, leaks: Callable[[str, str], bool]
) -> None:
    url_parameter("db stale-password")
    before = stored()
    for arguments in (("--dry-run",), ("--yes",)):
        done = run("drift", "Shop", "--accept", *arguments)
        assert done.status == 0
        assert "! DisplayName: NOT accepted" in done.out
        assert not leaks(done.out + done.err, "stale-password")
    assert stored() == before
    assert run("drift", "Shop").status == 1


def test_a_reference_that_cannot_be_resolved_is_counted_as_unresolvable(run: Run) -> None:
    url_parameter("db stale-password")
    topic = stored()["resources"]["Topic"]
    topic["properties"] = {"DisplayName": "{{resolve:secretsmanager:gone}}", "SignatureVersion": "2"}
    put_state("Shop", {"Topic": topic})
    done = run("drift", "Shop", "--revert", "--yes")
    assert done.status == 2
    assert "Revert summary: 0 reverted, 1 unresolvable" in done.out
    assert display_name() == "db stale-password"


def test_a_masked_position_with_nothing_live_refuses_the_resource(run: Run) -> None:
    boto3.client("sns").create_topic(Name="t")
    row = {
        "physicalId": f"arn:aws:sns:{REGION}:{ACCOUNT}:t",
        "resourceType": "AWS::SNS::Topic",
        "properties": {"ArchivePolicy": {"KEY": "***"}, "SignatureVersion": "2"},
    }
    put_state("Shop", {"Topic": row})
    done = run("drift", "Shop", "--revert", "--yes")
    assert done.status == 2
    assert "recorded only as a mask" in done.out
    assert "1 unresolvable" in done.out


def test_accept_and_revert_exclude_each_other(run: Run) -> None:
    drifted()
    done = run("drift", "Shop", "--accept", "--revert")
    assert done.status == 1
    assert "exclude each other" in done.err
