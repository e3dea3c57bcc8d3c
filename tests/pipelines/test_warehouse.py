"""What is loaded, loaded again, completed, corrected and counted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from events.archive import Archive
from events.errors import BadInput
from events.intake import events_of
from events.model import Event
from pipelines import night
from pipelines.audit import audit_log
from pipelines.warehouse import store
from pipelines.warehouse.loader import Loader
from pipelines.warehouse.tables import ROUND_TABLES
from processors import rulebook
from processors.rulebook import Rulebook
from tests.pipelines.night_floor import CLOCK, DAY, append, opened, overpaid, results, round_of, rows, run, run_plan
from tests.pipelines.toy import BOOK


def events_at_the_end(events: Iterable[Event], *items: dict[str, object]) -> list[Event]:
    """More events of the same round, after its last."""
    last = list(events)[-1]
    envelope = {"round_id": last.round_id, "table_id": last.table_id, "source": "test", "occurred_at": f"{DAY}T21:20:00Z"}
    return events_of([{**envelope, "sequence": last.sequence + 1 + n, **item} for n, item in enumerate(items)], "late")


def accounted(data: Path) -> bool:
    """Events read = events audited + dead-lettered + in open rounds, by what the tables say."""
    (numbers,) = rows(
        data,
        """SELECT (SELECT sum(entries) FROM watermarks), (SELECT coalesce(sum(covers), 0) FROM dead_letters),
           (SELECT sum(events) FROM rounds), (SELECT coalesce(sum(events - counted), 0) FROM open_rounds),
           (SELECT sum(events) FROM intake)""",
    )
    entries, dead, events, uncounted, intake = numbers
    return bool(entries == dead + events + uncounted == intake)


def test_a_round_is_loaded_with_its_wager_verdict_and_place_in_the_log(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1"))
    assert rows(
        tmp_path, "SELECT round_id, table_id, gaming_day, status, events, stake_minor, discrepancies FROM rounds"
    ) == [("R1", "T-01", DAY, "CLOSED", 6, 1000, 0)]
    assert rows(tmp_path, "SELECT wager_id, patron_id, amount_minor, recorded_minor FROM wagers") == [
        ("w1", "P-1", 1000, 2000)
    ]
    # 10.00 at even money: 10.00 paid, and the stake of 10.00 back
    assert rows(tmp_path, "SELECT result, paid_minor, stake_returned_minor, cite_paragraph FROM settlements") == [
        ("WIN", 1000, 1000, "1")
    ]
    assert rows(tmp_path, "SELECT last_offset - first_offset FROM rounds") == [(5,)]


def test_an_overpayment_is_a_discrepancy_with_the_time_of_its_last_event(tmp_path: Path) -> None:
    ended = run(tmp_path, overpaid("R1"))
    assert ended.outcome == "DISCREPANCIES"
    # 25.00 given less 20.00 due
    assert rows(tmp_path, "SELECT kind, due_minor, recorded_minor, delta_minor, favours, origin FROM discrepancies") == [
        ("OVERPAID", 2000, 2500, 500, "PATRON", "round")
    ]
    assert rows(tmp_path, "SELECT occurred_at FROM discrepancies") == [(datetime.fromisoformat(f"{DAY}T21:10:00"),)]


def test_running_again_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"), round_of("R2", "T-02"))
    before = results(tmp_path)
    ended = run(tmp_path)
    assert (ended.entries, ended.rounds, ended.discrepancies) == (0, 0, 1)
    assert results(tmp_path) == before
    assert len(rows(tmp_path, "SELECT * FROM runs")) == 2


def test_loading_the_same_batch_again_changes_nothing(tmp_path: Path) -> None:
    plan = append(tmp_path, overpaid("R1"))
    run_plan(plan)
    before = results(tmp_path)
    run_plan(plan._replace(again=True))
    assert results(tmp_path) == before


def test_a_round_open_at_night_is_completed_by_the_next_run(tmp_path: Path) -> None:
    events = round_of("R1")
    run(tmp_path, events[:3])
    assert rows(tmp_path, "SELECT status, events FROM rounds") == [("OPEN", 3)]
    assert rows(tmp_path, "SELECT kind FROM discrepancies WHERE fixed_at IS NULL AND kind = 'NEVER_CLOSED'") == [
        ("NEVER_CLOSED",)
    ]
    assert accounted(tmp_path)
    ended = run(tmp_path, events[3:])
    assert rows(tmp_path, "SELECT status, events, revision FROM rounds") == [("CLOSED", 6, 1)]
    assert rows(tmp_path, "SELECT count(*) FROM discrepancies WHERE fixed_at IS NULL") == [(0,)]
    assert rows(tmp_path, "SELECT count(*) FROM open_rounds") == [(0,)]
    assert ended.reconciliation == "6 events in = 6 audited + 0 dead-lettered + 0 in open rounds"
    assert accounted(tmp_path)


def test_a_payment_taken_back_after_the_round_makes_a_new_revision_and_fixes_the_discrepancy(tmp_path: Path) -> None:
    events = overpaid("R1")
    run(tmp_path, events)
    (first_seen,) = rows(tmp_path, "SELECT first_seen FROM discrepancies")
    correction = events_at_the_end(
        events,
        {"type": "EventRetracted", "retracts": 4},
        {"type": "SettlementRecorded", "wager_id": "w1", "result": "WIN", "paid_minor": 1000, "stake_returned_minor": 1000},
    )
    run(tmp_path, correction)
    assert rows(tmp_path, "SELECT revision, status, events FROM rounds") == [(2, "CLOSED", 8)]
    ((kind, seen, fixed),) = rows(tmp_path, "SELECT kind, first_seen, fixed_at FROM discrepancies")
    assert (kind, seen) == ("OVERPAID", first_seen[0])
    assert fixed > seen
    assert rows(tmp_path, "SELECT recorded_minor FROM wagers") == [(2000,)]
    assert accounted(tmp_path)


def test_a_correction_in_the_same_run_as_its_round_counts_as_well(tmp_path: Path) -> None:
    events = overpaid("R1")
    correction = events_at_the_end(
        events,
        {"type": "EventRetracted", "retracts": 4},
        {"type": "SettlementRecorded", "wager_id": "w1", "result": "WIN", "paid_minor": 1000, "stake_returned_minor": 1000},
    )
    ended = run(tmp_path, events, correction)
    assert rows(tmp_path, "SELECT revision, events FROM rounds") == [(2, 8)]
    assert (ended.outcome, ended.balances) == ("BALANCED", True)
    assert accounted(tmp_path)


def test_a_whole_round_sent_twice_is_one_round_of_duplicates(tmp_path: Path) -> None:
    events = round_of("R1")
    run(tmp_path, events, events)
    assert rows(tmp_path, "SELECT count(*), max(events) FROM rounds") == [(1, 12)]
    assert rows(tmp_path, "SELECT kind FROM discrepancies WHERE fixed_at IS NULL") == [("DUPLICATE",)]
    assert accounted(tmp_path)


def test_the_same_discrepancy_is_the_same_row_after_a_later_correction_that_does_not_cure_it(tmp_path: Path) -> None:
    events = overpaid("R1")
    run(tmp_path, events)
    (before,) = rows(tmp_path, "SELECT discrepancy_id, first_seen, last_seen FROM discrepancies")
    run(tmp_path, events_at_the_end(events, {"type": "EventRetracted", "retracts": 2}))
    (after,) = rows(tmp_path, "SELECT discrepancy_id, first_seen, last_seen FROM discrepancies WHERE kind = 'OVERPAID'")
    assert after[:2] == before[:2]
    assert after[2] > before[2]


def test_other_rules_replace_every_verdict_and_count_nothing_twice(tmp_path: Path) -> None:
    events = overpaid("R1")
    late = events_at_the_end(events, {"type": "EventRetracted", "retracts": 2})
    plan = append(tmp_path, events, round_of("R2"), late)
    run_plan(plan)
    before = results(tmp_path)
    run_plan(plan._replace(again=True), Rulebook(BOOK.games, "rules", "other code"))
    assert rows(tmp_path, "SELECT DISTINCT code_digest FROM rounds") == [("other code",)]
    assert rows(tmp_path, "SELECT round_id, revision, events FROM rounds ORDER BY round_id") == [("R1", 2, 7), ("R2", 1, 6)]
    after = results(tmp_path)
    for table in ("wagers", "settlements", "watermarks", "intake", "open_rounds"):
        assert after[table] == before[table], table
    assert accounted(tmp_path)


def craps_turn(round_id: str, day: str, *items: dict[str, Any]) -> list[Event]:
    opening = opened(round_id, "CR-01", f"{day}T21:10:00Z") | {"game": "craps", "gaming_day": day}
    return events_of([opening, *items, {"type": "RoundClosed"}], "test")


def test_a_turn_closed_early_is_complete_once_all_it_left_open_was_carried_on(tmp_path: Path) -> None:
    def hardway(wager_id: str, carried_from: str = "") -> dict[str, Any]:
        return {"type": "WagerPlaced", "wager_id": wager_id, "seat": 2, "bet": "hardway", "on": "6", "amount_minor": 500,
                "carried_from": carried_from}  # fmt: skip

    def incomplete() -> list[tuple[str, bool]]:
        query = "SELECT round_id, fixed_at IS NULL FROM discrepancies WHERE kind = 'INCOMPLETE_ROUND' ORDER BY 1"
        return rows(tmp_path, query)

    roll = {"type": "DiceRolled", "dice": [4, 4], "shooter": 1}
    craps = rulebook.load()
    early = [craps_turn("R1", "2026-11-27", hardway("w1"), roll), craps_turn("R2", "2026-11-27", hardway("w2"), roll)]
    run_plan(append(tmp_path, *early), craps)
    assert incomplete() == [("R1", True), ("R2", True)]
    # a point, then the seven that ends the turn and the wager carried into it (111-501-44(c)(19))
    seven = {"type": "DiceRolled", "dice": [3, 4], "shooter": 1}
    later = craps_turn("R3", "2026-11-28", hardway("w3", "w1"), roll, seven)
    ended = run_plan(append(tmp_path, later), craps)
    assert incomplete() == [("R1", False), ("R2", True)]
    # of the day before stay R2, and in both turns the shooter without a line bet (111-501-44(a)(8))
    assert [(day.gaming_day, day.discrepancies) for day in ended.other_days] == [("2026-11-27", 3)]
    before = results(tmp_path)
    run_plan(append(tmp_path), craps)
    assert results(tmp_path) == before


def test_no_round_wager_or_discrepancy_stands_there_twice(tmp_path: Path) -> None:
    events = overpaid("R1")
    run(tmp_path, events, events[:3], round_of("R2")[:4])
    run(tmp_path, events[3:], round_of("R2")[4:])
    for table, key in (
        ("rounds", "table_id, round_id"),
        ("wagers", "table_id, round_id, wager_id"),
        ("discrepancies", "table_id, discrepancy_id"),
    ):
        assert rows(tmp_path, f"SELECT {key} FROM {table} GROUP BY ALL HAVING count(*) > 1") == []  # noqa: S608  # our own table names
    assert accounted(tmp_path)


def test_bytes_that_are_no_event_are_dead_letters_of_the_day_before_them(tmp_path: Path) -> None:
    append(tmp_path, round_of("R1"))
    (part,) = [
        f for f in (tmp_path / "archive").glob("partition-*/*.avro") if f.stat().st_size > 100 and b"R1" in f.read_bytes()
    ]
    good = part.stat().st_size
    append(tmp_path, round_of("R2"))
    body = bytearray(part.read_bytes())
    body[good + 12] ^= 0xFF
    part.write_bytes(body)
    ended = run(tmp_path)
    letters = rows(tmp_path, "SELECT gaming_day, covers, reason <> '' FROM dead_letters")
    assert [(day, reason) for day, _, reason in letters] == [(DAY, True)] * len(letters)
    assert sum(covers for _, covers, _ in letters) == 6
    assert ended.reconciliation == "12 events in = 6 audited + 6 dead-lettered + 0 in open rounds"
    assert (ended.dead, ended.balances) == (6, True)
    before = results(tmp_path)
    run(tmp_path)
    assert results(tmp_path) == before


def test_a_file_of_the_log_that_is_gone_is_told_and_never_a_day_in_order(tmp_path: Path) -> None:
    append(tmp_path, round_of("R1", "T-01"), round_of("R2", "T-02"))
    # the two tables have a partition of their own each
    gone, _ = sorted((tmp_path / "archive").glob("partition-*/*.avro"))
    gone.unlink()
    ended = run(tmp_path)
    assert (ended.outcome, ended.gaming_day, ended.discrepancies) == ("DEAD_LETTERS", DAY, 0)
    assert ended.reconciliation == "12 events in = 6 audited + 6 dead-lettered + 0 in open rounds"
    assert rows(tmp_path, "SELECT gaming_day, covers, reason FROM dead_letters") == [(DAY, 6, "MISSING")]
    assert accounted(tmp_path)


def test_an_event_without_its_round_is_counted_to_the_day_of_the_clock(tmp_path: Path) -> None:
    # 05:30 with days that begin at 06:00 is the evening before
    headless = round_of("R1", at="2026-11-30T05:30:00Z")[1:]
    run(tmp_path, headless)
    assert rows(tmp_path, "SELECT gaming_day, status FROM rounds") == [(DAY, "CLOSED")]
    assert "INCOMPLETE_ROUND" in {kind for (kind,) in rows(tmp_path, "SELECT kind FROM discrepancies")}
    assert accounted(tmp_path)


def test_an_absurd_amount_does_not_keep_the_day_from_being_loaded(tmp_path: Path) -> None:
    events = round_of("R1")
    huge = events[4]._replace(paid_minor=2**63 - 1, stake_returned_minor=2**63 - 1)  # type: ignore[call-arg]  # a settlement
    run(tmp_path, [*events[:4], huge, events[5]])
    assert rows(tmp_path, "SELECT recorded_minor FROM wagers") == [(2**63 - 1,)]
    assert ("OVERPAID",) in rows(tmp_path, "SELECT kind FROM discrepancies")


def test_a_log_that_lost_its_end_is_refused(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1"))
    other = tmp_path / "other"
    append(other, round_of("R1")[:2])
    (tmp_path / "archive").rename(tmp_path / "old")
    (other / "archive").rename(tmp_path / "archive")
    with pytest.raises(BadInput, match="entries were loaded from it"):
        run(tmp_path)


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    with plan.open(), pytest.raises(BadInput, match="another run is writing this warehouse"):
        run_plan(plan)


def test_a_warehouse_is_loaded_from_one_log(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    with pytest.raises(BadInput, match="loaded from the log archive, not from kafka"):
        plan._replace(kafka="127.0.0.1:9").open()


def test_a_failed_batch_leaves_nothing_behind_and_is_told_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = append(tmp_path, round_of("R1"))

    def broken(*_: object) -> None:
        raise ArithmeticError("a fault of the code")

    with monkeypatch.context() as patched:
        patched.setattr(Loader, "_count", broken)
        with pytest.raises(ArithmeticError):
            run_plan(plan)
    with plan.open() as warehouse:
        assert warehouse.connection.execute("SELECT count(*) FROM rounds").fetchall() == [(0,)]
        assert warehouse.connection.execute("SELECT outcome, message FROM runs").fetchall() == [
            ("FAILED", "a fault of the code")
        ]
    run_plan(plan)
    assert rows(tmp_path, "SELECT count(*) FROM rounds") == [(1,)]


def test_two_worker_processes_load_what_one_does(tmp_path: Path) -> None:
    rounds = [overpaid(f"R{n}", f"T-{n % 5}", at=f"{DAY}T12:{n:02}:00Z") for n in range(40)]
    one, two = tmp_path / "one", tmp_path / "two"
    night.run(append(one, *rounds))
    night.run(append(two, *rounds)._replace(workers=2))
    without_times = "SELECT * EXCLUDE (first_seen, last_seen, fixed_at) FROM discrepancies ORDER BY ALL"
    assert rows(two, without_times) == rows(one, without_times)
    for table in ("rounds", "wagers", "settlements", "watermarks"):
        query = f"SELECT * FROM {table} ORDER BY ALL"  # noqa: S608  # our own table names
        assert rows(two, query) == rows(one, query)


def test_the_arrow_tables_are_the_tables_of_the_schema(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1"))
    kinds = {"string": "VARCHAR", "int32": "INTEGER", "int64": "BIGINT", "timestamp[us]": "TIMESTAMP", "bool": "BOOLEAN",
             "list<item: int32>": "INTEGER[]"}  # fmt: skip
    for name, schema in ROUND_TABLES.items():
        said = [(field.name, kinds[str(field.type)]) for field in schema if field.name != "fresh"]
        query = """SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? AND column_name NOT IN
                   ('first_seen', 'last_seen', 'fixed_at') ORDER BY column_index"""
        assert rows(tmp_path, query, name) == said


def test_a_warehouse_of_another_schema_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan)
    monkeypatch.setattr(store, "SCHEMA_VERSION", 99)
    with pytest.raises(BadInput, match="has schema version 1; this version of roundaudit writes 99"):
        plan.open()


def test_rounds_of_one_day_and_of_a_range_can_be_audited_alone(tmp_path: Path) -> None:
    other_day = round_of("R2", gaming_day="2026-11-30")
    append(tmp_path, round_of("R1"), other_day, round_of("R3"))
    with Archive(tmp_path / "archive") as archive:
        assert [a.audit.round_id for a in audit_log(archive, BOOK, gaming_day="2026-11-30")] == ["R2"]
        (partition,) = [p for p, end in archive.end_offsets().items() if end]
        ranged = list(audit_log(archive, BOOK, ranges={partition: (6, 15)}, clock=CLOCK))
    assert [(a.audit.round_id, a.read.closed, a.read.first_offset, a.read.last_offset) for a in ranged] == [
        ("R2", True, 6, 11),
        ("R3", False, 12, 14),
    ]
    # events read = events audited + events in open rounds
    assert sum(len(a.read.events) for a in ranged) == 15 - 6


def test_a_round_that_never_closes_is_not_read_again_every_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, round_of("R1")[:3])
    before = results(tmp_path)
    monkeypatch.delattr("pipelines.audit.events_at")
    run(tmp_path)
    assert results(tmp_path) == before
