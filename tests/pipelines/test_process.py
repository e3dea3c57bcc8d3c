"""The stream processor against a real broker: each round's audit exactly once, whatever happens to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from kafka import KafkaAdminClient

from events import codec
from events.errors import BadInput
from events.kafka_log import ROOM_BYTES, KafkaLog, KafkaSettings, Output, Stream, create_topics
from events.kafka_log.connection import make_consumer, make_producer
from events.kafka_log.log import read_range
from events.model import Event, EventRetracted, WagerPlaced
from pipelines.deadletters import Redriven, dead_letter, redrive
from pipelines.process import ProcessSettings, Summary, run
from processors.rulebook import Rulebook
from tests.events.log_suite import CLOCK, TABLES, a_round
from tests.kafka_broker import NoBroker, running_broker
from tests.processors import toy_game

pytestmark = pytest.mark.kafka

NO_GAMES = Rulebook({}, "rules", "code")
"""Every round is audited with one finding: no rule is in force. What is tested here is that it is, and how often."""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def settings(kafka_settings: KafkaSettings) -> ProcessSettings:
    return ProcessSettings(kafka_settings, session_ms=6000)


def toy_round(round_id: str, stake_minor: int) -> list[Event]:
    """A round of the toy game in which a wager on even at 1 to 1 wins and no result is recorded."""
    events = toy_game.events("wager w1 seat 1 coin 1000", "roll 2-4", round_id=round_id)
    return [e._replace(amount_minor=stake_minor) if isinstance(e, WagerPlaced) else e for e in events]


def append(settings: ProcessSettings, events: list[Event]) -> None:
    with KafkaLog(settings.kafka) as log:
        log.append(events)


def send(settings: ProcessSettings, *outputs: Output) -> None:
    stream = Stream(settings.kafka, settings.kafka.events_topic, "sender", "test")
    for output in outputs:
        stream.send(output)
    stream.commit({})
    stream.finish()
    stream.close()


def process(settings: ProcessSettings) -> Summary:
    return run(settings, until_idle_seconds=0.3, rulebook=NO_GAMES)


def messages(settings: ProcessSettings, topic: str) -> Iterator[Any]:
    """What a committed reader sees."""
    reader = make_consumer(settings.kafka)
    try:
        for partition in range(4):
            for found in read_range(reader, settings.kafka, topic, partition, 0):
                yield from found
    finally:
        reader.close()


def audits(settings: ProcessSettings) -> list[Mapping[str, Any]]:
    return [codec.decode_record(m.value, "RoundAudit") for m in messages(settings, settings.kafka.audits_topic)]


def seen(settings: ProcessSettings) -> Counter[tuple[str, int, int]]:
    return Counter((audit["round_id"], audit["revision"], audit["events"]) for audit in audits(settings))


def test_each_round_is_audited_and_keyed_by_its_table(settings: ProcessSettings) -> None:
    append(settings, [event for table in TABLES for number in range(5) for event in a_round(table, number)])
    assert process(settings)[:5] == (160, 40, 0, 40, 0)
    assert seen(settings) == Counter({(f"{table}/{number}", 1, 4): 1 for table in TABLES for number in range(5)})
    assert all(
        m.key == codec.decode_record(m.value, "RoundAudit")["table_id"].encode()
        for m in messages(settings, settings.kafka.audits_topic)
    )
    assert audits(settings)[0]["discrepancies"][0]["kind"] == "NO_RULE_IN_FORCE"


def test_an_open_round_is_audited_by_a_later_run_with_all_its_events(settings: ProcessSettings) -> None:
    open_round, closed = a_round("BJ-01", 1), a_round("BJ-01", 2)
    append(settings, [*open_round[:2], *closed])
    assert process(settings) == Summary(events=6, rounds=1, discrepancies=1, open_rounds=1, open_events=2)
    append(settings, open_round[2:])
    assert process(settings) == Summary(events=2, rounds=1, discrepancies=1)
    assert seen(settings) == Counter({("BJ-01/2", 1, 4): 1, ("BJ-01/1", 1, 4): 1})
    assert process(settings) == Summary()


def test_a_late_event_makes_a_new_revision_in_a_later_run(settings: ProcessSettings) -> None:
    append(settings, a_round("BJ-01", 1))
    process(settings)
    append(settings, [EventRetracted("BJ-01/1", "BJ-01", 4, CLOCK + 9, "desk", 1, "wrong seat", "S-1")])
    assert process(settings) == Summary(events=1, revisions=1, discrepancies=1)
    assert seen(settings) == Counter({("BJ-01/1", 1, 4): 1, ("BJ-01/1", 2, 5): 1})


def test_what_is_no_event_is_set_aside_with_its_bytes_and_can_be_sent_again(settings: ProcessSettings) -> None:
    first, *rest = a_round("BJ-01", 1)
    append(settings, [first])
    send(settings, Output(settings.kafka.events_topic, b"BJ-01", b"\xc3\x01garbage!", [("trace", b"7")]))
    append(settings, rest)
    assert process(settings) == Summary(events=5, rounds=1, discrepancies=1, dead_letters=1)
    (letter,) = messages(settings, settings.kafka.deadletters_topic)
    record = codec.decode_record(letter.value, "DeadLetter")
    assert (record["key"], record["value"], record["reason"]) == (b"BJ-01", b"\xc3\x01garbage!", "UNKNOWN_SCHEMA")
    assert record["message"].startswith(
        f"topic {settings.kafka.events_topic}, partition {record['partition']}, offset 1: schema"
    )
    headers = dict(letter.headers)
    assert headers["trace"] == b"7"
    assert headers["__streams.errors.exception"] == b"UNKNOWN_SCHEMA"
    assert headers["__streams.errors.topic"] == settings.kafka.events_topic.encode()
    assert headers["__streams.errors.partition"] == str(record["partition"]).encode()
    assert headers["__streams.errors.offset"] == b"1"
    assert headers["__streams.errors.message"].decode() == record["message"]

    assert redrive(settings.kafka) == Redriven(1, 0)
    assert redrive(settings.kafka) == Redriven(0, 0)
    again = [m for m in messages(settings, settings.kafka.events_topic) if m.value == b"\xc3\x01garbage!"]
    assert [(m.key, m.headers) for m in again] == [(b"BJ-01", [("trace", b"7")])] * 2
    assert process(settings) == Summary(events=1, dead_letters=1)


@pytest.mark.parametrize(
    ("size", "beyond"),
    [(codec.MESSAGE_LIMIT_BYTES, 0), (codec.MESSAGE_LIMIT_BYTES + 60 * 1024, 1), (3 * codec.MESSAGE_LIMIT_BYTES, 1)],
    ids=["that a letter holds", "too large for a letter", "that its producer compressed"],
)
def test_a_large_message_that_is_no_event_does_not_block_what_follows(
    settings: ProcessSettings, size: int, beyond: int
) -> None:
    value = bytes(size) if size > ROOM_BYTES else os.urandom(size)
    producer = make_producer(settings.kafka, max_request_size=size + 1024)
    producer.send(settings.kafka.events_topic, value=value, key=b"BJ-01").get(10)
    producer.close()
    append(settings, a_round("BJ-01", 1))
    assert process(settings) == Summary(events=5, rounds=1, discrepancies=1, dead_letters=1)
    (letter,) = messages(settings, settings.kafka.deadletters_topic)
    record = codec.decode_record(letter.value, "DeadLetter")
    left_out = dict(letter.headers).get("__streams.errors.left_out")
    # without the message, the letter says how large it is and where it still stands
    assert (record["offset"], record["value"], left_out) == ((0, b"", str(size).encode()) if beyond else (0, value, None))
    assert redrive(settings.kafka) == Redriven(1 - beyond, beyond)


class _Read(NamedTuple):
    """A message as kafka-python reads one with a header that has no value: it writes no such message itself."""

    offset: int
    key: bytes | None
    value: bytes | None
    headers: Any


def test_a_message_whose_header_has_no_value_can_be_set_aside(settings: ProcessSettings) -> None:
    message = _Read(7, b"BJ-01", b"garbage", [("trace", None)])
    send(settings, dead_letter(settings.kafka, 0, message, BadInput("no event")))
    (letter,) = messages(settings, settings.kafka.deadletters_topic)
    assert dict(letter.headers)["trace"] == b""
    assert codec.decode_record(letter.value, "DeadLetter")["value"] == b"garbage"


def test_a_sum_that_no_field_holds_is_set_aside_and_the_next_round_audited(settings: ProcessSettings) -> None:
    # twice 2^63 - 1 is due: the stake back and as much again
    append(settings, [*toy_round("R1", 2**63 - 1), *toy_round("R2", 1000)])
    done = run(settings, until_idle_seconds=0.3, rulebook=toy_game.toy_rulebook())
    assert (done.events, done.rounds, done.dead_letters) == (8, 1, 1)
    (letter,) = messages(settings, settings.kafka.deadletters_topic)
    record = codec.decode_record(letter.value, "DeadLetter")
    assert record["reason"] == "NOT_ENCODABLE"
    assert "the audit of round R1: cannot encode RoundAudit" in record["message"]
    assert [audit["discrepancies"][0]["due_minor"] for audit in audits(settings)] == [2000]


def test_confluent_framing_is_read_where_its_schema_ids_are_named(settings: ProcessSettings) -> None:
    ids = {7: "RoundOpened", 8: "WagerPlaced", 9: "BettingClosed", 10: "RoundClosed"}
    known = replace(settings, kafka=replace(settings.kafka, confluent_schemas=ids))
    number_of = {name: number for number, name in ids.items()}
    own, *rest = a_round("BJ-01", 1)
    append(settings, [own])
    for event in rest:
        body = codec.encode(event)[codec.HEADER_BYTES :]
        header = b"\x00" + number_of[type(event).__name__].to_bytes(4, "big")
        send(settings, Output(settings.kafka.events_topic, b"BJ-01", header + body))
    send(settings, Output(settings.kafka.events_topic, b"BJ-01", b"\x00\x00\x00\x00\x63" + body))
    assert process(known) == Summary(events=5, rounds=1, discrepancies=1, dead_letters=1)
    assert seen(settings) == Counter({("BJ-01/1", 1, 4): 1})
    (letter,) = messages(settings, settings.kafka.deadletters_topic)
    assert "Confluent schema id 99 is not known here" in codec.decode_record(letter.value, "DeadLetter")["message"]
    with KafkaLog(known.kafka) as log:
        events = [entry.event for partition in range(4) for entry in log.read(partition)]
    assert events == [own, *rest, None]


def test_a_changed_number_of_partitions_under_open_rounds_stops_it_with_one_line(settings: ProcessSettings) -> None:
    from kafka import KafkaAdminClient

    append(settings, [*a_round("BJ-01", 1), *a_round("BJ-01", 2)[:2]])
    process(settings)
    admin = KafkaAdminClient(bootstrap_servers=settings.kafka.bootstrap)
    admin.create_partitions({settings.kafka.events_topic: 6})
    admin.close()
    with pytest.raises(BadInput, match=r"partitions of .* changed from 4 to 6 under open rounds"):
        process(settings)


def test_a_missing_topic_is_one_line(kafka_bootstrap: str) -> None:
    with pytest.raises(BadInput, match="there is no topic nowhere"):
        process(ProcessSettings(KafkaSettings(kafka_bootstrap, "nowhere")))


@pytest.mark.parametrize("topic", ["audits_topic", "deadletters_topic"])
def test_a_missing_topic_to_write_to_is_one_line_before_anything_is_read(settings: ProcessSettings, topic: str) -> None:
    lacking = replace(settings, kafka=replace(settings.kafka, **{topic: "nowhere"}))
    with pytest.raises(BadInput, match=r"^Kafka at [\d.:]+: there is no topic nowhere\. Make them with"):
        process(lacking)


@pytest.mark.parametrize("topic", ["events_topic", "audits_topic"])
def test_a_topic_that_is_deleted_while_it_works_is_one_line_and_not_idleness(settings: ProcessSettings, topic: str) -> None:
    kafka = replace(settings.kafka, answer_ms=6000)
    append(settings, a_round("BJ-01", 1))

    def delete(_: Summary) -> None:
        with contextlib.closing(KafkaAdminClient(bootstrap_servers=kafka.bootstrap)) as admin:
            admin.delete_topics([getattr(kafka, topic)])
        if topic == "audits_topic":
            append(settings, a_round("BJ-01", 2))

    with pytest.raises(BadInput, match=rf"there is no topic {getattr(kafka, topic)}\. Make them with"):
        # a group of its own: a broker is slow to forget what the members of a group had of a deleted topic
        run(replace(settings, kafka=kafka, group=kafka.events_topic), rulebook=NO_GAMES, progress=delete)


@pytest.mark.parametrize("batch", [5000, 50], ids=["while it waits", "while it writes"])
def test_a_broker_that_is_lost_is_one_line_and_not_idleness(tmp_path: Path, batch: int) -> None:
    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(running_broker(tmp_path))
        except NoBroker as why:
            pytest.skip(str(why))
        kafka = KafkaSettings(address, answer_ms=3000)
        create_topics(kafka)
        settings = ProcessSettings(kafka, batch=batch)
        append(settings, [event for table in TABLES for number in range(100) for event in a_round(table, number)])
        with pytest.raises(BadInput, match=rf"^Kafka at {address}: no broker answers \(.*\)\. Start it"):
            run(settings, rulebook=NO_GAMES, progress=lambda _: stack.close())


SCRIPT = """
import sys
from events.kafka_log import KafkaSettings
from pipelines.process import ProcessSettings, run
from processors.rulebook import Rulebook
import pipelines.process
pipelines.process._SECONDS_A_TRANSACTION = 0  # many transactions, to be killed in
settings = ProcessSettings(KafkaSettings(*sys.argv[1:6]), session_ms=6000, batch=200)
summary = run(settings, until_idle_seconds=float(sys.argv[6]), rulebook=Rulebook({}, "rules", "code"),
              progress=lambda summary: print(summary.rounds, flush=True))
print("done", summary.rounds, flush=True)
"""


def start(settings: ProcessSettings, idle: float = 1.0) -> subprocess.Popen[str]:
    kafka = settings.kafka
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, kafka.bootstrap, *kafka.topics, str(idle)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def wait_for_progress(process: subprocess.Popen[str], lines: int) -> None:
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline(), process.stderr and process.stderr.read()


def test_killed_again_and_again_each_round_is_audited_exactly_once(settings: ProcessSettings) -> None:
    late = [EventRetracted(f"{table}/3", table, 4, CLOCK, "desk", 1) for table in TABLES]
    rounds = [[a_round(table, number) for table in TABLES] for number in range(400)]
    events: list[Event] = []
    for number in range(0, 400, 2):
        # two rounds of each table overlap: there is always one open
        for one, other in zip(rounds[number], rounds[number + 1], strict=True):
            events += [*one[:2], *other[:3], *one[2:], other[3]]
        if number % 100 == 50:
            events += [event._replace(sequence=4 + number) for event in late]
    append(settings, events)
    for lines in (1, 3, 6, 2):
        process = start(settings)
        wait_for_progress(process, lines)
        time.sleep(0.013 * lines)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = start(settings)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "done" in said
    found = seen(settings)
    assert set(found.values()) == {1}
    expected = {(f"{table}/{number}", 1, 4) for table in TABLES for number in range(400)}
    expected |= {(f"{table}/3", revision, 3 + revision) for table in TABLES for revision in range(2, 6)}
    assert set(found) == expected


def test_sigterm_ends_it_with_what_it_has_done(settings: ProcessSettings) -> None:
    append(settings, [event for number in range(50) for event in a_round("BJ-01", number)])
    process = start(settings, idle=600)
    wait_for_progress(process, 1)
    process.terminate()
    said, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    assert said.splitlines()[-1].startswith("done")


def test_two_processors_share_the_partitions_and_a_name_is_only_held_once(settings: ProcessSettings) -> None:
    append(settings, [event for table in TABLES for number in range(200) for event in a_round(table, number)])
    faults: list[BaseException] = []

    def first() -> None:
        try:
            run(settings, until_idle_seconds=60, rulebook=NO_GAMES)
        except BadInput as fault:
            faults.append(fault)

    thread = threading.Thread(target=first)
    thread.start()
    time.sleep(1)
    other = ProcessSettings(settings.kafka, instance="2", session_ms=6000)
    run(other, until_idle_seconds=0.5, rulebook=NO_GAMES)
    # the same name again: whatever the first reads from now on, it cannot write
    run(settings, until_idle_seconds=0.5, rulebook=NO_GAMES)
    append(settings, [event for table in TABLES for number in range(200, 260) for event in a_round(table, number)])
    thread.join(30)
    assert [str(fault) for fault in faults] == [
        f"Kafka at {settings.kafka.bootstrap}: another process has taken over as instance '1'. "
        "Give each process an instance name of its own."
    ]
    # the partitions of instance 2 come back when its session is over
    wait = time.monotonic() + 30
    while sum(seen(settings).values()) < 8 * 260 and time.monotonic() < wait:
        run(settings, until_idle_seconds=0.5, rulebook=NO_GAMES)
    assert seen(settings) == Counter({(f"{table}/{number}", 1, 4): 1 for table in TABLES for number in range(260)})
