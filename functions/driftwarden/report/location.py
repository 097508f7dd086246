"""Where a stored report is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

_CONSOLES: Final = {"cn-": "console.amazonaws.cn", "us-gov-": "console.amazonaws-us-gov.com"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLocation:
    """An object of the reports bucket. `region` is the bucket's."""

    bucket: str
    key: str
    region: str

    @property
    def uri(self) -> str:
        """`s3://bucket/key`."""
        return f"s3://{self.bucket}/{self.key}"

    @property
    def console_url(self) -> str:
        """The object's page in the S3 console of the region's partition."""
        host = next((host for start, host in _CONSOLES.items() if self.region.startswith(start)), None)
        host = host or f"{self.region}.console.aws.amazon.com"
        return (
            f"https://{host}/s3/object/{quote(self.bucket)}?region={quote(self.region)}"
            f"&prefix={quote(self.key, safe='')}"
        )
