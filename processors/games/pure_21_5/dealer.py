"""Deals Pure 21.5 for simulation: house-correct rounds from a shoe that lasts, and on request one with a mistake.

What is paid is worked out by `dealer_pay`, apart from the engine. The mistakes are those of this game; those of money and of
the record are planted by the simulator on top of a correct round.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from processors.games.pure_21_5 import dealer_pay as pay
from processors.games.pure_21_5.dealer_round import Dealing
from processors.kernel.cards import RANKS, SUITS
from processors.kernel.dealing import Dealt, TableSetup

TRIES: Final = 600
LEAST_CARDS: Final = 80
"""With fewer cards in the shoe a new one is shuffled before the deal: seven hands, splits and all, need no more."""
MISTAKES: Final = (
    "dealer_drew",
    "dealer_stood",
    "settled_out_of_order",
    "bank_fee_wrong",
    "bank_overreached",
    "late_wager",
    "over_maximum",
    "below_minimum",
    "hole_card_not_checked",
    "hard_nineteen_hit",
    "hard_eleven_stood",
    "double_over_wager",
    "dealt_out_of_order",
    "third_bank_turn",
)
# the second posts no rate for a large bank; a table without a schedule has its fees unaudited
RATES: Final[Sequence[Mapping[tuple[int, int], int]]] = (
    {(100, 5000): 50, (5001, 30000): 100, (30001, 1_000_000_000): 300},
    {(100, 10000): 100, (10001, 50000): 200},
    {},
)
LIMITS: Final[Mapping[str, Mapping[str, int]]] = {
    "main": {"minimum_minor": 500, "maximum_minor": 30000},
    "red_flex": {"minimum_minor": 100, "maximum_minor": 2500},
}


class Shoe:
    """The cards that are left, the next one last."""

    def __init__(self, decks: int, name: str, random: Random) -> None:
        self.decks, self.name, self.random = decks, name, random
        self.number = 0
        self.cards: list[str] = []

    @property
    def shoe_id(self) -> str:
        """Every shuffle makes a new one."""
        return f"{self.name}-{self.number}"

    def shuffle(self) -> None:
        """A full shoe in a new order."""
        self.number += 1
        self.cards = [rank + suit for rank in RANKS for suit in SUITS] * self.decks
        self.random.shuffle(self.cards)


class PureDealer:
    """A table that is dealt round after round. Implements `processors.kernel.dealing.Dealer`.

    Everybody keeps the seat; the bank goes round clockwise after every two hands.
    """

    def __init__(self, setup: TableSetup, random: Random) -> None:
        self.setup = setup
        self.random = random
        self.decks = random.choice((2, 4, 6, 6, 8))
        self.paytable = random.choice(sorted(pay.LONG_RUN))
        self.rates = random.choice(RATES)
        self.rates_of_every_bank = RATES[0]
        self.limits = LIMITS
        self.shoe = Shoe(self.decks, f"{setup.table_id}-{setup.gaming_day}", random)
        patrons = list(setup.patrons) or ["", ""]
        people = [*patrons, ""][: max(2, min(len(patrons), 7))]
        self.seats = sorted(random.sample(range(1, 9), len(people)))
        self.patrons = dict(zip(self.seats, random.sample(people, len(people)), strict=True))
        self.bank_seat = random.choice(self.seats)
        self.turn = 1

    @property
    def mistakes(self) -> Sequence[str]:
        """The mistakes that a table can make."""
        return MISTAKES

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        """Deal the next round; with a `mistake`, one that has it. Raises ValueError for a mistake that it does not know.

        Where hundreds of rounds gave no occasion for the mistake, a right one is dealt and nothing is `planted`.
        """
        if mistake and mistake not in self.mistakes:
            raise ValueError(f"no mistake {mistake!r}; there are {', '.join(self.mistakes)}")
        for attempt in range(TRIES):
            before: tuple[Any, list[str]] = copy.copy(self.shoe), list(self.shoe.cards)
            fresh = len(self.shoe.cards) < LEAST_CARDS or attempt > 0
            if fresh:
                self.shoe.shuffle()
            dealing = Dealing(self, round_id, opened_at, mistake if attempt < TRIES - 1 else "", fresh)
            dealing.run()
            if not dealing.mistake or dealing.planted:
                break
            # this round gave no occasion for the mistake: it was never dealt
            self.shoe, self.shoe.cards = before
        self._pass_the_bank()
        return Dealt(dealing.narrator.events, dealing.planted)

    def _pass_the_bank(self) -> None:
        self.turn = 3 - self.turn
        if self.turn == 1:
            self.bank_seat = next((seat for seat in self.seats if seat > self.bank_seat), self.seats[0])
