"""The player's expectation of craps wagers, against published house edges and sums done by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from events.errors import BadInput
from processors import rulebook
from processors.edge import distribution
from processors.kernel.outcomes import Distribution, Question

BOOK = rulebook.load()


def of(bet: str, on: str = "", paytable: str = "") -> Distribution:
    return distribution(BOOK, "craps", Question(bet, on, paytable, 0, "us-ks-south-central", "2021-06-01"))


# the house edges of the textbooks (per wager made), and where a comment stands, the sum itself
@pytest.mark.parametrize(
    ("bet", "on", "edge"),
    [
        ("pass", "", Fraction(7, 495)),
        ("come", "", Fraction(7, 495)),
        ("dont_pass", "", Fraction(3, 220)),
        ("dont_come", "", Fraction(3, 220)),
        ("field", "", Fraction(1, 18)),
        ("big_six", "", Fraction(1, 11)),
        ("big_eight", "", Fraction(1, 11)),
        ("hardway", "6", Fraction(1, 11)),
        ("hardway", "8", Fraction(1, 11)),
        ("hardway", "4", Fraction(1, 9)),
        ("hardway", "10", Fraction(1, 9)),
        ("any_seven", "", Fraction(1, 6)),
        ("any_craps", "", Fraction(1, 9)),
        ("craps_two", "", Fraction(5, 36)),
        ("craps_three", "", Fraction(1, 9)),
        ("craps_twelve", "", Fraction(5, 36)),
        ("eleven", "", Fraction(1, 9)),
        ("hop", "1-3", Fraction(1, 9)),
        ("hop", "2-2", Fraction(5, 36)),
        ("place", "4", Fraction(1, 15)),
        ("place", "5", Fraction(1, 25)),
        ("place", "6", Fraction(1, 66)),
        ("horn", "", Fraction(1, 8)),
        ("world", "", Fraction(2, 15)),
        ("put", "6", Fraction(1, 11)),
        ("put", "4", Fraction(1, 3)),
        # the fee of 5 percent is paid on win and loss, and the odds are true
        ("buy", "4", Fraction(1, 20)),
        # 5 percent of the half that a lay of 1 to 2 can win
        ("lay", "10", Fraction(1, 40)),
    ],
)
def test_a_published_house_edge_comes_out_exactly(bet: str, on: str, edge: Fraction) -> None:
    found = of(bet, on)
    assert sum(found.probabilities.values()) == 1
    assert found.expectation == -edge
    assert found.samples == 0


@pytest.mark.parametrize("bet", ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds", "put_odds"])
@pytest.mark.parametrize("on", ["4", "5", "6", "8", "9", "10"])
def test_odds_are_a_fair_bet(bet: str, on: str) -> None:
    assert of(bet, on).expectation == 0


def test_all_small_is_won_once_in_thirty_eight() -> None:
    # 5 distinct totals before a seven; the published chance of all small is 0.026354 (edge 7.76 percent at 34 to 1)
    won = sum(p for verdict, p in of("all_small").probabilities.items() if verdict.label.startswith("WIN"))
    assert round(won * 1_000_000) == 26354
    assert of("all_small").expectation == of("all_tall").expectation


def test_the_hot_shooter_read_literally_favours_the_player() -> None:
    # with 7 prior rolls losing and the tiers paid "to 1", the expectation is +15.5 percent
    assert round(of("hot_shooter").expectation * 1000) == 155


def test_any_seven_under_the_light_of_paytable_one_pays_thirteen_to_two() -> None:
    # 1/6 x 6.5 - 5/6 = 1.5/6
    assert of("any_seven", paytable="1").expectation == Fraction(1, 4)


@pytest.mark.parametrize(
    ("bet", "on", "paytable", "words"),
    [
        ("hat", "", "", "craps has no bet 'hat'"),
        ("hop", "1-1", "", "There is no hop bet on '1-1'"),
        ("place", "7", "", "There is no place bet on '7'"),
        ("any_seven", "", "nine", "paytable 'nine' has no power odds"),
    ],
)
def test_a_wager_that_cannot_be_made_is_one_clear_line(bet: str, on: str, paytable: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        of(bet, on, paytable)
