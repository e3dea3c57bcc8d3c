"""The player's expectation of wagers of Pure 21.5 and its Red Flex bet, against published figures and sums by hand."""

from __future__ import annotations

import importlib
from fractions import Fraction

import pytest

from events.errors import BadInput
from processors import rulebook
from processors.edge import distribution
from processors.kernel.outcomes import Distribution, Question
from tests.processors.games.strict import StrictBench

BOOK = rulebook.load()
MODULE = importlib.import_module("processors.games.pure_21_5.outcomes")


def ask(bet: str, paytable: str = "", decks: int = 0, *, on: str = "", day: str = "2021-06-01") -> Question:
    return Question(bet, on, paytable, decks, "us-ca", day)


def red_flex(paytable: str, decks: int) -> Distribution:
    found = distribution(BOOK, "pure_21_5", ask("red_flex", paytable, decks))
    assert sum(found.probabilities.values()) == 1
    assert found.samples == 0
    return found


@pytest.mark.parametrize("decks", [1, 2])
def test_the_bet_is_lost_when_one_of_the_first_two_cards_is_black(decks: int) -> None:
    found = red_flex("RFB-01", decks)
    lost = sum(p for verdict, p in found.probabilities.items() if verdict.label.startswith("LOSE"))
    assert lost == 1 - Fraction(26 * decks * (26 * decks - 1), 52 * decks * (52 * decks - 1))


def test_seven_or_more_at_250_100_50_8_3_2_has_its_published_edge_of_4_703_percent() -> None:
    # the published analysis is of six decks
    assert round(red_flex("RFB-11", 6).expectation * 1_000_000) == -47_029


def test_two_red_cards_at_even_money_leave_the_house_22_65_percent() -> None:
    assert round(red_flex("RFB-09", 6).expectation * 10_000) == -2265


def test_eight_reds_pay_300_only_where_there_is_such_a_row() -> None:
    # 2, 2, 3, 3, 4, A, A come to 16, and one more is drawn: eight even in one deck
    labels = {verdict.label: verdict.net for verdict in red_flex("RFB-12", 1).probabilities}
    assert labels["WIN eight red"] == 300
    assert labels["WIN seven red"] == 200
    assert "WIN eight red" not in {verdict.label for verdict in red_flex("RFB-11", 1).probabilities}


def test_two_red_cards_stand_as_often_as_counted_by_hand() -> None:
    # the run is two when the hand stands on two red cards, or when a black third card comes.
    # one deck, red cards in pairs of points: 2 each of 1 to 9, 8 of 10. Standing pairs (17 to 21, soft 17 draws):
    # 10+10: 28, 10+9: 16, 10+8: 16, 10+7: 16, 9+9: 1, 9+8: 4, A+10: 16, A+9: 4, A+8: 4, A+7: 4; together 109 of 325.
    # of the other 216, 26 of 50 third cards are black
    two = next(p for verdict, p in red_flex("RFB-01", 1).probabilities.items() if verdict.label == "WIN two red")
    both_red = Fraction(26 * 25, 52 * 51)
    assert two == both_red * (Fraction(109, 325) + Fraction(216, 325) * Fraction(26, 50))


def test_rounds_drawn_at_random_are_house_correct_and_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "ROUNDS", 1500)
    bench = StrictBench(BOOK)
    found = MODULE.outcomes(ask("main"), bench)
    assert (found.samples, bench.rounds) == (1500, 1500)
    assert "full shoe each round" in found.note
    assert found == MODULE.outcomes(ask("main"), bench)
    nets = {verdict.label: verdict.net for verdict in found.probabilities}
    assert nets["WIN Pure 21.5"] == Fraction(6, 5)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (ask("red_flex"), "Name one with --paytable, as RFB-01"),
        (ask("red_flex", "RFB-13"), "No Red Flex paytable 'RFB-13' is known"),
        (ask("main", "RFB-01"), "it does not pay by a paytable"),
        (ask("main", on="7"), "on nothing"),
        (ask("main", decks=9), "The game is played with 1 to 8 decks; this table has 9"),
        (ask("bank"), "what the bank wins is what the players lose"),
        (ask("double"), "Ask for --wager main, which plays them"),
        (ask("insurance"), "this game offers no insurance"),
        (ask("main", day="2011-06-02"), "no rule .* on 2011-06-02; the first is of 2011-06-03"),
    ],
)
def test_a_wager_that_cannot_be_made_is_one_clear_line(question: Question, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        distribution(BOOK, "pure_21_5", question)
