"""Reads rounds out of a log and audits each as it closes. Memory is flat: a closed round is let go.

Every entry read is accounted for: it is in a round that was audited, in a round that is still open, or a dead letter.
A round is known by table and round id. What comes for a round that was closed before is handed on as a round without
beginning; only the warehouse knows what was before (`pipelines.warehouse.loader`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from events.errors import BadInput
from events.log import Entry, Log
from events.model import Event, RoundClosed, RoundOpened
from processors.checks import PropertyClock
from processors.kernel.settlement import RoundAudit
from processors.replay import audit_round
from processors.rulebook import Rulebook

RoundKey = tuple[str, str]
"""Table and round id."""


class OpenRound(NamedTuple):
    """A round that had begun and not ended. `counted` of its `events` were counted as read by an earlier run."""

    table_id: str
    round_id: str
    first_offset: int
    last_offset: int
    events: int
    counted: int = 0


class Span(NamedTuple):
    """What to read of a partition: from offset `start` up to but not including `end`, and the rounds open at `start`."""

    partition: int
    start: int
    end: int
    carried: tuple[OpenRound, ...] = ()


class RoundRead(NamedTuple):
    """The events of a round as they stand in the log, first to last offset. `fresh` of them were not counted before."""

    events: list[Event]
    partition: int
    first_offset: int
    last_offset: int
    fresh: int
    closed: bool


class AuditedRound(NamedTuple):
    """A round and its audit."""

    audit: RoundAudit
    read: RoundRead


class DeadEntry(NamedTuple):
    """Bytes of the log that are no event, at `covers` offsets, with the gaming day that they are counted to."""

    partition: int
    offset: int
    covers: int
    gaming_day: str
    fault: BadInput
    raw: bytes


class _Gathered(list[Event]):
    """The events of a round so far."""

    __slots__ = ("counted", "first_offset", "last_offset")

    def __init__(self, first_offset: int, counted: int = 0) -> None:
        self.first_offset = first_offset
        self.last_offset = first_offset
        self.counted = counted


class SpanReader:
    """Reads the rounds of one span. `next_offset` is how far it has read, `entries` how many entries of the log it met."""

    def __init__(self, log: Log, span: Span, clock: PropertyClock) -> None:
        self._dead: list[DeadEntry] = []
        self.entries = 0
        self.next_offset = span.start
        self._log = log
        self._span = span
        self._clock = clock
        self._gathered: dict[RoundKey, _Gathered] = {}
        self._carried = {(o.table_id, o.round_id): o for o in span.carried}
        self._last: Event | None = None
        self._homeless: list[Entry] = []

    def closed_rounds(self) -> Iterator[RoundRead]:
        """The rounds that close within the span, in the order in which they close."""
        partition = self._span.partition
        gathered, carried = self._gathered, self._carried
        event: Event | None = None
        for batch in self._log.batches(partition, self._span.start, self._span.end):
            if isinstance(batch, Entry):
                self.entries += batch.covers
                self.next_offset = batch.offset + batch.covers
                self._set_aside(batch, event)
                continue
            before = self.entries - batch.offset
            for offset, event in enumerate(batch.events, batch.offset):
                key = (event.table_id, event.round_id)
                events = gathered.get(key)
                if events is None:
                    gathered[key] = events = self._begin(key, offset) if carried else _Gathered(offset)
                events.append(event)
                events.last_offset = offset
                if type(event) is RoundClosed:
                    del gathered[key]
                    self._last = event
                    self.next_offset = offset + 1
                    self.entries = before + offset + 1
                    fresh = len(events) - events.counted
                    yield RoundRead(events, partition, events.first_offset, offset, fresh, closed=True)
            self.entries = before + batch.offset + len(batch.events)
            self._last = event
        self.next_offset = self._span.end
        for entry in self._homeless:
            self._bury(entry, "")
        self._homeless.clear()

    def open_rounds(self) -> Iterator[RoundRead]:
        """The rounds that are open at the end of the span, with their events so far, but for those that an earlier run
        has audited as they stand."""
        for key in [key for key, carried in self._carried.items() if carried.counted < carried.events]:
            self._gathered[key] = self._begin(key, -1)
        for events in self._gathered.values():
            # one that an earlier run had read to its end, and was stopped before it could load it, is not open
            closed = any(type(event) is RoundClosed for event in events)
            fresh = len(events) - events.counted
            yield RoundRead(events, self._span.partition, events.first_offset, events.last_offset, fresh, closed)
            events.counted = len(events)

    def open_now(self) -> tuple[OpenRound, ...]:
        """Where the rounds stand that are open after what was read so far."""
        begun = (
            OpenRound(table_id, round_id, e.first_offset, e.last_offset, len(e), e.counted)
            for (table_id, round_id), e in self._gathered.items()
        )
        return (*self._carried.values(), *begun)

    def _begin(self, key: RoundKey, offset: int) -> _Gathered:
        """A round that this span begins, or one that an earlier run left open: its events are read again."""
        before = self._carried.pop(key, None)
        if before is None:
            return _Gathered(offset)
        events = _Gathered(before.first_offset, before.counted)
        events.extend(events_at(self._log, self._span.partition, key, before.first_offset, before.last_offset))
        events.last_offset = before.last_offset
        return events

    def _set_aside(self, entry: Entry, before: Event | None) -> None:
        # the first bytes of a partition have no event before them: the one after them tells the day
        if before is None:
            self._homeless.append(entry)
        else:
            self._bury(entry, self._clock.gaming_day(before.occurred_at))

    def _bury(self, entry: Entry, day: str) -> None:
        fault = entry.fault or BadInput("cannot be read", reason="UNREADABLE")
        self._dead.append(DeadEntry(entry.partition, entry.offset, entry.covers, day, fault, entry.raw))

    def take_dead(self) -> list[DeadEntry]:
        """The dead letters found since the last call."""
        if self._homeless and self._last is not None:
            for entry in self._homeless:
                self._bury(entry, self._clock.gaming_day(self._last.occurred_at))
            self._homeless.clear()
        dead, self._dead = self._dead, []
        return dead


def events_at(log: Log, partition: int, key: RoundKey, first_offset: int, last_offset: int) -> list[Event]:
    """The events of one round that stand between two offsets (both included) of a partition."""
    table_id, round_id = key
    return [
        entry.event
        for entry in log.read(partition, first_offset, last_offset + 1)
        if entry.event is not None and entry.event.round_id == round_id and entry.event.table_id == table_id
    ]


def gaming_day_of(events: Iterable[Event]) -> str:
    """The gaming day that a round says it belongs to, empty where its RoundOpened is not there."""
    return next((event.gaming_day for event in events if type(event) is RoundOpened), "")


def audit_log(
    log: Log,
    rulebook: Rulebook,
    *,
    ranges: Mapping[int, tuple[int, int]] | None = None,
    gaming_day: str = "",
    clock: PropertyClock | None = None,
) -> Iterator[AuditedRound]:
    """Audit the rounds of a log, each as it closes, then those that never closed.

    `ranges` gives for each partition the offsets from and to (not included); without it the whole log is read.
    `gaming_day` leaves out the rounds of other days.
    """
    wanted = ranges if ranges is not None else {partition: (0, end) for partition, end in log.end_offsets().items()}
    for partition, (start, end) in sorted(wanted.items()):
        reader = SpanReader(log, Span(partition, start, end), clock or PropertyClock())
        for rounds in (reader.closed_rounds(), reader.open_rounds()):
            for read in rounds:
                if not gaming_day or gaming_day_of(read.events) == gaming_day:
                    yield AuditedRound(audit_round(read.events, rulebook), read)
            reader.take_dead()
