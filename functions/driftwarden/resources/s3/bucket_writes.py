"""What pushes a bucket's recorded configurations back.

S3 replaces each configuration as a whole, and the properties show less than S3 keeps. So rules that did not
drift are sent back as S3 just answered them, and the others keep what their properties do not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import Convert, Converter, back, each
from driftwarden.model import ABSENT
from driftwarden.resources.s3 import rules
from driftwarden.resources.s3.notifications import TARGETS
from driftwarden.resources.spec import AnyWrite, By, Caution, To, Write, as_is, becomes

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_BUCKET: Final = {"Bucket": "{id}"}


def _kept(made: Mapping[str, Any], live: Mapping[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """`made` with the members of `live` that the properties, converted back as `seen`, do not show."""
    merged = dict(made)
    for name, value in live.items():
        if name not in seen:
            if name != "And":
                merged.setdefault(name, value)
        elif isinstance(value, Mapping) and isinstance(merged.get(name), Mapping):
            merged[name] = _kept(merged[name], value, seen[name])
    return merged


def _request(desired: Any, live: Any, convert: Convert) -> Any:
    """The API's structure for a recorded one, in place of the live one."""
    made = back(convert, desired)
    return made if live is ABSENT else _kept(made, live, back(convert, convert(live)))


def _rules(desired: list[Any], live: list[Any], convert: Convert) -> Iterator[Any]:
    for rule in desired:
        same = next((other for other in live if convert(other) == rule), ABSENT)
        yield _request(rule, _twin(rule, live), convert) if same is ABSENT else same


def _twin(rule: Mapping[str, Any], live: list[Any]) -> Any:
    """The live rule of the same name."""
    name = rule.get("Id")
    return next((other for other in live if name and name in (other.get("ID"), other.get("Id"))), ABSENT)


def _set_lifecycle(update: Update) -> None:
    """An empty configuration is refused, so the last rule goes by a delete call."""
    live = update.get("lifecycle.Rules", [])
    wanted = update.wanted("LifecycleConfiguration.Rules")
    if wanted in (ABSENT, []):
        update.call("DeleteBucketLifecycle", {"Bucket": update.id})
        return
    made = list(_rules(wanted, live, rules.lifecycle_rule))
    if any(rule.get("Filter") for rule in made):
        made = [rule if rule in live else _filtered(rule) for rule in made]
    size = update.wanted("LifecycleConfiguration.TransitionDefaultMinimumObjectSize")
    size = update.get("lifecycle.TransitionDefaultMinimumObjectSize") if size is ABSENT else size
    update.call(
        "PutBucketLifecycleConfiguration",
        {
            "Bucket": update.id,
            "LifecycleConfiguration": {"Rules": made},
            **({} if size is ABSENT else {"TransitionDefaultMinimumObjectSize": size}),
        },
    )


def _filtered(rule: dict[str, Any]) -> dict[str, Any]:
    """The rule with its prefix as a filter: both forms do not go into one configuration."""
    rest = {name: value for name, value in rule.items() if name != "Prefix"}
    return {**rest, "Filter": {"Prefix": rule["Prefix"]}} if "Prefix" in rule else rule


def _set_logging(update: Update) -> None:
    """Grants on the log objects are no property; S3 has no delete call here, but takes an empty status."""
    wanted = update.desired.get("LoggingConfiguration")
    live = update.get("logging")
    status = {"LoggingEnabled": _request(wanted, live, rules.logging)} if wanted else {}
    update.call("PutBucketLogging", {"Bucket": update.id, "BucketLoggingStatus": status})


def _set_replication(update: Update) -> None:
    """Whether existing objects are replicated is no property."""
    wanted = update.desired.get("ReplicationConfiguration")
    if not wanted or not wanted.get("Rules"):
        update.call("DeleteBucketReplication", {"Bucket": update.id})
        return
    live = update.get("replication", {})
    made = {
        **back(rules.replication, wanted),
        "Rules": list(_rules(wanted["Rules"], live.get("Rules", []), rules.replication_rule)),
    }
    update.call("PutBucketReplication", {"Bucket": update.id, "ReplicationConfiguration": made})


def _set_notifications(update: Update) -> None:
    """One request sets all notifications: a kind that is left out of it is removed."""
    wanted = update.desired.get("NotificationConfiguration") or {}
    made: dict[str, Any] = {}
    for name, member, convert in TARGETS:
        live = update.get(f"notifications.{member}", [])
        entries = list(_rules(wanted.get(name, []), live, convert))
        if entries:
            made[member] = entries
    if _to_event_bridge(update, wanted):
        made["EventBridgeConfiguration"] = {}
    update.call(
        "PutBucketNotificationConfiguration", {"Bucket": update.id, "NotificationConfiguration": made}
    )


def _to_event_bridge(update: Update, wanted: Mapping[str, Any]) -> bool:
    if "EventBridgeConfiguration" in wanted:
        return (wanted["EventBridgeConfiguration"] or {}).get("EventBridgeEnabled") in (True, "true")
    return update.get("notifications.EventBridgeConfiguration") is not ABSENT


_BY_ID: Final[Mapping[str, tuple[str, Converter]]] = {
    "Metrics": ("metrics", rules.metrics),
    "Analytics": ("analytics", rules.analytics),
    "IntelligentTiering": ("tiering", rules.intelligent_tiering),
    "Inventory": ("inventory", rules.inventory),
}


def _set_by_id(update: Update) -> None:
    """Of these a bucket has many, each with an id of its own: only those that differ are put or deleted."""
    for kind, (answer, convert) in _BY_ID.items():
        if not update.differs(f"{kind}Configurations"):
            continue
        wrong, extra = update.entries(f"{kind}Configurations", "Id")
        live = update.get(answer, [])
        for entry in wrong:
            made = _request(entry, _twin(entry, live), convert)
            name = {"Bucket": update.id, "Id": entry["Id"]}
            update.call(f"PutBucket{kind}Configuration", {**name, f"{kind}Configuration": made})
        for entry in extra:
            update.call(f"DeleteBucket{kind}Configuration", {"Bucket": update.id, "Id": entry["Id"]})


def _set_tags(update: Update) -> None:
    """S3 replaces the set; it refuses a set without the tags that AWS itself put there."""
    wrong, extra = update.tag_changes()
    gone = {*wrong, *extra}
    tags = [tag for tag in update.get("tags", []) if tag["Key"] not in gone]
    tags += [{"Key": key, "Value": value} for key, value in sorted(wrong.items())]
    if tags:
        update.call("PutBucketTagging", {"Bucket": update.id, "Tagging": {"TagSet": tags}})
    else:
        update.call("DeleteBucketTagging", {"Bucket": update.id})


def _enables(update: Update) -> bool:
    return bool(update.wanted("VersioningConfiguration.Status") == "Enabled")


def _put(operation: str, action: str, sets: Mapping[str, To | str]) -> Write:
    return Write(operation, _BUCKET, sets=sets, action=f"s3:{action}")


def _delete(operation: str, action: str, removes: str) -> Write:
    return Write(operation, _BUCKET, removes=(removes,), action=f"s3:{action}")


def _calls(action: str, *operations: str) -> tuple[Write, ...]:
    return tuple(Write(operation, action=f"s3:{action}") for operation in operations)


_VERSIONING: Final = To("VersioningConfiguration", as_is)

WRITES: Final[tuple[AnyWrite, ...]] = (
    _put(
        "PutPublicAccessBlock",
        "PutBucketPublicAccessBlock",
        {"PublicAccessBlockConfiguration": "PublicAccessBlockConfiguration"},
    ),
    Write("PutBucketVersioning", _BUCKET, sets={"VersioningConfiguration": _VERSIONING}, when=_enables),
    _put(
        "PutBucketOwnershipControls",
        "PutBucketOwnershipControls",
        {"OwnershipControls.Rules": To("OwnershipControls.Rules")},
    ),
    _delete("DeleteBucketOwnershipControls", "PutBucketOwnershipControls", "OwnershipControls.Rules"),
    _put(
        "PutBucketEncryption",
        "PutEncryptionConfiguration",
        {
            "BucketEncryption.ServerSideEncryptionConfiguration": To(
                "ServerSideEncryptionConfiguration.Rules", each(rules.encryption_rule)
            )
        },
    ),
    _delete(
        "DeleteBucketEncryption",
        "PutEncryptionConfiguration",
        "BucketEncryption.ServerSideEncryptionConfiguration",
    ),
    By(
        _set_lifecycle,
        ("LifecycleConfiguration",),
        _calls("PutLifecycleConfiguration", "PutBucketLifecycleConfiguration", "DeleteBucketLifecycle"),
    ),
    _put(
        "PutBucketCors",
        "PutBucketCORS",
        {"CorsConfiguration.CorsRules": To("CORSConfiguration.CORSRules", each(rules.cors_rule))},
    ),
    _delete("DeleteBucketCors", "PutBucketCORS", "CorsConfiguration.CorsRules"),
    _put("PutBucketWebsite", "PutBucketWebsite", {"WebsiteConfiguration": "WebsiteConfiguration"}),
    _delete("DeleteBucketWebsite", "DeleteBucketWebsite", "WebsiteConfiguration"),
    By(_set_logging, ("LoggingConfiguration",), _calls("PutBucketLogging", "PutBucketLogging")),
    By(
        _set_notifications,
        ("NotificationConfiguration",),
        _calls("PutBucketNotification", "PutBucketNotificationConfiguration"),
    ),
    By(
        _set_replication,
        ("ReplicationConfiguration",),
        _calls("PutReplicationConfiguration", "PutBucketReplication", "DeleteBucketReplication"),
    ),
    _put(
        "PutObjectLockConfiguration",
        "PutBucketObjectLockConfiguration",
        {"ObjectLockConfiguration": "ObjectLockConfiguration"},
    ),
    Write(
        "PutBucketAccelerateConfiguration",
        _BUCKET,
        sets={"AccelerateConfiguration.AccelerationStatus": To("AccelerateConfiguration.Status")},
        unset={"AccelerateConfiguration.AccelerationStatus": "Suspended"},
        action="s3:PutAccelerateConfiguration",
    ),
    By(
        _set_by_id,
        tuple(f"{kind}Configurations" for kind in _BY_ID),
        tuple(
            call
            for kind in _BY_ID
            for call in _calls(
                f"Put{kind}Configuration",
                f"PutBucket{kind}Configuration",
                f"DeleteBucket{kind}Configuration",
            )
        ),
    ),
    By(_set_tags, ("Tags",), _calls("PutBucketTagging", "PutBucketTagging", "DeleteBucketTagging")),
    Write(
        "PutBucketVersioning",
        _BUCKET,
        sets={"VersioningConfiguration": _VERSIONING},
        unset={"VersioningConfiguration": {"Status": "Suspended"}},
        when=lambda update: not _enables(update),
    ),
)
"""Versioning is enabled before replication, which needs it, and suspended after that has gone."""


def _opens(desired: Any, live: Any) -> bool:
    """Some protection that is on would be switched off."""
    return isinstance(live, Mapping) and any(
        live[name] and not (desired.get(name) if isinstance(desired, Mapping) else None) for name in live
    )


def _opens_wholly(desired: Any, live: Any) -> bool:
    """Nothing blocked is also what a bucket without any such configuration was recorded as."""
    blocks = isinstance(desired, Mapping) and any(desired.values())
    return not blocks and _opens(desired, live)


def _expires(desired: Any, live: Any) -> bool:
    """A rule that deletes objects comes back, or comes to delete others."""
    before = _rules_of(live)
    return any(rule not in before and any("Expir" in name for name in rule) for rule in _rules_of(desired))


def _rules_of(configuration: Any) -> list[Any]:
    found = configuration.get("Rules") if isinstance(configuration, Mapping) else None
    return found if isinstance(found, list) else []


def _loses_entries(desired: Any, live: Any) -> bool:
    """Some live notification is none of the recorded ones."""
    return isinstance(live, Mapping) and any(
        entry not in (desired.get(name) or [] if isinstance(desired, Mapping) else [])
        for name, entries in live.items()
        if isinstance(entries, list)
        for entry in entries
    )


def _allows_acls(desired: Any, live: Any) -> bool:
    return _rules_of(desired) != [{"ObjectOwnership": "BucketOwnerEnforced"}]


REFUSES: Final[Mapping[str, str | Caution]] = {
    "PublicAccessBlockConfiguration": Caution(
        "the record holds no block of public access, and the bucket has one now: removing it could open the "
        "bucket to everybody",
        _opens_wholly,
    ),
    "ObjectLockConfiguration": Caution(
        "Object Lock cannot be switched off again",
        lambda desired, live: not (isinstance(desired, Mapping) and desired.get("ObjectLockEnabled")),
    ),
}

WARNS: Final[Mapping[str, str | Caution]] = {
    "PublicAccessBlockConfiguration": Caution("public access that is blocked now becomes possible", _opens),
    "VersioningConfiguration.Status": Caution(
        "overwritten and deleted objects can no longer be restored", becomes("Suspended")
    ),
    "LifecycleConfiguration": Caution("the rules that come back delete objects", _expires),
    "NotificationConfiguration": Caution("notifications that others added are removed", _loses_entries),
    "BucketEncryption": "new objects are encrypted in another way",
    "OwnershipControls": Caution("access control lists decide about access again", _allows_acls),
    "ReplicationConfiguration": "other objects than now are replicated",
    "ObjectLockConfiguration": "new objects are protected for another time",
}
