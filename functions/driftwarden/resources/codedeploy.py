"""AWS CodeDeploy."""

from __future__ import annotations

from driftwarden.resources.comparing import TypeFacts

FACTS = {
    "AWS::CodeDeploy::DeploymentGroup": TypeFacts(never_read_back=("Deployment",)),
}
