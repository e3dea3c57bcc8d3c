"""The optional wagers: decided on the first two cards of the spot and the dealer's first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from processors.games.blackjack import blazing_7s
from processors.games.blackjack.dealer_hand import DealerHand
from processors.games.blackjack.wagers import SIDE_BETS, rule_of
from processors.kernel.cards import Card
from processors.kernel.citation import Citation
from processors.kernel.odds import Odds
from processors.kernel.settlement import Settlement
from processors.kernel.three_card import three_card_rows
from processors.kernel.twenty_one import Spot, is_natural, total_of
from processors.kernel.twenty_one_table import TwentyOneWager
from processors.kernel.words import spoken

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table

KING: Final = 13
QUEEN: Final = 12


def settle_all(game: Table, dealer: DealerHand, at: int) -> None:
    """Decide every optional wager of the round."""
    progressive: list[tuple[TwentyOneWager, Sequence[Card]]] = []
    for spot in game.spots.values():
        for wager in spot.others:
            if wager.settled or wager.bet not in SIDE_BETS:
                continue
            dead = game.terms.no_cards_hand_dead
            if dead is not None and not spot.hands:
                game.settle(wager, "VOID", at, dead.cite, prize="no cards: the hand is dead")
                continue
            cards, decided_at = _cards(game, spot, wager.bet)
            if cards is None:
                rule = rule_of(game, wager.bet)
                game.undecide(wager, at, rule.cite if rule else game.terms.side_bets.cite, "a card that it needs is unknown")
            elif wager.bet == "blazing_7s":
                progressive.append((wager, cards))
            else:
                _settle(game, wager, cards, dealer, decided_at)
    if progressive:
        blazing_7s.settle_all(game, progressive, max(game.up_at, 0))
    if game.fed or game.resets:
        blazing_7s.check_meter(game)


def _cards(game: Table, spot: Spot, bet: str) -> tuple[Sequence[Card] | None, int]:
    """The cards that a wager is decided on, None where one is missing or unread; and when they were there."""
    cards: list[Card | None] = list(spot.initial_cards())
    at = spot.hands[0].dealt_at[min(1, len(spot.hands[0].dealt_at) - 1)] if spot.hands else -1
    if len(cards) < 2:
        return None, at
    if bet not in ("royal_match", "lucky_ladies"):
        cards.append(game.up_card())
        at = max(at, game.up_at)
    known = [card for card in cards if card is not None]
    return (known if len(known) == len(cards) else None), at


def _settle(game: Table, wager: TwentyOneWager, cards: Sequence[Card], dealer: DealerHand, at: int) -> None:
    pays, cite = _pays(game, wager)
    rows: Iterable[str]
    if wager.bet == "royal_match":
        rows = royal_match_rows(cards)
    elif wager.bet == "lucky_ladies":
        rows = lucky_ladies_rows(cards, game.terms.lucky_ladies_twenty.value == "hard_or_soft")
        if _top_rows(rows) & pays.keys():
            if dealer.natural is None:
                game.undecide(wager, at, cite, dealer.why)
                return
            at = max(at, dealer.at)
            if dealer.natural:
                rows = [*(f"{row}_with_dealer_blackjack" for row in _top_rows(rows)), *rows]
    else:
        rows = three_card_rows(cards, game.terms.aces_in_straights.value)
    row = best(pays, rows)
    if not row:
        game.settle(wager, "LOSE", at, cite)
        return
    game.settle(wager, "WIN", at, cite, odds=pays[row], prize=spoken(row))
    extra = wager.paytable.dealer_pays_minor.get(row, 0) if wager.paytable else 0
    if extra:
        # the fixed dealer payout is a settlement of its own (S-07)
        game.settlements.append(
            Settlement(wager.id, wager.bet, "WIN", extra, "DEALER", prize=spoken(row), decided_at=at, cite=cite)
        )


def _pays(game: Table, wager: TwentyOneWager) -> tuple[Mapping[str, Odds], Citation]:
    if wager.paytable is not None:
        return wager.paytable.pays, wager.paytable.cite
    rule = getattr(game.terms, f"{wager.bet}_pays")
    return rule.value, rule.cite


def best(pays: Mapping[str, Odds], rows: Iterable[str]) -> str:
    """Of the rows that a hand is in, the one that pays most in this paytable; "" where it pays none of them.

    Only one is paid, whatever order the paytable prints its rows in (S-03); of equal ones the first.
    """
    found = ""
    for row in rows:
        if row in pays and (not found or pays[row].win > pays[found].win):
            found = row
    return found


def royal_match_rows(cards: Sequence[Card]) -> list[str]:
    """The rows of royal match 21: two cards of a suit; a blackjack or a king and queen among them."""
    first, second = cards[:2]
    if first.suit != second.suit:
        return []
    rows = ["suited"]
    if is_natural(first, second):
        rows.insert(0, "blackjack")
    if {first.rank, second.rank} == {KING, QUEEN}:
        rows.insert(0, "king_and_queen")
    return rows


def lucky_ladies_rows(cards: Sequence[Card], soft_counts: bool) -> list[str]:
    """The rows of Lucky Ladies that two cards are in, without the dealer's hand: a total of twenty, soft or hard (S-06)."""
    first, second = cards[:2]
    total = total_of((first, second))
    if total.points != 20 or (total.soft and not soft_counts):
        return []
    rows = ["any_20"]
    if first.suit == second.suit:
        rows.insert(0, "suited_20")
    if first.rank == second.rank:
        rows.insert(0, "pair_of_queens" if first.rank == QUEEN else "paired_20")
        if first.suit == second.suit:
            rows.insert(0, "matched_20")
            if first == Card(QUEEN, "h"):
                rows.insert(0, "queen_of_hearts_pair")
    return rows


def _top_rows(rows: Iterable[str]) -> set[str]:
    """The rows that pay more when the dealer has a blackjack."""
    return {row for row in rows if row in ("queen_of_hearts_pair", "pair_of_queens")}
