"""Amazon GuardDuty."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::GuardDuty::Detector": TypeFacts(
        kinds={"Features": Kind.AT_LEAST, "Features.*.AdditionalConfiguration": Kind.AT_LEAST}
    ),
}
