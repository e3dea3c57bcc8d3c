"""The night run: its day, its checks, its ledger, and the Prefect flow around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from events.errors import BadInput
from events.intake import events_of
from events.model import Event
from pipelines import night
from pipelines import run as start
from pipelines.night import Plan
from processors.checks import PropertyClock
from tests.pipelines.night_floor import CLOCK, DAY, TOY_FLOOR, append, opened, overpaid, round_of, rows, run, run_plan
from tests.pipelines.toy import BOOK

ROOT = Path(__file__).parents[2]
OPEN_FINDINGS = "SELECT kind, table_id, round_id, origin FROM discrepancies WHERE fixed_at IS NULL ORDER BY ALL"


def cards(round_id: str, codes: list[str], shoe: str = "S-1", **more: object) -> list[Event]:
    """A round without wagers in which these cards come from a shoe of one deck."""
    dealt = [{"type": "CardDealt", "to": "BURN", "card": code} for code in codes]
    return events_of([opened(round_id, decks=1, shoe_id=shoe, **more), *dealt, {"type": "RoundClosed"}], "test")


def test_a_balanced_day_says_so(tmp_path: Path) -> None:
    ended = run(tmp_path, round_of("R1"), round_of("R2", "T-02"))
    assert (ended.outcome, ended.gaming_day, ended.discrepancies) == ("BALANCED", DAY, 0)
    assert ended.reconciliation == "12 events in = 12 audited + 0 dead-lettered + 0 in open rounds"
    assert rows(tmp_path, "SELECT outcome, events_in, rounds, operator, gaming_day FROM runs") == [
        ("BALANCED", 12, 2, "tester", DAY)
    ]
    (inputs,) = rows(tmp_path, "SELECT inputs FROM runs")[0]
    assert sum(end - start for start, end in json.loads(inputs).values()) == 12


def test_a_card_that_its_shoe_does_not_hold_is_found_over_the_rounds_of_the_shoe(tmp_path: Path) -> None:
    run(tmp_path, cards("R1", ["9s", "Ad"]), cards("R2", ["Ad"]), cards("R3", ["Ad"], shoe="S-2"))
    assert rows(tmp_path, OPEN_FINDINGS) == [("IMPOSSIBLE_CARD", "T-01", "R2", "cards_of_a_shoe")]
    ((sentence,),) = rows(tmp_path, "SELECT sentence FROM discrepancies")
    assert sentence == "Counted up to this round, shoe S-1 of 1 decks dealt the ace of diamonds 2 times."


def test_a_dealing_that_was_sent_twice_or_out_of_turn_is_one_card_of_its_shoe(tmp_path: Path) -> None:
    first, dealt, *rest = cards("R1", ["9s", "Ad"])
    late_opening, *before = cards("R2", ["Kd"])
    run(tmp_path, [first, dealt, dealt, *rest], [*before[:1], late_opening, *before[1:]])
    assert rows(tmp_path, OPEN_FINDINGS) == [
        ("DUPLICATE", "T-01", "R1", "round"),
        ("OUT_OF_ORDER", "T-01", "R2", "round"),
    ]
    assert rows(tmp_path, "SELECT round_id, cards FROM shoes ORDER BY round_id") == [("R1", "9sAd"), ("R2", "Kd")]


def test_a_card_turned_up_counts_once_and_one_used_as_the_next_left_the_shoe_once(tmp_path: Path) -> None:
    hidden = events_of(
        [
            opened("R1", decks=1, shoe_id="S-1"),
            {"type": "CardDealt", "to": "DEALER", "card": "", "face_up": False},
            {"type": "CardExposed", "to": "DEALER", "card": "Kh", "position": 0},
            {"type": "CardDealt", "to": "DEALER", "card": "Qh", "face_up": False},
            {"type": "CardExposed", "to": "DEALER", "card": "Qh", "position": 1},
            {"type": "CardDealt", "to": "SEAT", "seat": 1, "card": "2c"},
            {"type": "CardDiscarded", "to": "SEAT", "seat": 1, "position": 0, "card": "2c", "reason": "used_as_next"},
            {"type": "CardDealt", "to": "DEALER", "card": "2c"},
            {"type": "ShoeShuffled", "shoe_id": "S-2"},
            {"type": "CardDealt", "to": "BURN", "card": "Kh"},
            {"type": "RoundClosed"},
        ],
        "test",
    )
    run(tmp_path, hidden)
    assert rows(tmp_path, "SELECT shoe_id, cards FROM shoes ORDER BY shoe_id") == [("S-1", "KhQh2c"), ("S-2", "Kh")]
    assert rows(tmp_path, OPEN_FINDINGS) == []


def test_a_round_that_the_clock_puts_on_another_day_is_found(tmp_path: Path) -> None:
    # the day begins at 06:00: 05:59 belongs to the evening before
    run(tmp_path, round_of("R1", at="2026-11-30T05:59:59Z"), round_of("R2", at="2026-11-30T06:00:00Z"))
    assert rows(tmp_path, OPEN_FINDINGS) == [("GAMING_DAY_DIFFERS", "T-01", "R2", "gaming_day_of_the_clock")]


def test_a_round_id_of_two_tables_is_found_at_both(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1", "T-01"), round_of("R1", "T-02"), round_of("R2", "T-02"))
    assert rows(tmp_path, OPEN_FINDINGS) == [
        ("CONFLICTING_FACT", "T-01", "R1", "round_ids_of_the_tables"),
        ("CONFLICTING_FACT", "T-02", "R1", "round_ids_of_the_tables"),
    ]


def test_a_wager_carried_from_none_is_found(tmp_path: Path) -> None:
    first = round_of("R1")

    def carried(round_id: str, table: str, source: str) -> list[Event]:
        return [
            event._replace(wager_id="w2", carried_from=source) if type(event).__name__ == "WagerPlaced"  # type: ignore[call-arg]  # a wager
            else event._replace(wager_id="w2") if type(event).__name__ == "SettlementRecorded"  # type: ignore[call-arg]  # a settlement
            else event
            for event in round_of(round_id, table, at=f"{DAY}T22:00:00Z")
        ]  # fmt: skip

    run(tmp_path, first, carried("R2", "T-01", "w1"), carried("R3", "T-01", "w9"), carried("R4", "T-02", "w1"))
    assert rows(tmp_path, OPEN_FINDINGS) == [
        ("MISSING_PARENT", "T-01", "R3", "wagers_carried"),
        ("MISSING_PARENT", "T-02", "R4", "wagers_carried"),
    ]


def test_a_finding_of_the_day_that_is_gone_is_marked_as_fixed_and_comes_back_as_the_same(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1", at="2026-11-30T06:00:00Z"))
    run_plan(plan)
    ((first_seen,),) = rows(tmp_path, "SELECT first_seen FROM discrepancies")
    run_plan(plan._replace(clock=PropertyClock("UTC", 7)))
    assert rows(tmp_path, "SELECT fixed_at IS NOT NULL FROM discrepancies") == [(True,)]
    run_plan(plan)
    assert rows(tmp_path, "SELECT first_seen, fixed_at FROM discrepancies") == [(first_seen, None)]


def test_days_of_a_run_that_was_stopped_before_its_checks_are_checked_by_the_next(tmp_path: Path) -> None:
    day_before = round_of("R1", at=f"{DAY}T07:00:00Z", gaming_day="2026-11-28")
    plan = append(tmp_path, day_before, round_of("R2"))
    night.take_in(plan, book=BOOK)
    run_plan(plan)
    assert rows(tmp_path, OPEN_FINDINGS) == [("GAMING_DAY_DIFFERS", "T-01", "R1", "gaming_day_of_the_clock")]


def test_without_a_day_the_newest_that_has_ended_is_reported(tmp_path: Path) -> None:
    long_ago = round_of("R1", at="2020-01-01T12:00:00Z", gaming_day="2020-01-01")
    in_future = round_of("R2", at="2199-01-01T12:00:00Z", gaming_day="2199-01-01")
    ended = run(tmp_path, long_ago, in_future)
    assert ended.gaming_day == "2020-01-01"
    assert (tmp_path / "reports" / "2020-01-01.html").is_file()


def test_a_day_that_an_event_came_late_for_is_reported_again_beside_the_day_itself(tmp_path: Path) -> None:
    *before, settled, closed = round_of("R1", at="2020-01-01T12:00:00Z", gaming_day="2020-01-01")
    first = run(tmp_path, [*before, closed])
    assert (first.gaming_day, first.discrepancies, first.other_days) == ("2020-01-01", 2, ())  # a gap, and 20.00 unpaid
    too_much = settled._replace(paid_minor=1500)  # type: ignore[call-arg]  # a settlement: 5.00 more than was due
    ended = run(tmp_path, [too_much], round_of("R2", at="2020-01-02T12:00:00Z", gaming_day="2020-01-02"))
    assert (ended.gaming_day, ended.discrepancies, ended.outcome) == ("2020-01-02", 0, "DISCREPANCIES")
    ((day, outcome, found, reconciliation),) = ended.other_days
    assert (day, outcome, found) == ("2020-01-01", "DISCREPANCIES", 2)  # out of order, and overpaid
    assert reconciliation == "6 events in = 6 audited + 0 dead-lettered + 0 in open rounds"
    assert {path.name for path in ended.report_files} == {f"2020-01-0{n}.{form}" for n in (1, 2) for form in ("html", "csv")}
    assert "OVERPAID" in (tmp_path / "reports" / "2020-01-01.csv").read_text(encoding="utf-8")
    assert "UNPAID" not in (tmp_path / "reports" / "2020-01-01.html").read_text(encoding="utf-8")
    assert night.from_json(json.loads(json.dumps(night.as_json(ended)))) == ended
    assert run(tmp_path).other_days == ()


def test_auditing_again_takes_in_what_is_new_once_and_stays_balanced(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1"), round_of("R2")[:-1])  # R2 is open when the first run ends
    plan = append(tmp_path, round_of("R2")[-1:], overpaid("R3", "T-02"))._replace(again=True)
    ended = run_plan(plan)
    # 1 and 6 events are new; 11 were there
    assert (ended.entries, ended.balances, ended.outcome) == (7, True, "DISCREPANCIES")
    assert ended.reconciliation == "18 events in = 18 audited + 0 dead-lettered + 0 in open rounds"
    assert [run_plan(plan).reconciliation, run_plan(plan._replace(again=False)).entries] == [ended.reconciliation, 0]


def test_the_first_run_of_all_may_audit_again(tmp_path: Path) -> None:
    ended = run_plan(append(tmp_path, round_of("R1"), round_of("R2")[:-1])._replace(again=True))
    assert (ended.entries, ended.balances) == (11, True)
    assert ended.reconciliation == "11 events in = 6 audited + 0 dead-lettered + 5 in open rounds"


def test_the_day_that_is_going_on_has_its_turn_when_it_has_ended(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    today = CLOCK.gaming_day(int(now.timestamp()) * 1_000_000)
    in_play = round_of("R2", at=f"{now:%Y-%m-%dT%H:%M:%SZ}", gaming_day=today)[:-1]
    ended = run(tmp_path, round_of("R1", at="2020-01-01T12:00:00Z", gaming_day="2020-01-01"), in_play)
    assert (ended.gaming_day, ended.outcome, ended.other_days) == ("2020-01-01", "BALANCED", ())


def test_a_gaming_day_that_is_none_of_the_calendar_is_told_and_names_no_file(tmp_path: Path) -> None:
    first, *rest = round_of("R2", "T-02")
    escaped = first._replace(gaming_day="../escaped")  # type: ignore[call-arg]  # an opening, as a producer on Kafka may send it
    ended = run(tmp_path, round_of("R1"), [escaped, *rest])
    assert [(other.gaming_day, other.discrepancies) for other in ended.other_days] == [
        ("../escaped", 2)
    ]  # no rules, another day
    assert ended.outcome == "DISCREPANCIES"
    assert {path.name for path in ended.report_files} == {f"{DAY}.html", f"{DAY}.csv"}
    assert not list(tmp_path.glob("escaped*"))


def test_a_report_is_made_even_when_nothing_happened(tmp_path: Path) -> None:
    ended = run(tmp_path)
    assert (ended.outcome, ended.gaming_day, ended.balances) == ("BALANCED", "", True)
    assert [path.name for path in ended.report_files] == ["no-activity.html", "no-activity.csv"]
    assert "No Activity" in ended.report_files[0].read_text(encoding="utf-8")


def test_no_archive_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no archive to read"):
        night.run(Plan(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_cannot_be_written_is_told_before_prefect_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = append(tmp_path, round_of("R1"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # whoever may do everything is refused nothing
    with pytest.raises(BadInput, match="nothing can be written in this data folder"):
        start.nightly(plan)
    assert not (tmp_path / "prefect").exists()


def test_lost_rounds_are_told_as_a_night_that_does_not_balance(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1"), round_of("R2"))
    run_plan(plan)
    with plan.open() as warehouse:
        warehouse.connection.execute("DELETE FROM rounds WHERE round_id = 'R2'")
    ended = run_plan(plan)
    assert (ended.outcome, ended.balances) == ("UNBALANCED", False)
    assert ended.reconciliation == ("DOES NOT BALANCE: 12 events in is not 6 audited + 0 dead-lettered + 0 in open rounds")


@pytest.mark.parametrize("micros", [2**63 - 1, -(2**63), 10**18])
def test_a_clock_that_says_anything_is_a_finding_and_not_the_end_of_the_night(tmp_path: Path, micros: int) -> None:
    broken = [event._replace(occurred_at=micros) for event in round_of("R1")]
    ended = run(tmp_path, broken, round_of("R2", "T-02"))
    assert (ended.entries, ended.balances, ended.gaming_day) == (12, True, DAY)
    found = rows(tmp_path, "SELECT kind, round_id FROM discrepancies WHERE fixed_at IS NULL")
    assert found == [("GAMING_DAY_DIFFERS", "R1")]
    assert rows(tmp_path, "SELECT year(opened_at) FROM rounds WHERE round_id = 'R1'") in ([(1970,)], [(2200,)])


FLOW = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from pipelines import night, run
from tests.pipelines.night_floor import CLOCK, TOY_FLOOR

plan = night.Plan(Path(sys.argv[2]), clock=CLOCK, operator="tester", extra_games=(TOY_FLOOR,))
seen = []
try:
    # first, so that Prefect's own files go into a folder that is not there yet
    run.nightly(plan._replace(data=Path(sys.argv[2]) / "no" / "thing"))
except Exception as fault:
    line = str(fault)
ended = run.nightly(plan, lambda done, total: seen.append((done, total)))
again = run.nightly(plan)
print(json.dumps([ended.outcome, ended.entries, again.entries, again.outcome, seen, line]))
"""


def test_the_flow_runs_without_a_server_says_nothing_and_raises_what_its_steps_raise(tmp_path: Path) -> None:
    append(tmp_path, overpaid("R1"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    finished = subprocess.run(
        [sys.executable, "-c", FLOW, str(ROOT), str(tmp_path)], capture_output=True, text=True, cwd=ROOT, env=environment
    )
    assert finished.stderr == ""
    outcome, entries, again, outcome_again, seen, line = json.loads(finished.stdout)
    assert (outcome, entries, again, outcome_again) == ("DISCREPANCIES", 6, 0, "DISCREPANCIES")
    assert seen[-1] == [6, 6]
    assert "there is no archive to read" in line
    assert rows(tmp_path, OPEN_FINDINGS) == [("OVERPAID", "T-01", "R1", "round")]


def test_nothing_that_the_console_imports_waits_for_prefect() -> None:
    code = (
        "import sys, console.cli, pipelines.run; print([m for m in sys.modules if m == 'prefect' or m.startswith('kafka')])"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert finished.stdout.strip() == "[]", finished.stderr


def test_the_toy_floor_is_where_the_flow_looks_for_it() -> None:
    assert (TOY_FLOOR / "rules" / "us-ks-south-central.yaml").is_file()
