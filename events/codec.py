"""Events as bytes: Avro single-object encoding, and Confluent framing from other producers.

Wire form (Avro specification 1.12, "Single-object encoding"): `C3 01`, the CRC-64-AVRO fingerprint of the writer's
schema (8 bytes, little-endian), the body. A message so names its writer without a schema server. A message framed by a
Confluent serializer (`00`, schema id in 4 bytes big-endian, body) is read where the ids are known.

`occurred_at` stays an integer here: turning it into a datetime and back would cost a tenth of the decoding.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

import fastavro
from fastavro.schema import fingerprint, to_parsing_canonical_form
from fastavro.validation import ValidationError, validate

import schemas
from events.errors import BadInput
from events.model import EVENT_TYPES, Event

MARKER: Final = b"\xc3\x01"
HEADER_BYTES: Final = 10
CONFLUENT_MARKER: Final = 0
CONFLUENT_HEADER_BYTES: Final = 5
MESSAGE_LIMIT_BYTES: Final = 8 * 1024 * 1024
"""The largest message read; the topics are created with the same room."""
LETTER_LIMIT_BYTES: Final = MESSAGE_LIMIT_BYTES + 32 * 1024
"""The largest dead letter: a message of the size above, and what is said of it."""

Record = dict[str, Any]

_REFUSALS: Final = (ValidationError, ValueError, TypeError, AttributeError, OverflowError)


class Writer(NamedTuple):
    """One published schema as it reads and writes bodies of one record.

    `current` says whether it is the newest version; `plain` is its schema without logical types, parsed;
    `make` builds the event from the values in schema order.
    """

    name: str
    version: int
    current: bool
    header: bytes
    plain: Any
    make: Callable[[Any], Event] | None


def encode(event: Event) -> bytes:
    """The wire message of an event, written strictly: a field missing, misspelt or of a wrong type is refused.

    Raises BadInput naming the event's identity.
    """
    writer = _by_name()[type(event).__name__]
    try:
        record = event._asdict()
        # strict writing alone still takes true for an int and writes 1000.5 as 1000
        validate(record, writer.plain, strict=True)
        return writer.header + _body(writer.plain, record)
    except _REFUSALS as fault:
        raise BadInput(f"cannot encode: {fault}", identity(event), "correct the field", reason="NOT_ENCODABLE") from fault


def encode_record(name: str, record: Mapping[str, Any]) -> bytes:
    """The wire message of a result record (`RoundAudit`, `DeadLetter`) from its plain fields.

    Raises BadInput where the record does not fit its schema.
    """
    writer = _by_name()[name]
    try:
        return writer.header + _body(writer.plain, record)
    except _REFUSALS as fault:
        raise BadInput(f"cannot encode {name}: {fault}", reason="NOT_ENCODABLE") from fault


def decode(message: bytes) -> Event:
    """The event of a wire message.

    Raises BadInput with a reason class: NOT_AVRO, UNKNOWN_SCHEMA, TRUNCATED, TRAILING_BYTES, WRONG_TYPE or TOO_LARGE.
    The caller adds where the message stood (`BadInput.at`).
    """
    writer = writer_of(message)
    if writer.make is None:
        raise BadInput(f"a {writer.name} where an event was expected", do="look at the topic", reason="WRONG_TYPE")
    body = io.BytesIO(message)
    body.seek(HEADER_BYTES)
    event = read_event(writer, body)
    if body.tell() != len(message):
        raise _trailing(len(message) - body.tell())
    return event


def decode_record(message: bytes, name: str) -> Record:
    """The plain fields of a result record, written by any of its versions; missing fields take their defaults.

    Raises BadInput as `decode` does.
    """
    writer = writer_of(message, LETTER_LIMIT_BYTES if name == "DeadLetter" else MESSAGE_LIMIT_BYTES)
    if writer.name != name:
        raise BadInput(f"a {writer.name} where a {name} was expected", do="look at the topic", reason="WRONG_TYPE")
    body = io.BytesIO(message)
    body.seek(HEADER_BYTES)
    record = _read(writer, body)
    if body.tell() != len(message):
        raise _trailing(len(message) - body.tell())
    return record


def decoder(confluent_schemas: Mapping[int, str]) -> Callable[[bytes], Event]:
    """`decode`, or where schema ids are given a function that reads Confluent framing as well.

    `confluent_schemas` gives for each schema id the event that it is (`event_writer`); the producer's schema must be that
    published version. The function raises BadInput as `decode` does. Raises KeyError for a name that is no event.
    """
    if not confluent_schemas:
        return decode
    headers = {
        bytes([CONFLUENT_MARKER]) + schema_id.to_bytes(4, "big"): event_writer(name).header
        for schema_id, name in confluent_schemas.items()
    }

    def decode_either(message: bytes) -> Event:
        header = headers.get(message[:CONFLUENT_HEADER_BYTES])
        return decode(message if header is None else header + message[CONFLUENT_HEADER_BYTES:])

    return decode_either


def event_writer(name: str) -> Writer:
    """The published schema of an event: the newest of `CardDealt`, or the first of `CardDealt/1`. Raises KeyError."""
    event, _, version = name.partition("/")
    for writer in _all_writers():
        meant = str(writer.version) == version if version else writer.current
        if meant and writer.name == event and writer.make is not None:
            return writer
    raise KeyError(name)


def writer_of(message: bytes, limit: int = MESSAGE_LIMIT_BYTES) -> Writer:
    """The published schema that wrote a message of at most `limit` bytes.

    Raises BadInput (NOT_AVRO, UNKNOWN_SCHEMA, TOO_LARGE).
    """
    writer = _by_header().get(message[:HEADER_BYTES])
    if writer is not None:
        if len(message) > limit:
            raise BadInput(f"message of {len(message)} bytes; at most {limit} are read", reason="TOO_LARGE")
        return writer
    if message[:1] == bytes([CONFLUENT_MARKER]) and len(message) >= CONFLUENT_HEADER_BYTES:
        schema_id = int.from_bytes(message[1:CONFLUENT_HEADER_BYTES], "big")
        raise BadInput(
            f"Confluent schema id {schema_id} is not known here",
            do="name its event in the Kafka file under confluent_schemas",
            reason="UNKNOWN_SCHEMA",
        )
    if message[:2] != MARKER or len(message) < HEADER_BYTES:
        raise BadInput("not in Avro single-object encoding (C3 01 and a fingerprint)", reason="NOT_AVRO")
    print_hex = message[2:HEADER_BYTES][::-1].hex()
    raise BadInput(
        f"schema fingerprint {print_hex} is not among the published versions",
        do="upgrade roundaudit or publish the writer's schema under schemas/history",
        reason="UNKNOWN_SCHEMA",
    )


def read_event(writer: Writer, body: io.BytesIO) -> Event:
    """One event read from the body at its present position; what follows it stays unread.

    Raises BadInput (TRUNCATED).
    """
    if writer.current and writer.make is not None:
        try:
            record: Any = fastavro.schemaless_reader(body, writer.plain, None)
            return writer.make(record.values())
        except (EOFError, IndexError, ValueError, StopIteration, UnicodeDecodeError, OverflowError) as fault:
            raise _truncated(writer, fault) from fault
    return EVENT_TYPES[writer.name](**_read(writer, body))


def writers() -> tuple[Writer, ...]:
    """Every published schema, oldest first within a record."""
    return _all_writers()


def current_writer(name: str) -> Writer:
    """The newest published schema of the record `name`. Raises KeyError."""
    return _by_name()[name]


def identity(event: Event) -> str:
    """Which event this is, for a message: type, round and sequence."""
    return f"{type(event).__name__} {event.round_id}/{event.sequence}"


def _first_line(fault: Exception) -> str:
    if isinstance(fault, ValidationError):
        return "; ".join(str(error) for error in fault.errors)
    return str(fault)


def _body(plain: Any, record: Mapping[str, Any]) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, plain, record, strict=True, strict_allow_default=False)
    return out.getvalue()


def _read(writer: Writer, body: io.BytesIO) -> Record:
    reader = None if writer.current else _by_name()[writer.name].plain
    try:
        return cast(Record, fastavro.schemaless_reader(body, writer.plain, reader))
    except (EOFError, IndexError, ValueError, StopIteration, UnicodeDecodeError, OverflowError) as fault:
        raise _truncated(writer, fault) from fault


def _truncated(writer: Writer, fault: Exception) -> BadInput:
    return BadInput(
        f"the body of a {writer.name} is truncated or damaged ({type(fault).__name__})",
        do="ask the source to send it again",
        reason="TRUNCATED",
    )


def _trailing(surplus: int) -> BadInput:
    return BadInput(f"{surplus} bytes follow the body", do="ask the source to send it again", reason="TRAILING_BYTES")


def _without_logical_types(schema: Any) -> Any:
    if isinstance(schema, dict):
        if "logicalType" in schema:
            return schema["type"]
        return {key: _without_logical_types(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_without_logical_types(item) for item in schema]
    return schema


@functools.cache
def _all_writers() -> tuple[Writer, ...]:
    made = []
    for published in schemas.history():
        digest = bytes.fromhex(fingerprint(to_parsing_canonical_form(published.schema), "CRC-64-AVRO"))
        event_type = EVENT_TYPES.get(published.name)
        made.append(
            Writer(
                name=published.name,
                version=published.version,
                current=published.schema == schemas.load(published.name),
                # fastavro prints the fingerprint as it goes on the wire: least significant byte first
                header=MARKER + digest,
                plain=fastavro.parse_schema(_without_logical_types(published.schema)),
                make=event_type._make if event_type is not None else None,
            )
        )
    return tuple(made)


@functools.cache
def _by_header() -> Mapping[bytes, Writer]:
    return {writer.header: writer for writer in _all_writers()}


@functools.cache
def _by_name() -> Mapping[str, Writer]:
    return {writer.name: writer for writer in _all_writers() if writer.current}
