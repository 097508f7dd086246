"""S3, DynamoDB, databases and caches, Glue."""

from __future__ import annotations

from driftwarden.compare.facts.vocabulary import Keyed, Kind, TypeFacts

INDEXES = {"GlobalSecondaryIndexes": Keyed(("IndexName",)), "LocalSecondaryIndexes": Keyed(("IndexName",))}

FACTS = {
    "AWS::S3::Bucket": TypeFacts(
        kinds={
            "LifecycleConfiguration.Rules": Kind.SET,
            "ReplicationConfiguration.Rules": Kind.SET,
            "InventoryConfigurations": Keyed(("Id",)),
            "MetricsConfigurations": Keyed(("Id",)),
            "AnalyticsConfigurations": Keyed(("Id",)),
            "IntelligentTieringConfigurations": Keyed(("Id",)),
        },
        defaults={"VersioningConfiguration": {"Status": "Suspended"}},
        users_own=(
            "CorsConfiguration",
            "LifecycleConfiguration",
            "ReplicationConfiguration",
            "WebsiteConfiguration",
        ),
    ),
    "AWS::DynamoDB::Table": TypeFacts(
        kinds={"AttributeDefinitions": Keyed(("AttributeName",)), **INDEXES},
        defaults={"BillingMode": "PROVISIONED", "TimeToLiveSpecification": {"Enabled": False}},
    ),
    "AWS::DynamoDB::GlobalTable": TypeFacts(
        kinds={
            "AttributeDefinitions": Keyed(("AttributeName",)),
            "Replicas": Keyed(("Region",)),
            "Replicas.*.GlobalSecondaryIndexes": Keyed(("IndexName",)),
            **INDEXES,
        },
    ),
    "AWS::EFS::FileSystem": TypeFacts(users_own=("LifecyclePolicies", "FileSystemPolicy")),
    "AWS::DAX::Cluster": TypeFacts(never_read_back=("ReplicationFactor",)),
    "AWS::Redshift::Cluster": TypeFacts(never_read_back=("Port",)),
    "AWS::Glue::Database": TypeFacts(
        never_read_back=("CatalogId", "DatabaseInput.CreateTableDefaultPermissions")
    ),
    "AWS::Glue::Table": TypeFacts(
        never_read_back=("CatalogId",),
        service_written=tuple(
            f"TableInput.Parameters.{key}" for key in ("metadata_location", "previous_metadata_location")
        ),
    ),
}
