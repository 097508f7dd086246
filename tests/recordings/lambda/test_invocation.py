"""Who and what invokes a function: permissions, addresses, asynchronous invocation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.model import Gone, Unsupported
from tests.recordings.conftest import Answers, Read, live, unreadable

FUNCTION = "arn:aws:lambda:eu-central-1:111122223333:function:app"


def policy(**statement: Any) -> dict[str, str]:
    other = {"Sid": "other", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction"}
    own = {"Sid": "own", "Effect": "Allow", "Action": "lambda:InvokeFunction", **statement}
    return {"Policy": json.dumps({"Version": "2012-10-17", "Statement": [other, own]})}


def permission(answers: Answers, read: Read, **statement: Any) -> dict[str, Any]:
    answers["lambda:GetPolicy"] = policy(**statement)
    return live(read("AWS::Lambda::Permission", "app|own", {"FunctionName": "app"}))


def test_a_permission_is_one_statement_of_the_functions_policy(answers: Answers, read: Read) -> None:
    assert permission(
        answers,
        read,
        Principal={"Service": "s3.amazonaws.com"},
        Condition={
            "ArnLike": {"AWS:SourceArn": "arn:aws:s3:::b"},
            "StringEquals": {"AWS:SourceAccount": "111122223333", "aws:PrincipalOrgID": "o-1"},
            "Bool": {"lambda:InvokedViaFunctionUrl": "true"},
        },
    ) == {
        "FunctionName": "app",
        "Action": "lambda:InvokeFunction",
        "Principal": "s3.amazonaws.com",
        "SourceArn": "arn:aws:s3:::b",
        "SourceAccount": "111122223333",
        "PrincipalOrgID": "o-1",
        "InvokedViaFunctionUrl": True,
    }


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        ("*", "*"),
        ({"Service": "sns.amazonaws.com"}, "sns.amazonaws.com"),
        ({"AWS": ["arn:aws:iam::111122223333:root", "x"]}, "arn:aws:iam::111122223333:root"),
        ({"Federated": "cognito-identity.amazonaws.com"}, "cognito-identity.amazonaws.com"),
        ({"CanonicalUser": "x"}, None),
    ],
)
def test_a_principal_is_one_text_whatever_its_kind(
    answers: Answers, read: Read, principal: object, expected: str | None
) -> None:
    assert permission(answers, read, Principal=principal).get("Principal") == expected


def test_lists_in_a_statement_give_their_first_element(answers: Answers, read: Read) -> None:
    properties = permission(
        answers,
        read,
        Action=["lambda:InvokeFunction", "lambda:GetFunction"],
        Condition={"StringEquals": {"AWS:SourceArn": ["arn:aws:s3:::b"], "AWS:SourceAccount": ["1"]}},
    )
    assert properties == {
        "FunctionName": "app",
        "Action": "lambda:InvokeFunction",
        "SourceArn": "arn:aws:s3:::b",
        "SourceAccount": "1",
    }


def test_a_statement_that_is_not_for_function_urls_does_not_say_so(answers: Answers, read: Read) -> None:
    properties = permission(answers, read, Condition={"Bool": {"lambda:InvokedViaFunctionUrl": "false"}})
    assert "InvokedViaFunctionUrl" not in properties


def test_a_statement_that_the_policy_lost_is_gone(answers: Answers, read: Read) -> None:
    answers["lambda:GetPolicy"] = policy()
    assert isinstance(read("AWS::Lambda::Permission", "app|lost", {"FunctionName": "app"}), Gone)


def test_a_function_without_a_policy_means_that_the_permission_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("lambda:GetPolicy", "ResourceNotFoundException", status=404)
    assert isinstance(read("AWS::Lambda::Permission", "app|own", {"FunctionName": "app"}), Gone)


@pytest.mark.parametrize("answer", [{"Policy": "not json"}, {"Policy": "{}"}, {"Policy": "[]"}, {}])
def test_a_policy_that_cannot_be_understood_is_unreadable_and_never_a_deletion(
    answers: Answers, read: Read, answer: dict[str, str]
) -> None:
    answers["lambda:GetPolicy"] = answer
    assert unreadable(read("AWS::Lambda::Permission", "app|own", {"FunctionName": "app"})).empty_answer


def test_a_permission_whose_record_names_no_function_cannot_be_read(answers: Answers, read: Read) -> None:
    assert isinstance(read("AWS::Lambda::Permission", "own"), Unsupported)
    assert answers.calls == []


def test_a_denied_policy_is_unreadable_and_names_the_action(answers: Answers, read: Read) -> None:
    answers.fails("lambda:GetPolicy", "AccessDeniedException", status=403)
    result = unreadable(read("AWS::Lambda::Permission", "app|own", {"FunctionName": "app"}))
    assert result.action == "lambda:GetPolicy"


def test_a_function_url_always_shows_its_cors_lists(answers: Answers, read: Read) -> None:
    answers["lambda:GetFunctionUrlConfig"] = {
        "AuthType": "NONE",
        "Cors": {"AllowOrigins": ["*"], "MaxAge": 0},
    }
    assert live(read("AWS::Lambda::Url", FUNCTION)) == {
        "TargetFunctionArn": FUNCTION,
        "AuthType": "NONE",
        "Cors": {
            "AllowHeaders": [],
            "AllowMethods": [],
            "AllowOrigins": ["*"],
            "ExposeHeaders": [],
            "MaxAge": 0,
        },
    }


@pytest.mark.parametrize(
    ("arn", "template", "request_members"),
    [
        (FUNCTION, {}, {"FunctionName": FUNCTION}),
        (FUNCTION, {"Qualifier": "live"}, {"FunctionName": FUNCTION, "Qualifier": "live"}),
        (f"{FUNCTION}:live", {"Qualifier": "live"}, {"FunctionName": f"{FUNCTION}:live"}),
    ],
)
def test_the_address_of_an_alias_is_asked_for_by_its_qualifier(
    answers: Answers, read: Read, arn: str, template: dict[str, str], request_members: dict[str, str]
) -> None:
    answers["lambda:GetFunctionUrlConfig"] = {"AuthType": "NONE"}
    live(read("AWS::Lambda::Url", arn, template))
    assert answers.asked("lambda:GetFunctionUrlConfig") == [request_members]


def test_a_function_url_that_was_removed_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("lambda:GetFunctionUrlConfig", "ResourceNotFoundException", status=404)
    assert isinstance(read("AWS::Lambda::Url", FUNCTION), Gone)


@pytest.mark.parametrize(
    ("physical_id", "qualifier", "request_members"),
    [
        ("app|live", "live", {"FunctionName": "app", "Qualifier": "live"}),
        ("app|$LATEST", "$LATEST", {"FunctionName": "app"}),
        ("app", "$LATEST", {"FunctionName": "app"}),
    ],
)
def test_an_invoke_config_is_named_by_its_physical_id(
    answers: Answers, read: Read, physical_id: str, qualifier: str, request_members: dict[str, str]
) -> None:
    answers["lambda:GetFunctionEventInvokeConfig"] = {
        "MaximumRetryAttempts": 0,
        "DestinationConfig": {"OnSuccess": {}, "OnFailure": {"Destination": "arn:aws:sqs:q"}},
    }
    assert live(read("AWS::Lambda::EventInvokeConfig", physical_id)) == {
        "FunctionName": "app",
        "Qualifier": qualifier,
        "MaximumRetryAttempts": 0,
        "DestinationConfig": {"OnFailure": {"Destination": "arn:aws:sqs:q"}},
    }
    assert answers.asked("lambda:GetFunctionEventInvokeConfig") == [request_members]


def test_an_invoke_config_without_destinations_leaves_them_out(answers: Answers, read: Read) -> None:
    answers["lambda:GetFunctionEventInvokeConfig"] = {"DestinationConfig": {"OnSuccess": {}, "OnFailure": {}}}
    assert "DestinationConfig" not in live(read("AWS::Lambda::EventInvokeConfig", "app"))
