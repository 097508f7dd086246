"""Members that mean the same wherever AWS uses the name, for the many places where a schema is silent or
wrong.
"""

from __future__ import annotations

import re

SEQUENCES = frozenset(
    {
        "Args",
        "PlacementStrategy",
        "SkewedColumnValues",
        "SkewedColumnNames",
        "BucketColumns",
        "Arguments",
        "CacheBehaviors",
        "Columns",
        "Command",
        "Commands",
        "CorsRules",
        "DnsSearchDomains",
        "DnsServers",
        "DomainNameServers",
        "EntryPoint",
        "Functions",
        "KeySchema",
        "Layers",
        "PartitionKeys",
        "Phases",
        "PlacementStrategies",
        "Processors",
        "SlotPriorities",
        "SortColumns",
        "Stages",
        "Steps",
        "TerminationPolicies",
        "TransformationConfigurations",
        "TransformerConfig",
    }
)
"""Lists that are carried out, searched or overlaid in their order; some schemas call them unordered all the
same.
"""

SETS = frozenset(
    {
        "Accounts",
        "Addresses",
        "AlarmActions",
        "AliasAttributes",
        "AllowMethods",
        "AllowOrigins",
        "AllowedMethods",
        "AllowedOAuthFlows",
        "AllowedOAuthScopes",
        "AllowedOrigins",
        "Architectures",
        "AttributeDefinitions",
        "AutoVerifiedAttributes",
        "AvailabilityZones",
        "BinaryMediaTypes",
        "CachedMethods",
        "CallbackURLs",
        "ClientIdList",
        "CountryCodes",
        "Dimensions",
        "EnableCloudwatchLogsExports",
        "EnabledCloudwatchLogsExports",
        "EventCategories",
        "EventTypes",
        "ExplicitAuthFlows",
        "GroupSet",
        "InsufficientDataActions",
        "KafkaBootstrapServers",
        "LogoutURLs",
        "ManagedPolicyArns",
        "MatchingEventTypes",
        "NonKeyAttributes",
        "NotificationTypes",
        "OKActions",
        "OriginSSLProtocols",
        "SSLProtocols",
        "PolicyNames",
        "ReadAttributes",
        "Regions",
        "ResourceRecords",
        "SecurityGroupIds",
        "SecurityGroups",
        "SubnetIds",
        "Subnets",
        "SupportedIdentityProviders",
        "TargetGroupARNs",
        "ThumbprintList",
        "UsernameAttributes",
        "VPCSecurityGroups",
        "VpcSecurityGroupIds",
        "WriteAttributes",
    }
)
"""Lists of names or ids that the services treat as sets."""

HEADERS = frozenset(
    {"AllowHeaders", "AllowedHeaders", "ExposeHeaders", "ExposedHeaders", "AccessControlAllowHeaders"}
)
"""HTTP header names: no order and no case (RFC 9110, section 5.1)."""

DNS_NAMES = frozenset({"DNSName", "DnsName", "DomainName", "FullyQualifiedDomainName", "HostedZoneName"})

RANKS = ("Priority", "RuleNumber", "Order", "RunOrder")
"""Members by which elements carry their own rank, so that the list need not."""

ENUMERATED = re.compile(r"(Type|Types|Mode|Protocol|Status|State|Level|Strategy|Scheme|Engine|Format|Class)$")
"""Members that hold one of a service's fixed words: two of those never differ in case alone."""

WINDOW = re.compile(r"(Maintenance|Backup|Snapshot)Window$")
"""`Mon:03:00-Mon:04:00`, which the database services store in small letters."""

CREDENTIAL = re.compile(
    r"(Password|AuthToken|SecretAccessKey|ClientSecret|PrivateKey|SharedSecret)$", re.IGNORECASE
)
"""Members that no read returns, whether the schema calls them write-only or not."""

DOCUMENT = re.compile(
    r"(?<!Redrive)(?<!RedriveAllow)(Policy|PolicyDocument|PolicyText|Policies|Pattern|Definition|Body)$"
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
