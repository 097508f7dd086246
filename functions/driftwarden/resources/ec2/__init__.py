"""Amazon EC2, by noun."""

from __future__ import annotations

from driftwarden.resources.ec2 import gateway, instance, network_acl, route, security_group, vpc

TYPES = (
    *vpc.TYPES,
    *gateway.TYPES,
    *route.TYPES,
    *security_group.TYPES,
    *network_acl.TYPES,
    *instance.TYPES,
)

FACTS = {**vpc.FACTS, **security_group.FACTS, **instance.FACTS}
