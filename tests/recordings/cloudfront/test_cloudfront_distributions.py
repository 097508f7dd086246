"""CloudFront distributions: `{Quantity, Items}` wrappers become the lists of CloudFormation."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ID = "E1EXAMPLE"
ARN = f"arn:aws:cloudfront::111122223333:distribution/{ID}"


def wrapped(*items: Any) -> dict[str, Any]:
    return {"Quantity": len(items), "Items": list(items)}


@pytest.fixture
def distribution(answers: Any) -> Any:
    answers["cloudfront:GetDistributionConfig"] = {
        "DistributionConfig": {"CallerReference": "r", "Comment": "c"}
    }
    answers["cloudfront:GetDistribution"] = {"Distribution": {"ARN": ARN}}
    answers["cloudfront:ListTagsForResource"] = {"Tags": {}}
    return answers


def config_of(distribution: Any, read: Any, **config: Any) -> Any:
    distribution["cloudfront:GetDistributionConfig"] = {"DistributionConfig": config}
    found = read("AWS::CloudFront::Distribution", ID)
    assert isinstance(found, Live)
    return found.properties["DistributionConfig"]


def test_the_callers_reference_is_no_property(distribution: Any, read: Any) -> None:
    assert read("AWS::CloudFront::Distribution", ID) == Live({"DistributionConfig": {"Comment": "c"}})


def test_top_level_wrappers_and_names(distribution: Any, read: Any) -> None:
    made = config_of(
        distribution,
        read,
        Aliases=wrapped("www.example.com"),
        CustomErrorResponses=wrapped({"ErrorCode": 404}),
        IsIPV6Enabled=True,
        ViewerCertificate={
            "ACMCertificateArn": "arn",
            "SSLSupportMethod": "sni-only",
            "IAMCertificateId": "i",
        },
        Restrictions={"GeoRestriction": {"RestrictionType": "whitelist", **wrapped("CH", "AT")}},
    )
    assert made == {
        "Aliases": ["www.example.com"],
        "CustomErrorResponses": [{"ErrorCode": 404}],
        "IPV6Enabled": True,
        "ViewerCertificate": {
            "AcmCertificateArn": "arn",
            "SslSupportMethod": "sni-only",
            "IamCertificateId": "i",
        },
        "Restrictions": {"GeoRestriction": {"RestrictionType": "whitelist", "Locations": ["CH", "AT"]}},
    }


def test_the_cached_methods_stand_beside_the_allowed_ones(distribution: Any, read: Any) -> None:
    behavior = {
        "AllowedMethods": {**wrapped("GET", "HEAD", "OPTIONS"), "CachedMethods": wrapped("GET", "HEAD")},
        "TrustedSigners": {"Enabled": False, "Quantity": 0},
        "FunctionAssociations": wrapped({"EventType": "viewer-request", "FunctionARN": "f"}),
        "ForwardedValues": {
            "QueryString": True,
            "Cookies": {"Forward": "whitelist", "WhitelistedNames": wrapped("session")},
            "Headers": wrapped("Host"),
        },
    }
    expected = {
        "AllowedMethods": ["GET", "HEAD", "OPTIONS"],
        "CachedMethods": ["GET", "HEAD"],
        "TrustedSigners": {"Enabled": False, "Quantity": 0},
        "FunctionAssociations": [{"EventType": "viewer-request", "FunctionARN": "f"}],
        "ForwardedValues": {
            "QueryString": True,
            "Cookies": {"Forward": "whitelist", "WhitelistedNames": ["session"]},
            "Headers": ["Host"],
        },
    }
    made = config_of(distribution, read, DefaultCacheBehavior=behavior, CacheBehaviors=wrapped(behavior))

    assert made == {"DefaultCacheBehavior": expected, "CacheBehaviors": [expected]}


def test_origins_have_cloudformation_names_and_groups_stay_wrapped(distribution: Any, read: Any) -> None:
    origin = {
        "Id": "web",
        "CustomHeaders": wrapped({"HeaderName": "x", "HeaderValue": "1"}),
        "CustomOriginConfig": {"HTTPPort": 80, "OriginSslProtocols": wrapped("TLSv1.2")},
    }
    made = config_of(distribution, read, Origins=wrapped(origin), OriginGroups=wrapped({"Id": "g"}))

    assert made == {
        "Origins": [
            {
                "Id": "web",
                "OriginCustomHeaders": [{"HeaderName": "x", "HeaderValue": "1"}],
                "CustomOriginConfig": {"HTTPPort": 80, "OriginSSLProtocols": ["TLSv1.2"]},
            }
        ],
        "OriginGroups": wrapped({"Id": "g"}),
    }


def test_tags_leave_out_those_of_the_cdk_only(distribution: Any, read: Any) -> None:
    tags = [{"Key": "z", "Value": "1"}, {"Key": "aws:cdk:path", "Value": "p"}, {"Key": "a"}]
    distribution["cloudfront:ListTagsForResource"] = {"Tags": {"Items": tags}}

    found = read("AWS::CloudFront::Distribution", ID)

    assert isinstance(found, Live)
    assert found.properties["Tags"] == [{"Key": "z", "Value": "1"}, {"Key": "a", "Value": ""}]
    assert distribution.asked("cloudfront:ListTagsForResource") == [{"Resource": ARN}]


def test_a_missing_distribution_is_gone_but_not_one_that_vanishes_meanwhile(
    distribution: Any, read: Any
) -> None:
    distribution.fails("cloudfront:GetDistribution", "NoSuchDistribution", status=404)
    assert read("AWS::CloudFront::Distribution", ID) == Live({"DistributionConfig": {"Comment": "c"}})

    distribution.fails("cloudfront:GetDistributionConfig", "NoSuchDistribution", status=404)
    assert read("AWS::CloudFront::Distribution", ID) == Gone()


@pytest.mark.parametrize("operation", ["GetDistributionConfig", "GetDistribution", "ListTagsForResource"])
def test_a_denied_call_is_unreadable_and_names_the_action(
    distribution: Any, read: Any, operation: str
) -> None:
    distribution.fails(f"cloudfront:{operation}", "AccessDenied", status=403)

    found = read("AWS::CloudFront::Distribution", ID)

    assert isinstance(found, Unreadable)
    assert found.action == f"cloudfront:{operation}"


def test_an_answer_without_the_configuration_says_nothing(distribution: Any, read: Any) -> None:
    distribution["cloudfront:GetDistributionConfig"] = {}

    found = read("AWS::CloudFront::Distribution", ID)

    assert isinstance(found, Unreadable)
    assert found.empty_answer


def test_an_origin_access_identity_has_its_comment_only(answers: Any, read: Any) -> None:
    config = {"CallerReference": "r", "Comment": "c"}
    answers["cloudfront:GetCloudFrontOriginAccessIdentity"] = {
        "CloudFrontOriginAccessIdentity": {"Id": "E1", "CloudFrontOriginAccessIdentityConfig": config}
    }
    assert read("AWS::CloudFront::CloudFrontOriginAccessIdentity", "E1") == Live(
        {"CloudFrontOriginAccessIdentityConfig": {"Comment": "c"}}
    )


def test_an_origin_access_control_has_all_its_members(answers: Any, read: Any) -> None:
    config = {"Name": "n", "SigningBehavior": "always"}
    answers["cloudfront:GetOriginAccessControl"] = {
        "OriginAccessControl": {"Id": "E1", "OriginAccessControlConfig": config}
    }
    assert read("AWS::CloudFront::OriginAccessControl", "E1") == Live(
        {
            "OriginAccessControlConfig": {
                "Name": "n",
                "Description": "",
                "OriginAccessControlOriginType": "",
                "SigningBehavior": "always",
                "SigningProtocol": "",
            }
        }
    )
