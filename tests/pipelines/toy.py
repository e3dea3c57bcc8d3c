"""A tiny game to plant mistakes in: one throw; more than seven wins even money, seven ties, less loses.

`over` is the plain wager, `over_with_fee` owes a fee of 100. A die that does not exist is found, and loses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from events.model import (
    BettingClosed,
    DiceRolled,
    FeeCollected,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    WagerPlaced,
)
from pipelines.simulate.floor import House
from processors.kernel.citation import Citation
from processors.kernel.dealing import Dealt, Narrator, Planted, TableSetup
from processors.kernel.definition import Definition
from processors.kernel.game import Game
from processors.kernel.odds import Odds
from processors.rulebook import GameBook, Rulebook
from processors.rules.loader import RuleSet

CITE = Citation("toy", "1")
EVEN = Odds(Fraction(1))


@dataclass(frozen=True)
class Terms:
    """The toy has no rules that change."""


class Toy(Game):
    """Replays it."""

    BETS = frozenset({"over", "over_with_fee"})

    def admit(self, wager: Any, event: WagerPlaced) -> None:
        wager.fee_minor = 100 if wager.bet == "over_with_fee" else 0

    def dice_rolled(self, event: DiceRolled) -> None:
        self.close_betting(event.sequence)
        if not all(1 <= die <= 6 for die in event.dice):
            self.find("IMPOSSIBLE_DICE", event.sequence, "There is no such die.")
        total = sum(event.dice)
        for wager in self.wagers.values():
            result: Any = "WIN" if total > 7 else "PUSH" if total == 7 else "LOSE"
            self.settle(wager, result, event.sequence, CITE, odds=EVEN if result == "WIN" else None)


class ToyDealer:
    """Deals it, with its own arithmetic."""

    mistakes = ("impossible_die",)

    def __init__(self, setup: TableSetup, random: Random) -> None:
        self.setup = setup
        self.random = random

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        random, setup = self.random, self.setup
        narrator = Narrator(setup, round_id, opened_at)
        narrator.say(
            RoundOpened, game="toy", jurisdiction=setup.jurisdiction, gaming_day=setup.gaming_day, currency=setup.currency
        )
        wagers = [
            narrator.say(
                WagerPlaced, wager_id=f"w{seat}", bet=random.choice(["over", "over_with_fee"]), seat=seat,
                amount_minor=random.choice([500, 1000, 2500]), for_dealer=random.random() < 0.1,
            )
            for seat in range(1, random.randint(2, 6))
        ]  # fmt: skip
        for wager in wagers:
            if wager.bet == "over_with_fee":
                narrator.say(FeeCollected, fee="vigorish", amount_minor=100, wager_id=wager.wager_id, seat=wager.seat)
        narrator.say(BettingClosed)
        dice = [random.randint(1, 6), random.randint(1, 6)]
        if mistake:
            dice[0] = 0
        narrator.say(DiceRolled, dice=dice)
        for wager in wagers:
            stake, total = wager.amount_minor, sum(dice)
            if total < 7:
                narrator.say(SettlementRecorded, wager_id=wager.wager_id, result="LOSE")
            elif total == 7:
                narrator.say(SettlementRecorded, wager_id=wager.wager_id, result="PUSH", stake_returned_minor=stake)
            elif wager.for_dealer:
                narrator.say(
                    SettlementRecorded, wager_id=wager.wager_id, result="WIN", paid_minor=2 * stake, paid_to="DEALER"
                )
            else:
                narrator.say(
                    SettlementRecorded, wager_id=wager.wager_id, result="WIN", paid_minor=stake, stake_returned_minor=stake
                )
        narrator.say(RoundClosed)
        return Dealt(narrator.events, [Planted("IMPOSSIBLE_DICE")] if mistake else [])


TOY = Definition("toy", Toy, Terms, ToyDealer)
HOUSE = House(ToyDealer, "us-ks-south-central")
BOOK = Rulebook(
    {"toy": GameBook(TOY, {"us-ks-south-central": RuleSet("toy", "us-ks-south-central", {}, Terms)}, {})}, "rules", "code"
)
