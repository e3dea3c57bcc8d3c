"""The simulated players: what they bet, and how they play. Sensible more often than not."""

from __future__ import annotations

from random import Random
from typing import Any

from processors.games.blackjack.dealer_pay import TENS, count


class PlayedHand:
    """A hand at a spot. `wager` and `double` are (id, stake that has action, excess); `over` says why it is decided."""

    def __init__(self, number: int, wager: Any, cards: list[str]) -> None:
        self.number = number
        self.wager = wager
        self.cards = cards
        self.double: Any = None
        self.split = False
        self.aces = False
        self.over = ""

    @property
    def points(self) -> int:
        """The best total."""
        return count(self.cards)[0]


class Player:
    """A seat with a patron, the main wager, the optional ones by bet, and the hands."""

    def __init__(self, seat: int, patron: str) -> None:
        self.seat = seat
        self.patron = patron
        self.main: Any = None
        self.extras: list[tuple[str, str, int, bool]] = []
        self.insurance: Any = None
        self.hands: list[PlayedHand] = []


def value(card: str) -> int:
    """A card as a dealer reads it: tens ten, an ace eleven."""
    return 10 if card[0] in TENS else 11 if card[0] == "A" else int(card[0])


def wants_split(hand: PlayedHand, up: str, random: Random) -> bool:
    """Eights and aces always, tens hardly ever, the rest against a weak card."""
    first, second = hand.cards
    if value(first) != value(second):
        return False
    if first[0] in "A8":
        return random.random() < 0.95
    if value(first) == 10:
        return random.random() < 0.06
    return first[0] in "23679" and value(up) <= 7 and random.random() < 0.8


def wants_double(hand: PlayedHand, up: str, random: Random) -> bool:
    """Nine to eleven against nine or less; now and then a soft hand."""
    points, soft = count(hand.cards)
    if soft:
        return 13 <= points <= 18 and 4 <= value(up) <= 6 and random.random() < 0.5
    return 9 <= points <= 11 and value(up) <= 9 and random.random() < 0.8


def wants_card(hand: PlayedHand, up: str, random: Random) -> bool:
    """Hit a stiff hand against a strong card, and any hand that cannot bust."""
    points, soft = count(hand.cards)
    if points < 12 or (soft and points < 18):
        return True
    if points < 17 and value(up) >= 7:
        return random.random() < 0.9
    return points < 17 and random.random() < 0.05
