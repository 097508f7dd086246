"""Listing, loading and saving records of both layouts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from driftwarden.clients import Clients
from driftwarden.errors import LockHeld, StateConflict, StateError, StateNotFound, StateUnreadable
from driftwarden.model import StackRef
from driftwarden.state import LockOperation, StateStore
from driftwarden.state.schema import UNKNOWN_REGION

BUCKET = "cdkd-state-123456789012"
SHOP = StackRef("Shop", "us-east-1")
HERE = "Shop/us-east-1/state.json"
LEGACY = "Shop/state.json"


def body_of(s3: Any, key: str) -> Any:
    return orjson.loads(s3.get_object(Bucket=BUCKET, Key=f"cdkd/{key}")["Body"].read())


def keys_in(s3: Any) -> list[str]:
    return [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET).get("Contents", ())]


class TestListing:
    def test_both_layouts_are_listed_in_order_of_name_and_region(self, store: StateStore, put: Any) -> None:
        put("Web/us-east-1/state.json")
        put("Web/eu-west-1/state.json")
        put("App~Child/us-east-1/state.json")
        put("Old/state.json", region="ap-south-1")
        assert store.list_stacks() == (
            StackRef("App~Child", "us-east-1"),
            StackRef("Old", "ap-south-1"),
            StackRef("Web", "eu-west-1"),
            StackRef("Web", "us-east-1"),
        )

    @pytest.mark.parametrize(
        "key",
        [
            "cdkd/Shop/us-east-1/lock.json",
            "cdkd/Shop/us-east-1/rollback-journal.json",
            "cdkd/Shop/us-east-1/create-tokens.json",
            "cdkd/Shop/us-east-1/deployments/1.json",
            "cdkd/Shop/us-east-1/deployments/state.json",
            "cdkd/_index/us-east-1/exports.json",
            "cdkd/_index/us-east-1/state.json",
            "cdkd/state.json",
            "cdkd//state.json",
            "cdkd-bootstrap/us-east-1/state.json",
            "custom-resource-responses/abc/state.json",
            "other/Shop/us-east-1/state.json",
        ],
    )
    def test_other_files_of_the_deploy_tool_are_never_stacks(
        self, store: StateStore, s3: Any, key: str
    ) -> None:
        s3.put_object(Bucket=BUCKET, Key=key, Body=b"{}")
        assert store.list_stacks() == ()

    def test_a_prefix_may_be_any_path(self, clients: Clients, s3: Any) -> None:
        s3.put_object(Bucket=BUCKET, Key="team/a/Shop/us-east-1/state.json", Body=b"{}")
        assert StateStore(clients, prefix="/team/a/").list_stacks() == (SHOP,)
        assert StateStore(clients, prefix="team").list_stacks() == ()

    def test_more_records_than_one_page_holds_are_all_listed(
        self, store: StateStore, put: Any, calls: list[tuple[str, dict[str, Any]]]
    ) -> None:
        for number in range(1001):
            put(f"Stack{number:04}/us-east-1/state.json", b"{}")
        assert len(store.list_stacks()) == 1001
        assert [name for name, _ in calls].count("ListObjectsV2") == 2

    def test_a_legacy_record_that_was_migrated_is_one_stack(self, store: StateStore, put: Any) -> None:
        put(HERE)
        put(LEGACY, region="us-east-1")
        assert store.list_stacks() == (SHOP,)

    def test_a_legacy_record_without_region_hides_behind_the_one_it_migrated_to(
        self, store: StateStore, put: Any
    ) -> None:
        put(HERE)
        put(LEGACY)
        assert store.list_stacks() == (SHOP,)

    @pytest.mark.parametrize(
        "body", [b"{", b'{"version": 12, "region": "us-east-1"}', b"{}", b'{"region": 5}']
    )
    def test_a_legacy_record_that_does_not_tell_its_region_is_still_listed(
        self, store: StateStore, put: Any, body: bytes
    ) -> None:
        put(LEGACY, body)
        assert store.list_stacks() == (StackRef("Shop", ""),)

    def test_names_with_control_characters_survive_the_listing(self, store: StateStore, put: Any) -> None:
        put("Sh\x1b[31mop\n/us-east-1/state.json")
        (ref,) = store.list_stacks()
        assert ref.name == "Sh\x1b[31mop\n"
        assert store.load(ref).ref == ref


class TestLoading:
    def test_the_origin_names_the_very_object_that_was_read(
        self, store: StateStore, s3: Any, put: Any
    ) -> None:
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        put(HERE)
        head = s3.head_object(Bucket=BUCKET, Key=f"cdkd/{HERE}")
        origin = store.load(SHOP).origin
        assert (origin.bucket, origin.key, origin.etag) == (BUCKET, f"cdkd/{HERE}", head["ETag"])
        assert origin.version_id == head["VersionId"]
        assert origin.last_modified == head["LastModified"].isoformat().replace("+00:00", "Z")

    def test_no_state_says_which_object_is_missing(self, store: StateStore) -> None:
        with pytest.raises(
            StateNotFound, match=r"Shop \(us-east-1\) \(s3://.*/cdkd/Shop/us-east-1/state.json\)"
        ):
            store.load(SHOP)

    def test_a_legacy_record_of_the_wanted_region_is_read(self, store: StateStore, put: Any) -> None:
        put(LEGACY, region="us-east-1")
        state = store.load(SHOP)
        assert (state.ref, state.origin.key) == (SHOP, f"cdkd/{LEGACY}")

    def test_a_legacy_record_of_another_region_is_not_this_stack(self, store: StateStore, put: Any) -> None:
        put(LEGACY, region="eu-west-1")
        with pytest.raises(StateNotFound):
            store.load(SHOP)

    @pytest.mark.parametrize("region", ["us-east-1", ""])
    def test_a_legacy_record_without_a_region_asks_for_a_deploy(
        self, store: StateStore, put: Any, region: str
    ) -> None:
        put(LEGACY)
        with pytest.raises(StateUnreadable, match="Deploy the stack once to migrate"):
            store.load(StackRef("Shop", region))

    def test_the_key_of_the_current_layout_wins(self, store: StateStore, put: Any) -> None:
        put(HERE, version=9)
        put(LEGACY, version=1, region="us-east-1")
        assert store.load(SHOP).version == 9

    @pytest.mark.parametrize("body", [b"{", b'{"version": 12}', b"[]"])
    def test_an_unreadable_record_is_an_error_in_either_layout(
        self, store: StateStore, put: Any, body: bytes
    ) -> None:
        put(HERE, body)
        put("Old/state.json", body)
        for ref in store.list_stacks():
            with pytest.raises(StateUnreadable):
                store.load(ref)

    def test_the_document_keeps_what_the_models_do_not_know(self, store: StateStore, put: Any) -> None:
        document = {"version": 8, "resources": {"Q": 5}, "future": {"deep": [1, None]}}
        put(HERE, document)
        read = store.load_document(SHOP)
        assert read.document == document
        assert read.state == store.load(SHOP)

    def test_many_stacks_may_be_loaded_at_once(self, clients: Clients, s3: Any, put: Any) -> None:
        names = [f"Stack{number}" for number in range(40)]
        for name in names:
            put(f"{name}/us-east-1/state.json", stackName=name)
        store = StateStore(clients)
        with ThreadPoolExecutor(16) as pool:
            states = list(pool.map(lambda name: store.load(StackRef(name, "us-east-1")), names))
        assert [state.ref.name for state in states] == names


class TestAncestors:
    CHILD = StackRef("Shop~A~B", "us-east-1")

    def put_family(self, put: Any, **root: Any) -> None:
        put("Shop~A~B/us-east-1/state.json", parentStack="Shop~A", parentRegion="us-east-1")
        put("Shop~A/us-east-1/state.json", parentStack="Shop", parentRegion="us-east-1")
        put(HERE, **root)

    def test_what_any_ancestor_read_elsewhere_is_foreign_to_the_nested_stack(
        self, store: StateStore, put: Any
    ) -> None:
        self.put_family(put, imports=[{"sourceStack": "Net", "sourceRegion": "eu-west-1", "exportName": "v"}])
        state = store.load(self.CHILD)
        assert state.foreign_regions == {"eu-west-1"}
        assert (state.parent, state.warnings) == (StackRef("Shop~A", "us-east-1"), ())

    def test_a_nested_stack_of_a_local_family_has_no_foreign_region(
        self, store: StateStore, put: Any
    ) -> None:
        self.put_family(put, imports=[{"sourceStack": "Net", "sourceRegion": "us-east-1", "exportName": "v"}])
        assert store.load(self.CHILD).foreign_regions == frozenset()

    def test_the_region_of_a_parent_elsewhere_is_foreign_itself(self, store: StateStore, put: Any) -> None:
        put("Shop~A/us-east-1/state.json", parentStack="Shop", parentRegion="eu-west-1")
        put("Shop/eu-west-1/state.json")
        assert store.load(StackRef("Shop~A", "us-east-1")).foreign_regions == {"eu-west-1"}

    def test_a_circle_of_parents_ends(self, store: StateStore, put: Any) -> None:
        self.put_family(put, parentStack="Shop~A~B")
        assert store.load(self.CHILD).foreign_regions == frozenset()

    def test_a_missing_ancestor_is_a_warning(self, store: StateStore, put: Any) -> None:
        put(HERE, parentStack="Gone\x1b[0m")
        state = store.load(SHOP)
        (warning,) = state.warnings
        assert "Gone\\u001b[0m (us-east-1)" in warning
        assert state.foreign_regions == frozenset()

    @pytest.mark.parametrize("body", [b"{", b'{"version": 12}'])
    def test_an_unreadable_ancestor_makes_references_ambiguous(
        self, store: StateStore, put: Any, body: bytes
    ) -> None:
        put("Shop~A/us-east-1/state.json", parentStack="Shop")
        put(HERE, body)
        state = store.load(StackRef("Shop~A", "us-east-1"))
        (warning,) = state.warnings
        assert "refused" in warning
        assert state.foreign_regions == {UNKNOWN_REGION}


class TestSaving:
    def save(self, store: StateStore, ref: StackRef = SHOP, **changes: Any) -> Any:
        read = store.load_document(ref)
        with store.lock(ref, LockOperation.ACCEPT) as lock:
            return store.save(read, {**read.document, **changes}, lock=lock)

    def test_only_the_change_and_the_time_are_written(
        self, store: StateStore, s3: Any, put: Any, clock: Any
    ) -> None:
        before = {
            "version": 8,
            "stackName": "Shop",
            "resources": {"Q": {"x": [1.5, None, "é"]}},
            "future": [{}],
        }
        put(HERE, {**before, "lastModified": 5})
        self.save(store, outputs={"Url": "u"})
        assert body_of(s3, HERE) == {**before, "outputs": {"Url": "u"}, "lastModified": int(clock.now * 1000)}

    def test_the_new_origin_serves_for_the_next_write(self, store: StateStore, s3: Any, put: Any) -> None:
        put(HERE)
        origin = self.save(store)
        assert origin.etag == s3.head_object(Bucket=BUCKET, Key=origin.key)["ETag"]

    @pytest.mark.parametrize(("version", "written"), [(8, 8), (11, 11)])
    def test_the_version_read_is_kept(
        self, store: StateStore, s3: Any, put: Any, version: int, written: int
    ) -> None:
        put(HERE, version=version)
        self.save(store)
        assert body_of(s3, HERE)["version"] == written

    def test_an_absent_version_stays_absent(self, store: StateStore, s3: Any, put: Any) -> None:
        put(HERE, {"resources": {}})
        self.save(store)
        assert "version" not in body_of(s3, HERE)

    def test_a_field_of_11_raises_the_version_to_11(self, store: StateStore, s3: Any, put: Any) -> None:
        put(HERE)
        self.save(store, resources={"Q": {"noEchoLeaves": [["Name"]]}})
        assert body_of(s3, HERE)["version"] == 11

    def test_a_record_that_changed_meanwhile_is_left_alone(
        self, store: StateStore, s3: Any, put: Any
    ) -> None:
        put(HERE)
        read = store.load_document(SHOP)
        put(HERE, outputs={"by": "somebody else"})
        refused = pytest.raises(StateConflict, match=r"Shop \(us-east-1\) changed.*nothing was written")
        with store.lock(SHOP, LockOperation.ACCEPT) as lock, refused:
            store.save(read, read.document, lock=lock)
        assert body_of(s3, HERE)["outputs"] == {"by": "somebody else"}

    def test_a_record_that_was_deleted_meanwhile_stays_deleted(
        self, store: StateStore, s3: Any, put: Any
    ) -> None:
        put(HERE)
        read = store.load_document(SHOP)
        s3.delete_object(Bucket=BUCKET, Key=f"cdkd/{HERE}")
        with store.lock(SHOP, LockOperation.ACCEPT) as lock, pytest.raises(StateConflict):
            store.save(read, read.document, lock=lock)
        assert keys_in(s3) == []

    def test_without_the_stacks_own_lock_nothing_is_written(
        self, store: StateStore, s3: Any, put: Any, clock: Any
    ) -> None:
        put(HERE)
        read = store.load_document(SHOP)
        released = store.lock(SHOP, LockOperation.ACCEPT)
        with pytest.raises(LockHeld):
            store.save(read, read.document, lock=released)
        with (
            store.lock(StackRef("Other", "us-east-1"), LockOperation.ACCEPT) as other,
            pytest.raises(LockHeld),
        ):
            store.save(read, read.document, lock=other)
        with store.lock(SHOP, LockOperation.ACCEPT) as expired:
            clock.now += 31 * 60
            with pytest.raises(LockHeld):
                store.save(read, read.document, lock=expired)
        assert "lastModified" not in body_of(s3, HERE)

    def test_a_legacy_record_moves_to_the_key_of_its_region(
        self, store: StateStore, s3: Any, put: Any
    ) -> None:
        put(LEGACY, region="us-east-1", version=1)
        origin = self.save(store)
        assert origin.key == f"cdkd/{HERE}"
        assert keys_in(s3) == [f"cdkd/{HERE}"]
        assert body_of(s3, HERE)["version"] == 1

    def test_a_legacy_record_that_cannot_be_deleted_does_not_fail_the_write(
        self, store: StateStore, s3: Any, put: Any, faults: Any
    ) -> None:
        put(LEGACY, region="us-east-1")
        read = store.load_document(SHOP)
        with store.lock(SHOP, LockOperation.ACCEPT) as lock:
            faults.answer("DeleteObject", 403, "AccessDenied")
            store.save(read, read.document, lock=lock)
        assert store.load(SHOP).origin.key == f"cdkd/{HERE}"

    @pytest.mark.parametrize("change", ["legacy", "current"])
    def test_a_legacy_record_that_changed_or_moved_meanwhile_is_a_conflict(
        self, store: StateStore, s3: Any, put: Any, change: str
    ) -> None:
        put(LEGACY, region="us-east-1")
        read = store.load_document(SHOP)
        put(LEGACY if change == "legacy" else HERE, region="us-east-1", outputs={"new": 1})
        with store.lock(SHOP, LockOperation.ACCEPT) as lock, pytest.raises(StateConflict):
            store.save(read, read.document, lock=lock)
        assert f"cdkd/{LEGACY}" in keys_in(s3)

    @pytest.mark.parametrize("value", [2**70, "\ud800", object()])
    def test_a_value_that_json_cannot_hold_is_refused_before_anything_is_written(
        self, store: StateStore, s3: Any, put: Any, value: Any
    ) -> None:
        put(HERE)
        with pytest.raises(StateError, match="nothing was written"):
            self.save(store, outputs={"x": value})
        assert "outputs" not in body_of(s3, HERE)
