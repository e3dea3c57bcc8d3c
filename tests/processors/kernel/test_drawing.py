"""Cards drawn without replacement, against binomials written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle
from math import comb
from random import Random

import pytest

from processors.kernel.cards import CARDS
from processors.kernel.drawing import ShuffledShoe, at_random, draws, draws_up_to_suits
from processors.kernel.outcomes import Verdict

ACES = (tuple(code for code in CARDS if code[0] == "A"), tuple(code for code in CARDS if code[0] != "A"))


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_the_probabilities_of_all_draws_add_up_to_one(decks: int) -> None:
    assert sum(p for p, _ in draws(decks, 2)) == 1
    assert sum(p for p, _ in draws(decks, 3, ACES)) == 1
    assert sum(p for p, _ in draws_up_to_suits(decks, 2)) == 1
    assert sum(p for p, _ in draws_up_to_suits(decks, 2, ("cs", "dh"))) == 1


def test_two_aces_of_six_decks_come_by_kinds() -> None:
    found = {tuple(code[0] == "A" for code in cards): p for p, cards in draws(6, 2, ACES)}
    assert found[True, True] == Fraction(24 * 23, 312 * 311)
    assert found[False, True] == Fraction(288 * 24, 312 * 311)


def test_cards_that_have_gone_are_no_longer_in_the_shoe() -> None:
    found = {cards[0][0] == "A": p for p, cards in draws(1, 1, ACES, gone=("As", "Kd"))}
    assert found == {True: Fraction(3, 50), False: Fraction(47, 50)}
    # all aces gone: none comes, and no probability is left over
    assert [p for p, _ in draws(1, 1, ACES, gone=("As", "Ac", "Ad", "Ah"))] == [1]


def test_no_card_comes_more_often_than_the_decks_hold_it() -> None:
    for _, cards in [*draws(1, 3, ACES, gone=("Ac",)), *draws_up_to_suits(1, 3)]:
        assert len(set(cards)) == 3
    assert all("Ac" not in cards for _, cards in draws(1, 3, ACES, gone=("Ac",)))


def test_exchanging_suits_changes_no_probability() -> None:
    # three cards of one suit out of six decks, and among them a pair of identical cards
    flush = sum(p for p, cards in draws_up_to_suits(6, 3) if len({code[1] for code in cards}) == 1)
    assert flush == Fraction(4 * comb(78, 3), comb(312, 3))
    hearts = sum(p for p, (a, b) in draws_up_to_suits(6, 2, ("cds", "h")) if a == b == "Qh")
    assert hearts == Fraction(comb(6, 2), comb(312, 2))


def test_a_shuffled_shoe_gives_every_card_once_and_then_none() -> None:
    shoe = ShuffledShoe(1, Random(1))  # noqa: S311  # a test has to be repeatable, not secret
    assert sorted(shoe.draw() for _ in range(52)) == sorted(CARDS)
    with pytest.raises(ValueError, match="empty range"):
        shoe.draw()


def test_drawn_rounds_count_as_often_as_they_came() -> None:
    rounds = cycle([Verdict("WIN", Fraction(1)), Verdict("LOSE", Fraction(-1)), Verdict("LOSE", Fraction(-1))])
    found = at_random(6, lambda: next(rounds), "three in turn")
    assert (found.expectation, found.samples, found.note) == (Fraction(-1, 3), 6, "three in turn")
