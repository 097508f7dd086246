"""AWS CodeStar Notifications."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::CodeStarNotifications::NotificationRule": TypeFacts(kinds={"Targets": Kind.SET}),
}
