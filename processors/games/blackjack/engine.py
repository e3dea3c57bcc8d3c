"""Blackjack: the events of a round, each handed to the part that understands it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.model import (
    CardDealt,
    CardDiscarded,
    CardExposed,
    ContributionRecorded,
    FeatureActivated,
    MeterRead,
    MeterReset,
    PlayerActed,
    WagerChanged,
    WagerPlaced,
)
from processors.games.blackjack import acts, deal, settling, wagers
from processors.games.blackjack.facts import facts_of
from processors.games.blackjack.table import Table
from processors.kernel.citation import Citation
from processors.kernel.settlement import Step
from processors.kernel.twenty_one import TwentyOneHand
from processors.kernel.twenty_one_deal import to_seat


class Blackjack(Table):
    """One round of blackjack. The fold gathers what happened; `finish` decides every wager."""

    def admit(self, wager: Any, event: WagerPlaced) -> None:
        """Take a wager, or refuse it."""
        wagers.admit(self, wager, event.tender)

    def change(self, wager: Any, event: WagerChanged) -> None:
        """Take a change of a wager's amount, or find that it may not."""
        wagers.change(self, wager, event)

    def stand(self, wager: Any, at: int) -> None:
        """Betting closed: the posted limits, and what the wager hangs on."""
        self.check_limits(wager, at)
        wagers.stand(self, wager, at)

    def close_betting(self, at: int) -> None:
        """Betting closes; the order of the first cards is known from now on."""
        super().close_betting(at)
        if not self.expected:
            deal.expect(self)

    def limits_cite(self, above: bool) -> Citation:
        """The paragraph of the posted limits."""
        cite: Citation = (self.terms.above_maximum if above else self.terms.below_minimum).cite
        return cite

    def excess_returned(self, wager: Any) -> bool:
        """Whether what is over the posted maximum goes back."""
        return bool(self.terms.above_maximum.value == "excess_returned")

    def cite_of_bet(self, bet: str) -> Citation:
        """The paragraph of a main wager, a double, a split or insurance."""
        return wagers.cite_of(self, bet)

    def dealt_to_seat(self, hand: Any, event: CardDealt) -> None:
        """A card came to a player's hand."""
        if self.next_card is not None:
            deal.same_as_next(self, event)
        to_seat(self, hand, event)

    def dealt_to_dealer(self, event: CardDealt) -> None:
        """A card came to the dealer."""
        if self.next_card is not None:
            deal.same_as_next(self, event)
        deal.to_dealer(self, event)

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
        """Close a hand that may not draw any more."""
        acts.look(self, hand, at)

    def exposed(self, hand: Any, event: CardExposed) -> None:
        """A card was turned up."""
        deal.exposed(self, hand, event)

    def discarded(self, hand: Any, event: CardDiscarded) -> None:
        """A card was taken out of a hand."""
        deal.discarded(self, hand, event)

    def meter_read(self, event: MeterRead) -> None:
        """The meter was read: the first time after the dealer's first card was turned up, for the prizes that it won."""
        super().meter_read(event)
        if self.up_at >= 0 and event.progressive_id == self.progressive_id:
            self.take_pot()

    def meter_reset(self, event: MeterReset) -> None:
        """The pot begins anew: what was won was won of the meter as it stood before."""
        if event.progressive_id == self.progressive_id:
            self.resets.append(event)
            if self.up_at >= 0:
                self.take_pot()

    def contribution_recorded(self, event: ContributionRecorded) -> None:
        """The progressive system says what it fed the meter with."""
        self.fed.append(event)

    def player_acted(self, event: PlayerActed) -> None:
        """A player decided."""
        if not self.playing and self.dealing and not acts.before_play(self, event.action):
            deal.begin_play(self, event.sequence)
        acts.act(self, event)

    def feature_activated(self, event: FeatureActivated) -> None:
        """A light that did not come on, of a progressive wager that was not handed back."""
        wager = self.wagers.get(event.wager_id)
        known = event.feature == wagers.LIGHT_FAILED and self.terms.blazing_7s_light is not None
        if not known or wager is None or wager.bet != "blazing_7s":
            sentence = f"Blackjack has no feature {event.feature!r} of wager {event.wager_id or 'none'}."
            self.find("RULE_MISMATCH", event.sequence, sentence, cite=self.terms.side_bets.cite, wager_id=event.wager_id)
        else:
            wagers.light_failed(self, wager, event.sequence, "VOID")

    def finish(self, at: int) -> None:
        """Decide every wager."""
        settling.finish(self, at)

    def facts(self, wager: Any) -> Iterable[Step]:
        """The hands, the dealer's hand and the rule that decides."""
        return facts_of(self, wager)
