"""Points, splitting and turns, as every game of 21 uses them (K.A.R. 111-301-3, -6)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processors.kernel.cards import CARDS, Card
from processors.kernel.twenty_one import (
    Spot,
    Total,
    Turns,
    TwentyOneHand,
    is_natural,
    must_draw,
    splittable,
    total_of,
)


def cards(text: str) -> list[Card]:
    return [CARDS[code] for code in text.split()]


def held(text: str, seat: int = 1, number: int = 1) -> TwentyOneHand:
    hand = TwentyOneHand(seat, number)
    for code in text.split():
        card = CARDS.get(code)
        hand.cards.append(card)
        hand.face_up.append(card is not None)
        hand.dealt_at.append(len(hand.cards))
        hand.count(card)
    return hand


@pytest.mark.parametrize(
    ("text", "points", "soft"),
    [
        ("Ah Kd", 21, True),
        ("Ah 6d", 17, True),
        ("Ah 6d Tc", 17, False),
        ("Ah Ad", 12, True),
        ("Ah Ad 9c", 21, True),
        ("Ah Ad 9c Tc", 21, False),
        ("Th 6d Qc", 26, False),
        ("", 0, False),
    ],
)
def test_an_ace_counts_eleven_where_that_does_not_bust(text: str, points: int, soft: bool) -> None:
    assert total_of(cards(text)) == Total(points, soft)
    hand = held(text)
    assert (hand.points, hand.total.soft) == (points, soft)


def test_a_total_says_itself_as_dealers_say_it() -> None:
    assert [str(total_of(cards(text))) for text in ("Ah 6d", "Th 7d")] == ["soft 17", "hard 17"]


def test_only_an_ace_and_a_ten_are_a_natural() -> None:
    naturals = {
        tuple(sorted((first.code[0], second.code[0])))
        for first, second in itertools.product(CARDS.values(), repeat=2)
        if is_natural(first, second)
    }
    assert naturals == {("A", "T"), ("A", "J"), ("A", "Q"), ("A", "K")}


def test_a_hand_of_a_split_pair_is_no_natural() -> None:
    hand = held("Ah Kd")
    assert hand.is_natural
    hand.from_split = True
    assert not hand.is_natural


@pytest.mark.parametrize(
    ("text", "hits", "stands"),
    [("Th 6d", True, True), ("Th 7d", False, False), ("Ah 6d", True, False), ("Ah 7d", False, False), ("Ah 5d", True, True)],
)
def test_a_dealer_draws_below_seventeen_and_to_a_soft_one_where_the_rules_say_so(
    text: str, hits: bool, stands: bool
) -> None:
    total = total_of(cards(text))
    assert must_draw(total, hits_soft_17=True) is hits
    assert must_draw(total, hits_soft_17=False) is stands


def test_a_pair_is_split_by_value_or_by_rank() -> None:
    assert splittable(held("Kh Td"), "value")
    assert not splittable(held("Kh Td"), "rank")
    assert splittable(held("Kh Kd"), "rank")
    assert not splittable(held("9h 8d"), "value")
    assert not splittable(held("9h 9d 9c"), "value")


def test_a_split_hand_stands_directly_after_the_one_that_it_came_from() -> None:
    spot = Spot(1)
    first = held("8s 8d")
    spot.hands.append(first)
    second = spot.split(first, 2, 10)
    first.cards.append(CARDS["8h"])
    first.face_up.append(True)
    first.dealt_at.append(11)
    third = spot.split(first, 3, 12)
    assert [hand.number for hand in spot.hands] == [1, 3, 2]
    assert [hand.points for hand in (first, second, third)] == [8, 8, 8]
    assert spot.initial_cards() == cards("8s 8d")
    assert not first.of_aces


def test_split_aces_know_that_they_are_aces() -> None:
    spot = Spot(1)
    hand = held("As Ad")
    spot.hands.append(hand)
    new = spot.split(hand, 2, 5)
    assert hand.of_aces
    assert new.of_aces
    assert new.from_split


def test_a_card_taken_out_does_not_count_and_positions_do_not_shift() -> None:
    hand = held("Th 5d 9c")
    hand.out.add(1)
    hand.recount()
    assert (hand.points, hand.size) == (19, 2)
    assert hand.cards[2] == CARDS["9c"]


def test_an_unread_card_counts_when_it_is_read() -> None:
    hand = held("Th ??")
    assert (hand.points, hand.unread) == (10, 1)
    hand.cards[1] = CARDS["9c"]
    hand.recount()
    assert (hand.points, hand.unread) == (19, 0)


def test_the_turn_goes_to_the_first_open_hand() -> None:
    one, two, three = held("Th 5d"), held("9h 8d", seat=2), held("8h 8d", seat=2, number=2)
    turns = Turns([one, two])
    one.close("stood", 3)
    assert turns.current() is two
    turns.insert_after(two, three)
    two.close("busted", 4)
    assert turns.current() is three
    one.reopen()
    turns.again()
    assert turns.current() is one
    for hand in (one, three):
        hand.close("stood", 5)
    assert turns.current() is None


@given(st.lists(st.sampled_from(sorted(CARDS)), max_size=12))
def test_the_running_total_is_the_total_of_the_cards(codes: list[str]) -> None:
    drawn = [CARDS[code] for code in codes]
    assert held(" ".join(codes)).total == total_of(drawn)
    # the best total is the greatest that does not bust, else the smallest
    aces = sum(card.code[0] == "A" for card in drawn)
    low = sum(10 if card.code[0] in "TJQK" else 1 if card.code[0] == "A" else int(card.code[0]) for card in drawn)
    fitting = [low + 10 * n for n in range(aces + 1) if low + 10 * n <= 21]
    assert total_of(drawn).points == (max(fitting) if fitting else low)
