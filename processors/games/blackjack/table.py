"""The table: what the replay of a round of blackjack remembers from event to event."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from events.model import ContributionRecorded, MeterReset, RoundOpened
from processors.games.blackjack.dealer_hand import DealerHand
from processors.games.blackjack.house import House, house_of
from processors.games.blackjack.wagers import BETS, UNDER_PARENT
from processors.kernel.card_game import Hand
from processors.kernel.cards import ACE, Card
from processors.kernel.citation import Citation
from processors.kernel.game import Paytables, Wager
from processors.kernel.twenty_one import TwentyOneHand
from processors.kernel.twenty_one_table import TwentyOneTable, TwentyOneWager


class Table(TwentyOneTable):
    """State only; what happens to it stands in `deal`, `acts`, `wagers`, and at the end in `settling` and `sides`.

    `astray` are cards that came where none belonged: (hand, position, sequence, sentence, citation), until they are used as
    the next card.
    The dealer's up card and hole card are those at `up_place` and `hole_place`: the first and the second, unless nothing
    orders the first to be turned up and the second was.
    """

    BETS: ClassVar[frozenset[str]] = BETS
    UNDER_PARENT: ClassVar[frozenset[str]] = UNDER_PARENT
    WAGER_TYPE: ClassVar[type[Wager]] = TwentyOneWager

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.house: House = house_of(self)
        self.astray: list[tuple[Hand, int, int, str, Citation]] = []
        self.reasons_out: dict[int, str] = {}
        self.up_place, self.hole_place = 0, 1
        self.next_card: Card | None = None
        self.up_at = self.acted_at = -1
        self.pot_minor: Fraction | None = None
        self.fed: list[ContributionRecorded] = []
        self.resets: list[MeterReset] = []
        self.dealer_result: DealerHand | None = None
        if terms.payments_rounded is not None and "smallest_chip_minor" in opened.options:
            self.pay_in_chips_of(self.amount_option("smallest_chip_minor", 1))

    @property
    def progressive_id(self) -> str:
        """The progressive of Blazing 7's at this table; where none is named, its bet."""
        return self.opened.progressives.get("blazing_7s", "blazing_7s")

    def standing_hands(self) -> list[TwentyOneHand]:
        """All hands with a wager that is not yet decided, in the order in which they are played."""
        return [
            hand
            for _, spot in sorted(self.spots.items())
            for hand in spot.hands
            if hand.wager is not None and not hand.wager.settled
        ]

    def take_pot(self) -> None:
        """The progressive prizes are won now: remember what is on the meter, once."""
        if self.pot_minor is None and (self.opened.meters or self.meters_read):
            self.pot_minor = self.meter_minor(self.progressive_id)

    def find_first_cards(self) -> None:
        """Which of the dealer's cards are the first and the second, after one was taken out again."""
        live = [place for place in range(len(self.dealer.cards)) if place not in self.dealer.out]
        size = len(self.dealer.cards)
        self.up_place = live[0] if live else size
        self.hole_place = live[1] if len(live) > 1 else size + (not live)
        if self.terms.first_card_turned_up is None and len(live) > 1:
            face_up = self.dealer.face_up
            if face_up[self.hole_place] and not face_up[self.up_place]:
                self.up_place, self.hole_place = self.hole_place, self.up_place

    @property
    def last_first_place(self) -> int:
        """The place of the later of the dealer's two first cards."""
        return max(self.up_place, self.hole_place)

    def up_card(self) -> Card | None:
        """The dealer's first card; None where it is not there or nobody has read it."""
        cards = self.dealer.cards
        return cards[self.up_place] if len(cards) > self.up_place else None

    def ace_up(self) -> bool:
        """Whether the dealer's first card is an ace and lies face up."""
        up = self.up_card()
        return up is not None and up.rank == ACE and self.dealer.face_up[self.up_place]
