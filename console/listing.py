"""A listing for people: on a terminal a table under headings, in a pipe tab-separated lines that other programs can cut."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, empty: str, group: int = 0) -> None:
    """Print rows under their headings; `empty` is said where there are none.

    On a terminal, rows with the same first `group` cells stand together under these.
    """
    if not sys.stdout.isatty():
        for row in (headings, *rows):
            print("\t".join(" ".join(cell.split()) for cell in row))
        return
    if not rows:
        print(empty)
    console = Console(highlight=False)
    for shared, members in itertools.groupby(rows, lambda row: tuple(row[:group])):
        if group:
            console.print(Text(", ".join(shared), style="bold"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for heading in headings[group:]:
            table.add_column(heading, overflow="fold")
        for row in members:
            # Text and not str: brackets in a rule are no markup
            table.add_row(*(Text(cell) for cell in row[group:]))
        console.print(table)
        console.print()
