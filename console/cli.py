"""The command `roundaudit`: every command is mounted here, and every fault becomes one plain line.

Exit codes: 0 nothing to look at, 1 something to look at (discrepancies, dead letters), 2 could not run.
"""

from __future__ import annotations

import os
import sys
from importlib import metadata
from typing import Any

import typer

from console.commands import demo, edging, making, processing, reading, ruling, settling
from events.errors import BadInput

COULD_NOT_RUN = 2

app = typer.Typer(
    name="roundaudit",
    help="An independent second opinion on every round.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"roundaudit {metadata.version('roundaudit')}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """An independent second opinion on every round."""


app.command("demo")(demo.demo)
app.command("settle")(settling.settle)
ruling.app.command("edge")(edging.edge)
app.add_typer(ruling.app, name="rules")
app.command("simulate")(making.simulate)
app.command("ingest")(making.ingest)
app.add_typer(reading.rounds_app, name="rounds")
app.command("discrepancies")(reading.discrepancies)
app.command("report")(reading.report)
app.command("nightly")(reading.nightly)
app.command("process")(processing.process)
app.command("redrive")(processing.redrive)


def main() -> None:
    """Run the command line. No stack trace reaches a user for a fault of the input or of the machine."""
    try:
        sys.exit(app(prog_name="roundaudit", standalone_mode=False) or 0)
    except BadInput as fault:
        _stop(str(fault))
    except BrokenPipeError:
        # whoever read our output has gone: nothing to say, and nobody to say it to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as fault:
        _stop(f"{fault.filename or 'the system'}: {fault.strerror or fault}")
    except _USAGE as fault:
        _stop_at_usage(fault)


# what a wrong word on the command line raises: Typer shows one kind of it
_USAGE: Any = typer.BadParameter.__mro__[1]


def _stop_at_usage(fault: Any) -> None:
    """Say what is wrong on the command line in one line; a command that was given nothing shows its help."""
    said = str(fault.format_message())
    if "\n" in said:
        print(said, file=sys.stderr)
        sys.exit(COULD_NOT_RUN)
    command = fault.ctx.command_path if fault.ctx else "roundaudit"
    _stop(str(BadInput(said[:1].lower() + said[1:], do=f"See {command} --help")))


def _stop(line: str) -> None:
    print(f"roundaudit: {line}", file=sys.stderr)
    sys.exit(COULD_NOT_RUN)
