"""Listings for a terminal, a pipe and a machine: the same rows as a table, as CSV or as one JSON object a line."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipelines.reports.formats import cells
from processors.kernel.money import money_text

PIPE_WIDTH: Final = 10_000
SEVERITY_STYLES: Final = {"HIGH": "bold red", "MEDIUM": "yellow", "LOW": "dim"}


class Column(NamedTuple):
    """A column of a table: what it is called and which key of a row it shows, or which it joins."""

    title: str
    key: str
    right: bool = False


def terminal() -> Console:
    """Where tables go: as wide as the terminal, and in a pipe as wide as the text, without colours."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def print_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[Column], zone: ZoneInfo) -> None:
    """Print rows as a table, times in `zone`."""
    on_terminal = sys.stdout.isatty()
    table = Table(box=box.SIMPLE_HEAD if on_terminal else None, pad_edge=False, header_style="bold", show_edge=False)
    for column in columns:
        table.add_column(column.title, justify="right" if column.right else "left", overflow="fold")
    for row in rows:
        style = SEVERITY_STYLES.get(str(row.get("severity")), "") if on_terminal else ""
        table.add_row(*(Text(shown(row[c.key], c.key, zone), style=style if c.key == "kind" else "") for c in columns))
    terminal().print(table)


def shown(value: Any, key: str, zone: ZoneInfo) -> str:
    """A value as people read it. Text of the log cannot move the cursor or change colours."""
    if isinstance(value, datetime):
        return f"{value.replace(tzinfo=UTC).astimezone(zone):%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list):
        return ", ".join(plain(str(item)) for item in value)
    if key.endswith("_minor") and value is not None:
        return money_text(int(value))
    return plain("" if value is None else str(value))


def plain(text: str) -> str:
    """Text on one line without control characters."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line; times are ISO 8601 in UTC."""
    for row in rows:
        print(json.dumps(row, default=json_value))


def print_csv(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
    """Print rows as CSV under a line with the names."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(names)
    out.writerows(cells(_utc(row[name]) for name in names) for row in rows)


def _utc(value: Any) -> Any:
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else value


def json_value(value: Any) -> Any:
    """A value that JSON has no form for: a time as ISO 8601 in UTC, anything else as text."""
    return _utc(value) if isinstance(value, datetime) else str(value)
