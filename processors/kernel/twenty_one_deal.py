"""The first cards of a game of 21, as every set of rules has them: who is next, and which card begins play."""

from __future__ import annotations

from typing import Any, Final

from events.model import CardDealt
from processors.kernel.dated import Rule
from processors.kernel.twenty_one import TwentyOneHand
from processors.kernel.twenty_one_table import TwentyOneTable

DEALER: Final = 0
"""The dealer's place in the order of the first cards."""


def to_seat(game: TwentyOneTable, hand: TwentyOneHand, event: CardDealt) -> None:
    """A card came to a player's hand: one of the first two, or one in play."""
    if hand.wager is None and hand.number == 1 and event.seat in game.spots:
        spot = game.spots[event.seat]
        hand.wager = spot.main
        if not spot.hands:
            spot.hands.append(hand)
    if game.playing or hand.size > 2 or hand.number != 1:
        if not game.playing:
            game.begin_play(event.sequence)
        game.card_in_play(hand, event)
        return
    hand.count(hand.cards[-1])
    if game.in_order:
        follow(game, hand.seat, event)


def follow(game: TwentyOneTable, seat: int, event: CardDealt) -> None:
    """Hold a first card against the order in which they are dealt; once out of order, nothing more can be said."""
    expected, step = game.expected, game.step
    if step < len(expected) and expected[step] == seat:
        game.step = step + 1
    else:
        game.first_card_astray(seat, event)


def lies_refused(game: TwentyOneTable, seat: int) -> bool:
    """Whether the chips of a refused wager lie at a seat: a card that comes to them is no finding of its own."""
    spot = game.spots.get(seat)
    return spot is not None and spot.main is not None and bool(spot.main.settled)


def astray_sentence(game: TwentyOneTable, seat: int) -> str:
    """Who got a first card, and whose turn it was."""
    expected, step = game.expected, game.step
    wanted = _name(game, expected[step]) if step < len(expected) else "nobody"
    return f"A first card went to {_name(game, seat)}; it was {wanted}'s turn."


def find_missing(game: TwentyOneTable, at: int, of_players: Rule[Any], of_dealer: Rule[Any]) -> None:
    """Play begins: somebody still waits for a first card."""
    if game.in_order and game.step < len(game.expected):
        missing = game.expected[game.step]
        rule = of_dealer if missing == DEALER else of_players
        sentence = f"Play began before {_name(game, missing)} had both first cards."
        game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=rule.cite)


def taken_out(game: TwentyOneTable, hand: TwentyOneHand, at: int) -> None:
    """A card was taken out of a player's hand. A hand that it closed is open again."""
    hand.recount()
    if hand.closed in game.CLOSED_BY_CARDS:
        hand.reopen()
        game.turns.again()
        game.look(hand, at)


def _name(game: TwentyOneTable, seat: int) -> str:
    return f"seat {seat}" if seat else game.DEALER_NAME
