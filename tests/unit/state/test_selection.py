"""Which stacks a command line means."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import StateNotFound, StateUnreadable, UsageError
from driftwarden.model import StackRef
from driftwarden.state import StateStore
from driftwarden.state.selection import select_stacks

WEB_EAST, WEB_WEST = StackRef("Web", "us-east-1"), StackRef("Web", "eu-west-1")
SHOP = StackRef("Shop", "us-east-1")
ALL = (SHOP, WEB_WEST, WEB_EAST)


def test_the_only_stack_is_chosen_without_a_name() -> None:
    assert select_stacks([SHOP]) == (SHOP,)


def test_several_stacks_without_a_name_are_listed() -> None:
    with pytest.raises(UsageError, match=r"Shop \(us-east-1\), Web \(eu-west-1\), Web \(us-east-1\).*--all"):
        select_stacks(ALL)


def test_all_means_every_record_of_every_region() -> None:
    assert select_stacks(ALL, every=True) == ALL


def test_all_in_one_region() -> None:
    assert select_stacks(ALL, every=True, region="eu-west-1") == (WEB_WEST,)
    with pytest.raises(StateNotFound, match=r"No stack has state in ap-south-1.*eu-west-1, us-east-1"):
        select_stacks(ALL, every=True, region="ap-south-1")


def test_named_stacks_come_once_each_in_order_of_name() -> None:
    assert select_stacks([SHOP, WEB_EAST], names=["Web", "Shop", "Web"]) == (SHOP, WEB_EAST)


def test_names_and_all_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="--all"):
        select_stacks(ALL, names=["Shop"], every=True)


def test_a_stack_in_two_regions_needs_stack_region() -> None:
    with pytest.raises(
        UsageError, match=r"Web has state in several regions: eu-west-1, us-east-1.*--stack-region"
    ):
        select_stacks(ALL, names=["Web"])
    with pytest.raises(UsageError, match="--stack-region"):
        select_stacks([WEB_EAST, WEB_WEST])
    assert select_stacks(ALL, names=["Web"], region="eu-west-1") == (WEB_WEST,)


def test_a_region_that_the_stack_is_not_in_names_those_it_is_in() -> None:
    with pytest.raises(StateNotFound, match=r"no state in ap-south-1.*eu-west-1, us-east-1"):
        select_stacks(ALL, names=["Web"], region="ap-south-1")


def test_an_unknown_stack_is_answered_with_close_names() -> None:
    with pytest.raises(StateNotFound, match=r"no state for stack shpo\. Did you mean: Shop\?"):
        select_stacks(ALL, names=["shpo"])


def test_an_unknown_stack_with_no_close_name_is_answered_with_what_there_is() -> None:
    with pytest.raises(StateNotFound, match=r"There is state for: Shop, Web\."):
        select_stacks(ALL, names=["Zzzzzzzzz"])


def test_a_long_listing_is_cut() -> None:
    many = [StackRef(f"S{number:03}", "us-east-1") for number in range(300)]
    with pytest.raises(UsageError, match="and 280 more"):
        select_stacks(many)


@pytest.mark.parametrize("request_", [{}, {"every": True}, {"names": ["Shop"]}])
def test_an_empty_bucket_holds_no_stack(request_: dict[str, Any]) -> None:
    with pytest.raises(StateNotFound, match="holds no stack"):
        select_stacks([], **request_)


def test_names_with_control_characters_are_made_plain_in_every_message() -> None:
    hostile = StackRef("We\x1b[31mb\n", "eu\u202e")
    for names in ([], ["We\x1b[31mb"], ["\x07"]):
        with pytest.raises((UsageError, StateNotFound)) as caught:
            select_stacks([hostile, SHOP], names=names)
        assert str(caught.value).isprintable()


class TestInTheStore:
    def test_a_named_stack_is_found_without_listing_the_bucket(
        self, store: StateStore, put: Any, calls: list[tuple[str, dict[str, Any]]]
    ) -> None:
        put("Shop/us-east-1/state.json")
        put("Shopping/us-east-1/state.json")
        assert store.select(["Shop"]) == (SHOP,)
        assert [params["Prefix"] for name, params in calls if name == "ListObjectsV2"] == ["cdkd/Shop/"]

    def test_an_unknown_name_is_looked_for_in_the_whole_bucket(self, store: StateStore, put: Any) -> None:
        put("Shop/us-east-1/state.json")
        with pytest.raises(StateNotFound, match="Did you mean: Shop"):
            store.select(["Shop", "Shops"])

    @pytest.mark.parametrize("name", ["Shop/us-east-1", "", "../cdkd/Shop", "Shop/"])
    def test_a_path_is_not_a_name(self, store: StateStore, put: Any, name: str) -> None:
        put("Shop/us-east-1/state.json")
        with pytest.raises(StateNotFound):
            store.select([name])

    def test_all_and_none(self, store: StateStore, put: Any) -> None:
        put("Shop/us-east-1/state.json")
        assert store.select() == store.select(every=True) == (SHOP,)

    @pytest.mark.parametrize("region", [None, "us-east-1"])
    def test_a_legacy_record_without_region_is_chosen_and_then_says_what_to_do(
        self, store: StateStore, put: Any, region: str | None
    ) -> None:
        put("Shop/state.json")
        (ref,) = store.select(["Shop"], stack_region=region)
        with pytest.raises(StateUnreadable, match="migrate"):
            store.load(ref)
