"""What Cloud Control read-backs hold that cannot be compared."""

from __future__ import annotations

DENIED: frozenset[str] = frozenset({"AWS::CloudFormation::Stack"})
"""Types whose read-back is run-time state: a nested stack's holds the whole child template and its status.

Types that merely leave inputs out of their read-back (`Body` of a REST API, the data of a launch template)
need no place here: the registry schema calls those inputs write-only.
"""

MANAGED: frozenset[str] = frozenset(
    {
        "CreatedAt",
        "CreatedDate",
        "CreatedTime",
        "CreationDate",
        "CreationTime",
        "LastModifiedAt",
        "LastModifiedDate",
        "LastModifiedTime",
        "LastUpdateTime",
        "LastUpdatedAt",
        "LastUpdatedTime",
        "OwnerId",
        "RevisionId",
        "UpdatedAt",
    }
)
"""Members that only AWS writes, wherever they stand; names that some types take as inputs (`Status`) are
not here.
"""
