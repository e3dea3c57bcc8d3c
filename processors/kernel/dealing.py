"""How a game deals itself for simulation: house-correct rounds, and on request one with a mistake of its own kinds.

A dealer works out what to pay with its own arithmetic, not with the engine that audits: otherwise a fault of the engine
would agree with itself. What a planted mistake should be found as is written down by the one who plants it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from events.model import Event

EventT = TypeVar("EventT", bound=Event)


class TableSetup(NamedTuple):
    """A table to deal at: its id, where it stands, the day, who deals and who sits there (pseudonyms)."""

    table_id: str
    jurisdiction: str
    gaming_day: str
    currency: str
    dealer_id: str
    patrons: Sequence[str]


class Planted(NamedTuple):
    """A mistake in a round, as it should be reported: amounts are those of a Discrepancy, 0 where the kind has none."""

    kind: str
    wager_id: str = ""
    due_minor: int = 0
    recorded_minor: int = 0


class Dealt(NamedTuple):
    """A dealt round: its events in order, and every discrepancy that it should show (none for a house-correct round)."""

    events: Sequence[Event]
    planted: Sequence[Planted] = ()


class Dealer(Protocol):
    """Deals round after round at one table. It may keep a shoe between rounds."""

    @property
    def mistakes(self) -> Sequence[str]:
        """The names of the mistakes that this dealer can make on request, beyond those of money and of the record."""

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        """Deal the next round. With a `mistake` the round has it and says so in `planted`."""


class MakeDealer(Protocol):
    """What a game's Definition has as `dealer`."""

    def __call__(self, setup: TableSetup, random: Random) -> Dealer:
        """A dealer for one table; all its chance comes from `random`."""


class Narrator:
    """Writes the events of one round: fills the envelope, counts the sequence and lets the clock run."""

    def __init__(self, setup: TableSetup, round_id: str, opened_at: int, source: str = "simulator") -> None:
        self.setup = setup
        self.round_id = round_id
        self.now = opened_at
        self.source = source
        self.events: list[Event] = []

    def say(self, event_type: type[EventT], *, after_seconds: int = 1, **fields: Any) -> EventT:
        """Append an event of `event_type` with these fields, `after_seconds` after the one before."""
        if self.events:
            self.now += after_seconds * 1_000_000
        event = cast(Any, event_type)(
            round_id=self.round_id,
            table_id=self.setup.table_id,
            sequence=len(self.events),
            occurred_at=self.now,
            source=self.source,
            **fields,
        )
        self.events.append(event)
        return cast(EventT, event)
