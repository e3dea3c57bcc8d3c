"""Questions to the snapshot: opened read-only, without external access, and each question has a time limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from events.errors import BadInput
from pipelines.night import WAREHOUSE
from pipelines.warehouse.filters import IS_DAY, Filters
from pipelines.warehouse.snapshot import is_damage, open_snapshot, snapshot_path
from processors.checks import PropertyClock

Row = dict[str, Any]
QUERY_SECONDS: Final = 20.0
NO_LIMIT: Final = 2**62

_ROUNDS: Final = """
    SELECT r.round_id, r.table_id, r.game, r.jurisdiction, r.gaming_day, r.currency, r.opened_at, r.closed_at, r.dealer_id,
           r.status, r.revision, r.events, r.wagers, r.stake_minor,
           coalesce(f.discrepancies, 0) AS discrepancies, coalesce(f.delta_minor, 0) AS delta_minor,
           coalesce(f.kinds, []) AS kinds
    FROM (SELECT * FROM rounds r WHERE {condition}
          ORDER BY r.opened_at, r.table_id, r.round_id LIMIT ?) r
    LEFT JOIN (
        SELECT table_id, round_id, count(*) AS discrepancies, sum(delta_minor) AS delta_minor,
               list_sort(list(DISTINCT kind)) AS kinds
        FROM discrepancies WHERE fixed_at IS NULL GROUP BY table_id, round_id) f USING (table_id, round_id)
    ORDER BY r.opened_at, r.table_id, r.round_id"""

_DISCREPANCIES: Final = """
    SELECT d.discrepancy_id, d.occurred_at, d.gaming_day, d.table_id, d.game, d.dealer_id, d.round_id, d.wager_id,
           coalesce(w.patron_id, '') AS patron_id, coalesce(w.seat, 0) AS seat, d.kind, d.severity, d.favours, d.currency,
           d.due_minor, d.recorded_minor, d.delta_minor, d.cite_document, d.cite_paragraph, d.rests_on, d.sentence, d.origin,
           d.first_seen, d.last_seen
    FROM open_discrepancies d LEFT JOIN wagers w USING (table_id, round_id, wager_id)
    WHERE {condition}
    ORDER BY d.occurred_at, d.table_id, d.round_id, d.wager_id, d.kind LIMIT ?"""

_WAGERS: Final = """
    SELECT w.wager_id, w.seat, w.patron_id, w.bet, w.placed_on, w.amount_minor, w.recorded_minor, s.result, s.paid_minor,
           s.paid_to, s.stake_returned_minor, s.no_action_minor, s.fee_minor, s.fee_returned_minor, s.free_tickets, s.prize,
           s.cite_document, s.cite_paragraph
    FROM wagers w LEFT JOIN settlements s USING (table_id, round_id, wager_id)
    WHERE w.table_id = ? AND w.round_id = ? ORDER BY w.placed_at, w.wager_id, s.paid_to DESC"""


class Place(NamedTuple):
    """Where the events of a round stand in the log."""

    partition: int
    first_offset: int
    last_offset: int


class RoundFound(NamedTuple):
    """All that the snapshot knows of one round."""

    round: Row
    wagers: Sequence[Row]
    contributions: Sequence[Row]
    discrepancies: Sequence[Row]
    place: Place


class Snapshot:
    """An open snapshot. Use it with `with`."""

    def __init__(self, data: Path, *, query_seconds: float = QUERY_SECONDS) -> None:
        """Open the snapshot of a data folder. Raises BadInput where there is none."""
        self._path = snapshot_path(data / WAREHOUSE)
        self.connection = open_snapshot(data / WAREHOUSE)
        self._seconds = query_seconds

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @contextmanager
    def limited(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The connection, for as long as a question may take. Raises BadInput where it takes longer or needs too much."""
        timer = threading.Timer(self._seconds, self.connection.interrupt)
        timer.start()
        try:
            yield self.connection
        except duckdb.InterruptException:
            raise BadInput(
                f"the question took more than {self._seconds:g} seconds", do="narrow it with a day or a table"
            ) from None
        except duckdb.OutOfMemoryException:
            raise BadInput(
                "the question needs more memory than a reader has", do="narrow it with a day or a table"
            ) from None
        except duckdb.Error as fault:
            if not is_damage(fault):
                raise
            raise BadInput("the snapshot is damaged", str(self._path), "run roundaudit nightly again") from fault
        finally:
            timer.cancel()

    def rows(self, query: str, *values: Any) -> list[Row]:
        """The rows of a query by column name."""
        with self.limited() as connection:
            cursor = connection.execute(query, list(values))
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _names(self, listing: str) -> list[str]:
        with self.limited() as connection:
            return [column[0] for column in connection.execute(listing.format(condition="FALSE"), [0]).description or ()]

    def clock(self) -> PropertyClock:
        """When the property's days begin, as the last night run had it."""
        about = self.rows("SELECT time_zone, day_begins_hour FROM about")
        return PropertyClock(**about[0]) if about else PropertyClock()

    def newest_day(self) -> str:
        """The newest gaming day that there is: it may not have ended yet."""
        query = f"SELECT coalesce(max(gaming_day), '') AS day FROM rounds WHERE {IS_DAY}"  # noqa: S608  # a constant of ours
        found = self.rows(query)
        return str(found[0]["day"])

    def reported_day(self) -> str:
        """The gaming day that the last night run reported."""
        found = self.rows("SELECT gaming_day FROM runs WHERE outcome <> 'FAILED' ORDER BY started_at DESC, run_id LIMIT 1")
        return str(found[0]["gaming_day"]) if found else ""

    def days(self) -> list[Row]:
        """The gaming days with their rounds, discrepancies and reconciliation, newest first."""
        return self.rows(
            """SELECT gaming_day, events_in, events_audited, events_dead, events_open,
                      (SELECT count(*) FROM rounds r WHERE r.gaming_day = c.gaming_day) AS rounds,
                      (SELECT count(*) FROM open_discrepancies d WHERE d.gaming_day = c.gaming_day) AS discrepancies
               FROM reconciliation c ORDER BY gaming_day DESC"""
        )

    def unknown(self, filters: Filters) -> list[str]:
        """What the filters name that no round of the snapshot has, in words: it may be misspelt."""
        said = []
        for column, what in (("table_id", "table"), ("game", "game"), ("dealer_id", "dealer"), ("gaming_day", "gaming day")):
            value = getattr(filters, column)
            if value and not self.rows(f"SELECT 1 FROM rounds WHERE {column} = ? LIMIT 1", value):  # noqa: S608  # names are ours
                said.append(f"{what} {value}")
        if filters.patron_id and not self.rows("SELECT 1 FROM wagers WHERE patron_id = ? LIMIT 1", filters.patron_id):
            said.append(f"patron {filters.patron_id}")
        return said

    def tables(self) -> list[str]:
        """Every table that has a round."""
        return [row["table_id"] for row in self.rows("SELECT DISTINCT table_id FROM rounds ORDER BY table_id")]

    def runs(self, limit: int = 50) -> list[Row]:
        """The ledger, newest run first."""
        return self.rows("SELECT * FROM runs ORDER BY started_at DESC, run_id LIMIT ?", limit)

    def rounds(self, filters: Filters, limit: int = NO_LIMIT) -> list[Row]:
        """The rounds that the filters leave, oldest first."""
        condition, values = filters.of_rounds()
        return self.rows(_ROUNDS.format(condition=condition), *values, limit)

    def round_names(self) -> list[str]:
        """What a round of `rounds` says, by name, also where there is none."""
        return self._names(_ROUNDS)

    def count_rounds(self, filters: Filters) -> int:
        """How many rounds the filters leave."""
        condition, values = filters.of_rounds()
        return int(self.rows(f"SELECT count(*) AS n FROM rounds r WHERE {condition}", *values)[0]["n"])  # noqa: S608  # conditions are ours

    def discrepancies(self, filters: Filters, limit: int = NO_LIMIT) -> list[Row]:
        """The discrepancies that the filters leave, oldest first."""
        condition, values = filters.of_discrepancies()
        return self.rows(_DISCREPANCIES.format(condition=condition), *values, limit)

    def discrepancy_names(self) -> list[str]:
        """What a discrepancy of `discrepancies` says, by name, also where there is none."""
        return self._names(_DISCREPANCIES)

    def count_discrepancies(self, filters: Filters) -> int:
        """How many discrepancies the filters leave."""
        condition, values = filters.of_discrepancies()
        return int(self.rows(f"SELECT count(*) AS n FROM open_discrepancies d WHERE {condition}", *values)[0]["n"])  # noqa: S608  # conditions are ours

    def round(self, round_id: str) -> list[RoundFound]:
        """The round of an id: one, none, or one at each table that used it."""
        found = []
        for row in self.rows("SELECT * FROM rounds WHERE round_id = ? ORDER BY table_id", round_id):
            key = row["table_id"], round_id
            place = Place(row.pop("partition"), row.pop("first_offset"), row.pop("last_offset"))
            contributions = self.rows(
                """SELECT progressive_id, wager_id, amount_micro, cite_document, cite_paragraph FROM contributions
                   WHERE table_id = ? AND round_id = ? ORDER BY progressive_id, wager_id""",
                *key,
            )
            discrepancies = self.rows(
                """SELECT discrepancy_id, kind, severity, wager_id, favours, due_minor, recorded_minor, delta_minor,
                          sentence, cite_document, cite_paragraph, rests_on, origin, first_seen, last_seen, fixed_at
                   FROM discrepancies WHERE table_id = ? AND round_id = ? ORDER BY fixed_at IS NOT NULL, wager_id, kind""",
                *key,
            )
            found.append(RoundFound(row, self.rows(_WAGERS, *key), contributions, discrepancies, place))
        return found
