"""What is said of a settlement, step by step, as a floor manager would say it at the table."""

from __future__ import annotations

import functools
from typing import Any

from events.intake import Script
from processors import rulebook
from processors.replay import explain_round
from tests.game_cases import OPENED, short

ROUND = {**OPENED, "round_id": "turn", "game": "craps", "jurisdiction": "us-ks-south-central", "gaming_day": "2021-06-01"}


@functools.cache
def book() -> rulebook.Rulebook:
    return rulebook.load()


def said(wager: str, *lines: Any) -> list[tuple[str, str]]:
    """Each step about a wager: its text, and the paragraph behind it."""
    script = Script()
    items = [ROUND, *(short(line) if isinstance(line, str) else line for line in lines), {"type": "RoundClosed"}]
    steps = explain_round([script.event(item) for item in items], book(), only_due=True)
    return [(step.text, step.cite.paragraph) for step in steps[wager]]


def test_odds_are_explained_by_the_bet_they_hang_on_and_the_roll_that_decided() -> None:
    steps = said(
        "o", "wager p seat 1 pass 1000", "roll 4-4", "wager o seat 1 pass_odds 2000 parent p", "roll 3-3", "roll 5-3"
    )  # fmt: skip
    assert steps == [
        ("20.00 on pass odds, seat 1.", ""),
        ("It hangs on p, the pass bet of 10.00 on 8.", ""),
        ("Roll 3-3 (event 4), total 6, the point is 8.", ""),
        ("Roll 5-3 (event 5), total 8, the point is 8: the point is made.", "111-501-45(s)"),
        ("The wager wins 6 to 5: 20.00 x 6/5 = 24.00, and the stake comes back.", "111-501-45(s)"),
        ("WIN: 24.00 paid to the patron, 20.00 stake returned.", "111-501-45(s)"),
    ]


def test_a_horn_is_explained_unit_by_unit() -> None:
    assert said("w", "wager w seat 2 horn 400", "roll 1-2 shooter 0") == [
        ("4.00 on horn, seat 2.", ""),
        ("Roll 1-2 (event 2), total 3, come-out roll.", "111-501-44(c)(29)"),
        ("It is 4 equal units of 1.00.", "111-501-44(c)(29)"),
        ("1 unit on craps three wins 15 to 1, and its stake comes back.", "111-501-45(l)"),
        ("The other 3 units lose.", "111-501-45(l)"),
        ("WIN: 15.00 paid to the patron, 1.00 stake returned.", "111-501-45(l)"),
    ]


def test_a_split_bet_that_wins_on_both_halves_has_no_losing_part() -> None:
    assert said("w", "wager w seat 2 ace_deuce_any_craps 1000", "roll 1-2 shooter 0")[2:] == [
        ("It is 2 equal units of 5.00.", "111-501-44(c)(41)"),
        ("1 unit on craps three wins 15 to 1, and its stake comes back.", "111-501-44(c)(41)"),
        ("1 unit on any craps wins 7 to 1, and its stake comes back.", "111-501-44(c)(41)"),
        ("WIN: 110.00 paid to the patron, 10.00 stake returned.", "111-501-44(c)(41)"),
    ]


def test_one_losing_half_of_a_split_bet_is_spoken_of_as_one() -> None:
    steps = said("w", "wager w seat 2 high_low 1000", "roll 1-1 shooter 0")
    assert steps[4] == ("The other unit loses.", "111-501-44(c)(38)")


def test_a_no_roll_is_named_with_its_reason_and_paragraph() -> None:
    steps = said("w", "wager w seat 1 pass 1000", "roll 0-4 no_roll stacked", "roll 3-4")
    assert steps[1] == ('Roll 0-4 (event 2) was called "no roll" (stacked): it is ignored.', "111-501-44(a)(7)")
    assert steps[2] == ("Roll 3-4 (event 3), total 7, come-out roll.", "111-501-44(c)(2)")


def test_a_removed_lay_bet_is_explained_with_its_vigorish() -> None:
    steps = said("w", "wager w seat 1 lay on 10 4000", "change w 0")
    assert steps == [
        ("40.00 on lay 10, seat 1.", ""),
        ("Vigorish: 5 percent of what it can win, in whole dollars: 1.00.", "111-501-45(n)"),
        ("REMOVED: 40.00 stake returned, 1.00 fee due, 1.00 fee returned.", "111-501-45(q)"),
    ]


def test_come_odds_that_were_off_are_said_to_go_back() -> None:
    steps = said(
        "o", "wager p seat 1 pass 500", "roll 4-4", "wager k seat 2 come 1000", "roll 4-1",
        "wager o seat 2 come_odds 2000 parent k", "roll 4-4", "wager q seat 1 pass 500", "roll 3-4",
    )  # fmt: skip
    assert ("The come bet was decided while these odds were off: they go back.", "111-501-45(f)") in steps
    assert steps[-1] == ("PUSH: 20.00 stake returned.", "111-501-45(f)")


def test_the_hot_shooter_is_explained_by_the_number_of_rolls_and_not_by_each_of_them() -> None:
    rolls = ["roll 1-3", *["roll 3-3", "roll 4-5"] * 4, "roll 3-4"]
    steps = said("w", "wager p seat 1 pass 500", "wager w seat 1 hot_shooter 500", *rolls)
    assert steps[1:] == [
        ("10 rolls counted while it lay there; those that mattered to it:", ""),
        ("Roll 1-3 (event 3), total 4, come-out roll: the point is 4.", ""),
        ("Roll 3-4 (event 12), total 7, the point is 4: seven-out.", "111-501-44(c)(46)(A)-(G)"),
        ("9 rolls, so the wager wins 1 to 1: 5.00 x 1 = 5.00, and the stake comes back.", "111-501-44(c)(46)(A)-(G)"),
        ("WIN: 5.00 paid to the patron, 5.00 stake returned.", "111-501-44(c)(46)(A)-(G)"),
    ]


def test_a_refused_wager_is_explained_by_what_was_found_of_it() -> None:
    steps = said("w", "wager p seat 1 pass 500", "close betting", "wager w seat 2 place on 6 600", "roll 3-4")
    assert steps == [
        ("6.00 on place 6, seat 2.", ""),
        ("The place 6 wager w was placed after betting had closed.", "111-501-45(b)"),
        ("VOID: 6.00 stake returned.", "111-501-45(b)"),
    ]


def test_a_wager_that_an_earlier_round_began_is_said_to_need_its_rolls() -> None:
    steps = said(
        "w", "wager p seat 1 pass on 8 500 from turn-7-w1", "wager w seat 2 hot_shooter 500 from turn-7-w2",
        "roll 4-5", "roll 3-4",
    )  # fmt: skip
    assert steps[-2] == (
        "It cannot be decided: rolls that an earlier round has count for it.", "111-501-44(c)(46)",
    )  # fmt: skip


def test_a_wager_still_open_at_the_end_is_said_to_be_so() -> None:
    steps = said("w", "wager p seat 1 pass 500", "roll 4-4", "wager w seat 2 hardway on 10 500", "roll 4-5")
    assert steps[-2] == ("The round ended before the dice had decided it.", "")
