"""Cards drawn from a full shoe without replacement: every draw with its exact probability, or draws at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import perm
from random import Random
from typing import Final

from processors.kernel.cards import CARDS, RANKS
from processors.kernel.outcomes import Distribution, Verdict, merged

Draw = tuple[Fraction, tuple[str, ...]]
"""A probability, and the cards by their codes in the order in which they come."""
Kind = Sequence[str]
"""Cards that nothing tells apart for the question asked: any of them stands for all."""

EACH_CARD: Final[Sequence[Kind]] = tuple((code,) for code in CARDS)
"""Every card for itself."""
ALL_SUITS_ALIKE: Final = ("cdhs",)


def draws(decks: int, count: int, kinds: Sequence[Kind] = EACH_CARD, gone: Sequence[str] = ()) -> Iterator[Draw]:
    """Every draw of `count` cards, one for all that differ only within a kind. The probabilities add up to one.

    `kinds` share out the 52 cards between them; `gone` are cards that have left the shoe already.
    """
    left = [decks * len(kind) - sum(code in kind for code in gone) for kind in kinds]
    total = perm(52 * decks - len(gone), count)
    for ways, cards in _by_kind(count, kinds, left, decks, tuple(gone)):
        yield Fraction(ways, total), cards[len(gone) :]


def _by_kind(
    count: int, kinds: Sequence[Kind], left: list[int], decks: int, cards: tuple[str, ...]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    if count == 0:
        yield 1, cards
        return
    for number, kind in enumerate(kinds):
        here = left[number]
        if here > 0:
            # a card of which the shoe still holds one, so that the draw could lie on a table
            code = next(code for code in kind if cards.count(code) < decks)
            left[number] -= 1
            for ways, found in _by_kind(count - 1, kinds, left, decks, (*cards, code)):
                yield here * ways, found
            left[number] += 1


def draws_up_to_suits(decks: int, count: int, alike: Sequence[str] = ALL_SUITS_ALIKE) -> Iterator[Draw]:
    """Every draw of `count` cards, one for all that become each other when suits are exchanged.

    `alike` are groups of suits (`cds`, `h`): within a group any suit may take another's place without a change of verdict.
    """
    total = perm(52 * decks, count)
    for ways, cards in _by_suit(decks, count, alike, ()):
        yield Fraction(ways, total), cards


def _by_suit(decks: int, count: int, alike: Sequence[str], cards: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    if count == 0:
        yield 1, cards
        return
    for suit, times in _suits(alike, cards):
        for rank in RANKS:
            here = decks - cards.count(rank + suit)
            if here > 0:
                for ways, found in _by_suit(decks, count - 1, alike, (*cards, rank + suit)):
                    yield times * here * ways, found


def _suits(alike: Sequence[str], cards: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The suits that are there already, and of each group one of the others in place of all of them."""
    used = {code[1] for code in cards}
    for group in alike:
        fresh = [suit for suit in group if suit not in used]
        yield from ((suit, 1) for suit in group if suit in used)
        if fresh:
            yield fresh[0], len(fresh)


class ShuffledShoe:
    """The cards of a full shoe, coming in random order."""

    def __init__(self, decks: int, random: Random) -> None:
        self.cards = list(CARDS) * decks
        self.random = random

    def draw(self) -> str:
        """The next card. Raises ValueError when none is left."""
        cards = self.cards
        place = self.random.randrange(len(cards))
        card, cards[place] = cards[place], cards[-1]
        cards.pop()
        return card


def at_random(rounds: int, one_round: Callable[[], Verdict], note: str) -> Distribution:
    """The verdicts of so many rounds, each as likely as it was often."""
    found = Counter(one_round() for _ in range(rounds))
    return Distribution(merged((Fraction(times, rounds), verdict) for verdict, times in found.items()), rounds, note)
