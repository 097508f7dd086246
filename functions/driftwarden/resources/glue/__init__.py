"""AWS Glue."""

from __future__ import annotations

from driftwarden.resources.glue.catalog import CONNECTION, DATABASE, TABLE
from driftwarden.resources.glue.jobs import CRAWLER, JOB, SECURITY_CONFIGURATION, TRIGGER, WORKFLOW

TYPES = (CONNECTION, CRAWLER, DATABASE, JOB, SECURITY_CONFIGURATION, TABLE, TRIGGER, WORKFLOW)
