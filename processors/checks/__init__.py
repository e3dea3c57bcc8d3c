"""Checks of a gaming day: what no single round can show. ONE FILE = ONE CHECK, found by itself and registered nowhere.

A check is a module with a function `check(day) -> Iterable[Finding]`. It is pure: it sees the day through the iterables of
`Day` and nothing else. Its name is the origin under which its findings are filed.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

from events.times import nearest_micros
from processors.kernel.settlement import Discrepancy


class PropertyClock(NamedTuple):
    """When a gaming day begins at the property: `time_zone` (IANA name) and the local hour at which the day begins."""

    time_zone: str = "UTC"
    day_begins_hour: int = 0

    def local(self, micros: int) -> datetime:
        """Microseconds UTC as the property's local time (`events.times.nearest_micros`)."""
        return datetime.fromtimestamp(nearest_micros(micros) // 1_000_000, UTC).astimezone(ZoneInfo(self.time_zone))

    def gaming_day(self, micros: int) -> str:
        """The gaming day (ISO date) in which a moment in microseconds UTC falls."""
        return (self.local(micros).replace(tzinfo=None) - timedelta(hours=self.day_begins_hour)).date().isoformat()

    def moment(self, gaming_day: str, hour: int, minute: int) -> datetime:
        """The moment (UTC) of a local time of day in a gaming day: hours before the day begins are of the next date.

        Raises ValueError where the day is no date or the time no time.
        """
        at = datetime.fromisoformat(gaming_day).replace(hour=hour, minute=minute)
        if hour < self.day_begins_hour:
            at += timedelta(days=1)
        return at.replace(tzinfo=ZoneInfo(self.time_zone)).astimezone(UTC)


class DayRound(NamedTuple):
    """A round of the day; `opened_at` in microseconds UTC."""

    round_id: str
    table_id: str
    gaming_day: str
    opened_at: int


class ShoeCards(NamedTuple):
    """The cards that one round read from one shoe: two characters each, in the order in which they were read."""

    shoe_id: str
    decks: int
    round_id: str
    table_id: str
    cards: str


class CarriedWager(NamedTuple):
    """A wager that says it was carried from another; `known` is whether its table had such a wager, then or before."""

    round_id: str
    table_id: str
    wager_id: str
    carried_from: str
    placed_at: int
    known: bool


class SharedRoundId(NamedTuple):
    """A round id that more than one table used."""

    round_id: str
    table_ids: tuple[str, ...]


class Day(Protocol):
    """A gaming day as the checks see it. Everything is streamed: a day may have millions of cards."""

    @property
    def gaming_day(self) -> str:
        """ISO date."""

    @property
    def clock(self) -> PropertyClock:
        """When the property's days begin."""

    def rounds(self) -> Iterable[DayRound]:
        """The rounds of the day."""

    def shoes(self) -> Iterable[ShoeCards]:
        """Every round of every shoe that was in use on the day, whatever its own day; by shoe, oldest round first."""

    def carried_wagers(self) -> Iterable[CarriedWager]:
        """The wagers of the day that were carried from another."""

    def shared_round_ids(self) -> Iterable[SharedRoundId]:
        """The round ids of the day that more than one table used, on any day."""


class Finding(NamedTuple):
    """A discrepancy that a check found, and the table of its round."""

    table_id: str
    discrepancy: Discrepancy


Check = Callable[[Day], Iterable[Finding]]


def find_checks() -> Mapping[str, Check]:
    """Every check by its name, in alphabetical order."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}").check for name in names}
