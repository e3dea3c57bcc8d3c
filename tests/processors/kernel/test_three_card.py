"""K.A.R. 111-301-3 (flush, straight, straight flush, three-of-a-kind) and ARSD 20:18:15:30.17."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from processors.kernel.cards import CARDS, Card
from processors.kernel.three_card import is_flush, is_straight, is_three_of_a_kind, three_card_rows


def cards(text: str) -> list[Card]:
    return [CARDS[code] for code in text.split()]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Ah Kh Qh", ["mini_royal", "straight_flush", "straight", "flush"]),
        ("Ah 2h 3h", ["straight_flush", "straight", "flush"]),
        ("Kh Ah 2h", ["flush"]),
        ("5h 5h 5h", ["suited_three_of_a_kind", "three_of_a_kind", "flush", "pair"]),
        ("5h 5d 5c", ["three_of_a_kind", "pair"]),
        ("5h 5h 9h", ["flush", "pair"]),
        ("5h 5d 9h", ["pair"]),
        ("9c 7d 8s", ["straight"]),
        ("2h 9h Kh", ["flush"]),
        ("2h 9d Kh", []),
    ],
)
def test_a_hand_is_in_all_its_rows_the_narrowest_first(text: str, rows: list[str]) -> None:
    assert three_card_rows(cards(text)) == rows


def test_an_ace_is_high_and_low_in_a_straight_but_not_round_the_corner() -> None:
    assert is_straight(cards("Qc Kd Ah"))
    assert is_straight(cards("3c Ad 2h"))
    assert not is_straight(cards("Kc Ad 2h"))


def test_a_reading_of_aces_may_leave_one_end_out() -> None:
    assert not is_straight(cards("Ac 2d 3h"), aces=("high",))
    assert not is_straight(cards("Qc Kd Ah"), aces=("low",))
    assert is_straight(cards("Jc Qd Kh"), aces=())


def test_three_of_a_kind_may_be_the_same_card_of_three_decks() -> None:
    assert is_three_of_a_kind(cards("Qs Qs Qs"))
    assert is_flush(cards("Qs Qs Qs"))


def test_the_hands_of_one_deck_are_as_many_as_counted_by_hand() -> None:
    """Of 22,100 hands: 12 runs x 4 suits = 48 straight flushes; 13 x 4 = 52 trips; 12 x 64 - 48 = 720 other straights;
    4 x 286 - 48 = 1,096 other flushes; 13 x 6 x 48 = 3,744 pairs."""
    best = Counter(
        (three_card_rows(hand) or ["nothing"])[0].replace("mini_royal", "straight_flush")
        for hand in itertools.combinations(CARDS.values(), 3)
    )
    assert best == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "nothing": 22100 - 48 - 52 - 720 - 1096 - 3744,
    }
