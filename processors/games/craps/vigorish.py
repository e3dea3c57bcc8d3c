"""Vigorish: what is due on a buy or lay bet, what was paid for it in an ended turn, and what of it comes back."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from processors.games.craps.wagers import CrapsWager
from processors.kernel.citation import Citation

if TYPE_CHECKING:  # the engine calls this module with itself
    from processors.games.craps.engine import Craps

_PERCENT: Final = re.compile(r"\d{1,3}(\.\d{1,4})?")


def fee_due(game: Craps, wager: CrapsWager, amount_minor: int) -> int:
    """The vigorish of a buy or lay bet of this amount, in whole dollars (111-501-44(c)(16), 45(m), 45(n))."""
    terms = game.terms
    lay = wager.bet == "lay"
    ceiling = terms.lay_vigorish_percent if lay else terms.buy_vigorish_percent
    base = Fraction(amount_minor) * wager.on_number.odds.win if lay else Fraction(amount_minor)
    charge = base * game.vigorish_percent(ceiling) / 100
    unit = terms.vigorish_unit_minor.value
    if terms.vigorish_rounding.value == "charges_below_a_dollar" and charge >= unit:
        return int(charge)
    return int(charge // unit) * int(unit)


def fee_still_due(game: Craps, wager: CrapsWager, amount_minor: int) -> int:
    """The vigorish of this amount, less what was paid for the same bet before it was carried over an ended turn."""
    return max(0, fee_due(game, wager, amount_minor) - wager.fee_before_minor)


def tell_carried_from_new(game: Craps, wager: CrapsWager) -> None:
    """A lay bet left up from another turn had won there, and is a new bet, where the full vigorish was collected on it."""
    collected = game.fees_minor[wager.id]
    if collected == fee_due(game, wager, wager.amount_minor):
        wager.carried, wager.fee_before_minor, wager.fee_minor = False, 0, collected


def return_fee_of_refused(game: Craps, wager: CrapsWager) -> None:
    """The vigorish collected on a wager that was refused goes back with its stake."""
    collected = game.fees_minor[wager.id]
    game.settlements[:] = [
        due._replace(fee_minor=collected, fee_returned_minor=collected)
        if due.wager_id == wager.id and due.result == "VOID"
        else due
        for due in game.settlements
    ]


def find_without_wager(game: Craps, at: int) -> None:
    """Find each fee that was collected on a wager which nobody placed."""
    for wager_id, collected in game.fees_minor.items():
        if wager_id and wager_id not in game.wagers:
            game.find(
                "FEE_WRONG", at, f"A fee was collected on wager {wager_id}, which was never placed.",
                cite=game.terms.buy_vigorish_percent.cite, wager_id=wager_id, recorded_minor=collected, favours="HOUSE",
            )  # fmt: skip


def posted_percent(game: Craps, name: str, ceiling: int, cite: Citation) -> Fraction:
    """A posted percentage, with decimals or without; one that is none or above the ceiling is a finding, and it holds."""
    text = game.option(name)
    if not text:
        return Fraction(ceiling)
    at = game.opened.sequence
    if not _PERCENT.fullmatch(text):
        game.find("RULE_MISMATCH", at, f"The posted {name} {text!r} is not a percentage.", cite=cite)
        return Fraction(ceiling)
    if Fraction(text) > ceiling:
        game.find("RULE_MISMATCH", at, f"The posted {name} is {text}; the rules allow {ceiling}.", cite=cite)
        return Fraction(ceiling)
    return Fraction(text)
