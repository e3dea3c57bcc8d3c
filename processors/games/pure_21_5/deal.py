"""The first cards: in which order they are dealt, what lies face down, and when play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.model import CardDealt, CardDiscarded, CardExposed
from processors.kernel.cards import ACE
from processors.kernel.twenty_one import Turns, TwentyOneHand, is_ten_valued
from processors.kernel.twenty_one_deal import DEALER, astray_sentence, find_missing, follow, lies_refused, taken_out

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table


def expect(game: Table) -> None:
    """Betting has closed: from now on the order of the first cards is known."""
    seats = [spot.seat for spot in game.clockwise()]
    game.expected = (*seats, DEALER, *seats, DEALER)


def to_player_dealer(game: Table, event: CardDealt) -> None:
    """A card came to the player-dealer."""
    at, place = event.sequence, len(game.dealer.cards)
    if place <= 2:
        if game.in_order and not game.playing:
            follow(game, DEALER, event)
        if place == 2 and event.face_up:
            sentence = "The player-dealer's second card was dealt face up."
            game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.hole_card_down.cite)
            game.hole_at = at
        return
    if not game.playing:
        begin_play(game, at)
    if game.hole_at < 0:
        sentence = "The player-dealer drew before the down card was turned up."
        game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.hole_card_turned_up.cite)


def first_card_astray(game: Table, seat: int, event: CardDealt) -> None:
    """A first card came when it was not its turn."""
    if not lies_refused(game, seat):
        game.in_order = False
        game.find("DEALT_OUT_OF_ORDER", event.sequence, astray_sentence(game, seat), cite=game.terms.deal_order.cite)


def begin_play(game: Table, at: int, *, judged: bool = True) -> None:
    """The first decision, or the hole card: a hand that is dealt complete asks for none."""
    game.playing = True
    hands = []
    for spot in game.clockwise():
        for hand in spot.hands:
            if hand.wager is not None:
                hands.append(hand)
                game.look(hand, hand.dealt_at[-1])
    game.turns = Turns(hands)
    if judged:
        find_missing(game, at, game.terms.deal_order, game.terms.deal_order)
        dealer = game.dealer
        if dealer.cards and not dealer.face_up[0] and 0 not in dealer.out:
            sentence = "The player-dealer's first card lay face down when play began."
            game.find("CARD_NOT_EXPOSED", (dealer.dealt_at[0], at), sentence, cite=game.terms.deal_order.cite)


def check_before_acts(game: Table, at: int) -> None:
    """Under an ace or a bonus card the hole card is looked at before a player acts or gets a card."""
    up = game.up_card()
    if game.checked_at >= 0 or game.hole_at >= 0 or up is None or not (up.rank == ACE or is_ten_valued(up)):
        return
    rests_on = (game.dealer.dealt_at[0], at)
    sentence = f"The player-dealer showed the {up}, and the down card was not checked before the players acted."
    game.find("HOLE_CARD_NOT_CHECKED", rests_on, sentence, cite=game.terms.checks_for_pure.cite)


def exposed(game: Table, hand: TwentyOneHand, event: CardExposed) -> None:
    """A card was turned up: the down card, or a player's card that was dealt face down."""
    if hand is not game.dealer:
        hand.recount()
        game.look(hand, event.sequence)
    elif event.position == 1:
        if game.hole_at < 0:
            game.hole_at = event.sequence
        if not game.playing:
            begin_play(game, event.sequence)


def discarded(game: Table, hand: TwentyOneHand, event: CardDiscarded) -> None:
    """A card was taken out of a hand again: it does not count. A hand that it closed is open again."""
    if hand is not game.dealer:
        taken_out(game, hand, event.sequence)
