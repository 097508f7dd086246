"""Amazon DynamoDB."""

from __future__ import annotations

from driftwarden.resources.dynamodb.global_table import GLOBAL_TABLE
from driftwarden.resources.dynamodb.table import TABLE

TYPES = (TABLE, GLOBAL_TABLE)
