"""Loading the warehouse against a bare Arrow insert of the same rows, in the same run. Goal: at least half its rate.

    python tests/benchmarks/load.py [--events 300000]

The bare insert takes the very same Arrow tables and inserts them, one transaction for all, nothing else. The loader also
looks for rounds that it has already, keeps first and last seen, counts the intake and moves the watermarks, batch by batch.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from importlib import resources
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).parents[2]))

from events.archive import Archive
from pipelines import warehouse
from pipelines.parallel import Job, audit_spans
from pipelines.simulate.floor import Plan
from pipelines.warehouse.batch import Batch
from pipelines.warehouse.loader import Loader
from pipelines.warehouse.store import Warehouse
from pipelines.warehouse.tables import ROUND_TABLES
from processors import rulebook
from processors.checks import PropertyClock
from processors.rulebook import Rulebook
from tests.benchmarks.measuring import Measured, archive_of, show

GOAL = 0.5
REPEATS = 3


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--events", type=int, default=300_000)
    options.add_argument("--folder", type=Path, default=None, help="where the archive is made, and kept")
    options.add_argument("--games", nargs="+", default=list(Plan().games))
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        archive = archive_of(chosen.folder or folder / "log", chosen.events, chosen.games)
        book = rulebook.load()
        with Warehouse(folder / "empty.duckdb", PropertyClock()) as empty:
            spans = empty.spans(Archive(archive).end_offsets())
        batches = list(audit_spans(Job(partial(Archive, archive)), spans, book=book))
        rows = sum(table.num_rows for batch in batches for table in batch.tables.values())
        # alternating, and the best of each: what else the machine does at the time hits both alike
        bare, loaded = [], []
        for repeat in range(REPEATS):
            bare.append(_bare(folder / f"bare-{repeat}.duckdb", batches))
            loaded.append(_loaded(folder / f"loaded-{repeat}.duckdb", batches, archive, book))
    ratio = min(bare) / min(loaded)
    lines = [
        Measured("rows", f"{rows:,}"),
        Measured("bare Arrow insert", f"{rows / min(bare):,.0f}/s"),
        Measured("loading", f"{rows / min(loaded):,.0f}/s"),
        Measured("loading / bare insert", f"{ratio:.2f}", f">= {GOAL}", ratio >= GOAL),
    ]
    return 0 if show("Warehouse load", lines) else 1


def _bare(path: Path, batches: Sequence[Batch]) -> float:
    connection = duckdb.connect(path)
    connection.execute(resources.files(warehouse).joinpath("schema.sql").read_text(encoding="utf-8"))
    started = time.perf_counter()
    connection.execute("BEGIN")
    for batch in batches:
        for name, table in batch.tables.items():
            if not table.num_rows:
                continue
            connection.register("batch_rows", table)
            columns = ", ".join(column for column in ROUND_TABLES[name].names if column != "fresh")
            seen = ", first_seen, last_seen" if name == "discrepancies" else ""
            now = ", now()::TIMESTAMP, now()::TIMESTAMP" if seen else ""
            connection.execute(f"INSERT INTO {name} ({columns}{seen}) SELECT {columns}{now} FROM batch_rows")  # noqa: S608  # the names are ours
    connection.execute("COMMIT")
    connection.execute("CHECKPOINT")
    connection.close()
    return time.perf_counter() - started


def _loaded(path: Path, batches: Sequence[Batch], archive: Path, book: Rulebook) -> float:
    with Warehouse(path, PropertyClock()) as opened:
        run = opened.begin_run("", [], "benchmark", book.digest, book.code_digest)
        loader = Loader(opened, run, Archive(archive), book)
        started = time.perf_counter()
        for batch in batches:
            loader.load(batch)
        opened.connection.execute("CHECKPOINT")
        opened.connection.close()
        return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
