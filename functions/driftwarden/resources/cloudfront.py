"""Amazon CloudFront."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer
from driftwarden.convert import Converter, each, non_empty, pick
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, Kind, TypeFacts
from driftwarden.resources.spec import (
    By,
    Call,
    Caution,
    From,
    ResourceType,
    Tags,
    Write,
    as_is,
    becomes,
    emptied,
)

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE = ("NoSuchDistribution",)

_Members = Mapping[str, tuple[str, Converter]]

_SAME: Final = Converter(read=as_is, write=as_is)


def _items(item: Converter = _SAME, *, enabled: bool = False) -> Converter:
    """CloudFront wraps a list as `{Quantity, Items}`; a wrapper without `Items` stays as it is.

    `enabled`: the wrapper also says whether there is anything in it.
    """

    def read(wrapper: Any) -> Any:
        listed = isinstance(wrapper, Mapping) and wrapper.get("Items") is not None
        return each(item)(wrapper["Items"]) if listed else wrapper

    def write(values: Any) -> Any:
        if not isinstance(values, list):
            return values
        said = {"Enabled": bool(values)} if enabled else {}
        return {**said, "Quantity": len(values), "Items": each(item.write)(values)}

    return Converter(read=read, write=write)


def _structure(members: _Members) -> Converter:
    """A structure of which some members have another name or shape in CloudFormation; all others stay."""
    back = {ours: (theirs, convert) for theirs, (ours, convert) in members.items()}

    def read(value: Mapping[str, Any]) -> dict[str, Any]:
        made = {}
        for name, member in value.items():
            ours, convert = members.get(name, (name, _SAME))
            made[ours] = convert.read(member)
        return made

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        made = {}
        for name, member in value.items():
            theirs, convert = back.get(name, (name, _SAME))
            made[theirs] = convert.write(member)
        return made

    return Converter(read=read, write=write)


def _same(**members: Converter) -> _Members:
    return {name: (name, convert) for name, convert in members.items()}


def _read_behavior(behavior: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = _BEHAVIOR(behavior)
    methods = behavior.get("AllowedMethods")
    if isinstance(methods, Mapping) and methods.get("CachedMethods") is not None:
        # CloudFormation has CachedMethods beside AllowedMethods, the API has it inside.
        made["AllowedMethods"] = _items()({k: v for k, v in methods.items() if k != "CachedMethods"})
        made["CachedMethods"] = _items()(methods["CachedMethods"])
    return made


def _write_behavior(behavior: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = _BEHAVIOR.write(behavior)
    cached = made.pop("CachedMethods", None)
    if cached is not None and isinstance(made.get("AllowedMethods"), Mapping):
        made["AllowedMethods"] = made["AllowedMethods"] | {"CachedMethods": cached}
    return made


_BEHAVIORS: Final = Converter(read=_read_behavior, write=_write_behavior)

_BEHAVIOR: Final = _structure(
    _same(
        AllowedMethods=_items(),
        CachedMethods=_items(),
        LambdaFunctionAssociations=_items(),
        FunctionAssociations=_items(),
        TrustedSigners=_items(enabled=True),
        TrustedKeyGroups=_items(enabled=True),
        ForwardedValues=_structure(
            _same(
                Headers=_items(),
                QueryStringCacheKeys=_items(),
                Cookies=_structure(_same(WhitelistedNames=_items())),
            )
        ),
    )
)

_ORIGIN: Final = _structure(
    {
        "CustomHeaders": ("OriginCustomHeaders", _items()),
        "CustomOriginConfig": (
            "CustomOriginConfig",
            _structure({"OriginSslProtocols": ("OriginSSLProtocols", _items())}),
        ),
    }
)


def _read_restriction(restriction: Mapping[str, Any]) -> dict[str, Any]:
    renamed = {"Items": "Locations"}
    return {renamed.get(k, k): v for k, v in restriction.items() if k != "Quantity"}


def _write_restriction(restriction: Mapping[str, Any]) -> dict[str, Any]:
    locations = restriction.get("Locations") or []
    listed = {"Quantity": len(locations)} | ({"Items": locations} if locations else {})
    return {k: v for k, v in restriction.items() if k != "Locations"} | listed


_RESTRICTION: Final = Converter(read=_read_restriction, write=_write_restriction)

_CONFIG: Final = _structure(
    {
        "IsIPV6Enabled": ("IPV6Enabled", _SAME),
        "ViewerCertificate": (
            "ViewerCertificate",
            _structure(
                {
                    "ACMCertificateArn": ("AcmCertificateArn", _SAME),
                    "IAMCertificateId": ("IamCertificateId", _SAME),
                    "SSLSupportMethod": ("SslSupportMethod", _SAME),
                }
            ),
        ),
        **_same(
            Aliases=_items(),
            CacheBehaviors=_items(_BEHAVIORS),
            CustomErrorResponses=_items(),
            DefaultCacheBehavior=_BEHAVIORS,
            Origins=_items(_ORIGIN),
            Restrictions=_structure(_same(GeoRestriction=_RESTRICTION)),
        ),
    }
)


def _found(answer: Any, _: Reading) -> Any:
    if answer.get("DistributionConfig") is None:
        raise EmptyAnswer("cloudfront:GetDistributionConfig", "DistributionConfig")
    return answer["DistributionConfig"]


def _config(config: Mapping[str, Any]) -> Any:
    return _CONFIG({k: v for k, v in config.items() if k != "CallerReference"})


def _update_distribution(update: Update) -> None:
    """The update replaces everything, so it starts from the document that CloudFront has at this moment; its
    ETag makes the update fail where somebody else was faster."""
    answer = update.ask("GetDistributionConfig", {"Id": update.id})
    fresh = answer["DistributionConfig"]
    wanted, live = (bag["DistributionConfig"] for bag in (update.desired, update.live))
    config = {k: v for k, v in fresh.items() if not _goes(k, wanted, live)}
    changed = {name: value for name, value in wanted.items() if value != live.get(name, ABSENT)}
    for member, value in _CONFIG.write(changed).items():
        observed = update.record.observed is not None
        config[member] = value if observed else _filled_in(value, fresh.get(member))
    request = {"Id": update.id, "IfMatch": answer["ETag"], "DistributionConfig": config}
    update.call("UpdateDistribution", request)


def _goes(member: str, wanted: Mapping[str, Any], live: Mapping[str, Any]) -> bool:
    """Whether somebody configured a member of which the record knows nothing."""
    (ours,) = _CONFIG.read({member: {}})
    return ours in live and ours not in wanted


def _filled_in(value: Any, fresh: Any) -> Any:
    """A template's value with what CloudFront has where the template is silent; all members are required."""
    if isinstance(value, Mapping) and isinstance(fresh, Mapping):
        stays = {k: v for k, v in fresh.items() if k != "Items" or "Quantity" not in value}
        return {**stays, **{k: _filled_in(v, fresh.get(k)) for k, v in value.items()}}
    if isinstance(value, list) and isinstance(fresh, list):
        known = {_named(item): item for item in fresh}
        return [_filled_in(item, known.get(_named(item))) for item in value]
    return value


def _named(item: Any) -> Any:
    """What tells an origin or a cache behavior from the others of its list."""
    return (item.get("Id") or item.get("PathPattern")) if isinstance(item, Mapping) else ABSENT


def _tags(tags: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Tags as AWS orders them, without those of the CDK: the shape in which the deploy tool records them."""
    kept = [t for t in tags if t.get("Key") and not t["Key"].startswith("aws:cdk:")]
    return [{"Key": t["Key"], "Value": t.get("Value", "")} for t in kept]


DISTRIBUTION = ResourceType(
    name="AWS::CloudFront::Distribution",
    service="cloudfront",
    gone=_GONE,
    calls=(
        Call("GetDistributionConfig", {"Id": "{id}"}, at=_found),
        Call("GetDistribution", {"Id": "{id}"}, at="Distribution.ARN", into="arn", absent=_GONE),
        Call(
            "ListTagsForResource",
            {"Resource": "{arn}"},
            at="Tags.Items",
            into="tags",
            absent=(*_GONE, "NoSuchResource"),
        ),
    ),
    fields={
        "DistributionConfig": From("main", _config),
        "Tags": From("tags", lambda tags: non_empty()(_tags(tags))),
    },
    compared=TypeFacts(
        kinds={
            "DistributionConfig.Aliases": Kind.SET,
            "DistributionConfig.CacheBehaviors": Kind.ORDERED,
            "DistributionConfig.CustomErrorResponses": Keyed(("ErrorCode",)),
            "DistributionConfig.Origins": Keyed(("Id",)),
            "DistributionConfig.OriginGroups.Items": Keyed(("Id",)),
            "DistributionConfig.OriginGroups.Items.*.FailoverCriteria.StatusCodes.Items": Kind.SET,
        },
    ),
    writes=(
        By(_update_distribution, ("DistributionConfig",), (Write("UpdateDistribution"),), unsets=False),
        Tags(
            "TagResource",
            "UntagResource",
            {"Resource": "{arn}"},
            pairs_at="Tags.Items",
            keys_at="TagKeys.Items",
        ),
    ),
    refuses={
        "DistributionConfig.ContinuousDeploymentPolicyId": "a continuous deployment links it to another one",
        "DistributionConfig.Staging": "whether a distribution is for staging is fixed when it is created",
        "DistributionConfig.WebACLId": Caution(
            "it would lose its web ACL, which a firewall policy may have put there", emptied
        ),
    },
    warns={
        "DistributionConfig.Enabled": Caution("viewers are no longer served", becomes(False)),
        "DistributionConfig.Aliases": "viewers of the names that go are no longer served",
        "DistributionConfig.WebACLId": "other requests than now are let through",
    },
)


def _update_identity(update: Update) -> None:
    """Needs the version, and the reference that its creator chose."""
    answer = update.ask("GetCloudFrontOriginAccessIdentity", {"Id": update.id})
    name = "CloudFrontOriginAccessIdentityConfig"
    comment = (update.desired.get(name) or {}).get("Comment", "")
    config = {**answer["CloudFrontOriginAccessIdentity"][name], "Comment": comment}
    update.call(
        "UpdateCloudFrontOriginAccessIdentity", {"Id": update.id, "IfMatch": answer["ETag"], name: config}
    )


def _update_control(update: Update) -> None:
    """Needs the version, and all members."""
    answer = update.ask("GetOriginAccessControl", {"Id": update.id})
    name = "OriginAccessControlConfig"
    config = {**answer["OriginAccessControl"][name], **update.desired[name]}
    update.call("UpdateOriginAccessControl", {"Id": update.id, "IfMatch": answer["ETag"], name: config})


ORIGIN_ACCESS_IDENTITY = ResourceType(
    name="AWS::CloudFront::CloudFrontOriginAccessIdentity",
    service="cloudfront",
    gone=("NoSuchCloudFrontOriginAccessIdentity",),
    calls=(Call("GetCloudFrontOriginAccessIdentity", {"Id": "{id}"}, at="CloudFrontOriginAccessIdentity"),),
    fields={
        "CloudFrontOriginAccessIdentityConfig": From(
            "main.CloudFrontOriginAccessIdentityConfig", pick("Comment"), default={}
        )
    },
    writes=(
        By(
            _update_identity,
            ("CloudFrontOriginAccessIdentityConfig",),
            (Write("UpdateCloudFrontOriginAccessIdentity"),),
        ),
    ),
)

_ACCESS_CONTROL: Final = (
    "Name",
    "Description",
    "OriginAccessControlOriginType",
    "SigningBehavior",
    "SigningProtocol",
)

ORIGIN_ACCESS_CONTROL = ResourceType(
    name="AWS::CloudFront::OriginAccessControl",
    service="cloudfront",
    gone=("NoSuchOriginAccessControl",),
    calls=(Call("GetOriginAccessControl", {"Id": "{id}"}, at="OriginAccessControl"),),
    fields={
        "OriginAccessControlConfig": lambda reading: {
            name: reading.get(f"main.OriginAccessControlConfig.{name}", "") for name in _ACCESS_CONTROL
        }
    },
    writes=(
        By(
            _update_control,
            ("OriginAccessControlConfig",),
            (Write("UpdateOriginAccessControl"),),
            unsets=False,
        ),
    ),
    warns={
        "OriginAccessControlConfig.SigningBehavior": Caution(
            "requests to the origin are no longer signed", becomes("never", "no-override")
        )
    },
)

TYPES = (DISTRIBUTION, ORIGIN_ACCESS_IDENTITY, ORIGIN_ACCESS_CONTROL)

FACTS = {
    "AWS::CloudFront::KeyGroup": TypeFacts(kinds={"KeyGroupConfig.Items": Kind.SET}),
    "AWS::CloudFront::ResponseHeadersPolicy": TypeFacts(
        kinds={
            f"ResponseHeadersPolicyConfig.{member}.Items": Kind.SET
            for member in ("CustomHeadersConfig", "RemoveHeadersConfig")
        }
    ),
}
