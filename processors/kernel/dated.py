"""Dated, cited values: what a rule file says, and what of it is in force on a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from processors.kernel.citation import Citation
from processors.kernel.odds import Odds

T = TypeVar("T")


class NoRuleInForce(Exception):
    """Nothing is in force for this on that day; the text says for what and from when there is something."""


class Rule(NamedTuple, Generic[T]):
    """A value that decides money or procedure, and the paragraph it comes from."""

    value: T
    cite: Citation


class Dated(NamedTuple):
    """A value, in force from `start` (ISO date, inclusive) until the next one of the same rule."""

    start: str
    value: Any
    cite: Citation


class Entry(NamedTuple):
    """One rule of a file: title, values oldest first, and where the text is unclear the readings to choose from."""

    name: str
    title: str
    values: Sequence[Dated]
    reading: str = ""
    alternatives: Sequence[Any] = ()
    doubt: str = ""

    def on(self, day: str) -> Rule[Any] | None:
        """The value in force on an ISO date, or None before the first."""
        found = None
        for dated in self.values:
            if dated.start > day:
                break
            found = dated
        return Rule(found.value, found.cite) if found else None


class Paytable(NamedTuple):
    """A paytable in force: what each hand pays, for which bet, jurisdictions and deck counts.

    `dealer_pays_minor` is a fixed amount to the dealer for each winning row (empty where there is none).
    """

    id: str
    title: str
    bet: str
    jurisdictions: frozenset[str]
    decks: frozenset[int]
    pays: Mapping[str, Odds]
    dealer_pays_minor: Mapping[str, int]
    cite: Citation
