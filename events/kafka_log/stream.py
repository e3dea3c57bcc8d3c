"""What a stream processor reads and writes through: messages in, messages and read positions out in one transaction."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

from kafka import errors as kafka_errors
from kafka.structs import OffsetAndMetadata

from events.errors import BadInput
from events.kafka_log.connection import (
    as_bad_input,
    make_consumer,
    make_producer,
    partitions_of,
    plainly,
    topic_partition,
)
from events.kafka_log.log import read_range
from events.kafka_log.settings import KafkaSettings

BACK_IDLE_NS: Final = 5_000_000_000
"""How long the connection for older messages is kept without use: one that missed a restart of its broker would wait longer
to try again than anybody waits for it."""
_TAKEN_OVER: Final = (
    kafka_errors.ProducerFencedError,
    kafka_errors.InvalidProducerEpochError,
    kafka_errors.FencedInstanceIdError,
)


class NotOurs(Exception):
    """The group gave our partitions to others while we worked: what was being written is taken back."""


class Message(Protocol):
    """A message as it was read."""

    @property
    def offset(self) -> int:
        """Its offset."""

    @property
    def key(self) -> bytes | None:
        """Its key."""

    @property
    def value(self) -> bytes | None:
        """Its bytes."""

    @property
    def headers(self) -> Sequence[tuple[str, bytes]]:
        """Its headers."""


class Output(NamedTuple):
    """A message to write."""

    topic: str
    key: bytes | None
    value: bytes
    headers: Sequence[tuple[str, bytes]] = ()


class Committed(NamedTuple):
    """A read position of the group: the offset to read from, and a note of at most 4096 bytes."""

    offset: int
    note: str


class _Flight(threading.Thread):
    """Work that runs beside, and the fault that ended it."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.fault: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work()
        except BaseException as fault:  # it is raised again in the thread that waits
            self.fault = fault


class Stream:
    """One member of the consumer group `group` on one topic, and a transactional producer that works beside the reading.

    `instance` names the member for ever: started again under the same name it gets its partitions and its transactions
    back at once, and two at the same time under one name cannot be: the later one takes over.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        topic: str,
        group: str,
        instance: str,
        *,
        writes_to: Sequence[str] = (),
        session_ms: int = 10_000,
        batch: int = 5000,
    ) -> None:
        """Raises BadInput where no broker answers, or `topic` or one of `writes_to` is missing."""
        self.settings = settings
        self.topic = topic
        self._writes_to = writes_to
        self._instance = instance
        self._back: Any = None
        self._back_used_ns = 0
        self._waiting: list[Output] = []
        self._open = False
        self._lost = False
        self._flight: _Flight | None = None
        self._consumer = make_consumer(
            settings,
            group_id=group,
            group_instance_id=f"{group}-{instance}",
            session_timeout_ms=session_ms,
            heartbeat_interval_ms=session_ms // 5,
            max_poll_records=batch,
            # how soon a changed number of partitions is noticed
            metadata_max_age_ms=5000,
        )
        try:
            self.partitions = partitions_of(self._consumer, settings, topic)
            self.check_topics()
            self._producer = make_producer(settings, transactional_id=f"{group}-{instance}", transaction_timeout_ms=60_000)
            with plainly(settings, "opening transactions"):
                self._producer.init_transactions()
            self._consumer.subscribe([topic])
            self._membership = self._consumer.group_metadata()
        except BaseException:
            self._consumer.close()
            raise

    def poll(self, milliseconds: int) -> Mapping[int, Sequence[Message]]:
        """The next messages by partition; none where there are none within `milliseconds`.

        Raises NotOurs where the group was divided anew: then nothing that was read and not committed counts any more. The
        caller aborts, and reads the partitions of `assigned` from their committed positions.
        """
        try:
            with plainly(self.settings, f"reading {self.topic}"):
                found = self._consumer.poll(timeout_ms=milliseconds)
                membership = self._consumer.group_metadata()
        except BadInput as fault:
            if isinstance(fault.__cause__, _TAKEN_OVER):
                raise self._taken_over() from fault
            raise
        if membership.generation_id != self._membership.generation_id:
            self._membership = membership
            raise NotOurs("the group was divided anew")
        return {place.partition: records for place, records in found.items()}

    @property
    def joined(self) -> bool:
        """Whether the group knows this member."""
        return cast(int, self._membership.generation_id) >= 0

    def assigned(self) -> set[int]:
        """The partitions that are ours at present."""
        return {place.partition for place in self._consumer.assignment()}

    def present_partitions(self) -> int:
        """The number of partitions that the topic has now. Raises BadInput where it is gone."""
        return partitions_of(self._consumer, self.settings, self.topic)

    def check_topics(self) -> None:
        """Raise BadInput where no broker answers or one of the topics is missing.

        It asks through a connection of its own: what an older one knows of topics is up to minutes old, and it asks for
        news without a time limit.
        """
        with contextlib.closing(make_consumer(self.settings)) as asker:
            for topic in (self.topic, *self._writes_to):
                partitions_of(asker, self.settings, topic)

    def committed(self, partition: int) -> Committed | None:
        """The group's position in a partition, None where it has none."""
        with plainly(self.settings, "asking for the position"):
            place = topic_partition(self.topic, partition)
            found = self._consumer.committed(place, metadata=True, timeout_ms=self.settings.answer_ms)
        return None if found is None or found.offset < 0 else Committed(found.offset, found.metadata or "")

    def seek(self, partition: int, offset: int) -> None:
        """Read on from `offset`."""
        self._consumer.seek(topic_partition(self.topic, partition), offset)

    def bounds(self, partition: int) -> tuple[int, int]:
        """The first offset that is still there, and the one after the last committed message.

        Raises BadInput where the broker does not answer.
        """
        place = topic_partition(self.topic, partition)
        with plainly(self.settings, "asking for the ends of the log"):
            begin = self._consumer.beginning_offsets([place], timeout_ms=self.settings.answer_ms)[place]
            return begin, self._consumer.end_offsets([place], timeout_ms=self.settings.answer_ms)[place]

    def position(self, partition: int) -> int:
        """The offset that is read next."""
        with plainly(self.settings, "asking for the position"):
            return cast(int, self._consumer.position(topic_partition(self.topic, partition), self.settings.answer_ms))

    def read_back(self, partition: int, start: int, end: int) -> Iterator[Sequence[Message]]:
        """Older messages once more, from `start` up to `end`, through a connection of their own."""
        if self._back is not None and time.monotonic_ns() - self._back_used_ns > BACK_IDLE_NS:
            self._back.close()
            self._back = None
        if self._back is None:
            self._back = make_consumer(self.settings)
        try:
            yield from read_range(self._back, self.settings, self.topic, partition, start, end)
        finally:
            self._back_used_ns = time.monotonic_ns()

    def send(self, output: Output) -> None:
        """Write a message with the next `commit`. Until then it waits here: a producer at work beside costs more than that
        the messages go together."""
        self._waiting.append(output)

    def commit(self, positions: Mapping[int, Committed]) -> None:
        """Begin to make what was sent and the group's positions count: all of it, or nothing. It does when `finish`
        returns; until then the caller may go on reading. A commit before this one is finished first.

        Raises as `finish` does.
        """
        self.finish()
        offsets = {
            topic_partition(self.topic, partition): OffsetAndMetadata(position.offset, position.note, -1)
            for partition, position in positions.items()
        }
        outputs, self._waiting = self._waiting, []
        # the membership under which the messages were read: a later one would not be fenced
        membership = self._membership
        self._flight = _Flight(lambda: self._write(outputs, offsets, membership))

    def finish(self) -> None:
        """Wait until the commit that was begun is done.

        Raises NotOurs where the partitions have meanwhile other owners, BadInput where another process has taken over
        this instance's name, Kafka refuses, or no broker answers within `answer_ms`.
        """
        if self._flight is not None:
            flight, self._flight = self._flight, None
            with self._writing():
                self._wait(flight)

    def abort(self) -> None:
        """Take back what was sent since the last commit, and a transaction that failed."""
        with contextlib.suppress(NotOurs, BadInput):
            self.finish()
        self._waiting.clear()
        if self._open and not self._lost:
            with contextlib.suppress(kafka_errors.KafkaError):
                self._wait(_Flight(self._producer.abort_transaction))
        self._open = False

    def _write(self, outputs: Sequence[Output], offsets: Mapping[Any, OffsetAndMetadata], membership: Any) -> None:
        self._producer.begin_transaction()
        self._open = True
        for output in outputs:
            # a header may be null in Kafka, and kafka-python reads it so; but it writes none
            headers = [(name, said or b"") for name, said in output.headers]
            self._producer.send(output.topic, value=output.value, key=output.key, headers=headers)
        if offsets:
            self._producer.send_offsets_to_transaction(offsets, membership)
        self._producer.commit_transaction()
        self._open = False

    def _wait(self, flight: _Flight) -> None:
        """Wait for what kafka-python does without a time limit. A producer that got no answer is of no use any more."""
        flight.join(self.settings.answer_ms / 1000)
        if flight.is_alive():
            self._lost = True
            raise kafka_errors.KafkaTimeoutError("no answer")
        if flight.fault is not None:
            raise flight.fault

    def close(self) -> None:
        """Leave. A transaction that is open is aborted."""
        self.abort()
        with contextlib.suppress(kafka_errors.KafkaError):
            self._producer.close(timeout=0 if self._lost else 5)
        for consumer in (self._back, self._consumer):
            if consumer is not None:
                with contextlib.suppress(kafka_errors.KafkaError):
                    consumer.close(autocommit=False, timeout_ms=2000)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except kafka_errors.KafkaError as fault:
            # kafka-python hands an earlier failure on inside a plain KafkaError
            told = (fault, fault.__cause__, *fault.args)
            if any(isinstance(reason, _TAKEN_OVER) for reason in told):
                self._open = False
                raise self._taken_over() from fault
            self.abort()
            if any(isinstance(reason, _NOT_OURS) for reason in told):
                raise NotOurs(str(fault)) from fault
            if isinstance(fault, kafka_errors.KafkaTimeoutError):
                # kafka-python waits for a topic that is gone as it does for a broker
                self.check_topics()
            raise as_bad_input(self.settings, "writing a transaction", fault) from fault

    def _taken_over(self) -> BadInput:
        return BadInput(
            f"another process has taken over as instance {self._instance!r}",
            f"Kafka at {self.settings.bootstrap}",
            "give each process an instance name of its own",
            reason="TAKEN_OVER",
        )


_NOT_OURS: Final = (
    kafka_errors.CommitFailedError,
    kafka_errors.IllegalGenerationError,
    kafka_errors.UnknownMemberIdError,
    kafka_errors.RebalanceInProgressError,
)
