"""The steps of the night run, each on its own: take in what is new in the log, check the days it touched, report, publish.

Every step opens the warehouse for itself and leaves it whole, so any of them can be run again. `pipelines.flows.nightly`
runs them as tasks of a Prefect flow; `run` here runs them one after the other.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from events.archive import Archive
from events.errors import BadInput
from events.log import Log
from events.times import is_day
from pipelines.parallel import Job, OpenLog, audit_spans
from pipelines.reports import discrepancies, formats
from pipelines.reports.discrepancies import DiscrepancyReport
from pipelines.warehouse.day import check_day, take_back_carried
from pipelines.warehouse.filters import IS_DAY, Filters
from pipelines.warehouse.loader import Loader
from pipelines.warehouse.store import OUTCOMES, Run, Warehouse, product_version
from processors import rulebook
from processors.checks import PropertyClock
from processors.rulebook import Rulebook

ARCHIVE: Final = "archive"
WAREHOUSE: Final = "warehouse.duckdb"
REPORTS: Final = "reports"

Watch = Callable[[int, int], None]
"""Told how many of how many entries of the log have been taken in."""


class Plan(NamedTuple):
    """What a night run is given.

    `data` is the folder with the archive, the warehouse and the reports; `kafka` the bootstrap servers where the log is a
    Kafka instead, and `kafka_file` says how to get in; `gaming_day` the day to report, empty for the newest that has ended;
    `again` audits the log from its start under the present rules.
    """

    data: Path
    gaming_day: str = ""
    clock: PropertyClock = PropertyClock()
    operator: str = ""
    workers: int = 1
    kafka: str = ""
    kafka_file: Path | None = None
    extra_games: tuple[Path, ...] = ()
    again: bool = False

    @property
    def warehouse(self) -> Path:
        """Where the warehouse stands."""
        return self.data / WAREHOUSE

    @property
    def log_name(self) -> str:
        """The name of the log in the ledger: it stays the same when a folder or a broker is moved."""
        return "kafka" if self.kafka else ARCHIVE

    def log_opener(self) -> OpenLog:
        """Opens the log, here or in a worker process. Raises BadInput where there is none."""
        if self.kafka:
            return partial(_open_kafka, self.kafka, self.kafka_file)
        if not (self.data / ARCHIVE).is_dir():
            raise BadInput(
                "there is no archive to read",
                str(self.data / ARCHIVE),
                "take events in with roundaudit ingest --to, or name the Kafka that has them in ROUNDAUDIT_KAFKA",
            )
        return partial(Archive, self.data / ARCHIVE)

    def open(self) -> Warehouse:
        """Open the warehouse."""
        return Warehouse(self.warehouse, self.clock, log_name=self.log_name)


class TakenIn(NamedTuple):
    """What taking in came to: new `entries`, `rounds` written, new `dead` letters.

    `gaming_days` are those that got new rounds or events, or other verdicts.
    """

    run: Run
    entries: int
    rounds: int
    dead: int
    gaming_days: tuple[str, ...]


class DayReported(NamedTuple):
    """How a gaming day stands; `outcome` is one of `pipelines.warehouse.store.OUTCOMES`."""

    gaming_day: str
    outcome: str
    discrepancies: int
    reconciliation: str


class Reported(NamedTuple):
    """What was reported: `made` of the day to report, which is the first of `days`, and the `files` that were written.

    The other days are only summed up: there may be a year of them.
    """

    made: DiscrepancyReport
    days: tuple[DayReported, ...]
    files: tuple[Path, ...]


class Night(NamedTuple):
    """How a night run ended. `report_files` are what it wrote; `balances` is whether every event is accounted for.

    `outcome` is one of `pipelines.warehouse.store.OUTCOMES`, of `gaming_day` and of the `other_days` together.
    """

    run_id: str
    gaming_day: str
    outcome: str
    entries: int
    rounds: int
    dead: int
    discrepancies: int
    reconciliation: str
    balances: bool
    report_files: tuple[Path, ...]
    snapshot: Path
    other_days: tuple[DayReported, ...] = ()


def take_in(plan: Plan, watch: Watch | None = None, book: Rulebook | None = None) -> TakenIn:
    """Read what is new in the log, replay it and load it; then, where the plan says so, audit all of the log again.

    Killed in between, the next run goes on where this one stood. `book` saves loading the rules again where the caller
    has them.
    """
    opener = plan.log_opener()
    book = book or rulebook.load(plan.extra_games)
    log = opener()
    try:
        with plan.open() as warehouse:
            new = warehouse.spans(log.end_offsets())
            whole = [span._replace(start=0, carried=()) for span in new]
            run = warehouse.begin_run(
                plan.gaming_day, whole if plan.again else new, plan.operator, book.digest, book.code_digest
            )
            # what is new is counted once, when it is taken in; only then is there anything to audit again
            readings = [(new, False), (whole, True)] if plan.again else [(new, False)]
            total = sum(span.end - span.start for spans, _ in readings for span in spans)
            read = entries = rounds = dead = 0
            days: set[str] = set()
            try:
                for spans, again in readings:
                    loader = Loader(warehouse, run, log, book, again=again)
                    job = Job(opener, plan.clock, plan.extra_games)
                    for batch in audit_spans(job, spans, workers=plan.workers, book=book):
                        loaded = loader.load(batch)
                        read, rounds, days = read + loaded.entries, rounds + loaded.rounds, days | loaded.gaming_days
                        if not again:
                            entries, dead = entries + loaded.entries, dead + loaded.dead
                        if watch:
                            watch(read, total)
            except Exception as fault:
                with contextlib.suppress(BadInput):  # on a full disk the ledger cannot be written either
                    warehouse.end_run(run, "FAILED", str(fault), (entries, rounds, dead, 0))
                raise
    finally:
        log.close()
    return TakenIn(run, entries, rounds, dead, tuple(sorted(days)))


def check(plan: Plan, taken: TakenIn) -> tuple[str, ...]:
    """Check the days that were touched and the day to report. Return the latter, and after it the other days to report.

    An event that comes late changes a day whose report is out already, so that report is made again. The day that is still
    going on has its turn when it has ended.
    """
    with plan.open() as warehouse:
        day = plan.gaming_day or _newest_day(warehouse)
        warehouse.date_undated(day)
        touched = {*taken.gaming_days, *warehouse.unchecked_days()} - {"", day}
        for checked in sorted({*touched, day} - {""}):
            check_day(warehouse, taken.run, checked)
        touched |= take_back_carried(warehouse, taken.run)
    return day, *sorted(touched - {day, _today(plan.clock)})


def report(plan: Plan, days: Sequence[str]) -> Reported:
    """Write the report of each day as HTML and CSV. Of a gaming day that is none of the calendar there is no file."""
    reported: list[DayReported] = []
    files: list[Path] = []
    first: DiscrepancyReport | None = None
    with plan.open() as warehouse:
        for day in days:
            made = discrepancies.make(
                warehouse.connection,
                Filters(gaming_day=day),
                plan.clock,
                operator=plan.operator,
                system=f"roundaudit {product_version()}",
                now=datetime.now(UTC),
            )
            first = first or made
            reported.append(DayReported(day, _outcome(made), len(made.lines), str(made.reconciliation)))
            if not day or is_day(day):
                name = plan.data / REPORTS / (day or "no-activity")
                for path, text in ((name.with_suffix(".html"), formats.to_html), (name.with_suffix(".csv"), formats.to_csv)):
                    formats.write_text(path, text(made))
                    files.append(path)
    assert first is not None  # noqa: S101  # there is always a day to report, if only ""
    return Reported(first, tuple(reported), tuple(files))


def publish(plan: Plan, taken: TakenIn, reported: Reported) -> Night:
    """Close the run in the ledger and publish the snapshot."""
    day, *others = reported.days
    with plan.open() as warehouse:
        entries, audited, dead, still_open = warehouse.balance()
        outcomes = {of_day.outcome for of_day in reported.days}
        if entries != audited + dead + still_open:
            outcomes.add("UNBALANCED")
        outcome = max(outcomes, key=OUTCOMES.index)
        counts = taken.entries, taken.rounds, taken.dead, day.discrepancies
        message = "; ".join([day.reconciliation, *(f"{other.gaming_day}: {other.reconciliation}" for other in others)])
        warehouse.end_run(taken.run, outcome, message, counts, day.gaming_day)
        snapshot = warehouse.publish()
    return Night(
        taken.run.run_id, day.gaming_day, outcome, taken.entries, taken.rounds, taken.dead, day.discrepancies,
        day.reconciliation, outcome != "UNBALANCED", reported.files, snapshot, tuple(others),
    )  # fmt: skip


def run(plan: Plan, watch: Watch | None = None, book: Rulebook | None = None) -> Night:
    """All steps, one after the other. Raises BadInput where one cannot be done; the old snapshot then stands."""
    taken = take_in(plan, watch, book)
    return publish(plan, taken, report(plan, check(plan, taken)))


def _outcome(made: DiscrepancyReport) -> str:
    if not made.reconciliation.balances:
        return "UNBALANCED"
    if made.lines:
        return "DISCREPANCIES"
    # bytes that nobody could read may have been anything: such a day adds up, but it is not in order
    return "DEAD_LETTERS" if made.reconciliation.dead else "BALANCED"


def as_json(night: Night) -> Mapping[str, Any]:
    """A night as plain values."""
    return {
        **night._asdict(),
        "report_files": [str(path) for path in night.report_files],
        "snapshot": str(night.snapshot),
        "other_days": [other._asdict() for other in night.other_days],
    }


def from_json(values: Mapping[str, Any]) -> Night:
    """A night from its plain values."""
    files = tuple(Path(path) for path in values["report_files"])
    others = tuple(DayReported(**other) for other in values["other_days"])
    return Night(**{**values, "report_files": files, "snapshot": Path(values["snapshot"]), "other_days": others})


def _newest_day(warehouse: Warehouse) -> str:
    """The newest gaming day that has ended by the property's clock; where none has, the newest."""
    today = _today(warehouse.clock)
    query = f"""SELECT coalesce(max(gaming_day) FILTER (gaming_day < ?), max(gaming_day), '') FROM
               (SELECT gaming_day FROM rounds UNION ALL SELECT gaming_day FROM dead_letters)
               WHERE {IS_DAY}"""  # noqa: S608  # a constant of ours
    row = warehouse.connection.execute(query, [today]).fetchone()
    return str(row[0]) if row else ""


def _today(clock: PropertyClock) -> str:
    """The gaming day that is going on."""
    return clock.gaming_day(int(datetime.now(UTC).timestamp()) * 1_000_000)


def _open_kafka(bootstrap: str, file: Path | None) -> Log:
    from events.kafka_log import KafkaLog, read_settings  # only who reads a Kafka waits for its client to load

    return KafkaLog(read_settings(bootstrap, file))
