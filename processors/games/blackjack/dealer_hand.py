"""The dealer's hand: which cards count, whether it was drawn out as the rules order, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from processors.kernel.card_game import USED_AS_NEXT
from processors.kernel.cards import Card
from processors.kernel.twenty_one import Total, is_natural, must_draw, total_of

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table


class DealerHand(NamedTuple):
    """What the dealer's hand came to.

    `natural`: a blackjack, None where a first card is unknown. `total` is None where the wagers that depend on it cannot be
    decided, and `why` says why. `at` is the sequence at which it was complete; `counted` are the cards that count.
    """

    natural: bool | None
    total: Total | None
    why: str
    at: int
    counted: tuple[Card, ...]


def dealer_hand(game: Table, live: bool) -> DealerHand:
    """Go through the dealer's cards; `live` says whether a hand still stands against their total.

    A card drawn on a hand that stands does not count; a dealer who stood too early leaves the total unknown.
    """
    size = len(game.dealer.cards)
    first = [place for place in (game.up_place, game.hole_place) if place < size]
    drawn = range(game.last_first_place + 1, size)
    cards = [game.dealer.cards[place] for place in first]
    known = [card for card in cards if card is not None]
    at = max(game.hole_at, game.up_at, *(game.dealer.dealt_at[place] for place in first), -1)
    if len(known) < 2:
        why = "the dealer's hole card is unknown" if len(known) == 1 else "the dealer's cards are unknown"
        _extra(game, drawn, None, live=True)
        return DealerHand(_natural_of_one(known), None, why, at, tuple(known))
    if is_natural(*known):
        _extra(game, drawn, Total(21, True), live=live)
        return DealerHand(True, Total(21, True), "", at, tuple(known))
    return _drawn(game, known, live, at)


def _natural_of_one(known: list[Card]) -> bool | None:
    """With one card known: 2 to 9 makes no blackjack, whatever the other is."""
    return False if known and 2 <= known[0].rank <= 9 else None


def _drawn(game: Table, counted: list[Card], live: bool, at: int) -> DealerHand:
    dealer, soft_17 = game.dealer, game.house.soft_17
    total = total_of(counted)
    place, end = game.last_first_place + 1, len(dealer.cards)
    while place < end:
        if game.reasons_out.get(place) == USED_AS_NEXT:
            place += 1
            continue
        if live and soft_17 is None and total == (17, True):
            return DealerHand(False, None, "whether the dealer hits soft 17 is not posted", at, tuple(counted))
        if not live or not must_draw(total, hits_soft_17=soft_17 is None or soft_17.value == "hit"):
            break
        card = dealer.cards[place]
        if place in game.reasons_out:
            rule = game.terms.hard_17
            sentence = f"A card that the dealer had to draw on {total} was taken out again; it counts."
            game.find("DEALT_OUT_OF_ORDER", dealer.dealt_at[place], sentence, cite=rule.cite)
        at = max(at, dealer.dealt_at[place])
        if card is None:
            return DealerHand(False, None, "a card of the dealer is unread", at, tuple(counted))
        counted.append(card)
        total = total_of(counted)
        place += 1
    _extra(game, range(place, end), total, live=live)
    if live and soft_17 is None and total == (17, True):
        return DealerHand(False, None, "whether the dealer hits soft 17 is not posted", at, tuple(counted))
    if live and must_draw(total, hits_soft_17=soft_17 is None or soft_17.value == "hit"):
        return _stood_too_early(game, total, at, counted)
    return DealerHand(False, total, "", at, tuple(counted))


def _stood_too_early(game: Table, total: Total, at: int, counted: list[Card]) -> DealerHand:
    if game.round_closed_at < 0:
        return DealerHand(False, None, "the round was never closed", at, tuple(counted))
    terms = game.terms
    rule = terms.soft_17 if total.soft and total.points == 17 and terms.soft_17 is not None else terms.dealer_stood_too_early
    sentence = f"The dealer stood on {total} and had to draw."
    game.find("DEALER_STOOD", (at, game.round_closed_at), sentence, cite=rule.cite)
    return DealerHand(False, None, f"the dealer stood on {total} and had to draw", at, tuple(counted))


def _extra(game: Table, places: range, total: Total | None, *, live: bool) -> None:
    """Cards that the dealer drew on a hand that stands: they do not count. One burned as the rules say is no finding."""
    terms, dealer = game.terms, game.dealer
    if not live and (terms.no_draw_without_effect is None or _refused_hand_played(game)):
        return
    # a card of a double that lay face down may show only afterwards that its hand was over 21 (111-301-6(g)(3))
    stood_until = -1 if live else max((hand.closed_at for hand in game.standing_hands()), default=-1)
    wrong = [
        place
        for place in places
        if dealer.dealt_at[place] > stood_until
        and game.reasons_out.get(place) != USED_AS_NEXT
        and not (live and game.reasons_out.get(place) == "drawn_in_error" and _burned(game, total))
    ]
    if not wrong or total is None:
        return
    rule = terms.dealer_drew_on_standing_hand if live else terms.no_draw_without_effect
    why = f"on {total}, which stands" if live else "although no hand depended on it"
    sentence = f"The dealer drew {why}; the card does not count."
    game.find("DEALER_DREW", [dealer.dealt_at[place] for place in wrong], sentence, cite=rule.cite)


def _refused_hand_played(game: Table) -> bool:
    """Whether a hand was played to the end whose wager was void: the dealer took it for one that stands."""
    return any(
        hand.wager is not None and hand.wager.settled and hand.closed not in ("busted", "blackjack", "even_money")
        for spot in game.spots.values()
        for hand in spot.hands
    )


def _burned(game: Table, total: Total | None) -> bool:
    """Whether the rules order a card drawn by accident on this total to be burned."""
    if total is None:
        return False
    if game.terms.drawn_in_error_burned.value == "17_to_21":
        return 17 <= total.points <= 21
    return total == (17, False)
