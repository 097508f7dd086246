"""WAF web ACLs."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

WEB_ACL = "AWS::WAFv2::WebACL"
ARN = "arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/shop/id-1"
GLOBAL_ARN = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/shop/id-1"


@pytest.fixture
def acl(answers: Any) -> Any:
    answers["wafv2:GetWebACL"] = {
        "WebACL": {"Name": "shop", "DefaultAction": {"Allow": {}}, "Capacity": 1, "Id": "id-1"}
    }
    answers["wafv2:ListTagsForResource"] = {
        "TagInfoForResource": {"TagList": [{"Key": "team", "Value": "web"}]}
    }
    return answers


def statement(acl: Any, read: Any, live: dict[str, Any], ours: dict[str, Any] | None = None) -> Any:
    acl["wafv2:GetWebACL"]["WebACL"]["Rules"] = [{"Name": "r", "Priority": 0, "Statement": live}]
    rules = [] if ours is None else [{"Statement": ours}]
    (rule,) = read(WEB_ACL, ARN, {"Rules": rules}).properties["Rules"]
    return rule["Statement"]


def test_a_web_acl(acl: Any, read: Any) -> None:
    assert read(WEB_ACL, ARN) == Live(
        {
            "Name": "shop",
            "Scope": "REGIONAL",
            "Description": "",
            "DefaultAction": {"Allow": {}},
            "CustomResponseBodies": {},
            "TokenDomains": [],
            "Rules": [],
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )
    assert acl.asked("wafv2:GetWebACL") == [{"Name": "shop", "Scope": "REGIONAL", "Id": "id-1"}]


def test_an_acl_for_cloudfront_is_asked_for_in_that_scope(acl: Any, read: Any) -> None:
    assert read(WEB_ACL, GLOBAL_ARN).properties["Scope"] == "CLOUDFRONT"
    assert acl.asked("wafv2:GetWebACL")[0]["Scope"] == "CLOUDFRONT"


def test_an_id_that_is_no_arn_names_nothing(acl: Any, read: Any) -> None:
    assert isinstance(read(WEB_ACL, "shop"), Unsupported)


@pytest.mark.parametrize(
    ("found", "ours", "expected"),
    [
        (b"bot", {"SearchString": "bot"}, {"SearchString": "bot"}),
        (b"bot", {"SearchString": "old"}, {"SearchString": "bot"}),
        (b"bot", None, {"SearchString": "bot"}),
        (b"bot", {"SearchStringBase64": "Ym90"}, {"SearchStringBase64": "Ym90"}),
        (b"bot", {"SearchStringBase64": "b2xk"}, {"SearchStringBase64": "Ym90"}),
        (b"bot", {"SearchStringBase64": "%"}, {"SearchStringBase64": "Ym90"}),
        (b"\xff\xfe", None, {"SearchStringBase64": b64encode(b"\xff\xfe").decode()}),
    ],
)
def test_a_search_string_is_spelt_as_the_template_does(
    acl: Any, read: Any, found: bytes, ours: Any, expected: Any
) -> None:
    live = {"ByteMatchStatement": {"SearchString": found, "PositionalConstraint": "EXACTLY"}}
    template = None if ours is None else {"ByteMatchStatement": ours}
    made = statement(acl, read, live, template)
    assert made == {"ByteMatchStatement": {"PositionalConstraint": "EXACTLY", **expected}}


def test_statements_are_converted_at_every_depth(acl: Any, read: Any) -> None:
    match = {"ByteMatchStatement": {"SearchString": b"x"}}
    ours = {"OrStatement": {"Statements": [{}, {"ByteMatchStatement": {"SearchStringBase64": "eA=="}}]}}
    live = {"OrStatement": {"Statements": [{"IPSetReferenceStatement": {"ARN": "arn:ips"}}, match]}}
    assert statement(acl, read, live, ours) == {
        "OrStatement": {
            "Statements": [
                {"IPSetReferenceStatement": {"Arn": "arn:ips"}},
                {"ByteMatchStatement": {"SearchStringBase64": "eA=="}},
            ]
        }
    }

    reference = {"RegexPatternSetReferenceStatement": {"ARN": "arn:set"}}
    limited = {
        "RateBasedStatement": {"Limit": 100, "ScopeDownStatement": {"NotStatement": {"Statement": reference}}}
    }
    made = statement(acl, read, limited)["RateBasedStatement"]["ScopeDownStatement"]
    assert made == {"NotStatement": {"Statement": {"RegexPatternSetReferenceStatement": {"Arn": "arn:set"}}}}


def test_a_deleted_acl_is_gone(acl: Any, read: Any) -> None:
    acl.fails("wafv2:GetWebACL", "WAFNonexistentItemException")

    assert read(WEB_ACL, ARN) == Gone()


def test_an_acl_whose_tags_are_not_found_still_exists(acl: Any, read: Any) -> None:
    acl.fails("wafv2:ListTagsForResource", "WAFNonexistentItemException")

    assert "Tags" not in read(WEB_ACL, ARN).properties


def test_denied_tags_are_unreadable_and_name_the_permission(acl: Any, read: Any) -> None:
    acl.fails("wafv2:ListTagsForResource", "AccessDeniedException")

    found = read(WEB_ACL, ARN)
    assert isinstance(found, Unreadable)
    assert found.action == "wafv2:ListTagsForResource"
