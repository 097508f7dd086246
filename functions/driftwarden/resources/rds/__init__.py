"""Amazon RDS."""

from __future__ import annotations

from driftwarden.resources.rds import cluster, instance, proxy

TYPES = (*instance.TYPES, *cluster.TYPES, *proxy.TYPES)

FACTS = instance.FACTS
