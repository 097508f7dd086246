"""AWS App Runner."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::AppRunner::Service": TypeFacts(
        kinds={"InstanceConfiguration.Cpu": Kind.UNITS, "InstanceConfiguration.Memory": Kind.UNITS}
    ),
}
