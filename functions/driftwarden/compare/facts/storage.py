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
            **{
                f"NotificationConfiguration.{kind}Configurations.*.Filter.S3Key.Rules{member}": rule
                for kind in ("Lambda", "Queue", "Topic")
                for member, rule in (("", Kind.SET), (".*.Name", Kind.CASELESS))
            },
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
        users_own=("ResourcePolicy",),
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
    "AWS::DAX::ParameterGroup": TypeFacts(kinds={"ParameterNameValues": Kind.FILLED}),
    "AWS::Redshift::Cluster": TypeFacts(
        never_read_back=(
            "Port",
            "ClusterType",
            "ResourceAction",
            "RevisionTarget",
            "RotateEncryptionKey",
            "SnapshotCopyManual",
        )
    ),
    "AWS::Redshift::ClusterParameterGroup": TypeFacts(kinds={"Parameters": Kind.AT_LEAST}),
    **{
        f"AWS::{service}::DBCluster": TypeFacts(
            kinds={"AvailabilityZones": Kind.AT_LEAST}, never_read_back=hidden
        )
        for service, hidden in (
            ("RDS", ()),
            ("Neptune", ()),
            ("DocDB", ("RestoreToTime", "RestoreType", "UseLatestRestorableTime")),
        )
    },
    "AWS::DocDB::DBInstance": TypeFacts(never_read_back=("CertificateRotationRestart",)),
    "AWS::RDS::OptionGroup": TypeFacts(kinds={"OptionConfigurations.*.OptionSettings": Kind.AT_LEAST}),
    "AWS::ElastiCache::CacheCluster": TypeFacts(never_read_back=("AZMode",)),
    "AWS::DMS::ReplicationInstance": TypeFacts(never_read_back=("AllowMajorVersionUpgrade",)),
    "AWS::DMS::ReplicationTask": TypeFacts(kinds={"ReplicationTaskSettings": Kind.FILLED}),
    "AWS::Glue::Crawler": TypeFacts(kinds={"Configuration": Kind.FILLED}),
    "AWS::Glue::Job": TypeFacts(never_read_back=("AllocatedCapacity",)),
    "AWS::Glue::Database": TypeFacts(
        kinds={"DatabaseInput.Name": Kind.CASELESS},
        never_read_back=("CatalogId", "DatabaseInput.CreateTableDefaultPermissions"),
    ),
    "AWS::Glue::Table": TypeFacts(
        kinds={"TableInput.Name": Kind.CASELESS, "DatabaseName": Kind.CASELESS},
        never_read_back=("CatalogId",),
        service_written=tuple(
            f"TableInput.Parameters.{key}" for key in ("metadata_location", "previous_metadata_location")
        ),
    ),
}
