"""Decode, replay and compare against bare decoding of the same files. Goal: at most three times its cost, in flat memory.

    python tests/benchmarks/replay.py [--events 2000000] [--folder DIR]

Bare decoding is a loop over `fastavro.reader` that does nothing with what it reads. The audit is the product's own reader,
replay and comparison, with the audits thrown away; then the same with everything the warehouse takes, in one and in two
worker processes. Each measurement is a process of its own, because memory that was once taken is never seen given back.
Two workers need two idle cores: on a busy machine their processor time still says what sharing the work out costs.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import fastavro

sys.path.insert(0, str(Path(__file__).parents[2]))

from events.archive import Archive
from events.log import Entry
from pipelines.audit import Span, audit_log
from pipelines.parallel import Job, audit_spans
from pipelines.simulate.floor import Plan
from processors import rulebook
from tests.benchmarks.measuring import Measured, archive_of, peak_mib, show

COST_GOAL = 3.0
MEMORY_GOAL_MIB = 300
GROWTH_GOAL = 1.1
WORKERS_GOAL = 1.7


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--events", type=int, default=2_000_000)
    options.add_argument("--folder", type=Path, default=None, help="where the archive is made, and kept")
    options.add_argument("--games", nargs="+", default=list(Plan().games))
    options.add_argument("--repeats", type=int, default=2)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        archive = archive_of(chosen.folder or Path(scratch) / "log", chosen.events, chosen.games)
        with Archive(archive) as log:
            ends = dict(log.end_offsets())
        events = sum(ends.values())
        bare, decoded, whole = _best(chosen.repeats, (_bare, archive), (_decode, archive), (_audit, archive, 1.0))
        half = _apart(_audit, archive, 0.5)
        one, two = _best(chosen.repeats, (_batches, archive, 1), (_batches, archive, 2))
    if whole["events"] != events or bare["events"] != events:
        sys.exit(f"not every event was read: {bare['events']:,} and {whole['events']:,} of {events:,}")
    cost = whole["seconds"] / bare["seconds"]
    growth = whole["peak_mib"] / half["peak_mib"]
    faster = one["seconds"] / two["seconds"]
    lines = [
        Measured("events, rounds", f"{events:,}, {whole['rounds']:,}"),
        Measured("bare fastavro.reader", _rate(events, bare)),
        Measured("the log's own decoding", _rate(events, decoded)),
        Measured("decode, replay, compare", _rate(events, whole)),
        Measured("  cost / bare decoding", f"{cost:.2f}", f"<= {COST_GOAL:g}", cost <= COST_GOAL),
        Measured("  cost / the log's own decoding", f"{whole['seconds'] / decoded['seconds']:.2f}"),
        Measured("  peak memory, whole log", f"{whole['peak_mib']:.0f} MiB", f"< {MEMORY_GOAL_MIB}", _fits(whole)),
        Measured("  whole log / half of it", f"{growth:.2f}", f"<= {GROWTH_GOAL:g}", growth <= GROWTH_GOAL),
        Measured("with the warehouse's tables, one process", _rate(events, one)),
        Measured("with the warehouse's tables, two workers", _rate(events, two)),
        Measured("  two workers / one", f"{faster:.2f}", f">= {WORKERS_GOAL:g}", faster >= WORKERS_GOAL),
        Measured("  processor time of two workers / one", f"{two['processor_seconds'] / one['processor_seconds']:.2f}"),
    ]
    return 0 if show("Replay", lines) else 1


def _rate(events: int, run: dict[str, Any]) -> str:
    return f"{events / run['seconds']:,.0f}/s"


def _fits(run: dict[str, Any]) -> bool:
    return bool(run["peak_mib"] < MEMORY_GOAL_MIB)


def _best(repeats: int, *works: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The fastest run of each, taken in turn: what else the machine does at the time hits all alike."""
    runs: list[list[dict[str, Any]]] = [[] for _ in works]
    for _ in range(repeats):
        for work, done in zip(works, runs, strict=True):
            done.append(_apart(*work))
    return [min(done, key=lambda run: float(run["seconds"])) for done in runs]


def _apart(work: Callable[..., dict[str, Any]], *values: Any) -> dict[str, Any]:
    """Run a measurement in a process of its own."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, work, values))
    process.start()
    sender.close()
    try:
        found: dict[str, Any] = json.loads(receiver.recv())
    except EOFError:
        sys.exit("a measurement failed; see above")
    process.join()
    return found


def _send(sender: Any, work: Callable[..., dict[str, Any]], values: tuple[Any, ...]) -> None:
    sender.send(json.dumps(work(*values)))


def _bare(archive: Path) -> dict[str, Any]:
    events = 0
    started = time.perf_counter()
    for path in sorted(archive.rglob("*.avro")):
        with path.open("rb") as file:
            for _ in fastavro.reader(file):
                events += 1
    return {"seconds": time.perf_counter() - started, "events": events, "peak_mib": peak_mib()}


def _decode(archive: Path) -> dict[str, Any]:
    with Archive(archive) as log:
        started = time.perf_counter()
        events = sum(
            0 if isinstance(batch, Entry) else len(batch.events) for p in log.end_offsets() for batch in log.batches(p)
        )
    return {"seconds": time.perf_counter() - started, "events": events}


def _audit(archive: Path, share: float) -> dict[str, Any]:
    book = rulebook.load()
    events = rounds = 0
    with Archive(archive) as log:
        ranges = {partition: (0, int(end * share)) for partition, end in log.end_offsets().items()}
        started = time.perf_counter()
        for audited in audit_log(log, book, ranges=ranges):
            events += len(audited.read.events)
            rounds += 1
        seconds = time.perf_counter() - started
    return {"seconds": seconds, "events": events, "rounds": rounds, "peak_mib": peak_mib()}


def _batches(archive: Path, workers: int) -> dict[str, Any]:
    with Archive(archive) as log:
        spans = [Span(partition, 0, end) for partition, end in log.end_offsets().items()]
    started = time.perf_counter()
    events = sum(batch.entries for batch in audit_spans(Job(partial(Archive, archive)), spans, workers=workers))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor_seconds = sum(one.ru_utime + one.ru_stime for one in used)
    return {"seconds": time.perf_counter() - started, "events": events, "processor_seconds": processor_seconds}


if __name__ == "__main__":
    sys.exit(main())
