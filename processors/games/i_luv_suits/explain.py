"""What a floor manager would say about a wager of I Luv Suits before the sum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from processors.games.i_luv_suits import wagers as w
from processors.games.i_luv_suits.hands import cards_words, flush_prize, run_prize
from processors.games.i_luv_suits.table import DEALER
from processors.games.i_luv_suits.wagers import LuvWager
from processors.kernel.money import money_text
from processors.kernel.settlement import Step

if TYPE_CHECKING:
    from processors.games.i_luv_suits.engine import ILuvSuits

WHOLE: Final = 100
"""Percent of the pot after which it begins again."""


def facts(game: ILuvSuits, wager: LuvWager) -> Iterator[Step]:
    """The steps that lead to the verdict on `wager`, each with its paragraph."""
    terms, seat = game.terms, wager.seat
    hand = game.hands.get((seat, 1))
    if hand is None:
        yield Step(f"Seat {seat} has no cards.", terms.cards_for.cite)
        return
    yield Step(f"Seat {seat} holds: {hand}.", terms.cards_each.cite)
    if seat in game.folded:
        yield Step(f"Seat {seat} folded: the ante is forfeited.", terms.forfeit.cite)
    if wager.bet in (w.ANTE, w.PLAY):
        if seat not in game.folded:
            yield from _contest(game, wager)
    else:
        if seat in game.folded:
            words = "stay in play" if terms.bonus_after_fold.value == "decided" else "go with the ante"
            yield Step(f"The bonus wagers {words}.", terms.bonus_after_fold.cite)
        yield from _bonus(game, wager)


def _contest(game: ILuvSuits, wager: LuvWager) -> Iterator[Step]:
    terms, seat = game.terms, wager.seat
    mine, dealer = game.ranked.get(seat), game.ranked.get(DEALER)
    if mine:
        yield Step(f"Its best hand is a {flush_prize(mine.flush)}: {cards_words(mine.flush)}.", terms.equal_flushes.cite)
    yield Step(f"The dealer holds: {game.dealer}.", terms.dealer_reveals.cite)
    if dealer is None:
        return
    best = f"The dealer's best hand is a {flush_prize(dealer.flush)}: {cards_words(dealer.flush)}."
    yield Step(best, terms.equal_flushes.cite)
    if not game.dealer_qualified:
        lowest = f"a flush of {terms.dealer_flush.value} cards with a {terms.dealer_high_card.value} or higher"
        yield Step(f"The dealer does not qualify, which takes at least {lowest}.", terms.dealer_qualifies.cite)
        verdict = "The play wager is a tie." if wager.bet == w.PLAY else "The ante is decided without the play wager."
        yield Step(verdict, (terms.unqualified_play if wager.bet == w.PLAY else terms.unqualified_ante).cite)
    elif mine:
        words = {"higher": "ranks higher than", "lower": "ranks lower than", "tie": "ties with"}[game.compared(seat)]
        yield Step(f"The dealer qualifies; seat {seat}'s hand {words} the dealer's.", terms.flush_ranking.cite)


def _bonus(game: ILuvSuits, wager: LuvWager) -> Iterator[Step]:
    terms = game.terms
    ranked = game.ranked.get(wager.seat)
    if ranked is None:
        yield Step("The hand cannot be ranked: its cards are not all known.", terms.cards_each.cite)
        return
    if wager.bet == w.FLUSH_RUSH:
        best = f"{flush_prize(ranked.bonus_flush)}: {cards_words(ranked.bonus_flush)}"
        yield Step(f"Its longest flush is a {best}.", terms.flush_ranking.cite)
    elif ranked.run is None:
        yield Step("It has no straight flush of three or more cards.", terms.straight_flush_ace.cite)
    else:
        best = f"{run_prize(ranked)}: {cards_words(ranked.run)}"
        yield Step(f"Its longest straight flush is a {best}.", terms.straight_flush_ace.cite)
    share = game.pot_shares.get(wager.id)
    if share:
        portion = Fraction(share.percent, WHOLE) * share.meter_minor
        hands = "one hand qualifies" if share.hands == 1 else f"{share.hands} hands qualify"
        text = f"{share.percent}% of the pot of {_exact(share.meter_minor)} is {_exact(portion)}; {hands} for it."
        yield Step(text, terms.shared_portions.cite)
        divided = "Rounded up" if share.hands == 1 else f"Divided by {share.hands} and rounded up"
        paid = money_text(share.paid_minor)
        yield Step(f"{divided}: {paid}; the stake is in it.", terms.shares_rounded_up_to_minor.cite)
        if share.percent == WHOLE:
            again = money_text(terms.progressive_reset_minor.value)
            yield Step(f"The pot begins again at {again}.", terms.progressive_reset_minor.cite)
    elif wager.limited:
        yield Step("No more is paid than the posted maximum times the highest odds.", terms.payout_limit.cite)


def _exact(minor: Fraction) -> str:
    """An amount that may have parts of a cent, as far as millionths of one."""
    whole = minor.numerator // minor.denominator
    parts = f"{int((minor - whole) * 1_000_000):06d}".rstrip("0")
    return money_text(whole) + parts
