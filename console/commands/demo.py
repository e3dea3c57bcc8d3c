"""`roundaudit demo`: a simulated gaming day, the night run, the report, and whether every planted mistake was found."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from console.progress import counting, track_rounds
from pipelines import night, run
from pipelines.reports import discrepancies
from pipelines.reports.discrepancies import DiscrepancyReport, Total
from pipelines.simulate import answer_key, written
from pipelines.simulate.answer_key import Comparison
from pipelines.simulate.floor import Plan, Simulation
from pipelines.warehouse.filters import Filters
from pipelines.warehouse.snapshot import open_snapshot
from pipelines.warehouse.store import product_version
from processors.kernel.money import money_text

PLAN = Plan(tables=10, rounds=1200, seed=1, mistakes=0.18)
LARGEST = 5
LAST_HOUR = 23


class _Found(NamedTuple):
    """What of a discrepancy in the warehouse is held against the key."""

    round_id: str
    kind: str
    wager_id: str
    due_minor: int
    recorded_minor: int


def demo(
    folder: Annotated[
        Path,
        typer.Option("--dir", help="The folder for all of it; one that an earlier demo made is replaced.", metavar="DIR"),
    ] = Path("demo"),
    seed: Annotated[int, typer.Option("--seed", help="Another seed deals another day.")] = PLAN.seed,
    tables: Annotated[int, typer.Option("--tables", help="Tables in all.")] = PLAN.tables,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds in all.")] = PLAN.rounds,
) -> None:
    """Show the whole product on one simulated gaming day, in well under a minute and without any server.

    Exit code 0 when every planted mistake was found and none was invented, else 1.

    Example: roundaudit demo --seed 7
    """
    plan = PLAN._replace(seed=seed, tables=tables, rounds=rounds)
    written.clear(folder)
    _deal(plan, folder)
    nightly = night.Plan(folder, plan.gaming_day, plan.clock, operator="demo")
    started = time.monotonic()
    with counting("Auditing") as watch:
        ended = run.nightly(nightly, watch)
    typer.echo(
        f"2. The night run replayed every round under the rules of its gaming day, checked the day and loaded the\n"
        f"   warehouse{_took(started)}: {ended.reconciliation}."
    )
    report, found = _read(nightly)
    _show(report)
    typer.echo(f"   As a page: {next(path for path in ended.report_files if path.suffix == '.html')}")
    comparison = answer_key.compare(found, answer_key.read(folder / answer_key.FILE_NAME))
    _judge(comparison)
    _suggest(folder, plan, report)
    raise typer.Exit(0 if comparison.reproduced else 1)


def _games_words(games: Sequence[str]) -> str:
    named = [f"{game} ({place})" if place else game for game, _, place in (written.partition("@") for written in games)]
    words = [name.replace("_", " ") for name in named]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _deal(plan: Plan, folder: Path) -> None:
    simulation = Simulation(plan)
    started = time.monotonic()
    events = written.write(simulation, folder, watch=partial(track_rounds, total=plan.rounds, words="Dealing"))
    day = f"{date.fromisoformat(plan.gaming_day):%A}, {plan.gaming_day}"
    typer.echo(
        f"1. The day: {plan.tables} tables of {_games_words(plan.games)}\n"
        f"   dealt {simulation.rounds:,} rounds of {day}:\n"
        f"   {events:,} events in {folder / written.ARCHIVE}{_took(started)}.\n"
        f"   In {sum(simulation.mistakes.values())} rounds one mistake was planted, of {len(simulation.mistakes)} sorts.\n"
        f"   What must be found stands in the answer key, which the auditor never sees: {folder / answer_key.FILE_NAME}"
    )
    if simulation.not_shown:
        typer.echo(f"   Not shown, for want of rounds: {', '.join(simulation.not_shown)}.")


def _read(nightly: night.Plan) -> tuple[DiscrepancyReport, list[_Found]]:
    """The report and the discrepancies, as anybody reads them: from the snapshot."""
    connection: Any = open_snapshot(nightly.warehouse)
    try:
        report = discrepancies.make(
            connection,
            Filters(gaming_day=nightly.gaming_day),
            nightly.clock,
            operator=nightly.operator,
            system=f"roundaudit {product_version()}",
            now=datetime.now(UTC),
        )
        # of every day: what was found outside of the simulated day was invented as well
        rows = connection.execute(f"SELECT {', '.join(_Found._fields)} FROM open_discrepancies").fetchall()  # noqa: S608  # names are ours
    finally:
        connection.close()
    return report, [_Found._make(row) for row in rows]


def _show(report: DiscrepancyReport) -> None:
    typer.echo(f"3. The discrepancy report, {len(report.lines)} discrepancies in {report.rounds:,} rounds:")
    kinds = Table(box=box.SIMPLE, pad_edge=False)
    for heading in ("kind", "count", "given too much", "given too little"):
        kinds.add_column(heading, justify="left" if heading == "kind" else "right")
    for name in dict.fromkeys(total.name for total in report.by_kind):
        kinds.add_row(name, *_sums(total for total in report.by_kind if total.name == name))
    kinds.add_section()
    kinds.add_row("all", *_sums(report.grand))
    Console(highlight=False).print(kinds)
    typer.echo(f"   The {LARGEST} largest:")
    for line in sorted(report.lines, key=lambda line: -abs(line.delta_minor))[:LARGEST]:
        cite = f" [{line.cite}]" if line.cite else ""
        typer.echo(f"   {line.occurred_at:%H:%M} {line.round_id} {line.kind}: {line.sentence}{cite}")


def _judge(comparison: Comparison) -> None:
    typer.echo(f"4. Against the answer key: {comparison}.")
    for line in comparison.missing:
        typer.echo(f"   missing: {line.kind} in {line.round_id} {line.wager_id}. {line.done}")
    for one in comparison.invented:
        typer.echo(f"   invented: {one.kind} in {one.round_id} {one.wager_id}")
    for wrong in comparison.wrong_amounts:
        about = f"{wrong.expected.kind} in {wrong.expected.round_id} {wrong.expected.wager_id}"
        typer.echo(
            f"   wrong amounts: {about}: due {money_text(wrong.due_minor)}, recorded {money_text(wrong.recorded_minor)}; "
            f"the key has {money_text(wrong.expected.due_minor)} and {money_text(wrong.expected.recorded_minor)}"
        )


def _suggest(folder: Path, plan: Plan, report: DiscrepancyReport) -> None:
    """The three questions of surveillance, the night and a dispute, put to this day."""
    overpaid = [line for line in report.lines if line.kind == "OVERPAID"]
    line = max(overpaid or report.lines, key=lambda line: line.delta_minor, default=None)
    typer.echo("Next:")
    if line is not None:
        hour = line.occurred_at.hour
        until = f" --to {hour + 1:02d}:00" if hour < LAST_HOUR else ""
        typer.echo(
            f"   roundaudit rounds --data {folder} --table {line.table_id} --from {hour:02d}:00{until} --kind {line.kind}"
        )
        typer.echo(f"   roundaudit rounds show {line.round_id} --explain --data {folder}")
    typer.echo(f"   roundaudit discrepancies --data {folder} --day {plan.gaming_day} --favours patron")


def _sums(totals: Iterable[Total]) -> tuple[str, str, str]:
    """Count, too much and too little. The day has one currency: a round whose opening was lost has none and no amounts."""
    found = over = under = 0
    for total in totals:
        found, over, under = found + total.found, over + total.over_minor, under + total.under_minor
    return f"{found:,}", _amount(over), _amount(-under)


def _amount(minor: int) -> str:
    return money_text(minor) if minor else "-"


def _took(started: float) -> str:
    return f" ({time.monotonic() - started:.1f} s)"
