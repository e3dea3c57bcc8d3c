"""The stream processor: events in, audits out, each round's audit exactly once.

It consumes `round-events`, audits each round as it closes, and writes to `round-audits`; messages that are no events go
to `round-deadletters`. What it writes and how far it has read become true in one Kafka transaction. `pipelines.rounds`
says what is due and why a processor that is killed anywhere continues without a gap or a repetition.
"""

from __future__ import annotations

import contextlib
import gc
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from events import codec
from events.errors import BadInput
from events.kafka_log import Committed, KafkaSettings, Message, NotOurs, Output, Stream
from events.model import Event
from pipelines.deadletters import dead_letter
from pipelines.rounds import Due, PartitionRounds
from processors.kernel.settlement import RoundAudit
from processors.record import to_record
from processors.replay import audit_round
from processors.rulebook import Rulebook, load

LOOK_BACK: Final = 50_000
"""A processor that starts learns which rounds closed within so many offsets before its position: an event that comes a
second time mostly comes soon."""

_EVENTS_A_TRANSACTION: Final = 50_000
_SECONDS_A_TRANSACTION: Final = 1
"""A transaction ends after so much time, so that audits are seen soon, or after so many events, so that what waits for it
stays small. Transactions of 20,000 events cost a twentieth of the rate."""

_QUIET_COMMIT_EVENTS: Final = 20_000
"""Without anything to write, the position is committed after so many events: it only saves reading them again."""


@dataclass(frozen=True)
class ProcessSettings:
    """`kafka`: where; `group`: the consumer group, one for all processors that share the work; `instance`: the name of
    this one among them, the same at each start; `extra_games`: folders of further games; `session_ms`: after this time
    without a sign of life the group gives a processor's partitions to the others; `batch`: at most so many events are
    taken at a time."""

    kafka: KafkaSettings = field(default_factory=KafkaSettings)
    group: str = "roundaudit"
    instance: str = "1"
    extra_games: Sequence[Path] = ()
    session_ms: int = 10_000
    batch: int = 5000


class Summary(NamedTuple):
    """What a run did, counting what was committed. Of the `events` read, `dead_letters` were none; `rounds` were audited
    for the first time and `revisions` again; `open_rounds` with `open_events` wait for their end."""

    events: int = 0
    rounds: int = 0
    revisions: int = 0
    discrepancies: int = 0
    dead_letters: int = 0
    open_rounds: int = 0
    open_events: int = 0


class _Stop:
    """Whether somebody asked us to stop."""

    asked = False


def run(
    settings: ProcessSettings,
    *,
    until_idle_seconds: float | None = None,
    progress: Callable[[Summary], None] | None = None,
    rulebook: Rulebook | None = None,
) -> Summary:
    """Process until SIGTERM or SIGINT, or until there has been nothing to read for `until_idle_seconds`.

    `progress` is told the state after each transaction. Raises BadInput where Kafka or a topic is missing, where the
    number of partitions changed under open rounds, or where another process took over this instance.
    """
    book = rulebook if rulebook is not None else load(settings.extra_games)
    with _stop_on_signals() as stop, _collecting_seldom():
        stream = Stream(
            settings.kafka,
            settings.kafka.events_topic,
            settings.group,
            settings.instance,
            writes_to=(settings.kafka.audits_topic, settings.kafka.deadletters_topic),
            session_ms=settings.session_ms,
            batch=settings.batch,
        )
        try:
            processor = _Processor(settings.kafka, stream, book, progress)
            processor.loop(stop, until_idle_seconds)
            return processor.done
        finally:
            stream.close()


class _Partition:
    """A partition of ours: its rounds, the next offset to write for, and what was committed last."""

    def __init__(self, rounds: PartitionRounds, write_from: int) -> None:
        self.rounds = rounds
        self.write_from = write_from
        self.committed = write_from


class _Processor:
    def __init__(
        self, kafka: KafkaSettings, stream: Stream, book: Rulebook, progress: Callable[[Summary], None] | None
    ) -> None:
        self.kafka = kafka
        self.stream = stream
        self.book = book
        self.progress = progress
        self.decode = codec.decoder(kafka.confluent_schemas)
        self.partitions = stream.partitions
        self.done = Summary()
        self._now = Summary()
        self._begun: Summary | None = None
        self._written = 0
        self._began = 0.0
        self._ours: dict[int, _Partition] = {}

    def loop(self, stop: _Stop, until_idle_seconds: float | None) -> None:
        """Read, audit, write, until asked to stop or idle."""
        heard = asked = time.monotonic()
        while not stop.asked:
            try:
                self._adopt()
                found = self.stream.poll(100)
                for partition, messages in found.items():
                    self._take(partition, messages)
                now = time.monotonic()
                if found:
                    heard = now
                else:
                    self._confirm()
                if self._is_time_to_commit(now, quiet=not found):
                    self._commit()
                idle = until_idle_seconds is not None and self.stream.joined and now - heard >= until_idle_seconds
                if idle and self._has_read_all():
                    break
                if now - max(heard, asked) > self.kafka.answer_ms / 1000:
                    # silence may be a lost broker: this asks, and says so
                    asked = now
                    self._has_read_all()
            except NotOurs:
                self._forget()
                heard = time.monotonic()
        try:
            self._commit()
            self._confirm()
        except NotOurs:
            # whoever has the partitions now does it again
            self._forget()

    def _check_partitions(self) -> None:
        """Refuse to go on where the number of partitions changed since the last commit, under rounds that are open."""
        present = self.stream.present_partitions()
        for partition in range(present):
            committed = self.stream.committed(partition)
            if committed is None:
                continue
            partitions = _read_note(committed)[1]
            if partitions != present and self._has_open_rounds(partition, committed.offset):
                raise self._repartitioned(partitions, present)
        self.partitions = present

    def _has_open_rounds(self, partition: int, start: int) -> bool:
        reader = self._reader(partition)
        begin, end = self.stream.bounds(partition)
        rounds = PartitionRounds(begin, start, reader)
        for offset, event in reader(start, end):
            rounds.take(offset, event)
        return bool(rounds.open)

    def _adopt(self) -> None:
        """Take over partitions that are newly ours, before anything is read from them."""
        new = self.stream.assigned() - self._ours.keys()
        if new:
            self._check_partitions()
        for partition in new:
            begin, _ = self.stream.bounds(partition)
            committed = self.stream.committed(partition)
            start = begin if committed is None else max(begin, committed.offset)
            rounds = PartitionRounds(begin, start, self._reader(partition))
            rounds.look_back(start - LOOK_BACK)
            self.stream.seek(partition, start)
            write_from = start if committed is None else _read_note(committed)[0]
            self._ours[partition] = _Partition(rounds, write_from)

    def _take(self, partition: int, messages: Sequence[Message]) -> None:
        ours = self._ours[partition]
        rounds, write_from = ours.rounds, ours.write_from
        take, decode = rounds.take, self.decode
        for message in messages:
            try:
                event = decode(message.value or b"")
            except BadInput as fault:
                rounds.skip(message.offset)
                if message.offset >= write_from:
                    self._set_aside(partition, message, fault)
                continue
            due = take(message.offset, event)
            if due is not None and due.offset >= write_from:
                self._audit(partition, due)
        for due in rounds.settle_doubts():
            if due.offset >= write_from:
                self._audit(partition, due)
        fresh = (
            sum(message.offset >= write_from for message in messages) if messages[0].offset < write_from else len(messages)
        )
        self._now = self._now._replace(events=self._now.events + fresh)

    def _audit(self, partition: int, due: Due) -> None:
        audit = audit_round(due.events, self.book, revision=due.revision)
        try:
            value = _encoded(audit)
        except BadInput as fault:
            trigger = _Trigger(due.offset, audit.table_id.encode(), codec.encode(due.events[-1]), ())
            self._set_aside(partition, trigger, fault)
            return
        self._send(Output(self.kafka.audits_topic, audit.table_id.encode(), value))
        now = self._now
        self._now = now._replace(
            rounds=now.rounds + (due.revision == 1),
            revisions=now.revisions + (due.revision > 1),
            discrepancies=now.discrepancies + len(audit.discrepancies),
        )

    def _set_aside(self, partition: int, message: Message, fault: BadInput) -> None:
        where = f"topic {self.kafka.events_topic}, partition {partition}, offset {message.offset}"
        self._send(dead_letter(self.kafka, partition, message, fault.at(where)))
        self._now = self._now._replace(dead_letters=self._now.dead_letters + 1)

    def _send(self, output: Output) -> None:
        if not self._written:
            self._began = time.monotonic()
        self._written += 1
        self.stream.send(output)

    def _is_time_to_commit(self, now: float, *, quiet: bool) -> bool:
        fresh = self._now.events - (self._begun or self.done).events
        if self._written:
            return quiet or fresh >= _EVENTS_A_TRANSACTION or now - self._began >= _SECONDS_A_TRANSACTION
        return fresh >= _QUIET_COMMIT_EVENTS

    def _commit(self) -> None:
        """Make what was written true, together with how far we have read."""
        present = self.stream.present_partitions()
        if present != self.partitions and any(ours.rounds.open for ours in self._ours.values()):
            raise self._repartitioned(self.partitions, present)
        positions = {}
        for partition, ours in self._ours.items():
            next_offset = max(ours.rounds.next_offset, ours.write_from)
            if next_offset > ours.committed:
                positions[partition] = Committed(ours.rounds.oldest, _note(next_offset, present))
        self._confirm()
        if positions or self._written:
            self.stream.commit(positions)
            for partition in positions:
                self._ours[partition].committed = self._ours[partition].rounds.next_offset
        self._written = 0
        self._now = self._now._replace(
            open_rounds=sum(len(ours.rounds.open) for ours in self._ours.values()),
            open_events=sum(ours.rounds.open_events for ours in self._ours.values()),
        )
        self._begun = self._now

    def _confirm(self) -> None:
        """Wait for the commit that was begun, and only then count what is in it."""
        if self._begun is None:
            return
        begun, self._begun = self._begun, None
        self.stream.finish()
        self.done = begun
        if self.progress is not None:
            self.progress(self.done)

    def _forget(self) -> None:
        """Begin again from what is committed."""
        with contextlib.suppress(NotOurs):
            self._confirm()
        self.stream.abort()
        self._ours.clear()
        self._written = 0
        self._now = self.done

    def _has_read_all(self) -> bool:
        """Whether we stand at the end of every partition of ours; asks the broker, so a lost one is no idleness, and
        neither is a topic that was deleted."""
        if not self._ours:
            self.stream.check_topics()
        return all(self.stream.position(partition) >= self.stream.bounds(partition)[1] for partition in self._ours)

    def _reader(self, partition: int) -> Callable[[int, int], Iterator[tuple[int, Event]]]:
        def read_back(start: int, end: int) -> Iterator[tuple[int, Event]]:
            for messages in self.stream.read_back(partition, start, end):
                for message in messages:
                    # what cannot be read was set aside when it came
                    with contextlib.suppress(BadInput):
                        yield message.offset, self.decode(message.value or b"")

        return read_back

    def _repartitioned(self, before: int, now: int) -> BadInput:
        return BadInput(
            f"the number of partitions of {self.kafka.events_topic} changed from {before} to {now} under open rounds",
            f"Kafka at {self.kafka.bootstrap}",
            "move the events to a new topic and process that: a table's rounds must stay in one partition",
            reason="REPARTITIONED",
        )


class _Trigger(NamedTuple):
    """The event that made an audit due, as a message."""

    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]


def _encoded(audit: RoundAudit) -> bytes:
    """The message of an audit. Raises BadInput where it is too large, or a sum in it is beyond what its field holds."""
    try:
        value = codec.encode_record("RoundAudit", to_record(audit))
    except BadInput as fault:
        raise fault.at(f"the audit of round {audit.round_id}") from fault
    if len(value) > codec.MESSAGE_LIMIT_BYTES:
        what = f"the audit of round {audit.round_id} takes {len(value)} bytes; at most {codec.MESSAGE_LIMIT_BYTES} fit"
        raise BadInput(what, reason="AUDIT_TOO_LARGE")
    return value


def _note(next_offset: int, partitions: int) -> str:
    return json.dumps({"next": next_offset, "partitions": partitions})


def _read_note(committed: Committed) -> tuple[int, int]:
    try:
        said = json.loads(committed.note)
        return int(said["next"]), int(said["partitions"])
    except (ValueError, KeyError, TypeError) as fault:
        raise BadInput(
            f"the position {committed.offset} of this group was not committed by a processor",
            do="choose another group, or delete this one's offsets",
            reason="FOREIGN_POSITION",
        ) from fault


@contextlib.contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Events are many and live long enough to be looked at again and again for cycles that they cannot have: a tenth of
    the time. The rulebook is left out of it, and the rest is looked at less often."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextlib.contextmanager
def _stop_on_signals() -> Iterator[_Stop]:
    """Ask to stop on SIGTERM and SIGINT; a second one ends the process as it always does."""
    stop = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before: dict[int, Any] = {}

    def ask(number: int, _: FrameType | None) -> None:
        stop.asked = True
        signal.signal(number, before[number] if before[number] is not None else signal.SIG_DFL)

    for wanted in (signal.SIGTERM, signal.SIGINT):
        before[wanted] = signal.signal(wanted, ask)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
