"""Run one of the Lambda handlers in this process on a sample event, and print what it returns.

    python .ci/invoke.py events/scan-stack.json [--handler scan_stack]

The environment is the Lambda's (REPORTS_BUCKET, ALERTS_TOPIC_ARN, STATE_BUCKET, STATE_PREFIX), and
AWS_ENDPOINT_URL for an emulator.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class LocalContext:
    """As much of the Lambda context object as handlers and Powertools read."""

    function_name: str
    memory_limit_in_mb: int = 1024
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:us-east-1:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        return 900_000


def main() -> int:
    parser = argparse.ArgumentParser(description="Run a Lambda handler here on a sample event.")
    parser.add_argument("event", type=Path)
    parser.add_argument("--handler", default="scan_stack", help="a folder of functions/")
    args = parser.parse_args()
    handler = importlib.import_module(f"{args.handler}.handler").handler
    try:
        event = json.loads(args.event.read_text())
    except (OSError, ValueError) as error:
        parser.error(f"{args.event} holds no event: {error}")
    answer = handler(event, LocalContext(function_name=args.handler))
    json.dump(answer, sys.stdout, indent=2, default=str)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
