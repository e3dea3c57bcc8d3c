"""Audits spans of a log into batches for the warehouse, in this process or in several.

A worker process reads and audits whole partitions and hands back Arrow tables in IPC form: compact, and nothing of a round
is pickled. Batches of one partition come in order; the queue is bounded, so memory stays flat when loading is the slower.
"""

from __future__ import annotations

import multiprocessing
import queue
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from events.errors import BadInput
from events.log import Log
from pipelines.audit import AuditedRound, OpenRound, Span, SpanReader
from pipelines.warehouse.batch import Batch, BatchBuilder
from processors import rulebook
from processors.checks import PropertyClock
from processors.replay import audit_round
from processors.rulebook import Rulebook

BATCH_EVENTS: Final = 100_000
"""Events audited before they are handed on and committed: large enough for columns, small enough to hold."""
QUEUED_BATCHES: Final = 4

OpenLog = Callable[[], Log]
"""Opens the log; a worker process calls it again, so it must be picklable (a `functools.partial`)."""


class Job(NamedTuple):
    """What an audit needs beside the spans."""

    open_log: OpenLog
    clock: PropertyClock = PropertyClock()
    extra_games: tuple[Path, ...] = ()
    batch_events: int = BATCH_EVENTS


def audit_spans(job: Job, spans: Sequence[Span], *, workers: int = 1, book: Rulebook | None = None) -> Iterator[Batch]:
    """Audit spans, each of another partition, and yield what was found in batches.

    With more than one worker the partitions are shared out among so many processes, the largest first. Raises BadInput
    where the log or the rules cannot be read, RuntimeError where a worker process died.
    """
    busy = [span for span in spans if span.end > span.start or any(o.counted < o.events for o in span.carried)]
    if workers > 1 and len(busy) > 1:
        yield from audit_parallel(job, busy, workers=min(workers, len(busy)))
        return
    log = job.open_log()
    try:
        book = book or rulebook.load(job.extra_games)
        for span in busy:
            yield from _audit_span(log, span, book, job)
    finally:
        log.close()


def _audit_span(log: Log, span: Span, book: Rulebook, job: Job) -> Iterator[Batch]:
    reader = SpanReader(log, span, job.clock)
    builder = BatchBuilder(job.clock)
    entries = 0

    def take(*not_yet: OpenRound) -> Batch:
        nonlocal entries
        entries, new = reader.entries, reader.entries - entries
        tables = builder.take()
        return Batch(span.partition, reader.next_offset, new, tables, reader.take_dead(), (*reader.open_now(), *not_yet))

    for read in reader.closed_rounds():
        key = read.events[0].table_id, read.events[0].round_id
        if key in builder.keys:
            # a round that comes twice goes into two batches, for the warehouse to join; until the second it counts as open
            counted = len(read.events) - read.fresh
            yield take(OpenRound(*key, read.first_offset, read.last_offset, len(read.events), counted))
        builder.add(AuditedRound(audit_round(read.events, book), read))
        if builder.events >= job.batch_events:
            yield take()
    for read in reader.open_rounds():
        if (read.events[0].table_id, read.events[0].round_id) in builder.keys:
            yield take()
        builder.add(AuditedRound(audit_round(read.events, book), read))
    yield take()


def audit_parallel(job: Job, spans: Sequence[Span], *, workers: int) -> Iterator[Batch]:
    """As `audit_spans`, in `workers` processes."""
    context = multiprocessing.get_context("spawn")
    tasks: Any = context.Queue()
    results: Any = context.Queue(maxsize=QUEUED_BATCHES * workers)
    for span in sorted(spans, key=lambda span: span.start - span.end):
        tasks.put(span)
    for _ in range(workers):
        tasks.put(None)
    processes = [context.Process(target=_work, args=(job, tasks, results), daemon=True) for _ in range(workers)]
    for process in processes:
        process.start()
    try:
        yield from _collect(results, processes)
    finally:
        for process in processes:
            process.terminate()
            process.join()
        tasks.cancel_join_thread()
        results.cancel_join_thread()


def _collect(results: Any, processes: Sequence[BaseProcess]) -> Iterator[Batch]:
    working = len(processes)
    while working:
        try:
            kind, value = results.get(timeout=1)
        except queue.Empty:
            for process in processes:
                if process.exitcode not in (None, 0):
                    raise RuntimeError(f"a worker process died (exit code {process.exitcode})") from None
            continue
        if kind == "batch":
            partition, next_offset, entries, tables, dead, open_rounds = value
            yield Batch(partition, next_offset, entries, _from_ipc(tables), dead, open_rounds)
        elif kind == "fault":
            raise value
        else:
            working -= 1


def _work(job: Job, tasks: Any, results: Any) -> None:
    """A worker process: audits span after span until there are none."""
    try:
        log = job.open_log()
        book = rulebook.load(job.extra_games)
        while (span := tasks.get()) is not None:
            for batch in _audit_span(log, span, book, job):
                results.put(("batch", (*batch[:3], _to_ipc(batch.tables), *batch[4:])))
        log.close()
        results.put(("done", None))
    except BadInput as fault:
        results.put(("fault", BadInput(fault.what, fault.where, fault.do, reason=fault.reason)))
    except KeyboardInterrupt:
        sys.exit(1)
    except Exception:
        results.put(("fault", RuntimeError(f"in a worker process: {traceback.format_exc()}")))


def _to_ipc(tables: Mapping[str, pa.Table]) -> dict[str, bytes]:
    packed = {}
    for name, table in tables.items():
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        packed[name] = sink.getvalue().to_pybytes()
    return packed


def _from_ipc(packed: Mapping[str, bytes]) -> dict[str, pa.Table]:
    return {name: pa.ipc.open_stream(data).read_all() for name, data in packed.items()}
