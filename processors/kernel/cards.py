"""Playing cards."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
ACE: Final = 14
_NAMES: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class Card(NamedTuple):
    """A card: `rank` 2 to 14 (jack 11, queen 12, king 13, ace 14) and `suit` c, d, h or s."""

    rank: int
    suit: str

    @property
    def is_red(self) -> bool:
        """Hearts and diamonds are red."""
        return self.suit in "dh"

    @property
    def code(self) -> str:
        """As in the events: `9s`, `Th`, `Ad`."""
        return RANKS[self.rank - 2] + self.suit

    def __str__(self) -> str:
        return f"{_NAMES[self.rank - 2]} of {_SUIT_NAMES[self.suit]}"


CARDS: Final[Mapping[str, Card]] = MappingProxyType(
    {rank + suit: Card(i + 2, suit) for i, rank in enumerate(RANKS) for suit in SUITS}
)
"""The 52 cards by the code that the events use; a code that is not here is no card."""
