"""AWS Service Catalog."""

from __future__ import annotations

from driftwarden.resources.comparing import TypeFacts

FACTS = {
    "AWS::ServiceCatalog::CloudFormationProvisionedProduct": TypeFacts(never_read_back=("AcceptLanguage",)),
}
