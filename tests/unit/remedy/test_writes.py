"""Running declared writes: what is sent, what is not, and what is repeated."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError

from driftwarden.convert import number
from driftwarden.errors import UpdateFailed
from driftwarden.remedy.update import Update
from driftwarden.remedy.writes import unwritable
from driftwarden.resources.spec import By, Call, From, ResourceType, Tags, To, Write
from tests.unit.remedy.conftest import Requests, Sent

URL = "https://queue"


def queue(*writes: Any, **more: Any) -> ResourceType:
    """A made-up type on SQS's operations."""
    return ResourceType(
        name="AWS::SQS::Queue",
        service="sqs",
        calls=(Call("GetQueueAttributes", {"QueueUrl": "{id}"}, at="Attributes"),),
        fields={
            "Delay": From("main.Delay", number),
            "Size": From("main.Size", number),
            "Policy": From("main.Policy", dict),
        },
        writes=writes,
        **more,
    )


def patch(**more: Any) -> Write:
    return Write(
        "SetQueueAttributes",
        {"QueueUrl": "{id}"},
        sets={"Delay": "Attributes.Delay", "Size": "Attributes.Size"},
        **more,
    )


def attributes(requests: Requests) -> list[dict[str, str]]:
    return [params["Attributes"] for _, params in requests]


def test_a_patch_sends_what_drifted_in_the_spelling_of_the_service(sent: Sent) -> None:
    made = sent(queue(patch()), URL, live={"Delay": 5, "Size": 9}, desired={"Delay": 1})
    assert made == [("SetQueueAttributes", {"QueueUrl": URL, "Attributes": {"Delay": "1"}})]


def test_a_whole_write_sends_the_rest_as_it_is_live(sent: Sent) -> None:
    made = sent(queue(patch(style="whole")), URL, live={"Delay": 5, "Size": 9}, desired={"Delay": 1})
    assert attributes(made) == [{"Delay": "1", "Size": "9"}]


def test_a_whole_write_leaves_out_what_was_not_set(sent: Sent) -> None:
    made = sent(queue(patch(style="whole")), URL, live={"Delay": 5, "Size": ""}, desired={"Delay": 1})
    assert attributes(made) == [{"Delay": "1"}]


def test_each_makes_one_request_per_drifted_property(sent: Sent) -> None:
    made = sent(
        queue(patch(style="each")), URL, live={"Delay": 5, "Size": 9}, desired={"Delay": 1, "Size": 2}
    )
    assert attributes(made) == [{"Delay": "1"}, {"Size": "2"}]


def test_a_write_of_which_nothing_drifted_is_not_made(sent: Sent) -> None:
    assert sent(queue(patch(style="whole")), URL, live={"Delay": 5, "Policy": 1}, desired={"Policy": 2}) == []


@pytest.mark.parametrize("nothing", ["", None, [], {}])
def test_an_empty_recorded_value_is_never_sent_as_it_is(sent: Sent, nothing: object) -> None:
    made = sent(queue(patch(unset={"Delay": 30})), URL, live={"Delay": 5}, desired={"Delay": nothing})
    assert attributes(made) == [{"Delay": "30"}]


def test_an_empty_recorded_value_without_a_word_for_it_is_not_sent_at_all(sent: Sent) -> None:
    assert sent(queue(patch()), URL, live={"Delay": 5}, desired={"Delay": ""}) == []


def test_zero_and_false_are_values(sent: Sent) -> None:
    made = sent(queue(patch(unset={"Delay": 30})), URL, live={"Delay": 5}, desired={"Delay": 0})
    assert attributes(made) == [{"Delay": "0"}]


def test_a_delete_call_unsets_and_the_other_one_stays_away(sent: Sent) -> None:
    delete = Write("PurgeQueue", {"QueueUrl": "{id}"}, removes=("Delay",))
    assert sent(queue(patch(), delete), URL, live={"Delay": 5}, desired={"Delay": None}) == [
        ("PurgeQueue", {"QueueUrl": URL})
    ]


def test_a_delete_call_stays_away_from_a_value(sent: Sent) -> None:
    delete = Write("PurgeQueue", {"QueueUrl": "{id}"}, removes=("Delay",))
    made = sent(queue(patch(), delete), URL, live={"Delay": 5}, desired={"Delay": 4})
    assert [operation for operation, _ in made] == ["SetQueueAttributes"]


def test_braces_in_a_value_are_no_placeholders(sent: Sent) -> None:
    write = Write("SetQueueAttributes", {"QueueUrl": "{id}"}, sets={"Policy": To("Attributes.Policy")})
    made = sent(queue(write), URL, live={"Policy": "a"}, desired={"Policy": "{id} {main.X}"})
    assert attributes(made) == [{"Policy": "{id} {main.X}"}]


def test_a_part_of_a_block_counts_as_drifted_only_when_it_differs(sent: Sent) -> None:
    write = Write(
        "SetQueueAttributes",
        {"QueueUrl": "{id}"},
        sets={"Policy.A": To("Attributes.A"), "Policy.B": To("Attributes.B")},
    )
    made = sent(
        queue(write), URL, live={"Policy": {"A": "1", "B": "2"}}, desired={"Policy": {"A": "1", "B": "3"}}
    )
    assert attributes(made) == [{"B": "3"}]


def test_tags_that_services_wrote_are_neither_added_nor_removed(sent: Sent) -> None:
    tags = Tags(
        "TagQueue", "UntagQueue", {"QueueUrl": "{id}"}, pairs=lambda t: {x["Key"]: x["Value"] for x in t}
    )
    live = [{"Key": "aws:cloudformation:x", "Value": "1"}, {"Key": "AmazonECSManaged", "Value": ""}]
    assert sent(queue(tags), URL, live={"Tags": live}, desired={"Tags": []}) == []
    assert sent(queue(tags), URL, live={"Tags": []}, desired={"Tags": live}) == []


def test_a_function_runs_only_for_its_own_properties(sent: Sent) -> None:
    def purge(update: Update) -> None:
        update.call("PurgeQueue", {"QueueUrl": update.id})

    own = By(purge, ("Policy",), (Write("PurgeQueue"),))
    assert sent(queue(own), URL, live={"Delay": 1}, desired={"Delay": 2}) == []
    assert sent(queue(own), URL, live={"Policy": 1}, desired={"Policy": 2}) == [
        ("PurgeQueue", {"QueueUrl": URL})
    ]


def test_a_busy_service_is_asked_again(sent: Sent) -> None:
    made = sent(
        queue(patch()),
        URL,
        live={"Delay": 5},
        desired={"Delay": 1},
        answers={"SetQueueAttributes": ["OperationAborted", "ThrottlingException"]},
    )
    assert len(made) == 3


def test_a_type_may_know_busy_codes_of_its_own(sent: Sent) -> None:
    made = sent(
        queue(patch(), busy=("QueueMoving",)),
        URL,
        live={"Delay": 5},
        desired={"Delay": 1},
        answers={"SetQueueAttributes": ["QueueMoving"]},
    )
    assert len(made) == 2


@pytest.mark.parametrize(
    "code", ["AccessDenied", "InvalidAttributeValue", "InternalError", "ServiceUnavailable"]
)
def test_no_other_failure_is_repeated(
    sent: Sent, requests: tuple[Requests, dict[str, Any]], code: str
) -> None:
    with pytest.raises(UpdateFailed, match=f"sqs:SetQueueAttributes failed with {code}"):
        sent(
            queue(patch()),
            URL,
            live={"Delay": 5},
            desired={"Delay": 1},
            answers={"SetQueueAttributes": [code]},
        )
    assert len(requests[0]) == 1


def test_a_service_that_stays_busy_fails_in_the_end(sent: Sent) -> None:
    with pytest.raises(UpdateFailed, match="OperationAborted"):
        sent(
            queue(patch()),
            URL,
            live={"Delay": 5},
            desired={"Delay": 1},
            answers={"SetQueueAttributes": "OperationAborted"},
        )


def test_a_denied_write_names_the_permission(sent: Sent) -> None:
    with pytest.raises(UpdateFailed, match="Grant sqs:SetQueueAttributes"):
        sent(
            queue(patch()),
            URL,
            live={"Delay": 5},
            desired={"Delay": 1},
            answers={"SetQueueAttributes": "AccessDenied"},
        )


def test_a_lost_answer_is_not_repeated_and_says_that_nobody_knows(
    sent: Sent, requests: tuple[Requests, dict[str, Any]]
) -> None:
    with pytest.raises(UpdateFailed, match="may or may not have taken effect"):
        sent(
            queue(patch()),
            URL,
            live={"Delay": 5},
            desired={"Delay": 1},
            answers={"SetQueueAttributes": ConnectionClosedError(endpoint_url="https://example.invalid")},
        )
    assert len(requests[0]) == 1


def test_a_code_that_means_done_is_success(sent: Sent) -> None:
    made = sent(
        queue(patch(done=("AlreadySo",))),
        URL,
        live={"Delay": 5},
        desired={"Delay": 1},
        answers={"SetQueueAttributes": "AlreadySo"},
    )
    assert len(made) == 1


def test_after_a_write_the_main_call_is_repeated_until_the_resource_is_ready(sent: Sent) -> None:
    made = sent(
        queue(patch(ready=lambda update: update.get("main.Status") == "ready")),
        URL,
        live={"Delay": 5},
        desired={"Delay": 1},
        answers={
            "GetQueueAttributes": [{"Attributes": {"Status": "busy"}}, {"Attributes": {"Status": "ready"}}]
        },
    )
    assert [operation for operation, _ in made] == [
        "SetQueueAttributes",
        "GetQueueAttributes",
        "GetQueueAttributes",
    ]


def test_a_resource_that_never_gets_ready_is_a_failure(sent: Sent) -> None:
    with pytest.raises(UpdateFailed, match="still being updated"):
        sent(
            queue(patch(ready=lambda update: False)),
            URL,
            live={"Delay": 5},
            desired={"Delay": 1},
            answers={"GetQueueAttributes": {"Attributes": {"Status": "busy"}}},
        )


@pytest.mark.parametrize(
    ("writes", "top", "value", "said"),
    [
        ((), "Delay", 1, "AWS offers no update of Delay in place"),
        ((patch(),), "Policy", 1, "AWS offers no update of Policy in place"),
        ((patch(),), "Delay", "", "no way to unset it"),
        ((patch(),), "Delay", 1, ""),
        ((patch(unset={"Delay": 3}),), "Delay", "", ""),
        ((patch(style="whole"),), "Delay", "", ""),
        ((patch(), Write("PurgeQueue", removes=("Delay",))), "Delay", "", ""),
        ((By(lambda update: None, ("Delay",), (), unsets=False),), "Delay", "", "no way to unset it"),
    ],
)
def test_what_the_writes_cannot_do_is_known_beforehand(
    writes: tuple[Any, ...], top: str, value: object, said: str
) -> None:
    reason = unwritable(queue(*writes), top, {top: value})
    assert said in reason
    assert bool(said) == bool(reason)
