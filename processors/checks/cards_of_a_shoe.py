"""Cards counted over all rounds of one shoe: a shoe of eight decks holds eight sevens of spades, in however many rounds.

A round can only count its own cards. A device that misreads, or a card brought to the table, shows when the shoe is counted.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from processors.checks import Day, Finding, ShoeCards
from processors.kernel.cards import CARDS
from processors.kernel.settlement import Discrepancy


def check(day: Day) -> Iterator[Finding]:
    """IMPOSSIBLE_CARD for each round in which a card came once more than the decks of its shoe hold it."""
    for shoe_id, rounds in itertools.groupby(day.shoes(), attrgetter("shoe_id")):
        yield from _count(shoe_id, rounds)


def _count(shoe_id: str, rounds: Iterable[ShoeCards]) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    for dealt in rounds:
        cards = [dealt.cards[at : at + 2] for at in range(0, len(dealt.cards), 2)]
        # a code that is no card is the round's own finding; a shoe of unknown size cannot be counted
        seen.update(card for card in cards if card in CARDS)
        surplus = sorted({card for card in cards if card in CARDS and seen[card] > dealt.decks > 0})
        if surplus:
            yield Finding(dealt.table_id, _discrepancy(shoe_id, dealt, surplus, seen))


def _discrepancy(shoe_id: str, dealt: ShoeCards, surplus: Sequence[str], seen: Counter[str]) -> Discrepancy:
    counted = "; ".join(f"the {CARDS[card]} {seen[card]} times" for card in surplus)
    sentence = f"Counted up to this round, shoe {shoe_id} of {dealt.decks} decks dealt {counted}."
    return Discrepancy("IMPOSSIBLE_CARD", dealt.round_id, sentence=sentence)
