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
WRAPPED_WIDTH: Final = 30
GAP: Final = 3
SEVERITY_STYLES: Final = {"HIGH": "bold red", "MEDIUM": "yellow", "LOW": "dim"}


class Column(NamedTuple):
    """A column of a table: what it is called and which key of a row it shows.

    On a narrow terminal the columns that `may_go` are left out, highest number first; only a text that `wraps` is broken.
    """

    title: str
    key: str
    right: bool = False
    may_go: int = 0
    wraps: bool = False


def print_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[Column], zone: ZoneInfo) -> None:
    """Print rows as a table, times in `zone`: as wide as the terminal, in a pipe as wide as the text and without colours."""
    on_terminal = sys.stdout.isatty()
    console = Console(width=None if on_terminal else PIPE_WIDTH, highlight=False)
    texts = [[shown(row[column.key], column.key, zone) for column in columns] for row in rows]
    severities = [str(row.get("severity")) for row in rows]
    kept = _that_fit(columns, texts, console.width) if on_terminal else range(len(columns))
    table = Table(box=box.SIMPLE_HEAD if on_terminal else None, pad_edge=False, header_style="bold", show_edge=False)
    for place in kept:
        column = columns[place]
        table.add_column(column.title, justify="right" if column.right else "left", no_wrap=not column.wraps)
    for cells_of_row, severity in zip(texts, severities, strict=True):
        style = SEVERITY_STYLES.get(severity, "") if on_terminal else ""
        table.add_row(*(Text(cells_of_row[p], style=style if columns[p].key == "kind" else "") for p in kept))
    console.print(table)


def _that_fit(columns: Sequence[Column], texts: Sequence[Sequence[str]], width: int) -> list[int]:
    """The places of the columns to show on a terminal of so many characters."""
    needed = [
        max(len(column.title), WRAPPED_WIDTH if column.wraps else max((len(row[place]) for row in texts), default=0)) + GAP
        for place, column in enumerate(columns)
    ]
    kept = list(range(len(columns)))
    for place in sorted(kept, key=lambda place: -columns[place].may_go):
        if sum(needed[p] for p in kept) <= width or not columns[place].may_go:
            break
        kept.remove(place)
    return kept


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
