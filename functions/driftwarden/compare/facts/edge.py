"""CloudFront, Route 53, API Gateway, WAF, CloudWatch, CI/CD and everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from driftwarden.compare.facts.vocabulary import Keyed, Kind, TypeFacts


def _full_hour(key: Mapping[str, Any]) -> Any:
    """AppSync rounds an expiry down to the hour (AWS AppSync API, CreateApiKey)."""
    expires = key.get("Expires")
    return int(expires) // 3600 * 3600 if isinstance(expires, int | float) else expires


FACTS = {
    "AWS::CloudFront::Distribution": TypeFacts(
        kinds={
            "DistributionConfig.Aliases": Kind.SET,
            "DistributionConfig.CacheBehaviors": Kind.ORDERED,
            "DistributionConfig.CustomErrorResponses": Keyed(("ErrorCode",)),
            "DistributionConfig.Origins": Keyed(("Id",)),
            "DistributionConfig.OriginGroups.Items": Keyed(("Id",)),
            "DistributionConfig.OriginGroups.Items.*.FailoverCriteria.StatusCodes.Items": Kind.SET,
        },
    ),
    "AWS::Route53::RecordSet": TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    "AWS::Route53::RecordSetGroup": TypeFacts(
        kinds={"RecordSets": Kind.SET, "RecordSets.*.Name": Kind.DNS_NAME}, never_read_back=("Comment",)
    ),
    "AWS::Route53::HostedZone": TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    "AWS::ServiceDiscovery::PrivateDnsNamespace": TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    "AWS::ServiceDiscovery::PublicDnsNamespace": TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    "AWS::WAFv2::WebACL": TypeFacts(kinds={"Rules": Keyed(("Priority",))}),
    "AWS::WAFv2::RuleGroup": TypeFacts(kinds={"Rules": Keyed(("Priority",))}),
    "AWS::CloudWatch::AnomalyDetector": TypeFacts(
        never_read_back=("MetricMathAnomalyDetector.MetricDataQueries.*.Label",)
    ),
    "AWS::CloudWatch::Alarm": TypeFacts(kinds={"Metrics": Keyed(("Id",))}),
    "AWS::DLM::LifecyclePolicy": TypeFacts(never_read_back=("DefaultPolicy",)),
    "AWS::Budgets::Budget": TypeFacts(never_read_back=("NotificationsWithSubscribers",)),
    "AWS::CloudFront::KeyGroup": TypeFacts(kinds={"KeyGroupConfig.Items": Kind.SET}),
    "AWS::CloudFront::ResponseHeadersPolicy": TypeFacts(
        kinds={
            f"ResponseHeadersPolicyConfig.{member}.Items": Kind.SET
            for member in ("CustomHeadersConfig", "RemoveHeadersConfig")
        }
    ),
    "AWS::ApiGateway::RestApi": TypeFacts(users_own=("Policy",)),
    "AWS::ECR::Repository": TypeFacts(users_own=("RepositoryPolicyText",)),
    "AWS::Backup::BackupVault": TypeFacts(users_own=("AccessPolicy",)),
    "AWS::CodeArtifact::Domain": TypeFacts(users_own=("PermissionsPolicyDocument",)),
    "AWS::CodeArtifact::Repository": TypeFacts(users_own=("PermissionsPolicyDocument",)),
    "AWS::AppSync::ApiKey": TypeFacts(stores={"Expires": _full_hour}),
    "AWS::CodeDeploy::DeploymentGroup": TypeFacts(never_read_back=("Deployment",)),
    "AWS::CodePipeline::Pipeline": TypeFacts(kinds={"Variables": Keyed(("Name",))}),
    "AWS::CodeStarNotifications::NotificationRule": TypeFacts(kinds={"Targets": Kind.SET}),
    "AWS::SSM::Association": TypeFacts(kinds={"Targets": Kind.SET, "Targets.*.Values": Kind.SET}),
    "AWS::SSM::MaintenanceWindowTarget": TypeFacts(kinds={"Targets": Kind.SET, "Targets.*.Values": Kind.SET}),
    "AWS::SSM::MaintenanceWindowTask": TypeFacts(kinds={"Targets": Kind.SET, "Targets.*.Values": Kind.SET}),
    "AWS::ServiceCatalog::CloudFormationProvisionedProduct": TypeFacts(never_read_back=("AcceptLanguage",)),
    "AWS::ServiceDiscovery::Service": TypeFacts(never_read_back=("DnsConfig.NamespaceId",)),
    **{
        f"AWS::Location::{kind}": TypeFacts(never_read_back=("PricingPlanDataSource",))
        for kind in ("Tracker", "GeofenceCollection")
    },
    "AWS::CodeBuild::Project": TypeFacts(
        kinds={"Environment.EnvironmentVariables": Keyed(("Name",))}, never_read_back=("Source.Auth",)
    ),
    "AWS::Backup::BackupPlan": TypeFacts(kinds={"BackupPlan.BackupPlanRule": Keyed(("RuleName",))}),
}
