"""Everything known about resource types, one module per AWS service."""
