"""Distributions: an update replaces everything, so it starts from the document of this moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.resources.registry import find
from driftwarden.resources.spec import From
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
POLICY, OTHER_POLICY = "658327ea-f89d-4fab-a63d-7e88639e58f6", "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"


def listed(*items: Any) -> dict[str, Any]:
    return {"Quantity": len(items), "Items": list(items)} if items else {"Quantity": 0}


def config() -> dict[str, Any]:
    """A distribution as the API spells it."""
    return {
        "CallerReference": "once",
        "Comment": "shop",
        "Enabled": True,
        "Aliases": listed("shop.example"),
        "DefaultRootObject": "index.html",
        "Origins": listed(
            {
                "Id": "site",
                "DomainName": "site.s3.amazonaws.com",
                "OriginPath": "",
                "CustomHeaders": listed({"HeaderName": "x-from", "HeaderValue": "cdn"}),
                "S3OriginConfig": {"OriginAccessIdentity": ""},
                "ConnectionAttempts": 3,
                "ConnectionTimeout": 10,
            }
        ),
        "DefaultCacheBehavior": {
            "TargetOriginId": "site",
            "ViewerProtocolPolicy": "redirect-to-https",
            "TrustedSigners": {"Enabled": False, "Quantity": 0},
            "TrustedKeyGroups": {"Enabled": False, "Quantity": 0},
            "AllowedMethods": {**listed("HEAD", "GET"), "CachedMethods": listed("HEAD", "GET")},
            "Compress": True,
            "CachePolicyId": POLICY,
            "LambdaFunctionAssociations": listed(),
            "FunctionAssociations": listed(),
        },
        "CacheBehaviors": listed(),
        "CustomErrorResponses": listed(),
        "Logging": {"Enabled": False, "IncludeCookies": False, "Bucket": "", "Prefix": ""},
        "PriceClass": "PriceClass_100",
        "ViewerCertificate": {"CloudFrontDefaultCertificate": True},
        "Restrictions": {"GeoRestriction": {"RestrictionType": "none", "Quantity": 0}},
        "WebACLId": "",
        "HttpVersion": "http2",
        "IsIPV6Enabled": True,
        "Staging": False,
    }


class Distribution:
    """A recorded distribution with tags."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.cloudfront = life.client("cloudfront")
        made = self.cloudfront.create_distribution_with_tags(
            DistributionConfigWithTags={"DistributionConfig": config(), "Tags": {"Items": TAGS}}
        )["Distribution"]
        self.id, self.arn = made["Id"], made["ARN"]
        life.record("Cdn", "AWS::CloudFront::Distribution", self.id, {"Tags": TAGS})

    def edit(self, **members: Any) -> None:
        found = self.cloudfront.get_distribution_config(Id=self.id)
        changed = {**found["DistributionConfig"], **members}
        self.cloudfront.update_distribution(Id=self.id, IfMatch=found["ETag"], DistributionConfig=changed)


@pytest.fixture
def distribution(life: Life) -> Distribution:
    return Distribution(life)


EDITS: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "value changed": (lambda: {"Comment": "hacked"}, "DistributionConfig.Comment"),
    "switched off": (lambda: {"Enabled": False}, "DistributionConfig.Enabled"),
    "element added": (
        lambda: {"Aliases": listed("shop.example", "other.example")},
        "DistributionConfig.Aliases",
    ),
    "element removed": (lambda: {"Aliases": listed()}, "DistributionConfig.Aliases"),
    "behavior changed": (
        lambda: {"DefaultCacheBehavior": config()["DefaultCacheBehavior"] | {"CachePolicyId": OTHER_POLICY}},
        "DistributionConfig.DefaultCacheBehavior.CachePolicyId",
    ),
    "origin changed": (
        lambda: {"Origins": listed(config()["Origins"]["Items"][0] | {"OriginPath": "/old"})},
        "DistributionConfig.Origins",
    ),
}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_goes_back_with_the_version_that_was_read(distribution: Distribution, kind: str) -> None:
    members, path = EDITS[kind]
    calls = distribution.life.goes_round("Cdn", lambda: distribution.edit(**members()), expect=[path])
    ((operation, request),) = calls
    assert operation == "UpdateDistribution"
    assert request["IfMatch"]
    assert request["DistributionConfig"]["CallerReference"] == "once"


def test_only_the_difference_of_tags_is_sent(distribution: Distribution) -> None:
    def edit() -> None:
        tags = {"Items": [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]}
        distribution.cloudfront.tag_resource(Resource=distribution.arn, Tags=tags)
        distribution.cloudfront.untag_resource(Resource=distribution.arn, TagKeys={"Items": ["Team"]})

    before = distribution.life.read("Cdn")
    edit()
    assert distribution.life.drift() == {"Cdn": ["Tags"]}
    distribution.life.forget_calls()
    distribution.life.revert()
    named = {"Resource": distribution.arn}
    assert distribution.life.calls == [
        ("UntagResource", {**named, "TagKeys": {"Items": ["Owner"]}}),
        ("TagResource", {**named, "Tags": {"Items": TAGS}}),
    ]
    assert sorted(t["Key"] for t in distribution.life.read("Cdn")["Tags"]) == sorted(
        t["Key"] for t in before["Tags"]
    )


def answers(live: dict[str, Any]) -> dict[str, Any]:
    return {
        "GetDistributionConfig": {"ETag": "E1", "DistributionConfig": live},
        "GetDistribution": {"Distribution": {"ARN": "arn:of:it"}},
    }


def update(live: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The configuration that is sent for a template with these members, in CloudFormation's spelling."""
    spec = find("AWS::CloudFront::Distribution")
    assert spec is not None
    source = spec.fields["DistributionConfig"]
    assert isinstance(source, From)
    record = a_record("AWS::CloudFront::Distribution", "E123")
    requests = sent(record, answers(live), {"DistributionConfig": source.convert(live) | wanted})
    ((operation, request),) = requests
    assert operation == "UpdateDistribution"
    found: dict[str, Any] = request["DistributionConfig"]
    return found


def test_members_that_nobody_here_knows_are_kept() -> None:
    """CloudFront gets new members over time, and leaving one out resets it."""
    live = config() | {"HttpVersion": "http1.1", "AnycastIpListId": "aip-1"}
    made = update(live, {"HttpVersion": "http2"})
    assert made["AnycastIpListId"] == "aip-1"
    assert made["HttpVersion"] == "http2"


def test_a_template_alone_is_filled_in_from_what_is_there() -> None:
    """A template is silent on members that the API requires."""
    wanted = {"Origins": [{"Id": "site", "DomainName": "site.s3.amazonaws.com", "OriginPath": "/new"}]}
    (origin,) = update(config(), wanted)["Origins"]["Items"]
    assert origin == config()["Origins"]["Items"][0] | {"OriginPath": "/new"}


def test_every_member_is_spelled_as_the_api_spells_it() -> None:
    wanted = {
        "IPV6Enabled": False,
        "ViewerCertificate": {
            "AcmCertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1",
            "SslSupportMethod": "sni-only",
            "MinimumProtocolVersion": "TLSv1.2_2021",
        },
        "Restrictions": {"GeoRestriction": {"RestrictionType": "whitelist", "Locations": ["DE", "FR"]}},
        "DefaultCacheBehavior": {
            **config()["DefaultCacheBehavior"],
            "AllowedMethods": ["HEAD", "GET", "OPTIONS"],
            "CachedMethods": ["HEAD", "GET"],
            "TrustedKeyGroups": ["group-1"],
        },
    }
    made = update(config(), wanted)
    assert made["IsIPV6Enabled"] is False
    assert made["ViewerCertificate"]["ACMCertificateArn"].endswith("certificate/1")
    assert made["ViewerCertificate"]["SSLSupportMethod"] == "sni-only"
    assert made["Restrictions"]["GeoRestriction"] == {
        "RestrictionType": "whitelist",
        "Quantity": 2,
        "Items": ["DE", "FR"],
    }
    behavior = made["DefaultCacheBehavior"]
    methods = {**listed("HEAD", "GET", "OPTIONS"), "CachedMethods": listed("HEAD", "GET")}
    assert behavior["AllowedMethods"] == methods
    assert behavior["TrustedKeyGroups"] == {"Enabled": True, **listed("group-1")}


def test_a_web_acl_is_never_taken_away(distribution: Distribution) -> None:
    distribution.edit(WebACLId="arn:aws:wafv2:us-east-1:123456789012:global/webacl/firewall/1")
    (refused,) = distribution.life.plan().refusals
    assert refused.kind is Kind.REFUSED
    assert "firewall policy" in refused.reason


def test_the_comment_of_an_identity_goes_back() -> None:
    member = "CloudFrontOriginAccessIdentityConfig"
    made = {"CallerReference": "once", "Comment": "mine"}
    record = a_record("AWS::CloudFront::CloudFrontOriginAccessIdentity", "E1")
    found = {"ETag": "V1", "CloudFrontOriginAccessIdentity": {"Id": "E1", member: made | {"Comment": "x"}}}
    requests = sent(record, {"GetCloudFrontOriginAccessIdentity": found}, {member: {"Comment": "mine"}})
    assert requests == [("UpdateCloudFrontOriginAccessIdentity", {"Id": "E1", "IfMatch": "V1", member: made})]


def test_an_access_control_goes_back_whole(life: Life) -> None:
    cloudfront = life.client("cloudfront")
    member = "OriginAccessControlConfig"
    made = {
        "Name": "site",
        "Description": "of the shop",
        "SigningProtocol": "sigv4",
        "SigningBehavior": "always",
        "OriginAccessControlOriginType": "s3",
    }
    control = cloudfront.create_origin_access_control(**{member: made})["OriginAccessControl"]["Id"]
    life.record("Control", "AWS::CloudFront::OriginAccessControl", control)

    def edit() -> None:
        version = cloudfront.get_origin_access_control(Id=control)["ETag"]
        changed = made | {"SigningBehavior": "never"}
        cloudfront.update_origin_access_control(Id=control, IfMatch=version, **{member: changed})

    calls = life.goes_round("Control", edit, expect=["OriginAccessControlConfig.SigningBehavior"])
    ((operation, request),) = calls
    assert operation == "UpdateOriginAccessControl"
    assert request["IfMatch"]
    assert request[member] == made
