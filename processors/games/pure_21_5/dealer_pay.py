"""What a house that makes no mistake pays at Pure 21.5: its own arithmetic, apart from the engine that audits.

Cards are codes as in the events. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

RED = "dh"
LONG_RUN = {  # paytable: what 2, 3, 4, 5, 6, 7 and 8 red cards pay to one, in fifths
    "RFB-01": (5, 25, 45, 250, 500, 1000, 1000),
    "RFB-02": (5, 25, 50, 250, 500, 1000, 1000),
    "RFB-03": (5, 25, 45, 250, 500, 1000, 1500),
    "RFB-04": (5, 25, 50, 250, 500, 1000, 1500),
    "RFB-05": (6, 25, 40, 250, 500, 1000, 1000),
    "RFB-06": (6, 25, 45, 250, 500, 1000, 1000),
    "RFB-07": (6, 25, 40, 250, 500, 1000, 1500),
    "RFB-08": (6, 25, 45, 250, 500, 1000, 1500),
    "RFB-09": (5, 15, 35, 250, 500, 1000, 1000),
    "RFB-10": (10, 15, 40, 250, 500, 1000, 1000),
    "RFB-11": (10, 15, 40, 250, 500, 1250, 1250),
    "RFB-12": (10, 15, 40, 250, 500, 1000, 1500),
}


def points(cards: Iterable[str]) -> tuple[int, bool]:
    """The total of a hand, and whether an ace in it counts eleven."""
    total, aces = 0, 0
    for card in cards:
        if card[0] == "A":
            aces += 1
            total += 11
        else:
            total += 10 if card[0] in "TJQK" else int(card[0])
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total, aces > 0


def is_pure(cards: Sequence[str]) -> bool:
    """An ace and a bonus card, nothing else."""
    ranks = {card[0] for card in cards}
    return len(cards) == 2 and "A" in ranks and bool(ranks & set("TJQK"))


def bank_draws(cards: Sequence[str]) -> bool:
    """Whether the player-dealer must take another card."""
    total, soft = points(cards)
    return total < 17 or (total == 17 and soft)


class Hand(NamedTuple):
    """A player's hand as it lies at the end."""

    cards: Sequence[str]
    split: bool
    surrendered: bool


def fifths_won(hand: Hand, bank: Sequence[str]) -> int | None:
    """What a hand wins, in fifths of the stake (6: six to five, 5: even, 0: tie, -5: lost); None: surrendered."""
    pure, bank_pure = is_pure(hand.cards) and not hand.split, is_pure(bank)
    if pure or bank_pure:
        return 0 if pure and bank_pure else 6 if pure else -5
    if hand.surrendered:
        return None
    mine, theirs = points(hand.cards)[0], points(bank)[0]
    if mine > 21:
        eights = [card[0] for card in bank] == ["8", "8", "8"]
        return 0 if eights else -5
    if theirs > 21 or mine > theirs:
        return 5
    return 0 if mine == theirs else -5


def red_run(bank: Sequence[str]) -> int:
    """How many of the player-dealer's cards are red before the first black one."""
    run = 0
    for card in bank:
        if card[1] not in RED:
            break
        run += 1
    return run


def flex_fifths(bank: Sequence[str], paytable: str) -> int:
    """What a Red Flex bet wins, in fifths of the stake; -5: lost."""
    run = red_run(bank)
    return LONG_RUN[paytable][min(run, 8) - 2] if run >= 2 else -5


def nearest(amount: int, top: int, bottom: int) -> int:
    """`amount` x top / bottom to the nearest cent, half a cent up."""
    return (2 * amount * top + bottom) // (2 * bottom)


class Paid(NamedTuple):
    """A settlement as the house makes it. `short_minor` is what it would have paid more had the bank reached."""

    result: str
    paid_minor: int
    returned_minor: int
    no_action_minor: int
    short_minor: int = 0


class Bank:
    """The player-dealer's wager being used from the action button on: it may neither win nor lose more than it is."""

    def __init__(self, wager_minor: int) -> None:
        self.wager_minor = wager_minor
        self.balance_minor = 0

    def settle(self, stake_minor: int, fifths: int | None) -> Paid:
        """Settle one wager of so much stake; None: surrendered."""
        if fifths == 0:
            return Paid("PUSH", 0, stake_minor, 0)
        if fifths is None or fifths < 0:
            back = 0 if fifths is not None else nearest(stake_minor, 1, 2)
            lost = stake_minor - back
            taken = min(lost, self.wager_minor - self.balance_minor)
            self.balance_minor += taken
            if not taken:
                return Paid("VOID", 0, 0, stake_minor)
            return Paid("LOSE", 0, back, lost - taken)
        won = nearest(stake_minor, fifths, 5)
        paid = min(won, self.wager_minor + self.balance_minor)
        self.balance_minor -= paid
        if not paid:
            return Paid("VOID", 0, 0, stake_minor, won)
        action = stake_minor if paid == won else min(stake_minor, paid)
        return Paid("WIN", paid, action, stake_minor - action, won - paid)

    def own(self) -> Paid:
        """The bank's own settlement."""
        if self.balance_minor > 0:
            return Paid("WIN", self.balance_minor, self.wager_minor, 0)
        if self.balance_minor < 0:
            return Paid("LOSE", 0, self.wager_minor + self.balance_minor, 0)
        return Paid("PUSH", 0, self.wager_minor, 0)


def from_button(seats: Sequence[int], hole: str) -> list[int]:
    """The seats with a wager (ascending, without the bank's) from the action button on."""
    count = "A23456789TJQK".index(hole[0])
    start = count % len(seats)
    return [*seats[start:], *seats[:start]]


def fee_minor(rates: Mapping[tuple[int, int], int], amount_minor: int) -> int:
    """The collection fee of a wager; 0 where no rate is posted for it."""
    return sum(fee for (low, high), fee in rates.items() if low <= amount_minor <= high)
