"""A gaming day as the checks see it, streamed from the warehouse; and what they find, filed in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pipelines.warehouse.batch import Row, discrepancy_row, to_table
from pipelines.warehouse.store import Run, Warehouse
from pipelines.warehouse.tables import ROUND_TABLES
from processors.checks import CarriedWager, DayRound, Finding, PropertyClock, SharedRoundId, ShoeCards, find_checks

_FETCH = 10_000
_COLUMNS = ROUND_TABLES["discrepancies"].names


class WarehouseDay(NamedTuple):
    """A gaming day of a warehouse; see `processors.checks.Day`."""

    warehouse: Warehouse
    gaming_day: str
    clock: PropertyClock

    def rounds(self) -> Iterator[DayRound]:
        """The rounds of the day that say so themselves."""
        query = """SELECT round_id, table_id, gaming_day, epoch_us(opened_at) FROM rounds
                   WHERE gaming_day = ? AND game <> '' ORDER BY opened_at, table_id, round_id"""
        return map(DayRound._make, self._stream(query, self.gaming_day))

    def shoes(self) -> Iterator[ShoeCards]:
        """Every round of every shoe in use on the day."""
        query = """SELECT shoe_id, decks, round_id, table_id, cards FROM shoes
                   WHERE shoe_id <> '' AND shoe_id IN (SELECT shoe_id FROM shoes WHERE gaming_day = ?)
                   ORDER BY shoe_id, opened_at, table_id, round_id"""
        return map(ShoeCards._make, self._stream(query, self.gaming_day))

    def carried_wagers(self) -> Iterator[CarriedWager]:
        """The wagers of the day that were carried from another, and whether their table had that one."""
        query = """
            WITH carried AS (
                SELECT w.round_id, w.table_id, w.wager_id, w.carried_from, w.placed_at, r.opened_at
                FROM wagers w JOIN rounds r USING (round_id, table_id)
                WHERE w.gaming_day = ? AND w.carried_from <> ''),
            named AS (SELECT DISTINCT table_id, carried_from AS wager_id FROM carried),
            earliest AS (
                SELECT w.table_id, w.wager_id, min(row(r.opened_at, w.placed_at)) AS placed
                FROM wagers w SEMI JOIN named USING (table_id, wager_id) JOIN rounds r USING (round_id, table_id)
                GROUP BY w.table_id, w.wager_id)
            SELECT c.round_id, c.table_id, c.wager_id, c.carried_from, c.placed_at,
                   coalesce(e.placed < row(c.opened_at, c.placed_at), FALSE)
            FROM carried c LEFT JOIN earliest e ON e.table_id = c.table_id AND e.wager_id = c.carried_from ORDER BY ALL"""
        return map(CarriedWager._make, self._stream(query, self.gaming_day))

    def shared_round_ids(self) -> Iterator[SharedRoundId]:
        """The round ids of the day that more than one table used."""
        query = """SELECT round_id, list_sort(list(DISTINCT table_id)) FROM rounds
                   WHERE round_id IN (SELECT round_id FROM rounds WHERE gaming_day = ?)
                   GROUP BY round_id HAVING count(DISTINCT table_id) > 1 ORDER BY round_id"""
        for round_id, table_ids in self._stream(query, self.gaming_day):
            yield SharedRoundId(round_id, tuple(table_ids))

    def _stream(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        # a cursor of its own: a check may read two streams at once
        cursor = self.warehouse.connection.cursor()
        cursor.execute(query, list(values))
        while rows := cursor.fetchmany(_FETCH):
            yield from rows


def check_day(warehouse: Warehouse, run: Run, gaming_day: str) -> None:
    """Run every check over a gaming day and file what it finds; what a check no longer finds is marked as fixed."""
    day = WarehouseDay(warehouse, gaming_day, warehouse.clock)
    for name, check in find_checks().items():
        _file(warehouse, run, gaming_day, name, check(day))


def take_back_carried(warehouse: Warehouse, run: Run) -> set[str]:
    """Mark as fixed that a turn is incomplete where all that it left open was carried into a later round of its table.

    As `processors.carrying` does over a script, here over all days: a turn may go on after its gaming day. Returns the
    gaming days of those that were not marked before.
    """
    with warehouse.transaction() as connection:
        taken_back = connection.execute(
            """UPDATE discrepancies d SET fixed_at = ?
               FROM rounds r
               WHERE d.kind = 'INCOMPLETE_ROUND' AND d.wager_id = '' AND d.fixed_at IS NULL
                 AND r.round_id = d.round_id AND r.table_id = d.table_id AND r.game <> ''
                 AND EXISTS (SELECT 1 FROM settlements s
                             WHERE s.round_id = r.round_id AND s.table_id = r.table_id
                               AND s.result = 'UNDECIDED' AND s.decided_at < 0)
                 AND NOT EXISTS (
                     SELECT 1 FROM settlements s
                     WHERE s.round_id = r.round_id AND s.table_id = r.table_id
                       AND s.result = 'UNDECIDED' AND s.decided_at < 0
                       AND NOT EXISTS (
                           SELECT 1 FROM wagers w JOIN rounds later USING (round_id, table_id)
                           WHERE w.table_id = r.table_id AND w.carried_from = s.wager_id
                             AND later.opened_at >= r.opened_at AND later.round_id <> r.round_id
                             AND NOT EXISTS (SELECT 1 FROM wagers own
                                             WHERE own.round_id = w.round_id AND own.table_id = w.table_id
                                               AND own.wager_id = w.carried_from)))
               RETURNING d.gaming_day""",
            [run.started_at],
        ).fetchall()
    return {day for (day,) in taken_back}


def _file(warehouse: Warehouse, run: Run, gaming_day: str, origin: str, findings: Iterable[Finding]) -> None:
    found = {(f.discrepancy.id, f.table_id): f for f in findings}
    with warehouse.transaction() as connection:
        rows = []
        if found:
            keys = [(f.table_id, f.discrepancy.round_id) for f in found.values()]
            places = _places(warehouse, keys, gaming_day)
            rows = [_row(finding, gaming_day, places, origin) for finding in found.values() if _key(finding) in places]
        connection.register("batch_rows", to_table("discrepancies", rows))
        # what stands there word for word is left as it is, and what the round's own audit found is its finding
        connection.execute(
            """UPDATE discrepancies d SET fixed_at = ? WHERE d.origin = ? AND d.gaming_day = ? AND d.fixed_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM batch_rows b
                               WHERE b.discrepancy_id = d.discrepancy_id AND b.table_id = d.table_id)""",
            [run.started_at, origin, gaming_day],
        )
        connection.execute(
            """CREATE OR REPLACE TEMP TABLE to_file AS
               SELECT b.*, coalesce(d.first_seen, ?) AS first_seen
               FROM batch_rows b LEFT JOIN discrepancies d
                 ON d.discrepancy_id = b.discrepancy_id AND d.table_id = b.table_id
               WHERE d.discrepancy_id IS NULL OR d.fixed_at IS NOT NULL
                  OR (d.origin = b.origin AND d.sentence <> b.sentence)""",
            [run.started_at],
        )
        connection.execute(
            """DELETE FROM discrepancies d USING to_file f
               WHERE f.discrepancy_id = d.discrepancy_id AND f.table_id = d.table_id"""
        )
        columns = ", ".join(_COLUMNS)
        connection.execute(
            f"""INSERT INTO discrepancies ({columns}, first_seen, last_seen)
                SELECT {columns}, first_seen, ? FROM to_file""",  # noqa: S608  # the names are ours
            [run.started_at],
        )


def _places(warehouse: Warehouse, keys: list[tuple[str, str]], gaming_day: str) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Game, dealer and time of those of the rounds that are of the day: the others are filed with theirs."""
    query = """SELECT table_id, round_id, game, dealer_id, epoch_us(opened_at) FROM rounds
               WHERE gaming_day = ? AND round_id IN (SELECT unnest(?::VARCHAR[]))"""
    rows = warehouse.connection.execute(query, [gaming_day, [round_id for _, round_id in keys]]).fetchall()
    return {(table_id, round_id): tuple(place) for table_id, round_id, *place in rows}


def _key(finding: Finding) -> tuple[str, str]:
    return finding.table_id, finding.discrepancy.round_id


def _row(finding: Finding, gaming_day: str, places: dict[tuple[str, str], tuple[Any, ...]], origin: str) -> Row:
    game, dealer_id, opened_at = places[_key(finding)]

    return discrepancy_row(finding.table_id, gaming_day, game, dealer_id, finding.discrepancy, opened_at, origin)
