"""Pages of the AWS console that notices link to."""

from __future__ import annotations

from typing import Final

_CONSOLES: Final = {"cn-": "console.amazonaws.cn", "us-gov-": "console.amazonaws-us-gov.com"}


def execution_page(execution_arn: str) -> str:
    """An execution of a state machine."""
    return f"{_states(execution_arn)}/v2/executions/details/{execution_arn}"


def start_page(state_machine_arn: str) -> str:
    """A state machine, with the button that starts an execution."""
    return f"{_states(state_machine_arn)}/statemachines/view/{state_machine_arn}"


def _states(arn: str) -> str:
    region = arn.split(":")[3]
    host = next((host for start, host in _CONSOLES.items() if region.startswith(start)), None)
    return f"https://{host or f'{region}.console.aws.amazon.com'}/states/home?region={region}#"
