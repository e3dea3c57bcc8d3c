"""What the games of 21 share: points of a hand, splitting into more hands, whose turn it is, when a dealer draws.

Nothing here pays money: what a total wins is the rule of a game. A ten, a jack, a queen and a king count ten; an ace counts
one or eleven.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from processors.kernel.card_game import Hand
from processors.kernel.cards import ACE, Card

LIMIT: Final = 21
POINTS: Final = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)
"""Points of a card by its rank (2 to 14); an ace is one here, and `Total` says when it counts eleven."""


class Total(NamedTuple):
    """The points of some cards; `soft` where an ace is counted as eleven."""

    points: int
    soft: bool

    @property
    def busted(self) -> bool:
        """More than 21."""
        return self.points > LIMIT

    def __str__(self) -> str:
        return f"{'soft' if self.soft else 'hard'} {self.points}"


def total_of(cards: Iterable[Card]) -> Total:
    """The best total: an ace counts eleven where that does not bust the hand."""
    hard, ace = 0, False
    for card in cards:
        hard += POINTS[card.rank]
        ace = ace or card.rank == ACE
    return Total(hard + 10, True) if ace and hard <= LIMIT - 10 else Total(hard, False)


def is_ten_valued(card: Card) -> bool:
    """A ten, jack, queen or king."""
    return POINTS[card.rank] == 10


def is_natural(first: Card, second: Card) -> bool:
    """An ace and a ten-valued card."""
    return POINTS[first.rank] + POINTS[second.rank] == 11 and ACE in (first.rank, second.rank)


def must_draw(total: Total, *, hits_soft_17: bool) -> bool:
    """Whether a dealer who stands on hard 17 or more draws; a soft 17 is drawn to where the rules say so."""
    points = total.points
    return points < 17 or (points == 17 and total.soft and hits_soft_17)


class TwentyOneHand(Hand):
    """A hand whose points are kept as the cards come.

    `closed` says why nobody may draw to it any more ("" while it is open); `wager` and `double` are the wagers on it;
    `asked` is set between a decision that needs a card and that card; `from_split` and `of_aces` say how it began.
    """

    __slots__ = (
        "asked",
        "closed",
        "closed_at",
        "double",
        "doubling",
        "from_split",
        "hard",
        "has_ace",
        "of_aces",
        "unread",
        "wager",
    )

    def __init__(self, seat: int, number: int) -> None:
        super().__init__(seat, number)
        self.hard = 0
        self.has_ace = False
        self.unread = 0
        self.closed = ""
        self.closed_at = -1
        self.asked = False
        self.from_split = False
        self.of_aces = False
        self.doubling = False
        self.wager: Any = None
        self.double: Any = None

    def count(self, card: Card | None) -> None:
        """Add the points of a card that came, or was read at last (then call `recount`)."""
        if card is None:
            self.unread += 1
            return
        self.hard += POINTS[card.rank]
        if card.rank == ACE:
            self.has_ace = True

    def recount(self) -> None:
        """Count the cards anew, after one was read later or taken out."""
        self.hard = self.unread = 0
        self.has_ace = False
        for card in self.live():
            self.count(card)

    @property
    def points(self) -> int:
        """The best total of the cards that were read."""
        return self.hard + 10 if self.has_ace and self.hard <= LIMIT - 10 else self.hard

    @property
    def total(self) -> Total:
        """The best total, and whether it is soft."""
        return Total(self.points, self.points != self.hard)

    @property
    def size(self) -> int:
        """How many cards are in the hand."""
        return len(self.cards) - len(self.out)

    @property
    def is_natural(self) -> bool:
        """21 with the first two cards, not after a split."""
        return self.hard == 11 and self.has_ace and not self.from_split and not self.unread and self.size == 2

    def close(self, why: str, at: int) -> None:
        """Nobody may draw to the hand any more, because of `why`, since sequence `at`."""
        self.closed = why
        self.closed_at = at
        self.asked = False

    def reopen(self) -> None:
        """A card that closed the hand was taken out again."""
        self.closed = ""
        self.closed_at = -1


class Spot:
    """A betting spot: its main wager, its other wagers, and its hands in the order in which they are played."""

    __slots__ = ("first_two", "hands", "main", "others", "seat")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.main: Any = None
        self.others: list[Any] = []
        self.hands: list[TwentyOneHand] = []
        self.first_two: list[Card | None] | None = None

    def initial_cards(self) -> list[Card | None]:
        """The first two cards of the spot, also after they were split."""
        if self.first_two is not None:
            return self.first_two
        return self.hands[0].live()[:2] if self.hands else []

    def split(self, hand: TwentyOneHand, number: int, at: int) -> TwentyOneHand:
        """The second card of a pair opens hand `number`, which stands directly after the one that it came from."""
        cards = hand.live()
        if self.first_two is None:
            self.first_two = list(cards[:2])
        position = [i for i in range(len(hand.cards)) if i not in hand.out][1]
        new = TwentyOneHand(self.seat, number)
        new.cards, new.face_up, new.dealt_at = hand.cards[position:], hand.face_up[position:], hand.dealt_at[position:]
        del hand.cards[position:], hand.face_up[position:], hand.dealt_at[position:]
        aces = all(card is not None and card.rank == ACE for card in cards[:2])
        for part in (hand, new):
            part.recount()
            part.from_split = True
            part.of_aces = aces
        self.hands.insert(self.hands.index(hand) + 1, new)
        hand.asked = False
        return new


def splittable(hand: TwentyOneHand, by: str) -> bool:
    """Whether the two cards of a hand are identical: `by` "value" (a ten and a king are), or by "rank".

    A hand with a card that nobody has read cannot be held against it.
    """
    if hand.size != 2:
        return False
    cards = hand.known()
    if len(cards) < 2:
        return True
    first, second = cards
    return first.rank == second.rank if by == "rank" else POINTS[first.rank] == POINTS[second.rank]


class Turns:
    """Whose turn it is: the hands in the order in which they are played, and the first of them that is still open."""

    __slots__ = ("_at", "_hands")

    def __init__(self, hands: Iterable[TwentyOneHand]) -> None:
        self._hands = list(hands)
        self._at = 0

    def current(self) -> TwentyOneHand | None:
        """The first hand that is still open, None when all are closed."""
        hands = self._hands
        while self._at < len(hands) and hands[self._at].closed:
            self._at += 1
        return hands[self._at] if self._at < len(hands) else None

    def still_open(self) -> Iterator[TwentyOneHand]:
        """The hands that are still open, in the order in which they are played."""
        return (hand for hand in self._hands if not hand.closed)

    def insert_after(self, hand: TwentyOneHand, new: TwentyOneHand) -> None:
        """A split hand is played directly after the one that it came from."""
        if hand in self._hands:
            self._hands.insert(self._hands.index(hand) + 1, new)

    def holds(self, hand: TwentyOneHand) -> bool:
        """Whether the hand is in play at all."""
        return hand in self._hands

    def again(self) -> None:
        """A closed hand was opened again: look from the beginning."""
        self._at = 0
