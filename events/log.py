"""The log: one small protocol with two implementations, `events.archive` and `events.kafka_log`.

A log has a fixed number of partitions; all events of a table stand in one of them, in the order in which they were
appended. Offsets count from 0 in each partition and are never used again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from events.errors import BadInput
from events.model import Event


class Entry(NamedTuple):
    """What stands at an offset of a partition: an event, or bytes that are none (`fault` says why, `raw` keeps them).

    A fault may stand for the events of a whole damaged block: `covers` is how many offsets there are.
    """

    partition: int
    offset: int
    event: Event | None
    fault: BadInput | None = None
    raw: bytes = b""
    covers: int = 1


class Events(NamedTuple):
    """Events that stand one after another in a partition, the first at `offset`: for those who read millions."""

    partition: int
    offset: int
    events: Sequence[Event]


def one_by_one(batches: Iterable[Events | Entry]) -> Iterator[Entry]:
    """Batches as single entries."""
    for batch in batches:
        if isinstance(batch, Entry):
            yield batch
        else:
            for offset, event in enumerate(batch.events, batch.offset):
                yield Entry(batch.partition, offset, event)


class Log(Protocol):
    """An append-only log of events."""

    @property
    def name(self) -> str:
        """Where it is, for messages and the run ledger: a folder or a topic."""

    def append(self, events: Iterable[Event]) -> int:
        """Append events, each to the partition of its `table_id`, and return how many there were.

        They are durable when this returns. Raises BadInput where an event cannot be encoded or the log cannot take it;
        then none of the events after the last acknowledged one were appended.
        """

    def read(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Entry]:
        """The entries of a partition from offset `start` up to but not including `end` (default: the present end)."""

    def batches(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Events | Entry]:
        """The same, many events at a time; an Entry stands only where there is a fault."""

    def end_offsets(self) -> Mapping[int, int]:
        """For each partition the offset that the next event will get."""

    def close(self) -> None:
        """Let go of files or connections."""
