"""Elastic Load Balancing, Classic Load Balancers."""

from __future__ import annotations

from driftwarden.resources.comparing import Keyed, TypeFacts

FACTS = {
    "AWS::ElasticLoadBalancing::LoadBalancer": TypeFacts(
        kinds={"Listeners": Keyed(("LoadBalancerPort",)), "Policies": Keyed(("PolicyName",))}
    ),
}
