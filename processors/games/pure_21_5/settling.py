"""The end of a round: what should have happened by then, and every wager decided, once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from events.model import SettlementRecorded
from processors.games.pure_21_5 import bank, fees
from processors.games.pure_21_5.deal import begin_play
from processors.games.pure_21_5.player_dealer import PlayerDealerHand, check_drawing, hand_of
from processors.games.pure_21_5.verdicts import Verdict, verdicts_of
from processors.games.pure_21_5.wagers import LATER, MAIN, RED_FLEX, cite_of, refuse
from processors.kernel.twenty_one import Spot, TwentyOneHand
from processors.kernel.twenty_one_table import TwentyOneWager

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table


def finish(game: Table, at: int) -> None:
    """Settle what is decided; what is not known stays open, with the reason."""
    if game.dead:
        return
    fees.check_bank(game, at)
    closed = game.round_closed_at >= 0
    if not game.dealing:
        players = any(not wager.settled for wager in game.wagers.values() if wager is not game.bank)
        if closed and game.bank is not None and not players:
            bank.settle_all(game, (), at, order_known=True)
        elif closed and players:
            sentence = "The round was closed without a card."
            game.find("INCOMPLETE_ROUND", at, sentence, cite=game.terms.wagers_before_deal.cite)
        return
    if not game.playing:
        begin_play(game, at, judged=closed)
    _refuse_without_act(game)
    dealer = hand_of(game)
    game.finished = dealer
    spots, order_known = bank.from_button(game, dealer.hole)
    game.action_seats = [spot.seat for spot in spots]
    verdicts = [verdict for spot in spots for verdict in verdicts_of(game, spot, dealer)]
    needed = any(verdict.result == "UNDECIDED" and verdict.prize == dealer.why for _, verdict in verdicts)
    check_drawing(game, dealer, at, needed=needed)
    if closed:
        _check_end(game, dealer, verdicts, at)
    if game.bank is None:
        _without_bank(game, verdicts, at)
        return
    bank.settle_all(game, verdicts, max(dealer.at, 0), order_known=order_known)
    _check_order(game, spots, dealer, order_known=order_known)


def _refuse_without_act(game: Table) -> None:
    for spot in game.spots.values():
        for wager in spot.others:
            if wager.bet in LATER and not wager.settled and not wager.elected:
                sentence = f"The {wager.bet} wager was never followed by its act."
                refuse(game, wager, "ACT_WITHOUT_WAGER", wager.placed_at, cite_of(game, wager.bet), sentence)


def _without_bank(game: Table, verdicts: Sequence[tuple[TwentyOneWager, Verdict]], at: int) -> None:
    cite = game.terms.bank.cite
    for wager, _ in verdicts:
        game.undecide(wager, at, cite, "no player-dealer's wager was recorded")
    if verdicts:
        sentence = "No wager of a player-dealer was recorded: how far payments reach is unknown."
        game.find("MISSING_PARENT", at, sentence, cite=cite)


def _check_end(game: Table, dealer: PlayerDealerHand, verdicts: Sequence[tuple[TwentyOneWager, Verdict]], at: int) -> None:
    """What must have happened by the end: every decision made, every card turned up."""
    terms = game.terms
    if dealer.pure and game.acts and game.checked_at >= 0:
        sentence = "Play went on although the player-dealer had a Pure 21.5."
        rests_on = (game.checked_at, *(act.sequence for act in game.acts))
        game.find("ACT_NOT_ALLOWED", rests_on, sentence, cite=terms.pure_ends_round.cite)
    hidden = [place for place, up in enumerate(game.dealer.face_up) if not up and place not in game.dealer.out]
    if hidden and verdicts:
        which = "The player-dealer's down card" if 1 in hidden else "A card of the player-dealer"
        sentence = f"{which} was never turned up."
        dealt_at = [game.dealer.dealt_at[place] for place in hidden]
        game.find("CARD_NOT_EXPOSED", dealt_at, sentence, cite=terms.hole_card_turned_up.cite)
    for hand in game.hands.values():
        if hand.wager is None or hand.wager.settled:
            continue
        if not all(up or place in hand.out for place, up in enumerate(hand.face_up)):
            sentence = f"A card of seat {hand.seat}, hand {hand.number} was not dealt face up."
            game.find("CARD_NOT_EXPOSED", hand.dealt_at, sentence, cite=terms.deal_order.cite, wager_id=hand.wager.id)
        # an unread card may have ended the hand
        judged = hand.closed or hand.unread or dealer.pure or hand in game.misplayed
        if not judged and not _must_stand(game, hand):
            sentence = f"Seat {hand.seat}, hand {hand.number} ({hand}) was never decided."
            game.find("INCOMPLETE_ROUND", at, sentence, cite=terms.act_order.cite, wager_id=hand.wager.id)


def _must_stand(game: Table, hand: TwentyOneHand) -> bool:
    total = hand.total
    return not total.soft and bool(total.points >= game.terms.must_stand_on_hard.value)


def _check_order(game: Table, spots: Sequence[Spot], dealer: PlayerDealerHand, *, order_known: bool) -> None:
    """Wagers are settled once the player-dealer's hand is complete, seat by seat from the action button (Round of Play 10).

    At each seat the game wagers come first. A surrendered wager may be taken at once, one that the bank does not cover has
    no action, and a payment that was taken back and made anew is a correction: none of them has a place in the order. A
    Pure 21.5 that the check found ends the round before it is turned up.
    """
    void = {settlement.wager_id for settlement in game.settlements if settlement.result in ("VOID", "REMOVED")}
    rank = {spot.seat: 2 * place for place, spot in enumerate(spots)}
    corrected = {event.wager_id for event in game.retracted if isinstance(event, SettlementRecorded)}
    last, last_record = -1, None
    seen: set[str] = set()
    for record in game.records:
        wager = game.wagers.get(record.wager_id)
        if wager is None or wager.seat not in rank or wager.id in seen or wager.id in corrected:
            continue
        seen.add(wager.id)
        if wager is game.bank or wager.id in void or _surrendered(game, wager):
            continue
        if record.sequence < dealer.at and not dealer.pure:
            sentence = f"Wager {wager.id} was settled before the player-dealer's hand was complete."
            rule = game.terms.settled_from_button
            game.find("SETTLED_OUT_OF_ORDER", (record.sequence, dealer.at), sentence, cite=rule.cite)
            return
        if not order_known:
            continue
        place = rank[wager.seat] + (1 if wager.bet == RED_FLEX else 0)
        if place < last and last_record is not None:
            terms = game.terms
            same_seat = place // 2 == last // 2
            rule = terms.settled_at_a_seat if same_seat else terms.settled_from_button
            sentence = f"Wager {wager.id} was settled after {last_record.wager_id}, whose turn comes later."
            game.find("SETTLED_OUT_OF_ORDER", (last_record.sequence, record.sequence), sentence, cite=rule.cite)
            return
        last, last_record = place, record


def _surrendered(game: Table, wager: TwentyOneWager) -> bool:
    spot = game.spots[wager.seat]
    return wager.bet == MAIN and any(hand.closed == "surrendered" for hand in spot.hands)
