"""What the simulated table pays: arithmetic of its own, written apart from the engine that audits it.

Cards are the two characters of the events. Amounts are minor units; `n for d` pairs are whole numbers, so that nothing here
shares a line with the rule files or with `processors.kernel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TENS: Final = "TJQK"
ORDER: Final = "A23456789TJQKA"
RED: Final = "dh"

LUCKY: Final = {
    "A": (1000, 125, 19, 9, 4),
    "B": (1000, 200, 25, 10, 4),
    "C": (250, 25, 9, 6, 3),
}
"""To 1: with the dealer's blackjack, queens, matched or paired 20, suited 20, any 20."""

TRILUX: Final = {
    "TRI-01": {"trips": 9, "straight flush": 9, "straight": 9, "flush": 9},
    "TRI-03": {"mini royal": 100, "straight flush": 35, "trips": 33, "straight": 10, "flush": 5},
    "TRI-04": {"straight flush": 30, "trips": 20, "straight": 10, "flush": 5},
    "TRILG-02": {"straight flush": 25, "trips": 15, "straight": 8, "flush": 5},
}
LUCKY_GEORGE: Final = {"TRILG-02": {"straight flush": 1000, "trips": 500, "straight": 200, "flush": 100}}
SUPER_3: Final = {"suited trips": 270, "straight flush": 180, "trips": 90}


def count(cards: Sequence[str]) -> tuple[int, bool]:
    """Points of a hand, and whether an ace counts eleven in it."""
    points = sum(10 if card[0] in TENS else 11 if card[0] == "A" else int(card[0]) for card in cards)
    elevens = sum(card[0] == "A" for card in cards)
    while points > 21 and elevens:
        points -= 10
        elevens -= 1
    return points, elevens > 0


def natural(cards: Sequence[str]) -> bool:
    """Ace and ten in two cards."""
    return len(cards) == 2 and count(cards)[0] == 21


def draws(cards: Sequence[str], hits_soft_17: bool) -> bool:
    """Whether the house draws to this hand."""
    points, soft = count(cards)
    return points < 17 or (points == 17 and soft and hits_soft_17)


def times(stake_minor: int, numerator: int, denominator: int, chip_minor: int = 1) -> int:
    """`stake x numerator / denominator`, up to the next chip; without chips to the nearest cent, half up."""
    if chip_minor > 1:
        return -(-stake_minor * numerator // (denominator * chip_minor)) * chip_minor
    return (2 * stake_minor * numerator + denominator) // (2 * denominator)


def three_cards(cards: Sequence[str]) -> list[str]:
    """What three cards are, the best name first."""
    ranks = "".join(sorted(card[0] for card in cards))
    flush = cards[0][1] == cards[1][1] == cards[2][1]
    runs = {"".join(sorted(ORDER[at : at + 3])) for at in range(12)}
    straight, trips = ranks in runs, ranks[0] == ranks[1] == ranks[2]
    names = []
    if flush and ranks == "AKQ":
        names.append("mini royal")
    if flush and trips:
        names.append("suited trips")
    if flush and straight:
        names.append("straight flush")
    if trips:
        names.append("trips")
    if straight:
        names.append("straight")
    if flush:
        names.append("flush")
    return names


def highest(names: Sequence[str], pays: dict[str, int]) -> tuple[str, int]:
    """The best-paying name of a hand in a table, ("", 0) where it has none."""
    return max(((name, pays[name]) for name in names if name in pays), key=lambda found: found[1], default=("", 0))


def royal_match(cards: Sequence[str]) -> tuple[int, int]:
    """Odds of royal match on two cards as a pair of whole numbers; (0, 1) where it loses."""
    if cards[0][1] != cards[1][1]:
        return 0, 1
    if {cards[0][0], cards[1][0]} == {"K", "Q"}:
        return 25, 1
    return (5, 1) if natural(cards) else (5, 2)


def sevens(cards: Sequence[str], up: str) -> tuple[int, int]:
    """Blazing 7's: (N for 1, 0), or (0, percent of the pot)."""
    mine = [card for card in cards if card[0] == "7"]
    if len(mine) < 2:
        return (2 if mine else 0), 0
    if up[0] != "7":
        return 25, 0
    suits = {card[1] for card in (*mine, up)}
    if len(suits) == 1:
        return 0, 100 if suits == {"d"} else 10
    return (500 if suits <= set(RED) or not suits & set(RED) else 200), 0


def lucky_ladies(cards: Sequence[str], dealer_natural: bool, paytable: str) -> int:
    """Lucky Ladies, to 1; 0 where it loses."""
    top, queens, pair, suited, any_20 = LUCKY[paytable]
    if count(cards)[0] != 20:
        return 0
    same_rank, same_suit = cards[0][0] == cards[1][0], cards[0][1] == cards[1][1]
    special = cards[0][0] == cards[1][0] == "Q" if paytable == "C" else list(cards) == ["Qh", "Qh"]
    if special:
        return top if dealer_natural else queens
    if same_rank and (same_suit or paytable == "C"):
        return pair
    return suited if same_suit else any_20
