"""Writes batches of audited rounds. Rounds and the offsets they come from are one transaction, so nothing counts twice.

Loading the same again changes nothing. A round that the warehouse has already, and that now comes with other events or under
other rules, is written anew; events that come for a round after it was closed are joined with those before them, read again
from the log, and make a new revision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from events.log import Log
from events.model import RoundClosed
from pipelines.audit import AuditedRound, RoundKey, RoundRead, events_at
from pipelines.warehouse.batch import Batch, BatchBuilder, Tables
from pipelines.warehouse.store import Run, Warehouse
from pipelines.warehouse.tables import ROUND_ORIGIN, ROUND_TABLES
from processors.replay import audit_round
from processors.rulebook import Rulebook

_CHILDREN = ("wagers", "settlements", "contributions", "shoes")
_STORED = {name: [column for column in schema.names if column != "fresh"] for name, schema in ROUND_TABLES.items()}


class Loaded(NamedTuple):
    """What loading a batch came to: entries read, rounds written, dead letters, and the gaming days that it touched."""

    entries: int
    rounds: int
    dead: int
    gaming_days: frozenset[str]


class _Known(NamedTuple):
    """A round of the batch that the warehouse has already: its place and digests there and, after `new_`, in the batch."""

    table_id: str
    round_id: str
    gaming_day: str
    status: str
    events: int
    revision: int
    partition: int
    first_offset: int
    last_offset: int
    same_rules: bool
    new_first_offset: int
    new_last_offset: int
    fresh: int

    @property
    def key(self) -> RoundKey:
        return self.table_id, self.round_id

    def is_unchanged(self) -> bool:
        """Whether what was read is part of what is there."""
        return self.same_rules and self.first_offset <= self.new_first_offset and self.new_last_offset <= self.last_offset

    def is_late(self) -> bool:
        """Whether what was read lacks the beginning that is there."""
        return self.new_first_offset > self.first_offset


class Loader:
    """Loads the batches of one run. With `again` the log is audited anew: nothing of it counts as newly read."""

    def __init__(self, warehouse: Warehouse, run: Run, log: Log, book: Rulebook, *, again: bool = False) -> None:
        self._warehouse = warehouse
        self._run = run
        self._log = log
        self._book = book
        self._again = again

    def load(self, batch: Batch) -> Loaded:
        """Write a batch. Raises BadInput where the disk does not take it: then none of it is written."""
        with self._warehouse.transaction() as connection:
            tables, replaced, joined = self._settle_with_known(connection, batch.tables)
            rounds = tables["rounds"]
            if replaced:
                self._clear(connection, replaced)
                self._move(connection, replaced, rounds)
            self._insert(connection, tables, bool(replaced))
            if not self._again:
                self._count(connection, batch, rounds, joined)
        days = {*pc.unique(rounds["gaming_day"]).to_pylist(), *(k.gaming_day for k in replaced)}
        return Loaded(batch.entries, rounds.num_rows, sum(d.covers for d in batch.dead), frozenset(days))

    def _settle_with_known(
        self, connection: duckdb.DuckDBPyConnection, tables: Tables
    ) -> tuple[Tables, list[_Known], frozenset[RoundKey]]:
        """The tables to write, the rounds that they replace, and the keys of those that were joined with what was before."""
        known = self._known(connection, tables["rounds"])
        if not known:
            return tables, [], frozenset()
        late = [k for k in known if not k.is_unchanged() and k.is_late()]
        dropped = {k.key for k in known if k.is_unchanged()} | {k.key for k in late}
        replaced = [k for k in known if not k.is_unchanged()]
        kept = {name: _without(table, dropped) for name, table in tables.items()}
        if late:
            builder = BatchBuilder(self._warehouse.clock)
            for round_ in late:
                builder.add(self._join(round_))
            kept = {name: pa.concat_tables([kept[name], more]) for name, more in builder.take().items()}
        return kept, replaced, frozenset(k.key for k in late)

    def _known(self, connection: duckdb.DuckDBPyConnection, rounds: pa.Table) -> list[_Known]:
        if not rounds.num_rows:
            return []
        connection.register("batch_keys", rounds)
        query = """
            SELECT r.table_id, r.round_id, r.gaming_day, r.status, r.events, r.revision, r.partition,
                   r.first_offset, r.last_offset,
                   r.rulebook_digest = b.rulebook_digest AND r.code_digest = b.code_digest, b.first_offset, b.last_offset,
                   b.fresh
            FROM batch_keys b JOIN rounds r ON r.round_id = b.round_id AND r.table_id = b.table_id
            ORDER BY r.table_id, r.round_id"""
        return [_Known(*row) for row in connection.execute(query).fetchall()]

    def _join(self, known: _Known) -> AuditedRound:
        """Audit a round again with the events that came after it was closed: a new revision."""
        last_offset = max(known.last_offset, known.new_last_offset)
        events = events_at(self._log, known.partition, known.key, known.first_offset, last_offset)
        closed = any(type(event) is RoundClosed for event in events)
        revision = known.revision + (1 if known.status == "CLOSED" else 0)
        read = RoundRead(events, known.partition, known.first_offset, last_offset, known.fresh, closed)
        return AuditedRound(audit_round(events, self._book, revision=revision), read)

    def _clear(self, connection: duckdb.DuckDBPyConnection, replaced: Sequence[_Known]) -> None:
        """Take out rounds that are about to be written anew."""
        keys = pa.table({"table_id": [k.table_id for k in replaced], "round_id": [k.round_id for k in replaced]})
        connection.register("batch_replaced", keys)
        for table in ("rounds", *_CHILDREN):
            connection.execute(
                f"""DELETE FROM {table} t USING batch_replaced k
                    WHERE t.table_id = k.table_id AND t.round_id = k.round_id"""  # noqa: S608  # the names are ours
            )

    def _insert(self, connection: duckdb.DuckDBPyConnection, tables: Tables, any_replaced: bool) -> None:
        for name, table in tables.items():
            if not table.num_rows and not (name == "discrepancies" and any_replaced):
                continue
            connection.register("batch_rows", table)
            if name == "discrepancies":
                self._insert_discrepancies(connection, any_replaced)
            else:
                columns = ", ".join(_STORED[name])
                connection.execute(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM batch_rows")  # noqa: S608  # the names are ours

    def _insert_discrepancies(self, connection: duckdb.DuckDBPyConnection, any_replaced: bool) -> None:
        columns = ", ".join(_STORED["discrepancies"])
        now = self._run.started_at
        if any_replaced:
            connection.execute(
                """CREATE OR REPLACE TEMP TABLE found_before AS
                   SELECT * FROM discrepancies SEMI JOIN batch_replaced USING (table_id, round_id)"""
            )
            connection.execute(
                """UPDATE discrepancies d SET fixed_at = ? FROM batch_replaced k
                   WHERE d.table_id = k.table_id AND d.round_id = k.round_id AND d.origin = ? AND d.fixed_at IS NULL
                   AND NOT EXISTS (SELECT 1 FROM batch_rows b
                                   WHERE b.discrepancy_id = d.discrepancy_id AND b.table_id = d.table_id)""",
                [now, ROUND_ORIGIN],
            )
            connection.execute(
                """DELETE FROM discrepancies d USING batch_rows b
                   WHERE b.discrepancy_id = d.discrepancy_id AND b.table_id = d.table_id"""
            )
            connection.execute(
                f"""INSERT INTO discrepancies ({columns}, first_seen, last_seen)
                    SELECT {", ".join("b." + name for name in _STORED["discrepancies"])}, coalesce(f.first_seen, ?), ?
                    FROM batch_rows b LEFT JOIN found_before f
                      ON f.discrepancy_id = b.discrepancy_id AND f.table_id = b.table_id""",  # noqa: S608  # the names are ours
                [now, now],
            )
        else:
            connection.execute(
                f"INSERT INTO discrepancies ({columns}, first_seen, last_seen) SELECT {columns}, ?, ? FROM batch_rows",  # noqa: S608  # the names are ours
                [now, now],
            )

    def _count(
        self, connection: duckdb.DuckDBPyConnection, batch: Batch, rounds: pa.Table, joined: frozenset[RoundKey]
    ) -> None:
        """Write down what was read: events by day, dead letters, how far, and which rounds are open there."""
        log, partition = self._warehouse.log_name, batch.partition
        fresh: Counter[str] = Counter()
        for by_day in rounds.group_by("gaming_day").aggregate([("fresh", "sum")]).to_pylist():
            fresh[by_day["gaming_day"]] += by_day["fresh_sum"]
        dead = [(log, d.partition, d.offset, d.covers, d.gaming_day or self._run.gaming_day, d.fault.reason, str(d.fault),
                 d.raw, self._run.started_at) for d in batch.dead]  # fmt: skip
        for letter in batch.dead:
            fresh[letter.gaming_day or self._run.gaming_day] += letter.covers
        _insert_rows(connection, "dead_letters", _DEAD, dead)
        _insert_rows(connection, "intake", _INTAKE, [(self._run.run_id, day, n) for day, n in fresh.items() if n])
        connection.execute(
            """INSERT INTO watermarks VALUES (?, ?, ?, ?) ON CONFLICT (log, partition) DO UPDATE
               SET next_offset = excluded.next_offset, entries = watermarks.entries + excluded.entries""",
            [log, partition, batch.next_offset, batch.entries],
        )
        connection.execute("DELETE FROM open_rounds WHERE log = ? AND partition = ?", [log, partition])
        still_open = [(log, partition, *o) for o in batch.open_rounds if (o.table_id, o.round_id) not in joined]
        _insert_rows(connection, "open_rounds", _OPEN, still_open)

    def _move(self, connection: duckdb.DuckDBPyConnection, replaced: Sequence[_Known], rounds: pa.Table) -> None:
        """An event that came late may tell another gaming day than the clock did: what was read before moves with it."""
        day_of = dict(
            zip(zip(*(rounds[c].to_pylist() for c in ("table_id", "round_id")), strict=True),
                rounds["gaming_day"].to_pylist(), strict=True)
        )  # fmt: skip
        moved = [(k.gaming_day, day_of[k.key], k.events) for k in replaced if day_of[k.key] != k.gaming_day]
        rows = [(self._run.run_id, day, n) for old, new, events in moved for day, n in ((old, -events), (new, events))]
        _insert_rows(connection, "intake", _INTAKE, rows)


_TEXT, _INT, _LONG = pa.string(), pa.int32(), pa.int64()
_DEAD = pa.schema(
    {"log": _TEXT, "partition": _INT, "log_offset": _LONG, "covers": _LONG, "gaming_day": _TEXT, "reason": _TEXT,
     "message": _TEXT, "raw": pa.binary(), "found_at": pa.timestamp("us")}
)  # fmt: skip
_INTAKE = pa.schema({"run_id": _TEXT, "gaming_day": _TEXT, "events": _LONG})
_OPEN = pa.schema(
    {"log": _TEXT, "partition": _INT, "table_id": _TEXT, "round_id": _TEXT, "first_offset": _LONG, "last_offset": _LONG,
     "events": _INT, "counted": _INT}
)  # fmt: skip


def _insert_rows(connection: duckdb.DuckDBPyConnection, table: str, schema: pa.Schema, rows: Sequence[Any]) -> None:
    if not rows:
        return
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    connection.register("batch_rows", pa.table(arrays, schema=schema))
    names = ", ".join(schema.names)
    connection.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM batch_rows")  # noqa: S608  # the names are ours


def _without(table: pa.Table, dropped: set[RoundKey]) -> pa.Table:
    keys = zip(table["table_id"].to_pylist(), table["round_id"].to_pylist(), strict=True)
    return table.filter(pa.array([key not in dropped for key in keys], pa.bool_()))
