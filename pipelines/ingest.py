"""Takes scripts (JSON Lines, YAML) into a log. A bad item is told and kept beside the log; the rest goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from events.errors import BadInput
from events.intake import Line, read_script
from events.log import Log
from events.model import Event


class Ingested(NamedTuple):
    """What became of one script: `events` in the log, `bad` items kept in `kept_in` (None where none was bad).

    `refused` is why nothing of it was taken, or None.
    """

    script: Path
    events: int
    bad: int
    kept_in: Path | None
    refused: BadInput | None = None


def ingest(scripts: Iterable[Path], log: Log, rejects: Path, tell: Callable[[BadInput], None]) -> Iterator[Ingested]:
    """Append the events of each script to a log, one append a script: an archive takes all of it or none.

    `tell` hears of each bad item as it is met, with file and line; what it was is kept in the folder `rejects`, as
    `<script>.rejected.jsonl`. Raises BadInput where the log cannot take events.
    """
    for script in scripts:
        reading = _Reading(script, rejects, tell)
        try:
            count = log.append(reading.events())
        except BadInput:
            if reading.refused is None:
                raise  # not the script's fault: the log itself
            tell(reading.refused)
            yield Ingested(script, 0, reading.bad, reading.keep(), reading.refused)
        else:
            yield Ingested(script, count, reading.bad, reading.keep())
        finally:
            reading.close()


class _Reading:
    """A script being read; its bad items go to a file that gets its name when the script is done."""

    def __init__(self, script: Path, rejects: Path, tell: Callable[[BadInput], None]) -> None:
        self.bad = 0
        self.refused: BadInput | None = None
        self._script = script
        self._rejects = rejects
        self._part = rejects / f"{script.name}.rejected.jsonl.part"
        self._tell = tell

    def events(self) -> Iterator[Event]:
        """The good events. Raises the BadInput that is then `refused`."""
        try:
            for line in read_script(self._script):
                if line.event is not None:
                    yield line.event
                else:
                    self._reject(line)
        except BadInput as fault:
            self.refused = fault
            raise

    def keep(self) -> Path | None:
        """Give the file of bad items its name, one that no earlier run has used; None where nothing was bad."""
        if not self.bad:
            return None
        kept = self._rejects / f"{self._script.name}.rejected.jsonl"
        number = 1
        while kept.exists():
            number += 1
            kept = self._rejects / f"{self._script.name}.rejected-{number}.jsonl"
        os.replace(self._part, kept)
        return kept

    def close(self) -> None:
        """Leave nothing half-written."""
        if self._part.exists():  # a folder that cannot be written refuses even to remove what is not there
            self._part.unlink()

    def _reject(self, line: Line) -> None:
        fault = line.fault or BadInput("cannot be read", line.where)
        self._rejects.mkdir(parents=True, exist_ok=True)
        with self._part.open("a" if self.bad else "w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({"where": line.where, "reason": str(fault), "item": line.raw}) + "\n")
        self.bad += 1
        self._tell(fault)
