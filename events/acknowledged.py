"""The archive's commit point: how much of each partition is acknowledged.

An append writes blocks to several partitions, makes them durable, and only then says here, for all partitions at once,
how far they count. Readers stop there, so they never see half an append; a writer that opens the archive cuts off what
stands behind it, because nobody was told that it is safe. And what is missing before it was lost, not torn.

The file has two slots written in turn, each with a number that grows and a checksum: a write that a crash cuts in half
leaves the other one. It has its full size from the beginning, so that a full disk cannot refuse it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = "acknowledged"
_SLOTS: Final = 2
_BYTES_A_PARTITION: Final = 64


class Position(NamedTuple):
    """How far a partition is acknowledged: its last file is named by offset `first`, counts up to byte `length`, and the
    next event gets offset `end`. A partition without a file has `length` 0."""

    first: int
    length: int
    end: int


class Mark(NamedTuple):
    """One state of the commit point: `number` grows by one with each append."""

    number: int
    positions: tuple[Position, ...]


def create(folder: Path, mark: Mark) -> None:
    """Write a new file with `mark` in it, durable when this returns."""
    slot = _slot_bytes(len(mark.positions))
    beside = folder / f"{FILE}.new"
    file = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.pwrite(file, b" " * (slot * _SLOTS), 0)
        os.pwrite(file, _text(mark, slot), slot * (mark.number % _SLOTS))
        os.fsync(file)
    finally:
        os.close(file)
    os.replace(beside, folder / FILE)


def write(file: int, mark: Mark) -> None:
    """Say that `mark` holds from now on, durable when this returns."""
    slot = _slot_bytes(len(mark.positions))
    os.pwrite(file, _text(mark, slot), slot * (mark.number % _SLOTS))
    os.fsync(file)


def read(folder: Path, partitions: int) -> Mark | None:
    """The newest whole slot, or None where the file is missing or has none."""
    try:
        data = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return None
    slot = _slot_bytes(partitions)
    found = [mark for i in range(_SLOTS) if (mark := _mark(data[i * slot : (i + 1) * slot], partitions))]
    return max(found, default=None)


def _slot_bytes(partitions: int) -> int:
    return 512 * -(-(64 + _BYTES_A_PARTITION * partitions) // 512)


def _text(mark: Mark, slot: int) -> bytes:
    said = json.dumps([mark.number, mark.positions], separators=(",", ":")).encode()
    return (b"%08x %s" % (zlib.crc32(said), said)).ljust(slot - 1) + b"\n"


def _mark(text: bytes, partitions: int) -> Mark | None:
    said = text[9:].rstrip()
    if text[:8] != b"%08x" % zlib.crc32(said) or not said:
        return None
    number, positions = json.loads(said)
    if len(positions) != partitions:
        return None
    return Mark(number, _positions(positions))


def _positions(positions: Sequence[Sequence[int]]) -> tuple[Position, ...]:
    return tuple(Position(*position) for position in positions)
