"""The answer key: every discrepancy that a simulated log must show. The planter writes it, never the auditor."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from events.errors import BadInput

FILE_NAME = "answer_key.jsonl"


class KeyLine(NamedTuple):
    """One expected discrepancy: amounts are those of a Discrepancy, in minor units; `delta_minor` is recorded less due.

    `mistake` is the name of what was planted (one mistake may show as several discrepancies of its round), `done` says it
    in a sentence.
    """

    round_id: str
    kind: str
    wager_id: str
    due_minor: int
    recorded_minor: int
    delta_minor: int
    mistake: str
    done: str

    @property
    def about(self) -> tuple[str, str, str]:
        """Which discrepancy this is: round, wager and kind, as in a Discrepancy's id."""
        return (self.round_id, self.wager_id, self.kind)


class Found(Protocol):
    """What of a found discrepancy is held against the key."""

    @property
    def round_id(self) -> str:
        """The round it is in."""

    @property
    def kind(self) -> str:
        """What it is."""

    @property
    def wager_id(self) -> str:
        """The wager it is about, or empty."""

    @property
    def due_minor(self) -> int:
        """What was due."""

    @property
    def recorded_minor(self) -> int:
        """What was recorded."""


class WrongAmount(NamedTuple):
    """A discrepancy that was found, with other amounts than the key has."""

    expected: KeyLine
    due_minor: int
    recorded_minor: int


class Comparison(NamedTuple):
    """What was found, held against the key. `mistakes` are planted (one a round), `lines` are expected discrepancies."""

    mistakes: int
    mistakes_found: int
    lines: int
    missing: Sequence[KeyLine]
    invented: Sequence[Found]
    wrong_amounts: Sequence[WrongAmount]

    @property
    def reproduced(self) -> bool:
        """Whether the key came out exactly: nothing missing, nothing invented, every amount right."""
        return not (self.missing or self.invented or self.wrong_amounts)

    def __str__(self) -> str:
        text = f"{self.mistakes_found} of {self.mistakes} planted mistakes found, {len(self.invented)} invented"
        return f"{text}, {len(self.wrong_amounts)} with wrong amounts" if self.wrong_amounts else text


def compare(found: Iterable[Found], key: Iterable[KeyLine]) -> Comparison:
    """Hold found discrepancies against the key. The same discrepancy found twice is invented once."""
    expected = {line.about: line for line in key}
    invented: list[Found] = []
    wrong_amounts: list[WrongAmount] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for one in found:
        about = (one.round_id, one.wager_id, one.kind)
        seen[about] += 1
        line = expected.get(about)
        if line is None or seen[about] > 1:
            invented.append(one)
        elif (line.due_minor, line.recorded_minor) != (one.due_minor, one.recorded_minor):
            wrong_amounts.append(WrongAmount(line, one.due_minor, one.recorded_minor))
    missing = [line for about, line in expected.items() if about not in seen]
    mistakes = {line.round_id for line in expected.values()}
    not_found = {line.round_id for line in missing} | {wrong.expected.round_id for wrong in wrong_amounts}
    return Comparison(
        len(mistakes), len(mistakes) - len(not_found), len(expected), missing, invented, wrong_amounts
    )  # fmt: skip


def write(key: Iterable[KeyLine], path: Path) -> None:
    """Write the key, one JSON line an expected discrepancy; whole or not at all."""
    beside = path.with_name(path.name + ".part")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(line._asdict()) + "\n" for line in key)
    os.replace(beside, path)


def read(path: Path) -> list[KeyLine]:
    """The lines of a key file. Raises BadInput naming file and line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"the answer key cannot be read ({fault})", str(path), "name the folder of a simulation") from fault
    key = []
    for number, line in enumerate(lines, 1):
        try:
            key.append(_line(json.loads(line)))
        except (ValueError, TypeError) as fault:
            where = f"{path}:{number}"
            raise BadInput(f"not a line of an answer key ({fault})", where, "simulate the day again") from fault
    return key


def _line(item: object) -> KeyLine:
    if not isinstance(item, dict) or set(item) != set(KeyLine._fields):
        raise ValueError(f"it has the fields {', '.join(KeyLine._fields)}")
    for name, value in item.items():
        wanted = int if name.endswith("_minor") else str
        if type(value) is not wanted:
            raise ValueError(f"{name} is not {'a whole number' if wanted is int else 'text'}")
    return KeyLine(**item)
