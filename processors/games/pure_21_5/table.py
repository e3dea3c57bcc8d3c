"""The table: what the replay of a round of Pure 21.5 remembers from event to event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from events.model import PlayerActed, RoundOpened, SettlementRecorded
from processors.games.pure_21_5.bank import Moved
from processors.games.pure_21_5.fees import Schedule, schedule_of
from processors.games.pure_21_5.player_dealer import PlayerDealerHand
from processors.games.pure_21_5.wagers import BETS, UNDER_PARENT
from processors.kernel.cards import Card
from processors.kernel.game import Paytables, Wager
from processors.kernel.money import Rounding
from processors.kernel.twenty_one import Spot
from processors.kernel.twenty_one_table import TwentyOneTable, TwentyOneWager

ROUNDING = {"nearest": Rounding.NEAREST, "down": Rounding.DOWN, "up": Rounding.UP}


class Table(TwentyOneTable):
    """State only; what happens to it stands in `wagers`, `deal`, `acts`, and at the end in `settling` and `bank`.

    `bank` is the player-dealer's wager, and `account` how it was used, in order.
    """

    BETS: ClassVar[frozenset[str]] = BETS
    UNDER_PARENT: ClassVar[frozenset[str]] = UNDER_PARENT
    WAGER_TYPE: ClassVar[type[Wager]] = TwentyOneWager
    DEALER_NAME: ClassVar[str] = "the player-dealer"
    CLOSED_BY_CARDS: ClassVar[Sequence[str]] = ("busted", "twenty_one", "pure", "doubled", "split_ace", "must_stand")
    OVER_LIMIT: ClassVar[str] = " on a wager of {}"
    SPLIT_EQUALS: ClassVar[str] = "the {} split"

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.rounding = ROUNDING[terms.uneven_payments.value]
        self.bank: TwentyOneWager | None = None
        self.acts: list[PlayerActed] = []
        self.records: list[SettlementRecorded] = []
        self.schedule: Schedule | None = schedule_of(self)
        self.bank_fee_minor: int | None = None
        self.account: list[Moved] = []
        self.action_seats: Sequence[int] = ()
        self.finished: PlayerDealerHand | None = None

    def clockwise(self) -> list[Spot]:
        """The spots with a game wager that stood when betting closed, clockwise from the player-dealer's left."""
        bank = self.bank.seat if self.bank is not None else 0
        standing = [spot for spot in self.spots.values() if spot.main is not None and not spot.main.refused]
        return sorted(standing, key=lambda spot: (spot.seat <= bank, spot.seat))

    def up_card(self) -> Card | None:
        """The player-dealer's first card; None where it is not there or nobody has read it."""
        return self.dealer.cards[0] if self.dealer.cards else None
