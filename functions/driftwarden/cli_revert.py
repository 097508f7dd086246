"""`driftwarden revert ...`: the approval gate of a deployment from the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from driftwarden.clients import Clients
from driftwarden.console import Output
from driftwarden.secrets import Redactor

if TYPE_CHECKING:
    from driftwarden.gate.desk import Desk

F = TypeVar("F", bound=Callable[..., Any])


def _connected(function: F) -> F:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout, and nothing else."),
        click.option("--profile", help="AWS profile."),
        click.option(
            "--deployment",
            default="Driftwarden",
            show_default=True,
            help="CloudFormation stack of the deployment.",
        ),
    ):
        function = option(function)
    return function


reason_option = click.option("--reason", required=True, help="Why; it goes on record.")


@click.group()
def revert() -> None:
    """Request reverts of watched stacks, and decide on them."""


@revert.command()
@click.argument("stack")
@click.option("--stack-region", metavar="REGION", help="The stack's region; the deployment's by default.")
@reason_option
@_connected
@click.pass_obj
def request(
    redactor: Redactor, /, *, stack: str, stack_region: str | None, reason: str, **options: Any
) -> int:
    """Ask for recorded values to be pushed back into a stack. Nothing changes before somebody approves."""
    desk, out = _desk(options), Output(json=options["as_json"], redactor=redactor)
    answer = desk.request(stack, stack_region or desk.clients.region, reason)
    if out.json:
        out.payload(answer)
        return 0
    outcome, plan_id = answer["outcome"], answer["planId"]
    if outcome == "nothingToRevert":
        out.say(f"Nothing to revert; {answer['refused']} resources differ in ways that no revert can undo.")
    elif outcome == "alreadyOpen":
        out.say(f"The same plan is waiting for a decision already: {plan_id}")
    else:
        out.say(f"Plan {plan_id} waits for a decision ({answer['resources']} resources to push back).")
    out.say(f"Look at it: driftwarden revert show {plan_id}")
    return 0


@revert.command()
@click.argument("plan_id")
@_connected
@click.pass_obj
def show(redactor: Redactor, /, *, plan_id: str, **options: Any) -> int:
    """Print a plan, and what became of it."""
    from driftwarden.gate.standing_text import standing_lines, standing_object

    desk, out = _desk(options), Output(json=options["as_json"], redactor=redactor)
    standing = desk.show(plan_id)
    if out.json:
        out.payload(standing_object(standing))
    else:
        for line in standing_lines(standing):
            out.say(line)
    return 0


@revert.command()
@click.argument("plan_id")
@click.option("--resource", "resources", multiple=True, help="Approve only this logical id; may be repeated.")
@reason_option
@_connected
@click.pass_obj
def approve(
    redactor: Redactor, /, *, plan_id: str, resources: tuple[str, ...], reason: str, **options: Any
) -> int:
    """Approve a plan, or some resources of it."""
    out = Output(json=options["as_json"], redactor=redactor)
    answer = _desk(options).decide(plan_id, "approve", reason=reason, resources=resources or None)
    if out.json:
        out.payload(answer)
    else:
        out.say(f"Approved: {answer['resources']} resources. Follow it: driftwarden revert show {plan_id}")
    return 0


@revert.command()
@click.argument("plan_id")
@reason_option
@_connected
@click.pass_obj
def reject(redactor: Redactor, /, *, plan_id: str, reason: str, **options: Any) -> int:
    """Reject a plan as a whole. Nothing is changed then."""
    out = Output(json=options["as_json"], redactor=redactor)
    answer = _desk(options).decide(plan_id, "reject", reason=reason)
    if out.json:
        out.payload(answer)
    else:
        out.say(f"Rejected: plan {plan_id}. Nothing is changed.")
    return 0


def _desk(options: dict[str, Any]) -> Desk:
    # Only these commands need it, and it takes time to load.
    from driftwarden.gate.desk import Desk

    return Desk.find(Clients(profile=options["profile"]), options["deployment"])
