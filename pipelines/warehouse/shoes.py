"""The cards that a round read from its shoes, for counting them over all rounds of a shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from events.model import CardDealt, CardDiscarded, CardExposed, Event, RoundOpened, ShoeShuffled
from processors.kernel.card_game import USED_AS_NEXT

_OTHERS: Final = frozenset({CardExposed, CardDiscarded, ShoeShuffled})


def shoe_rows(opened: RoundOpened, events: Sequence[Event]) -> Iterator[tuple[str, int, str]]:
    """For each shoe of a round: its id, its decks, and the codes of the cards read from it, one after the other.

    `events` are those that stand (`processors.sequence`): one that was sent twice is no second card. A card counts when
    it is dealt, or when it is turned up if no device had read it before.
    """
    shoe_id = opened.shoe_id
    cards: list[str] = []
    hands: dict[tuple[str, int, int], list[str]] = {}
    for event in events:
        kind = type(event)
        if kind is CardDealt:
            code = event.card  # type: ignore[union-attr]  # known by its type
            key = (event.to, event.seat, event.hand)  # type: ignore[union-attr]  # known by its type
            hand = hands.get(key)
            if hand is None:
                hands[key] = [code]
            else:
                hand.append(code)
            if code:
                cards.append(code)
        elif kind not in _OTHERS:
            continue
        elif isinstance(event, CardExposed):
            hand = hands.get((event.to, event.seat, event.hand))
            if hand is not None and 0 <= event.position < len(hand) and not hand[event.position]:
                hand[event.position] = event.card
                cards.append(event.card)
        elif isinstance(event, CardDiscarded):
            if event.reason == USED_AS_NEXT and event.card in cards:
                cards.remove(event.card)
        elif isinstance(event, ShoeShuffled):
            yield shoe_id, opened.decks, _joined(cards)
            shoe_id, cards = event.shoe_id, []
    yield shoe_id, opened.decks, _joined(cards)


def _joined(cards: Sequence[str]) -> str:
    # a code that is not two characters long is no card: it would shift all that follow
    return "".join(card for card in cards if len(card) == 2)
