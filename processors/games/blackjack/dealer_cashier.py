"""Pays the simulated round: what the table records for each wager, by the arithmetic of `dealer_pay`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.model import SettlementRecorded
from processors.games.blackjack import dealer_pay as pay
from processors.games.blackjack.dealer_players import PlayedHand, Player

if TYPE_CHECKING:
    from processors.games.blackjack.dealer import Dealing


class Cashier:
    """Records the settlements of one round."""

    def __init__(self, dealing: Dealing) -> None:
        self.dealing = dealing

    def record(
        self, wager_id: str, result: str, paid: int = 0, returned: int = 0, excess: int = 0, to: str = "PATRON"
    ) -> None:
        """One settlement."""
        self.dealing.say(
            SettlementRecorded, wager_id=wager_id, result=result, paid_minor=paid, stake_returned_minor=returned,
            no_action_minor=excess, paid_to=to,
        )  # fmt: skip

    def _take(self, wager: Any, result: str, paid: int = 0, returned: int = 0) -> None:
        wager_id, _, excess = wager
        self.record(wager_id, result, paid, returned, excess)

    def side_bets(self) -> None:
        """The optional wagers, before play goes on; what needs the dealer's second card waits for it."""
        dealing = self.dealing
        pots: list[tuple[str, int]] = []
        for player in dealing.players:
            for bet, wager_id, stake, tip in player.extras:
                if bet == "blazing_7s":
                    odds, percent = pay.sevens(player.hands[0].cards, dealing.cards[0])
                    if percent:
                        pots.append((wager_id, percent))
                    elif odds:
                        self.record(wager_id, "WIN", paid=odds * stake)
                    else:
                        self.record(wager_id, "LOSE")
                else:
                    self._side_bet(player, bet, wager_id, stake, tip)
        self._pots(pots)

    def _side_bet(self, player: Player, bet: str, wager_id: str, stake: int, tip: bool) -> None:
        dealing, cards = self.dealing, player.hands[0].cards
        paytables = dealing.rules.paytables
        three = pay.three_cards([*cards, dealing.cards[0]])
        dealer = 0
        odds = (0, 1)
        if bet == "royal_match":
            odds = pay.royal_match(cards)
        elif bet == "three_card":
            odds = (9 if set(three) & {"flush", "straight", "trips"} else 0, 1)
        elif bet == "super_3":
            odds = (pay.highest(three, pay.SUPER_3)[1], 1)
        elif bet == "lucky_ladies":
            odds = (pay.lucky_ladies(cards, pay.natural(dealing.cards), paytables[bet]), 1)
        else:
            name, to_one = pay.highest(three, pay.TRILUX[paytables[bet]])
            odds = (to_one, 1)
            dealer = pay.LUCKY_GEORGE.get(paytables[bet], {}).get(name, 0)
        won = pay.times(stake, *odds, dealing.rules.chip_minor)
        if not odds[0]:
            self.record(wager_id, "LOSE")
        elif tip:
            self.record(wager_id, "WIN", paid=won + stake, to="DEALER")
        else:
            self.record(wager_id, "WIN", paid=won, returned=stake)
        if dealer:
            self.record(wager_id, "WIN", paid=dealer, to="DEALER")

    def _pots(self, pots: list[tuple[str, int]]) -> None:
        for percent in sorted({percent for _, percent in pots}):
            sharers = [wager_id for wager_id, share in pots if share == percent]
            each = -(-self.dealing.pot_minor * percent // (100 * len(sharers)))
            for wager_id in sharers:
                self.record(wager_id, "WIN", paid=each)
            self.dealing.take_from_pot(each * len(sharers), top=percent == 100)

    def blackjacks(self, dealer_has_one: bool) -> None:
        """Insurance, and players' blackjacks that can be decided before play goes on."""
        dealing = self.dealing
        up = dealing.cards[0]
        dealer_natural = pay.natural(dealing.cards)
        checked = up[0] == "A" or (up[0] in pay.TENS and dealing.rules.checks_under_ten)
        for player in dealing.players:
            if player.insurance is not None:
                stake = player.insurance[1]
                if dealer_natural:
                    self._take(player.insurance, "WIN", 2 * stake, stake)
                else:
                    self._take(player.insurance, "LOSE")
            hand = player.hands[0]
            if not hand.over and pay.natural(hand.cards) and not dealer_natural and (checked or up[0] in "23456789"):
                self._natural_wins(hand)

    def _natural_wins(self, hand: PlayedHand) -> None:
        stake = hand.wager[1]
        rules = self.dealing.rules
        self._take(hand.wager, "WIN", pay.times(stake, *rules.blackjack, rules.chip_minor), stake)
        hand.over = "paid"

    def bust(self, hand: PlayedHand) -> None:
        """Over 21: collected at once."""
        for wager in (hand.wager, hand.double):
            if wager is not None:
                self._take(wager, "LOSE")
        hand.over = "collected"

    def hands(self) -> None:
        """All that is left, after the dealer's hand."""
        dealing = self.dealing
        dealer_natural = pay.natural(dealing.cards)
        points = pay.count(dealing.cards)[0]
        for player in dealing.players:
            for hand in player.hands:
                if hand.over in ("paid", "collected", "even money"):
                    continue
                if pay.natural(hand.cards) and not hand.split:
                    if dealer_natural:
                        self._take(hand.wager, "PUSH", 0, hand.wager[1])
                    else:
                        self._natural_wins(hand)
                elif dealer_natural:
                    self._against_natural(hand)
                elif hand.over == "surrendered":
                    self._take(hand.wager, "LOSE", 0, pay.times(hand.wager[1], 1, 2))
                else:
                    self._compare(hand, points)

    def _against_natural(self, hand: PlayedHand) -> None:
        returned = hand.split and hand.number > 1 and not self.dealing.rules.splits_lose_to_natural
        self._take(hand.wager, "PUSH" if returned else "LOSE", 0, hand.wager[1] if returned else 0)
        if hand.double is not None:
            self._take(hand.double, "PUSH", 0, hand.double[1])

    def _compare(self, hand: PlayedHand, points: int) -> None:
        for wager in (hand.wager, hand.double):
            if wager is None:
                continue
            stake = wager[1]
            if points > 21 or hand.points > points:
                self._take(wager, "WIN", pay.times(stake, 1, 1, self.dealing.rules.chip_minor), stake)
            elif hand.points == points:
                self._take(wager, "PUSH", 0, stake)
            else:
                self._take(wager, "LOSE")
