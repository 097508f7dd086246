"""Amazon DynamoDB Accelerator."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::DAX::Cluster": TypeFacts(never_read_back=("ReplicationFactor",)),
    "AWS::DAX::ParameterGroup": TypeFacts(kinds={"ParameterNameValues": Kind.FILLED}),
}
