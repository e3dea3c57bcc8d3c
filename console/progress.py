"""A progress bar on a terminal, and nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events.model import Event, RoundOpened

_STEP = 25


@contextmanager
def counting(words: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that says how much of how much is done; no bar where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with _bar() as progress:
        task = progress.add_task(words, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def track_rounds(events: Iterable[Event], total: int, words: str) -> Iterator[Event]:
    """The events, while a bar on standard error counts the rounds that open; no bar where that is no terminal."""
    if not sys.stderr.isatty():
        yield from events
        return
    with _bar() as progress:
        task = progress.add_task(words, total=total)
        rounds = 0
        for event in events:
            if type(event) is RoundOpened:
                rounds += 1
                if rounds % _STEP == 0:
                    progress.update(task, completed=rounds)
            yield event


def _bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)
