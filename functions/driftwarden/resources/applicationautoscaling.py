"""Application Auto Scaling."""

from __future__ import annotations

from driftwarden.resources.comparing import Keyed, Kind, TypeFacts

FACTS = {
    "AWS::ApplicationAutoScaling::ScalableTarget": TypeFacts(
        kinds={"RoleARN": Kind.SERVICE_ROLE, "ScheduledActions": Keyed(("ScheduledActionName",))}
    ),
}
