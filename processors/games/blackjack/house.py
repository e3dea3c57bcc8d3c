"""The rules that are left to the house: fixed by the text in Kansas, posted at the table in South Dakota."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from processors.kernel.dated import Rule
from processors.kernel.odds import Odds

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table


class House(NamedTuple):
    """What holds at this table. None or "" where the text leaves it to the house and the table posts nothing."""

    blackjack_pays: Rule[Odds] | None
    tie: Rule[str] | None
    soft_17: Rule[str] | None
    insurance: str
    surrender: str


CHOICES = {
    "tie": ("push", "lose"),
    "soft_17": ("hit", "stand"),
    "insurance": ("offered", "none"),
    "surrender": ("none", "late", "early"),
}


def house_of(game: Table) -> House:
    """The house rules of a round. What is posted and not permitted is a finding (RULE_MISMATCH)."""
    terms = game.terms
    if terms.blackjack_pays is not None:
        return House(terms.blackjack_pays, terms.tie, terms.soft_17, "offered", "none")
    posted = {name: _choice(game, name) for name in CHOICES}
    cite = terms.main_pays.cite
    return House(
        _blackjack_pays(game),
        Rule(posted["tie"], cite) if posted["tie"] else None,
        Rule(posted["soft_17"], terms.hard_17.cite) if posted["soft_17"] else None,
        posted["insurance"],
        posted["surrender"],
    )


def _choice(game: Table, name: str) -> str:
    text = game.option(name)
    if text and text not in CHOICES[name]:
        at, choices = game.opened.sequence, " or ".join(CHOICES[name])
        game.find("RULE_MISMATCH", at, f"The posted {name} {text!r} is not {choices}.", cite=game.terms.main_pays.cite)
        return ""
    return text


def _blackjack_pays(game: Table) -> Rule[Odds] | None:
    """The posted odds, but never less than the floor that the rules set: it is what is due then."""
    text = game.option("blackjack_pays")
    if not text:
        return None
    floor: Rule[Any] = (
        game.terms.blackjack_pays_at_least_single_deck if game.opened.decks == 1 else game.terms.blackjack_pays_at_least
    )
    at = game.opened.sequence
    try:
        odds = Odds.parse(text)
    except ValueError:
        sentence = f"The posted odds of a blackjack {text!r} are no odds."
        game.find("RULE_MISMATCH", at, sentence, cite=floor.cite)
        return None
    if _beyond_stake(odds) < _beyond_stake(floor.value):
        sentence = f"A blackjack pays at least {floor.value} here; {text} is posted."
        game.find("RULE_MISMATCH", at, sentence, cite=floor.cite)
        return floor
    return Rule(odds, floor.cite)


def _beyond_stake(odds: Odds) -> Fraction:
    return odds.win if odds.keeps_stake else odds.win - 1
