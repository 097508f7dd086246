"""The command line: parses arguments, calls the core, turns errors into one line and an exit status."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click

from driftwarden import __version__, commands
from driftwarden.cli_revert import revert
from driftwarden.clients import Clients
from driftwarden.commands import FAILED, Resolution, Selection, Session
from driftwarden.compare_lines import compare_lines
from driftwarden.console import Output, write_any_text
from driftwarden.errors import DriftwardenError, UsageError, told
from driftwarden.examine import Undeclared
from driftwarden.report.json import dumps
from driftwarden.scan import ScanSettings
from driftwarden.secrets import Redactor
from driftwarden.state.store import StateStore

INTERRUPTED: Final = 130

F = TypeVar("F", bound=Callable[..., Any])


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the `driftwarden` script. Every error ends with status 1, bad arguments included."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    redactor = Redactor()
    write_any_text(sys.stdout, sys.stderr)
    out = Output(json="--json" in given, redactor=redactor)
    try:
        with _terminable(), out.library_warnings():
            status = program(given, prog_name="driftwarden", standalone_mode=False, obj=redactor)
    except click.exceptions.NoArgsIsHelpError as nothing:
        click.echo(nothing.ctx.get_help() if nothing.ctx else nothing.message, err=True)
        status = FAILED
    except (DriftwardenError, click.ClickException) as error:
        out.fail(error.format_message() if isinstance(error, click.ClickException) else str(error))
        status = FAILED
    except (KeyboardInterrupt, click.Abort):
        out.fail("interrupted")
        status = INTERRUPTED
    except OSError as error:
        out.fail(f"a file or the output failed: {error.strerror or type(error).__name__}")
        status = FAILED
    except Exception as error:
        # The edge of the program: a traceback could show a secret.
        out.fail(f"driftwarden met a fault of its own ({told(error)}). Please report it.")
        status = FAILED
    sys.exit(status or 0)


@contextmanager
def _terminable() -> Iterator[None]:
    """Make SIGTERM end the program as Ctrl-C does: by unwinding, so that locks are released."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order of the help text."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


stack_region_option = click.option(
    "--stack-region", metavar="REGION", help="Where a stack has state in several."
)

connection_options = _options(
    click.option("--state-bucket", envvar="CDKD_STATE_BUCKET", help="Bucket of the state records."),
    click.option("--state-prefix", default="cdkd", show_default=True, help="Key prefix of the records."),
    click.option("--profile", help="AWS profile."),
    click.option("--role-arn", envvar="CDKD_ROLE_ARN", help="IAM role to assume first."),
    click.option("--region", help="Deprecated; set AWS_REGION instead."),
    click.option("--verbose", is_flag=True, help="Print debug lines."),
)

resolution_options = _options(
    click.option("--accept", is_flag=True, help="Take AWS's values into the state."),
    click.option("--revert", is_flag=True, help="Push recorded values back to AWS."),
    click.option("--dry-run", is_flag=True, help="With --accept or --revert: only print the plan."),
    click.option("--concurrency", type=click.IntRange(min=1), default=4, help="Updates at once (--revert)."),
    click.option("-y", "--yes", is_flag=True, help="With --accept or --revert: do not ask."),
)


@click.group()
@click.version_option(__version__, prog_name="driftwarden")
def program() -> None:
    """Finds what changed in AWS behind the recorded state of a stack."""


program.add_command(revert)


@program.command()
@click.argument("stacks", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every stack in the state bucket.")
@stack_region_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout, and nothing else.")
@click.option(
    "--undeclared",
    type=click.Choice(["report", "drift", "ignore"]),
    default="report",
    show_default=True,
    help="Values that came up where the template declares nothing.",
)
@click.option(
    "--ignore-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Rules that accept differences for a while, instead of those in the state bucket.",
)
@resolution_options
@connection_options
@click.pass_obj
def drift(
    redactor: Redactor,
    /,
    *,
    stacks: tuple[str, ...],
    every: bool,
    stack_region: str | None,
    as_json: bool,
    undeclared: str,
    ignore_file: Path | None,
    **options: Any,
) -> int:
    """Compare recorded stacks with AWS.

    Exit status: 0 no drift, 1 drift or a failure, 2 something was not compared that you can act on. With
    --accept or --revert: 0 done, 1 a failure, 2 something that drifted was not resolved.
    """
    if options["accept"] and options["revert"]:
        raise UsageError("--accept and --revert exclude each other: which side is right?")
    session = _session(redactor, options, as_json=as_json)
    rules = commands.ignore_rules(session, ignore_file)
    settings = ScanSettings(undeclared=cast(Undeclared, undeclared), ignore=rules)
    selection = Selection(names=stacks, every=every, region=stack_region)
    if not (options["accept"] or options["revert"]):
        return commands.drift(session, selection, settings)
    wanted = Resolution(
        direction="accept" if options["accept"] else "revert",
        dry_run=options["dry_run"],
        yes=options["yes"],
        concurrency=options["concurrency"],
    )
    return commands.resolve(session, selection, settings, wanted)


@program.command()
@click.argument("stack")
@click.argument("logical_id")
@stack_region_option
@connection_options
@click.pass_obj
def read(
    redactor: Redactor, /, *, stack: str, logical_id: str, stack_region: str | None, **options: Any
) -> int:
    """Print the live properties of one recorded resource."""
    return commands.read(_session(redactor, options), stack, logical_id, stack_region=stack_region)


@program.command()
@click.argument("stack")
@stack_region_option
@click.option("--revert", is_flag=True, help="Also what pushing recorded values back takes.")
@connection_options
@click.pass_obj
def permissions(
    redactor: Redactor, /, *, stack: str, stack_region: str | None, revert: bool, **options: Any
) -> int:
    """Print the least IAM policy that a scan of a stack needs."""
    session = _session(redactor, options)
    return commands.permissions(session, stack, stack_region=stack_region, revert=revert)


@program.command()
@click.option("--jsonl", is_flag=True, required=True, help="One JSON object per line on stdin and stdout.")
def compare(*, jsonl: bool) -> int:
    """Compare recorded properties with recorded read-backs, without AWS."""
    for answer in compare_lines(sys.stdin.buffer):
        sys.stdout.buffer.write(dumps(answer) + b"\n")
    return 0


def _session(redactor: Redactor, options: dict[str, Any], *, as_json: bool = False) -> Session:
    out = Output(json=as_json, redactor=redactor)
    if options["verbose"]:
        out.log_to_humans()
    if options["region"]:
        out.warn("--region is deprecated; set AWS_REGION or use a profile.")
    clients = Clients(region=options["region"], profile=options["profile"], role_arn=options["role_arn"])
    store = StateStore(clients, bucket=options["state_bucket"], prefix=options["state_prefix"])
    return Session(store=store, clients=clients, redactor=redactor, out=out)
