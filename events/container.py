"""Avro object container files (Avro specification 1.12, "Object Container Files") of events, block by block.

The schema of a file is the union of the event writers; an item is its branch and the body of the wire message, so any
Avro reader reads the file. Blocks are found here by hand and not by fastavro: a reader has to go on after a damaged one.
"""

from __future__ import annotations

import functools
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import fastavro
from fastavro.schema import fingerprint, to_parsing_canonical_form

import schemas
from events.codec import MARKER, Writer, current_writer, read_event, writers
from events.errors import BadInput
from events.model import Event

SYNC_BYTES: Final = 16
_MAGIC: Final = b"Obj\x01"
_VARINT_BYTES: Final = 10
_SEARCH_BYTES: Final = 1024 * 1024
_UNREADABLE: Final = (
    EOFError, IndexError, ValueError, StopIteration, UnicodeDecodeError, OverflowError, MemoryError,
)  # fmt: skip


class Header(NamedTuple):
    """What a file says of itself: where its blocks `begin`, its `sync` marker, and the writer of each branch.

    `table` has for the first byte of an item the schema and maker of its writer where it is a current one, else two None.
    """

    begin: int
    sync: bytes
    writers: tuple[Writer, ...]
    table: Sequence[tuple[Any, Any]]


class Block(NamedTuple):
    """A whole block at byte `at`: `items` items in `size` bytes from `data_at`, the sync marker behind them."""

    at: int
    items: int
    data_at: int
    size: int

    @property
    def end(self) -> int:
        """The byte after the block."""
        return self.data_at + self.size + SYNC_BYTES


class Damage(NamedTuple):
    """Bytes `at` to `end` that are no block; `claimed` items if their first bytes can be believed, else 0."""

    at: int
    end: int
    claimed: int


def event_writers() -> tuple[Writer, ...]:
    """The writer of each branch in a file that is begun now."""
    return tuple(current_writer(name) for name in schemas.event_names())


def branches() -> Mapping[str, bytes]:
    """For each event name the bytes of its union branch in a file that is begun now."""
    return {name: varint(branch) for branch, name in enumerate(schemas.event_names())}


def header_bytes(sync: bytes, notes: Mapping[str, str]) -> bytes:
    """The header of a new file; `notes` go into its metadata."""
    out = io.BytesIO()
    union = [schemas.load(name) for name in schemas.event_names()]
    fastavro.writer(out, union, [], codec="null", sync_marker=sync, metadata=dict(notes))
    return out.getvalue()


def block_bytes(items: bytes, count: int, sync: bytes) -> bytes:
    """A block of `count` items."""
    return varint(count) + varint(len(items)) + items + sync


def varint(number: int) -> bytes:
    """A number that is not negative as Avro writes an int or a long."""
    number <<= 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def read_header(file: int, path: str) -> Header:
    """The header of the open file descriptor `file`.

    Raises BadInput (NOT_AVRO, UNKNOWN_SCHEMA) naming `path`.
    """
    try:
        begin, metadata = _read_metadata(file)
        if metadata.get("avro.codec", "null") != "null":
            do = "write the file without compression"
            raise BadInput(f"codec {metadata['avro.codec']} is not read here", do=do, reason="NOT_AVRO")
        found = _writers_of(metadata["avro.schema"])
    except BadInput as fault:
        raise fault.at(path) from fault
    except Exception as fault:  # a damaged header makes the parsers below raise nearly anything; all of it is this fault
        raise BadInput(
            f"no Avro container file, or its header is damaged ({type(fault).__name__})",
            path,
            "restore the file from a copy",
            reason="NOT_AVRO",
        ) from fault
    return Header(begin, os.pread(file, SYNC_BYTES, begin - SYNC_BYTES), found, _reading_table(found))


def scan(file: int, header: Header, end: int) -> list[Block | Damage]:
    """What the file holds up to byte `end`: its blocks, and the bytes between them that are none."""
    parts: list[Block | Damage] = []
    at = header.begin
    head = os.pread(file, 2 * _VARINT_BYTES, at)
    while at < end:
        block = _block_at(head, at)
        if block is not None and block.end <= end:
            after = os.pread(file, SYNC_BYTES + 2 * _VARINT_BYTES, block.data_at + block.size)
            if after[:SYNC_BYTES] == header.sync:
                parts.append(block)
                at = block.end
                head = after[SYNC_BYTES:]
                continue
        sync_at = _find(file, header.sync, at, end)
        resume = sync_at + SYNC_BYTES if sync_at >= 0 else end
        parts.append(Damage(at, resume, block.items if block is not None else 0))
        at = resume
        head = os.pread(file, 2 * _VARINT_BYTES, at)
    return parts


def decode_block(file: int, header: Header, block: Block) -> list[Event]:
    """The events of a block, all or none: after one that cannot be read the borders of the next are not known.

    Raises BadInput (TRUNCATED).
    """
    items = os.pread(file, block.size, block.data_at)
    events: list[Event] = []
    try:
        body = io.BytesIO(items)
        table = header.table
        read, one_byte, keep = cast(Any, fastavro.schemaless_reader), body.read, events.append
        for _ in range(block.items):
            branch = one_byte(1)[0]
            plain, make = table[branch]
            if plain is not None:
                keep(make(read(body, plain, None).values()))
            else:
                keep(read_event(header.writers[_branch(branch, body)], body))
        if body.tell() == len(items):
            return events
        why = f"{len(items) - body.tell()} bytes are left over"
    except BadInput as fault:
        why = fault.what
    except _UNREADABLE as fault:
        why = type(fault).__name__
    raise BadInput(f"damaged ({why})", reason="TRUNCATED")


def _read_metadata(file: int) -> tuple[int, Mapping[str, str]]:
    """Where the header ends, and its metadata."""
    with os.fdopen(os.dup(file), "rb") as stream:
        stream.seek(0)
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("magic")
        stream.seek(0)
        metadata = fastavro.block_reader(stream).metadata
        return stream.tell(), metadata


def _reading_table(found: Sequence[Writer]) -> Sequence[tuple[Any, Any]]:
    table: list[tuple[Any, Any]] = [(None, None)] * 256
    for branch, writer in enumerate(found[:64]):
        if writer.current:
            table[branch << 1] = (writer.plain, writer.make)
    return tuple(table)


def _branch(first: int, body: io.BytesIO) -> int:
    value, shift = first & 0x7F, 7
    while first & 0x80:
        first = body.read(1)[0]
        value |= (first & 0x7F) << shift
        shift += 7
    if value & 1:
        raise IndexError("negative branch")
    return value >> 1


def _block_at(head: bytes, at: int) -> Block | None:
    count, after_count = _unsigned(head, 0)
    size, after_size = _unsigned(head, after_count)
    # an item is at least its branch: a block of more items than bytes is none
    if count <= 0 or size < count:
        return None
    return Block(at, count, at + after_size, size)


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    """A varint of `data` and the place after it; -1 where there is none or it is negative."""
    value = shift = 0
    for place in range(at, min(len(data), at + _VARINT_BYTES)):
        byte = data[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (-1 if value & 1 else value >> 1), place + 1
        shift += 7
    return -1, at


def _find(file: int, sync: bytes, at: int, end: int) -> int:
    """Where the sync marker next stands whole between `at` and `end`; -1 where it does not."""
    while at + SYNC_BYTES <= end:
        window = os.pread(file, min(_SEARCH_BYTES, end - at), at)
        found = window.find(sync)
        if found >= 0:
            return at + found
        if len(window) < SYNC_BYTES:
            break
        at += len(window) - SYNC_BYTES + 1
    return -1


@functools.lru_cache(maxsize=64)
def _writers_of(schema_text: str) -> tuple[Writer, ...]:
    """The published writer of each branch, told by its fingerprint. Raises BadInput (UNKNOWN_SCHEMA)."""
    union = json.loads(schema_text)
    by_header = {writer.header: writer for writer in writers()}
    found: list[Writer] = []
    for schema in union if isinstance(union, list) else [union]:
        digest = bytes.fromhex(fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO"))
        writer = by_header.get(MARKER + digest)
        if writer is None or writer.make is None:
            raise BadInput(
                f"its {str(schema.get('name') if isinstance(schema, dict) else schema)[:80]} is of no published version",
                do="upgrade roundaudit or publish the writer's schema under schemas/history",
                reason="UNKNOWN_SCHEMA",
            )
        found.append(writer)
    return tuple(found)
