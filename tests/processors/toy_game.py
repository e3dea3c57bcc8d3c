"""A game that only tests know: each `coin` wager is decided by the first roll: even wins, odd loses, double six ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from events.intake import events_of
from events.model import DiceRolled, Event, WagerChanged, WagerPlaced
from processors.kernel.citation import Citation
from processors.kernel.dated import Rule
from processors.kernel.definition import Definition
from processors.kernel.game import Game, Wager
from processors.kernel.odds import Odds
from processors.rulebook import GameBook, Rulebook
from processors.rules.loader import RuleSet
from tests.game_cases import short

CITE = Citation("toy-rules", "1")


@dataclass(frozen=True, slots=True)
class ToyTerms:
    """What an even roll pays."""

    even_pays: Rule[Odds]


class Toy(Game):
    """The game."""

    BETS: ClassVar[frozenset[str]] = frozenset({"coin"})

    def admit(self, wager: Wager, event: WagerPlaced) -> None:
        if not self.betting_open:
            self.refuse(wager, "LATE_WAGER", event.sequence, CITE, "The wager came after no more bets.")

    def change(self, wager: Wager, event: WagerChanged) -> None:
        if event.amount_minor == 0:
            self.settle(wager, "REMOVED", event.sequence, CITE)
        else:
            wager.amount_minor = event.amount_minor

    def excess_returned(self, wager: Wager) -> bool:
        return True

    def dice_rolled(self, event: DiceRolled) -> None:
        self.close_betting(event.sequence)
        total = sum(event.dice)
        for wager in self.wagers.values():
            if total == 12:
                self.settle(wager, "PUSH", event.sequence, CITE)
            elif total % 2 == 0:
                self.settle(wager, "WIN", event.sequence, CITE, odds=self.terms.even_pays.value, prize="even")
            else:
                self.settle(wager, "LOSE", event.sequence, CITE)


class _Rules(RuleSet):
    def __init__(self) -> None:
        super().__init__("toy", "us-xx", {}, ToyTerms)

    def on(self, day: str) -> ToyTerms:
        return ToyTerms(Rule(Odds.parse("1 to 1"), CITE))


def toy_rulebook() -> Rulebook:
    """A rulebook with the toy game alone."""
    book = GameBook(Definition("toy", Toy, ToyTerms), {"us-xx": _Rules()}, {})
    return Rulebook({"toy": book}, "rules", "code")


OPENED = {
    "type": "RoundOpened", "round_id": "r", "table_id": "T-1", "occurred_at": "2021-06-01T18:00:00Z", "game": "toy",
    "jurisdiction": "us-xx", "gaming_day": "2021-06-01", "currency": "USD",
    "limits": {"*": {"minimum_minor": 500, "maximum_minor": 10000}},
}  # fmt: skip


def events(*lines: str, **opened: Any) -> list[Event]:
    """The events of a closed round in short lines, as a case has them."""
    items = [{**OPENED, **opened}, *(short(line) for line in lines), {"type": "RoundClosed"}]
    return events_of(items, "test")
