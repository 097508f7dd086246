"""Amazon EMR Serverless."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::EMRServerless::Application": TypeFacts(
        kinds={
            f"{prefix}.{member}": Kind.UNITS
            for prefix in ("MaximumCapacity", "InitialCapacity.*.Value.WorkerConfiguration")
            for member in ("Cpu", "Memory", "Disk")
        }
    ),
}
