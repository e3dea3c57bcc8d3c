"""Rounds of all games with whatever values an event may carry on the wire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from events.model import Event
from pipelines.simulate.floor import Plan, Simulation
from processors import rulebook

BOOK: Final = rulebook.load()
SMALL: Final = (-(2**31), -1, 0, 1, 7, 99, 2**31 - 1)
LARGE: Final = (-(2**63), -1, 0, 1, 10**15, 2**63 - 1)
TEXTS: Final = ("", "?", "As", "Zz", "\x00", "main", "w1", "1-1", "pass", "*", "10", "-1", "1e9", "9" * 400, "1-2:3;")
POSTED: Final = (
    "smallest_chip_minor", "odds_multiple", "vigorish_percent", "collection_schedule", "bank_turn", "blackjack_pays",
    "soft_17", "tie", "insurance", "surrender",
)  # fmt: skip
CLOSED_SETS: Final = ("to", "action", "result", "paid_to", "tender", "machine")
"""Fields of few words: the codec refuses any other."""


def rounds_of_all_games(seed: int) -> Sequence[Sequence[Event]]:
    rounds: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for event in Simulation(Plan(tables=10, rounds=60, seed=seed, mistakes=0.3)).events():
        rounds[event.table_id, event.round_id].append(event)
    return list(rounds.values())


def another(value: Any, name: str, chance: Random) -> Any:
    """A value that the field could hold as well."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice(LARGE if name.endswith("_minor") or name == "occurred_at" else SMALL)
    if isinstance(value, str):
        return chance.choice(TEXTS)
    if name == "limits":
        limit = {"minimum_minor": chance.choice(LARGE), "maximum_minor": chance.choice(LARGE)}
        return {**value, chance.choice(("*", "main", "ante", "pass")): limit}
    if name == "meters":
        return {key: chance.choice(LARGE) for key in value}
    if isinstance(value, Mapping):
        return {**value, chance.choice(POSTED): chance.choice(TEXTS)}
    return [chance.choice(SMALL) for _ in range(chance.choice((0, 1, 2, 5)))]


def altered(events: Sequence[Event], chance: Random) -> list[Event]:
    """The round with one to four values replaced by others."""
    changed = list(events)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed))
        event = changed[place]
        name = chance.choice([n for n in event._fields if n not in (*CLOSED_SETS, "round_id", "table_id")])
        changed[place] = event._replace(**{name: another(getattr(event, name), name, chance)})
    return changed
