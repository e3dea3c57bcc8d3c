"""The wagers of blackjack: which bets there are, when one may be made or changed, and on what it hangs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from events.model import Result, WagerChanged
from processors.kernel.citation import Citation
from processors.kernel.dated import Rule
from processors.kernel.twenty_one import Spot
from processors.kernel.twenty_one_table import TwentyOneWager
from processors.kernel.words import spoken

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table

MAIN: Final = "main"
SIDE_BETS: Final = frozenset({"blazing_7s", "three_card", "super_3", "royal_match", "lucky_ladies", "trilux"})
UNDER_PARENT: Final = frozenset({"double", "split", "insurance"})
BETS: Final = SIDE_BETS | UNDER_PARENT | {MAIN}
LIGHT_FAILED: Final = "light_failed"


def admit(game: Table, wager: TwentyOneWager, tender: str) -> None:
    """Take a wager that was placed with `tender`, or refuse it."""
    at, terms = wager.placed_at, game.terms
    if terms.tenders is not None and tender not in terms.tenders.value:
        _other_tender(game, wager, at, tender)
        if wager.settled:
            return
    if wager.for_dealer and not _may_tip(game, wager.bet):
        cite = (terms.tips or terms.side_bets).cite
        game.refuse(wager, "NOT_OFFERED", at, cite, f"No tip for the dealer may be made on {spoken(wager.bet)}.")
    elif wager.bet in UNDER_PARENT:
        _admit_under_parent(game, wager, at)
    elif wager.bet == MAIN:
        _admit_main(game, wager, at)
    else:
        _admit_side_bet(game, wager, at)


def _may_tip(game: Table, bet: str) -> bool:
    """Where the text at hand is silent on tips, one rides on any wager that is made before the deal."""
    tips = game.terms.tips
    return bet in tips.value if tips is not None else bet not in UNDER_PARENT


def _other_tender(game: Table, wager: TwentyOneWager, at: int, tender: str) -> None:
    cite = game.terms.tenders.cite
    game.find(
        "NOT_OFFERED", at, f"The {spoken(wager.bet)} wager was made with {tender.lower()}.", cite=cite, wager_id=wager.id
    )
    if game.terms.other_tender.value == "void":
        game.settle(wager, "VOID", at, cite)
        if wager.bet == MAIN and game.spot(wager.seat).main is None:
            game.spot(wager.seat).main = wager  # it lies on the spot, and a card may come to it


def _admit_main(game: Table, wager: TwentyOneWager, at: int) -> None:
    spot = game.spot(wager.seat)
    if not game.betting_open:
        _refuse_late(game, wager, at)
        if not wager.for_dealer:
            spot.main = spot.main or wager  # chips lie on the spot, and a card may come to them
    elif wager.for_dealer:
        spot.others.append(wager)
    elif spot.main is not None and not spot.main.settled:
        cite = game.terms.wagers_before_first_card.cite
        game.refuse(wager, "NOT_OFFERED", at, cite, f"Seat {wager.seat} has a main wager already.")
    else:
        spot.main = wager


def _admit_side_bet(game: Table, wager: TwentyOneWager, at: int) -> None:
    terms, bet = game.terms, wager.bet
    if bet not in terms.side_bets.value:
        game.refuse(wager, "NOT_OFFERED", at, terms.side_bets.cite, f"The rules here know no {spoken(bet)} wager.")
    elif rule_of(game, bet) is None:
        day = game.opened.gaming_day
        game.find(
            "NO_RULE_IN_FORCE",
            at,
            f"No rule for {spoken(bet)} is in force on {day}.",
            cite=terms.side_bets.cite,
            wager_id=wager.id,
        )
        game.undecide(wager, at, terms.side_bets.cite, "no rule in force")
    elif not game.betting_open:
        _refuse_late(game, wager, at)
    else:
        game.spot(wager.seat).others.append(wager)


def _refuse_late(game: Table, wager: TwentyOneWager, at: int) -> None:
    cite = game.terms.wagers_before_first_card.cite
    game.refuse(wager, "LATE_WAGER", at, cite, f"The {spoken(wager.bet)} wager was made after betting had closed.")


def _admit_under_parent(game: Table, wager: TwentyOneWager, at: int) -> None:
    cite = cite_of(game, wager.bet)
    parent = game.wagers.get(wager.parent)
    wanted = (MAIN,) if wager.bet == "insurance" else (MAIN, "split")
    if parent is None or parent.bet not in wanted or parent.seat != wager.seat or parent.settled:
        sentence = (
            f"The {spoken(wager.bet)} wager hangs on {wager.parent or 'nothing'}, which is no standing wager of its seat."
        )
        game.refuse(wager, "MISSING_PARENT", at, cite, sentence)
    elif wager.bet == "insurance":
        _admit_insurance(game, wager, at, cite)
    else:
        game.spot(wager.seat).others.append(wager)


def _admit_insurance(game: Table, wager: TwentyOneWager, at: int, cite: Citation) -> None:
    terms, spot = game.terms, game.spot(wager.seat)
    offered = game.house.insurance
    if offered == "none":
        game.refuse(wager, "NOT_OFFERED", at, cite, "This table offers no insurance.")
    elif offered == "":
        game.undecide(wager, at, cite, "whether insurance is offered is not posted")
    elif terms.insurance_with_ace_up is not None and not game.ace_up():
        sentence = "Insurance is offered when the dealer's first card is an ace; it is not."
        game.refuse(wager, "NOT_OFFERED", at, terms.insurance_with_ace_up.cite, sentence)
    elif game.playing or game.checked_at >= 0:
        game.refuse(wager, "LATE_WAGER", at, cite, "Insurance was placed after the hole card was checked or play had begun.")
    elif any(other.bet == "insurance" and not other.settled for other in spot.others):
        game.refuse(wager, "NOT_OFFERED", at, cite, f"Seat {wager.seat} is insured already.")
    else:
        spot.others.append(wager)


def change(game: Table, wager: TwentyOneWager, event: WagerChanged) -> None:
    """Take a change before the first card; afterwards only a progressive wager whose light failed goes back."""
    at, amount = event.sequence, event.amount_minor
    light = game.terms.blazing_7s_light
    if event.reason == LIGHT_FAILED and wager.bet == "blazing_7s" and amount == 0 and light is not None:
        light_failed(game, wager, at, "REMOVED")
    elif game.betting_open if wager.bet not in UNDER_PARENT else not wager.elected:
        if amount:
            wager.amount_minor = amount
        else:
            game.settle(wager, "REMOVED", at, game.terms.wagers_before_first_card.cite)
            _take_off(game, wager)
    elif amount != wager.amount_minor:
        rule = game.terms.insurance_unaltered if wager.bet in UNDER_PARENT else None
        cite = (rule or game.terms.wagers_unaltered).cite
        kind = "NOT_REMOVABLE" if amount < wager.amount_minor else "NOT_INCREASABLE"
        sentence = f"The {spoken(wager.bet)} wager was altered after the first card was dealt; what was there before counts."
        game.find(kind, at, sentence, cite=cite, wager_id=wager.id)


def light_failed(game: Table, wager: TwentyOneWager, at: int, result: Result) -> None:
    """The light of a progressive wager did not come on: it is returned (`result` REMOVED or VOID) and feeds nothing."""
    if wager.settled:
        return
    game.settle(wager, result, at, game.terms.blazing_7s_light.cite, prize="light failed")
    game.contributions[:] = [fed for fed in game.contributions if fed.wager_id != wager.id]


def _take_off(game: Table, wager: TwentyOneWager) -> None:
    spot: Spot = game.spot(wager.seat)
    if spot.main is wager:
        spot.main = None
    elif wager in spot.others:
        spot.others.remove(wager)


def stand(game: Table, wager: TwentyOneWager, at: int) -> None:
    """Betting closed over a wager: does what it hangs on stand, and is it offered at this table?"""
    if wager.bet == MAIN and not wager.for_dealer:
        return
    spot = game.spot(wager.seat)
    terms = game.terms
    rule: Rule[object] | None = rule_of(game, wager.bet)
    cite = rule.cite if rule else terms.side_bets.cite
    named = game.wagers.get(wager.parent) if wager.parent else spot.main
    if spot.main is None or spot.main.settled or named is None or named.seat != wager.seat:
        bet = spoken(wager.bet)
        sentence = f"The {bet} wager is for a player with a wager against the dealer; seat {wager.seat} has none."
        game.refuse(wager, "MISSING_PARENT", at, cite, sentence)
    elif wager.bet == "super_3" and not _may_super_3(game, spot):
        needs = terms.super_3_needs
        sentence = f"A super 3 wager needs the {needs.value} wager, which seat {wager.seat} has not made."
        game.refuse(wager, "MISSING_PARENT", at, needs.cite, sentence)
    elif (
        wager.for_dealer and terms.tips_beside_own and wager.bet in terms.tips_beside_own.value and not _has(spot, wager.bet)
    ):
        cite = terms.tips_beside_own.cite
        sentence = f"A {spoken(wager.bet)} tip is for a player with a {spoken(wager.bet)} wager; seat {wager.seat} has none."
        game.refuse(wager, "MISSING_PARENT", at, cite, sentence)
    elif wager.bet == "blazing_7s":
        percent = terms.blazing_7s_contribution_percent
        game.contribute(wager, game.progressive_id, Fraction(percent.value, 100), percent.cite)
    elif wager.bet == "royal_match":
        _check_decks(game, wager, at, frozenset(terms.royal_match_decks.value), terms.royal_match_decks.cite)
    elif table_bet(game, wager.bet):
        _find_paytable(game, wager, at, cite)


def _may_super_3(game: Table, spot: Spot) -> bool:
    needs = game.terms.super_3_needs.value
    if needs == "three_card" and game.option("super_3_requires_three_card", "true") == "false":
        return True
    return _has(spot, needs)


def _has(spot: Spot, bet: str) -> bool:
    return any(other.bet == bet and not other.for_dealer and not other.settled for other in spot.others)


def _find_paytable(game: Table, wager: TwentyOneWager, at: int, cite: Citation) -> None:
    only = game.terms.super_3_paytable if wager.bet == "super_3" else None  # no choice: need not be named
    paytable_id = game.opened.paytables.get(wager.bet) or (only.value if only else "")
    paytable = game.paytables(paytable_id) if paytable_id else None
    if paytable is None or paytable.bet != wager.bet:
        named = f"No paytable {paytable_id!r} for {spoken(wager.bet)} is known here and on this day."
        sentence = named if paytable_id else f"No paytable for {spoken(wager.bet)} is posted at this table."
        game.find("UNKNOWN_PAYTABLE", at, sentence, cite=cite, wager_id=wager.id)
        game.undecide(wager, at, cite, "unknown paytable")
        return
    wager.paytable = paytable
    decks = game.opened.decks
    if decks and decks not in paytable.decks and wager.bet in game.opened.paytables:
        # of the table, once; the wager that was taken all the same is another matter
        sentence = f"Paytable {paytable.id} is for {_listed(paytable.decks)}; it is posted at a table with {decks}."
        game.find("RULE_MISMATCH", game.opened.sequence, sentence, cite=paytable.cite)
    _check_decks(game, wager, at, paytable.decks, paytable.cite)


def _check_decks(game: Table, wager: TwentyOneWager, at: int, allowed: frozenset[int], cite: Citation) -> None:
    decks = game.opened.decks
    if decks == 0:
        game.undecide(wager, at, cite, "the number of decks is not stated")
    elif decks not in allowed:
        words = spoken(wager.bet)
        named = f"{words} by paytable {wager.paytable.id}" if wager.paytable else words
        sentence = f"{named[:1].upper()}{named[1:]} is for {_listed(allowed)}; this table has {decks}."
        game.refuse(wager, "NOT_OFFERED", at, cite, sentence)


def _listed(decks: frozenset[int]) -> str:
    words = ", ".join(str(number) for number in sorted(decks))
    return f"{words} deck" if words == "1" else f"{words} decks"


def table_bet(game: Table, bet: str) -> bool:
    """Whether what a bet pays stands in a paytable that the table names."""
    return bet in ("lucky_ladies", "trilux") or (bet == "super_3" and game.terms.super_3_pays is None)


def rule_of(game: Table, bet: str) -> Rule[object] | None:
    """The rule by which a side bet is offered, None where none is in force."""
    terms = game.terms
    if bet == "super_3":
        return terms.super_3_pays or terms.trilux  # type: ignore[no-any-return]  # terms are typed in terms.py
    if bet in ("lucky_ladies", "trilux"):
        return getattr(terms, bet)  # type: ignore[no-any-return]  # the same
    return getattr(terms, f"{bet}_pays")  # type: ignore[no-any-return]  # the same


def cite_of(game: Table, bet: str) -> Citation:
    """The paragraph of a main wager, a double, a split or insurance."""
    terms = game.terms
    rule = {"double": terms.double_pays, "split": terms.split_pays, "insurance": terms.insurance_pays}.get(bet)
    return (rule or terms.main_pays).cite  # type: ignore[no-any-return]  # the same
