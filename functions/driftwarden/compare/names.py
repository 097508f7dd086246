"""Members that mean the same wherever AWS uses the name, for the many places where a schema is silent or
wrong.
"""

from __future__ import annotations

import re

SEQUENCES = frozenset({
    "Args", "Arguments", "BucketColumns", "CacheBehaviors", "Classifiers", "ClusteringKeyColumns",
    "Columns", "Command", "Commands", "CorsRules", "DnsSearchDomains", "DnsServers", "DomainNameServers",
    "EntryPoint", "EnvironmentFiles", "Functions", "KeySchema", "Layers", "Overrides",
    "PartitionKeyColumns", "PartitionKeys", "Phases", "PlacementStrategies", "PlacementStrategy",
    "PreferredCacheClusterAZs", "Processors", "ReplicaAvailabilityZones", "RoutingRules",
    "SkewedColumnNames", "SkewedColumnValues", "SlotPriorities", "SortColumns", "Stages", "StatefulRules",
    "Steps", "TerminationPolicies", "TransformationConfigurations", "TransformerConfig", "Upstreams",
})  # fmt: skip
"""Lists that are carried out, searched or overlaid in their order; some schemas call them unordered all the
same.
"""

SETS = frozenset({
    "AccountIds", "Accounts", "AdditionalMasterSecurityGroups", "AdditionalSlaveSecurityGroups",
    "AdditionalStatistics", "Addresses", "Admins", "AlarmActions", "AlarmNames", "AliasAttributes",
    "Aliases", "AllowMethods", "AllowOrigins", "AllowedFirstAuthFactors", "AllowedInstanceTypes",
    "AllowedMethods", "AllowedOAuthFlows", "AllowedOAuthScopes", "AllowedOrigins", "AlternateNames",
    "ApiStages", "Applications", "Architectures", "AssociatedRoles", "AttributeDefinitions",
    "AttributesRequireVerificationBeforeUpdate", "Audience", "AuthorizationScopes", "AutoScalingGroups",
    "AutoVerifiedAttributes", "AvailabilityZones", "AwsAccountNumbers", "AwsRegions", "BinaryMediaTypes",
    "BlockDeviceMappings", "BlockedIPRangeList", "BodyParameters", "ByteMatchTuples", "CNAMEs",
    "CacheKeyParameters", "CachedMethods", "CalendarNames", "CallbackURLs", "Capabilities",
    "CapacityProviderArns", "CapacityProviderStrategy", "CapacityProviders", "CapacityReservationIds",
    "CapacityReservationResourceGroupArns", "CertificateAuthorityArns", "Certificates", "Cidrs",
    "ClientIdList", "ClusterSettings", "CompatibleArchitectures", "CompatibleRuntimes",
    "ComplianceResourceTypes", "ComputeTypesAllowed", "Cookies", "CountryCodes", "CrossRegionCopyTargets",
    "DBSecurityGroupIngress", "DBSecurityGroups", "DefaultCapacityProviderStrategy",
    "DesiredDeliveryMediums", "Dimensions", "DnsRecords", "DomainList", "Domains", "EC2TagFilters",
    "ECSServices", "Ec2TagFilters", "ElbInfoList", "EmailDestinations", "EnableCloudwatchLogsExports",
    "EnabledCloudwatchLogsExports", "EnabledMfas", "EndpointConfigurations", "EvaluationModes",
    "EventCategories", "EventFilter", "EventTypeIds", "EventTypes", "Events", "ExcludeFilters",
    "ExcludedAccounts", "ExcludedInstanceTypes", "ExcludedRules", "ExcludedTimeRanges", "ExplicitAuthFlows",
    "ExternalConnections", "FileSystemLocations", "FunctionAssociations", "FunctionResponseTypes",
    "GatewayLoadBalancerArns", "GeoMatchConstraints", "GroupNames", "GroupSet", "Groups",
    "HeaderParameters", "Headers", "HealthCheckRegions", "IPSetDescriptors", "IdentitySource",
    "IdpIdentifiers", "ImageTagMutabilityExclusionFilters", "IncludeFilters", "InsufficientDataActions",
    "IntegrationResponses", "Ipv4Prefixes", "Ipv6Addresses", "Ipv6Prefixes", "KafkaBootstrapServers",
    "LambdaConfigurations", "LambdaFunctionAssociations", "LifecycleHooks", "LifecyclePolicies",
    "ListOfTags", "ListenerArns", "LoadBalancerNames", "LoadBalancers", "Locations",
    "LogDeliveryConfigurations", "LogDestinationConfigs", "LogGroupIdentifiers", "LogGroupNames",
    "LogoutURLs", "ManagedPolicyArns", "MatchPredicates", "MatchingEventTypes", "MethodResponses",
    "MetricNames", "MetricsCollection", "Modes", "MountPoints", "NetworkLoadBalancerArns",
    "NonKeyAttributes", "NoncurrentVersionTransitions", "NotificationARNs", "NotificationArns",
    "NotificationConfigurations", "NotificationEvents", "NotificationTypes", "NotificationsWithSubscribers",
    "OKActions", "ObjectPrefixes", "OnPremisesInstanceTagFilters", "OptionalFields", "OrganizationalUnits",
    "OriginCustomHeaders", "OriginSSLProtocols", "PatchGroups", "PlacementConstraints",
    "PlatformCapabilities", "PolicyNames", "PortOverrides", "PortRanges", "Predicates", "Principals",
    "PrivateIpAddresses", "ProcessorFeatures", "Products", "QueryParameters", "QueryStringCacheKeys",
    "QueryStringParameters", "QueryStrings", "QueueConfigurations", "Queues", "ReadAttributes",
    "ReadOnlyAdmins", "Recipients", "RecordingModeOverrides", "RegexPatternStrings", "RegionList",
    "Regions", "RegularExpressionList", "ReplicaSpecifications", "RepositoryFilters",
    "RequiresCompatibilities", "ResourceArns", "ResourceRecords", "ResourceTypes", "Resources", "RoleArns",
    "Roles", "RuleActionOverrides", "RuleLabels", "SSLProtocols", "SecondaryArtifacts", "SecondaryGids",
    "SecondarySourceVersions", "SecondarySources", "Secrets", "SecurityGroupIdList", "SecurityGroupIds",
    "SecurityGroups", "Selectors", "ServerCertificateArns", "ServerCertificateConfigurations",
    "ServiceRegistries", "SigningProfileVersionArns", "SizeConstraints", "SkippedIPRangeList",
    "SourceAccessConfigurations", "SourceDetails", "SourceIds", "SourceRegions", "SqlInjectionMatchTuples",
    "StageKeys", "StagingDistributionDnsNames", "StatefulDefaultActions", "StatelessDefaultActions",
    "StatelessFragmentDefaultActions", "StatusCodes", "StopConditions", "StorageConnectors",
    "SubDomainSettings", "SubjectAlternativeNames", "SubnetIds", "Subnets", "Subscribers",
    "SupportedIdentityProviders", "TagFilters", "TagKeys", "TagSpecifications", "TargetAccounts",
    "TargetGroupARNs", "TargetGroupInfoList", "ThumbprintList", "Tierings", "TokenDomains",
    "TopicConfigurations", "Topics", "TransitGatewayCidrBlocks", "Transitions", "TriggerConfigurations",
    "TriggerEvents", "TrustedKeyGroups", "TrustedSigners", "Types", "Ulimits", "UserGroupIds", "UserNames",
    "UsernameAttributes", "Users", "VPCSecurityGroups", "VolumeConfigurations", "VpcSecurityGroupIds",
    "WhitelistedNames", "WriteAttributes", "XssMatchTuples",
})  # fmt: skip
"""Lists of names or ids that the services treat as sets."""

HEADERS = frozenset(
    {"AllowHeaders", "AllowedHeaders", "ExposeHeaders", "ExposedHeaders", "AccessControlAllowHeaders"}
)
"""HTTP header names: no order and no case (RFC 9110, section 5.1)."""

HEADER_NAMES = frozenset({("SingleHeader", "Name"), ("SingleQueryArgument", "Name")})
"""Objects that name one header or argument, which AWS WAF compares, and keeps, in small letters."""

LOWER_CASING_SERVICES = (
    *(["RDS"], ["DocDB"], ["Neptune"], ["Redshift"], ["ElastiCache"], ["MemoryDB"], ["DAX"], ["DMS"]),
)
DATABASE_NAME = re.compile(r"(Identifier|GroupName|GroupId|ClusterName|ClusterId|ACLName|UserId)$")
"""Identifiers that the database services keep in small letters, and compare without case."""

DNS_NAMES = frozenset({
    "Aliases", "CNAMEs", "DNSName", "DnsName", "DomainName", "FullyQualifiedDomainName", "HostedZoneName",
    "SubjectAlternativeNames",
})  # fmt: skip

RANKS = ("Priority", "RuleNumber", "Order", "RunOrder")
"""Members by which elements carry their own rank, so that the list need not."""

ENUMERATED = re.compile(
    r"(Type|Types|Mode|Protocol|Protocols|Status|State|Level|Strategy|Scheme|Engine|Format|Class|Method|Methods|Unit|Statistic|Operator|Tier|Tenancy|HeaderName)$"
)
"""Members that hold one of a service's fixed words: two of those never differ in case alone."""

WINDOW = re.compile(r"(Maintenance|Backup|Snapshot)Window$")
"""`Mon:03:00-Mon:04:00`, which the database services store in small letters."""

CREDENTIAL = re.compile(
    r"(Password|AuthToken|OAuthToken|AccessToken|SecretToken|HECToken|AccessKey|ClientSecret|PrivateKey|SharedSecret)$",
    re.IGNORECASE,
)
"""Members that no read returns, whether the schema calls them write-only or not."""

DOCUMENT = re.compile(
    r"(?<!Redrive)(?<!RedriveAllow)(?<!Delivery)(Policy|PolicyDocument|PolicyText|Policies|Pattern|Definition|Body)$"
)
"""Members whose JSON belongs to the user alone: AWS adds nothing to it and reads a 5 and a "5" apart."""

OPAQUE = frozenset({"Value", "SecretString", "ZipFile", "Script", "UserData", "InlineCode", "Content"})
"""Texts that belong to the user byte for byte, JSON or not."""

PAIRS = (
    ("Name", "Value"),
    ("Key", "Value"),
    ("Name", "ValueFrom"),
    ("ParameterName", "ParameterValue"),
    ("ParameterKey", "ParameterValue"),
)
"""Maps written as lists: a name and its value, nothing else, no order."""
