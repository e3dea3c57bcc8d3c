"""The topic is a log, and says plainly what is wrong with Kafka."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from events import codec
from events.errors import BadInput
from events.kafka_log import KafkaLog, KafkaSettings, Output, Stream, create_topics, stream
from events.log import Log
from tests.events.log_suite import LogSuite, a_round, everything
from tests.kafka_broker import NoBroker, running_broker

pytestmark = pytest.mark.kafka


class TestKafkaLog(LogSuite):
    @pytest.fixture
    def log(self, kafka_settings: KafkaSettings) -> Iterator[Log]:
        with KafkaLog(kafka_settings) as log:
            yield log


def write(settings: KafkaSettings, outputs: list[Output]) -> None:
    stream = Stream(settings, settings.events_topic, "writer", "test")
    for output in outputs:
        stream.send(output)
    stream.commit({})
    stream.finish()
    stream.close()


def test_a_message_that_is_no_event_is_an_entry_with_its_place_and_bytes(kafka_settings: KafkaSettings) -> None:
    events = a_round("BJ-01")
    with KafkaLog(kafka_settings) as log:
        log.append(events[:2])
        (partition,) = [number for number, end in log.end_offsets().items() if end]
        write(kafka_settings, [Output(kafka_settings.events_topic, b"BJ-01", b"no event")])
        log.append(events[2:])
        found = everything(log)
    assert [entry.event for entry in found] == [*events[:2], None, *events[2:]]
    assert found[2].raw == b"no event"
    assert str(found[2].fault).startswith(
        f"topic {kafka_settings.events_topic}, partition {partition}, offset 2: not in Avro"
    )


def test_a_round_of_another_century_is_taken(kafka_settings: KafkaSettings) -> None:
    later = int((datetime.now(UTC) + timedelta(days=40_000)).timestamp()) * 1_000_000
    (opened, *_) = a_round("BJ-01")
    with KafkaLog(kafka_settings) as log:
        assert log.append([opened._replace(occurred_at=later), opened._replace(occurred_at=-later, sequence=1)]) == 2
        assert [entry.event.occurred_at for entry in everything(log) if entry.event] == [later, -later]


def test_a_message_of_eight_megabytes_goes_through_and_a_larger_one_is_refused(kafka_settings: KafkaSettings) -> None:
    (opened, *_) = a_round("BJ-01")
    room = codec.MESSAGE_LIMIT_BYTES - len(codec.encode(opened)) - 8
    # digits of SHA-256 hardly compress: what arrives at the broker is large too
    large = opened._replace(options={"o": noise(room)})
    with KafkaLog(kafka_settings) as log:
        assert log.append([large]) == 1
        assert [entry.event for entry in everything(log)] == [large]
        with pytest.raises(BadInput, match="appending failed: MessageSizeTooLarge"):
            log.append([opened._replace(options={"o": noise(room + 200_000)})])


def noise(size: int) -> str:
    digits = "".join(hashlib.sha256(str(n).encode()).hexdigest() for n in range(size // 64 + 1))
    return digits[:size]


def test_a_missing_broker_is_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        for action in (KafkaLog, create_topics):
            with pytest.raises(BadInput, match=rf"^Kafka at {address}: no broker answers \(.*\)\. Start it .*$"):
                action(KafkaSettings(address, connect_ms=1500))


def test_a_missing_topic_is_one_line(kafka_settings: KafkaSettings) -> None:
    with pytest.raises(BadInput, match="there is no topic no-such-topic"):
        KafkaLog(replace(kafka_settings, events_topic="no-such-topic"))


def test_topics_are_made_once_and_never_with_another_number_of_partitions(kafka_settings: KafkaSettings) -> None:
    assert create_topics(kafka_settings, partitions=4) == []
    with pytest.raises(BadInput, match="has 4 partitions, not 5"):
        create_topics(kafka_settings, partitions=5)


@pytest.mark.parametrize(("idle_seconds", "made"), [(0, 2), (60, 1)])
def test_the_connection_for_older_messages_is_made_anew_where_it_had_nothing_to_do(
    kafka_settings: KafkaSettings, monkeypatch: pytest.MonkeyPatch, idle_seconds: int, made: int
) -> None:
    events = a_round("BJ-01")
    with KafkaLog(kafka_settings) as log:
        log.append(events)
        partition = next(entry.partition for entry in everything(log))
    with contextlib.closing(Stream(kafka_settings, kafka_settings.events_topic, "g", "1")) as reader:
        connections: list[object] = []
        connect = stream.make_consumer
        monkeypatch.setattr(stream, "make_consumer", lambda settings: connections.append(settings) or connect(settings))
        monkeypatch.setattr(stream, "BACK_IDLE_NS", idle_seconds * 1_000_000_000)
        for _ in range(2):
            assert sum(len(messages) for messages in reader.read_back(partition, 0, len(events))) == len(events)
        assert len(connections) == made


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_that_goes_away_is_one_plain_fault_and_closing_says_nothing_more(tmp_path: Path) -> None:
    events = a_round("BJ-01")
    try:
        with running_broker(tmp_path) as bootstrap:
            settings = KafkaSettings(bootstrap, answer_ms=2000)
            create_topics(settings, partitions=1)
            log = KafkaLog(settings)
            assert log.append(events) == len(events)
    except NoBroker as why:
        pytest.skip(str(why))
    with pytest.raises(BadInput, match="no broker answers"), log:
        log.append(events)
    del log
    gc.collect()
