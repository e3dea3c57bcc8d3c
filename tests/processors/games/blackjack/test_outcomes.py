"""The player's expectation of blackjack wagers, against published house edges and combinations counted by hand."""

from __future__ import annotations

import importlib
from fractions import Fraction
from math import comb

import pytest

from events.errors import BadInput
from processors import rulebook
from processors.edge import distribution
from processors.kernel.outcomes import Distribution, Question
from tests.processors.games.strict import StrictBench

BOOK = rulebook.load()
MODULE = importlib.import_module("processors.games.blackjack.outcomes")
KANSAS, SOUTH_DAKOTA = "us-ks-southwest", "us-sd"


def of(
    bet: str, paytable: str = "", decks: int = 0, where: str = KANSAS, *, on: str = "", day: str = "2024-07-01"
) -> Distribution:
    found = distribution(BOOK, "blackjack", Question(bet, on, paytable, decks, where, day))
    assert sum(found.probabilities.values()) == 1
    return found


def by_label(found: Distribution) -> dict[str, Fraction]:
    return {verdict.label: p for verdict, p in found.probabilities.items()}


# --- three cards: the spot's two and the dealer's first ------------------------------------------------------------------

THREE = comb(312, 3)
STRAIGHT_FLUSHES = 12 * 4 * 6**3
TRIPS = 13 * comb(24, 3)
STRAIGHTS = 12 * 24**3 - STRAIGHT_FLUSHES
SUITED_TRIPS = 13 * 4 * comb(6, 3)
FLUSHES = 4 * comb(78, 3) - STRAIGHT_FLUSHES - SUITED_TRIPS


def test_three_card_at_nine_to_one_has_its_published_edge() -> None:
    # 21+3 at 9 to 1, six decks: 3.24 percent
    winners = STRAIGHT_FLUSHES + TRIPS + STRAIGHTS + FLUSHES
    found = of("three_card")
    assert found.expectation == Fraction(10 * winners, THREE) - 1
    assert round(found.expectation * 10_000) == -324
    assert by_label(found) == {
        "LOSE": 1 - Fraction(winners, THREE),
        "WIN flush": Fraction(FLUSHES, THREE),
        "WIN straight": Fraction(STRAIGHTS, THREE),
        "WIN three of a kind": Fraction(TRIPS, THREE),
        "WIN straight flush": Fraction(STRAIGHT_FLUSHES, THREE),
    }


def test_super_3_pays_three_of_a_kind_and_straight_flushes_only() -> None:
    # four decks: 16 cards of a rank, 4 of a card
    suited, straight_flushes = 13 * 4 * comb(4, 3), 12 * 4 * 4**3
    won = 271 * suited + 181 * straight_flushes + 91 * (13 * comb(16, 3) - suited)
    assert of("super_3", "SUP-01", 4, SOUTH_DAKOTA).expectation == Fraction(won, comb(208, 3)) - 1


def test_trilux_with_pairs_is_for_two_decks_without_being_told() -> None:
    # 8 cards of a rank; a pair with another rank wins as everything better does; pairs within a flush count once
    pairs = 13 * comb(8, 2) * 96
    pairs_suited = 13 * 4 * comb(2, 2) * 24
    winners = pairs + 13 * comb(8, 3) + 12 * 8**3 + 4 * comb(26, 3) - pairs_suited - 12 * 4 * 2**3
    found = of("trilux", "TRI-02", where=SOUTH_DAKOTA)
    assert found.note == "2 decks"
    assert found.expectation == Fraction(7 * winners, 2 * comb(104, 3)) - 1


def test_a_mini_royal_is_paid_apart_from_the_other_straight_flushes() -> None:
    royals = 4 * 6**3
    won = 101 * royals + 36 * (STRAIGHT_FLUSHES - royals) + 34 * TRIPS + 11 * STRAIGHTS + 6 * FLUSHES
    found = of("trilux", "TRI-03", where=SOUTH_DAKOTA)
    assert by_label(found)["WIN mini royal"] == Fraction(royals, THREE)
    assert found.expectation == Fraction(won, THREE) - 1


# --- two cards -----------------------------------------------------------------------------------------------------------


def test_royal_match_of_six_decks_by_combinations() -> None:
    pairs = comb(312, 2)
    suited, royal, blackjack = 4 * comb(78, 2), 4 * 6 * 6, 4 * 6 * 24
    found = of("royal_match")
    # 25, 5 and 2.5 to 1: (144 x 25 + 576 x 5 + 11,292 x 2.5 - 36,504) / 48,516 = -1,794 / 48,516
    assert suited - royal - blackjack == 11_292
    assert by_label(found)["WIN king and queen"] == Fraction(royal, pairs)
    assert found.expectation == Fraction(-1_794, 48_516)


def test_lucky_ladies_has_its_published_edge_of_24_71_percent() -> None:
    pairs = comb(312, 2)
    queens = comb(6, 2)
    matched = 16 * comb(6, 2) - queens
    suited = 4 * (comb(4, 2) * 36 + 36)
    any_20 = comb(96, 2) - 16 * comb(6, 2) - 4 * comb(4, 2) * 36 + 24 * 24 - 4 * 36
    assert any_20 == 3888  # as published, the ace and nine among them
    natural = Fraction(2 * 24 * 94, 310 * 309)  # two of the 96 ten-valued cards are the queens
    won = queens * (1000 * natural + 125 * (1 - natural)) + 19 * matched + 9 * suited + 4 * any_20
    found = of("lucky_ladies", "A", where=SOUTH_DAKOTA)
    lost = pairs - queens - matched - suited - any_20
    assert found.expectation == (won - lost) / pairs
    assert round(found.expectation * 10_000) == -2471
    assert by_label(found)["WIN queen of hearts pair with dealer blackjack"] == Fraction(queens, pairs) * natural


def test_lucky_ladies_of_one_deck_knows_that_two_queens_are_gone() -> None:
    # paytable C: a pair of queens 6 of 1,326; then 14 of 50 are ten-valued and 4 aces
    found = by_label(of("lucky_ladies", "C", where=SOUTH_DAKOTA))
    both = Fraction(6, 1326) * Fraction(2 * 4 * 14, 50 * 49)
    assert found["WIN pair of queens with dealer blackjack"] == both
    assert found["WIN pair of queens"] == Fraction(6, 1326) - both


# --- the progressive, insurance ------------------------------------------------------------------------------------------


def test_blazing_sevens_pays_of_the_pot_with_its_own_share_in_it() -> None:
    # ordered sevens of six decks; the pot is 10,000.00 and 24 percent of 5.00, its tenth 1,000.12
    three = 24 * 23 * 22
    diamonds, of_a_suit = 6 * 5 * 4, 3 * 6 * 5 * 4
    of_a_color = 2 * 12 * 11 * 10 - diamonds - of_a_suit
    two, one = 24 * 23 * 288, 2 * 24 * 288 * 310
    given = (
        diamonds * Fraction(10_001_20, 500) + of_a_suit * Fraction(1_000_12, 500) + 500 * of_a_color
        + 200 * (three - diamonds - of_a_suit - of_a_color) + 25 * two + 2 * one
    )  # fmt: skip
    found = of("blazing_7s")
    assert found.expectation == given / (312 * 311 * 310) - 1
    assert found.note == "6 decks, a wager of 5.00, the pot at its opening 10,000.00"


def test_two_decks_hold_no_three_sevens_of_a_suit() -> None:
    labels = by_label(of("blazing_7s", decks=2))
    assert not {label for label in labels if label.endswith(("diamonds", "suit"))}
    # ordered sevens of one color: 4 x 3 x 2 in each
    assert labels["WIN three 7s of a color"] == Fraction(2 * 24, 104 * 103 * 102)


@pytest.mark.parametrize(("decks", "where"), [(6, KANSAS), (1, SOUTH_DAKOTA)])
def test_insurance_is_won_by_the_ten_valued_cards_among_the_rest(decks: int, where: str) -> None:
    # 16N of 52N - 1 at 2 to 1: six decks 96/311, an edge of 23/311; one deck 16/51, an edge of 3/51
    found = of("insurance", decks=decks, where=where)
    assert by_label(found)["WIN dealer blackjack"] == Fraction(16 * decks, 52 * decks - 1)
    assert found.expectation == {6: Fraction(-23, 311), 1: Fraction(-3, 51)}[decks]


# --- the main wager ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [KANSAS, SOUTH_DAKOTA])
def test_rounds_drawn_at_random_are_house_correct_and_repeatable(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "ROUNDS", 1500)
    bench = StrictBench(BOOK)
    question = Question("main", "", "", 0, where, "2024-07-01")
    found = MODULE.outcomes(question, bench)
    assert (found.samples, bench.rounds) == (1500, 1500)
    assert "full shoe each round" in found.note
    assert "fixed basic strategy" in found.note
    assert found == MODULE.outcomes(question, bench)
    naturals = sum(p for label, p in by_label(found).items() if "blackjack" in label and "dealer" not in label)
    # a player's blackjack comes with 2 x 24 x 96 of 312 x 311 rounds, 4.75 percent; four standard errors are 2.2
    assert abs(naturals - Fraction(2 * 24 * 96, 312 * 311)) < Fraction(22, 1000)


# --- what cannot be asked ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "paytable", "decks", "where", "words"),
    [
        ("royal_match", "", 8, KANSAS, "Royal match is for 6 decks; this table has 8"),
        ("lucky_ladies", "", 0, SOUTH_DAKOTA, "it pays by the table's paytable. Name one"),
        ("lucky_ladies", "A", 1, SOUTH_DAKOTA, "Paytable A is for 2, 4, 5, 6, 8 decks; it is posted at a table with 1"),
        ("trilux", "ZZ", 0, SOUTH_DAKOTA, "No paytable 'ZZ' for trilux is known"),
        ("trilux", "A", 0, SOUTH_DAKOTA, "No paytable 'A' for trilux is known"),
        ("three_card", "A", 0, KANSAS, "it does not pay by a paytable"),
        ("main", "A", 0, KANSAS, "it does not pay by a paytable"),
        ("three_card", "", 0, SOUTH_DAKOTA, "The rules here know no three card wager"),
        ("double", "", 0, KANSAS, "Ask for --wager main, which plays them"),
        ("hat", "", 0, KANSAS, "blackjack has no bet 'hat'"),
        ("main", "", 0, "us-xx", "no rules for blackjack in 'us-xx'"),
    ],
)
def test_a_wager_that_cannot_be_made_is_one_clear_line(bet: str, paytable: str, decks: int, where: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        of(bet, paytable, decks, where)


def test_a_wager_on_something_and_a_day_without_its_rule_are_refused() -> None:
    with pytest.raises(BadInput, match="on nothing"):
        of("three_card", on="7")
    with pytest.raises(BadInput, match="No rule for trilux is in force on 2024-06-10"):
        of("trilux", "TRI-01", where=SOUTH_DAKOTA, day="2024-06-10")
