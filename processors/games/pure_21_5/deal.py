"""The first cards: in which order they are dealt, what lies face down, and when play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.model import CardDealt, CardDiscarded, CardExposed
from processors.games.pure_21_5 import acts
from processors.kernel.cards import ACE
from processors.kernel.twenty_one import Turns, TwentyOneHand, is_ten_valued

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

PLAYER_DEALER = 0


def expect(game: Table) -> None:
    """Betting has closed: from now on the order of the first cards is known."""
    seats = [spot.seat for spot in game.clockwise()]
    game.expected = (*seats, PLAYER_DEALER, *seats, PLAYER_DEALER)


def to_seat(game: Table, hand: TwentyOneHand, event: CardDealt) -> None:
    """A card came to a player's hand."""
    if hand.wager is None and hand.number == 1 and not hand.from_split and event.seat in game.spots:
        spot = game.spots[event.seat]
        hand.wager = spot.main
        if not spot.hands:
            spot.hands.append(hand)
    if game.playing or hand.size > 2 or hand.number != 1:
        if not game.playing:
            begin_play(game, event.sequence)
        acts.card_in_play(game, hand, event)
        return
    hand.count(hand.cards[-1])
    if game.in_order:
        _follow(game, hand.seat, event)


def to_player_dealer(game: Table, event: CardDealt) -> None:
    """A card came to the player-dealer."""
    at, place = event.sequence, len(game.dealer.cards)
    if place <= 2:
        if game.in_order and not game.playing:
            _follow(game, PLAYER_DEALER, event)
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


def _follow(game: Table, seat: int, event: CardDealt) -> None:
    """Hold a first card against the order in which they are dealt; once out of order, nothing more can be said."""
    expected, step = game.expected, game.step
    if step < len(expected) and expected[step] == seat:
        game.step = step + 1
        return
    spot = game.spots.get(seat)
    if spot is not None and spot.main is not None and spot.main.refused:
        return  # chips of a refused wager lie there: the refusal is the finding
    game.in_order = False
    turn = expected[step] if step < len(expected) else -1
    whose = f"seat {seat}" if seat else "the player-dealer"
    wanted = "nobody" if turn < 0 else f"seat {turn}" if turn else "the player-dealer"
    sentence = f"A first card went to {whose}; it was {wanted}'s turn."
    game.find("DEALT_OUT_OF_ORDER", event.sequence, sentence, cite=game.terms.deal_order.cite)


def begin_play(game: Table, at: int, *, judged: bool = True) -> None:
    """The first decision, or the hole card: a hand that is dealt complete asks for none."""
    game.playing = True
    hands = []
    for spot in game.clockwise():
        for hand in spot.hands:
            if hand.wager is not None:
                hands.append(hand)
                acts.look(game, hand, hand.dealt_at[-1])
    game.turns = Turns(hands)
    if judged and game.in_order and game.step < len(game.expected):
        missing = game.expected[game.step]
        whose = f"seat {missing}" if missing else "the player-dealer"
        sentence = f"Play began before {whose} had both first cards."
        game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.deal_order.cite)


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
        acts.look(game, hand, event.sequence)
    elif event.position == 1:
        if game.hole_at < 0:
            game.hole_at = event.sequence
        if not game.playing:
            begin_play(game, event.sequence)


def discarded(game: Table, hand: TwentyOneHand, event: CardDiscarded) -> None:
    """A card was taken out of a hand again: it does not count. A hand that it closed is open again."""
    if hand is game.dealer:
        return
    hand.recount()
    if hand.closed in acts.BY_CARDS:
        hand.reopen()
        game.turns.again()
        acts.look(game, hand, event.sequence)
