"""CloudFront, Route 53, API Gateway, WAF, CloudWatch, CI/CD and everything else."""

from __future__ import annotations

from driftwarden.compare.facts.vocabulary import Keyed, Kind, TypeFacts

FACTS = {
    "AWS::CloudFront::Distribution": TypeFacts(
        kinds={
            "DistributionConfig.Aliases": Kind.SET,
            "DistributionConfig.CacheBehaviors": Kind.ORDERED,
            "DistributionConfig.CustomErrorResponses": Keyed(("ErrorCode",)),
            "DistributionConfig.Origins": Keyed(("Id",)),
        },
    ),
    "AWS::Route53::RecordSet": TypeFacts(kinds={"Name": Kind.DNS_NAME}),
    "AWS::Route53::RecordSetGroup": TypeFacts(
        kinds={"RecordSets": Kind.SET, "RecordSets.*.Name": Kind.DNS_NAME}
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
    "AWS::CodeBuild::Project": TypeFacts(kinds={"Environment.EnvironmentVariables": Keyed(("Name",))}),
    "AWS::Backup::BackupPlan": TypeFacts(kinds={"BackupPlan.BackupPlanRule": Keyed(("RuleName",))}),
}
