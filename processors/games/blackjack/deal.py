"""The first cards: in which order they are dealt, what is turned up, and when play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.model import CardDealt, CardDiscarded, CardExposed
from processors.kernel.card_game import USED_AS_NEXT
from processors.kernel.twenty_one import Turns, TwentyOneHand, is_ten_valued
from processors.kernel.twenty_one_deal import DEALER, astray_sentence, find_missing, follow, lies_refused, taken_out

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table


def expect(game: Table) -> None:
    """Betting has closed: from now on the order of the first cards is known."""
    seats = sorted(seat for seat, spot in game.spots.items() if spot.main is not None and not spot.main.settled)
    game.expected = (*seats, DEALER, *seats, DEALER)


def to_dealer(game: Table, event: CardDealt) -> None:
    """A card came to the dealer."""
    dealer, at = game.dealer, event.sequence
    place = len(dealer.cards) - 1
    if place <= game.last_first_place:
        if game.in_order and not game.playing:
            follow(game, DEALER, event)
        if event.face_up:
            _dealt_face_up(game, place, at)
        return
    # one that is drawn unseen before the hole card is shown may be the players' next: nobody plays yet
    if not game.playing and (game.hole_at >= 0 or event.face_up):
        begin_play(game, at)
    if game.hole_at < 0 and game.terms.hole_card_exposed is not None:
        sentence = "The dealer drew before the hole card was exposed."
        game.astray.append((dealer, place, at, sentence, game.terms.hole_card_exposed.cite))


def _dealt_face_up(game: Table, place: int, at: int) -> None:
    _which_is_up(game, place)
    if place == game.up_place:
        game.up_at = at
    else:
        game.hole_at = at
        check_under_ten(game, at)
    rule = game.terms.dealer_dealt_face_down
    if rule is not None:
        game.find(
            "DEALT_OUT_OF_ORDER", at, "A card of the dealer was dealt face up; both are dealt face down.", cite=rule.cite
        )


def _which_is_up(game: Table, place: int) -> None:
    """Where nothing orders the first card to be turned up, the one that is seen before play is the up card."""
    if place == game.hole_place and game.up_at < 0 and not game.playing:
        game.find_first_cards()


def first_card_astray(game: Table, seat: int, event: CardDealt) -> None:
    """A first card came when it was not its turn: an error, unless the dealer missed one and the rules say how to go on."""
    expected, step = game.expected, game.step
    rule = game.terms.deal_order
    if rule is None:
        return
    count = len(expected) // 2 - 1
    if step == count and count and seat == expected[0] and game.terms.missed_dealer_card is not None:
        # the dealer missed the first card for the dealer: both come after the players' second
        seats = expected[:count]
        game.expected = (*seats, *seats, DEALER, DEALER)
        game.step = count + 1
        return
    if lies_refused(game, seat):
        return
    game.in_order = False
    place = game.dealer if seat == DEALER else game.hands[seat, event.hand]
    game.astray.append((place, len(place.cards) - 1, event.sequence, astray_sentence(game, seat), rule.cite))


def begin_play(game: Table, at: int, *, judged: bool = True) -> None:
    """The first decision, or the hole card: side wagers are resolved before it, and nobody may insure any more."""
    game.playing = True
    hands = []
    for _, spot in sorted(game.spots.items()):
        for hand in spot.hands:
            if hand.is_natural and not hand.closed:
                hand.close("blackjack", max(at if game.up_at < 0 else game.up_at, hand.dealt_at[-1]))
            if hand.wager is not None and not hand.wager.settled:
                hands.append(hand)
    game.turns = Turns(hands)
    game.take_pot()
    if judged:
        _check_first_cards(game, at)


def _check_first_cards(game: Table, at: int) -> None:
    terms = game.terms
    if terms.deal_order is not None:
        find_missing(game, at, terms.deal_order, terms.missed_dealer_card)
    dealer = game.dealer
    if terms.first_card_turned_up is not None and len(dealer.cards) > game.up_place and not dealer.face_up[game.up_place]:
        sentence = "The dealer's first card was not turned up before play began."
        game.find("CARD_NOT_EXPOSED", at, sentence, cite=terms.first_card_turned_up.cite)
    if terms.check_under_ace is not None and game.checked_at < 0 and game.ace_up() and game.standing_hands():
        sentence = "The dealer's first card was an ace and the hole card was not checked before play went on."
        game.find("HOLE_CARD_NOT_CHECKED", (game.up_at, at), sentence, cite=terms.check_under_ace.cite)


def check_under_ten(game: Table, at: int) -> None:
    """A player's blackjack against a ten: the hole card is checked before it is exposed."""
    rule = game.terms.check_under_ten
    if rule is None or rule.value == "never" or game.checked_at >= 0:
        return
    up = game.up_card()
    if up is None or not is_ten_valued(up) or not any(hand.is_natural for hand in game.standing_hands()):
        return
    sentence = "A player had a blackjack against a ten-valued card, and the hole card was not checked."
    game.find("HOLE_CARD_NOT_CHECKED", (game.up_at, at) if game.up_at >= 0 else at, sentence, cite=rule.cite)


def exposed(game: Table, hand: TwentyOneHand, event: CardExposed) -> None:
    """A card was turned up: the dealer's first card, the hole card, or a player's card that was dealt face down."""
    at = event.sequence
    if hand is not game.dealer:
        hand.recount()
        game.look(hand, at)
        return
    _which_is_up(game, event.position)
    if event.position == game.up_place:
        game.up_at = at
        rule = game.terms.first_card_turned_up
        # a missed second card of the dealer is noticed at this moment: it comes next (111-301-6(n))
        if rule is not None and game.in_order and game.step < len(game.expected) - 1 and not game.playing:
            sentence = "The dealer's first card was turned up before all first cards were dealt."
            game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=rule.cite)
    elif event.position == game.hole_place:
        game.hole_at = at
        if not game.playing:
            begin_play(game, at)
        check_under_ten(game, at)


def discarded(game: Table, hand: TwentyOneHand, event: CardDiscarded) -> None:
    """A card was taken out again. One that was drawn unexposed in error is the next card: it was never in the hand."""
    position, reason = event.position, event.reason
    card = hand.cards[position]
    if reason == USED_AS_NEXT:
        game.next_card = card
        if card is not None:
            game.seen[card.code] -= 1
        kept = [item for item in game.astray if not (item[0] is hand and item[1] == position)]
        if len(kept) < len(game.astray):
            game.astray = kept
            game.in_order = True
    if hand is game.dealer:
        game.reasons_out[position] = reason
        if position <= game.last_first_place:
            game.find_first_cards()
        return
    taken_out(game, hand, event.sequence)
    if reason == "refused" and game.terms.refused_card_ends_drawing is not None:
        hand.close("refused", event.sequence)


def same_as_next(game: Table, event: CardDealt) -> None:
    """A card drawn unexposed in error is used as the next: the one dealt now must be it."""
    wanted, game.next_card = game.next_card, None
    if wanted is not None and event.card and event.card != wanted.code:
        rule = game.terms.drawn_unexposed
        sentence = f"The {wanted} was drawn in error and is the next card; {event.card} was dealt."
        game.find("DEALT_OUT_OF_ORDER", event.sequence, sentence, cite=rule.cite)
