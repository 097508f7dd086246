"""When two values that are both there mean the same although they are written differently."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from driftwarden.compare import names
from driftwarden.compare.canonical import arns, dns, network, scalars, text
from driftwarden.compare.canonical.bag import leftovers
from driftwarden.compare.canonical.document import holds, parsed
from driftwarden.compare.canonical.policy import ConditionKeys, Unordered, is_policy, policy
from driftwarden.compare.canonical.tags import is_tag_property, tags
from driftwarden.compare.context import Context
from driftwarden.compare.kms import same_key
from driftwarden.compare.principals import principal_aliases
from driftwarden.compare.rules import Place
from driftwarden.convert import ip_protocol
from driftwarden.model import ABSENT, UNKNOWN, SecretText
from driftwarden.resources.comparing import Kind

CANONICAL: Mapping[Kind, Callable[[str], str]] = {
    Kind.CASELESS: str.lower,
    Kind.DNS_NAME: dns.dns_name,
    Kind.UNITS: text.units,
    Kind.URL: text.url,
    Kind.CUSTOM_NAME: text.custom_name,
    Kind.PROTOCOL: ip_protocol,
}
SPELLINGS: tuple[Callable[[str], str], ...] = (
    arns.log_group,
    arns.hosted_zone,
    arns.account,
    network.network,
    text.schedule,
    text.instant,
    text.pem,
    text.bucket_path,
)
"""Forms that a text carries in itself: they leave every other text alone."""


def is_empty(value: Any) -> bool:
    """A container without anything in it, or null: as good as nothing to AWS."""
    return value is None or (isinstance(value, Mapping | list) and not value)


def alike(state: Any, aws: Any) -> bool:
    """Deep equality of canonical documents: unknown values match anything, unordered lists by their
    elements.
    """
    if state is UNKNOWN or aws is UNKNOWN:
        return True
    if isinstance(state, Unordered) and isinstance(aws, Unordered):
        return leftovers(state, aws, alike) == ([], [])
    if isinstance(state, ConditionKeys) and state.lost_in(aws):
        return True
    if isinstance(state, Mapping) and isinstance(aws, Mapping):
        keys = {**state, **aws}
        return all(alike(state.get(key, ABSENT), aws.get(key, ABSENT)) for key in keys)
    if isinstance(state, list) and isinstance(aws, list):
        return len(state) == len(aws) and all(map(alike, state, aws))
    return bool(state == aws)


def _is_masked(place: Place, aws: str) -> bool:
    """Asterisks for a secret; in a map of the user's own only under the name of one."""
    return text.masked(aws) and (not place.free or names.CREDENTIAL.search(str(place.path[-1])) is not None)


@dataclass(frozen=True, kw_only=True)
class Values:
    """Decides on single values and whole documents, for one resource."""

    context: Context
    observed: bool

    @cached_property
    def aliases(self) -> dict[str, str]:
        return principal_aliases(self.context)

    def same(self, place: Place, state: Any, aws: Any) -> bool:
        """Whether both sides mean the same without looking inside of maps and lists."""
        if isinstance(state, SecretText):
            return False
        if self._same_tags(place, state, aws) or self._same_document(place, state, aws):
            return True
        if place.literal or isinstance(state, Mapping | list) or isinstance(aws, Mapping | list):
            return False
        left, right = scalars.as_text(state), scalars.as_text(aws)
        return left == right or self._same_texts(place, left, right)

    def is_tags(self, place: Place) -> bool:
        return is_tag_property(place.name) or place.path == (place.rules.tag_property,)

    def is_version(self, place: Place) -> bool:
        """Whether only the leading parts of a version may be declared here."""
        return place.rule is Kind.VERSION or place.name.endswith("EngineVersion")

    def no_tags(self, place: Place, value: Any) -> bool:
        """Whether this is a set of tags of which no person wrote any."""
        return self.is_tags(place) and tags(value) == {}

    def policies(self, state: Any, aws: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Both sides in canonical form when both are IAM policy documents."""
        if not (is_policy(state) and is_policy(aws)):
            return None
        plain = policy(state), policy(aws)
        return plain if alike(*plain) else (policy(state, self.aliases), policy(aws, self.aliases))

    def _same_tags(self, place: Place, state: Any, aws: Any) -> bool:
        if not self.is_tags(place):
            return False
        left, right = tags(state), tags(aws)
        return left is not None and right is not None and alike(left, right)

    def _same_document(self, place: Place, state: Any, aws: Any) -> bool:
        if place.free and not place.document:
            return False
        if isinstance(state, str) and isinstance(aws, str) and place.name in names.OPAQUE:
            return False
        left, right = parsed(state), parsed(aws)
        if place.rule is Kind.FILLED and not self.observed:
            return holds(left, right)
        if left is state and right is aws and not is_policy(left):
            return False
        both = self.policies(left, right) or (left, right)
        return isinstance(left, Mapping | list) and alike(*both)

    def _same_texts(self, place: Place, state: Any, aws: Any) -> bool:
        if not (isinstance(state, str) and isinstance(aws, str)):
            return False
        if not self.observed and (text.lost_characters(state, aws) or _is_masked(place, aws)):
            return True
        if place.free:
            return False
        return (
            self._same_form(place, state, aws)
            or any(form(state) == form(aws) for form in SPELLINGS)
            or scalars.same_by_type(state, aws, place.shape.kinds)
            or self._same_names(place, state, aws)
        )

    def _same_form(self, place: Place, state: str, aws: str) -> bool:
        """Equal in the one form that this place is known to have."""
        rule = place.rule
        if isinstance(rule, Kind) and (form := CANONICAL.get(rule)) is not None:
            return form(state) == form(aws)
        if rule is Kind.SERVICE_ROLE and not self.observed:
            return ":role/aws-service-role/" in aws
        if place.name == "PlatformVersion" and state.upper() == "LATEST" and not self.observed:
            return True
        if state.lower() == aws.lower():
            return place.caseless
        return place.name in names.DNS_NAMES and dns.dns_name(state) == dns.dns_name(aws)

    def _same_names(self, place: Place, state: str, aws: str) -> bool:
        if self.is_version(place):
            return text.version_covers(state, aws)
        if arns.same_resource(state, aws, self.context.region, self.context.account_id):
            return True
        return same_key(state, aws, self.context, observed=self.observed)
