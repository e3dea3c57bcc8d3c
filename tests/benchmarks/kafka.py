"""The stream processor against a bare loop over the same topic. Goal: at least half its rate.

    python tests/benchmarks/kafka.py [--events 1000000] [--repeats 5]

The bare loop polls with kafka-python and decodes each message with fastavro and its published schema; it does nothing
with what it reads and writes nothing. The processor decodes, replays, compares and writes every round's audit in
transactions. Both times run from making the client to the last message, each in a process of its own, in turn; a processor
takes about a second to join its group and to open its transactions, so the topic must not be too short for a rate. The
broker is that of ROUNDAUDIT_KAFKA_BOOTSTRAP, else one is started.
"""

from __future__ import annotations

import argparse
import io
import itertools
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import uuid4

# this file's own folder would hide the package kafka behind this file
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).parents[2]))

import fastavro

import schemas
from events import codec
from events.kafka_log import KafkaLog, KafkaSettings, create_topics
from events.kafka_log.connection import make_consumer, topic_partition
from pipelines.process import ProcessSettings, Summary, run
from pipelines.simulate.floor import Plan, Simulation
from processors import rulebook
from tests.benchmarks.measuring import EVENTS_A_ROUND, Measured, show
from tests.kafka_broker import running_broker

GOAL = 0.5
PARTITIONS = 4


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--events", type=int, default=1_000_000)
    options.add_argument("--games", nargs="+", default=list(Plan().games))
    options.add_argument("--repeats", type=int, default=5)
    chosen = options.parse_args()
    given = os.environ.get("ROUNDAUDIT_KAFKA_BOOTSTRAP")
    with tempfile.TemporaryDirectory() as scratch, nullcontext(given) if given else running_broker(Path(scratch)) as address:
        settings = _filled(address, chosen.events, chosen.games)
        turns = [(_apart(_bare, settings), _apart(_process, settings, f"g{turn}")) for turn in range(chosen.repeats)]
    # the two of one turn ran next to each other: what else the machine did weighs on both
    turns.sort(key=lambda turn: turn[1]["rate"] / turn[0]["rate"])
    bare, whole = turns[len(turns) // 2]
    if bare["events"] != chosen.events or whole["events"] != chosen.events:
        sys.exit(f"not every event was read: {bare['events']:,} and {whole['events']:,} of {chosen.events:,}")
    ratio = whole["rate"] / bare["rate"]
    every = ", ".join(f"{turn[1]['rate'] / turn[0]['rate']:.2f}" for turn in turns)
    lines = [
        Measured("events, rounds audited", f"{whole['events']:,}, {whole['rounds']:,}"),
        Measured("bare loop: poll and decode", f"{bare['rate']:,.0f}/s"),
        Measured("process: decode, replay, compare, transactions", f"{whole['rate']:,.0f}/s"),
        Measured(f"  process / bare loop, median of {every}", f"{ratio:.2f}", f">= {GOAL:g}", ratio >= GOAL),
    ]
    return 0 if show("Kafka", lines) else 1


def _filled(bootstrap: str, events: int, games: list[str]) -> KafkaSettings:
    mark = uuid4().hex[:8]
    settings = KafkaSettings(
        bootstrap, f"bench-events-{mark}", f"bench-audits-{mark}", f"bench-dead-{mark}", f"bench-cases-{mark}"
    )
    create_topics(settings, PARTITIONS)
    plan = Plan(tables=20, rounds=max(20, events // EVENTS_A_ROUND), seed=1, mistakes=0.02, games=tuple(games))
    with KafkaLog(settings) as log:
        made = log.append(itertools.islice(Simulation(plan).events(), events))
    print(f"dealt {made:,} events into {log.name}", file=sys.stderr)
    return settings


def _bare(settings: KafkaSettings) -> dict[str, Any]:
    readers = {
        codec.current_writer(name).header: fastavro.parse_schema(schemas.load(name)) for name in schemas.event_names()
    }
    began = time.perf_counter()
    consumer = make_consumer(settings)
    places = [topic_partition(settings.events_topic, partition) for partition in range(PARTITIONS)]
    consumer.assign(places)
    consumer.seek_to_beginning(*places)
    wanted = sum(consumer.end_offsets(places).values())
    events = 0
    while events < wanted:
        for records in consumer.poll(timeout_ms=500, max_records=5000).values():
            for record in records:
                value = record.value
                fastavro.schemaless_reader(io.BytesIO(value[10:]), readers[value[:10]], None)
            events += len(records)
    seconds = time.perf_counter() - began
    consumer.close()
    return {"events": events, "rate": events / seconds}


def _process(settings: KafkaSettings, group: str) -> dict[str, Any]:
    book = rulebook.load()
    seconds = [0.0]

    def note(state: Summary) -> None:
        # the waiting for more at the end is no work: the last event counts when it was committed
        if state.events > noted[0]:
            noted[0], seconds[0] = state.events, time.perf_counter() - began

    noted = [0]
    began = time.perf_counter()
    done = run(ProcessSettings(settings, group=group), until_idle_seconds=1, progress=note, rulebook=book)
    return {"events": done.events, "rounds": done.rounds, "rate": done.events / seconds[0]}


def _apart(measure: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Measure in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, arguments)


if __name__ == "__main__":
    sys.exit(main())
