"""AWS CodePipeline."""

from __future__ import annotations

from driftwarden.resources.comparing import Keyed, TypeFacts

FACTS = {
    "AWS::CodePipeline::Pipeline": TypeFacts(kinds={"Variables": Keyed(("Name",))}),
}
