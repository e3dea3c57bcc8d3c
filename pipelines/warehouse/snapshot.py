"""The snapshot that people read. DuckDB lets one writer or many readers at a file, so each run publishes a copy.

The copy is made whole under another name and put in place by a rename: whoever holds the old one keeps reading it, and
whoever comes finds the old one or the new one, never a half.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import duckdb

from events.errors import BadInput

READER_MEMORY: Final = "512MB"
READER_THREADS: Final = 2


def snapshot_path(warehouse: Path) -> Path:
    """Where the snapshot of a warehouse stands: `warehouse.duckdb` has `warehouse.snapshot.duckdb` beside it."""
    return warehouse.with_name(f"{warehouse.stem}.snapshot{warehouse.suffix}")


def publish(warehouse: Path) -> Path:
    """Copy a warehouse that is closed and has been checkpointed, and put the copy in the place of the snapshot.

    Raises OSError where the disk does not take it; the old snapshot then stands as it was.
    """
    wal = warehouse.with_name(f"{warehouse.name}.wal")
    if wal.exists():
        # a copy without its write-ahead log would lack rows
        raise RuntimeError(f"{wal} is still there: the warehouse was not checkpointed")
    target = snapshot_path(warehouse)
    fresh = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        with warehouse.open("rb") as source, fresh.open("wb") as copy:
            shutil.copyfileobj(source, copy, 4 * 1024 * 1024)
            copy.flush()
            os.fsync(copy.fileno())
        os.replace(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)
    return target


def remove_leftovers(warehouse: Path) -> None:
    """Remove the half copies of runs that were killed. Call it under the lock of the warehouse."""
    target = snapshot_path(warehouse)
    for left in target.parent.glob(f"{target.name}.*.tmp"):
        left.unlink(missing_ok=True)


def open_snapshot(warehouse: Path) -> duckdb.DuckDBPyConnection:
    """Open the snapshot of a warehouse for reading: no external access, locked configuration, limited memory.

    It is attached to a database in memory because DuckDB shares one instance a path within a process: opened by its path, a
    process that still holds yesterday's snapshot would get yesterday's again. Raises BadInput where there is none.
    """
    path = snapshot_path(warehouse)
    if not path.is_file():
        raise BadInput("there is no snapshot to read", str(path), "run roundaudit nightly first")
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": READER_MEMORY,
            "threads": str(READER_THREADS),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        },
    )
    try:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS warehouse (READ_ONLY)")
        connection.execute("USE warehouse")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error as fault:
        connection.close()
        line = str(fault).splitlines()[0]
        raise BadInput(f"the snapshot cannot be read ({line})", str(path), "run roundaudit nightly again") from fault
    return connection


def is_damage(fault: duckdb.Error) -> bool:
    """Whether DuckDB found bytes in its file that it did not write. It has no class of its own for that."""
    return "corrupt database file" in str(fault).lower()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
