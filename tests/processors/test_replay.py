"""The fold and the comparison, seen through a game of one line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processors.kernel.settlement import FAMILIES, Discrepancy, RoundAudit
from processors.replay import audit_round, explain_round
from tests.processors.toy_game import events, toy_rulebook

BOOK = toy_rulebook()


def audit(*lines: str, **opened: Any) -> RoundAudit:
    return audit_round(events(*lines, **opened), BOOK)


def only(found: RoundAudit) -> Discrepancy:
    (discrepancy,) = found.discrepancies
    return discrepancy


# w1 stakes 10.00 on even at 1 to 1: a win is 10.00 and the stake, 20.00 in all
WON = ("wager w1 seat 1 coin 1000", "roll 2-4")
LOST = ("wager w1 seat 1 coin 1000", "roll 2-5")


@pytest.mark.parametrize(
    ("lines", "kind", "due", "recorded", "favours"),
    [
        ((*WON, "settle w1 WIN paid 1500 returned 1000"), "OVERPAID", 2000, 2500, "PATRON"),
        ((*WON, "settle w1 WIN paid 500 returned 1000"), "UNDERPAID", 2000, 1500, "HOUSE"),
        ((*WON, "settle w1 LOSE"), "UNPAID", 2000, 0, "HOUSE"),
        (WON, "UNPAID", 2000, 0, "HOUSE"),
        ((*LOST, "settle w1 WIN paid 1000 returned 1000"), "PAID_NOT_DUE", 0, 2000, "PATRON"),
        ((*LOST, "settle w1 WIN paid 1000"), "PAID_NOT_DUE", 0, 1000, "PATRON"),
        ((*LOST, "settle w1 PUSH returned 1000"), "NOT_COLLECTED", 0, 1000, "PATRON"),
        (LOST, "WAGER_WITHOUT_RESULT", 0, 0, "NOBODY"),
        (
            (*WON, "settle w1 WIN paid 1000 returned 1000", "settle w1 WIN paid 1000 returned 1000"),
            "PAID_TWICE", 2000, 4000, "PATRON",
        ),
        (("wager w1 coin 1000", "roll 6-6", "settle w1 WIN paid 1000 returned 1000"), "OVERPAID", 1000, 2000, "PATRON"),
        ((*WON, "settle w1 WIN paid 1000 returned 1000 to dealer"), "WRONG_PAYEE", 2000, 2000, "DEALER"),
        ((*LOST, "settle w1 LOSE", "settle w9 WIN paid 500"), "RESULT_WITHOUT_WAGER", 0, 500, "NOBODY"),
        ((*WON, "settle w1 WIN paid 1000 returned 1000", "fee w1 vigorish 100"), "FEE_WRONG", 0, 100, "HOUSE"),
    ],
)  # fmt: skip
def test_each_difference_of_money_has_its_kind(
    lines: tuple[str, ...], kind: str, due: int, recorded: int, favours: str
) -> None:
    found = only(audit(*lines))
    assert (found.kind, found.due_minor, found.recorded_minor, found.favours) == (kind, due, recorded, favours)
    assert found.delta_minor == recorded - due
    assert found.sentence.endswith(".")


def test_a_right_payment_is_no_difference_whatever_the_table_called_it() -> None:
    assert audit(*WON, "settle w1 WIN paid 1000 returned 1000").discrepancies == []
    assert audit(*WON, "settle w1 PUSH paid 0 returned 2000").discrepancies == []
    assert audit(*LOST, "settle w1 LOSE").discrepancies == []


def test_a_payment_taken_back_and_made_again_is_one_payment() -> None:
    lines = (*WON, "settle w1 WIN paid 1500 returned 1000", "retract 3", "settle w1 WIN paid 1000 returned 1000")
    assert audit(*lines).discrepancies == []


def test_a_settlement_in_two_parts_that_add_up_is_right() -> None:
    assert audit(*WON, "settle w1 WIN paid 1000", "settle w1 WIN returned 1000").discrepancies == []


def test_a_script_that_asks_only_what_is_due_misses_no_payment() -> None:
    assert audit_round(events(*WON), BOOK, only_due=True).discrepancies == []


def test_the_excess_over_the_maximum_goes_back_and_the_rest_is_paid() -> None:
    found = audit("wager w1 seat 1 coin 12000", "roll 2-4", "settle w1 WIN paid 10000 returned 10000 no_action 2000")
    assert only(found).kind == "ABOVE_MAXIMUM"
    assert found.settlements[0].no_action_minor == 2000


def test_below_the_minimum_is_paid_as_bet() -> None:
    found = audit("wager w1 seat 1 coin 400", "roll 2-4", "settle w1 WIN paid 400 returned 400")
    assert only(found).kind == "BELOW_MINIMUM"


def test_a_late_wager_is_void_and_returned() -> None:
    found = audit("wager w1 coin 1000", "close betting", "wager w2 coin 1000", "roll 2-5", "settle w1 LOSE",
                  "settle w2 VOID returned 1000")  # fmt: skip
    assert only(found).kind == "LATE_WAGER"
    assert [s.result for s in found.settlements] == ["VOID", "LOSE"]


def test_an_unknown_bet_is_undecided_and_has_no_difference_of_its_own() -> None:
    found = audit("wager w1 hat 1000", "roll 2-4", "settle w1 WIN paid 99 returned 1000")
    assert only(found).kind == "UNKNOWN_BET"
    assert found.settlements[0].result == "UNDECIDED"


def test_what_a_tip_wager_wins_is_the_dealers_stake_included() -> None:
    found = audit("wager w1 coin 1000 tip", "roll 2-4", "settle w1 WIN paid 2000 to dealer")
    assert found.discrepancies == []
    assert [(s.paid_to, s.given_minor) for s in found.settlements] == [("PATRON", 0), ("DEALER", 2000)]


def test_a_voided_round_returns_every_stake() -> None:
    found = audit("wager w2 coin 700", *WON, "void misdeal", "settle w1 VOID returned 1000", "settle w2 VOID returned 700")
    assert found.discrepancies == []
    assert {s.wager_id: (s.result, s.given_minor) for s in found.settlements} == {"w1": ("VOID", 1000), "w2": ("VOID", 700)}


@pytest.mark.parametrize("day", ["yesterday", "2021-06-31", "20210601", ""])
def test_a_gaming_day_that_is_none_has_no_rules(day: str) -> None:
    opened, *rest = events(*WON)
    found = audit_round([opened._replace(gaming_day=day), *rest], BOOK)
    assert only(found).kind == "NO_RULE_IN_FORCE"
    assert only(found).sentence.startswith(f"The gaming day {day!r} is no day of the calendar")
    assert [settlement.result for settlement in found.settlements] == ["UNDECIDED"]


def test_a_round_of_which_the_rules_are_unknown_is_listed_and_not_settled() -> None:
    found = audit(*WON, jurisdiction="us-yy")
    assert only(found).kind == "NO_RULE_IN_FORCE"
    assert [s.result for s in found.settlements] == ["UNDECIDED"]


def test_a_round_without_its_beginning_is_a_finding_and_loses_no_wager() -> None:
    found = audit_round(events(*WON)[1:], BOOK)
    assert {d.kind for d in found.discrepancies} == {"INCOMPLETE_ROUND", "SEQUENCE_GAP"}
    assert [s.wager_id for s in found.settlements] == ["w1"]


def test_a_wager_placed_twice_in_a_round_without_rules_is_listed_once() -> None:
    found = audit("wager w1 seat 1 coin 1000", "wager w1 seat 1 coin 500", jurisdiction="us-yy")
    assert [s.wager_id for s in found.settlements] == ["w1"]


def test_the_same_difference_has_the_same_id_tomorrow_and_another_one_another() -> None:
    first = only(audit(*WON))
    again = only(audit(*WON, gaming_day="2021-06-02"))
    other = only(audit(*LOST))
    assert first.id == again.id
    assert len({first.id, other.id}) == 2


def test_a_round_whose_only_event_was_taken_back_is_incomplete() -> None:
    opening, taken_back = events("retract 0")[:2]
    found = audit_round([opening, taken_back], BOOK)
    assert {"INCOMPLETE_ROUND", "NEVER_CLOSED"} == {discrepancy.kind for discrepancy in found.discrepancies}
    assert not found.settlements
    assert explain_round([opening, taken_back], BOOK) == {}


def test_explaining_says_the_stake_the_odds_and_the_sum() -> None:
    text = " ".join(step.text for step in explain_round(events(*WON), BOOK)["w1"])
    assert "10.00 on coin, seat 1." in text
    assert "wins 1 to 1: 10.00 x 1 = 10.00, and the stake comes back." in text
    assert "WIN: 10.00 paid to the patron, 10.00 stake returned." in text


def test_explaining_a_tip_says_once_how_it_came_and_whose_it_is() -> None:
    texts = [step.text for step in explain_round(events("wager w1 coin 1000 tip", "roll 2-4"), BOOK)["w1"]]
    assert len(texts) == len(set(texts))
    assert texts[-2:] == [
        "It is a tip wager: what it wins, stake included, is the dealer's.",
        "WIN: 20.00 paid to the dealer.",
    ]


amount = st.integers(0, 20000)
lines = st.lists(
    st.one_of(
        st.builds(
            "wager w{} seat {} coin {}{}".format, st.integers(1, 4), st.integers(1, 3), amount, st.sampled_from(["", " tip"])
        ),
        st.builds("change w{} {}".format, st.integers(1, 5), amount),
        st.builds("roll {}-{}".format, st.integers(1, 6), st.integers(1, 6)),
        st.builds("settle w{} WIN paid {} returned {}".format, st.integers(1, 5), amount, amount),
        st.just("close betting"),
        st.builds("retract {}".format, st.integers(0, 9)),
        st.just("void misdeal"),
    ),
    max_size=14,
)


@given(lines)
def test_whatever_happens_every_wager_has_a_verdict_and_replay_repeats_itself(script: list[str]) -> None:
    first, second = audit(*script), audit(*script)
    assert first == second
    placed = {event.wager_id for event in events(*script) if type(event).__name__ == "WagerPlaced"}
    assert {s.wager_id for s in first.settlements} <= placed
    for settlement in first.settlements:
        assert min(settlement[3:4] + settlement[5:11]) >= 0
    assert {d.kind for d in first.discrepancies} <= set().union(*FAMILIES.values())
