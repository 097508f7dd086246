"""One value, several spellings: what means the same, and beside it what must never be taken for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.model import Record

Diff = Callable[..., Comparison]
Neighbour = Callable[..., Record]


ROLE = "arn:aws:iam::111122223333:role/team/crawler"
KEY = "arn:aws:kms:eu-west-1:111122223333:key/aaaaaaaa-0000-4000-8000-000000000001"
STRANGER = "arn:aws:kms:eu-west-1:444455556666:key/aaaaaaaa-0000-4000-8000-000000000001"
TASKS = "arn:aws:ecs:eu-west-1:111122223333:task-definition/"
GROUP = "arn:aws:logs:eu-west-1:111122223333:log-group:/sfn/refunds"

# (type, property, declared, live that means the same, live that does not)
SPELLINGS = [
    ("AWS::SQS::Queue", "DelaySeconds", 5, "5", "50"),
    ("AWS::SQS::Queue", "DelaySeconds", "5.0", 5, 6),
    ("AWS::SQS::Queue", "FifoQueue", "true", True, False),
    ("AWS::SNS::Topic", "DisplayName", "007", "007", "7"),
    ("AWS::EC2::SecurityGroupIngress", "IpProtocol", "6", "tcp", "-1"),
    ("AWS::EC2::SecurityGroupIngress", "IpProtocol", "UDP", "17", "tcp"),
    ("AWS::EC2::SecurityGroupIngress", "IpProtocol", 58, "icmpv6", "icmp"),
    ("AWS::EC2::SecurityGroupIngress", "CidrIp", "10.20.1.0/16", "10.20.0.0/16", "10.20.1.0/24"),
    ("AWS::EC2::SecurityGroupIngress", "CidrIpv6", "2001:DB8:0:0::/32", "2001:db8::/32", "2001:db8::/33"),
    ("AWS::Route53::RecordSet", "Name", "*.Apps.example.org", r"\052.apps.example.org.", "apps.example.org."),
    ("AWS::Route53::RecordSet", "HostedZoneId", "Z0EXAMPLE", "/hostedzone/Z0EXAMPLE", "Z1EXAMPLE"),
    ("AWS::ApiGateway::DomainName", "DomainName", "Api.Example.com", "api.example.com.", "api.example.org"),
    ("AWS::RDS::DBInstance", "EngineVersion", "8.0", "8.0.45", "8.4"),
    ("AWS::RDS::DBInstance", "EngineVersion", "1", "1.2", "15.6"),
    ("AWS::RDS::DBInstance", "PreferredMaintenanceWindow", "Mon:03:00-Mon:04:00", "mon:03:00-mon:04:00",
     "tue:03:00-tue:04:00"),
    ("AWS::Glue::Crawler", "Role", ROLE, "crawler", "other"),
    ("AWS::Glue::Crawler", "Role", ROLE, "team/crawler", "team"),
    ("AWS::Glue::Crawler", "Role", "crawler", ROLE, ROLE.replace("111122223333", "444455556666")),
    ("AWS::Lambda::Permission", "Principal", "444455556666", "arn:aws:iam::444455556666:root",
     "777788889999"),
    ("AWS::ECS::Service", "TaskDefinition", "web", f"{TASKS}web:7",
     f"{TASKS}worker:7"),
    ("AWS::ECS::Service", "TaskDefinition", "web:6", f"{TASKS}web:6",
     f"{TASKS}web:7"),
    ("AWS::SNS::Topic", "KmsMasterKeyId", "alias/aws/sns", KEY, STRANGER),
    ("AWS::SNS::Topic", "KmsMasterKeyId", KEY.split("/")[1], KEY, STRANGER),
    ("AWS::Logs::SubscriptionFilter", "DestinationArn", f"{GROUP}:*", GROUP, f"{GROUP}2"),
    ("AWS::Synthetics::Canary", "Name", "probe", "probe", "Probe2"),
    ("AWS::Scheduler::Schedule", "ScheduleExpression", "rate(60 minutes)", "rate(1 hour)", "rate(6 hours)"),
    ("AWS::Scheduler::Schedule", "StartDate", "2030-01-01T00:00:00Z", "2030-01-01T00:00:00.000+00:00",
     "2030-01-01T00:00:01Z"),
    ("AWS::DMS::Endpoint", "EndpointType", "source", "SOURCE", "target"),
    ("AWS::Neptune::DBCluster", "DBClusterIdentifier", "Mixed-Case", "mixed-case", "other-case"),
    ("AWS::SSM::Parameter", "Value", "caf? ?", "café é", "café e"),
    ("AWS::ECS::TaskDefinition", "Cpu", "1 vCPU", "1024", "2048"),
    ("AWS::ECS::TaskDefinition", "Memory", "0.5GB", "512", "1024"),
    ("AWS::EMRServerless::Application", "MaximumCapacity", {"Cpu": "4 vCPU"}, {"Cpu": "4vCPU"},
     {"Cpu": "8vCPU"}),
    ("AWS::IAM::OIDCProvider", "Url", "https://token.example.com", "token.example.com", "evil.example.com"),
    ("AWS::ElastiCache::CacheCluster", "EngineVersion", "6.x", "6.2.6", "7.0.7"),
    ("AWS::RDS::DBInstance", "DBParameterGroupName", "Shop-Group", "shop-group", "shop-group2"),
    ("AWS::Glue::Database", "DatabaseInput", {"Name": "Lake"}, {"Name": "lake"}, {"Name": "lake2"}),
    ("AWS::Budgets::Budget", "Budget", {"TimePeriod": {"Start": "2024-01-01T00:00:00Z"}},
     {"TimePeriod": {"Start": "1704067200"}}, {"TimePeriod": {"Start": "1704067207"}}),
    ("AWS::CloudFront::PublicKey", "PublicKeyConfig",
     {"EncodedKey": "-----BEGIN PUBLIC KEY-----\r\nQUJD\r\n-----END PUBLIC KEY-----"},
     {"EncodedKey": "-----BEGIN PUBLIC KEY-----\nQUJD\n-----END PUBLIC KEY-----\n"},
     {"EncodedKey": "-----BEGIN PUBLIC KEY-----\nQUJE\n-----END PUBLIC KEY-----\n"}),
    ("AWS::Synthetics::Canary", "ArtifactS3Location", "s3://bucket/path", "bucket/path", "bucket/other"),
    ("AWS::ApiGateway::Method", "HttpMethod", "get", "GET", "PUT"),
    ("AWS::CertificateManager::Certificate", "SubjectAlternativeNames", ["WWW.example.org", "example.org"],
     ["example.org", "www.example.org"], ["example.org", "www.example.com"]),
]  # fmt: skip


@pytest.mark.parametrize(("resource_type", "name", "declared", "same", "other"), SPELLINGS)
def test_another_spelling_is_no_drift_and_another_value_is(
    diff: Diff, resource_type: str, name: str, declared: Any, same: Any, other: Any
) -> None:
    assert diff(resource_type, {name: declared}, {name: same}).changes == ()
    assert diff(resource_type, {name: declared}, {name: other}).changes


def test_the_latest_platform_is_whichever_is_in_use_but_a_declared_one_is_pinned(diff: Diff) -> None:
    kind, live = "AWS::ECS::Service", {"PlatformVersion": "1.4.0"}
    assert diff(kind, {"PlatformVersion": "LATEST"}, live).changes == ()
    assert diff(kind, {"PlatformVersion": "1.3.0"}, live).changes


FREE = [
    ("0042", "42"),
    ("true", "True"),
    ("1", "1.0"),
    ("10.1.2.3/8", "10.0.0.0/8"),
    ("rate(60 minutes)", "rate(1 hour)"),
    ("crawler", ROLE),
    ('{"a": 1}', '{"a":1}'),
    ("alias/aws/sns", KEY),
]


@pytest.mark.parametrize(("before", "after"), FREE)
def test_inside_environment_variables_a_text_is_only_equal_to_itself(
    diff: Diff, before: str, after: str
) -> None:
    def function(text: str) -> dict[str, object]:
        return {"Environment": {"Variables": {"SETTING": text}}}

    for observed in (None, function(before)):
        assert diff("AWS::Lambda::Function", function(before), function(after), observed=observed).changes


def test_a_number_in_an_environment_variable_is_its_text(diff: Diff) -> None:
    template, live = ({"Environment": {"Variables": {"PORT": port}}} for port in (8080, "8080"))
    assert diff("AWS::Lambda::Function", template, live).changes == ()


def test_lost_characters_are_forgiven_on_a_template_baseline_only(diff: Diff) -> None:
    before, after = {"Description": "caf?"}, {"Description": "café"}
    assert diff("AWS::Lambda::Function", before, after, observed=before).changes


def test_an_alias_of_the_stack_stands_for_its_own_key_alone(diff: Diff, neighbour: Neighbour) -> None:
    alias = neighbour("AWS::KMS::Alias", properties={"AliasName": "alias/shop", "TargetKeyId": KEY})
    template = {"KmsMasterKeyId": "alias/shop"}
    for observed in (None, template):
        assert diff("AWS::SNS::Topic", template, {"KmsMasterKeyId": KEY}, neighbours=(alias,)).changes == ()
        other = {"KmsMasterKeyId": KEY[:-1] + "2"}
        assert diff("AWS::SNS::Topic", template, other, observed=observed, neighbours=(alias,)).changes


def test_an_observed_alias_is_literal_because_aws_answered_it_so(diff: Diff) -> None:
    before = {"KmsMasterKeyId": "alias/aws/sns"}
    assert diff("AWS::SNS::Topic", before, {"KmsMasterKeyId": KEY}, observed=before).changes


def test_a_key_of_another_account_is_drift(diff: Diff) -> None:
    before, after = ({"SSESpecification": {"KMSMasterKeyId": key}} for key in (KEY, STRANGER))
    assert diff("AWS::DynamoDB::Table", {}, after, observed=before).changes


def test_header_names_have_no_case_and_no_order_but_origins_have_a_case(diff: Diff) -> None:
    template = {"CorsConfiguration": {"AllowHeaders": ["X-Team", "Accept"], "AllowOrigins": ["https://a/X"]}}
    same = {"CorsConfiguration": {"AllowHeaders": ["accept", "x-team"], "AllowOrigins": ["https://a/X"]}}
    other = {"CorsConfiguration": {"AllowHeaders": ["accept", "x-team"], "AllowOrigins": ["https://a/x"]}}
    assert diff("AWS::ApiGatewayV2::Api", template, same).changes == ()
    assert diff("AWS::ApiGatewayV2::Api", template, other).changes


def test_a_block_that_is_switched_off_may_be_absent_but_not_switched_on(diff: Diff) -> None:
    template = {"SSESpecification": {"SSEEnabled": False}}
    assert diff("AWS::DynamoDB::Table", template, {}).changes == ()
    assert diff("AWS::DynamoDB::Table", template, {"SSESpecification": {"SSEEnabled": True}}).changes
    assert diff("AWS::DynamoDB::Table", {"SSESpecification": {"SSEEnabled": True}}, {}).changes


def test_rules_for_all_protocols_cover_all_ports_and_others_do_not(diff: Diff) -> None:
    def changes(protocol: str, declared: int, live: int) -> Any:
        sides = (
            {
                "SecurityGroupEgress": [
                    {"CidrIp": "::/0", "IpProtocol": protocol, "FromPort": port, "ToPort": port}
                ]
            }
            for port in (declared, live)
        )
        return diff("AWS::EC2::SecurityGroup", *sides).changes

    assert changes("-1", 0, -1) == ()
    assert changes("50", 0, -1) == ()
    assert changes("-1", 0, 22)
    for protocol in ("tcp", "17", "icmp", "58"):
        assert changes(protocol, 8, -1)


def test_a_schema_transform_explains_only_what_it_reproduces(diff: Diff) -> None:
    template = {"AuthenticationStrategy": "Simple"}
    assert diff("AWS::AmazonMQ::Broker", template, {"AuthenticationStrategy": "SIMPLE"}).changes == ()
    assert diff("AWS::AmazonMQ::Broker", template, {"AuthenticationStrategy": "LDAP"}).changes
    mongo, kind = {"MongoDbSettings": {"AuthMechanism": "mongodb-cr"}}, "AWS::DMS::Endpoint"
    assert diff(kind, mongo, {"MongoDbSettings": {"AuthMechanism": "mongodb_cr"}}).changes == ()
    assert diff(kind, mongo, {"MongoDbSettings": {"AuthMechanism": "scram_sha_1"}}).changes


def test_a_transform_never_explains_that_something_is_gone(diff: Diff) -> None:
    before = {"SecurityGroupIngress": [{"IpProtocol": "tcp", "CidrIp": "10.0.0.0/8"}]}
    after = {"SecurityGroupIngress": [{"CidrIp": "10.0.0.0/8"}]}
    assert diff("AWS::EC2::SecurityGroup", before, after, observed=before).changes


def test_a_key_pair_carries_its_own_name_in_the_place_of_the_comment(diff: Diff) -> None:
    template = {"KeyName": "ops", "PublicKeyMaterial": "ssh-rsa AAAA me@host"}
    for live, drifted in (
        ("ssh-rsa AAAA ops\n", False),
        ("ssh-rsa AAAA you", True),
        ("ssh-rsa BBBB ops", True),
    ):
        found = diff("AWS::EC2::KeyPair", template, {"KeyName": "ops", "PublicKeyMaterial": live})
        assert bool(found.changes) is drifted


def test_appsync_rounds_an_expiry_down_to_the_hour(diff: Diff) -> None:
    template = {"ApiId": "a", "Expires": 1700001234}
    assert diff("AWS::AppSync::ApiKey", template, {"ApiId": "a", "Expires": 1699999200}).changes == ()
    assert diff("AWS::AppSync::ApiKey", template, {"ApiId": "a", "Expires": 1700001241}).changes


def test_asterisks_tell_nothing_about_a_secret_but_are_a_text_elsewhere(diff: Diff) -> None:
    def pipeline(**settings: str) -> dict[str, object]:
        action = {"Name": "Fetch", "RunOrder": 1, "Configuration": settings}
        return {"Stages": [{"Name": "Source", "Actions": [action]}]}

    kind = "AWS::CodePipeline::Pipeline"
    assert diff(kind, pipeline(OAuthToken="mine"), pipeline(OAuthToken="****")).changes == ()
    assert diff(kind, pipeline(OAuthToken="mine"), pipeline(OAuthToken="yours")).changes
    assert diff(kind, pipeline(Branch="main"), pipeline(Branch="****")).changes


def test_a_service_linked_role_may_replace_the_declared_one_and_no_other_role_may(diff: Diff) -> None:
    kind, linked = (
        "AWS::ApplicationAutoScaling::ScalableTarget",
        "role/aws-service-role/ecs.amazonaws.com/Scaling",
    )
    for live, drifted in ((ROLE.replace("role/team/crawler", linked), False), (f"{ROLE}2", True)):
        assert bool(diff(kind, {"RoleARN": ROLE}, {"RoleARN": live}).changes) is drifted


def test_a_custom_attribute_goes_by_its_name_without_the_prefix(diff: Diff) -> None:
    def pool(name: str, mutable: bool) -> dict[str, object]:
        return {"Schema": [{"Name": name, "AttributeDataType": "String", "Mutable": mutable}]}

    kind = "AWS::Cognito::UserPool"
    assert diff(kind, pool("team", True), pool("custom:team", True)).changes == ()
    assert diff(kind, pool("team", True), pool("custom:team", False)).changes
    assert diff(kind, pool("team", True), pool("custom:tribe", True)).changes


FILLED = '{"Logging": {"EnableLogging": true}, "Tables": [1, 2]}'


@pytest.mark.parametrize(
    ("live", "drifted"),
    [
        ('{"Tables":[1,2],"Logging":{"EnableLogging":true,"Group":"x"},"Errors":{}}', False),
        ('{"Tables":[1,2],"Logging":{"EnableLogging":"true"}}', True),
        ('{"Tables":[2,1],"Logging":{"EnableLogging":true}}', True),
        ('{"Tables":[1,2]}', True),
    ],
)
def test_settings_that_a_service_completes_are_held_to_what_is_declared(
    diff: Diff, live: str, drifted: bool
) -> None:
    template, after = ({"ReplicationTaskSettings": text} for text in (FILLED, live))
    assert bool(diff("AWS::DMS::ReplicationTask", template, after).changes) is drifted
    observed = diff("AWS::DMS::ReplicationTask", template, after, observed=template)
    assert observed.changes


def test_the_name_of_a_header_has_no_case_in_a_firewall_rule(diff: Diff) -> None:
    def acl(field: str, name: str) -> dict[str, object]:
        match = {"ByteMatchStatement": {"FieldToMatch": {field: {"Name": name}}, "SearchString": "x"}}
        return {"Rules": [{"Name": "agents", "Priority": 0, "Statement": match}]}

    kind = "AWS::WAFv2::WebACL"
    assert diff(kind, acl("SingleHeader", "User-Agent"), acl("SingleHeader", "user-agent")).changes == ()
    assert diff(kind, acl("SingleHeader", "User-Agent"), acl("SingleHeader", "referer")).changes


def test_a_database_name_keeps_its_case_where_the_service_does(diff: Diff) -> None:
    before, after = {"TargetGroupName": "Shop"}, {"TargetGroupName": "shop"}
    assert diff("AWS::Unheard::Of", before, after).changes


def test_a_transform_never_explains_a_switch(diff: Diff) -> None:
    before, after = {"Encrypted": False}, {"Encrypted": True}
    for observed in (None, before):
        assert diff("AWS::EFS::FileSystem", before, after, observed=observed).changes
