"""CIDR blocks as EC2 keeps them."""

from __future__ import annotations

from ipaddress import ip_network


def canonical(cidr: str) -> str:
    """The block with host bits cleared, as EC2 stores it (API Reference, CreateRoute); other text as is."""
    try:
        return str(ip_network(cidr, strict=False))
    except ValueError:
        return cidr
