"""AWS clients: one session, one lazy client per service, region and purpose.

Reads and writes are configured apart: a read may be retried ten times at no risk, a write may not.
"""

from __future__ import annotations

import ipaddress
import os
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from driftwarden.errors import ConfigurationError

if TYPE_CHECKING:
    from boto3.session import Session
    from botocore.config import Config

MAX_CONNECTIONS = 32
"""As many as the threads that may share one client: fewer would open throw-away connections."""

_ATTEMPTS = {"read": 10, "write": 1, "identity": 4}
"""By purpose. The first call of all says within seconds that nothing answers."""


class Clients:
    """Makes and keeps the clients of one set of credentials. Safe to share between threads.

    `role_arn` is assumed once, before the first client is made. `region` is the default for calls that no
    stack gives a region to.
    """

    def __init__(
        self, *, region: str | None = None, profile: str | None = None, role_arn: str | None = None
    ) -> None:
        self._region = region
        self._profile = profile
        self._role_arn = role_arn
        self._clients: dict[tuple[str, str, str], Any] = {}
        self._made: Session | None = None
        self._lock = threading.RLock()

    def reader(self, service: str, region: str | None = None) -> Any:
        """The boto3 client that reads `service` in `region`: standard retries, ten attempts."""
        return self._client("read", service, region or self.region)

    def writer(self, service: str, region: str | None = None) -> Any:
        """The boto3 client that writes: one attempt, because the caller decides what is safe to repeat."""
        return self._client("write", service, region or self.region)

    @property
    def region(self) -> str:
        """The default region: given, else the environment's or the profile's, else us-east-1."""
        return self._region or self._session.region_name or "us-east-1"

    @cached_property
    def account_id(self) -> str:
        """The account of the credentials (STS GetCallerIdentity, which needs no permission)."""
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        try:
            return str(self._client("identity", "sts", self.region).get_caller_identity()["Account"])
        except (BotoCoreError, ClientError, LookupError, ResponseParserError, ValueError) as error:
            raise ConfigurationError(
                f"AWS did not say whose credentials these are ({type(error).__name__}: {error}). "
                "Check the credentials, the profile and the endpoint, then run again."
            ) from error

    def _client(self, purpose: str, service: str, region: str) -> Any:
        key = (purpose, service, region)
        client = self._clients.get(key)
        if client is None:
            with self._lock:
                client = self._clients.get(key)
                if client is None:
                    config = _config(max_attempts=_ATTEMPTS[purpose])
                    client = self._session.client(service, region_name=region, config=config)
                    self._clients[key] = client
        return client

    @property
    def _session(self) -> Session:
        with self._lock:
            if self._made is None:
                self._made = self._new_session()
            return self._made

    def _new_session(self) -> Session:
        import boto3
        from botocore.exceptions import BotoCoreError

        try:
            session = boto3.Session(profile_name=self._profile, region_name=self._region)
        except BotoCoreError as error:
            raise ConfigurationError(
                f"{error}. Name a profile that exists in the AWS configuration."
            ) from error
        return self._assume(session, self._role_arn) if self._role_arn else session

    @staticmethod
    def _assume(session: Session, role_arn: str) -> Session:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        config = _config(max_attempts=_ATTEMPTS["identity"])
        try:
            answer = session.client("sts", config=config).assume_role(
                RoleArn=role_arn, RoleSessionName="driftwarden"
            )
        except (BotoCoreError, ClientError, ResponseParserError, ValueError) as error:
            raise ConfigurationError(
                f"The role {role_arn} could not be assumed ({type(error).__name__}: {error}). "
                "Allow the caller sts:AssumeRole on it and name the caller in its trust policy."
            ) from error
        keys = answer["Credentials"]
        return boto3.Session(
            aws_access_key_id=keys["AccessKeyId"],
            aws_secret_access_key=keys["SecretAccessKey"],
            aws_session_token=keys["SessionToken"],
            region_name=session.region_name,
        )


def _config(*, max_attempts: int) -> Config:
    from botocore.config import Config

    from driftwarden import __version__

    return Config(
        retries={"mode": "standard", "total_max_attempts": max_attempts},
        max_pool_connections=MAX_CONNECTIONS,
        connect_timeout=5,
        read_timeout=30,
        user_agent_extra=f"driftwarden/{__version__}",
        s3={"addressing_style": "path"} if _endpoint_is_an_address() else None,
    )


def _endpoint_is_an_address() -> bool:
    """Bucket names cannot become host names in front of an IP address or localhost."""
    host = urlsplit(os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")).hostname
    if host is None:
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return True
