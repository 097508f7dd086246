"""Amazon Redshift."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::Redshift::Cluster": TypeFacts(
        never_read_back=(
            "Port",
            "ClusterType",
            "ResourceAction",
            "RevisionTarget",
            "RotateEncryptionKey",
            "SnapshotCopyManual",
        )
    ),
    "AWS::Redshift::ClusterParameterGroup": TypeFacts(kinds={"Parameters": Kind.AT_LEAST}),
}
