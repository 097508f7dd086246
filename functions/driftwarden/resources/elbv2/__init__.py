"""Elastic Load Balancing v2: application, network and gateway load balancers."""

from __future__ import annotations

from driftwarden.resources.elbv2 import listener, load_balancer, target_group

TYPES = (*load_balancer.TYPES, *target_group.TYPES, *listener.TYPES)

FACTS = listener.FACTS
