"""`roundaudit simulate` and `ingest`: where a log comes from."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from console import settings
from console.commands.options import DayBegins, KafkaFile, Scripts, TimeZone
from console.progress import track_rounds
from events.archive import DEFAULT_PARTITIONS, Archive
from events.errors import BadInput
from events.intake import scripts_in
from events.log import Log
from pipelines.ingest import ingest as take_in
from pipelines.simulate import written
from pipelines.simulate.answer_key import FILE_NAME as ANSWER_KEY
from pipelines.simulate.floor import Plan, Simulation

PLAN = Plan()


def simulate(
    out: Annotated[Path, typer.Option("--out", help="The new folder for the log and the answer key.", metavar="DIR")],
    tables: Annotated[int, typer.Option("--tables", help="Tables in all, shared out over the games.")] = PLAN.tables,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds in all.")] = PLAN.rounds,
    seed: Annotated[int, typer.Option("--seed", help="The same seed deals the same day.")] = PLAN.seed,
    mistakes: Annotated[
        float, typer.Option("--mistakes", help="The share of rounds with a mistake, as 0.05 for one in twenty.")
    ] = PLAN.mistakes,
    games: Annotated[str, typer.Option("--games", help="Which games, with commas.")] = ",".join(PLAN.games),
    day: Annotated[str, typer.Option("--day", help="The gaming day.", metavar="DATE")] = PLAN.gaming_day,
    time_zone: TimeZone = None,
    day_begins: DayBegins = None,
    json_lines: Annotated[bool, typer.Option("--json-lines", help="Also write the events as a script.")] = False,
) -> None:
    """Deal a gaming day of house-correct rounds, plant mistakes in some, and write the log and the answer key.

    The key has one line for every discrepancy that an audit must find, and it must find no other.

    Example: roundaudit simulate --tables 10 --rounds 1500 --seed 7 --mistakes 0.05 --out monday
    """
    chosen = [name.strip() for name in games.split(",") if name.strip()]
    clock = settings.load(time_zone=time_zone, day_begins_hour=day_begins).clock
    plan = Plan(tables, rounds, seed, mistakes, chosen, day, PLAN.currency, clock)
    simulation = Simulation(plan)
    events = written.write(
        simulation, out, json_lines=json_lines, watch=partial(track_rounds, total=rounds, words="Dealing")
    )
    typer.echo(f"{out / written.ARCHIVE}: {events:,} events of {simulation.rounds:,} rounds at {min(tables, rounds)} tables")
    typer.echo(_planted_words(simulation, out))


def ingest(
    files: Scripts,
    to: Annotated[
        Path | None, typer.Option("--to", help="The folder whose archive takes the events.", metavar="DIR")
    ] = None,
    kafka: Annotated[str | None, typer.Option("--kafka", help="Or a Kafka that takes them.", metavar="BOOTSTRAP")] = None,
    kafka_file: KafkaFile = None,
) -> None:
    """Take events from scripts into a log. Bad lines are told, kept as *.rejected.jsonl, and the rest goes on.

    Exit code 2 where a line or a script was not taken, else 0. Taken twice, events are reported as duplicates.

    Example: roundaudit ingest tonight.jsonl --to data
    """
    if (to is None) == (kafka is None):
        raise BadInput("a log to write to is needed, and one only", "ingest", "give --to DIR or --kafka BOOTSTRAP")
    log, rejects = _log(to, kafka, kafka_file)
    events = bad = refused = 0
    try:
        for script in take_in(scripts_in(files), log, rejects, _tell):
            events += script.events
            bad += script.bad
            refused += script.refused is not None
            kept = f", {script.bad:,} bad (kept in {script.kept_in})" if script.bad else ""
            typer.echo(f"{script.script}: {script.events:,} events{kept}")
    finally:
        log.close()
    typer.echo(f"{log.name}: {events:,} events taken, {bad:,} bad lines, {refused} files refused")
    raise typer.Exit(2 if bad or refused else 0)


def _log(to: Path | None, kafka: str | None, kafka_file: Path | None) -> tuple[Log, Path]:
    """The log to write to, and the folder for what is bad."""
    if to is not None:
        return Archive(to / written.ARCHIVE, DEFAULT_PARTITIONS), to
    from events.kafka_log import KafkaLog, read_settings  # only who uses a Kafka waits for its client to load

    chosen = settings.load(kafka=kafka, kafka_file=kafka_file)
    return KafkaLog(read_settings(chosen.kafka, chosen.kafka_file)), Path()


def _tell(fault: BadInput) -> None:
    print(f"roundaudit: {fault}", file=sys.stderr)


def _planted_words(simulation: Simulation, out: Path) -> str:
    total = sum(simulation.mistakes.values())
    kinds = Counter(line.kind for line in simulation.key)
    lines = [
        f"{out / ANSWER_KEY}: {total} rounds with a planted mistake, {len(simulation.key)} discrepancies to find",
        "  " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) if kinds else "",
    ]
    if simulation.not_shown and total:
        lines.append(f"  not shown, the day is too small for it: {', '.join(simulation.not_shown)}")
    return "\n".join(line for line in lines if line)
