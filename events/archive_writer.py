"""The one writer of an archive: lock, repair, append, roll. `events.archive` is the door to it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from events import acknowledged, container
from events.acknowledged import Mark, Position
from events.container import Block
from events.errors import BadInput

LOCK: Final = "lock"
BLOCK_BYTES: Final = 16 * 1024
"""A block is written when it has grown to this size: about 200 events."""


def partition_of(table_id: str, partitions: int) -> int:
    """The partition of a table, for ever: CRC-32 of its name, as zlib computes it, modulo their number."""
    return zlib.crc32(table_id.encode()) % partitions


def partition_folder(folder: Path, partition: int) -> Path:
    """The folder of a partition."""
    return folder / f"partition-{partition}"


def file_name(first: int) -> str:
    """The name of the file whose first event has offset `first`."""
    return f"{first:020d}.avro"


def files_of(folder: Path, partition: int) -> list[int]:
    """The first offsets of a partition's files, in order."""
    try:
        names = os.listdir(partition_folder(folder, partition))
    except FileNotFoundError:
        return []
    return sorted(int(name[:-5]) for name in names if name.endswith(".avro") and name[:-5].isdigit())


def salvage(folder: Path, partitions: int) -> Mark:
    """The commit point of an archive that came without one: every whole block counts."""
    return Mark(0, tuple(_salvage(folder, partition) for partition in range(partitions)))


def _salvage(folder: Path, partition: int) -> Position:
    for first in reversed(files_of(folder, partition)):
        path = partition_folder(folder, partition) / file_name(first)
        file = os.open(path, os.O_RDONLY)
        try:
            header = container.read_header(file, str(path))
            parts = container.scan(file, header, os.fstat(file).st_size)
        finally:
            os.close(file)
        while parts and not isinstance(parts[-1], Block):
            parts.pop()
        if parts:
            items = sum(part.items if isinstance(part, Block) else part.claimed for part in parts)
            return Position(first, parts[-1].end, first + items)
    return Position(0, 0, 0)


class ArchiveWriter:
    """Holds the lock from its making to `close`. Raises BadInput where another writer holds it."""

    def __init__(self, folder: Path, read_mark: Callable[[], Mark], roll_bytes: int) -> None:
        self.folder = folder
        self.repairs: list[str] = []
        try:
            self._lock = _take_lock(folder / LOCK)
        except OSError as fault:
            raise _refused(folder, fault) from fault
        try:
            self._mark = read_mark()
            if not (folder / acknowledged.FILE).exists():
                acknowledged.create(folder, self._mark)
            self._mark_file = os.open(folder / acknowledged.FILE, os.O_WRONLY)
            self._partitions = [
                _Partition(folder, number, position, roll_bytes, self.repairs)
                for number, position in enumerate(self._mark.positions)
            ]
        except BaseException as fault:
            os.close(self._lock)
            if isinstance(fault, OSError):
                raise _refused(folder, fault) from fault
            raise

    def append(self, items: Iterable[tuple[str, bytes]]) -> int:
        """Append `(table_id, union branch and body)` and make them durable: all, or none where this raises.

        Raises BadInput where the disk refuses.
        """
        partitions = self._partitions
        count, total = 0, len(partitions)
        homes: dict[str, _Partition] = {}
        try:
            for table_id, item in items:
                home = homes.get(table_id)
                if home is None:
                    home = homes[table_id] = partitions[partition_of(table_id, total)]
                home.add(item)
                count += 1
            if count:
                for partition in partitions:
                    partition.make_durable()
                mark = Mark(self._mark.number + 1, tuple(partition.position for partition in partitions))
                acknowledged.write(self._mark_file, mark)
                self._mark = mark
        except OSError as fault:
            self._take_back()
            raise _refused(self.folder, fault) from fault
        except BaseException:
            self._take_back()
            raise
        return count

    def close(self) -> None:
        """Close the files and let go of the lock."""
        for partition in self._partitions:
            partition.close()
        os.close(self._mark_file)
        os.close(self._lock)

    def _take_back(self) -> None:
        for partition, position in zip(self._partitions, self._mark.positions, strict=True):
            partition.close()
            # where even this fails, the next writer does it: the commit point has not moved
            with contextlib.suppress(OSError):
                _cut_back(self.folder, partition.number, position)


class _Partition:
    """One partition being written."""

    def __init__(self, folder: Path, number: int, position: Position, roll_bytes: int, repairs: list[str]) -> None:
        self.folder = partition_folder(folder, number)
        self.number = number
        self.position = position
        self._roll_bytes = roll_bytes
        self._file = -1
        self._sync = b""
        self._pending = bytearray()
        self._items = 0
        self._dirty = False
        repairs += _cut_back(folder, number, position)
        self._open_last()

    def add(self, item: bytes) -> None:
        """Append one item to the block that is being filled."""
        self._pending += item
        self._items += 1
        if len(self._pending) >= BLOCK_BYTES:
            self._write_block()

    def make_durable(self) -> None:
        """Write what is pending; when this returns, all is on the disk."""
        if self._items:
            self._write_block()
        if self._dirty:
            os.fsync(self._file)
            self._dirty = False

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write_block(self) -> None:
        first, length, end = self.position
        if self._file < 0 or length >= self._roll_bytes:
            first, length = end, self._roll()
        block = container.block_bytes(bytes(self._pending), self._items, self._sync)
        self._dirty = True
        _write(self._file, block, length)
        self.position = Position(first, length + len(block), end + self._items)
        self._pending.clear()
        self._items = 0

    def _roll(self) -> int:
        """Begin a new file and return its length; the one before is durable then."""
        if self._file >= 0:
            os.fsync(self._file)
            self.close()
        if not self.folder.exists():
            self.folder.mkdir()
            _sync_folder(self.folder.parent)
        first = self.position.end
        self._sync = os.urandom(container.SYNC_BYTES)
        notes = {"roundaudit.partition": str(self.number), "roundaudit.first_offset": str(first)}
        header = container.header_bytes(self._sync, notes)
        self._file = os.open(self.folder / file_name(first), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        _write(self._file, header, 0)
        _sync_folder(self.folder)
        return len(header)

    def _open_last(self) -> None:
        """Go on with the last file where it is whole and of today's schemas; else the next block begins a new one."""
        path = self.folder / file_name(self.position.first)
        if not self.position.length or not path.exists() or path.stat().st_size != self.position.length:
            return
        file = os.open(path, os.O_RDWR)
        try:
            header = container.read_header(file, str(path))
        except BadInput:
            os.close(file)
            return
        if header.writers != container.event_writers():
            os.close(file)
            return
        self._file, self._sync = file, header.sync


def _cut_back(folder: Path, number: int, position: Position) -> list[str]:
    """Cut off what stands behind the commit point: nobody was told that it is safe. Returns a line for each cut."""
    said = []
    for first in files_of(folder, number):
        path = partition_folder(folder, number) / file_name(first)
        size = path.stat().st_size
        if first > position.first or not position.length:
            path.unlink()
            said.append(f"{path}: removed, its {size} bytes were never acknowledged.")
        elif first == position.first and size > position.length:
            os.truncate(path, position.length)
            said.append(f"{path}: cut to {position.length} bytes, {size - position.length} were never acknowledged.")
        elif first == position.first and size < position.length:
            said += _set_aside_torn_end(path)
    return said


def _set_aside_torn_end(path: Path) -> list[str]:
    """A file that is shorter than what was acknowledged was damaged from outside. Its torn end is kept beside it, so
    that every Avro reader reads the rest; readers of the archive say which events are missing."""
    file = os.open(path, os.O_RDWR)
    try:
        header = container.read_header(file, str(path))
        parts = container.scan(file, header, os.fstat(file).st_size)
        if not parts or isinstance(parts[-1], Block):
            return []
        torn = os.pread(file, parts[-1].end - parts[-1].at, parts[-1].at)
        path.with_suffix(".torn").write_bytes(torn)
        os.ftruncate(file, parts[-1].at)
        return [f"{path}: acknowledged events are missing at its end; {len(torn)} torn bytes are kept beside it."]
    except BadInput:
        return []
    finally:
        os.close(file)


def _take_lock(path: Path) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as fault:
        holder = os.pread(file, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(file)
        raise BadInput(
            f"another writer has it open, process {holder}", str(path), "wait for it or stop it", reason="LOCKED"
        ) from fault
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
    return file


def _write(file: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, at)
        view, at = view[written:], at + written


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _refused(folder: Path, fault: OSError) -> BadInput:
    return BadInput(
        f"cannot append: {fault.strerror or fault}; nothing of this append was kept",
        str(fault.filename or folder),
        "make room or correct the permissions, then append again",
        reason="DISK",
    )
