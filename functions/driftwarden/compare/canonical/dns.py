"""DNS names: no case, no trailing dot, and Route 53's octal escapes (Route 53 API, "DNS domain name
format").
"""

from __future__ import annotations

import re

OCTAL = re.compile(r"\\([0-3][0-7]{2})")


def dns_name(text: str) -> str:
    r"""`\052.Example.org.` -> `*.example.org`."""
    return OCTAL.sub(lambda match: chr(int(match.group(1), 8)), text).rstrip(".").lower()
