"""The best flush and the longest straight flush, against a naive search through all subsets (K.A.R. 111-301-74)."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.kernel.cards import CARDS, Card
from processors.kernel.flush import Flush, Run, best_flush, best_run, flushes

HANDS = st.lists(st.sampled_from(sorted(CARDS.values())), min_size=7, max_size=7, unique=True)
ONE_SUIT = [Card(rank, "h") for rank in range(2, 15)]


def cards(text: str) -> list[Card]:
    return [CARDS[code] for code in text.split()]


def naive_flush(hand: list[Card]) -> tuple[int, list[int]]:
    """The strongest of all subsets that are of one suit."""
    return max(
        (size, sorted((card.rank for card in some), reverse=True))
        for size in range(1, len(hand) + 1)
        for some in combinations(hand, size)
        if len({card.suit for card in some}) == 1
    )


def naive_run(hand: list[Card]) -> tuple[int, list[int]] | None:
    """The strongest of all subsets of one suit that stand in a row, the ace as 14 or as 1."""
    found = []
    for size in range(3, len(hand) + 1):
        for some in combinations(hand, size):
            if len({card.suit for card in some}) > 1:
                continue
            for ace in (14, 1):
                ranks = sorted((ace if card.rank == 14 else card.rank for card in some), reverse=True)
                if all(higher == lower + 1 for higher, lower in pairwise(ranks)):
                    found.append((size, ranks))
    return max(found, default=None)


@settings(max_examples=400, deadline=None)
@given(HANDS)
def test_the_best_flush_is_the_one_that_a_search_of_all_subsets_finds(hand: list[Card]) -> None:
    best = best_flush(hand)
    assert (len(best.ranks), list(best.ranks)) == naive_flush(hand)
    assert {Card(rank, best.suit) for rank in best.ranks} <= set(hand)


@settings(max_examples=400, deadline=None)
@given(HANDS)
def test_the_best_straight_flush_is_the_one_that_a_search_of_all_subsets_finds(hand: list[Card]) -> None:
    run, naive = best_run(hand), naive_run(hand)
    assert (run and (len(run.ranks), list(run.ranks))) == naive


def test_every_hand_of_seven_cards_of_one_suit_ranks_as_the_search_says() -> None:
    for some in combinations(ONE_SUIT, 7):
        hand = list(some)
        assert best_flush(hand).strength == (7, tuple(sorted((card.rank for card in hand), reverse=True)))
        run, naive = best_run(hand), naive_run(hand)
        assert (run and (len(run.ranks), list(run.ranks))) == naive


def test_as_many_of_those_hands_hold_a_straight_flush_of_seven_as_the_regulation_lists() -> None:
    # from the ace, king, queen, jack, ten, nine, eight down to the seven with the ace: 8 of C(13, 7) = 1,716
    hands = list(combinations(ONE_SUIT, 7))
    assert len(hands) == comb(13, 7)
    runs = [run for hand in hands if (run := best_run(hand)) and len(run.ranks) == 7]
    assert sorted(run.ranks[0] for run in runs) == [7, 8, 9, 10, 11, 12, 13, 14]


def test_the_order_of_the_cards_does_not_matter() -> None:
    hand = cards("4d Ad Kh 2d 3d Qh 9c")
    for turned in (hand, hand[::-1], sorted(hand)):
        assert best_flush(turned) == Flush((14, 4, 3, 2), "d")
        assert best_run(turned) == Run((4, 3, 2, 1), "d")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("3d 2d 4d 5d 2c 3c 4c", "Ad Kd Qd 2s 3s 7c 9c"),  # four low cards before three high ones
        ("Ad 3d 2d 9h 6h Kc Js", "Ks Qs Ts 8h 4h 7c 5c"),  # the ace is the highest card of a flush
        ("Qd Td 5d 2h 3h 7c 9c", "Qs Ts 4s 2h 3h 7c 9c"),  # the third card decides
        ("Kd 9d 7d 4d 2d 3c Js", "6s 5s 4s 3s 2s 3c Jc"),  # a straight flush is a flush like any other
    ],
)
def test_a_flush_ranks_before_another(higher: str, lower: str) -> None:
    assert best_flush(cards(higher)).strength > best_flush(cards(lower)).strength


def test_two_suits_of_the_same_ranks_tie() -> None:
    assert best_flush(cards("Qd Td 5d 2h 3h 7c 9c")).strength == best_flush(cards("Qs Ts 5s 2c 3h 7h 9c")).strength


def test_an_ace_joins_a_king_and_a_two_only_where_runs_wrap_around() -> None:
    hand = cards("Kd Ad 2d 3d 9h 7c 5s")
    assert best_run(hand) == Run((3, 2, 1), "d")
    assert best_run(hand, wrap_around=True) == Run((3, 2, 1, 13), "d")
    assert best_run(cards("Kd Ad 2d 9d 9h 7c 5s")) is None


def test_the_longest_run_wins_before_the_highest() -> None:
    assert best_run(cards("Ah Kh Qh 5c 4c 3c 2c")) == Run((5, 4, 3, 2), "c")
    assert best_run(cards("Ah Kh Qh 5c 4c 3c 9s")) == Run((14, 13, 12), "h")


def test_a_run_knows_whether_its_ace_is_in_it() -> None:
    for hand, has_ace in (("Ad Kd Qd Jd Td 9d 2s", True), ("6d 5d 4d 3d 2d Ad 2s", True), ("9d 8d 7d 6d 5d 4d Ad", False)):
        run = best_run(cards(hand))
        assert run is not None
        assert (len(run.ranks), run.has_ace) == (6, has_ace)


def test_a_card_that_came_twice_makes_a_run_no_longer() -> None:
    assert best_run(cards("7d 6d 6d 5d 9h 7c 5s")) == Run((7, 6, 5), "d")


def test_the_suits_of_a_hand_are_its_flushes() -> None:
    found = flushes(cards("Kd 3h 9d 2h"))
    assert found == [Flush((13, 9), "d"), Flush((3, 2), "h")]


def test_no_cards_have_no_flush_and_no_run() -> None:
    assert best_run([]) is None
    with pytest.raises(ValueError, match="empty"):
        best_flush([])
