"""The log in files: the embedded default, which needs no server, and the long-term copy of Kafka.

    FOLDER/archive.json          the format and the number of partitions, fixed at creation
    FOLDER/acknowledged          how far each partition counts (events.acknowledged)
    FOLDER/partition-0/00000000000000000000.avro
                                 Avro object container files, each named by the offset of its first event

A file's schema is the union of the event writers, an item is the body of the wire message behind its branch: appending
encodes nothing again and any Avro reader reads the file. New schemas begin a new file. Blocks are small and not
compressed: one that is damaged costs about 200 events, and decoding has the full rate (docs/decisions/0008).
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from events import acknowledged, container
from events.acknowledged import Mark, Position
from events.archive_writer import ArchiveWriter, file_name, files_of, partition_folder, salvage
from events.codec import HEADER_BYTES, MESSAGE_LIMIT_BYTES, encode, writer_of
from events.codec import decode as decode_message
from events.container import Block, Damage
from events.errors import BadInput
from events.log import Entry, Events, one_by_one
from events.model import Event

FORMAT: Final = "roundaudit archive 1"
DEFAULT_PARTITIONS: Final = 4
PARTITION_LIMIT: Final = 1024
_ABOUT: Final = "archive.json"


class Archive:
    """A log in a folder. Any number of readers may be open beside one writer."""

    def __init__(self, folder: Path, partitions: int | None = None, *, roll_bytes: int = 256 * 1024 * 1024) -> None:
        """Open the archive in `folder`; with `partitions`, make it where there is none.

        `roll_bytes`: a file that has grown to this size is followed by a new one. Nothing is locked before the first
        append. Raises BadInput where there is no archive, or one with another number of partitions.
        """
        self.folder = Path(folder)
        self.roll_bytes = roll_bytes
        about = self.folder / _ABOUT
        if partitions is not None and not about.exists():
            _create(self.folder, partitions)
        self.partitions = _read_about(about)
        if partitions is not None and partitions != self.partitions:
            raise BadInput(
                f"this archive has {self.partitions} partitions, not {partitions}",
                str(self.folder),
                "open it with that number: a table's rounds stay in one partition for ever",
            )
        self._writer: ArchiveWriter | None = None

    @property
    def name(self) -> str:
        """The folder."""
        return str(self.folder)

    @property
    def repairs(self) -> list[str]:
        """What was cut off when this archive was opened for appending, one line each."""
        return self._writer.repairs if self._writer else []

    def append(self, events: Iterable[Event]) -> int:
        """Append events: all or, where BadInput is raised, none. They are durable when this returns."""
        branches = container.branches()
        return self._append(
            (event.table_id, branches[type(event).__name__] + encode(event)[HEADER_BYTES:]) for event in events
        )

    def append_messages(self, messages: Iterable[bytes]) -> int:
        """Append wire messages: all or, where BadInput is raised, none. A body of the current schema is kept as it is."""
        return self._append(_item(message) for message in messages)

    def read(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Entry]:
        """The entries of a partition; where a block is damaged, one entry with the fault that stands for all its events."""
        return one_by_one(self.batches(partition, start, end))

    def batches(self, partition: int, start: int = 0, end: int | None = None) -> Iterator[Events | Entry]:
        """The same by whole blocks, for those who read millions of events: no object for each but the event itself."""
        position = self._mark().positions[partition]
        end = position.end if end is None else min(end, position.end)
        borders = [first for first in files_of(self.folder, partition) if first <= position.first and position.length]
        borders.append(position.end)
        if start < min(borders[0], end):
            yield _lost(partition, partition_folder(self.folder, partition), start, min(borders[0], end))
        for first, limit in itertools.pairwise(borders):
            if limit > start and first < end:
                length = position.length if first == position.first else None
                yield from _cut(self._read_file(partition, first, limit, length, start, end), start, end)

    def end_offsets(self) -> Mapping[int, int]:
        """For each partition the offset that the next event will get."""
        return {number: position.end for number, position in enumerate(self._mark().positions)}

    def close(self) -> None:
        """Let go of the lock and the files. An append after this takes them again."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mark(self) -> Mark:
        return acknowledged.read(self.folder, self.partitions) or salvage(self.folder, self.partitions)

    def _append(self, items: Iterable[tuple[str, bytes]]) -> int:
        if self._writer is None:
            self._writer = ArchiveWriter(self.folder, self._mark, self.roll_bytes)
        try:
            return self._writer.append(items)
        except BaseException:
            # what was written is cut off again; the next append opens and checks everything anew
            self._writer.close()
            self._writer = None
            raise

    def _read_file(
        self, partition: int, first: int, limit: int, length: int | None, start: int, end: int
    ) -> Iterator[Events | Entry]:
        """The blocks of one file that reach into `start` up to `end`; the others are counted and not decoded.

        The file has offsets `first` up to `limit`; its bytes count up to `length` (default: all).
        """
        path = partition_folder(self.folder, partition) / file_name(first)
        file = os.open(path, os.O_RDONLY)
        try:
            size = os.fstat(file).st_size
            try:
                header = container.read_header(file, str(path))
            except BadInput as fault:
                yield _fault(partition, first, limit - first, fault, os.pread(file, MESSAGE_LIMIT_BYTES, 0))
                return
            parts = container.scan(file, header, size if length is None else min(size, length))
            offset = first
            for part, count in _counted(parts, limit - first):
                if offset >= end:
                    return
                if offset + count <= start:
                    pass
                elif isinstance(part, Block):
                    try:
                        yield Events(partition, offset, container.decode_block(file, header, part))
                    except BadInput as fault:
                        raw = os.pread(file, part.size, part.data_at)
                        yield _fault(partition, offset, count, fault.at(f"{path}, block at byte {part.at}"), raw)
                elif count:
                    where = f"{path}, bytes {part.at} to {part.end}"
                    raw = os.pread(file, min(part.end - part.at, MESSAGE_LIMIT_BYTES), part.at)
                    yield _fault(partition, offset, count, BadInput("damaged, no block there", where), raw)
                offset += count
            if offset < limit:
                yield _lost(partition, path, offset, limit)
        finally:
            os.close(file)


def _counted(parts: list[Block | Damage], events: int) -> Iterator[tuple[Block | Damage, int]]:
    """Each part with the number of its events. What the blocks do not have of all `events` stood in the damaged bytes:
    each has what it claims, as far as there are that many, and the last has the rest."""
    left = events - sum(part.items for part in parts if isinstance(part, Block))
    damaged = sum(isinstance(part, Damage) for part in parts)
    for part in parts:
        if isinstance(part, Block):
            yield part, part.items
        else:
            damaged -= 1
            # one for each later one as far as there are that many
            count = left if not damaged else max(0, min(part.claimed or 1, left - damaged))
            left -= count
            yield part, count


def _cut(batches: Iterable[Events | Entry], start: int, end: int) -> Iterator[Events | Entry]:
    """What of the batches lies from `start` up to `end`."""
    for batch in batches:
        count = batch.covers if isinstance(batch, Entry) else len(batch.events)
        if batch.offset + count <= start:
            continue
        if batch.offset >= end:
            return
        if isinstance(batch, Events) and (batch.offset < start or batch.offset + count > end):
            first = max(start - batch.offset, 0)
            yield Events(batch.partition, batch.offset + first, batch.events[first : end - batch.offset])
        elif isinstance(batch, Entry) and (batch.offset < start or batch.offset + count > end):
            offset = max(start, batch.offset)
            yield batch._replace(offset=offset, covers=min(end, batch.offset + count) - offset)
        else:
            yield batch


def _fault(partition: int, offset: int, count: int, fault: BadInput, raw: bytes) -> Entry:
    which = f"the event at offset {offset}" if count == 1 else f"the {count} events from offset {offset}"
    told = BadInput(
        f"{which} of partition {partition} cannot be read: {fault.what}",
        fault.where,
        "restore the file from a copy",
        reason=fault.reason,
    )
    return Entry(partition, offset, None, told, raw, count)


def _lost(partition: int, path: Path, start: int, end: int) -> Entry:
    return _fault(partition, start, end - start, BadInput("missing", str(path), reason="MISSING"), b"")


def _item(message: bytes) -> tuple[str, bytes]:
    event = decode_message(message)
    if not writer_of(message).current:
        # an older version has no branch in the file's union: it becomes the current one, with its defaults
        message = encode(event)
    return event.table_id, container.branches()[type(event).__name__] + message[HEADER_BYTES:]


def _create(folder: Path, partitions: int) -> None:
    if not 1 <= partitions <= PARTITION_LIMIT:
        raise BadInput(f"{partitions} partitions", str(folder), f"choose 1 to {PARTITION_LIMIT}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        acknowledged.create(folder, Mark(0, (Position(0, 0, 0),) * partitions))
        beside = folder / f"{_ABOUT}.new"
        with beside.open("w", encoding="utf-8") as out:
            json.dump({"format": FORMAT, "partitions": partitions}, out)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, folder / _ABOUT)
        _sync_folder(folder)
    except OSError as fault:
        raise BadInput(f"cannot make an archive: {fault.strerror}", str(folder), "choose another folder") from fault


def _read_about(about: Path) -> int:
    try:
        said = json.loads(about.read_text(encoding="utf-8"))
        partitions = said["partitions"]
        if said["format"] != FORMAT or type(partitions) is not int or not 1 <= partitions <= PARTITION_LIMIT:
            raise ValueError(said)
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise BadInput("there is no archive here", str(about.parent), "name its folder, or ingest events first") from fault
    except OSError as fault:
        raise BadInput(f"cannot be read: {fault.strerror}", str(about), "check the permissions") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise BadInput(f"does not say {FORMAT!r} and partitions", str(about), "restore it from a copy") from fault
    return int(partitions)


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
