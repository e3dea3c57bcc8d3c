"""The table of I Luv Suits as it was: what was placed, dealt, done and shown. `engine.py` decides the wagers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple

from events.model import (
    BettingClosed,
    CardDealt,
    CardDiscarded,
    CardExposed,
    ContributionRecorded,
    MeterReset,
    PlayerActed,
    Result,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementRecorded,
    WagerChanged,
    WagerPlaced,
)
from processors.games.i_luv_suits import wagers as w
from processors.games.i_luv_suits.terms import Terms
from processors.games.i_luv_suits.wagers import LuvWager
from processors.kernel.card_game import USED_AS_NEXT, CardGame, Hand
from processors.kernel.citation import Citation
from processors.kernel.game import Paytables
from processors.kernel.money import money_text
from processors.kernel.words import spoken

DEALER: Final = 0
"""The dealer's place in `shown_at`."""

LAST: Final = 1 << 30
"""The dealer's place in the order of the deal: behind every seat."""

TAKEN_OUT: Final = frozenset({"drawn_in_error", USED_AS_NEXT})
"""Reasons for which a card leaves a hand; any other discard is a player laying aside what will not be played."""
REFUSED: Final = "refused"
"""A card beyond the seven leaves for this reason too; one of the seven that a player does not play is laid aside."""


class Recorded(NamedTuple):
    """The first record of a wager's settlement: what the table said, and whether its hand and the dealer's lay open then."""

    at: int
    result: Result
    hand_shown: bool
    dealer_shown: bool


class Table(CardGame):
    """The table as it was: everything of the game but the decisions."""

    BETS = w.BETS
    UNDER_PARENT = frozenset({w.PLAY})
    WAGER_TYPE = LuvWager

    def __init__(self, opened: RoundOpened, terms: Terms, paytables: Paytables) -> None:
        decks = terms.decks.value
        super().__init__(opened if opened.decks == decks else opened._replace(decks=decks), terms, paytables)
        self.terms: Terms = terms
        self.wagers: dict[str, LuvWager] = {}
        self.called_closed = self.closed = self.voided = self.ended = False
        self.spot = 0
        self.spot_hand: Hand | None = None
        self.played: dict[int, int] = {}
        self.folded: dict[int, int] = {}
        self.laid_aside: dict[Hand, set[int]] = {}
        self.shown_at: dict[int, int] = {}
        self.meter_at: dict[int, tuple[int, Fraction | None]] = {}
        self.records: dict[str, Recorded] = {}
        self.fed: list[ContributionRecorded] = []
        self.resets: list[MeterReset] = []
        self.limit_cite = terms.ante.cite
        if opened.decks not in (0, decks):
            self.find(
                "RULE_MISMATCH", opened.sequence,
                f"The round was opened with {opened.decks} decks; the game is played with {decks}.", cite=terms.decks.cite,
            )  # fmt: skip
        if terms.uneven_payments.value == "up_to_chip":
            self.pay_in_chips_of(self.amount_option("smallest_chip_minor", 1))

    # --- wagers ------------------------------------------------------------------------------------------------------

    def admit(self, wager: LuvWager, event: WagerPlaced) -> None:
        """Refuse what cannot be wagered here or now."""
        terms, at = self.terms, event.sequence
        if not wager.seat and wager.parent in self.wagers:
            wager.seat = self.wagers[wager.parent].seat
        if wager.amount_minor <= 0:
            self.refuse(wager, "WRONG_AMOUNT", at, terms.ante.cite, f"{money_text(wager.amount_minor)} is no wager.")
        elif not self._tender_is_good(wager, event):
            self.settle(wager, "VOID", at, terms.other_tender.cite)
        elif wager.for_dealer and wager.bet not in terms.tip_bets.value:
            self.refuse(wager, "NOT_OFFERED", at, terms.tip_bets.cite, f"There is no tip on {_name(wager)}.")
        elif wager.bet == w.PLAY:
            self._admit_play(wager, at)
        elif wager.bet == w.PROGRESSIVE and w.PROGRESSIVE not in self.opened.progressives:
            sentence = "No progressive is offered at this table."
            self.refuse(wager, "NOT_OFFERED", at, terms.progressive_wager.cite, sentence)
        elif self._betting_is_over(wager.seat):
            sentence = f"The {_name(wager)} wager {wager.id} was placed after the betting of seat {wager.seat} was over."
            self.refuse(wager, "LATE_WAGER", at, terms.betting_closes.cite, sentence)

    def _tender_is_good(self, wager: LuvWager, event: WagerPlaced) -> bool:
        terms = self.terms
        if event.tender in terms.tenders.value:
            return True
        sentence = f"The {_name(wager)} wager {wager.id} was made with {event.tender.lower()}, not chips or a voucher."
        self.find("NOT_OFFERED", event.sequence, sentence, cite=terms.tenders.cite, wager_id=wager.id)
        return terms.other_tender.value != "void"

    def _admit_play(self, wager: LuvWager, at: int) -> None:
        terms, seat = self.terms, wager.seat
        wager.ante = w.ante_of(self.wagers, wager)
        if wager.ante is None or seat in self.folded:
            kind, cite = "MISSING_PARENT", (terms.tip_play if wager.for_dealer else terms.play_exactly).cite
            whose = "a tip ante" if wager.for_dealer else "an ante"
            sentence = f"The play wager {wager.id} needs {whose} that is still in play at seat {seat}."
        elif DEALER in self.shown_at:
            kind, cite = "LATE_WAGER", terms.dealer_reveals.cite
            sentence = f"The play wager {wager.id} was placed after the dealer's cards were revealed."
        elif (seat, 1) not in self.hands:
            kind, cite = "NOT_OFFERED", terms.decisions.cite
            sentence = f"The play wager {wager.id} was placed before seat {seat} had cards to examine."
        else:
            return
        self.refuse(wager, kind, at, cite, sentence)

    def _betting_is_over(self, seat: int) -> bool:
        if self.called_closed or self.ended:
            return True
        if seat and self.terms.betting_closes.value == "own_first_card":
            return (seat, 1) in self.hands
        return self.dealing

    def betting_closed(self, event: BettingClosed) -> None:
        """No more bets, for all seats."""
        self.called_closed = True
        super().betting_closed(event)

    def change(self, wager: LuvWager, event: WagerChanged) -> None:
        """Before the cards a wager may be changed or taken down; afterwards not (111-301-75(d))."""
        terms, at, amount = self.terms, event.sequence, event.amount_minor
        if wager.bet != w.PLAY and not self._betting_is_over(wager.seat):
            if amount > 0:
                wager.amount_minor = amount
            else:
                self.settle(wager, "REMOVED", at, terms.betting_closes.cite)
        elif amount > wager.amount_minor:
            sentence = f"The {_name(wager)} wager {wager.id} was raised after the cards; its amount stays."
            self.find("NOT_INCREASABLE", at, sentence, cite=terms.betting_closes.cite, wager_id=wager.id)
        elif wager.bet == w.PLAY and amount > 0:
            wager.reduced_to, wager.reduced_at = amount, at
        elif amount < wager.amount_minor:
            self.not_removable(wager, at)

    def not_removable(self, wager: LuvWager, at: int) -> None:
        """A wager was taken down or reduced although it may not be: its amount stays."""
        sentence = f"The {_name(wager)} wager {wager.id} was reduced or taken down after the cards; its amount stays."
        self.find("NOT_REMOVABLE", at, sentence, cite=self.terms.betting_closes.cite, wager_id=wager.id)

    def stand(self, wager: LuvWager, at: int) -> None:
        """Betting is over for a seat: hold its wagers against the posted limits, and see that the ante is there."""
        terms = self.terms
        if not self._betting_is_over(wager.seat):
            self.standing.append(wager)
            return
        if wager.bet == w.ANTE:
            self.limit_cite = terms.ante.cite
        else:
            self.limit_cite = (terms.progressive_wager if wager.bet == w.PROGRESSIVE else terms.bonus_wagers).cite
        if (wager.bet != w.ANTE or wager.for_dealer) and w.ante_of(self.wagers, wager) is None:
            cite = terms.tip_bets.cite if wager.for_dealer else self.limit_cite
            sentence = f"The {_name(wager)} wager {wager.id} needs the player's ante at seat {wager.seat}."
            self.refuse(wager, "MISSING_PARENT", at, cite, sentence)
        elif wager.bet == w.PROGRESSIVE:
            self._stand_progressive(wager, at)
        else:
            self.check_limits(wager, at)

    def _stand_progressive(self, wager: LuvWager, at: int) -> None:
        terms = self.terms
        share = Fraction(terms.contribution_percent.value, 100)
        self.contribute(wager, self.opened.progressives[w.PROGRESSIVE], share, terms.contribution_percent.cite)
        posted = self.opened.limits.get(w.PROGRESSIVE)
        if posted and posted["minimum_minor"] == posted["maximum_minor"] != 0:
            amount = posted["minimum_minor"]
            if wager.amount_minor != amount:
                sentence = f"{money_text(wager.amount_minor)} was wagered on progressive; {money_text(amount)} is posted."
                rests_on = (wager.placed_at, at)
                self.find("WRONG_AMOUNT", rests_on, sentence, cite=terms.progressive_wager.cite, wager_id=wager.id)
        else:
            self.check_limits(wager, at)

    def limits_cite(self, above: bool) -> Citation:
        """The paragraph that lets the wager be made within the posted limits."""
        return self.limit_cite

    def excess_returned(self, wager: LuvWager) -> bool:
        """Whether what is over the posted maximum goes back: not by these rules (C-26)."""
        return self.terms.over_posted_maximum.value == "excess_returned"

    # --- cards -------------------------------------------------------------------------------------------------------

    def dealt_to_seat(self, hand: Hand, event: CardDealt) -> None:
        """A card to a seat: its betting is over with the first, and the order of the deal is watched."""
        if len(hand.cards) == 1:
            self._first_card(hand, event)
        if hand is not self.spot_hand:
            self._turn_to(hand, hand.seat, event.sequence)

    def _first_card(self, hand: Hand, event: CardDealt) -> None:
        at, seat, terms = event.sequence, hand.seat, self.terms
        if self.standing:
            self.close_betting(at)
        if hand.number != 1:
            self._out_of_order(at, f"Seat {seat} was dealt a second hand.", terms.deal_order.cite)
        elif not self._has_chips(seat):
            self._out_of_order(at, f"Seat {seat} was dealt cards without a wager.", terms.cards_for.cite)

    def _has_chips(self, seat: int) -> bool:
        """Whether chips lie at a seat, also those of a wager that was refused: that is a finding, and not the cards too."""
        if any(wager.seat == seat and not wager.settled for wager in self.wagers.values()):
            return True
        removed = {settlement.wager_id for settlement in self.settlements if settlement.result == "REMOVED"}
        return any(wager.seat == seat and wager.id not in removed for wager in self.wagers.values())

    def dealt_to_dealer(self, event: CardDealt) -> None:
        """A card to the dealer, who comes last."""
        if self.dealer is not self.spot_hand:
            self._turn_to(self.dealer, LAST, event.sequence)

    def _turn_to(self, hand: Hand, spot: int, at: int) -> None:
        before = self.spot_hand
        if before is not None and (spot < self.spot or len(before.live()) < self.terms.cards_each.value):
            who = "the dealer" if spot == LAST else f"seat {spot}"
            sentence = f"The deal turned to {who} out of its order: seat by seat from the left, the dealer last."
            self._out_of_order(at, sentence, self.terms.deal_order.cite)
        self.spot, self.spot_hand = spot, hand

    def _out_of_order(self, at: int, sentence: str, cite: Citation) -> None:
        self.find("DEALT_OUT_OF_ORDER", at, sentence, cite=cite)

    def exposed(self, hand: Hand, event: CardExposed) -> None:
        """A card was turned up. With a player's last one the meter is read: the prize is won now (111-301-76(i)(5))."""
        at = event.sequence
        if hand is self.dealer:
            self.shown_at[DEALER] = at
        elif hand.number == 1:
            self.shown_at[hand.seat] = at
            if w.PROGRESSIVE in self.opened.progressives and hand.seat not in self.meter_at and self.is_shown(hand):
                self.freeze_meter(hand.seat, at)

    def discarded(self, hand: Hand, event: CardDiscarded) -> None:
        """A card that a player lays aside stays one of the cards dealt (I-05, I-12); one drawn in error does not."""
        surplus = event.reason == REFUSED and len(hand.live()) >= self.terms.cards_each.value
        if event.reason not in TAKEN_OUT and not surplus and hand is not self.dealer:
            hand.out.discard(event.position)
            self.laid_aside.setdefault(hand, set()).add(event.position)

    def is_shown(self, hand: Hand) -> bool:
        """Whether every card of a hand that is not laid aside lies face up."""
        if all(hand.face_up):
            return True
        hidden = {position for position, up in enumerate(hand.face_up) if not up}
        return hidden <= hand.out | self.laid_aside.get(hand, set())

    def freeze_meter(self, seat: int, at: int) -> None:
        """Remember what the meter of the progressive shows as a seat's hand is decided."""
        self.meter_at[seat] = (at, self.meter_minor(self.opened.progressives[w.PROGRESSIVE]))

    def contribution_recorded(self, event: ContributionRecorded) -> None:
        """The progressive system says what it fed the meter with."""
        self.fed.append(event)

    def meter_reset(self, event: MeterReset) -> None:
        """The pot began anew."""
        if event.progressive_id == self.opened.progressives.get(w.PROGRESSIVE):
            self.resets.append(event)

    # --- acts --------------------------------------------------------------------------------------------------------

    def player_acted(self, event: PlayerActed) -> None:
        """A player plays or forfeits; there are no other acts."""
        named = self.wagers.get(event.wager_id)
        seat = event.seat or (named.seat if named else 0)
        if event.action == "PLAY":
            self._play(seat, named, event)
        elif event.action == "FOLD":
            self._fold(seat, named, event)
        else:
            self._not_allowed(seat, event.sequence, f"{event.action} is no act of this game.")

    def _play(self, seat: int, named: LuvWager | None, event: PlayerActed) -> None:
        at = event.sequence
        if seat in self.folded:
            self._not_allowed(seat, at, f"Seat {seat} played after it had folded; the first decision holds.")
            return
        if named is None and not event.wager_id:
            named = next(iter(w.standing(self.wagers, seat, w.PLAY)), None)
        if named is None or named.bet != w.PLAY or named.seat != seat:
            self.played.setdefault(seat, at)
            sentence = f"Seat {seat} played without a play wager of its own."
            self.find("ACT_WITHOUT_WAGER", at, sentence, cite=self.terms.play_exactly.cite, wager_id=self.ante_id(seat))
        elif not named.settled:
            self.played.setdefault(seat, at)

    def _fold(self, seat: int, named: LuvWager | None, event: PlayerActed) -> None:
        at, terms = event.sequence, self.terms
        if not any(w.standing(self.wagers, seat, w.ANTE)):
            self.find("ACT_WITHOUT_WAGER", at, f"Seat {seat} folded without an ante.", cite=terms.forfeit.cite)
            return
        if seat in self.folded or any(w.standing(self.wagers, seat, w.PLAY)):
            self._not_allowed(seat, at, f"Seat {seat} folded after it had decided; the first decision holds.")
            return
        if event.wager_id and (named is None or named.seat != seat):
            sentence = f"The fold of seat {seat} names a wager that is not its own: {event.wager_id}."
            self.find("ACT_WITHOUT_WAGER", at, sentence, cite=terms.forfeit.cite, wager_id=self.ante_id(seat))
        if DEALER in self.shown_at:
            self._not_allowed(seat, at, f"Seat {seat} folded after the dealer's cards were revealed.")
        self.folded[seat] = at

    def _not_allowed(self, seat: int, at: int, sentence: str) -> None:
        self.find("ACT_NOT_ALLOWED", at, sentence, cite=self.terms.decisions.cite, wager_id=self.ante_id(seat))

    def ante_id(self, seat: int) -> str:
        """The wager under which findings about a seat are filed: its ante."""
        return next((wager.id for wager in self.wagers.values() if wager.seat == seat and wager.bet == w.ANTE), "")

    # --- what the table recorded, and the end ------------------------------------------------------------------------

    def settlement_recorded(self, event: SettlementRecorded) -> None:
        """A wager was settled: note when, and which cards lay open then."""
        wager = self.wagers.get(event.wager_id)
        if wager is None or wager.id in self.records or self.closed:
            return
        hand = self.hands.get((wager.seat, 1))
        shown = hand is None or self.is_shown(hand)
        self.records[wager.id] = Recorded(event.sequence, event.result, shown, self.is_shown(self.dealer))
        if wager.bet == w.PROGRESSIVE and not wager.settled and wager.seat not in self.meter_at:
            self.freeze_meter(wager.seat, event.sequence)

    def round_voided(self, event: RoundVoided) -> None:
        """A dead hand: nothing of it is decided."""
        self.voided = True
        self.forget_misdeals()

    def round_closed(self, event: RoundClosed) -> None:
        """The round is over; what is recorded later corrects."""
        self.closed = True


def _name(wager: Any) -> str:
    return spoken(wager.bet)
