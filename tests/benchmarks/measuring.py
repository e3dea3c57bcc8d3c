"""What the benchmarks share: a table of measurements held against goals, memory, and the archive to measure on."""

from __future__ import annotations

import itertools
import resource
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from events.archive import Archive
from pipelines.simulate.floor import Plan, Simulation

EVENTS_A_ROUND = 25
"""Fewer than a simulated round has, so that enough rounds are dealt: the archive takes of them what is wanted."""


class Measured(NamedTuple):
    """One line of the table: a value, and whether its goal is met (None where it has none)."""

    what: str
    value: str
    goal: str = ""
    met: bool | None = None


def show(title: str, lines: Sequence[Measured]) -> bool:
    """Print the table; return whether every goal is met."""
    print(f"\n{title}")
    for line in lines:
        verdict = "" if line.met is None else "met" if line.met else "NOT MET"
        print(f"  {line.what:<58} {line.value:>16}  {line.goal:<10} {verdict}".rstrip())
    return all(line.met is not False for line in lines)


def peak_mib() -> float:
    """The largest memory that this process has had resident, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def archive_of(folder: Path, events: int, games: Iterable[str], partitions: int = 4) -> Path:
    """An archive of so many simulated events, made unless it is there; a note beside it says what it was made of."""
    wanted = f"{events} {' '.join(games)} {partitions}"
    note = folder / "made_of"
    if note.is_file() and note.read_text(encoding="utf-8") == wanted:
        return folder / "archive"
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder}: something else is here; name another folder with --folder")
    plan = Plan(tables=20, rounds=max(20, events // EVENTS_A_ROUND), seed=1, mistakes=0.02, games=tuple(games))
    with Archive(folder / "archive", partitions) as archive:
        made = archive.append(itertools.islice(Simulation(plan).events(), events))
    note.write_text(wanted, encoding="utf-8")
    print(f"dealt {made:,} events into {folder}", file=sys.stderr)
    return folder / "archive"
