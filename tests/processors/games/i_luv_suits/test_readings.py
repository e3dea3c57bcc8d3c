"""Each other reading of an unclear place is one that the engine honours: a round whose verdict turns on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest

from events.model import WagerPlaced
from processors.games.i_luv_suits.hands import qualifies
from processors.games.i_luv_suits.terms import Terms
from processors.kernel.cards import Card
from processors.kernel.explaining import explain
from processors.kernel.flush import best_flush
from processors.kernel.odds import Odds
from tests.processors.games.i_luv_suits.rounds import lines, replayed
from tests.processors.games.rounds import Turn, Verdicts, book

DEALER = "hand dealer Ks 9s 4s Kh 4h 7c 8c"
DEALER_OUT = "hand dealer 8s 7s 4s Kh 4h 7c Jc"
LIMITS = {"*": {"minimum_minor": 500, "maximum_minor": 10000}}
POT = {"progressives": {"progressive": "ILS"}, "meters": {"ILS": 249978}}


PLAYED = ("wager p seat 1 play 1000 parent a", "act 1 PLAY p")
FOUR = "hand 1 6d 5d 3d 2d Ah Kc Qs"
SIX_AND_ACE = "hand 1 9d 8d 7d 6d 5d 4d Ad"
TWO_POTS = (
    "wager a seat 1 ante 1000", "wager g seat 1 progressive 100 parent a",
    "wager b seat 2 ante 1000", "wager h seat 2 progressive 100 parent b",
    "hand 1 Ad Kd Qd Jd Td 9d 2s", "hand 2 8h 7h 6h 5h 4h 3h 3s", "hand dealer Ks 9s 4s Kh Th 7c 8c",
    "act 1 FOLD a", "act 2 FOLD b",
)  # fmt: skip

TURNS = [
    Turn(
        "dealer_qualifies", "by_card",
        ("wager a seat 1 ante 1000", "hand 1 7d 6d 4d 3d 2d 3c Js", "hand dealer 8s 6s 4s 2s Kh 7h Jc", *PLAYED),
        {"a": ("WIN", 2000), "p": ("WIN", 2000)}, {"a": ("WIN", 2000), "p": ("PUSH", 1000)},
    ),
    Turn(
        "bonus_after_fold", "forfeited",
        ("wager a seat 1 ante 1000", "wager f seat 1 flush_rush 500 parent a", FOUR, DEALER, "act 1 FOLD a"),
        {"a": ("LOSE", 0), "f": ("WIN", 1000)}, {"a": ("LOSE", 0), "f": ("LOSE", 0)},
    ),
    Turn(
        # 100.00 and a tip of 100.00 at 300 to 1, the limit 30,000.00: once for each, or once for both
        "payout_limit", "each_hand",
        (
            "wager a seat 1 ante 1000", "wager f seat 1 flush_rush 10000 parent a",
            "wager t seat 1 flush_rush 10000 parent f tip", "hand 1 Ad Jd 8d 6d 5d 3d 2d", DEALER, "act 1 FOLD a",
        ),
        {"f": ("WIN", 3010000), "t": ("WIN", 3010000)}, {"f": ("WIN", 3010000), "t": ("WIN", 10000)},
        {"limits": LIMITS},
    ),
    Turn(
        "unqualified_ante", "compared",
        ("wager a seat 1 ante 1000", "hand 1 7d 5d 2d Ah 9h Qc Js", DEALER_OUT, *PLAYED),
        {"a": ("WIN", 2000), "p": ("PUSH", 1000)}, {"a": ("LOSE", 0), "p": ("PUSH", 1000)},
    ),
    Turn(
        "unqualified_ante", "paid_after_fold_too",
        ("wager a seat 1 ante 1000", "hand 1 7d 5d 2d Ah 9h Qc Js", DEALER_OUT, "act 1 FOLD a"),
        {"a": ("LOSE", 0)}, {"a": ("WIN", 2000)},
    ),
    Turn(
        # three hearts in a row that were laid aside: 5.00 at 7 to 1
        "bonus_cards", "kept",
        (
            "wager a seat 1 ante 1000", "wager s seat 1 super_flush_rush 500 parent a", "hand 1 Qc Tc 5c 2c 8h 7h 6h",
            DEALER, "discard 1 4 laid_aside", "act 1 FOLD a",
        ),
        {"s": ("WIN", 4000)}, {"s": ("LOSE", 0)},
    ),
    Turn(
        # four diamonds, or the three that were kept, against K-9-4
        "compared_cards", "kept",
        ("wager a seat 1 ante 1000", FOUR, DEALER, "discard 1 3 laid_aside", *PLAYED),
        {"a": ("WIN", 2000), "p": ("WIN", 2000)}, {"a": ("LOSE", 0), "p": ("LOSE", 0)},
    ),
    Turn(
        # 20.00 with four of a suit: 10.00 of it without action, or all of it in play
        "play_over_limit", "paid_as_bet",
        ("wager a seat 1 ante 1000", FOUR, DEALER, "wager p seat 1 play 2000 parent a", "act 1 PLAY p"),
        {"p": ("WIN", 3000)}, {"p": ("WIN", 4000)},
    ),
    Turn(
        # Q-4-2 of hearts beats J-7-3; 8-7-6 of diamonds does not
        "equal_flushes", "straight_flush_first",
        ("wager a seat 1 ante 1000", "hand 1 8d 7d 6d Qh 4h 2h Kc", "hand dealer Js 7s 3s Kh 5h 7c 8c", *PLAYED),
        {"a": ("WIN", 2000), "p": ("WIN", 2000)}, {"a": ("LOSE", 0), "p": ("LOSE", 0)},
    ),
    Turn(
        "straight_flush_ace", "wrap_around",
        (
            "wager a seat 1 ante 1000", "wager s seat 1 super_flush_rush 500 parent a", "hand 1 Kd Ad 2d 9d 7h Qc 3s",
            DEALER, "act 1 FOLD a",
        ),
        {"s": ("LOSE", 0)}, {"s": ("WIN", 4000)},
    ),
    Turn(
        "other_tender", "finding_only",
        ("wager a seat 1 ante 1000", "cash f", FOUR, DEALER, "act 1 FOLD a"),
        {"f": ("VOID", 500)}, {"f": ("WIN", 1000)},
    ),
    Turn(
        "betting_closes", "own_first_card",
        (
            "wager a seat 1 ante 1000", FOUR, "wager b seat 2 ante 1000", "hand 2 Qd Jd 9d 3h Ac Kd 5s", DEALER,
            "act 1 FOLD a", "act 2 FOLD b",
        ),
        {"b": ("VOID", 1000)}, {"b": ("LOSE", 0)},
    ),
    Turn(
        "over_posted_maximum", "excess_returned",
        ("wager a seat 1 ante 1000", "wager f seat 1 flush_rush 15000 parent a", FOUR, DEALER, "act 1 FOLD a"),
        {"f": ("WIN", 30000)}, {"f": ("WIN", 25000)},
        {"limits": LIMITS},
    ),
    Turn(
        "uneven_payments", "exact",
        ("wager a seat 1 ante 750", FOUR, DEALER, "wager p seat 1 play 750 parent a", "act 1 PLAY p"),
        {"a": ("WIN", 1550)}, {"a": ("WIN", 1500)},
        {"options": {"smallest_chip_minor": "100"}},
    ),
    Turn(
        # 1.00 for a three card straight flush: 3.00 with the wager in it, or 3.00 and the wager
        "progressive_pays", {3: Odds(Fraction(3)), 4: Odds(Fraction(50)), 5: Odds(Fraction(300))},
        (
            "wager a seat 1 ante 1000", "wager g seat 1 progressive 100 parent a", "hand 1 7d 6d 5d 2h Ah Qc 3s",
            DEALER, "act 1 FOLD a",
        ),
        {"g": ("WIN", 300)}, {"g": ("WIN", 400)}, POT,
    ),
    Turn(
        # the pot of 2,500.00: a tenth, or all of it for the ace beside the six cards
        "six_card_ace", "in_hand",
        ("wager a seat 1 ante 1000", "wager g seat 1 progressive 100 parent a", SIX_AND_ACE, DEALER, "act 1 FOLD a"),
        {"g": ("WIN", 25000)}, {"g": ("WIN", 250000)}, POT,
    ),
    Turn(
        # the pot of 2,500.22: all of it and a tenth, or all of it divided by two
        "shared_portions", "one_portion", TWO_POTS,
        {"g": ("WIN", 250022), "h": ("WIN", 25003)}, {"g": ("WIN", 125011), "h": ("WIN", 125011)}, POT,
    ),
    Turn(
        "shares_rounded_up_to_minor", 100, TWO_POTS,
        {"g": ("WIN", 250022), "h": ("WIN", 25003)}, {"g": ("WIN", 250100), "h": ("WIN", 25100)}, POT,
    ),
]  # fmt: skip

FOUND_ONLY = {("play_minimum", "ante"), ("settlement_order", "any"), ("progressive_reset_minor", 0)}
"""Readings that change a finding or an explanation and no money; each has a test of its own."""


def due(turn: Turn, **readings: Any) -> Verdicts:
    events = lines(*(line for line in turn.events if line != "cash f"), **turn.opened)
    if "cash f" in turn.events:
        cash = events[1]._replace(wager_id="f", bet="flush_rush", amount_minor=500, tender="CASH", parent="a", sequence=2)
        assert isinstance(cash, WagerPlaced)
        events = [*events[:2], cash, *(event._replace(sequence=event.sequence + 1) for event in events[2:])]
    given: dict[str, tuple[str, int]] = {}
    for s in replayed(events, **readings).settlements:
        given[s.wager_id] = (s.result, s.given_minor + given.get(s.wager_id, ("", 0))[1])
    return {wager: given[wager] for wager in turn.default}


@pytest.mark.parametrize("turn", TURNS, ids=[f"{turn.rule} {turn.other}" for turn in TURNS])
def test_a_reading_decides_as_it_says(turn: Turn) -> None:
    assert due(turn) == turn.default
    assert due(turn, **{turn.rule: turn.other}) == turn.otherwise


def test_every_alternative_of_the_rule_file_has_a_round_that_turns_on_it() -> None:
    entries = book().games["i_luv_suits"].rules["us-ks-southwest"].entries
    written = {(name, str(other)) for name, entry in entries.items() for other in entry.alternatives}
    assert written == {(turn.rule, str(turn.other)) for turn in TURNS} | {(rule, str(other)) for rule, other in FOUND_ONLY}


def test_a_play_wager_below_the_ante_is_found_where_the_ante_is_the_least() -> None:
    events = lines(
        "wager a seat 1 ante 1000", "hand 1 8d 6d 5d 3d 2d Kc Qs", DEALER, "wager p seat 1 play 500 parent a", "act 1 PLAY p"
    )
    assert replayed(events).found == {}
    assert set(replayed(events, play_minimum="ante").found) == {("BELOW_MINIMUM", "p")}


def test_where_no_order_of_settling_is_prescribed_none_is_checked() -> None:
    events = lines(
        "wager a seat 1 ante 1000", "wager b seat 2 ante 1000", FOUR, "hand 2 Qd Jd 9d 7d Ac Kd 5s", DEALER,
        "wager p seat 1 play 1000 parent a", "act 1 PLAY p", "wager q seat 2 play 2000 parent b", "act 2 PLAY q",
        "show dealer Ks 9s 4s Kh 4h 7c 8c", "show 1 6d 5d 3d 2d Ah Kc Qs", "settle a WIN paid 1000 returned 1000",
        "settle p WIN paid 1000 returned 1000", "show 2 Qd Jd 9d 7d Ac Kd 5s", "settle b WIN paid 1000 returned 1000",
        "settle q WIN paid 2000 returned 2000",
    )  # fmt: skip
    assert set(replayed(events).found) == {("SETTLED_OUT_OF_ORDER", "")}
    assert replayed(events, settlement_order="any").found == {}


def test_the_pot_begins_again_at_what_the_reading_says() -> None:
    events = lines(
        "wager a seat 1 ante 1000", "wager g seat 1 progressive 100 parent a", "hand 1 Ad Kd Qd Jd Td 9d 2s", DEALER,
        "act 1 FOLD a", **POT,
    )  # fmt: skip
    for readings, amount in (({}, "1,000.00"), ({"progressive_reset_minor": 0}, "0.00")):
        game = replayed(events, **readings)
        (won,) = [s for s in game.settlements if s.wager_id == "g"]
        assert f"The pot begins again at {amount}." in [step.text for step in explain(game, won)]


def test_the_dealer_qualifies_as_often_as_a_count_of_all_hands_says() -> None:
    """By ranking a dealer fails with no suit of four cards and no three cards headed by a nine or higher.

    Of C(52, 7) hands, with 1, 13, 78 and C(7, 3) = 35 ways to hold 0 to 3 cards of a suit without qualifying, fail:
    12 x (35 x 35 x 13) + 12 x (35 x 78 x 78) + 12 x (35 x 78 x 13 x 13) + 4 x (78 x 78 x 78 x 13) = 32,959,524.
    """
    terms: Terms = book().terms("i_luv_suits", "us-ks-southwest", "2021-06-01")
    assert _hands_that_fail(terms) == 32_959_524
    assert round(100 * (1 - 32_959_524 / comb(52, 7)), 2) == 75.36


def test_the_dealer_qualifies_less_often_where_each_flush_needs_a_nine_itself() -> None:
    """Then 35, 21, 7 and 1 flushes of four to seven low cards fail as well: to the count above come

    4 x 35 x (3 x 35 + 6 x 13 x 78 + 13 x 13 x 13) + 4 x 21 x (3 x 78 + 3 x 13 x 13) + 4 x 7 x 39 + 4 = 1,237,380.
    """
    terms: Terms = book().terms("i_luv_suits", "us-ks-southwest", "2021-06-01")
    by_card = dataclasses.replace(terms, dealer_qualifies=terms.dealer_qualifies._replace(value="by_card"))
    assert _hands_that_fail(by_card) == 32_959_524 + 1_237_380
    assert round(100 * (1 - 34_196_904 / comb(52, 7)), 2) == 74.44


def _hands_that_fail(terms: Terms) -> int:
    """Count the hands by the length and the highest card of each suit, each with the number of ways to fill in the rest.

    One or two cards of a suit are one kind whatever they are: they never qualify.
    """
    kinds = [(0, 0, 1), (1, 2, 13), (2, 3, comb(13, 2))]
    kinds += [(length, high, comb(high - 2, length - 1)) for length in range(3, 8) for high in range(length + 1, 15)]
    total = 0
    for hand in _hands_of(7, "cdhs", kinds):
        cards = [Card(high - down, suit) for suit, (length, high, _) in hand.items() for down in range(length)]
        if not qualifies(cards, best_flush(cards), terms):
            total += prod(ways for _, _, ways in hand.values())
    return total


def _hands_of(cards: int, suits: str, kinds: list[tuple[int, int, int]]) -> Iterator[dict[str, tuple[int, int, int]]]:
    if not suits:
        if cards == 0:
            yield {}
        return
    for kind in kinds:
        if kind[0] <= cards:
            for rest in _hands_of(cards - kind[0], suits[1:], kinds):
                yield {suits[0]: kind, **rest}
