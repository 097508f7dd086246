"""Amazon EventBridge Pipes."""

from __future__ import annotations

from driftwarden.resources.comparing import Kind, TypeFacts

FACTS = {
    "AWS::Pipes::Pipe": TypeFacts(kinds={"SourceParameters.FilterCriteria.Filters": Kind.SET}),
}
