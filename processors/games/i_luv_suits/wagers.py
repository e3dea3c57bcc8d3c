"""The wagers of I Luv Suits and how they hang together (K.A.R. 111-301-75)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from events.model import WagerPlaced
from processors.kernel.game import Wager

ANTE: Final = "ante"
PLAY: Final = "play"
FLUSH_RUSH: Final = "flush_rush"
SUPER_FLUSH_RUSH: Final = "super_flush_rush"
PROGRESSIVE: Final = "progressive"
BETS: Final = frozenset({ANTE, PLAY, FLUSH_RUSH, SUPER_FLUSH_RUSH, PROGRESSIVE})


class LuvWager(Wager):
    """A wager. `ante` is the one that a play wager hangs on, `reduced_to` what a play wager was later reduced to;
    `limited` says that the payout limit cut what the odds would have paid.
    """

    __slots__ = ("ante", "limited", "reduced_at", "reduced_to")

    def __init__(self, event: WagerPlaced) -> None:
        super().__init__(event)
        self.ante: LuvWager | None = None
        self.limited = False
        self.reduced_to = 0
        self.reduced_at = -1


Wagers = Mapping[str, LuvWager]


def standing(wagers: Wagers, seat: int, bet: str, *, tip: bool = False) -> Iterable[LuvWager]:
    """The wagers of a bet at a seat that were neither refused nor taken down nor decided."""
    for wager in wagers.values():
        if wager.seat == seat and wager.bet == bet and wager.for_dealer == tip and not wager.settled:
            yield wager


def parent_fits(wagers: Wagers, wager: LuvWager) -> bool:
    """Whether the parent that a wager names, if any, is one of its seat: an ante, or for a tip the player's own wager."""
    if not wager.parent:
        return True
    parent = wagers.get(wager.parent)
    return parent is not None and parent.seat == wager.seat and parent.bet in (ANTE, wager.bet)


def ante_of(wagers: Wagers, wager: LuvWager) -> LuvWager | None:
    """The ante that a wager needs, or None where it is missing.

    A play wager needs an ante of its own kind: the player's, or for a tip the tip ante (111-301-75(e)). Every other wager
    needs the player's own ante.
    """
    if not parent_fits(wagers, wager):
        return None
    antes = list(standing(wagers, wager.seat, ANTE, tip=wager.for_dealer and wager.bet == PLAY))
    for ante in antes:
        if ante.id == wager.parent:
            return ante
    return antes[0] if antes else None
