"""A read takes from its quota as often as it asks, and no more."""

from __future__ import annotations

import pytest

from driftwarden.read.limits import Limits
from tests.recordings.conftest import Answers, Read, live

ROLE = "AWS::IAM::Role"
TRUST = {"Version": "2012-10-17", "Statement": []}


@pytest.mark.parametrize("pages", [1, 3])
def test_every_page_counts_once(
    answers: Answers, read: Read, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(Limits, "wait", lambda _self, _service, operation, _region: taken.append(operation))
    answers["iam:GetRole"] = {"Role": {"RoleName": "r", "AssumeRolePolicyDocument": TRUST}}
    answers["iam:ListAttachedRolePolicies"] = {"AttachedPolicies": []}
    answers["iam:ListRoleTags"] = {"Tags": []}
    more = [{"PolicyNames": [], "IsTruncated": True, "Marker": str(n)} for n in range(pages - 1)]
    answers["iam:ListRolePolicies"] = [*more, {"PolicyNames": [], "IsTruncated": False}]
    live(read(ROLE, "r"))
    assert taken.count("ListRolePolicies") == len(answers.asked("iam:ListRolePolicies")) == pages
    assert taken.count("GetRole") == 1
