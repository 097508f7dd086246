"""AWS AppSync."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import capitalised, inside, non_empty, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("NotFoundException",)

GRAPHQL_API = ResourceType(
    name="AWS::AppSync::GraphQLApi",
    service="appsync",
    gone=_GONE,
    calls=(
        Call("GetGraphqlApi", {"apiId": "{id}"}, at="graphqlApi"),
        Call(
            "GetGraphqlApiEnvironmentVariables",
            {"apiId": "{id}"},
            at="environmentVariables",
            into="variables",
            absent=_GONE,
        ),
    ),
    camel=(
        "Name",
        "AuthenticationType",
        "XrayEnabled",
        "ApiType",
        "Visibility",
        "IntrospectionConfig",
        "QueryDepthLimit",
        "ResolverCountLimit",
        "OwnerContact",
        "MergedApiExecutionRoleArn",
    ),
    fields={
        "LogConfig": From("main.logConfig", capitalised(), default={}),
        "UserPoolConfig": From("main.userPoolConfig", capitalised()),
        "OpenIDConnectConfig": From("main.openIDConnectConfig", capitalised()),
        "LambdaAuthorizerConfig": From("main.lambdaAuthorizerConfig", capitalised()),
        "AdditionalAuthenticationProviders": From("main.additionalAuthenticationProviders", capitalised()),
        "EnhancedMetricsConfig": From("main.enhancedMetricsConfig", capitalised()),
        "EnvironmentVariables": "variables",
        "Tags": From("main.tags", tag_list, default=[]),
    },
    placeholders={"XrayEnabled": False},
)


def _dynamodb(config: Mapping[str, Any]) -> Any:
    """CloudFormation has the times to live as text."""
    times = inside(BaseTableTTL=str, DeltaSyncTableTTL=str)
    return inside(DeltaSyncConfig=times)(capitalised()(config))


DATA_SOURCE = ResourceType(
    name="AWS::AppSync::DataSource",
    service="appsync",
    id_parts=2,
    gone=_GONE,
    calls=(Call("GetDataSource", {"apiId": "{id.0}", "name": "{id.1}"}, at="dataSource"),),
    camel=("Name", "Type", "Description", "MetricsConfig"),
    fields={
        "ApiId": "id.0",
        "ServiceRoleArn": From("main.serviceRoleArn", non_empty()),
        "DynamoDBConfig": From("main.dynamodbConfig", non_empty(_dynamodb)),
        "LambdaConfig": From("main.lambdaConfig", non_empty(capitalised())),
        "HttpConfig": From("main.httpConfig", non_empty(capitalised())),
        "ElasticsearchConfig": From("main.elasticsearchConfig", non_empty(capitalised())),
        "OpenSearchServiceConfig": From("main.openSearchServiceConfig", non_empty(capitalised())),
        "EventBridgeConfig": From("main.eventBridgeConfig", non_empty(capitalised())),
        "RelationalDatabaseConfig": From("main.relationalDatabaseConfig", non_empty(capitalised())),
    },
    placeholders={"Description": ""},
)


def _unless_pipeline(reading: Reading) -> Any:
    """A pipeline resolver has functions in the place of a data source."""
    return ABSENT if _is_pipeline(reading) else reading.get("main.dataSourceName", "") or ABSENT


def _pipeline(reading: Reading) -> Any:
    if not _is_pipeline(reading):
        return ABSENT
    return {"Functions": reading.get("main.pipelineConfig.functions", [])}


def _is_pipeline(reading: Reading) -> bool:
    return bool(reading.get("main.kind") == "PIPELINE")


def _runs_code(reading: Reading) -> bool:
    return bool(reading.get("main.runtime.name", ""))


def _code(reading: Reading) -> Any:
    return reading.get("main.code", "") if _runs_code(reading) else ABSENT


def _runtime(reading: Reading) -> Any:
    return capitalised()(reading.get("main.runtime")) if _runs_code(reading) else ABSENT


def _request_template(reading: Reading) -> Any:
    return ABSENT if _runs_code(reading) else reading.get("main.requestMappingTemplate", "")


def _response_template(reading: Reading) -> Any:
    return ABSENT if _runs_code(reading) else reading.get("main.responseMappingTemplate", "")


RESOLVER = ResourceType(
    name="AWS::AppSync::Resolver",
    service="appsync",
    id_parts=3,
    gone=_GONE,
    calls=(
        Call(
            "GetResolver",
            {"apiId": "{id.0}", "typeName": "{id.1}", "fieldName": "{id.2}"},
            at="resolver",
        ),
    ),
    camel=("TypeName", "FieldName", "Kind", "MaxBatchSize", "MetricsConfig"),
    fields={
        "ApiId": "id.0",
        "DataSourceName": _unless_pipeline,
        "PipelineConfig": _pipeline,
        "Code": _code,
        "Runtime": _runtime,
        "RequestMappingTemplate": _request_template,
        "ResponseMappingTemplate": _response_template,
        "CachingConfig": From("main.cachingConfig", non_empty(capitalised())),
        "SyncConfig": From("main.syncConfig", non_empty(capitalised())),
    },
)


def _full_hour(key: Mapping[str, Any]) -> Any:
    """AppSync rounds an expiry down to the hour (AWS AppSync API, CreateApiKey)."""
    expires = key.get("Expires")
    return int(expires) // 3600 * 3600 if isinstance(expires, int | float) else expires


API_KEY = ResourceType(
    name="AWS::AppSync::ApiKey",
    service="appsync",
    id_parts=2,
    gone=_GONE,
    calls=(
        Call(
            "ListApiKeys",
            {"apiId": "{id.0}"},
            at="apiKeys",
            one=lambda key, reading: key.get("id") == reading.parts[1],
            pages=True,
        ),
    ),
    camel=("Description", "Expires"),
    fields={"ApiId": "id.0"},
    placeholders={"Description": ""},
    compared=TypeFacts(stores={"Expires": _full_hour}),
)

TYPES = (API_KEY, DATA_SOURCE, GRAPHQL_API, RESOLVER)
