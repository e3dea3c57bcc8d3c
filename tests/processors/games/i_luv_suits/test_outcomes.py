"""The player's expectation of wagers of I Luv Suits, against hands counted by hand."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from events.errors import BadInput
from processors import rulebook
from processors.edge import distribution
from processors.games.i_luv_suits.hands import qualifies
from processors.kernel.cards import CARDS
from processors.kernel.dated import Rule
from processors.kernel.flush import best_flush
from processors.kernel.outcomes import Distribution, Question
from tests.processors.games.strict import StrictBench

BOOK = rulebook.load()
MODULE = importlib.import_module("processors.games.i_luv_suits.outcomes")
HANDS = comb(52, 7)


def ask(bet: str, *, on: str = "", paytable: str = "", decks: int = 0) -> Question:
    return Question(bet, on, paytable, decks, "us-ks-southwest", "2021-06-01")


def hands_of(bet: str) -> dict[str, Fraction]:
    """How many of the 133,784,560 hands come to each outcome."""
    found = distribution(BOOK, "i_luv_suits", ask(bet))
    assert sum(found.probabilities.values()) == 1
    return {verdict.label: p * HANDS for verdict, p in found.probabilities.items()}


def expectation(bet: str) -> Fraction:
    found: Distribution = distribution(BOOK, "i_luv_suits", ask(bet))
    return found.expectation


def test_the_classes_of_hands_are_all_hands() -> None:
    assert HANDS == 133_784_560
    assert sum(found.hands for found in MODULE.hand_classes(7, len).values()) == HANDS
    by_shape = {tuple(sorted(length for length, _ in keys)): found for keys, found in MODULE.hand_classes(7, len).items()}
    # four, two and one card of three suits: 4 x 3 x 2 ways to choose the suits
    assert by_shape[0, 1, 2, 4].hands == 24 * 715 * 78 * 13
    assert all(len(set(found.cards)) == 7 for found in by_shape.values())


def test_flush_rush_by_binomials() -> None:
    # two flushes of four cards do not fit into seven; the published edge of these odds (7 cards, one deck) is 7.81 percent
    lengths = {length: 4 * comb(13, length) * comb(39, 7 - length) for length in (4, 5, 6, 7)}
    words = {4: "four", 5: "five", 6: "six", 7: "seven"}
    found = hands_of("flush_rush")
    assert {label: n for label, n in found.items() if label != "LOSE"} == {
        f"WIN {words[length]} card flush": n for length, n in lengths.items()
    }
    won = lengths[4] + 10 * lengths[5] + 100 * lengths[6] + 300 * lengths[7]
    assert expectation("flush_rush") == Fraction(won - (HANDS - sum(lengths.values())), HANDS)
    assert round(expectation("flush_rush") * 10_000) == -781


def test_straight_flushes_by_runs_and_what_does_not_lengthen_them() -> None:
    found = hands_of("super_flush_rush")
    # 8 runs of seven; of six 9, of five 10, of four 11: two of them can grow at one end only, the others at two
    assert found["WIN seven card straight flush"] == 4 * 8
    assert found["WIN six card straight flush"] == 4 * (7 * 44 + 2 * 45)
    assert found["WIN five card straight flush"] == 4 * (8 * comb(45, 2) + 2 * comb(46, 2))
    # A-2-3-4 and J-Q-K-A of a suit make seven cards with one ace: counted in both runs
    assert found["WIN four card straight flush"] == 4 * (9 * comb(46, 3) + 2 * comb(47, 3) - 1)
    assert found["WIN three card straight flush"] == counted_by_strings()[3]
    won = 7 * found["WIN three card straight flush"] + 75 * found["WIN four card straight flush"]
    won += 100 * 39_960 + 200 * 1_592 + 500 * 32
    assert expectation("super_flush_rush") == Fraction(won - found["LOSE"], HANDS)


def counted_by_strings() -> Counter[int]:
    """Hands by their longest straight flush, counted without cards: a suit is a row of marks with the ace at both ends."""
    suit: Counter[tuple[int, int]] = Counter()
    for length in range(8):
        for ranks in combinations(range(13), length):
            marks = "".join("x" if rank % 13 in ranks else " " for rank in range(14))
            longest = max(map(len, marks.split()), default=0)
            suit[length, longest if longest >= 3 else 0] += 1
    hands: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for _ in range(4):
        longer: Counter[tuple[int, int]] = Counter()
        for (length, longest), ways in hands.items():
            for (more, run), times in suit.items():
                if length + more <= 7:
                    longer[length + more, max(longest, run)] += ways * times
        hands = longer
    return Counter({longest: ways for (length, longest), ways in hands.items() if length == 7})


def test_the_progressive_pays_a_six_card_run_with_its_ace_the_whole_pot() -> None:
    found = distribution(BOOK, "i_luv_suits", ask("progressive"))
    six = {v.net: p * HANDS for v, p in found.probabilities.items() if v.label == "WIN six card straight flush"}
    # the pot: 1,000.00 and 22 percent of 5.00; all of it is 200.22 times the wager, a tenth of it (100.11) 20.022 times.
    # A-2-3-4-5-6 without the 7, 9-10-J-Q-K-A without the 8: 45 other cards each
    assert six == {Fraction(100_110, 500) - 1: 4 * 2 * 45, Fraction(10_011, 500) - 1: 4 * 7 * 44}
    assert found.note == "133,784,560 hands by classes, a wager of 5.00, the pot at its opening 1,000.00"


@pytest.mark.parametrize(("reading", "basis_points"), [("by_ranking", 7536), ("by_card", 7444)])
def test_the_dealer_qualifies_as_often_as_each_reading_says(reading: str, basis_points: int) -> None:
    terms = BOOK.terms("i_luv_suits", "us-ks-southwest", "2021-06-01")
    terms = replace(terms, dealer_qualifies=Rule(reading, terms.dealer_qualifies.cite))

    def qualifying() -> Iterator[int]:
        for found in MODULE.hand_classes(7, lambda ranks: max(ranks, default=0) >= 9).values():
            cards = [CARDS[code] for code in found.cards]
            if qualifies(cards, best_flush(cards), terms):
                yield found.hands

    assert round(Fraction(sum(qualifying()), HANDS) * 10_000) == basis_points


def test_antes_drawn_at_random_are_house_correct_and_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "ROUNDS", 1500)
    bench = StrictBench(BOOK)
    found = MODULE.outcomes(ask("ante"), bench)
    assert (found.samples, bench.rounds) == (1500, 1500)
    assert "10-8-6" in found.note
    assert found == MODULE.outcomes(ask("ante"), bench)
    classes = MODULE.hand_classes(7, lambda ranks: sorted(ranks, reverse=True) >= [10, 8, 6])
    below = sum(
        hand.hands
        for keys, hand in classes.items()
        if not any(length > 3 or (length == 3 and good) for length, good in keys)
    )
    folded = sum(p for verdict, p in found.probabilities.items() if verdict.label == "LOSE")
    # four standard errors of a third in 1,500 are 4.9 percent
    assert abs(folded - Fraction(below, HANDS)) < Fraction(49, 1000)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (ask("play"), "Ask for --wager ante"),
        (ask("ante", on="9"), "on nothing"),
        (ask("flush_rush", paytable="A"), "no paytable is chosen"),
        (ask("flush_rush", decks=2), "The round was opened with 2 decks; the game is played with 1"),
        (ask("hat"), "i_luv_suits has no bet 'hat'"),
    ],
)
def test_a_wager_that_cannot_be_made_is_one_clear_line(question: Question, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        distribution(BOOK, "i_luv_suits", question)
