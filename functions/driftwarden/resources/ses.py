"""Amazon SES."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::SES::ConfigurationSetEventDestination": TypeFacts(
        kinds={"EventDestination.MatchingEventTypes.*": Kind.CASELESS}
    ),
}
