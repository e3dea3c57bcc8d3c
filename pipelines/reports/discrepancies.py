"""The discrepancy report: every difference of a period, its totals by kind, table, dealer and hour, and the reconciliation.

Its definition version goes up when a column, a total or the meaning of one changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol
from zoneinfo import ZoneInfo

from pipelines.reports.heading import Heading, Reconciliation
from pipelines.warehouse.filters import Filters
from processors.checks import PropertyClock
from processors.kernel.citation import Citation
from processors.rules.documents import cited

TITLE: Final = "Discrepancy report"
DEFINITION: Final = "discrepancies 1"
NO_ACTIVITY: Final = "No Activity"


class Connection(Protocol):
    """What is asked of a DuckDB connection."""

    def execute(self, query: str, parameters: object = None) -> Any:
        """Run a query with its values."""


class Line(NamedTuple):
    """A discrepancy as the report lists it; times are the property's local ones, with their offset."""

    discrepancy_id: str
    occurred_at: datetime
    gaming_day: str
    table_id: str
    game: str
    dealer_id: str
    round_id: str
    wager_id: str
    kind: str
    severity: str
    favours: str
    currency: str
    due_minor: int
    recorded_minor: int
    delta_minor: int
    sentence: str
    cite_document: str
    cite_paragraph: str
    rests_on: Sequence[int]
    origin: str
    first_seen: datetime
    last_seen: datetime

    @property
    def cite(self) -> str:
        """The paragraph as people write it, or nothing."""
        return cited(Citation(self.cite_document, self.cite_paragraph))


class Total(NamedTuple):
    """How many discrepancies a kind, table, dealer or hour has in a currency, and how much too much and too little was paid.

    `over_minor` adds the positive deltas (recorded more than due), `under_minor` the negative ones.
    """

    name: str
    currency: str
    found: int
    over_minor: int
    under_minor: int


class DiscrepancyReport(NamedTuple):
    """The report as data; the formats are in `formats`. `rounds` counts the rounds of the period."""

    heading: Heading
    rounds: int
    wagers: int
    lines: Sequence[Line]
    by_kind: Sequence[Total]
    by_table: Sequence[Total]
    by_dealer: Sequence[Total]
    by_hour: Sequence[Total]
    grand: Sequence[Total]
    reconciliation: Reconciliation

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in the period: the report is made all the same (811a.9(b))."""
        return self.rounds == 0 and not self.lines and self.reconciliation.events_in == 0


def make(
    connection: Connection, filters: Filters, clock: PropertyClock, *, operator: str, system: str, now: datetime
) -> DiscrepancyReport:
    """Make the report from a warehouse or its snapshot. `now` with its offset."""
    zone = ZoneInfo(clock.time_zone)
    condition, values = filters.of_discrepancies()
    query = f"""SELECT {", ".join(f"d.{name}" for name in Line._fields)} FROM open_discrepancies d WHERE {condition}
                ORDER BY d.occurred_at, d.table_id, d.round_id, d.wager_id, d.kind"""  # noqa: S608  # names and conditions are ours
    lines = _in_currency([_local(Line._make(row), zone) for row in connection.execute(query, values).fetchall()])
    condition, values = filters.of_rounds()
    rounds, wagers = connection.execute(
        f"SELECT count(*), coalesce(sum(r.wagers), 0) FROM rounds r WHERE {condition}",  # noqa: S608  # the conditions are ours
        values,
    ).fetchone()
    heading = Heading(
        TITLE,
        system,
        DEFINITION,
        _period(filters, zone),
        now.astimezone(zone),
        clock.time_zone,
        filters.words(zone),
        operator,
    )
    hours = clock.day_begins_hour
    return DiscrepancyReport(
        heading,
        rounds,
        int(wagers),
        lines,
        _totals(lines, lambda line: line.kind),
        _totals(lines, lambda line: line.table_id),
        _totals(lines, lambda line: line.dealer_id or "(none)"),
        sorted(_totals(lines, lambda line: f"{line.occurred_at:%H}:00"), key=lambda t: ((int(t.name[:2]) - hours) % 24, t)),
        _totals(lines, lambda _: "All"),
        reconcile(connection, filters.gaming_day),
    )


def reconcile(connection: Connection, gaming_day: str) -> Reconciliation:
    """The reconciliation of a gaming day, or of all that was ever read where none is named."""
    query = """SELECT sum(events_in), sum(events_audited), sum(events_dead), sum(events_open) FROM reconciliation
               WHERE ? IN ('', gaming_day)"""
    return Reconciliation(*(int(n or 0) for n in connection.execute(query, [gaming_day]).fetchone()))


def _local(line: Line, zone: ZoneInfo) -> Line:
    return line._replace(
        occurred_at=line.occurred_at.replace(tzinfo=UTC).astimezone(zone),
        first_seen=line.first_seen.replace(tzinfo=UTC).astimezone(zone),
        last_seen=line.last_seen.replace(tzinfo=UTC).astimezone(zone),
    )


def _in_currency(lines: list[Line]) -> list[Line]:
    """A round without its RoundOpened names no currency: where the report knows one only, it is that."""
    (currency, *others) = sorted({line.currency for line in lines} - {""}) or [""]
    return lines if others else [line._replace(currency=currency) for line in lines]


def _period(filters: Filters, zone: ZoneInfo) -> str:
    parts = [f"gaming day {filters.gaming_day}"] if filters.gaming_day else []
    for word, moment in (("from", filters.since), ("to", filters.until)):
        if moment:
            parts.append(f"{word} {moment.replace(tzinfo=UTC).astimezone(zone):%Y-%m-%d %H:%M}")
    return " ".join(parts) or "all gaming days loaded"


def _totals(lines: Iterable[Line], name: Callable[[Line], str]) -> list[Total]:
    counts: Counter[tuple[str, str]] = Counter()
    over: Counter[tuple[str, str]] = Counter()
    under: Counter[tuple[str, str]] = Counter()
    for line in lines:
        key = (name(line), line.currency)
        counts[key] += 1
        (over if line.delta_minor > 0 else under)[key] += line.delta_minor
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [Total(*key, count, over[key], under[key]) for key, count in ranked]
