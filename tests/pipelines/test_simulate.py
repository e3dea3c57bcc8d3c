"""The planter and the answer key, on a toy game whose every outcome a reader can check."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from events.errors import BadInput
from events.intake import events_of
from events.model import Event, RoundOpened, SettlementRecorded
from pipelines.simulate import answer_key
from pipelines.simulate.answer_key import KeyLine, compare
from pipelines.simulate.floor import Plan, Simulation, find_houses
from pipelines.simulate.planting import MISTAKES, correct_a_payment, plant
from processors.kernel.dealing import Planted
from processors.kernel.settlement import Discrepancy
from processors.replay import audit_round
from tests.pipelines.toy import BOOK, HOUSE

PLAN = Plan(tables=3, rounds=250, seed=1, mistakes=0.2, games=("toy",))
HOUSES = {"toy": HOUSE}

# one wager of 10.00 with a fee of 1.00: a throw of 11 wins even money, one of 3 loses
WON = [
    {"type": "RoundOpened", "round_id": "r", "table_id": "t", "occurred_at": "2026-11-29T20:00:00Z", "game": "toy",
     "jurisdiction": "us-ks-south-central", "gaming_day": "2026-11-29", "currency": "USD"},
    {"type": "WagerPlaced", "wager_id": "w1", "bet": "over_with_fee", "amount_minor": 1000},
    {"type": "FeeCollected", "wager_id": "w1", "fee": "vigorish", "amount_minor": 100},
    {"type": "BettingClosed"},
    {"type": "DiceRolled", "dice": [5, 6]},
    {"type": "SettlementRecorded", "wager_id": "w1", "result": "WIN", "paid_minor": 1000, "stake_returned_minor": 1000},
    {"type": "RoundClosed"},
]  # fmt: skip
LOST = [
    *WON[:4],
    {"type": "DiceRolled", "dice": [1, 2]},
    {"type": "SettlementRecorded", "wager_id": "w1", "result": "LOSE"},
    {"type": "RoundClosed"},
]


def chance() -> Random:
    return Random(1)  # noqa: S311  # a test has to be repeatable, not secret


def rounds_of(events: list[Event]) -> dict[str, list[Event]]:
    rounds: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        rounds[event.round_id].append(event)
    return rounds


def audited(events: list[Event]) -> list[Discrepancy]:
    return [found for round_ in rounds_of(events).values() for found in audit_round(round_, BOOK).discrepancies]


@pytest.mark.parametrize("seed", range(1, 21))
def test_the_audit_reproduces_the_answer_key_exactly(seed: int) -> None:
    simulation = Simulation(PLAN._replace(seed=seed), HOUSES)
    comparison = compare(audited(list(simulation.events())), simulation.key)
    assert comparison.reproduced, [*comparison.missing, *comparison.invented, *comparison.wrong_amounts]
    assert comparison.mistakes == 50  # 0.2 of 250


def test_every_kind_of_mistake_occurs_in_a_big_enough_day() -> None:
    simulation = Simulation(PLAN, HOUSES)
    for _ in simulation.events():
        pass
    assert set(simulation.mistakes) == {*MISTAKES, "impossible_die"}
    assert simulation.not_shown == []


def test_a_day_too_small_for_every_mistake_says_which_it_did_not_show() -> None:
    simulation = Simulation(PLAN._replace(rounds=10, mistakes=0.1), HOUSES)
    for _ in simulation.events():
        pass
    assert sum(simulation.mistakes.values()) == 1
    assert len(simulation.not_shown) == len(MISTAKES)  # those and the toy's own, less the one that was shown


def test_the_same_plan_gives_the_same_day_and_another_seed_another() -> None:
    one, same, other = (Simulation(PLAN._replace(seed=seed), HOUSES) for seed in (1, 1, 2))
    events = list(one.events())
    assert events == list(same.events())
    assert one.key == same.key
    assert events != list(other.events())


def test_the_floor_deals_all_rounds_of_all_tables_in_one_stream_by_time() -> None:
    events = list(Simulation(PLAN._replace(mistakes=0.0), HOUSES).events())
    assert all(before.occurred_at <= after.occurred_at for before, after in pairwise(events))
    opened = [event for event in events if isinstance(event, RoundOpened)]
    assert len({event.round_id for event in opened}) == 250
    assert {event.table_id for event in opened} == {"TO-01", "TO-02", "TO-03"}
    assert {event.gaming_day for event in opened} == {"2026-11-29"}
    assert any(before.table_id != after.table_id for before, after in pairwise(events) if before.sequence and after.sequence)


def test_a_day_without_mistakes_has_an_empty_key_and_nothing_is_found() -> None:
    simulation = Simulation(PLAN._replace(mistakes=0.0, rounds=1000), HOUSES)
    events = list(simulation.events())
    assert audited(events) == []
    assert simulation.key == []
    assert simulation.corrections > 0


def test_rounds_that_do_not_fit_the_day_are_dealt_on_the_next() -> None:
    events = list(Simulation(PLAN._replace(tables=1, rounds=3000, mistakes=0.0), HOUSES).events())
    opened = [event for event in events if isinstance(event, RoundOpened)]
    assert len(opened) == 3000
    assert {"2026-11-29", "2026-11-30"} <= {event.gaming_day for event in opened}
    assert len({event.round_id for event in opened}) == 3000


@pytest.mark.parametrize(
    ("mistake", "script", "expected"),
    [
        ("unpaid", WON, [Planted("UNPAID", "w1", 2000, 0)]),  # 10.00 won and 10.00 back
        ("paid_twice", WON, [Planted("PAID_TWICE", "w1", 2000, 4000)]),
        ("wrong_payee", WON, [Planted("WRONG_PAYEE", "w1", 2000, 2000)]),
        ("result_lost", WON, [Planted("SEQUENCE_GAP"), Planted("UNPAID", "w1", 2000, 0)]),
        ("booked_on_wrong_wager", WON, [Planted("RESULT_WITHOUT_WAGER", "w19", 0, 2000), Planted("UNPAID", "w1", 2000, 0)]),
        ("paid_not_due", LOST, [Planted("PAID_NOT_DUE", "w1", 0, 2000)]),
        ("not_collected", LOST, [Planted("NOT_COLLECTED", "w1", 0, 1000)]),
        ("losing_result_lost", LOST, [Planted("SEQUENCE_GAP"), Planted("WAGER_WITHOUT_RESULT", "w1")]),
        ("closing_of_betting_lost", WON, [Planted("SEQUENCE_GAP")]),
        ("opening_lost", WON, [Planted("SEQUENCE_GAP"), Planted("INCOMPLETE_ROUND")]),
        ("event_doubled", WON, [Planted("DUPLICATE")]),
        ("events_reordered", WON, [Planted("OUT_OF_ORDER")]),
        ("never_closed", WON, [Planted("NEVER_CLOSED")]),
        ("late_event", WON, [Planted("LATE_EVENT")]),
        ("conflicting_fact", WON, [Planted("CONFLICTING_FACT")]),
    ],
)  # fmt: skip
def test_a_planted_mistake_is_found_as_its_planter_wrote(
    mistake: str, script: list[object], expected: list[Planted]
) -> None:
    planted = plant(mistake, events_of(script, "round"), chance())
    assert planted is not None
    assert planted.planted == expected
    found = [
        Planted(d.kind, d.wager_id, d.due_minor, d.recorded_minor) for d in audit_round(planted.events, BOOK).discrepancies
    ]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(("mistake", "kind", "sign"), [("overpaid", "OVERPAID", 1), ("underpaid", "UNDERPAID", -1)])
def test_a_chip_too_many_or_too_few_is_exactly_the_difference(mistake: str, kind: str, sign: int) -> None:
    planted = plant(mistake, events_of(WON, "round"), chance())
    assert planted is not None
    (line,) = planted.planted
    assert (line.kind, line.wager_id, line.due_minor) == (kind, "w1", 2000)
    assert sign * (line.recorded_minor - 2000) in (100, 500, 2500)
    paid = sum(e.paid_minor + e.stake_returned_minor for e in planted.events if isinstance(e, SettlementRecorded))
    assert paid == line.recorded_minor


def test_a_fee_too_high_is_the_fee_of_that_wager() -> None:
    planted = plant("fee_wrong", events_of(WON, "round"), chance())
    assert planted is not None
    assert planted.planted[0][:3] == ("FEE_WRONG", "w1", 100)


@pytest.mark.parametrize("mistake", ["overpaid", "unpaid", "paid_twice", "result_lost"])
def test_a_mistake_that_needs_a_winner_passes_a_round_without_one(mistake: str) -> None:
    assert plant(mistake, events_of(LOST, "round"), chance()) is None


def test_a_payment_taken_back_and_made_rightly_leaves_no_mistake() -> None:
    corrected = correct_a_payment(events_of(WON, "round"), chance())
    assert [type(event).__name__ for event in corrected[-4:]] == [
        "SettlementRecorded", "EventRetracted", "SettlementRecorded", "RoundClosed",
    ]  # fmt: skip
    assert audit_round(corrected, BOOK).discrepancies == []


LINE = KeyLine("r1", "OVERPAID", "w1", 1000, 1500, 500, "overpaid", "5.00 too much.")


def test_the_comparison_tells_missing_invented_and_wrong_amounts_apart() -> None:
    key = [LINE, LINE._replace(round_id="r2"), LINE._replace(round_id="r3")]
    right = Discrepancy("OVERPAID", "r1", "w1", 1000, 1500)
    wrong = Discrepancy("OVERPAID", "r2", "w1", 1000, 1600)
    invented = Discrepancy("UNPAID", "r4", "w9", 500, 0)
    comparison = compare([right, wrong, invented], key)
    assert [line.round_id for line in comparison.missing] == ["r3"]
    assert comparison.invented == [invented]
    assert [(one.expected.round_id, one.recorded_minor) for one in comparison.wrong_amounts] == [("r2", 1600)]
    assert str(comparison) == "1 of 3 planted mistakes found, 1 invented, 1 with wrong amounts"
    assert not comparison.reproduced


def test_a_discrepancy_found_twice_is_one_too_many() -> None:
    right = Discrepancy("OVERPAID", "r1", "w1", 1000, 1500)
    comparison = compare([right, right], [LINE])
    assert len(comparison.invented) == 1
    assert not comparison.reproduced


def test_a_key_reads_back_as_written(tmp_path: Path) -> None:
    answer_key.write([LINE], tmp_path / "key.jsonl")
    assert answer_key.read(tmp_path / "key.jsonl") == [LINE]
    assert [path.name for path in tmp_path.iterdir()] == ["key.jsonl"]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"round_id": "r1"}', repr(LINE), '{"kind": 1}'],
)  # fmt: skip
def test_a_bad_line_of_a_key_is_named_by_file_and_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    answer_key.write([LINE], path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(BadInput, match=r"key\.jsonl:2: not a line of an answer key"):
        answer_key.read(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tables": 0}, "--tables: 0 tables"),
        ({"rounds": 0}, "--rounds: 0 rounds"),
        ({"mistakes": 1.5}, "--mistakes: 1.5 is no share"),
        ({"gaming_day": "29.11.2026"}, "--day: '29.11.2026' is no date"),
        ({"gaming_day": "20261129"}, "--day: '20261129' is no date"),
        ({"gaming_day": "0001-01-01"}, "--day: 0001-01-01 cannot be simulated. Give 1970-01-02 to 2198-12-31"),
        ({"gaming_day": "9999-12-31"}, "--day: 9999-12-31 cannot be simulated. Give 1970-01-02 to 2198-12-31"),
    ],
)
def test_a_plan_that_cannot_be_dealt_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Simulation(PLAN._replace(**change), HOUSES)  # type: ignore[arg-type]  # fields of several types in one table


def test_a_game_that_nobody_deals_is_refused() -> None:
    with pytest.raises(BadInput, match="no game 'roulette' that can be dealt"):
        find_houses(["roulette"])


def test_the_simulation_never_asks_the_auditor() -> None:
    code = (
        "import sys; import pipelines.simulate.floor as floor;"
        "print([name for name in sys.modules if name in ('processors.replay', 'processors.compare', 'pipelines.audit')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
