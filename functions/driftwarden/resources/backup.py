"""AWS Backup."""

from __future__ import annotations

from driftwarden.resources.comparing import Keyed, TypeFacts

FACTS = {
    "AWS::Backup::BackupPlan": TypeFacts(kinds={"BackupPlan.BackupPlanRule": Keyed(("RuleName",))}),
    "AWS::Backup::BackupVault": TypeFacts(users_own=("AccessPolicy",)),
}
