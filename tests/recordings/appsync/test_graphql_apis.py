"""AppSync APIs, data sources, resolvers and keys."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

API = "AWS::AppSync::GraphQLApi"
SOURCE = "AWS::AppSync::DataSource"
RESOLVER = "AWS::AppSync::Resolver"
KEY = "AWS::AppSync::ApiKey"


@pytest.fixture
def api(answers: Any) -> Any:
    answers["appsync:GetGraphqlApi"] = {
        "graphqlApi": {
            "name": "shop",
            "authenticationType": "API_KEY",
            "openIDConnectConfig": {"issuer": "https://example.com", "iatTTL": 1},
            "tags": {"team": "web"},
        }
    }
    answers["appsync:GetGraphqlApiEnvironmentVariables"] = {"environmentVariables": {"stage": "prod"}}
    return answers


def test_an_api_keeps_the_names_of_its_variables(api: Any, read: Any) -> None:
    assert read(API, "api-1") == Live(
        {
            "Name": "shop",
            "AuthenticationType": "API_KEY",
            "XrayEnabled": False,
            "LogConfig": {},
            "OpenIDConnectConfig": {"Issuer": "https://example.com", "IatTTL": 1},
            "EnvironmentVariables": {"stage": "prod"},
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_an_api_is_gone_only_when_it_is_not_found_itself(api: Any, read: Any) -> None:
    api.fails("appsync:GetGraphqlApiEnvironmentVariables", "NotFoundException", status=404)
    assert "EnvironmentVariables" not in read(API, "api-1").properties

    api.fails("appsync:GetGraphqlApi", "NotFoundException", status=404)
    assert read(API, "api-1") == Gone()


def test_denied_variables_name_the_permission(api: Any, read: Any) -> None:
    api.fails("appsync:GetGraphqlApiEnvironmentVariables", "AccessDeniedException", status=403)

    found = read(API, "api-1")
    assert isinstance(found, Unreadable)
    assert found.action == "appsync:GetGraphqlApiEnvironmentVariables"


def test_a_data_source_has_times_to_live_as_text_and_no_empty_blocks(answers: Any, read: Any) -> None:
    dynamodb = {"tableName": "t", "deltaSyncConfig": {"baseTableTTL": 60, "deltaSyncTableName": "d"}}
    answers["appsync:GetDataSource"] = {
        "dataSource": {
            "name": "table",
            "type": "AMAZON_DYNAMODB",
            "serviceRoleArn": "",
            "dynamodbConfig": dynamodb,
            "httpConfig": {},
        }
    }
    assert read(SOURCE, "api-1|table") == Live(
        {
            "ApiId": "api-1",
            "Name": "table",
            "Type": "AMAZON_DYNAMODB",
            "Description": "",
            "DynamoDBConfig": {
                "TableName": "t",
                "DeltaSyncConfig": {"BaseTableTTL": "60", "DeltaSyncTableName": "d"},
            },
        }
    )
    assert answers.asked("appsync:GetDataSource") == [{"apiId": "api-1", "name": "table"}]


def resolver(answers: Any, read: Any, **members: Any) -> Any:
    answers["appsync:GetResolver"] = {"resolver": {"typeName": "Query", "fieldName": "item", **members}}
    found = dict(read(RESOLVER, "api-1|Query|item").properties)
    assert [found.pop(name) for name in ("ApiId", "TypeName", "FieldName")] == ["api-1", "Query", "item"]
    return found


def test_a_resolver_has_mapping_templates_or_code(answers: Any, read: Any) -> None:
    unit = {"kind": "UNIT", "dataSourceName": "table", "pipelineConfig": {"functions": ["f"]}}
    assert resolver(answers, read, requestMappingTemplate="{}", cachingConfig={}, **unit) == {
        "Kind": "UNIT",
        "DataSourceName": "table",
        "RequestMappingTemplate": "{}",
        "ResponseMappingTemplate": "",
    }

    runtime = {"name": "APPSYNC_JS", "runtimeVersion": "1.0.0"}
    assert resolver(answers, read, runtime=runtime, requestMappingTemplate="{}", **unit) == {
        "Kind": "UNIT",
        "DataSourceName": "table",
        "Runtime": {"Name": "APPSYNC_JS", "RuntimeVersion": "1.0.0"},
        "Code": "",
    }


def test_a_pipeline_resolver_has_functions_and_no_data_source(answers: Any, read: Any) -> None:
    found = resolver(answers, read, kind="PIPELINE", dataSourceName="table")
    assert found["PipelineConfig"] == {"Functions": []}
    assert "DataSourceName" not in found


def test_a_key_is_looked_for_on_every_page(answers: Any, read: Any) -> None:
    answers["appsync:ListApiKeys"] = [
        {"apiKeys": [{"id": "da2-other"}], "nextToken": "more"},
        {"apiKeys": [{"id": "da2-mine", "expires": 1700000000}]},
    ]
    assert read(KEY, "api-1|da2-mine") == Live({"ApiId": "api-1", "Description": "", "Expires": 1700000000})


def test_a_key_that_is_not_listed_is_gone(answers: Any, read: Any) -> None:
    answers["appsync:ListApiKeys"] = {"apiKeys": [{"id": "da2-other"}]}

    assert read(KEY, "api-1|da2-mine") == Gone()


@pytest.mark.parametrize(
    ("kind", "physical_id", "operation"),
    [
        (SOURCE, "api-1|table", "GetDataSource"),
        (RESOLVER, "api-1|Query|item", "GetResolver"),
        (KEY, "api-1|da2-mine", "ListApiKeys"),
    ],
)
def test_what_is_not_found_is_gone_and_what_is_denied_is_not(
    answers: Any, read: Any, kind: str, physical_id: str, operation: str
) -> None:
    answers.fails(f"appsync:{operation}", "NotFoundException", status=404)
    assert read(kind, physical_id) == Gone()

    answers.fails(f"appsync:{operation}", "AccessDeniedException", status=403)
    found = read(kind, physical_id)
    assert isinstance(found, Unreadable)
    assert found.action == f"appsync:{operation}"
