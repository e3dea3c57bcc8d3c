"""The Blazing 7's progressive: K.A.R. 111-301-5(j)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from processors.kernel.cards import Card
from processors.kernel.money import Rounding, divide
from processors.kernel.progressive import check_contributions, check_reset
from processors.kernel.twenty_one_table import TwentyOneWager
from processors.kernel.words import spoken

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table

SEVEN: Final = 7
Decided = tuple[TwentyOneWager, Sequence[Card]]


def row_of(cards: Sequence[Card]) -> str:
    """The highest row of a spot's first two cards and the dealer's first; "" where neither of the two is a seven."""
    sevens = [card for card in cards[:2] if card.rank == SEVEN]
    if len(sevens) < 2:
        return "one_7" if sevens else ""
    if cards[2].rank != SEVEN:
        return "two_7s"
    suits = {card.suit for card in cards[:3]}
    if len(suits) == 1:
        return "three_7s_of_diamonds" if suits == {"d"} else "three_7s_of_a_suit"
    return "three_7s_of_a_color" if len({card.is_red for card in cards[:3]}) == 1 else "three_7s"


def settle_all(game: Table, wagers: Sequence[Decided], at: int) -> None:
    """Decide the progressive wagers of a round. Those that win of the pot share their portion (B-11)."""
    terms = game.terms
    odds, percents = terms.blazing_7s_pays, terms.blazing_7s_pot_percent
    winners: dict[str, list[TwentyOneWager]] = {}
    for wager, cards in wagers:
        row = row_of(cards)
        if row in percents.value:
            winners.setdefault(row, []).append(wager)
        elif row in odds.value:
            game.settle(wager, "WIN", at, odds.cite, odds=odds.value[row], prize=spoken(row))
        else:
            game.settle(wager, "LOSE", at, odds.cite)
    # the dealer's seven is of one suit, so that all winners of a round are of one level
    for row, sharers in winners.items():
        for wager in sharers:
            _pay_share(game, wager, row, len(sharers), at)


def check_meter(game: Table) -> None:
    """What the progressive system recorded: the share of each wager, and the pot after its top prize ((j)(6), (7))."""
    terms = game.terms
    if terms.blazing_7s_contribution_percent is None:
        return
    if game.fed:
        check_contributions(game, game.fed, terms.blazing_7s_contribution_percent.cite)
    tops = [spoken(row) for row, percent in terms.blazing_7s_pot_percent.value.items() if percent == 100]
    won_at = [due.decided_at for due in game.settlements if due.bet == "blazing_7s" and due.prize in tops]
    for event in game.resets:
        if won_at and event.sequence > won_at[0]:
            check_reset(game, event, terms.blazing_7s_reset_minor.value, terms.blazing_7s_reset_minor.cite)


def _pay_share(game: Table, wager: TwentyOneWager, row: str, sharers: int, at: int) -> None:
    rule = game.terms.blazing_7s_pot_percent
    pot = game.pot_minor
    if pot is None:
        game.undecide(wager, at, rule.cite, "what was on the meter is unknown")
        return
    if game.terms.blazing_7s_own_share.value == "not_in_the_meter" and game.progressive_id not in game.meters_read:
        pot = Fraction(game.opened.meters[game.progressive_id])
    share = divide(pot * rule.value[row], 100 * sharers, rounding=Rounding.UP)
    game.settle(wager, "WIN", at, rule.cite, paid_minor=share, returned_minor=0, prize=spoken(row))
