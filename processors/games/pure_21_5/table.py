"""The table: what the replay of a round of Pure 21.5 remembers from event to event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from events.model import PlayerActed, RoundOpened, SettlementRecorded
from processors.games.pure_21_5.bank import Moved
from processors.games.pure_21_5.fees import Schedule, schedule_of
from processors.games.pure_21_5.player_dealer import PlayerDealerHand
from processors.games.pure_21_5.wagers import BETS, UNDER_PARENT, PureWager
from processors.kernel.card_game import CardGame, Hand
from processors.kernel.cards import Card
from processors.kernel.game import Paytables, Wager
from processors.kernel.money import Rounding
from processors.kernel.twenty_one import Spot, Turns, TwentyOneHand

ROUNDING = {"nearest": Rounding.NEAREST, "down": Rounding.DOWN, "up": Rounding.UP}


class Table(CardGame):
    """State only; what happens to it stands in `wagers`, `deal`, `acts`, and at the end in `settling` and `bank`.

    `playing` is set from the first decision of a player (or the hole card) on. A sequence is -1 while it has not happened.
    `expected` is the order of the first cards (seats, 0 for the player-dealer) and `step` how far it has come.
    By seat and hand: `not_counted` are hands that get a card which does not count, `misjudged` those about whose acts there
    is a finding. `account` is how the bank's wager was used, in order.
    """

    BETS: ClassVar[frozenset[str]] = BETS
    UNDER_PARENT: ClassVar[frozenset[str]] = UNDER_PARENT
    WAGER_TYPE: ClassVar[type[Wager]] = PureWager
    HAND_TYPE: ClassVar[type[Hand]] = TwentyOneHand

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.rounding = ROUNDING[terms.uneven_payments.value]
        self.bank: PureWager | None = None
        self.spots: dict[int, Spot] = {}
        self.expected: Sequence[int] = ()
        self.step = 0
        self.in_order = True
        self.refused_splits: set[int] = set()
        self.not_counted: set[tuple[int, int]] = set()
        self.misjudged: set[tuple[int, int]] = set()
        self.turns = Turns(())
        self.playing = False
        self.checked_at = self.hole_at = self.closed_at = -1
        self.acts: list[PlayerActed] = []
        self.records: list[SettlementRecorded] = []
        self.dead = False
        self.schedule: Schedule | None = schedule_of(self)
        self.bank_fee_minor: int | None = None
        self.account: list[Moved] = []
        self.action_seats: Sequence[int] = ()
        self.finished: PlayerDealerHand | None = None

    def spot(self, seat: int) -> Spot:
        """The betting spot of a seat."""
        found = self.spots.get(seat)
        return found if found is not None else self.spots.setdefault(seat, Spot(seat))

    def clockwise(self) -> list[Spot]:
        """The spots with a game wager that stood when betting closed, clockwise from the player-dealer's left."""
        bank = self.bank.seat if self.bank is not None else 0
        standing = [spot for spot in self.spots.values() if spot.main is not None and not spot.main.refused]
        return sorted(standing, key=lambda spot: (spot.seat <= bank, spot.seat))

    def up_card(self) -> Card | None:
        """The player-dealer's first card; None where it is not there or nobody has read it."""
        return self.dealer.cards[0] if self.dealer.cards else None
