"""What a hand of I Luv Suits is worth, and how a person says it (K.A.R. 111-301-74)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from processors.games.i_luv_suits.terms import Terms
from processors.kernel.card_game import Hand
from processors.kernel.cards import ACE, Card
from processors.kernel.flush import ACE_LOW, Flush, Run, best_flush, best_run, flushes

COUNT_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")
SUIT_WORDS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANK_WORDS: Final = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")


class Ranked(NamedTuple):
    """A hand as it ranks: `flush` against the dealer, `bonus_flush` and `run` (None without a straight flush) against a
    paytable; `has_ace` says whether the ace counts for a six card straight flush.
    """

    flush: Flush
    bonus_flush: Flush
    run: Run | None
    has_ace: bool


def counted(hand: Hand, laid_aside: Iterable[int], keep_all: bool) -> list[Card | None]:
    """The cards of a hand that count: all that are in it, or without those that the player laid aside."""
    if keep_all or not laid_aside:
        return hand.live()
    aside = set(laid_aside) | hand.out
    return [card for position, card in enumerate(hand.cards) if position not in aside]


def rank(compared: Sequence[Card], bonus: Sequence[Card], terms: Terms) -> Ranked:
    """Rank a hand under the readings in force. Neither sequence is empty."""
    run = best_run(bonus, wrap_around=terms.straight_flush_ace.value == "wrap_around")
    if terms.six_card_ace.value == "in_hand":
        has_ace = any(card.rank == ACE for card in bonus)
    else:
        has_ace = run is not None and run.has_ace
    return Ranked(_playing_flush(compared, terms), best_flush(bonus), run, has_ace)


def _playing_flush(cards: Sequence[Card], terms: Terms) -> Flush:
    best = best_flush(cards)
    if terms.equal_flushes.value == "straight_flush_first":
        straight = [flush for flush in _as_long(cards, best) if is_straight(flush)]
        return max(straight, key=lambda flush: flush.ranks, default=best)
    return best


def _as_long(cards: Sequence[Card], best: Flush) -> list[Flush]:
    return [flush for flush in flushes(cards) if len(flush.ranks) == len(best.ranks)]


def is_straight(flush: Flush) -> bool:
    """Whether all cards of a flush are one straight flush."""
    run = best_run(Card(rank, flush.suit) for rank in flush.ranks)
    return run is not None and len(run.ranks) == len(flush.ranks)


def qualifies(cards: Sequence[Card], flush: Flush, terms: Terms) -> bool:
    """Whether the dealer's hand is one against which a player can win the play wager (111-301-76(i)(1))."""
    length, high = terms.dealer_flush.value, terms.dealer_high_card.value
    if terms.dealer_qualifies.value == "by_card":
        return any(len(each.ranks) >= length and each.ranks[0] >= high for each in flushes(cards))
    return len(flush.ranks) > length or (len(flush.ranks) == length and flush.ranks[0] >= high)


def run_prize(ranked: Ranked) -> str:
    """The name of the longest straight flush of a hand, nothing where it has none."""
    return f"{_count(ranked.run)} card straight flush" if ranked.run else ""


def flush_prize(flush: Flush) -> str:
    """The name of a flush: `four card flush`."""
    return f"{_count(flush)} card flush"


def cards_words(part: Flush | Run) -> str:
    """The cards of a flush or straight flush: `king, 10, 4 of hearts`."""
    return f"{', '.join(RANK_WORDS[rank - ACE_LOW] for rank in part.ranks)} of {SUIT_WORDS[part.suit]}"


def _count(part: Flush | Run) -> str:
    count = len(part.ranks)
    return COUNT_WORDS[count] if count < len(COUNT_WORDS) else str(count)
