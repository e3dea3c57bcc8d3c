"""Messages that could not be read: set aside with their bytes and the reason, and sent again when it is mended."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from events import codec
from events.errors import BadInput
from events.kafka_log import ROOM_BYTES, Committed, KafkaSettings, Message, NotOurs, Output, Stream

ERRORS: Final = "__streams.errors."
"""How the headers begin that say why (the names of KIP-1034)."""
LEFT_OUT: Final = f"{ERRORS}left_out"
"""The header of a letter without its message, which was too large for one: how many bytes that has."""
_ENVELOPE_BYTES: Final = 1024
"""More than Kafka puts around a message."""


class Redriven(NamedTuple):
    """What a redrive did: letters sent again, and letters left because they came from elsewhere or are without their
    message."""

    sent: int
    left: int


def dead_letter(settings: KafkaSettings, partition: int, message: Message, fault: BadInput) -> Output:
    """The dead letter of a message of the events topic, with its bytes, its headers and the reason.

    A message that makes it too large for its topic is too large to be an event whatever is mended: the letter then names
    only where it stands.
    """
    topic = settings.events_topic
    reasons = [
        (f"{ERRORS}exception", fault.reason.encode()),
        (f"{ERRORS}message", str(fault).encode()),
        (f"{ERRORS}topic", topic.encode()),
        (f"{ERRORS}partition", str(partition).encode()),
        (f"{ERRORS}offset", str(message.offset).encode()),
    ]
    record = {
        "topic": topic,
        "partition": partition,
        "offset": message.offset,
        "key": message.key or b"",
        "value": message.value or b"",
        "reason": fault.reason,
        "message": str(fault),
        "failed_at": time.time_ns() // 1000,
    }
    headers = [*message.headers, *reasons]
    value = codec.encode_record("DeadLetter", record)
    around = len(message.key or b"") + sum(len(name.encode()) + len(said or b"") for name, said in headers)
    if len(value) > codec.LETTER_LIMIT_BYTES or len(value) + around + _ENVELOPE_BYTES > ROOM_BYTES:
        value = codec.encode_record("DeadLetter", {**record, "key": b"", "value": b""})
        return Output(
            settings.deadletters_topic, None, value, [*reasons, (LEFT_OUT, str(len(message.value or b"")).encode())]
        )
    return Output(settings.deadletters_topic, message.key, value, headers)


def redrive(settings: KafkaSettings, group: str = "roundaudit") -> Redriven:
    """Send every dead letter since the last redrive to the events topic again, as it was: all of them, or none.

    Those that still cannot be read come back as new dead letters. Raises BadInput where Kafka does not answer or a letter
    cannot be read.
    """
    # a late joiner under the same name takes over: two redrives at once cannot send a letter twice
    stream = Stream(settings, settings.deadletters_topic, f"{group}-redrive", "1", writes_to=[settings.events_topic])
    try:
        while True:
            try:
                return _redrive(stream, settings)
            except NotOurs:
                stream.abort()
    finally:
        stream.close()


def _redrive(stream: Stream, settings: KafkaSettings) -> Redriven:
    pending: Sequence[Message]
    sent = left = 0
    ends: dict[int, int] = {}
    deadline = time.monotonic() + settings.answer_ms / 1000
    while not ends:
        _at_start(stream)
        ends = {partition: stream.bounds(partition)[1] for partition in stream.assigned()}
        if time.monotonic() > deadline:
            raise BadInput("the group did not let us in", f"Kafka at {settings.bootstrap}", "try again", reason="KAFKA")
    starts: dict[int, int] = {}
    for partition in ends:
        committed = stream.committed(partition)
        starts[partition] = committed.offset if committed else stream.bounds(partition)[0]
        for pending in stream.read_back(partition, starts[partition], ends[partition]):
            for message in pending:
                letter = codec.decode_record(message.value or b"", "DeadLetter")
                if letter["topic"] != settings.events_topic or LEFT_OUT in dict(message.headers):
                    left += 1
                    continue
                headers = [header for header in message.headers if not header[0].startswith(ERRORS)]
                stream.send(Output(settings.events_topic, message.key, letter["value"], headers))
                sent += 1
    if any(starts[partition] != end for partition, end in ends.items()):
        stream.commit({partition: Committed(end, "") for partition, end in ends.items()})
        stream.finish()
    return Redriven(sent, left)


def _at_start(stream: Stream) -> None:
    """Join the group. What the poll reads is read once more from the committed positions."""
    stream.poll(200)
