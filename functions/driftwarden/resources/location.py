"""Amazon Location Service."""

from __future__ import annotations

from driftwarden.resources.comparing import TypeFacts

FACTS = {
    "AWS::Location::GeofenceCollection": TypeFacts(never_read_back=("PricingPlanDataSource",)),
    "AWS::Location::Tracker": TypeFacts(never_read_back=("PricingPlanDataSource",)),
}
