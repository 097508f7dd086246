"""AWS Database Migration Service."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::DMS::ReplicationInstance": TypeFacts(never_read_back=("AllowMajorVersionUpgrade",)),
    "AWS::DMS::ReplicationTask": TypeFacts(kinds={"ReplicationTaskSettings": Kind.FILLED}),
}
