"""Networks and addresses in their several spellings."""

from __future__ import annotations

from ipaddress import ip_address, ip_network


def network(text: str) -> str:
    """`10.20.1.0/16` -> `10.20.0.0/16`, `2001:DB8:0::/32` -> `2001:db8::/32`; anything else as it is."""
    try:
        return str(ip_network(text, strict=False)) if "/" in text else str(ip_address(text))
    except ValueError:
        return text
