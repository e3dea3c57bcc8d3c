"""Pure 21.5 Blackjack: the events of a round, each handed to the part that understands it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.model import (
    CardDealt,
    CardDiscarded,
    CardExposed,
    FeeCollected,
    PlayerActed,
    RoundOpened,
    SettlementRecorded,
    WagerChanged,
    WagerPlaced,
)
from processors.games.pure_21_5 import acts, deal, fees, posted, settling, wagers
from processors.games.pure_21_5.facts import facts_of
from processors.games.pure_21_5.table import Table
from processors.kernel.citation import Citation
from processors.kernel.game import Paytables
from processors.kernel.settlement import Settlement, Step
from processors.kernel.twenty_one import TwentyOneHand
from processors.kernel.twenty_one_deal import to_seat


class PureTwentyOneHalf(Table):
    """One round of Pure 21.5. The fold gathers what happened; `finish` decides every wager."""

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        posted.check(self)

    def admit(self, wager: Any, event: WagerPlaced) -> None:
        """Take a wager, or refuse it."""
        wagers.admit(self, wager)

    def change(self, wager: Any, event: WagerChanged) -> None:
        """Take a change of a wager's amount, or find that it may not."""
        wagers.change(self, wager, event)

    def stand(self, wager: Any, at: int) -> None:
        """Betting closed: what the wager hangs on, and the posted limits."""
        wagers.stand(self, wager, at)
        if not wager.settled:
            self.check_limits(wager, at)

    def close_betting(self, at: int) -> None:
        """Betting closes: fees are due, and the order of the first cards is known from now on."""
        # a Red Flex bet stands on its game wager, whichever was placed first
        self.standing.sort(key=lambda wager: wager.bet != wagers.MAIN)
        super().close_betting(at)
        if not self.expected:
            fees.charge(self)
            deal.expect(self)

    def limits_cite(self, above: bool) -> Citation:
        """The paragraph of the posted limits."""
        cite: Citation = self.terms.outside_limits.cite
        return cite

    def fee_cite(self, settlement: Settlement) -> Citation:
        """The paragraph of a wager's collection fee."""
        rule = self.terms.fee_of_doubles_and_splits if settlement.bet in wagers.LATER else self.terms.fee_of_wagers
        cite: Citation = rule.cite
        return cite

    def excess_returned(self, wager: Any) -> bool:
        """Whether what is over the posted maximum goes back."""
        return bool(self.terms.outside_limits.value == "excess_returned")

    def fee_collected(self, event: FeeCollected) -> None:
        """A collection fee was taken."""
        fees.collected(self, event)

    def cite_of_bet(self, bet: str) -> Citation:
        """The paragraph by which a bet may be made."""
        return wagers.cite_of(self, bet)

    def void_refused(self, wager: Any, at: int, cite: Citation) -> None:
        """The wager of an act that is not allowed takes no part in what follows."""
        wager.refused = True
        super().void_refused(wager, at, cite)

    def dealt_to_seat(self, hand: Any, event: CardDealt) -> None:
        """A card came to a player's hand."""
        to_seat(self, hand, event)

    def dealt_to_dealer(self, event: CardDealt) -> None:
        """A card came to the player-dealer."""
        deal.to_player_dealer(self, event)

    def begin_play(self, at: int) -> None:
        """The first decision, or the hole card."""
        deal.begin_play(self, at)

    def first_card_astray(self, seat: int, event: CardDealt) -> None:
        """A first card came out of order."""
        deal.first_card_astray(self, seat, event)

    def card_in_play(self, hand: TwentyOneHand, event: CardDealt) -> None:
        """A card came to a player's hand after play began."""
        acts.card_in_play(self, hand, event)

    def look(self, hand: TwentyOneHand, at: int) -> None:
        """Close a hand that asks for no decision any more."""
        acts.look(self, hand, at)

    def exposed(self, hand: Any, event: CardExposed) -> None:
        """A card was turned up."""
        deal.exposed(self, hand, event)

    def discarded(self, hand: Any, event: CardDiscarded) -> None:
        """A card was taken out of a hand."""
        deal.discarded(self, hand, event)

    def player_acted(self, event: PlayerActed) -> None:
        """A player decided."""
        acts.act(self, event)

    def settlement_recorded(self, event: SettlementRecorded) -> None:
        """The table settled a wager: only the order is looked at, never the amount."""
        self.records.append(event)

    def finish(self, at: int) -> None:
        """Decide every wager."""
        settling.finish(self, at)

    def facts(self, wager: Any) -> Iterable[Step]:
        """The hands, the action button, and how the bank's wager was used."""
        return facts_of(self, wager)
