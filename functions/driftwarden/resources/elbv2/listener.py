"""Listeners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import each, pick, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.elbv2.common import TAGS, attributes_of, complete, keyed, tags_of
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Write, becomes, emptied

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_GONE: Final = ("ListenerNotFound",)


def _modify_listener(update: Update) -> None:
    """Protocol, certificate and security policy have to change together, so one request holds all of them."""
    secure = update.desired.get("Protocol") in _SECURE
    members = ("Port", "Protocol", "DefaultActions", *(_SECURE_ONLY if secure else ()))
    request: dict[str, Any] = {"ListenerArn": update.id}
    for name in members:
        value = _member(name, update) if update.differs(name) else ABSENT
        if value is not ABSENT:
            request[name] = value
    if len(request) > 1:
        update.call("ModifyListener", request)
    if secure and update.differs("Certificates"):
        _set_further_certificates(update)


def _member(name: str, update: Update) -> Any:
    """A member of the request, or ABSENT where another member's change brings it along."""
    return _WRITTEN[name](update) if name in _WRITTEN else update.wanted(name)


_SECURE: Final = frozenset({"HTTPS", "TLS"})
_SECURE_ONLY: Final = ("SslPolicy", "Certificates", "AlpnPolicy", "MutualAuthentication")


def _actions(update: Update) -> Any:
    """A client secret is never read back: the listener keeps the one it has."""
    has_secret = any("AuthenticateOidcConfig" in action for action in update.live.get("DefaultActions") or ())
    made = []
    for action in update.wanted("DefaultActions"):
        oidc = action.get("AuthenticateOidcConfig")
        if oidc is None:
            made.append(action)
            continue
        if not has_secret:
            raise UpdateFailed("AWS no longer holds the client secret of its OIDC action; deploy the stack")
        kept = {k: v for k, v in oidc.items() if k != "ClientSecret"} | {"UseExistingClientSecret": True}
        made.append(action | {"AuthenticateOidcConfig": kept})
    return _numbers(made)


_NUMBERS: Final = frozenset({"Order", "SessionTimeout", "Weight", "DurationSeconds"})


def _numbers(value: Any) -> Any:
    """CloudFormation templates may spell numbers as text, the API does not."""
    if isinstance(value, Mapping):
        return {k: int(v) if k in _NUMBERS and isinstance(v, str) else _numbers(v) for k, v in value.items()}
    return [_numbers(v) for v in value] if isinstance(value, list) else value


def _default_certificate(certificates: Any) -> Any:
    """The one that the listener itself has; all others are kept in a list of their own."""
    listed = certificates if isinstance(certificates, list) else []
    stated = (c for c in listed if c.get("IsDefault"))
    return next(stated, listed[0] if listed else {}).get("CertificateArn", ABSENT)


def _certificates(update: Update) -> Any:
    wanted, live = (_default_certificate(bag.get("Certificates")) for bag in (update.desired, update.live))
    if wanted is ABSENT:
        raise UpdateFailed("the record names no certificate for a secure listener")
    return ABSENT if wanted == live else [{"CertificateArn": wanted}]


def _set_further_certificates(update: Update) -> None:
    wanted, live = (
        [c["CertificateArn"] for c in bag.get("Certificates") or () if c.get("CertificateArn")]
        for bag in (update.desired, update.live)
    )
    default, former = (_default_certificate(bag.get("Certificates")) for bag in (update.desired, update.live))
    for operation, arns in (
        ("AddListenerCertificates", [arn for arn in wanted if arn not in live and arn != default]),
        ("RemoveListenerCertificates", [arn for arn in live if arn not in wanted and arn != former]),
    ):
        if arns:
            certificates = [{"CertificateArn": arn} for arn in arns]
            update.call(operation, {"ListenerArn": update.id, "Certificates": certificates})


def _mutual_authentication(update: Update) -> Any:
    stated = {} if update.unset("MutualAuthentication") else update.wanted("MutualAuthentication")
    return {"Mode": "off"} | {k: v for k, v in stated.items() if k != "TrustStoreAssociationStatus"}


_WRITTEN: Final[Mapping[str, Callable[[Update], Any]]] = {
    "DefaultActions": _actions,
    "Certificates": _certificates,
    "SslPolicy": lambda update: ABSENT if update.unset("SslPolicy") else update.wanted("SslPolicy"),
    "AlpnPolicy": lambda update: ["None"] if update.unset("AlpnPolicy") else update.wanted("AlpnPolicy"),
    "MutualAuthentication": _mutual_authentication,
}

LISTENER = ResourceType(
    name="AWS::ElasticLoadBalancingV2::Listener",
    service="elbv2",
    gone=_GONE,
    calls=(
        Call("DescribeListeners", {"ListenerArns": ["{id}"]}, at="Listeners.0"),
        attributes_of("DescribeListenerAttributes", "ListenerArn"),
        tags_of(_GONE),
    ),
    same=("LoadBalancerArn", "Port", "Protocol", "SslPolicy"),
    fields={
        "Certificates": From("main.Certificates", each(pick("CertificateArn", "IsDefault")), default=[]),
        "DefaultActions": From("main.DefaultActions", default=[]),
        "AlpnPolicy": From("main.AlpnPolicy", default=[]),
        "MutualAuthentication": From("main.MutualAuthentication", default={}),
        "ListenerAttributes": From("attributes", complete),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(kinds={"ListenerAttributes": Kind.ATTRIBUTES}),
    writes=(
        By(
            _modify_listener,
            ("Port", "Protocol", "DefaultActions", *_SECURE_ONLY),
            (
                Write("ModifyListener"),
                Write("AddListenerCertificates"),
                Write("RemoveListenerCertificates"),
            ),
        ),
        keyed("ModifyListenerAttributes", "ListenerArn", "ListenerAttributes"),
        TAGS,
    ),
    refuses={
        name: Caution(f"a listener cannot be without {name}", emptied)
        for name in ("Port", "Protocol", "DefaultActions")
    },
    warns={
        "DefaultActions": "traffic goes elsewhere: a deployment may have moved it on purpose",
        "Protocol": Caution("the certificate and the security policy are dropped", becomes("HTTP", "TCP")),
    },
)

TYPES = (LISTENER,)

FACTS = {
    "AWS::ElasticLoadBalancingV2::ListenerRule": TypeFacts(
        kinds={
            "Conditions": Kind.SET,
            "Conditions.*.Values": Kind.SET,
            "Conditions.*.SourceIpConfig.Values": Kind.SET,
            "Conditions.*.PathPatternConfig.Values": Kind.SET,
            "Conditions.*.HostHeaderConfig.Values": Kind.SET,
            "Conditions.*.HttpRequestMethodConfig.Values": Kind.SET,
            "Conditions.*.HttpHeaderConfig.Values": Kind.SET,
            "Conditions.*.QueryStringConfig.Values": Kind.SET,
        },
    ),
}
