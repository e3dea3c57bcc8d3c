"""`roundaudit rounds`, `discrepancies`, `report` and `nightly`: what the warehouse knows, and the run that fills it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import typer

from console import settings
from console.asking import Asked, asking, filters_of
from console.commands.options import Data, DayBegins, Kafka, KafkaFile, MoreGames, TimeZone, checked_day
from console.commands.showing import show
from console.progress import counting
from console.queries import NO_LIMIT, Row, Snapshot
from console.rows import Column, plain, print_csv, print_json, print_table
from events.errors import BadInput
from pipelines import night, run
from pipelines.reports import discrepancies as discrepancy_report
from pipelines.reports import formats
from pipelines.reports.discrepancies import DiscrepancyReport, Total
from pipelines.warehouse.filters import Filters
from pipelines.warehouse.store import product_version
from processors.kernel.money import money_text

SHOWN_ROWS: Final = 1000
"""Rows of a table that a person is shown; --json and --csv give all."""
COULD_NOT_RUN: Final = 2

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Comma-separated values; amounts in minor units.")]
Limit = Annotated[int | None, typer.Option("--limit", help="At most so many rows.", min=1)]

ROUND_COLUMNS: Final = (
    Column("round", "round_id"), Column("table", "table_id", may_go=7), Column("game", "game", may_go=8),
    Column("opened", "opened_at"), Column("last event", "closed_at", may_go=6), Column("dealer", "dealer_id", may_go=2),
    Column("status", "status", may_go=3), Column("wagers", "wagers", right=True, may_go=5),
    Column("stake", "stake_minor", right=True, may_go=4), Column("difference", "delta_minor", right=True, may_go=1),
    Column("discrepancies", "kinds", wraps=True),
)  # fmt: skip
DISCREPANCY_COLUMNS: Final = (
    Column("time", "occurred_at", may_go=2), Column("table", "table_id", may_go=9), Column("dealer", "dealer_id", may_go=7),
    Column("round", "round_id"), Column("wager", "wager_id", may_go=10), Column("patron", "patron_id", may_go=6),
    Column("kind", "kind"), Column("favours", "favours", may_go=8), Column("due", "due_minor", right=True, may_go=5),
    Column("recorded", "recorded_minor", right=True, may_go=4), Column("difference", "delta_minor", right=True, may_go=3),
    Column("what", "sentence", wraps=True), Column("paragraph", "cite_paragraph", may_go=1),
)  # fmt: skip

rounds_app = typer.Typer(rich_markup_mode=None)
rounds_app.command("show")(show)


@rounds_app.callback(invoke_without_command=True)
@asking
def rounds(
    context: typer.Context,
    asked: Asked,
    with_discrepancy: Annotated[bool, typer.Option("--with-discrepancy", help="Only rounds that have one.")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    limit: Limit = None,
    data: Data = None,
) -> None:
    """List the rounds that were going on at a table, at a time, with a dealer or patron, or with a discrepancy.

    Example: roundaudit rounds --table BJ-07 --from 21:00 --to 22:00 --favours patron
    """
    if context.invoked_subcommand:
        _refuse_options_before(context)
        return
    with _open(data) as snapshot:
        filters = filters_of(snapshot, asked, with_discrepancy=with_discrepancy)
        most = _most_rows(limit, as_json, as_csv)
        found = snapshot.rounds(filters, most)
        total = len(found) if len(found) < most else snapshot.count_rounds(filters)
        names = snapshot.round_names()
        _list(found, names, ROUND_COLUMNS, snapshot, "rounds", total, as_json, as_csv, filters)
        wrong = any(row["discrepancies"] for row in found)
        if total > len(found) and not wrong:
            # what is not shown counts as well
            wrong = snapshot.count_rounds(filters._replace(with_discrepancy=True)) > 0
    raise typer.Exit(1 if wrong else 0)


@asking
def discrepancies(
    asked: Asked,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    limit: Limit = None,
    data: Data = None,
) -> None:
    """List every difference between what was recorded and what was due that is not fixed.

    Example: roundaudit discrepancies --day 2026-11-29 --kind payout --favours house
    """
    with _open(data) as snapshot:
        filters = filters_of(snapshot, asked)
        most = _most_rows(limit, as_json, as_csv)
        found = snapshot.discrepancies(filters, most)
        total = len(found) if len(found) < most else snapshot.count_discrepancies(filters)
        names = snapshot.discrepancy_names()
        _list(found, names, DISCREPANCY_COLUMNS, snapshot, "discrepancies", total, as_json, as_csv, filters)
    raise typer.Exit(1 if found else 0)


@asking
def report(
    asked: Asked,
    form: Annotated[str, typer.Option("--format", help="table, csv or html.")] = "table",
    as_json: AsJson = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write it to a file.", metavar="FILE")] = None,
    data: Data = None,
) -> None:
    """Print the discrepancy report: heading, reconciliation, totals by kind, table, dealer and hour, every discrepancy.

    Without --day it is of the day that the last night run reported. A report is made even when nothing happened.

    Example: roundaudit report --day 2026-11-29 --format html --out monday.html
    """
    if form not in ("table", "csv", "html"):
        raise BadInput(f"{form!r} is no format", "--format", "use table, csv or html")
    if as_json and form != "table":
        raise BadInput("a report has one form", "--json, --format", "give one of them")
    chosen = settings.load(data=data)
    with Snapshot(chosen.data, query_seconds=chosen.query_seconds) as snapshot:
        filters = filters_of(snapshot, _of_the_day_reported(snapshot, asked))
        clock = snapshot.clock()
        with snapshot.limited() as connection:
            made = discrepancy_report.make(
                connection, filters, clock, operator=chosen.operator, system=f"roundaudit {product_version()}",
                now=datetime.now(UTC),
            )  # fmt: skip
        if not made.lines:
            _tell_unknown(snapshot, filters)
    if as_json:
        text = json.dumps(formats.to_json(made)) + "\n"
    elif form == "table":
        text = ""
    else:
        text = formats.to_html(made) if form == "html" else formats.to_csv(made)
    if out is not None and text:
        formats.write_text(out, text)
        print(f"{out}: {made.heading.title}, {made.heading.period}; {made.reconciliation}", file=sys.stderr)
    elif text:
        sys.stdout.write(text)
    elif out is not None:
        raise BadInput("a table is for the screen", "--out", "use --format csv or html with it")
    else:
        _print_report(made, ZoneInfo(clock.time_zone))
    raise typer.Exit(1 if made.lines or made.reconciliation.dead or not made.reconciliation.balances else 0)


def nightly(
    day: Annotated[str, typer.Option("--day", help="The gaming day to report, as 2026-11-29.", metavar="DATE")] = "",
    data: Data = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes that replay.", min=1)] = None,
    kafka: Kafka = None,
    kafka_file: KafkaFile = None,
    time_zone: TimeZone = None,
    day_begins: DayBegins = None,
    prefect: Annotated[
        bool,
        typer.Option("--prefect/--no-prefect", help="Run it as a Prefect flow, or its steps alone, which starts at once."),
    ] = True,
    again: Annotated[
        bool, typer.Option("--again", help="Audit the whole log again, as under new rules or a new version.")
    ] = False,
    games: MoreGames = None,
    as_json: AsJson = False,
) -> None:
    """Balance the gaming day: take in what is new in the log, replay, load, check, report, publish the snapshot.

    Running it again changes nothing. Without --day it is the newest gaming day that has ended. Any other day that events
    came for is reported too, but for the one that is going on.

    Example: roundaudit nightly --day 2026-11-29 --time-zone America/Chicago --day-begins 6
    """
    chosen = settings.load(
        data=data, workers=workers, kafka=kafka, kafka_file=kafka_file, time_zone=time_zone, day_begins_hour=day_begins,
    )  # fmt: skip
    plan = night.Plan(
        chosen.data,
        checked_day(day),
        chosen.clock,
        chosen.operator,
        chosen.workers,
        chosen.kafka,
        chosen.kafka_file,
        tuple(games or ()),
        again,
    )
    plan.log_opener()
    _tell_another_clock(plan)
    with counting("Auditing") as watch:
        ended = run.nightly(plan, watch, prefect=prefect)
    if as_json:
        print(json.dumps(night.as_json(ended)))
    else:
        print(f"{ended.outcome}: gaming day {ended.gaming_day or '(none)'}, {ended.reconciliation}")
        rounds = "and all of the log audited again: {:,} rounds written" if again else "{:,} rounds audited"
        print(
            f"{ended.entries:,} new events, {rounds.format(ended.rounds)}; {ended.discrepancies:,} discrepancies on the day"
        )
        for other in ended.other_days:
            print(
                f"also reported, events of it came in this run: gaming day {plain(other.gaming_day)}, "
                f"{other.reconciliation}; {other.discrepancies:,} discrepancies"
            )
        for path in (*ended.report_files, ended.snapshot):
            print(path)
    raise typer.Exit(0 if ended.outcome == "BALANCED" else 1)


def _tell_another_clock(plan: night.Plan) -> None:
    """A run that was not told the property's clock moves rounds to other days: that is to be seen."""
    try:
        with Snapshot(plan.data) as snapshot:
            before = snapshot.clock()
    except BadInput:
        return  # there is none yet, or one that this run replaces
    if before != plan.clock:
        was, now = (f"{clock.time_zone} with days from {clock.day_begins_hour:02}:00" for clock in (before, plan.clock))
        print(f"the property's clock is {now} in this run; it was {was} in the last one", file=sys.stderr)


def _refuse_options_before(context: typer.Context) -> None:
    """Of `rounds --data DIR show ROUND`, show would not hear the folder and show a round of another one."""
    if any(context.params.values()):
        raise BadInput(
            f"options of the listing stand before {context.invoked_subcommand}",
            "rounds",
            f"write options after the round, as in roundaudit rounds {context.invoked_subcommand} ROUND --data DIR",
        )


def _open(data: Path | None) -> Snapshot:
    chosen = settings.load(data=data)
    return Snapshot(chosen.data, query_seconds=chosen.query_seconds)


def _of_the_day_reported(snapshot: Snapshot, asked: Asked) -> Asked:
    """A report that names neither a day nor times is of the day that the last night run reported."""
    return asked if asked.day or asked.since or asked.until else replace(asked, day=snapshot.reported_day())


def _most_rows(limit: int | None, as_json: bool, as_csv: bool) -> int:
    """How many rows a listing has at most. Raises BadInput where it is asked for in two forms."""
    if as_json and as_csv:
        raise BadInput("a listing has one form", "--json, --csv", "give one of them")
    return limit or (NO_LIMIT if as_json or as_csv else SHOWN_ROWS)


def _list(
    found: Sequence[Row],
    names: Sequence[str],
    columns: Sequence[Column],
    snapshot: Snapshot,
    what: str,
    total: int,
    as_json: bool,
    as_csv: bool,
    filters: Filters,
) -> None:
    if as_json:
        print_json(found)
    elif as_csv:
        print_csv(found, names)
    else:
        zone = ZoneInfo(snapshot.clock().time_zone)
        if found:
            print_table(found, columns, zone)
        count = f"{total:,} {what}" if total <= len(found) else f"the first {len(found):,} of {total:,} {what}"
        print(f"{count}; filters: {plain(filters.words(zone))}", file=sys.stderr)
    if not found:
        _tell_unknown(snapshot, filters)


def _tell_unknown(snapshot: Snapshot, filters: Filters) -> None:
    """A name that is misspelt must not pass for a table where all is well."""
    unknown = snapshot.unknown(filters)
    if unknown:
        print(f"the snapshot has no round of {plain(', '.join(unknown))}", file=sys.stderr)


def _print_report(made: DiscrepancyReport, zone: ZoneInfo) -> None:
    for name, said in made.heading.lines():
        print(f"{name:<18} {said}")
    print(f"{'Reconciliation':<18} {made.reconciliation}")
    print(f"{'Rounds, wagers':<18} {made.rounds:,}, {made.wagers:,}")
    if made.is_empty:
        print(f"\n{discrepancy_report.NO_ACTIVITY}")
        return
    for word, totals in (
        ("kind", made.by_kind),
        ("table", made.by_table),
        ("dealer", made.by_dealer),
        ("hour", made.by_hour),
        ("grand total", made.grand),
    ):
        if totals:
            print()
            print_table([_total_row(total, word) for total in totals], _total_columns(word), zone)
    if made.lines:
        print()
        rows: list[dict[str, Any]] = [
            {**line._asdict(), "patron_id": "", "occurred_at": line.occurred_at.astimezone(UTC).replace(tzinfo=None)}
            for line in made.lines
        ]
        print_table(rows, [column for column in DISCREPANCY_COLUMNS if column.key != "patron_id"], zone)
    else:
        print("\nNo discrepancies.")


def _total_columns(word: str) -> Sequence[Column]:
    return (
        Column(f"by {word}" if word != "grand total" else word, "name"), Column("currency", "currency"),
        Column("discrepancies", "found", right=True), Column("over", "over", right=True),
        Column("under", "under", right=True),
    )  # fmt: skip


def _total_row(total: Total, word: str) -> Row:
    return {**total._asdict(), "over": money_text(total.over_minor), "under": money_text(total.under_minor), "word": word}
