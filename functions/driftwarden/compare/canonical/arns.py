"""ARNs against the names and ids they end in, in the account and region of the stack only."""

from __future__ import annotations

import re

ARN = re.compile(
    r"arn:aws[\w-]*:(?P<service>[^:]*):(?P<region>[^:]*):(?P<account>[^:]*):(?P<resource>.+)", re.DOTALL
)
LOG_GROUP = re.compile(r"(arn:aws[\w-]*:logs:[^:]*:[^:]*:log-group:[^:*]+):\*")
SECRET = re.compile(r"secret:(.+)-[A-Za-z0-9]{6}")
TASK_DEFINITION = re.compile(r"task-definition/(.+):\d+")
ACCOUNT_ROOT = re.compile(r"arn:aws[\w-]*:iam::(\d{12}):root")
HOSTED_ZONE = re.compile(r"/?hostedzone/(Z[A-Z0-9]+)")


def log_group(text: str) -> str:
    """A log group's ARN without the `:*` that stands for its streams (CloudWatch Logs, "ARN format")."""
    match = LOG_GROUP.fullmatch(text)
    return match.group(1) if match else text


def hosted_zone(text: str) -> str:
    """A hosted zone's id without the path that Route 53's API puts before it."""
    match = HOSTED_ZONE.fullmatch(text)
    return match.group(1) if match else text


def account(text: str) -> str:
    """An account's root user as a principal, which is the account itself."""
    match = ACCOUNT_ROOT.fullmatch(text)
    return match.group(1) if match else text


def names(arn: str, region: str, account: str | None) -> frozenset[str]:
    """The short forms an ARN may be written as inside its own account and region; none for a foreign one.

    `arn:aws:lambda:eu-west-1:111122223333:function:f:3` -> `function:f:3`, `f:3`,
    `111122223333:function:f:3`; `arn:aws:iam::111122223333:role/team/r` -> `role/team/r`, `team/r`, `r`. A
    secret may be named without its random suffix, a task definition without its revision: both then mean
    the one in use.
    """
    match = ARN.fullmatch(arn)
    if match is None:
        return frozenset()
    if match["region"] not in ("", region) or (account and match["account"] not in ("", account)):
        return frozenset()
    resource = match["resource"]
    found = {resource, f"{match['account']}:{resource}"}
    kind, separator, rest = _split(resource)
    if separator:
        found.add(rest)
    if separator == "/" and kind:
        found.add(resource.rsplit("/", 1)[-1])
    for shorter in (SECRET, TASK_DEFINITION):
        if (named := shorter.fullmatch(resource)) is not None:
            found.add(named.group(1))
    return frozenset(found)


def _split(resource: str) -> tuple[str, str, str]:
    match = re.match(r"([a-zA-Z-]+)([:/])(.+)", resource, re.DOTALL)
    return (match[1], match[2], match[3]) if match else ("", "", resource)


def same_resource(state: str, aws: str, region: str, account: str | None) -> bool:
    """One side an ARN and the other a short form of that very ARN."""
    if state.startswith("arn:") == aws.startswith("arn:"):
        return False
    arn, short = (state, aws) if state.startswith("arn:") else (aws, state)
    return short in names(log_group(arn), region, account)
