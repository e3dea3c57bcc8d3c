"""Each other reading of an unclear place is one that the engine honours: a round whose verdict turns on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from processors.kernel.odds import Odds
from tests.processors.games.pure_21_5.rounds import DAY, GAME, JURISDICTION, lines, replayed
from tests.processors.games.rounds import Turn, Verdicts, book


def dealt(
    players: Mapping[int, str], up: str, hole: str, *acts: str, drawn: str = "", bank: int = 100000
) -> tuple[str, ...]:
    """A round: 10.00 on each seat, the player-dealer at seat 8, cards in order, acts, the down card, cards drawn."""
    wagers = [f"wager w{seat} seat {seat} main 1000" for seat in players]
    return (f"wager bank seat 8 bank {bank}", *wagers, *cards(players, up, hole, *acts, drawn=drawn))


def cards(players: Mapping[int, str], up: str, hole: str, *acts: str, drawn: str = "") -> tuple[str, ...]:
    """The cards and acts of a round."""
    first, second = ([f"deal {seat} {two.split()[n]}" for seat, two in players.items()] for n in (0, 1))
    hits = [f"deal dealer {card}" for card in drawn.split()]
    return (*first, f"deal dealer {up}", *second, "deal dealer ??", *acts, f"expose dealer 1 {hole}", *hits)


CHECK, STAND = "check hole", "act 1 STAND"
STANDS = ("act 1 STAND", "act 2 STAND", "act 3 STAND")
DOUBLE = ("wager d1 seat 1 double 1000 parent w1", "act 1 DOUBLE d1")
SPLIT = ("wager s1 seat 1 split 1000 parent w1", "act 1 SPLIT s1")
FLEX = ("wager bank seat 8 bank 9999999", "wager w1 seat 1 main 1000", "wager r1 seat 1 red_flex 500 parent w1")
PLAYER = {1: "Tc 9c"}


def pure_of(minor: int) -> tuple[str, ...]:
    """A Pure 21.5 on an odd amount."""
    return (
        "wager bank seat 8 bank 100000", f"wager w1 seat 1 main {minor}", *cards({1: "Kd As"}, "9c", "8d"),
    )  # fmt: skip


TURNS = [
    Turn(
        "pure_against_21", "ties", dealt({1: "Kd As"}, "7c", "7d", drawn="7h"),
        {"w1": ("WIN", 2200)}, {"w1": ("PUSH", 1000)},
    ),
    Turn(
        "pure_after_split", True, dealt({1: "As Ad"}, "Tc", "9d", CHECK, *SPLIT, "deal 1 Kd", "deal 1.2 9c"),
        {"w1": ("WIN", 2000), "s1": ("WIN", 2000)}, {"w1": ("WIN", 2200), "s1": ("WIN", 2000)},
    ),
    Turn(
        "both_over", "nearer_wins", dealt({1: "Td 6s"}, "Tc", "6d", CHECK, "act 1 HIT", "deal 1 8c", drawn="Jc"),
        {"w1": ("LOSE", 0)}, {"w1": ("WIN", 2000)},
    ),
    # 5.03 x 6/5 = 6.036, 5.02 x 6/5 = 6.024
    Turn("uneven_payments", "down", pure_of(503), {"w1": ("WIN", 503 + 604)}, {"w1": ("WIN", 503 + 603)}),
    Turn("uneven_payments", "up", pure_of(502), {"w1": ("WIN", 502 + 602)}, {"w1": ("WIN", 502 + 603)}),
    Turn(
        "outside_limits", "excess_returned", dealt({1: "Td 9s"}, "9c", "9d", STAND),
        {"w1": ("WIN", 2000)}, {"w1": ("WIN", 800 + 800 + 200)},
        {"limits": {"*": {"minimum_minor": 0, "maximum_minor": 800}}},
    ),
    Turn(
        "later_money_at_pure", "lost", dealt({1: "6d 5s"}, "Tc", "Ad", *DOUBLE, "deal 1 9h"),
        {"w1": ("LOSE", 0), "d1": ("VOID", 1000)}, {"w1": ("LOSE", 0), "d1": ("LOSE", 0)},
    ),
    Turn(
        "chart_limits_double_and_split", True, dealt({1: "5d 4s"}, "9c", "9d", *DOUBLE, "deal 1 Th", STAND),
        {"d1": ("WIN", 2000)}, {"d1": ("VOID", 1000)},
    ),
    Turn(
        "resplit_aces", True,
        dealt(
            {1: "As Ad"}, "Tc", "9d", CHECK, *SPLIT, "deal 1 Ac", "deal 1.2 9c",
            "wager s2 seat 1 split 1000 parent w1", "act 1 SPLIT s2", "deal 1 9h", "deal 1.3 8h",
        ),
        {"w1": ("LOSE", 0), "s1": ("WIN", 2000), "s2": ("VOID", 1000)},
        {"w1": ("WIN", 2000), "s1": ("WIN", 2000), "s2": ("PUSH", 1000)},
    ),
    Turn(
        "surrender", "early", dealt({1: "Td 6s"}, "Tc", "Ad", "act 1 SURRENDER"),
        {"w1": ("LOSE", 0)}, {"w1": ("LOSE", 500)},
    ),
    # ace and six are 17 against 18; with the four they are 21
    Turn(
        "soft_17", "stand", dealt({1: "Td 8s"}, "6c", "Ad", STAND, drawn="4c"),
        {"w1": ("LOSE", 0)}, {"w1": ("WIN", 2000)},
    ),
    # ten and seven are 17 against 18; with the three they are 20
    Turn(
        "two_card_17", "hit", dealt({1: "Td 8s"}, "Tc", "7d", CHECK, STAND, drawn="3c"),
        {"w1": ("WIN", 2000)}, {"w1": ("LOSE", 0)},
    ),
    # a three: the third of two spots is seat 1 again; the third seat at the table is seat 3
    Turn(
        "button_counts", "all_seats",
        dealt({1: "Td 9s", 3: "Jd Qs"}, "9c", "3d", STAND, "act 3 STAND", drawn="6c", bank=1000),
        {"w1": ("WIN", 2000), "w3": ("VOID", 1000)}, {"w1": ("VOID", 1000), "w3": ("WIN", 2000)},
    ),
    # from seat 2 on: it loses 10.00 to a bank of 10.00, which then owes 10.00 twice
    Turn(
        "coverage", "wager_alone", dealt({1: "Td 8s", 2: "Jd 6s", 3: "Td 9s"}, "9c", "8d", *STANDS, bank=1000),
        {"w2": ("LOSE", 0), "w3": ("WIN", 2000), "w1": ("WIN", 2000), "bank": ("LOSE", 0)},
        {"w2": ("LOSE", 0), "w3": ("WIN", 2000), "w1": ("VOID", 1000), "bank": ("PUSH", 1000)},
    ),
    Turn(
        "red_flex_first_two", "same_suit", (*FLEX, *cards(PLAYER, "Kh", "9d", CHECK, STAND)),
        {"r1": ("WIN", 1000)}, {"r1": ("LOSE", 0)},
    ),
    # six red with the king that takes it to 22: 100 to 1; five without: 50 to 1
    Turn(
        "red_flex_counts_bust_card", False, (*FLEX, *cards(PLAYER, "2d", "2h", STAND, drawn="2d 3h 3d Kh")),
        {"r1": ("WIN", 50500)}, {"r1": ("WIN", 25500)},
    ),
    # eight red on RFB-01, which has no row for them
    Turn(
        "red_flex_longer_runs", "as_printed", (*FLEX, *cards(PLAYER, "2d", "2h", STAND, drawn="2d 2h 2d 2h 2d 3h")),
        {"r1": ("WIN", 100500)}, {"r1": ("LOSE", 0)},
    ),
]  # fmt: skip


def due(turn: Turn, **readings: Any) -> Verdicts:
    settlements = replayed(lines(*turn.events, **turn.opened), **readings).settlements
    given = {s.wager_id: (s.result, s.given_minor) for s in settlements}
    return {wager: given[wager] for wager in turn.default}


@pytest.mark.parametrize("turn", TURNS, ids=[f"{turn.rule} {turn.other}" for turn in TURNS])
def test_a_reading_decides_as_it_says(turn: Turn) -> None:
    assert due(turn) == turn.default
    assert due(turn, **{turn.rule: turn.other}) == turn.otherwise


def test_every_alternative_of_the_rule_file_has_a_round_that_turns_on_it() -> None:
    entries = book().games[GAME].rules[JURISDICTION].entries
    written = {(name, str(other)) for name, entry in entries.items() for other in entry.alternatives}
    assert written == {(turn.rule, str(turn.other)) for turn in TURNS}


# the table of page 7: eight, seven, six, five, four, three, two red cards; "--" is no payoff
PRINTED = {
    "RFB-01": "-- 200 100 50 9 5 1", "RFB-02": "-- 200 100 50 10 5 1",
    "RFB-03": "300 200 100 50 9 5 1", "RFB-04": "300 200 100 50 10 5 1",
    "RFB-05": "-- 200 100 50 8 5 6/5", "RFB-06": "-- 200 100 50 9 5 6/5",
    "RFB-07": "300 200 100 50 8 5 6/5", "RFB-08": "300 200 100 50 9 5 6/5",
    "RFB-09": "-- 200 100 50 7 3 1", "RFB-10": "-- 200 100 50 8 3 2",
    "RFB-11": "-- 250 100 50 8 3 2", "RFB-12": "300 200 100 50 8 3 2",
}  # fmt: skip


@pytest.mark.parametrize("paytable_id", PRINTED)
def test_a_paytable_is_as_it_is_printed(paytable_id: str) -> None:
    table = book().paytable(GAME, JURISDICTION, DAY, paytable_id)
    assert table is not None
    rows = ("eight_red", "seven_red", "six_red", "five_red", "four_red", "three_red", "two_red")
    odds = {"6/5": "6 to 5"}
    printed = {
        row: Odds.parse(odds.get(pays, f"{pays} to 1"))
        for row, pays in zip(rows, PRINTED[paytable_id].split(), strict=True)
        if pays != "--"
    }
    assert (table.pays, table.bet) == (printed, "red_flex")


def test_there_are_twelve_paytables_and_the_doubtful_ones_say_so() -> None:
    paytables = book().games[GAME].paytables
    assert sorted(paytables) == sorted(PRINTED)
    assert [name for name, table in sorted(paytables.items()) if table.doubt] == ["RFB-09", "RFB-11", "RFB-12"]


def test_no_rule_is_in_force_before_the_revision() -> None:
    assert book().paytable(GAME, JURISDICTION, "2011-06-02", "RFB-01") is None
    assert book().paytable(GAME, JURISDICTION, "2011-06-03", "RFB-01") is not None
