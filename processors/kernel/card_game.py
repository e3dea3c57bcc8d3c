"""What card games share: the hands on the table, cards turned up and taken away, cards that cannot be."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Final

from events.model import CardDealt, CardDiscarded, CardExposed, RoundOpened, ShoeShuffled
from processors.kernel.cards import CARDS, Card
from processors.kernel.game import Game, Paytables

USED_AS_NEXT: Final = "used_as_next"
"""Why a card is taken out of a hand that is dealt again as the next card: it left the shoe once."""


class Hand:
    """The cards of one hand in the order in which they came; a position keeps its number when another card is taken out.

    A card is None while nobody has read it. `out` holds the positions that were taken out again.
    """

    __slots__ = ("cards", "dealt_at", "face_up", "number", "out", "seat")

    def __init__(self, seat: int, number: int) -> None:
        self.seat = seat
        self.number = number
        self.cards: list[Card | None] = []
        self.face_up: list[bool] = []
        self.dealt_at: list[int] = []
        self.out: set[int] = set()

    def live(self) -> list[Card | None]:
        """The cards that are still in the hand."""
        if not self.out:
            return self.cards
        return [card for position, card in enumerate(self.cards) if position not in self.out]

    def known(self) -> list[Card]:
        """The cards that are still in the hand and have been read."""
        return [card for card in self.live() if card is not None]

    def is_read(self) -> bool:
        """Whether every card in the hand is known."""
        return None not in self.live()

    def __str__(self) -> str:
        return ", ".join(str(card) if card else "an unread card" for card in self.live()) or "no cards"


class CardGame(Game):
    """A game with cards. `hands` is by (seat, hand number), seats in order of their first card; `dealer` is its hand.

    Derived classes hook in with `dealt_to_seat`, `dealt_to_dealer` and `exposed`, which are called after the card is in
    its hand. The first card to a seat or the dealer closes betting. HAND_TYPE is the class of its players' hands.
    """

    HAND_TYPE: ClassVar[type[Hand]] = Hand
    MISDEALS: ClassVar[frozenset[str]] = frozenset({"DEALT_OUT_OF_ORDER"})
    """Findings about the deal alone."""

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.hands: dict[tuple[int, int], Any] = {}
        self.dealer = Hand(0, 0)
        self.dealing = False
        self.seen: Counter[str] = Counter()

    def dealt_to_seat(self, hand: Any, event: CardDealt) -> None:
        """A card came to a player's hand."""

    def dealt_to_dealer(self, event: CardDealt) -> None:
        """A card came to the dealer's hand."""

    def exposed(self, hand: Any, event: CardExposed) -> None:
        """A face-down card was turned up."""

    def discarded(self, hand: Any, event: CardDiscarded) -> None:
        """A card was taken out of a hand."""

    def card_dealt(self, event: CardDealt) -> None:
        """Put a card where it was dealt to."""
        card = self.read(event.card, event.sequence)
        to = event.to
        if to == "BURN" or to == "DISCARD":
            return
        if not self.dealing:
            self.dealing = True
            self.close_betting(event.sequence)
        if to == "DEALER":
            hand = self.dealer
        else:
            key = (event.seat, event.hand)
            found = self.hands.get(key)
            hand = found if found is not None else self.hands.setdefault(key, self.HAND_TYPE(*key))
        hand.cards.append(card)
        hand.face_up.append(event.face_up)
        hand.dealt_at.append(event.sequence)
        if to == "DEALER":
            self.dealt_to_dealer(event)
        else:
            self.dealt_to_seat(hand, event)

    def card_exposed(self, event: CardExposed) -> None:
        """Turn up a card. One that a device had read already must be the same card."""
        hand = self._hand(event)
        if hand is None:
            return
        position = event.position
        before = hand.cards[position]
        if before is None:
            hand.cards[position] = self.read(event.card, event.sequence)
        elif before.code != event.card:
            self.find(
                "CONFLICTING_FACT",
                (hand.dealt_at[position], event.sequence),
                f"The card was read as {before} when dealt and as {event.card} when turned up; the first holds.",
            )
        hand.face_up[position] = True
        self.exposed(hand, event)

    def card_discarded(self, event: CardDiscarded) -> None:
        """Take a card out of a hand; the others keep their positions."""
        hand = self._hand(event)
        if hand is not None:
            card = hand.cards[event.position]
            if event.reason == USED_AS_NEXT and card is not None and self.seen[card.code]:
                self.seen[card.code] -= 1
            hand.out.add(event.position)
            self.discarded(hand, event)

    def forget_misdeals(self) -> None:
        """A round that was voided for its deal has had its correction; wrong wagers and acts are said still."""
        self.found = {key: finding for key, finding in self.found.items() if key[0] not in self.MISDEALS}

    def shoe_shuffled(self, event: ShoeShuffled) -> None:
        """Cards come from a new shoe: counting starts again."""
        self.seen.clear()

    def read(self, code: str, at: int) -> Card | None:
        """The card of a code, None where it is unread. No such card, or one more than the decks hold, is a finding."""
        if not code:
            return None
        card = CARDS.get(code)
        if card is None:
            self.find("IMPOSSIBLE_CARD", at, f"There is no card {code!r}.")
            return None
        decks = self.opened.decks
        if decks:
            self.seen[code] += 1
            if self.seen[code] > decks:
                self.find("IMPOSSIBLE_CARD", at, f"The {card} came more often than {decks} decks hold it.")
        return card

    def _hand(self, event: CardExposed | CardDiscarded) -> Hand | None:
        hand = self.dealer if event.to == "DEALER" else self.hands.get((event.seat, event.hand))
        if hand is None or not 0 <= event.position < len(hand.cards):
            whose = "the dealer" if event.to == "DEALER" else f"seat {event.seat}, hand {event.hand}"
            self.find("IMPOSSIBLE_CARD", event.sequence, f"There is no card at position {event.position} of {whose}.")
            return None
        return hand
