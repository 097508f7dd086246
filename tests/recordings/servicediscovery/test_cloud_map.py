"""Cloud Map namespaces and services."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAMESPACES = ["HttpNamespace", "PrivateDnsNamespace", "PublicDnsNamespace"]
SERVICE = "AWS::ServiceDiscovery::Service"


@pytest.fixture
def cloud_map(answers: Any) -> Any:
    dns = {"DnsProperties": {"HostedZoneId": "Z1", "SOA": {"TTL": 60}}}
    answers["servicediscovery:GetNamespace"] = {
        "Namespace": {"Name": "local", "Arn": "arn:ns", "Properties": dns, "ServiceCount": 1}
    }
    answers["servicediscovery:GetService"] = {
        "Service": {"Name": "api", "NamespaceId": "ns-1", "Arn": "arn:srv", "InstanceCount": 2}
    }
    answers["servicediscovery:GetServiceAttributes"] = {"ServiceAttributes": {"Attributes": {"port": "80"}}}
    answers["servicediscovery:ListTagsForResource"] = {"Tags": [{"Key": "team", "Value": "web"}]}
    return answers


@pytest.mark.parametrize("kind", ["PrivateDnsNamespace", "PublicDnsNamespace"])
def test_a_dns_namespace_has_a_time_to_live(cloud_map: Any, read: Any, kind: str) -> None:
    assert read(f"AWS::ServiceDiscovery::{kind}", "ns-1") == Live(
        {
            "Name": "local",
            "Description": "",
            "Properties": {"DnsProperties": {"SOA": {"TTL": 60}}},
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_an_http_namespace_has_no_dns_properties(cloud_map: Any, read: Any) -> None:
    assert "Properties" not in read("AWS::ServiceDiscovery::HttpNamespace", "ns-1").properties


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_namespace_is_gone_only_when_it_is_not_found_itself(cloud_map: Any, read: Any, kind: str) -> None:
    cloud_map.fails("servicediscovery:ListTagsForResource", "ResourceNotFoundException")
    assert "Tags" not in read(f"AWS::ServiceDiscovery::{kind}", "ns-1").properties

    cloud_map.fails("servicediscovery:GetNamespace", "NamespaceNotFound")
    assert read(f"AWS::ServiceDiscovery::{kind}", "ns-1") == Gone()


@pytest.mark.parametrize("kind", NAMESPACES)
def test_denied_tags_of_a_namespace_name_the_permission(cloud_map: Any, read: Any, kind: str) -> None:
    cloud_map.fails("servicediscovery:ListTagsForResource", "AccessDeniedException")

    found = read(f"AWS::ServiceDiscovery::{kind}", "ns-1")
    assert isinstance(found, Unreadable)
    assert found.action == "servicediscovery:ListTagsForResource"


def test_a_service(cloud_map: Any, read: Any) -> None:
    assert read(SERVICE, "srv-1") == Live(
        {
            "Name": "api",
            "NamespaceId": "ns-1",
            "Description": "",
            "ServiceAttributes": {"port": "80"},
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_a_deleted_service_is_gone(cloud_map: Any, read: Any) -> None:
    cloud_map.fails("servicediscovery:GetService", "ServiceNotFound")

    assert read(SERVICE, "srv-1") == Gone()


@pytest.mark.parametrize("operation", ["GetServiceAttributes", "ListTagsForResource"])
def test_a_denied_call_for_a_service_names_the_permission(cloud_map: Any, read: Any, operation: str) -> None:
    cloud_map.fails(f"servicediscovery:{operation}", "AccessDeniedException")

    found = read(SERVICE, "srv-1")
    assert isinstance(found, Unreadable)
    assert found.action == f"servicediscovery:{operation}"
