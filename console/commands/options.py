"""Options that more than one command takes: the same name, the same words, the same check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from events.errors import BadInput
from events.times import is_day

Scripts = Annotated[list[Path], typer.Argument(help="Scripts (.jsonl, .yaml) or folders of them.", metavar="FILE...")]
Data = Annotated[
    Path | None, typer.Option("--data", help="The data folder; else ROUNDAUDIT_DATA, else ./roundaudit-data.", metavar="DIR")
]
Kafka = Annotated[str | None, typer.Option("--kafka", help="Where Kafka is; else ROUNDAUDIT_KAFKA.", metavar="BOOTSTRAP")]
KafkaFile = Annotated[
    Path | None,
    typer.Option("--kafka-file", help="A file that says how to get into Kafka; else ROUNDAUDIT_KAFKA_FILE.", metavar="FILE"),
]
MoreGames = Annotated[list[Path] | None, typer.Option("--game", help="A folder with one more game.", metavar="FOLDER")]
TimeZone = Annotated[str | None, typer.Option("--time-zone", help="The property's; else ROUNDAUDIT_TIME_ZONE, else UTC.")]
DayBegins = Annotated[
    int | None,
    typer.Option(
        "--day-begins",
        help="The local hour of a new gaming day; else ROUNDAUDIT_DAY_BEGINS_HOUR, else midnight.",
        min=0,
        max=23,
    ),
]


def checked_day(text: str, option: str = "--day") -> str:
    """The day that an option names, or "" for none. Raises BadInput for what is no day of the calendar."""
    if text and not is_day(text):
        raise BadInput(f"{text!r} is no day", option, "write it as 2026-11-29")
    return text
