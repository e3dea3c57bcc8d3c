"""One spot of a game of 21 played by the fixed strategy."""

from __future__ import annotations

import pytest

from events.model import CardDealt, CardExposed, HoleCardChecked, PlayerActed, RoundClosed, WagerPlaced
from processors.kernel.basic_strategy import SpotPlayed, decide, looks_under
from processors.kernel.cards import CARDS


def played(cards: str, *, draws_regardless: bool = False) -> SpotPlayed:
    coming = iter(cards.split())
    round_ = SpotPlayed(
        [], 1000, lambda: next(coming), lambda up, natural: looks_under(up, tens=natural),
        up_dealt_open=False, hits_soft_17=True, draws_regardless=draws_regardless,
    )  # fmt: skip
    assert list(coming) == [], "cards were left over"
    return round_


def acts(round_: SpotPlayed) -> list[tuple[str, int]]:
    return [(event.action, event.hand) for event in round_.events if isinstance(event, PlayerActed)]


@pytest.mark.parametrize(
    ("cards", "up", "act"),
    [
        ("8c 8d", "Ah", "SPLIT"),
        ("9c 9d", "7h", "STAND"),
        ("9c 9d", "8h", "SPLIT"),
        ("Tc Kd", "6h", "STAND"),
        ("5c 5d", "9h", "DOUBLE"),
        ("6c 5d", "Ah", "HIT"),
        ("6c 3d", "2h", "HIT"),
        ("Ac 7d", "6h", "DOUBLE"),
        ("Ac 7d", "8h", "STAND"),
        ("Ac 7d", "9h", "HIT"),
        ("Ac 3d 4s", "6h", "STAND"),
        ("Ac 8d", "6h", "STAND"),
        ("Tc 2d", "3h", "HIT"),
        ("Tc 2d", "4h", "STAND"),
        ("Tc 6d", "7h", "HIT"),
        ("Tc 7d", "Ah", "STAND"),
    ],
)
def test_the_strategy_decides_as_its_words_say(cards: str, up: str, act: str) -> None:
    hand = [CARDS[code] for code in cards.split()]
    assert decide(hand, CARDS[up], may_split=True) == act


def test_a_pair_of_eights_is_played_hard_when_it_may_not_be_split() -> None:
    assert decide([CARDS["8c"], CARDS["8d"]], CARDS["Th"], may_split=False) == "HIT"


def test_a_split_hand_is_doubled_and_the_second_hand_follows() -> None:
    round_ = played("8c 6d 8h Tc 3d Ts Tc 5d")
    assert acts(round_) == [("SPLIT", 1), ("DOUBLE", 1), ("STAND", 2)]
    assert round_.stakes_minor == {"main": 1000, "split 1": 1000, "double 2": 1000}
    parents = [event.parent for event in round_.events if isinstance(event, WagerPlaced)]
    assert parents == ["main", "main"]
    assert [card.code for card in round_.dealer] == ["6d", "Tc", "5d"]


def test_split_aces_get_one_card_each() -> None:
    round_ = played("Ac 6d Ah Tc 5d 2s Ts")
    assert acts(round_) == [("SPLIT", 1)]
    assert [len(hand.cards) for hand in round_.hands] == [2, 2]


def test_nobody_acts_after_a_check_that_finds_a_natural() -> None:
    round_ = played("Tc Ad 6h Kc")
    assert acts(round_) == []
    assert [type(event) for event in round_.events[-3:]] == [HoleCardChecked, CardExposed, RoundClosed]


def test_a_dealer_draws_against_a_hand_that_is_over_only_where_the_game_says_so() -> None:
    assert len(played("Tc Td 6h 6c Ts").dealer) == 2
    assert len(played("Tc Td 6h 6c Ts 5h", draws_regardless=True).dealer) == 3


def test_a_soft_17_is_drawn_to() -> None:
    round_ = played("Tc 6d 9h Ac 4s")
    assert [event.card for event in round_.events if isinstance(event, CardDealt)][-1] == "4s"
