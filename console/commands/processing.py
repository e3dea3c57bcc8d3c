"""`roundaudit process` and `redrive`: audits on Kafka as rounds close, and dead letters sent again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from console import settings as house
from console.commands.options import Kafka, KafkaFile, MoreGames
from events.errors import BadInput

if TYPE_CHECKING:
    from events.kafka_log import KafkaSettings
    from pipelines.process import Summary

Group = Annotated[str, typer.Option("--group", help="The consumer group that shares the work.")]


def process(
    kafka: Kafka = None,
    kafka_file: KafkaFile = None,
    group: Group = "roundaudit",
    instance: Annotated[str, typer.Option("--instance", help="Which of the group this is; the same at each start.")] = "1",
    until_idle: Annotated[
        float | None, typer.Option("--until-idle", help="Stop when nothing came for so long.", metavar="SECONDS", min=0)
    ] = None,
    create_topics: Annotated[
        int | None, typer.Option("--create-topics", help="Make the topics that are missing.", metavar="PARTITIONS", min=1)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="What was done, as one JSON line.")] = False,
    games: MoreGames = None,
) -> None:
    """Audit each round as it closes: consume round-events, produce round-audits, each audit exactly once.

    Runs until it is stopped (Ctrl-C, SIGTERM). Kill it anywhere: it goes on where the log says.

    Example: roundaudit process --kafka 127.0.0.1:9092 --create-topics 4
    """
    # only who uses a Kafka waits for its client to load
    from events.kafka_log import create_topics as make_topics
    from pipelines.process import ProcessSettings, run

    where = _settings(kafka, kafka_file)
    if create_topics is not None:
        made = make_topics(where, create_topics)
        print(f"roundaudit: {'made ' + ', '.join(made) if made else 'all topics are there'}", file=sys.stderr)
    settings = ProcessSettings(where, group=group, instance=instance, extra_games=tuple(games or ()))
    done = run(settings, until_idle_seconds=until_idle, progress=_tell if sys.stderr.isatty() else None)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(json.dumps(done._asdict()) if as_json else _sentence(done))
    raise typer.Exit(1 if done.discrepancies or done.dead_letters else 0)


def redrive(kafka: Kafka = None, kafka_file: KafkaFile = None, group: Group = "roundaudit") -> None:
    """Send every dead letter since the last redrive to round-events again, as it was: all of them or none.

    Example: roundaudit redrive --kafka 127.0.0.1:9092
    """
    from pipelines.deadletters import redrive as send_again

    done = send_again(_settings(kafka, kafka_file), group)
    left = f"; {done.left} stay: they came from another topic, or their message was too large to keep" if done.left else ""
    print(f"{done.sent} dead letters sent again{left}")


def _settings(kafka: str | None, kafka_file: Path | None) -> KafkaSettings:
    from events.kafka_log import read_settings

    chosen = house.load(kafka=kafka, kafka_file=kafka_file)
    if not chosen.kafka:
        raise BadInput("where is Kafka?", "process", "give --kafka HOST:PORT or set ROUNDAUDIT_KAFKA")
    return read_settings(chosen.kafka, chosen.kafka_file)


def _tell(done: Summary) -> None:
    print(f"\r{_sentence(done)}", end="\x1b[K", file=sys.stderr, flush=True)


def _sentence(done: Summary) -> str:
    return (
        f"{done.events:,} events, {done.rounds:,} rounds audited ({done.revisions:,} again), "
        f"{done.discrepancies:,} discrepancies, {done.dead_letters:,} dead letters, {done.open_rounds:,} rounds open"
    )
