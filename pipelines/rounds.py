"""The rounds of one partition of the log as its events come: which are open, which closed before, what is to be audited.

Nothing here is kept anywhere. The state at an offset follows from the log alone:

- The audit of a round is due at its RoundClosed (revision 1), and again at each later event of it (revision 2, 3 …): so
  an offset makes at most one audit due, and always the same one.
- The group's committed offset is the first event of the oldest open round, and its note says up to which offset audits
  were written. A processor that starts again reads from the committed offset, rebuilds the open rounds, and writes again
  from the offset in the note on.
- A late event needs the round's earlier events. Where a round stood is remembered for `REMEMBERED` closed rounds; its
  events are read from the log once more. For an event without RoundOpened that belongs to no known round, the part of
  the log that is not remembered is looked through, once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from events.model import Event, RoundClosed, RoundOpened

RoundKey = tuple[str, str]
"""Table and round id."""

ReadBack = Callable[[int, int], Iterable[tuple[int, Event]]]
"""Reads the partition once more: from an offset up to another, events with their offsets."""

REMEMBERED: Final = 200_000
_REVIVED: Final = 256


class OpenRound(list[Event]):
    """The events of an open round so far, where the first and the last of them stand, and whether that first is its
    beginning. While it is in doubt whether it closed long ago, the `offsets` of all of them."""

    __slots__ = ("first", "last", "offsets", "whole")

    def __init__(self, first: int, whole: bool) -> None:
        super().__init__()
        self.first = first
        self.last = first
        self.whole = whole
        self.offsets: list[int] | None = None


class Place(NamedTuple):
    """Where a closed round stands: the offsets of its first and last event, and whether that first is its beginning."""

    first: int
    last: int
    whole: bool


class Due(NamedTuple):
    """An audit that is due at `offset`, over `events`."""

    offset: int
    events: list[Event]
    revision: int


class PartitionRounds:
    """`next_offset` is taken next. Of the rounds that closed at `known_from` or later the places are known."""

    def __init__(self, begin: int, next_offset: int, read_back: ReadBack) -> None:
        """`begin`: the first offset that the log still has; `next_offset`: where reading begins."""
        self.begin = begin
        self.next_offset = next_offset
        self.known_from = next_offset
        self.open: dict[RoundKey, OpenRound] = {}
        self._closed: OrderedDict[RoundKey, Place] = OrderedDict()
        self._revived: OrderedDict[RoundKey, list[Event]] = OrderedDict()
        self._doubtful: dict[RoundKey, OpenRound] = {}
        self._begun: dict[RoundKey, Place] = {}
        self._read_back = read_back

    @property
    def oldest(self) -> int:
        """The offset that a new processor has to read from: the first event of the oldest open round."""
        # rounds are entered in the order of their first events
        return next(iter(self.open.values())).first if self.open else self.next_offset

    @property
    def open_events(self) -> int:
        """How many events stand in open rounds."""
        return sum(map(len, self.open.values()))

    def take(self, offset: int, event: Event) -> Due | None:
        """Take the event at `offset`, and return the audit that it makes due."""
        self.next_offset = offset + 1
        key = (event.table_id, event.round_id)
        events = self.open.get(key)
        if events is None:
            if key in self._closed:
                return self._late(key, offset, event)
            events = self.open[key] = self._begin(key, offset, event)
        events.append(event)
        events.last = offset
        if events.offsets is not None:
            events.offsets.append(offset)
        elif type(event) is RoundClosed:
            del self.open[key]
            self._remember(key, Place(events.first, offset, events.whole))
            return Due(offset, events, 1)
        return None

    def _begin(self, key: RoundKey, offset: int, event: Event) -> OpenRound:
        before = self._begun.get(key)
        if before is not None and (before.whole or self.known_from == self.begin):
            # it began before the position and closes before the offset from which audits are written again
            return OpenRound(before.first, before.whole)
        events = OpenRound(offset, type(event) is RoundOpened)
        if not events.whole and self.known_from > self.begin:
            self._doubtful[key] = events
            events.offsets = []
        return events

    def skip(self, offset: int) -> None:
        """Pass a message that is no event."""
        self.next_offset = offset + 1

    def settle_doubts(self) -> Iterator[Due]:
        """Find out of rounds that came without RoundOpened whether they closed long ago, and return what is due.

        To be called before a position is committed.
        """
        if not self._doubtful:
            return
        self.look_back(self.begin)
        doubtful, self._doubtful = self._doubtful, {}
        for key, events in doubtful.items():
            offsets = events.offsets or []
            events.offsets = None
            before = self._begun.pop(key, None)
            if before is not None:
                earlier = list(self._of(key, before.first, events.first))
                offsets[:0] = [offset for offset, _ in earlier]
                events[:0] = [event for _, event in earlier]
                events.first, events.whole = before.first, before.whole
            if key in self._closed or any(type(event) is RoundClosed for event in events):
                del self.open[key]
            if key in self._closed:
                for offset, event in zip(offsets, events, strict=True):
                    yield self._late(key, offset, event)
            elif key not in self.open:
                yield from self._closed_meanwhile(key, events, offsets)
        self._forget()

    def look_back(self, start: int) -> None:
        """Learn the places of the rounds that closed from `start` on (or the beginning) and before those known."""
        start = max(start, self.begin)
        if start >= self.known_from:
            return
        closed, begun, start = self._places(start, self.known_from)
        for later in (self._begun, self._closed):
            for key, place in later.items():
                places = closed if key in closed else begun if key in begun else later
                before = places[key]
                merged = Place(before.first, place.last, before.whole)
                if places is closed or later is self._closed:
                    begun.pop(key, None)
                    closed[key] = merged
                    closed.move_to_end(key)
                else:
                    begun[key] = merged
        self._closed, self._begun, self.known_from = closed, begun, start

    def _places(self, start: int, end: int) -> tuple[OrderedDict[RoundKey, Place], dict[RoundKey, Place], int]:
        """The rounds that closed in a part of the log, those that have events there and did not close, and from which
        offset on the former are all; those in doubt are among them in any case."""
        begun: dict[RoundKey, Place] = {}
        closed: OrderedDict[RoundKey, Place] = OrderedDict()
        doubted: dict[RoundKey, Place] = {}
        known_from = start
        for offset, event in self._read_back(start, end):
            key = (event.table_id, event.round_id)
            places = closed if key in closed else doubted if key in doubted else begun
            place = places.get(key)
            is_closed = type(event) is RoundClosed
            if place is not None:
                places[key] = place._replace(last=offset)
            elif type(event) is RoundOpened or is_closed or known_from == start or key in self._doubtful:
                begun[key] = Place(offset, offset, type(event) is RoundOpened)
            else:
                # of a round that was let go here, or the first of one without RoundOpened: not known before this
                known_from = offset + 1
            if is_closed and key in begun:
                closed[key] = begun.pop(key)
                if len(closed) > REMEMBERED:
                    old, place = closed.popitem(last=False)
                    known_from = max(known_from, place.last + 1)
                    if old in self._doubtful:
                        doubted[old] = place
        return OrderedDict({**doubted, **closed}), begun, known_from

    def _closed_meanwhile(self, key: RoundKey, events: OpenRound, offsets: list[int]) -> Iterator[Due]:
        """What is due of a round without RoundOpened that closed before its doubt was settled."""
        closed = next(number for number, event in enumerate(events) if type(event) is RoundClosed)
        self._closed[key] = Place(events.first, events.last, events.whole)
        self._begun.pop(key, None)
        for number in range(closed, len(events)):
            yield Due(offsets[number], events[: number + 1], number - closed + 1)

    def _late(self, key: RoundKey, offset: int, event: Event) -> Due:
        place = self._closed[key]
        events = self._revived.get(key)
        if events is None:
            first, events = self._again(key, place, offset)
            place = Place(first, place.last, True)
            self._revived[key] = events
            if len(self._revived) > _REVIVED:
                self._revived.popitem(last=False)
        events.append(event)
        self._closed[key] = place._replace(last=max(place.last, offset))
        closed = next(number for number, event in enumerate(events) if type(event) is RoundClosed)
        return Due(offset, list(events), len(events) - closed)

    def _again(self, key: RoundKey, place: Place, before: int) -> tuple[int, list[Event]]:
        """The events of a closed round that stand in the log before an offset, and the offset of the first."""
        start = place.first if place.whole else self.begin
        found = list(self._of(key, start, min(place.last + 1, before)))
        return found[0][0], [event for _, event in found]

    def _of(self, key: RoundKey, start: int, end: int) -> Iterator[tuple[int, Event]]:
        return ((at, e) for at, e in self._read_back(start, end) if (e.table_id, e.round_id) == key)

    def _remember(self, key: RoundKey, place: Place) -> None:
        self._closed[key] = place
        self._begun.pop(key, None)
        self._forget()

    def _forget(self) -> None:
        while len(self._closed) > REMEMBERED:
            key, place = self._closed.popitem(last=False)
            self._revived.pop(key, None)
            self.known_from = max(self.known_from, place.last + 1)
