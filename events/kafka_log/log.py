"""The topic `round-events` as a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kafka import KafkaConsumer
from kafka import errors as kafka_errors

from events.codec import decoder, encode
from events.errors import BadInput
from events.kafka_log.connection import (
    as_bad_input,
    close_producer,
    make_consumer,
    make_producer,
    partitions_of,
    plainly,
    topic_partition,
)
from events.kafka_log.settings import KafkaSettings
from events.log import Entry, Events, one_by_one
from events.model import Event

CHUNK: Final = 5000
"""So many events are encoded before the first of them is sent: one that cannot be encoded takes no earlier one along."""


class KafkaLog:
    """A log on a topic. The key of a message is its table, so a table's events stay in one partition, in order.

    The record timestamp is the broker's business: `occurred_at` may be a simulated day, which brokers refuse.
    """

    def __init__(self, settings: KafkaSettings) -> None:
        """Raises BadInput where no broker answers within `connect_ms`, or the topic is missing."""
        self.settings = settings
        self.topic = settings.events_topic
        self._decode = decoder(settings.confluent_schemas)
        self._asker = make_consumer(settings)
        self._producer: Any = None
        try:
            self.partitions = partitions_of(self._asker, settings, self.topic)
        except BaseException:
            self._asker.close()
            raise

    @property
    def name(self) -> str:
        """The topic, and where it is."""
        return f"{self.topic} at {self.settings.bootstrap}"

    def append(self, events: Iterable[Event]) -> int:
        """Append events and wait until all replicas have them.

        Raises BadInput where one cannot be encoded (it says how many events before it were appended) or Kafka does not
        take them; a repetition is harmless, the same event twice counts once.
        """
        count = 0
        chunk: list[tuple[bytes, bytes]] = []
        for event in events:
            try:
                chunk.append((event.table_id.encode(), encode(event)))
            except BadInput as fault:
                raise _after(fault, count) from fault
            if len(chunk) == CHUNK:
                count += self._send(chunk)
                chunk = []
        return count + self._send(chunk)

    def append_messages(self, messages: Iterable[bytes]) -> int:
        """Append wire messages as they are. Raises BadInput as `append` does."""
        count = 0
        chunk: list[tuple[bytes, bytes]] = []
        for message in messages:
            try:
                chunk.append((self._decode(message).table_id.encode(), message))
            except BadInput as fault:
                raise _after(fault, count) from fault
            if len(chunk) == CHUNK:
                count += self._send(chunk)
                chunk = []
        return count + self._send(chunk)

    def read(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Entry]:
        """The entries of a partition; a message that cannot be decoded is one with the fault and its bytes."""
        return one_by_one(self.batches(partition, start, end))

    def batches(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Events | Entry]:
        """The same, many events at a time."""
        reader = make_consumer(self.settings)
        try:
            for records in read_range(reader, self.settings, self.topic, partition, start, end):
                yield from _decoded(self.topic, partition, records, self._decode)
        finally:
            reader.close()

    def end_offsets(self) -> Mapping[int, int]:
        """For each partition the offset after the last committed message."""
        partitions = [topic_partition(self.topic, number) for number in range(self.partitions)]
        with plainly(self.settings, "asking for the end of the log"):
            found = self._asker.end_offsets(partitions, timeout_ms=self.settings.answer_ms)
        return {partition.partition: found[partition] for partition in partitions}

    def close(self) -> None:
        """Close the connections."""
        if self._producer is not None:
            close_producer(self._producer)
        self._asker.close()

    def __enter__(self) -> KafkaLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, chunk: Sequence[tuple[bytes, bytes]]) -> int:
        if not chunk:
            return 0
        if self._producer is None:
            self._producer = make_producer(self.settings)
        with plainly(self.settings, "appending"):
            sent = [self._producer.send(self.topic, value=message, key=key) for key, message in chunk]
            self._producer.flush(timeout=self.settings.answer_ms // 1000)
            for future in sent:
                if future.failed():
                    raise future.exception
        return len(chunk)


def read_range(
    reader: KafkaConsumer, settings: KafkaSettings, topic: str, partition: int, start: int, end: int | None = None
) -> Iterator[Sequence[Any]]:
    """The records of a partition from `start` up to `end` (default: the present end), many at a time.

    Raises BadInput where the broker stops answering.
    """
    place = topic_partition(topic, partition)
    with plainly(settings, f"reading {topic}"):
        reader.assign([place])
        present = reader.end_offsets([place], timeout_ms=settings.answer_ms)[place]
        end = present if end is None else min(end, present)
        start = max(start, reader.beginning_offsets([place], timeout_ms=settings.answer_ms)[place])
        if start >= end:
            return
        reader.seek(place, start)
    patience_ns = settings.answer_ms * 1_000_000
    heard_ns, position = time.monotonic_ns(), start
    while position < end:
        with plainly(settings, f"reading {topic}"):
            records = reader.poll(timeout_ms=200, max_records=5000).get(place, [])
            before, position = position, reader.position(place, timeout_ms=settings.answer_ms)
        if position != before:
            heard_ns = time.monotonic_ns()
        elif time.monotonic_ns() - heard_ns > patience_ns:
            raise as_bad_input(settings, f"reading {topic}", kafka_errors.KafkaTimeoutError())
        if records and records[-1].offset >= end:
            records = [record for record in records if record.offset < end]
        if records:
            yield records


def _decoded(
    topic: str, partition: int, records: Sequence[Any], decode: Callable[[bytes], Event]
) -> Iterator[Events | Entry]:
    """The events of records that follow each other, parted where an offset is missing or a message is none."""
    events: list[Event] = []
    first = expected = records[0].offset
    for record in records:
        offset, value = record.offset, record.value
        if offset != expected:
            # a transaction's marker takes an offset and is no message
            if events:
                yield Events(partition, first, events)
            events, first = [], offset
        expected = offset + 1
        try:
            events.append(decode(value or b""))
        except BadInput as fault:
            if events:
                yield Events(partition, first, events)
            events, first = [], offset + 1
            where = f"topic {topic}, partition {partition}, offset {offset}"
            yield Entry(partition, offset, None, fault.at(where), value or b"")
    if events:
        yield Events(partition, first, events)


def _after(fault: BadInput, count: int) -> BadInput:
    if not count:
        return fault
    return BadInput(
        f"{fault.what}; the {count} events before its chunk were appended", fault.where, fault.do, reason=fault.reason
    )
