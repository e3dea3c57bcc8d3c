"""The wagers of Pure 21.5: which there are, when one may be made or changed, and on what it hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from events.model import WagerChanged
from processors.kernel.citation import Citation
from processors.kernel.money import money_text
from processors.kernel.twenty_one import Spot
from processors.kernel.twenty_one_table import TwentyOneWager
from processors.kernel.words import spoken

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

MAIN: Final = "main"
BANK: Final = "bank"
RED_FLEX: Final = "red_flex"
LATER: Final = frozenset({"double", "split"})
INSURANCE: Final = "insurance"
UNDER_PARENT: Final = LATER | {BANK, INSURANCE}
BETS: Final = UNDER_PARENT | {MAIN, RED_FLEX}
"""Insurance is among them so that it is refused by name: this game does not offer it (P-13)."""


def refuse(game: Table, wager: TwentyOneWager, kind: str, at: int, cite: Citation, sentence: str) -> None:
    """A wager that the rules do not permit: void, returned, and no part of what follows."""
    wager.refused = True
    game.refuse(wager, kind, at, cite, sentence)


def cite_of(game: Table, bet: str) -> Citation:
    """The paragraph by which a bet may be made."""
    terms = game.terms
    rule = {
        BANK: terms.bank,
        RED_FLEX: terms.red_flex,
        "double": terms.double_percent,
        "split": terms.split_equals,
        INSURANCE: terms.insurance,
    }.get(bet, terms.wagers_before_deal)
    cite: Citation = rule.cite
    return cite


def admit(game: Table, wager: TwentyOneWager) -> None:
    """Take a wager that was placed, or refuse it."""
    at, bet = wager.placed_at, wager.bet
    if wager.amount_minor <= 0:
        refuse(game, wager, "WRONG_AMOUNT", at, cite_of(game, bet), f"{money_text(wager.amount_minor)} is no wager.")
    elif bet == INSURANCE:
        refuse(game, wager, "NOT_OFFERED", at, cite_of(game, bet), "This game offers no insurance.")
    elif bet in LATER:
        _admit_later(game, wager, at)
    elif not game.betting_open:
        _refuse_late(game, wager, at)
    elif bet == BANK:
        _admit_bank(game, wager, at)
    elif bet == MAIN:
        _admit_main(game, wager, at)
    else:
        game.spot(wager.seat).others.append(wager)


def _refuse_late(game: Table, wager: TwentyOneWager, at: int) -> None:
    terms = game.terms
    rule = terms.red_flex_before_deal if wager.bet == RED_FLEX else terms.wagers_before_deal
    refuse(game, wager, "LATE_WAGER", at, rule.cite, f"The {_named(wager)} wager was made after betting had closed.")
    if wager.bet == MAIN:
        spot = game.spot(wager.seat)
        spot.main = spot.main or wager  # chips lie on the spot, and a card may come to them


def _named(wager: TwentyOneWager) -> str:
    return spoken(wager.bet)


def _admit_bank(game: Table, wager: TwentyOneWager, at: int) -> None:
    if game.bank is not None:
        sentence = f"Seat {game.bank.seat} has the bank; a round has one player-dealer."
        refuse(game, wager, "NOT_OFFERED", at, game.terms.bank.cite, sentence)
    else:
        game.bank = wager


def _admit_main(game: Table, wager: TwentyOneWager, at: int) -> None:
    spot = game.spot(wager.seat)
    first = spot.main
    if first is None:
        spot.main = wager
    elif first.for_dealer == wager.for_dealer or tip_beside(spot) is not None:
        sentence = f"Seat {wager.seat} has a game wager already; nobody bets behind another."
        refuse(game, wager, "NOT_OFFERED", at, game.terms.no_backline.cite, sentence)
    else:  # a player's own wager and a tip: the hand is that of the player's own
        own, tip = (first, wager) if wager.for_dealer else (wager, first)
        spot.main = own
        spot.others.append(tip)


def tip_beside(spot: Spot) -> TwentyOneWager | None:
    """The tip wager that rides on the hand of a player's own game wager."""
    return next((other for other in spot.others if other.bet == MAIN and not other.settled), None)


def _admit_later(game: Table, wager: TwentyOneWager, at: int) -> None:
    parent = game.wagers.get(wager.parent)
    if parent is None or parent.bet not in (MAIN, "split") or parent.seat != wager.seat or parent.settled:
        sentence = f"The {wager.bet} wager hangs on {wager.parent or 'nothing'}, which is no standing wager of its seat."
        refuse(game, wager, "MISSING_PARENT", at, cite_of(game, wager.bet), sentence)
    else:
        game.spot(wager.seat).others.append(wager)


def change(game: Table, wager: TwentyOneWager, event: WagerChanged) -> None:
    """Take a change before the deal; afterwards what was there counts on."""
    at, amount = event.sequence, event.amount_minor
    if amount < 0:
        sentence = f"{money_text(amount)} is no wager; what was there before counts."
        game.find("WRONG_AMOUNT", at, sentence, cite=cite_of(game, wager.bet), wager_id=wager.id)
    elif game.betting_open if wager.bet not in LATER else not wager.elected:
        if amount:
            wager.amount_minor = amount
        else:
            game.settle(wager, "REMOVED", at, cite_of(game, wager.bet))
            _take_off(game, wager)
    elif amount != wager.amount_minor:
        kind = "NOT_REMOVABLE" if amount < wager.amount_minor else "NOT_INCREASABLE"
        rule = game.terms.payments_covered if wager.bet == BANK else game.terms.wagers_before_deal
        sentence = f"The {_named(wager)} wager was altered after betting had closed; what was there before counts."
        game.find(kind, at, sentence, cite=rule.cite, wager_id=wager.id)


def _take_off(game: Table, wager: TwentyOneWager) -> None:
    wager.refused = True
    spot = game.spot(wager.seat)
    if game.bank is wager:
        game.bank = None
    elif spot.main is wager:
        spot.main = tip_beside(spot)
        if spot.main is not None:
            spot.others.remove(spot.main)
    elif wager in spot.others:
        spot.others.remove(wager)


def stand(game: Table, wager: TwentyOneWager, at: int) -> None:
    """Betting closed over a game wager or a Red Flex bet: does what it hangs on stand, and is its paytable known?"""
    spot, terms = game.spot(wager.seat), game.terms
    if wager.bet == MAIN:
        if game.bank is not None and game.bank.seat == wager.seat and wager.seat:
            sentence = f"Seat {wager.seat} has the bank; its spot takes no other wager."
            refuse(game, wager, "NOT_OFFERED", at, terms.one_wager_a_spot.cite, sentence)
        return
    named = game.wagers.get(wager.parent) if wager.parent else spot.main
    if named is None or named.settled or named not in (spot.main, tip_beside(spot)):
        sentence = f"A Red Flex bet is for a player with a game wager; seat {wager.seat} has none that it hangs on."
        refuse(game, wager, "MISSING_PARENT", at, terms.red_flex.cite, sentence)
    elif any(_is_same_bet(other, wager) and not other.settled for other in _before(spot.others, wager)):
        sentence = f"Seat {wager.seat} has a Red Flex bet for its game wager already; nobody bets behind another."
        refuse(game, wager, "NOT_OFFERED", at, terms.red_flex_no_backline.cite, sentence)
    else:
        _find_paytable(game, wager, at)


def _is_same_bet(other: TwentyOneWager, wager: TwentyOneWager) -> bool:
    return other.bet == wager.bet and other.for_dealer == wager.for_dealer


def _before(others: list[TwentyOneWager], wager: TwentyOneWager) -> list[TwentyOneWager]:
    return others[: others.index(wager)]


def _find_paytable(game: Table, wager: TwentyOneWager, at: int) -> None:
    paytable_id = game.opened.paytables.get(RED_FLEX, "")
    paytable = game.paytables(paytable_id) if paytable_id else None
    if paytable is None or paytable.bet != RED_FLEX:
        sentence = f"No Red Flex paytable {paytable_id!r} is known here and on this day."
        cite = game.terms.red_flex_longer_runs.cite
        game.find("UNKNOWN_PAYTABLE", at, sentence, cite=cite, wager_id=wager.id)
        return
    wager.paytable = paytable
