"""Hands of three cards: pair, flush, straight, three of a kind, straight flush.

An ace is high in Q-K-A and low in A-2-3; K-A-2 is no straight.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from processors.kernel.cards import ACE, Card

ACES_IN_STRAIGHTS: Final = ("high", "low")
"""The two ends at which an ace may stand in a straight."""


def is_flush(cards: Collection[Card]) -> bool:
    """All of one suit."""
    return len({card.suit for card in cards}) == 1


def is_three_of_a_kind(cards: Collection[Card]) -> bool:
    """Three of one rank, suits and decks whatever they are."""
    return len(cards) == 3 and len({card.rank for card in cards}) == 1


def is_straight(cards: Collection[Card], aces: Collection[str] = ACES_IN_STRAIGHTS) -> bool:
    """Three consecutive ranks; `aces` says at which ends an ace may stand."""
    low, middle, high = sorted(card.rank for card in cards)
    if high == ACE and (low, middle) == (2, 3):
        return "low" in aces
    return low + 1 == middle and middle + 1 == high and (high != ACE or "high" in aces)


def three_card_rows(cards: Collection[Card], aces: Collection[str] = ACES_IN_STRAIGHTS) -> list[str]:
    """Every row that three cards are in, the narrowest first; empty for a hand that is in none.

    Rows: `mini_royal` (A-K-Q suited), `suited_three_of_a_kind`, `straight_flush`, `three_of_a_kind`, `straight`, `flush`,
    `pair`. Which of them a paytable has, and which pays most, is the paytable's matter.
    """
    flush, straight = is_flush(cards), is_straight(cards, aces)
    kinds = len({card.rank for card in cards})
    rows = []
    if flush and straight and {card.rank for card in cards} == {ACE, ACE - 1, ACE - 2}:
        rows.append("mini_royal")
    if flush and kinds == 1:
        rows.append("suited_three_of_a_kind")
    if flush and straight:
        rows.append("straight_flush")
    if kinds == 1:
        rows.append("three_of_a_kind")
    if straight:
        rows.append("straight")
    if flush:
        rows.append("flush")
    if kinds < 3:
        rows.append("pair")
    return rows
