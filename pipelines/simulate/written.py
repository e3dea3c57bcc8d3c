"""A simulation in a folder: the log, the answer key, and what was simulated.

FOLDER/archive/           the log
FOLDER/answer_key.jsonl   one line an expected discrepancy (pipelines.simulate.answer_key)
FOLDER/simulation.json    the plan and its counts; written first, so that the folder says what it is
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from events.archive import DEFAULT_PARTITIONS, Archive
from events.errors import BadInput
from events.intake import to_json
from events.model import Event
from pipelines.simulate import answer_key
from pipelines.simulate.floor import Simulation

ARCHIVE: Final = "archive"
MARKER: Final = "simulation.json"
JSON_LINES: Final = "events.jsonl"
MADE_BY: Final = "roundaudit simulate"


def write(
    simulation: Simulation,
    folder: Path,
    *,
    json_lines: bool = False,
    watch: Callable[[Iterable[Event]], Iterable[Event]] = iter,
) -> int:
    """Deal a simulation into a new folder and return the number of events.

    `json_lines` also writes the events as a script; `watch` sees every event pass. Raises BadInput where the folder has
    something in it already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput("there is something here already", str(folder), "name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    _mark(folder, {"made_by": MADE_BY, "complete": False, "plan": _plan(simulation)})
    events = watch(simulation.events())
    with Archive(folder / ARCHIVE, DEFAULT_PARTITIONS) as archive:
        if json_lines:
            with (folder / JSON_LINES).open("w", encoding="utf-8", newline="\n") as script:
                count = archive.append(_also_to(events, script))
        else:
            count = archive.append(events)
    answer_key.write(simulation.key, folder / answer_key.FILE_NAME)
    _mark(folder, {"made_by": MADE_BY, "complete": True, "plan": _plan(simulation), **_counts(simulation, count)})
    return count


def clear(folder: Path) -> None:
    """Delete a folder that a simulation made, with all that came to stand in it since.

    Raises BadInput for a folder that no simulation made: that is not ours to delete.
    """
    if not folder.exists():
        return
    try:
        made_by = json.loads((folder / MARKER).read_text(encoding="utf-8"))["made_by"]
    except (OSError, ValueError, KeyError, TypeError):
        made_by = ""
    if made_by == MADE_BY:
        shutil.rmtree(folder)
    elif not folder.is_dir() or any(folder.iterdir()):
        raise BadInput(f"not made by a simulation (no {MARKER}), so it is left alone", str(folder), "name another folder")


def _also_to(events: Iterable[Event], script: Any) -> Iterator[Event]:
    for event in events:
        script.write(json.dumps(to_json(event)) + "\n")
        yield event


def _plan(simulation: Simulation) -> dict[str, Any]:
    plan = simulation.plan
    return {**plan._asdict(), "games": list(plan.games), "clock": plan.clock._asdict()}


def _counts(simulation: Simulation, events: int) -> dict[str, Any]:
    return {
        "events": events,
        "rounds": simulation.rounds,
        "mistakes": dict(sorted(simulation.mistakes.items())),
        "expected_discrepancies": len(simulation.key),
        "corrected_payments": simulation.corrections,
        "mistakes_not_shown": list(simulation.not_shown),
    }


def _mark(folder: Path, said: dict[str, Any]) -> None:
    beside = folder / f"{MARKER}.part"
    beside.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    os.replace(beside, folder / MARKER)
