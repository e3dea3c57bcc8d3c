"""The snapshot that people read: whole whatever happens to the run that makes it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from events.errors import BadInput
from events.model import Event
from pipelines.warehouse.snapshot import open_snapshot, publish, snapshot_path
from tests.pipelines.night_floor import DAY, append, overpaid, results, round_of, rows, run, run_plan

ROOT = Path(__file__).parents[2]

KILLED = """
import os, shutil, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from pipelines import night
from pipelines.warehouse import loader, snapshot, store
from tests.pipelines.night_floor import CLOCK, run_plan

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def after(function):
    def call(*values, **named):
        function(*values, **named)
        die()
    return call

def half_a_copy(source, copy, _):
    copy.write(source.read(300_000))
    copy.flush()
    die()

def only_for_snapshots(replace, before):
    def call(source, target):
        if "snapshot" not in str(target):
            return replace(source, target)
        if not before:
            replace(source, target)
        die()
    return call

point = sys.argv[3]
if point == "in the transaction of a batch":
    loader.Loader._count = die
elif point == "after the batch":
    loader.Loader.load = after(loader.Loader.load)
elif point == "before the checks of the day":
    night.check = die
elif point == "before the report":
    night.report = die
elif point == "before the copy":
    store.publish = die
elif point == "in the middle of the copy":
    shutil.copyfileobj = half_a_copy
elif point == "before the rename":
    os.replace = only_for_snapshots(os.replace, True)
elif point == "after the rename":
    os.replace = only_for_snapshots(os.replace, False)
run_plan(night.Plan(Path(sys.argv[2]), clock=CLOCK, operator="tester"))
"""


@pytest.mark.parametrize(
    "point",
    [
        "in the transaction of a batch",
        "after the batch",
        "before the checks of the day",
        "before the report",
        "before the copy",
        "in the middle of the copy",
        "before the rename",
    ],
)
def test_a_run_that_is_killed_leaves_the_old_snapshot_and_the_next_run_repairs_it(tmp_path: Path, point: str) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for data in (killed, whole):
        run(data, overpaid("R1"))
    before = results(killed)
    append(killed, round_of("R2", dealer="E-2"), overpaid("R3"))
    assert _run_and_die(killed, point) == -signal.SIGKILL
    assert results(killed) == before
    run(killed)
    run(whole, round_of("R2", dealer="E-2"), overpaid("R3"))
    _assert_same_but_for_times(killed, whole)
    assert [path.name for path in killed.iterdir() if path.name.endswith((".tmp", ".wal"))] == []
    *_, died, repaired = rows(killed, "SELECT outcome FROM runs ORDER BY started_at")
    # the ledger is closed before the copy is made: it has to be in it
    assert died == (("DISCREPANCIES",) if "copy" in point or "rename" in point else ("FAILED",))
    assert repaired == ("DISCREPANCIES",)


def test_a_run_that_is_killed_after_the_rename_has_published(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    append(tmp_path, round_of("R2"))
    assert _run_and_die(tmp_path, "after the rename") == -signal.SIGKILL
    assert rows(tmp_path, "SELECT count(*) FROM rounds") == [(2,)]
    run(tmp_path)
    assert rows(tmp_path, "SELECT count(*) FROM rounds") == [(2,)]


def test_who_reads_the_old_snapshot_keeps_it_while_a_new_one_is_published(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    with open_snapshot(plan.warehouse) as old:
        run(tmp_path, round_of("R2"))
        assert old.execute("SELECT round_id FROM rounds").fetchall() == [("R1",)]
        with open_snapshot(plan.warehouse) as new:
            assert new.execute("SELECT round_id FROM rounds ORDER BY ALL").fetchall() == [("R1",), ("R2",)]
        assert old.execute("SELECT count(*) FROM wagers").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO intake VALUES ('x', '2026-11-29', 1)",
        "DROP TABLE rounds",
        "COPY rounds TO 'rounds.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '64GB'",
    ],
)
def test_a_reader_can_neither_write_nor_leave_the_snapshot(tmp_path: Path, statement: str) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    with open_snapshot(plan.warehouse) as reader:
        with pytest.raises(duckdb.Error):
            reader.execute(statement)
        assert reader.execute("SELECT count(*) FROM rounds").fetchall() == [(1,)]


def test_a_warehouse_with_a_write_ahead_log_is_not_published(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    plan.warehouse.with_name(f"{plan.warehouse.name}.wal").write_bytes(b"rows")
    with pytest.raises(RuntimeError, match="was not checkpointed"):
        publish(plan.warehouse)


def test_no_snapshot_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no snapshot to read\. Run roundaudit nightly first\."):
        open_snapshot(tmp_path / "warehouse.duckdb")


def test_a_snapshot_that_is_none_is_one_line(tmp_path: Path) -> None:
    snapshot_path(tmp_path / "warehouse.duckdb").write_bytes(b"not a database" * 1000)
    with pytest.raises(BadInput, match="the snapshot cannot be read") as fault:
        open_snapshot(tmp_path / "warehouse.duckdb")
    assert "\n" not in str(fault.value)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=14m", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder])


def test_a_full_disk_is_one_line_and_leaves_the_old_snapshot(tmp_path: Path, small_disk: Path) -> None:
    (tmp_path / "log").mkdir()
    (small_disk / "archive").symlink_to(tmp_path / "log")
    run(small_disk, overpaid("R1"))
    before = results(small_disk)
    append(small_disk, _many(12_000))
    with pytest.raises(BadInput) as fault:
        run(small_disk)
    assert str(fault.value).endswith("the disk is full. Free some space and run it again.")
    assert "\n" not in str(fault.value)
    assert results(small_disk) == before
    assert not list(small_disk.glob("*.tmp"))


def _many(count: int) -> Iterator[Event]:
    opened, wager, *others = round_of("R")
    for number in range(count):
        # names that no column packs away: the disk has to be full in the end
        name = f"{os.urandom(60).hex()}-{number}"
        yield opened._replace(round_id=name)
        yield wager._replace(round_id=name, patron_id=os.urandom(60).hex())  # type: ignore[call-arg]  # a wager
        yield from (event._replace(round_id=name) for event in others)


def _run_and_die(data: Path, point: str) -> int:
    finished = subprocess.run([sys.executable, "-c", KILLED, str(ROOT), str(data), point], capture_output=True, cwd=ROOT)
    return finished.returncode


def _assert_same_but_for_times(data: Path, other: Path) -> None:
    for table in ("rounds", "wagers", "settlements", "dead_letters", "watermarks", "open_rounds"):
        query = f"SELECT * FROM {table} ORDER BY ALL"  # noqa: S608  # names of our own
        assert rows(data, query) == rows(other, query), table
    for query in (
        "SELECT gaming_day, sum(events) FROM intake GROUP BY ALL",
        "SELECT * EXCLUDE (first_seen, last_seen, fixed_at), fixed_at IS NULL FROM discrepancies ORDER BY ALL",
    ):
        assert rows(data, query) == rows(other, query)
    assert rows(data, "SELECT gaming_day FROM reconciliation WHERE events_in <> events_audited") == []
    assert rows(data, "SELECT DISTINCT gaming_day FROM rounds") == [(DAY,)]


def overwrite_data(path: Path) -> None:
    """Overwrite what stands behind the headers of a DuckDB file (three of 4096 bytes)."""
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xa5" * (path.stat().st_size - 3 * 4096))


def test_a_damaged_warehouse_is_one_line_that_says_how_it_is_made_again(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    overwrite_data(plan.warehouse)
    with pytest.raises(BadInput, match=r"the warehouse is damaged \(.*made again from the log") as told:
        run_plan(plan)
    assert str(plan.warehouse) in str(told.value)
    plan.warehouse.unlink()
    assert run_plan(plan).balances


def test_damage_found_while_a_warehouse_is_read_is_one_line_too(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    found = duckdb.Error("Corrupt database file: computed checksum 1 does not match stored checksum 2")
    with pytest.raises(BadInput, match="the warehouse is damaged"), plan.open():
        raise found
    with pytest.raises(duckdb.ProgrammingError), plan.open():
        raise duckdb.ProgrammingError("a fault of ours stays one")
