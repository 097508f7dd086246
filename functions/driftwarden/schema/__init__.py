"""Facts distilled from the CloudFormation registry schemas: read-only, write-only, create-only, required,
order, defaults.
"""

from __future__ import annotations

from driftwarden.schema.store import known_types, schema_of
from driftwarden.schema.types import SchemaPath, Shape, TypeSchema

__all__ = ["SchemaPath", "Shape", "TypeSchema", "known_types", "schema_of"]
