"""What holds for any JSON: equal is clean, an edit is found, the order of keys never matters."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from driftwarden.compare import Context, compare
from driftwarden.compare.canonical.arns import hosted_zone, log_group
from driftwarden.compare.canonical.bag import leftovers
from driftwarden.compare.canonical.dns import dns_name
from driftwarden.compare.canonical.document import parsed
from driftwarden.compare.canonical.network import network
from driftwarden.compare.canonical.policy import policy
from driftwarden.compare.canonical.text import instant, pem, schedule, units
from driftwarden.convert import ip_protocol
from driftwarden.model import Record

texts = st.text(st.characters(codec="utf-8"), max_size=12)
scalars = st.one_of(texts, st.integers(-10_000, 10_000), st.booleans(), st.none())
json_values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
bags = st.dictionaries(st.sampled_from(["Environment", "Tags", "Policies", "Name", "Other"]), json_values)
types = st.sampled_from(
    ["AWS::Lambda::Function", "AWS::IAM::Role", "AWS::EC2::SecurityGroup", "AWS::Unheard::Of"]
)
quick = settings(max_examples=150, deadline=None)


def run(resource_type: str, baseline: Any, live: Any, *, observed: bool = True) -> Any:
    record = Record(
        logical_id="R",
        resource_type=resource_type,
        physical_id="r",
        properties=baseline,
        observed=baseline if observed else None,
    )
    context = Context(region="eu-west-1", account_id=None, siblings={"R": record})
    return compare(record, baseline, live, context)


def backwards(value: Any) -> Any:
    """The same JSON with the keys of every object in another order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(item) for item in value] if isinstance(value, list) else value


@quick
@given(types, bags, st.booleans())
def test_a_value_compared_with_itself_is_clean(resource_type: str, value: Any, observed: bool) -> None:
    found = run(resource_type, value, copy.deepcopy(value), observed=observed)
    assert found.changes == found.appeared == ()


@quick
@given(types, bags, bags, st.booleans())
def test_the_order_of_keys_never_matters(
    resource_type: str, baseline: Any, live: Any, observed: bool
) -> None:
    def paths(found: Any) -> Any:
        return {change.path for change in found.changes}, {change.path for change in found.appeared}

    straight = run(resource_type, baseline, live, observed=observed)
    assert paths(straight) == paths(
        run(resource_type, backwards(baseline), backwards(live), observed=observed)
    )


def places(value: Any, path: Any = ()) -> Any:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))
    else:
        yield path


readable = st.dictionaries(
    st.sampled_from(["FunctionName", "Handler", "Timeout", "Layers", "Environment"]),
    st.recursive(
        st.one_of(st.text("abcxyz", min_size=1, max_size=8), st.integers(1, 999)),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3),
            st.dictionaries(st.text("ABC", min_size=1, max_size=3), inner, min_size=1, max_size=3),
        ),
        max_leaves=8,
    ),
    min_size=1,
)


@quick
@given(readable, st.data(), st.booleans())
def test_an_edit_of_any_leaf_is_found_at_its_top_level_property(
    value: Any, data: st.DataObject, observed: bool
) -> None:
    path = data.draw(st.sampled_from(sorted(places(value), key=repr)))
    live = copy.deepcopy(value)
    node = live
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = f"{node[path[-1]]}-edited"
    found = run("AWS::Lambda::Function", value, live, observed=observed)
    assert {change.path[0] for change in found.changes} == {path[0]}


@quick
@given(texts)
def test_canonicalising_twice_changes_nothing(text: str) -> None:
    for form in (dns_name, network, ip_protocol, schedule, instant, units, pem, log_group, hosted_zone):
        assert form(form(text)) == form(text)


@quick
@given(json_values)
def test_a_parsed_document_stays_as_it_is(value: Any) -> None:
    once = parsed(value)
    assert isinstance(once, str) or parsed(once) is once


names = st.text("ab*", min_size=1, max_size=3)
statements = st.fixed_dictionaries(
    {"Effect": st.sampled_from(["Allow", "Deny"])},
    optional={
        "Sid": st.sampled_from(["", "One"]),
        "Action": st.one_of(names, st.lists(names, max_size=3)),
        "Resource": st.one_of(names, st.lists(names, max_size=3)),
        "Principal": st.one_of(st.just("*"), st.fixed_dictionaries({"AWS": st.lists(names, max_size=2)})),
        "Condition": st.dictionaries(
            names, st.dictionaries(names, st.one_of(names, st.booleans())), max_size=2
        ),
    },
)


@quick
@given(st.lists(statements, max_size=3))
def test_a_policy_is_canonicalised_once_and_for_all(listed: Any) -> None:
    once = policy({"Version": "2012-10-17", "Statement": listed})
    assert policy(once) == once


@quick
@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_pairing_leaves_over_exactly_what_one_side_has_too_many_of(left: Any, right: Any) -> None:
    def same(a: Any, b: Any) -> Any:
        return a == b

    missing, extra = leftovers(left, right, same)
    assert sorted([*missing, *right]) == sorted([*left, *extra])
    assert not set(missing) & set(extra)


@quick
@given(st.permutations(["a", "b", "ab", "abc"]))
def test_pairing_never_spends_an_element_on_the_wrong_partner(wanted: list[str]) -> None:
    covers = {"a": {"ab", "abc"}, "b": {"ab"}, "ab": {"abc", "x"}, "abc": {"x"}}
    missing, extra = leftovers(wanted[:3], ["ab!", "abc!", "x!"], lambda a, b: b[:-1] in covers[a])
    assert missing == extra == []
