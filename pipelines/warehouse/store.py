"""The warehouse file: opened by one writer at a time, repaired when it is opened."""

from __future__ import annotations

import fcntl
import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from events.errors import BadInput
from pipelines.audit import OpenRound, Span
from pipelines.warehouse.snapshot import is_damage, publish, remove_leftovers
from processors.checks import PropertyClock

SCHEMA_VERSION: Final = 1
BUSY: Final = "BUSY"
"""The reason class of the fault that another run is writing."""
OUTCOMES: Final = ("BALANCED", "DEAD_LETTERS", "DISCREPANCIES", "UNBALANCED", "FAILED")
"""How a run can end, from the best to the worst."""
MAKE_AGAIN: Final = "move it and its snapshot away and run roundaudit nightly for each day: it is made again from the log"
_CONFIG: Final[Mapping[str, str | bool | int | float | list[str]]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


class Run(NamedTuple):
    """A row of the ledger that has begun; `started_at` in UTC without offset, as the warehouse stores times."""

    run_id: str
    gaming_day: str
    started_at: datetime


class Warehouse:
    """An open warehouse. Use it with `with`: it holds the lock of the file, and no reader can open the file meanwhile."""

    def __init__(self, path: Path, clock: PropertyClock, *, log_name: str = "archive", memory_limit: str = "2GB") -> None:
        """Open the warehouse at `path`, making it where there is none.

        `log_name` says which log it is loaded from. Raises BadInput where another run has it, where it is none, or where it
        was loaded from another log.
        """
        self.path = path
        self.clock = clock
        self.log_name = log_name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(path.with_name(f"{path.name}.lock"))
        try:
            remove_leftovers(path)
            with plain_faults(path):
                self.connection = duckdb.connect(path, config={**_CONFIG, "memory_limit": memory_limit})
                self._prepare()
        except BaseException:
            os.close(self._lock)
            raise

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(fault, duckdb.Error):
            with plain_faults(self.path):
                raise fault

    def close(self) -> None:
        """Let go of the file and of its lock."""
        try:
            self.connection.close()
        except duckdb.Error:
            # a database that a full disk has stopped says so again when it is closed; the next opening repairs it
            pass
        finally:
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def publish(self) -> Path:
        """Publish the snapshot and close. The lock is held until the copy is in place.

        Raises BadInput where the disk does not take it; the old snapshot then stands as it was.
        """
        try:
            with plain_faults(self.path):
                self.connection.execute("CHECKPOINT")
                self.connection.close()
                return publish(self.path)
        finally:
            self.close()

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """All or nothing. Raises BadInput in one plain line where the disk does not take it."""
        with plain_faults(self.path):
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            except BaseException:
                _roll_back(self.connection)
                raise
            self.connection.execute("COMMIT")

    def spans(self, end_offsets: Mapping[int, int]) -> list[Span]:
        """What of the log has not been loaded yet, partition by partition."""
        reached = dict(self._all("SELECT partition, next_offset FROM watermarks WHERE log = ?", self.log_name))
        carried: dict[int, list[OpenRound]] = {}
        query = """SELECT partition, table_id, round_id, first_offset, last_offset, events, counted
                   FROM open_rounds WHERE log = ? ORDER BY ALL"""
        for partition, *fields in self._all(query, self.log_name):
            carried.setdefault(partition, []).append(OpenRound(*fields))
        for partition, end in end_offsets.items():
            if end < reached.get(partition, 0):
                raise BadInput(
                    f"partition {partition} ends at {end}, but {reached[partition]} entries were loaded from it",
                    str(self.path),
                    "restore the log, or load it into a new warehouse",
                )
        return [Span(p, reached.get(p, 0), end, tuple(carried.get(p, ()))) for p, end in sorted(end_offsets.items())]

    def begin_run(self, gaming_day: str, spans: list[Span], operator: str, rulebook_digest: str, code_digest: str) -> Run:
        """Open a row in the ledger. An earlier run that never ended was stopped in the middle, and is marked so."""
        now = datetime.now(UTC).replace(tzinfo=None)
        run = Run(f"{now:%Y%m%dT%H%M%SZ}-{uuid.uuid4().hex[:6]}", gaming_day, now)
        inputs = json.dumps({str(span.partition): [span.start, span.end] for span in spans})
        with self.transaction() as connection:
            stopped = "UPDATE runs SET outcome = 'FAILED', message = 'stopped before its end' WHERE outcome = 'RUNNING'"
            connection.execute(stopped)
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, NULL, 'RUNNING', '', ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)",
                [run.run_id, gaming_day, operator, now, self.log_name, inputs, product_version(), SCHEMA_VERSION,
                 rulebook_digest, code_digest],
            )  # fmt: skip
        return run

    def end_run(self, run: Run, outcome: str, message: str, counts: tuple[int, int, int, int], gaming_day: str = "") -> None:
        """Close the row of a run; `counts` are entries read, rounds, dead letters, discrepancies of the day reported."""
        with self.transaction() as connection:
            connection.execute(
                """UPDATE runs SET ended_at = ?, outcome = ?, message = ?, events_in = ?, rounds = ?, dead_letters = ?,
                   discrepancies = ?, gaming_day = ? WHERE run_id = ?""",
                [
                    datetime.now(UTC).replace(tzinfo=None),
                    outcome,
                    message,
                    *counts,
                    gaming_day or run.gaming_day,
                    run.run_id,
                ],
            )

    def unchecked_days(self) -> list[str]:
        """The gaming days that runs since the last good one had brought something to when they were stopped."""
        query = """SELECT DISTINCT i.gaming_day FROM intake i JOIN runs r USING (run_id)
                   WHERE r.started_at > coalesce(
                       (SELECT max(started_at) FROM runs WHERE outcome NOT IN ('RUNNING', 'FAILED')), '-infinity')"""
        return [day for (day,) in self._all(query)]

    def date_undated(self, gaming_day: str) -> None:
        """Count to a gaming day the dead letters that have no event beside them in their partition to tell theirs."""
        with self.transaction() as connection:
            for table in ("dead_letters", "intake"):
                connection.execute(f"UPDATE {table} SET gaming_day = ? WHERE gaming_day = ''", [gaming_day])  # noqa: S608  # our own table names

    def balance(self) -> tuple[int, int, int, int]:
        """Over the whole log: entries read, events audited in closed rounds, dead letters, events in open rounds.

        The first is counted by the reader, the others from what is in the tables: it is the sum of the others, always.
        """
        query = """SELECT
            (SELECT coalesce(sum(entries), 0) FROM watermarks),
            (SELECT coalesce(sum(events), 0) FROM rounds WHERE status = 'CLOSED'),
            (SELECT coalesce(sum(covers), 0) FROM dead_letters),
            (SELECT coalesce(sum(events), 0) FROM rounds WHERE status = 'OPEN')
              + (SELECT coalesce(sum(events - counted), 0) FROM open_rounds)"""
        entries, audited, dead, still_open = self._all(query)[0]
        return int(entries), int(audited), int(dead), int(still_open)

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(query, list(values)).fetchall()

    def _prepare(self) -> None:
        schema = resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
        found = self._all("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'about'")[0][0]
        version = self._all("SELECT schema_version FROM about") if found else []
        if version and version[0][0] != SCHEMA_VERSION:
            raise BadInput(
                f"this warehouse has schema version {version[0][0]}; this version of roundaudit writes {SCHEMA_VERSION}",
                str(self.path),
                "load the log into a new warehouse",
            )
        with self.transaction() as connection:
            connection.execute(schema)
            about = (SCHEMA_VERSION, self.clock.time_zone, self.clock.day_begins_hour)
            if self._all("SELECT * FROM about") != [about]:
                connection.execute("DELETE FROM about")
                connection.execute("INSERT INTO about VALUES (?, ?, ?)", list(about))
        others = [name for (name,) in self._all("SELECT DISTINCT log FROM watermarks WHERE log <> ?", self.log_name)]
        if others:
            raise BadInput(
                f"this warehouse was loaded from the log {others[0]}, not from {self.log_name}",
                str(self.path),
                "use a data folder for each log",
            )


def product_version() -> str:
    """The version of the installed product."""
    return metadata.version("roundaudit")


@contextmanager
def plain_faults(path: Path) -> Iterator[None]:
    """Turns what the disk or another writer does to the warehouse into one plain line. Raises BadInput."""
    try:
        yield
    except duckdb.Error as fault:
        line = str(fault).splitlines()[0]
        if "No space left" in str(fault) or "not enough space" in str(fault).lower():
            raise BadInput("the disk is full", str(path), "free some space and run it again") from fault
        if is_damage(fault):
            raise BadInput(f"the warehouse is damaged ({line})", str(path), MAKE_AGAIN) from fault
        if isinstance(fault, duckdb.IOException | duckdb.FatalException | duckdb.SerializationException):
            raise BadInput(f"the warehouse cannot be used ({line})", str(path), "check the file and its disk") from fault
        raise
    except OSError as fault:
        what = "the disk is full" if fault.errno == 28 else f"cannot be written ({fault.strerror or fault})"
        raise BadInput(what, str(path), "free some space and run it again") from fault


def _lock(path: Path) -> int:
    """Take the lock of a warehouse. It falls with the process, so a killed run leaves none behind."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise BadInput("another run is writing this warehouse", str(path), "wait until it has ended", reason=BUSY) from None
    return handle


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.execute("ROLLBACK")
    except duckdb.Error:
        # a failed COMMIT has rolled back already; what it failed on is the fault to tell
        return
