"""Decides the wagers of a round of I Luv Suits (K.A.R. 111-301-74 to 111-301-76)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from processors.games.i_luv_suits import wagers as w
from processors.games.i_luv_suits.explain import facts
from processors.games.i_luv_suits.hands import Ranked, counted, flush_prize, qualifies, rank, run_prize
from processors.games.i_luv_suits.order import check_order, check_shown
from processors.games.i_luv_suits.table import DEALER, Table
from processors.games.i_luv_suits.wagers import LuvWager
from processors.kernel.card_game import Hand
from processors.kernel.dated import Rule
from processors.kernel.game import BET_LIMIT
from processors.kernel.money import Rounding, divide, money_text
from processors.kernel.odds import Odds
from processors.kernel.progressive import check_contributions, check_reset
from processors.kernel.settlement import Step

Outcome = Literal["unqualified", "higher", "tie", "lower"]


class PotShare(NamedTuple):
    """What a hand gets of the progressive pot: `percent` of `meter_minor`, divided among `hands`."""

    percent: int
    meter_minor: Fraction
    hands: int
    paid_minor: int


class ILuvSuits(Table):
    """One round. `ranked` is by seat, DEALER for the dealer; a hand that cannot be ranked is not in it."""

    ranked: dict[int, Ranked]
    pot_shares: dict[str, PotShare]
    dealer_qualified: bool | None

    def finish(self, at: int) -> None:
        """Decide every wager that the cards and acts decide; the rest stays open."""
        self.ranked, self.pot_shares, self.dealer_qualified = {}, {}, None
        if self.voided:
            return
        if not self.dealing:
            if any(not wager.settled for wager in self.wagers.values()):
                cite = self.terms.cards_each.cite
                self.find("INCOMPLETE_ROUND", at, "Wagers were placed and no card was dealt.", cite=cite)
            return
        self.ended = True
        self.close_betting(at)
        self._rank_all(at)
        self._check_acts()
        open_wagers = [wager for wager in self.wagers.values() if not wager.settled]
        plays = [wager for wager in open_wagers if wager.bet == w.PLAY]
        for ante in open_wagers:
            if ante.bet == w.ANTE:
                self._size_plays(ante, [play for play in plays if play.ante is ante])
        in_play = {play.seat for play in plays if not play.for_dealer}
        self._share_pot(open_wagers)
        for wager in open_wagers:
            if wager.settled:
                continue
            if wager.bet == w.ANTE:
                self._settle_ante(wager, wager.seat in in_play if wager.for_dealer else _has_play(wager, plays), at)
            elif wager.bet == w.PLAY:
                self._settle_contest(wager)
            else:
                self._settle_bonus(wager, wager.seat in in_play)
        if self.fed or self.resets:
            self._check_meter()
        if self.closed:
            check_shown(self, in_play, at)
        if self.records:
            check_order(self, in_play)

    # --- the hands ---------------------------------------------------------------------------------------------------

    def _rank_all(self, at: int) -> None:
        terms = self.terms
        for (seat, number), hand in self.hands.items():
            if number == 1:
                self._rank(seat, hand, at)
        for seat in sorted({wager.seat for wager in self.wagers.values() if not wager.settled}):
            if (seat, 1) not in self.hands:
                sentence = f"Seat {seat} has wagers and was dealt no cards."
                self.find("INCOMPLETE_ROUND", at, sentence, cite=terms.cards_each.cite, wager_id=self.ante_id(seat))
        self._rank(DEALER, self.dealer, at)
        if DEALER in self.ranked:
            self.dealer_qualified = qualifies(self.dealer.known(), self.ranked[DEALER].flush, terms)

    def _rank(self, seat: int, hand: Hand, at: int) -> None:
        """Rank a hand of the right number of cards, all read; any other leaves its wagers undecided."""
        terms = self.terms
        cards, wanted = hand.live(), terms.cards_each.value
        if len(cards) != wanted:
            who = f"Seat {seat}" if seat else "The dealer"
            kind = "INCOMPLETE_ROUND" if len(cards) < wanted else "DEALT_OUT_OF_ORDER"
            sentence = f"{who} has {len(cards)} cards, not {wanted}: the hand cannot be ranked."
            about = self.ante_id(seat) if seat else ""
            self.find(kind, hand.dealt_at[-1:] or at, sentence, cite=terms.cards_each.cite, wager_id=about)
        elif None not in cards:
            aside = self.laid_aside.get(hand, ())
            compared = counted(hand, aside, terms.compared_cards.value == "all_dealt")
            bonus = counted(hand, aside, terms.bonus_cards.value == "all_dealt")
            if compared and bonus:
                self.ranked[seat] = rank([card for card in compared if card], [card for card in bonus if card], terms)

    def _check_acts(self) -> None:
        """Decisions come after all cards are dealt, and each play wager has its act."""
        terms = self.terms
        hands = [*self.hands.values(), self.dealer]
        last_card = max(hand.dealt_at[-1] for hand in hands if hand.dealt_at)
        for acted in (self.played, self.folded):
            for seat, act in acted.items():
                if act < last_card:
                    sentence = f"Seat {seat} decided before all cards were dealt."
                    about = self.ante_id(seat)
                    self.find("ACT_NOT_ALLOWED", (act, last_card), sentence, cite=terms.decisions.cite, wager_id=about)
        for wager in self.wagers.values():
            if wager.bet == w.PLAY and not wager.settled and wager.seat not in self.played:
                sentence = f"No act of seat {wager.seat} goes with the play wager {wager.id}."
                self.find("ACT_WITHOUT_WAGER", wager.placed_at, sentence, cite=terms.decisions.cite, wager_id=wager.id)

    # --- ante and play -----------------------------------------------------------------------------------------------

    def _size_plays(self, ante: LuvWager, plays: Sequence[LuvWager]) -> None:
        """Hold the play wagers on an ante against what its hand allows (111-301-75(a)(2))."""
        ranked = self.ranked.get(ante.seat)
        if ranked is None or not plays:
            return
        terms, length = self.terms, len(ranked.flush.ranks)
        exact = length in terms.play_exactly.value
        rule = terms.play_exactly if exact else terms.play_up_to
        room = rule.value[length] * ante.action_minor
        for play in plays:
            self._take_reduction(play, room)
            amount = play.amount_minor
            may = f"{flush_prize(ranked.flush)} on an ante of {money_text(ante.action_minor)}"
            if not room:
                sentence = f"The play wager is {money_text(amount)} more than is allowed with a {may}."
                self.refuse(play, "ABOVE_MAXIMUM", play.placed_at, rule.cite, sentence)
                continue
            if amount > room:
                most = money_text(room) + ("" if exact else " at most")
                sentence = f"The play wager is {money_text(amount)}; with a {may} it is {most}."
                self.find("ABOVE_MAXIMUM", play.placed_at, sentence, cite=rule.cite, wager_id=play.id)
            elif exact and amount != room:
                sentence = f"The play wager is {money_text(amount)}; with a {may} it is {money_text(room)}."
                self.find("WRONG_AMOUNT", play.placed_at, sentence, cite=rule.cite, wager_id=play.id)
            elif terms.play_minimum.value == "ante" and amount < ante.action_minor:
                sentence = f"The play wager is {money_text(amount)}; it is no less than the ante."
                self.find("BELOW_MINIMUM", play.placed_at, sentence, cite=terms.play_minimum.cite, wager_id=play.id)
            if w.PLAY in self.opened.limits:
                self.limit_cite = terms.play_minimum.cite
                self.check_limits(play, play.placed_at)
            if terms.play_over_limit.value == "excess_returned" and amount > room:
                play.excess_minor = max(play.excess_minor, amount - room)
            room = max(0, room - amount)

    def _take_reduction(self, play: LuvWager, room: int) -> None:
        """A play wager may not be reduced, unless what was over its limit was handed back."""
        if play.reduced_to:
            if play.amount_minor > room <= play.reduced_to:
                play.amount_minor = play.reduced_to
            elif play.reduced_to < play.amount_minor:
                self.not_removable(play, play.reduced_at)

    def outcome(self, seat: int) -> Outcome | None:
        """How a seat's hand compares with the dealer's (111-301-74(d)), None where one of them cannot be ranked."""
        mine, dealer = self.ranked.get(seat), self.ranked.get(DEALER)
        if mine is None or dealer is None:
            return None
        if not self.dealer_qualified:
            return "unqualified"
        return self.compared(seat)

    def compared(self, seat: int) -> Outcome:
        """The comparison alone, whether the dealer qualifies or not. Both hands are ranked."""
        mine, dealer = self.ranked[seat].flush.strength, self.ranked[DEALER].flush.strength
        return "higher" if mine > dealer else "lower" if mine < dealer else "tie"

    def _settle_ante(self, ante: LuvWager, competes: bool, at: int) -> None:
        terms, seat = self.terms, ante.seat
        if competes:
            self._settle_contest(ante)
        elif seat in self.folded:
            if terms.unqualified_ante.value == "paid_after_fold_too" and self.outcome(seat) == "unqualified":
                self.settle(ante, "WIN", self.decided_at(seat), terms.unqualified_ante.cite, odds=terms.contest_pays.value)
            else:
                self.settle(ante, "LOSE", self.folded[seat], terms.forfeit.cite)
        elif (seat, 1) in self.hands:
            self._settle_silent(ante, at)

    def _settle_silent(self, ante: LuvWager, at: int) -> None:
        """An ante without play wager or fold: forfeited once the dealer's cards are up or the round is over."""
        terms, seat = self.terms, ante.seat
        if seat not in self.played and not any(wager.bet == w.PLAY and wager.seat == seat for wager in self.wagers.values()):
            sentence = f"Seat {seat} neither played nor folded: without a play wager its ante is forfeited."
            self.find("INCOMPLETE_ROUND", at, sentence, cite=terms.forfeit.cite, wager_id=self.ante_id(seat))
        if self.dealer.cards and (self.closed or DEALER in self.shown_at):
            self.settle(ante, "LOSE", self.shown_at.get(DEALER, at), terms.forfeit.cite)

    def _settle_contest(self, wager: LuvWager) -> None:
        """An ante or play wager that competes against the dealer (111-301-76(i)(1))."""
        terms, seat = self.terms, wager.seat
        outcome, at = self.outcome(seat), self.decided_at(seat, DEALER)
        cite = terms.contest_pays.cite
        if outcome is None:
            self.undecide(wager, at, cite)
            return
        if outcome == "unqualified":
            if wager.bet == w.PLAY:
                self.settle(wager, "PUSH", at, terms.unqualified_play.cite)
                return
            cite = terms.unqualified_ante.cite
            outcome = self.compared(seat) if terms.unqualified_ante.value == "compared" else "higher"
        if outcome == "higher":
            self.settle(wager, "WIN", at, cite, odds=terms.contest_pays.value)
        elif outcome == "tie":
            self.settle(wager, "PUSH", at, terms.tie.cite)
        else:
            self.settle(wager, "LOSE", at, terms.flush_ranking.cite)

    def decided_at(self, *seats: int) -> int:
        """The event by which the cards of these hands were known: the last one shown, else the last one dealt."""
        known = [-1]
        for seat in seats:
            hand = self.hands.get((seat, 1)) if seat else self.dealer
            dealt = hand.dealt_at[-1] if hand is not None and hand.dealt_at else -1
            known.append(self.shown_at.get(seat, dealt))
        return max(known)

    # --- flush rush, super flush rush, progressive -------------------------------------------------------------------

    def _settle_bonus(self, wager: LuvWager, played: bool) -> None:
        terms, seat = self.terms, wager.seat
        at = self.decided_at(seat)
        pays = self._pays(wager)
        if not played and terms.bonus_after_fold.value == "forfeited":
            self.settle(wager, "LOSE", self.folded.get(seat, at), terms.bonus_after_fold.cite)
        elif seat not in self.ranked:
            self.undecide(wager, at, pays.cite)
        elif wager.id in self.pot_shares:
            paid = self.pot_shares[wager.id].paid_minor
            self.settle(wager, "WIN", at, pays.cite, paid_minor=paid, returned_minor=0, prize=run_prize(self.ranked[seat]))
        elif wager.bet == w.PROGRESSIVE and self.pot_percent(seat):
            sentence = f"The meter was never read: the share that the progressive wager {wager.id} won is not known."
            self.find("INCOMPLETE_ROUND", at, sentence, cite=terms.shared_portions.cite, wager_id=wager.id)
            self.undecide(wager, at, pays.cite, prize=run_prize(self.ranked[seat]))
        else:
            self._settle_by_table(wager, at)

    def _pays(self, wager: LuvWager) -> Rule[Mapping[int, Odds]]:
        terms = self.terms
        if wager.bet == w.FLUSH_RUSH:
            return terms.flush_rush_pays
        return terms.super_flush_rush_pays if wager.bet == w.SUPER_FLUSH_RUSH else terms.progressive_pays

    def _settle_by_table(self, wager: LuvWager, at: int) -> None:
        ranked, pays = self.ranked[wager.seat], self._pays(wager)
        if wager.bet == w.FLUSH_RUSH:
            length, prize = len(ranked.bonus_flush.ranks), flush_prize(ranked.bonus_flush)
        else:
            length, prize = len(ranked.run.ranks) if ranked.run else 0, run_prize(ranked)
        odds = pays.value.get(length)
        if odds is None:
            self.settle(wager, "LOSE", at, pays.cite)
            return
        limit = self.payout_limit_minor(wager)
        if limit is not None and self.pay(wager.action_minor, odds) > limit:
            cite = self.terms.payout_limit.cite
            wager.limited = True
            self.settle(wager, "WIN", at, cite, paid_minor=limit, prize=prize)
        else:
            self.settle(wager, "WIN", at, pays.cite, odds=odds, prize=prize)

    def payout_limit_minor(self, wager: LuvWager) -> int | None:
        """What a bonus wager pays at most: the posted maximum times the highest odds (111-301-76(i)(4)); None: no limit."""
        if wager.bet == w.PROGRESSIVE:
            return None
        limits = self.opened.limits
        posted = limits.get(wager.bet) or limits.get(BET_LIMIT)
        if posted is None or posted["maximum_minor"] <= 0:
            return None
        limit = self.pay(posted["maximum_minor"], max(self._pays(wager).value.values()))
        if self.terms.payout_limit.value == "each_hand":
            same = {other.id for other in self.wagers.values() if (other.seat, other.bet) == (wager.seat, wager.bet)}
            limit -= sum(
                s.paid_minor - (self.wagers[s.wager_id].action_minor if s.paid_to == "DEALER" else 0)
                for s in self.settlements
                if s.wager_id in same and s.wager_id != wager.id
            )
        return max(0, limit)

    def pot_percent(self, seat: int) -> int:
        """The share of the progressive pot that a seat's hand wins, in percent; 0 for a fixed prize or none."""
        ranked, terms = self.ranked.get(seat), self.terms
        if ranked is None or ranked.run is None:
            return 0
        length = len(ranked.run.ranks)
        if ranked.has_ace and length in terms.pot_percent_with_ace.value:
            return terms.pot_percent_with_ace.value[length]
        return terms.pot_percent.value.get(length, 0)

    def _share_pot(self, open_wagers: Iterable[LuvWager]) -> None:
        """Divide the portions of the pot that were won among the hands that won them (111-301-76(i)(5))."""
        terms = self.terms
        winners = [
            (wager, percent)
            for wager in open_wagers
            if wager.bet == w.PROGRESSIVE and (percent := self.pot_percent(wager.seat))
        ]
        if not winners:
            return
        for wager, _ in winners:
            if wager.seat not in self.meter_at:
                self.freeze_meter(wager.seat, self.decided_at(wager.seat))
        _, meter = min((self.meter_at[wager.seat] for wager, _ in winners), key=lambda read: read[0])
        if meter is None:
            return
        one = terms.shared_portions.value == "one_portion"
        highest = max(percent for _, percent in winners)
        unit = terms.shares_rounded_up_to_minor.value
        for wager, own in winners:
            percent = highest if one else own
            hands = len(winners) if one else sum(other == own for _, other in winners)
            paid = divide(meter * percent, 100 * hands, rounding=Rounding.UP, unit_minor=unit)
            self.pot_shares[wager.id] = PotShare(percent, meter, hands, paid)

    def _check_meter(self) -> None:
        """What the progressive system recorded: the share of each wager, and the pot after the whole of it was won."""
        terms = self.terms
        check_contributions(self, self.fed, terms.contribution_percent.cite)
        whole = {wager_id for wager_id, share in self.pot_shares.items() if share.percent == 100}
        won_at = [due.decided_at for due in self.settlements if due.wager_id in whole]
        for event in self.resets:
            if won_at and event.sequence > min(won_at):
                check_reset(self, event, terms.progressive_reset_minor.value, terms.progressive_reset_minor.cite)

    def facts(self, wager: LuvWager) -> Iterable[Step]:
        """The hands and the rule, as a floor manager would say them."""
        return facts(self, wager)


def _has_play(ante: LuvWager, plays: Iterable[LuvWager]) -> bool:
    return any(play.ante is ante for play in plays)
