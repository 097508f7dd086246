"""Networks, addresses and IP protocols in their several spellings."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

PROTOCOLS = {"1": "icmp", "6": "tcp", "17": "udp", "58": "icmpv6"}
"""The numbers that EC2 replaces by a name (EC2 API, IpPermission); all others stay numbers."""


def network(text: str) -> str:
    """`10.20.1.0/16` -> `10.20.0.0/16`, `2001:DB8:0::/32` -> `2001:db8::/32`; anything else as it is."""
    try:
        return str(ip_network(text, strict=False)) if "/" in text else str(ip_address(text))
    except ValueError:
        return text


def protocol(text: str) -> str:
    """`6` -> `tcp`, `TCP` -> `tcp`; `-1` (all protocols) stays itself."""
    return PROTOCOLS.get(text, text.lower())
