"""AWS Budgets."""

from __future__ import annotations

from driftwarden.resources.comparing import TypeFacts

FACTS = {
    "AWS::Budgets::Budget": TypeFacts(never_read_back=("NotificationsWithSubscribers",)),
}
