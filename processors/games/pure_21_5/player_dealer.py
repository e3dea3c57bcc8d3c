"""The player-dealer's hand: which cards count, whether Chart 1B was followed, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from processors.kernel.cards import Card
from processors.kernel.twenty_one import Total, is_natural, total_of

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

EIGHT: Final = 8


class PlayerDealerHand(NamedTuple):
    """What the player-dealer's hand came to.

    `counted` are the cards that count, as far as they are known; `hole` is the second card. `total` is that of `counted`.
    `complete` is False where a card is unknown or missing, and `why` says which. `at` is the sequence of the last of them.
    `places` are the positions of the cards that count, `extra` of those drawn on a hand that stands.
    """

    counted: tuple[Card, ...]
    total: Total
    complete: bool
    why: str
    at: int
    hole: Card | None
    extra: tuple[int, ...]

    @property
    def pure(self) -> bool | None:
        """Whether it is a Pure 21.5; None where a first card is unknown and the other allows one."""
        if len(self.counted) >= 2:
            return is_natural(*self.counted[:2])
        return False if self.counted and 2 <= self.counted[0].rank <= 9 else None

    @property
    def over(self) -> bool:
        """A complete hand over 21.5."""
        return self.complete and self.total.busted

    @property
    def is_three_eights(self) -> bool:
        """Exactly three eights."""
        return len(self.counted) == 3 and all(card.rank == EIGHT for card in self.counted)

    @property
    def may_be_three_eights(self) -> bool:
        """Whether nothing known speaks against three eights."""
        if self.complete:
            return self.is_three_eights
        return len(self.counted) <= 3 and all(card.rank == EIGHT for card in self.counted)


def hand_of(game: Table) -> PlayerDealerHand:
    """Go through the player-dealer's cards. A card drawn on a hand that stands does not count."""
    dealer = game.dealer
    places = [place for place in range(len(dealer.cards)) if place not in dealer.out]
    first = [dealer.cards[place] for place in places[:2]]
    hole = first[1] if len(first) > 1 else None
    counted: list[Card] = []
    at = max([game.hole_at, *(dealer.dealt_at[place] for place in places[:2])])
    for card in first:
        if card is None:
            break
        counted.append(card)
    if len(counted) < 2:
        why = "the player-dealer's down card is unknown" if counted else "the player-dealer's cards are unknown"
        return PlayerDealerHand(tuple(counted), total_of(counted), False, why, at, hole, ())
    for number, place in enumerate(places[2:], start=2):
        if not draws(game, counted):
            return PlayerDealerHand(tuple(counted), total_of(counted), True, "", at, hole, tuple(places[number:]))
        card = dealer.cards[place]
        if card is None:
            why = "a card of the player-dealer is unknown"
            return PlayerDealerHand(tuple(counted), total_of(counted), False, why, at, hole, ())
        counted.append(card)
        at = max(at, dealer.dealt_at[place])
    total = total_of(counted)
    complete = not draws(game, counted)
    why = "" if complete else f"the player-dealer stood on {total} and had to draw"
    return PlayerDealerHand(tuple(counted), total, complete, why, at, hole, ())


def draws(game: Table, cards: list[Card]) -> bool:
    """Whether Chart 1B makes the player-dealer draw to these cards."""
    terms = game.terms
    total = total_of(cards)
    if total.points == terms.stands_on.value:
        if total.soft:
            return bool(terms.soft_17.value == "hit")
        return bool(len(cards) == 2 and terms.two_card_17.value == "hit")
    return bool(total.points < terms.stands_on.value)


def check_drawing(game: Table, hand: PlayerDealerHand, at: int, *, needed: bool) -> None:
    """Findings about what the player-dealer drew. `needed`: a wager hangs on the missing card."""
    terms, dealer = game.terms, game.dealer
    if hand.extra:
        sentence = f"The player-dealer drew on {hand.total}, which stands; the card does not count."
        rests_on = [dealer.dealt_at[place] for place in hand.extra]
        game.find("DEALER_DREW", rests_on, sentence, cite=terms.drew_on_standing_hand.cite)
    stood = not hand.complete and len(hand.counted) == len(dealer.cards) - len(dealer.out) and len(hand.counted) >= 2
    if stood and needed and game.round_closed_at >= 0:
        sentence = f"The player-dealer stood on {hand.total} and had to draw."
        rule = terms.soft_17 if hand.total == (terms.stands_on.value, True) else terms.stands_on
        game.find("DEALER_STOOD", (hand.at, at), sentence, cite=rule.cite)
