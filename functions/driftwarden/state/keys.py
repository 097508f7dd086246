"""Object keys of the state bucket: which object belongs to which stack."""

from __future__ import annotations

from driftwarden.model import StackRef

DEFAULT_PREFIX = "cdkd"

_STATE_FILE = "state.json"
_NOT_STACKS = frozenset({"_driftwarden", "_index", "cdkd-bootstrap", "custom-resource-responses"})


class StateKeys:
    """The keys below one prefix. A prefix may have several segments; outer slashes do not count."""

    def __init__(self, prefix: str = DEFAULT_PREFIX) -> None:
        stripped = prefix.strip("/")
        self.root = f"{stripped}/" if stripped else ""

    def state(self, ref: StackRef) -> str:
        return f"{self.folder(ref.name)}{ref.region}/{_STATE_FILE}"

    def legacy_state(self, name: str) -> str:
        """Layout 1, where only the body knows the region."""
        return f"{self.folder(name)}{_STATE_FILE}"

    def lock(self, ref: StackRef) -> str:
        return f"{self.folder(ref.name)}{ref.region}/lock.json"

    @property
    def ignore_rules(self) -> str:
        """The rules of this tool that accept differences for a while (see ignore.py)."""
        return f"{self.root}_driftwarden/ignore.toml"

    def folder(self, name: str) -> str:
        return f"{self.root}{name}/"

    def parse(self, key: str) -> StackRef | None:
        """The stack whose state record `key` is (region "" in layout 1), or None for any other object."""
        if not key.startswith(self.root):
            return None
        match key[len(self.root) :].split("/"):
            case [name, region, "state.json"] if name and region and name not in _NOT_STACKS:
                return StackRef(name, region)
            case [name, "state.json"] if name and name not in _NOT_STACKS:
                return StackRef(name, "")
        return None
