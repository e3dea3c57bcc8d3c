"""What a floor manager says before the sum: the cards, the totals, the action button and the bank's account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from processors.games.pure_21_5.verdicts import is_pure, run_of
from processors.games.pure_21_5.wagers import BANK, MAIN, RED_FLEX, cite_of
from processors.kernel.money import money_text
from processors.kernel.settlement import Step
from processors.kernel.twenty_one import TwentyOneHand

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table


def facts_of(game: Table, wager: Any) -> Iterator[Step]:
    """The steps for one wager, readable aloud, each with the paragraph that it rests on."""
    if game.finished is None or wager.refused:
        return
    if wager.bet == BANK:
        yield from _account(game)
        return
    if wager.bet == RED_FLEX:
        yield from _player_dealer(game)
        yield from _run(game)
    else:
        hand = _hand_of(game, wager)
        if hand is not None:
            yield _hand(game, hand)
            yield from _player_dealer(game)
    if any(moved.wager is wager and not moved.in_full for moved in game.account):
        yield from _account(game, until=wager)


def _hand_of(game: Table, wager: Any) -> TwentyOneHand | None:
    hand = game.hand_with(wager)
    if hand is not None:
        return hand
    spot = game.spots.get(wager.seat)
    if wager.bet == MAIN and spot is not None and spot.hands and wager in spot.others:  # a tip beside the player's own
        return spot.hands[0]
    return None


def _hand(game: Table, hand: TwentyOneHand) -> Step:
    words = f"Seat {hand.seat}" + (f", hand {hand.number}" if hand.from_split else "")
    if hand.closed == "surrendered":
        return Step(f"{words} surrendered {hand}.", game.terms.surrender_returns_percent.cite)
    if is_pure(game, hand):
        return Step(f"{words} held {hand}: a Pure 21.5.", game.terms.pure_pays.cite)
    bet = "split" if hand.from_split else "double" if hand.doubling else "main"
    over = ", over 21.5" if hand.total.busted else ""
    total = "" if hand.unread else f": {hand.total}{over}"
    return Step(f"{words} held {hand}{total}.", cite_of(game, bet))


def _player_dealer(game: Table) -> Iterator[Step]:
    dealer, terms = game.finished, game.terms
    if dealer is None:
        return
    if dealer.pure:
        yield Step(f"The player-dealer held {game.dealer}: a Pure 21.5.", terms.pure_ends_round.cite)
    elif not dealer.complete:
        yield Step(f"The player-dealer held {game.dealer}; {dealer.why}.", terms.stood_too_early.cite)
    else:
        cards = ", ".join(str(card) for card in dealer.counted)
        over = ", over 21.5" if dealer.total.busted else ""
        yield Step(f"The player-dealer held {cards}: {dealer.total}{over}.", terms.stands_on.cite)


def _run(game: Table) -> Iterator[Step]:
    if game.finished is not None and game.finished.counted:
        run, broken = run_of(game, game.finished)
        if broken and run < 2:
            sentence = "The first card is red and the second black." if run else "The first card is black."
        else:
            cards = "1 red card" if run == 1 else f"{run} red cards in a row"
            sentence = f"{cards} from the first, {'then a black one' if broken else 'and no black one came'}."
        yield Step(sentence, game.terms.red_flex_first_two.cite)


def _account(game: Table, until: Any = None) -> Iterator[Step]:
    """How the bank's wager was used, wager by wager from the action button."""
    bank, terms = game.bank, game.terms
    if bank is None or game.finished is None:
        return
    if game.finished.hole is not None and game.action_seats:
        sentence = f"The down card is the {game.finished.hole}: the action begins at seat {game.action_seats[0]}."
        yield Step(sentence, terms.button_values.cite)
    balance = 0
    for moved in game.account:
        before, balance = balance, balance + moved.to_bank_minor
        amount = money_text(abs(moved.to_bank_minor))
        did = f"won {amount} from the bank" if moved.won else f"lost {amount} to the bank"
        limit = "" if moved.in_full else f", all that its wager of {money_text(bank.amount_minor)} leaves"
        sentence = f"{moved.wager.id} {did}{limit}: {money_text(before)} becomes {money_text(balance)}."
        yield Step(sentence, terms.coverage.cite)
        if moved.wager is until:
            return
