"""The best flush and the longest straight flush in a handful of cards (K.A.R. 111-301-74).

In a flush the ace is the highest card only; in a straight flush it may also stand below the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from processors.kernel.cards import ACE, Card

ACE_LOW: Final = 1
SHORTEST_RUN: Final = 3
"""Three cards are the shortest straight flush (111-301-74(b)(5))."""


class Flush(NamedTuple):
    """Cards of one suit: `ranks` from the highest to the lowest, the ace 14."""

    ranks: tuple[int, ...]
    suit: str

    @property
    def strength(self) -> tuple[int, tuple[int, ...]]:
        """What two flushes are compared by: the number of cards, then card by card from the top (111-301-74(d)).

        Suits are equal in rank, so two flushes of one strength tie.
        """
        return len(self.ranks), self.ranks


class Run(NamedTuple):
    """A straight flush: `ranks` from its highest to its lowest card; the ace is 14, or 1 where it stands below the two."""

    ranks: tuple[int, ...]
    suit: str

    @property
    def has_ace(self) -> bool:
        """Whether the ace is one of its cards."""
        return ACE in self.ranks or ACE_LOW in self.ranks


def flushes(cards: Iterable[Card]) -> list[Flush]:
    """The cards by suit, each suit that is there as one flush (a single card too)."""
    suits: dict[str, list[int]] = {}
    for rank, suit in cards:
        suits.setdefault(suit, []).append(rank)
    return [Flush(tuple(sorted(ranks, reverse=True)), suit) for suit, ranks in suits.items()]


def best_flush(cards: Iterable[Card]) -> Flush:
    """The highest ranking flush. Of two that tie the one whose suit came first. Raises ValueError without cards."""
    return max(flushes(cards), key=lambda flush: flush.strength)


def best_run(cards: Iterable[Card], *, wrap_around: bool = False) -> Run | None:
    """The highest ranking straight flush of three or more cards, or None.

    `wrap_around` also lets the ace join a king and a two.
    """
    found: Run | None = None
    for ranks, suit in flushes(cards):
        if len(ranks) < SHORTEST_RUN:
            continue
        for run in _runs(set(ranks), wrap_around):
            if found is None or (len(run), run) > (len(found.ranks), found.ranks):
                found = Run(run, suit)
    return found


def _runs(ranks: set[int], wrap_around: bool) -> Iterable[tuple[int, ...]]:
    """The unbroken runs of one suit, each as long as it goes, three cards or more."""
    for top in ranks:
        run = _down_from(top, ranks, wrap_around)
        if len(run) >= SHORTEST_RUN:
            yield run


def _down_from(top: int, ranks: set[int], wrap_around: bool) -> tuple[int, ...]:
    run = [top]
    rank = top - 1
    while rank in ranks or (rank == ACE_LOW and ACE in ranks and top != ACE):
        run.append(rank)
        rank -= 1
        if rank < ACE_LOW and wrap_around:
            # the ace has just stood below the two: the king may follow it
            rank = ACE - 1
        if len(run) == len(ranks):
            break
    return tuple(run)
