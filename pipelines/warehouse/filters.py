"""What a reader asks for: the filters that listings and reports share, as words and as a parameterised condition."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final, NamedTuple

from events.errors import BadInput
from processors.kernel.settlement import FAMILIES

KINDS: Final = frozenset().union(*FAMILIES.values())
FAVOURS: Final = ("PATRON", "HOUSE", "DEALER", "NOBODY")
SEVERITIES: Final = ("HIGH", "MEDIUM", "LOW")
IS_DAY: Final = r"(regexp_full_match(gaming_day, '\d{4}-\d\d-\d\d') AND try_cast(gaming_day AS DATE) IS NOT NULL)"
"""Whether the gaming day that a source gave is one of the calendar (`events.times`): others are listed, and never chosen."""


class Filters(NamedTuple):
    """Empty means no restriction. `since` and `until` are UTC without offset; `kinds` are kinds of discrepancy.

    A round is in the time if it was going on then; a discrepancy, if the last event that it rests on was then.
    """

    gaming_day: str = ""
    table_id: str = ""
    dealer_id: str = ""
    patron_id: str = ""
    game: str = ""
    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[str, ...] = ()
    favours: str = ""
    severity: str = ""
    with_discrepancy: bool = False

    def words(self, zone: tzinfo) -> str:
        """The filters in words, as a report has to name them; times are those of the property."""
        names = ("gaming_day", "table_id", "dealer_id", "patron_id", "game", "favours", "severity")
        said = [
            f"{name.removesuffix('_id').replace('_', ' ')} {getattr(self, name)}" for name in names if getattr(self, name)
        ]
        for word, moment in (("from", self.since), ("to", self.until)):
            if moment:
                said.append(f"{word} {moment.replace(tzinfo=UTC).astimezone(zone):%Y-%m-%d %H:%M %Z}")
        if self.kinds:
            said.append(f"kind {', '.join(self.kinds)}")
        if self.with_discrepancy:
            said.append("with a discrepancy")
        return ", ".join(said) or "none"

    def of_rounds(self) -> tuple[str, list[Any]]:
        """The condition on `rounds r`, and its values."""
        conditions, values = self._shared("r")
        if self.since:
            conditions.append("r.closed_at >= ?")
            values.append(self.since)
        if self.until:
            conditions.append("r.opened_at < ?")
            values.append(self.until)
        if self.with_discrepancy or self.kinds or self.favours or self.severity:
            found, more = self._found("f")
            # two rounds of one id at two tables are told apart; a patron's round is one in which the patron wagered
            inside = " AND ".join(["f.round_id = r.round_id", "f.table_id = r.table_id", "f.fixed_at IS NULL", *found])
            conditions.append(f"EXISTS (SELECT 1 FROM discrepancies f WHERE {inside})")  # noqa: S608  # conditions are ours, values are bound
            values += more
        return " AND ".join(conditions) or "TRUE", values

    def of_discrepancies(self) -> tuple[str, list[Any]]:
        """The condition on `open_discrepancies d`, and its values.

        With a patron it is that patron's wagers, and what concerns the whole round of one of them.
        """
        conditions, values = self._shared("d")
        if self.since:
            conditions.append("d.occurred_at >= ?")
            values.append(self.since)
        if self.until:
            conditions.append("d.occurred_at < ?")
            values.append(self.until)
        found, more = self._found("d")
        return " AND ".join([*conditions, *found]) or "TRUE", values + more

    def _shared(self, alias: str) -> tuple[list[str], list[Any]]:
        conditions, values = [], []
        for name in ("gaming_day", "table_id", "dealer_id", "game"):
            if value := getattr(self, name):
                conditions.append(f"{alias}.{name} = ?")
                values.append(value)
        if self.patron_id:
            of_wager = f" AND {alias}.wager_id IN ('', w.wager_id)" if alias == "d" else ""
            conditions.append(
                f"EXISTS (SELECT 1 FROM wagers w WHERE w.round_id = {alias}.round_id AND w.table_id = {alias}.table_id"  # noqa: S608  # the names are ours
                f" AND w.patron_id = ?{of_wager})"
            )
            values.append(self.patron_id)
        return conditions, values

    def _found(self, alias: str) -> tuple[list[str], list[Any]]:
        conditions: list[str] = []
        values: list[Any] = []
        if self.kinds:
            conditions.append(f"list_contains(?::VARCHAR[], {alias}.kind)")
            values.append(list(self.kinds))
        if self.favours:
            conditions.append(f"{alias}.favours = ?")
            values.append(self.favours)
        if self.severity:
            conditions.append(f"{alias}.severity = ?")
            values.append(self.severity)
        return conditions, values


def kinds_of(words: Sequence[str]) -> tuple[str, ...]:
    """The kinds that words name: a kind (OVERPAID), or a family of them (payout). Raises BadInput for another word."""
    kinds: set[str] = set()
    for word in words:
        if word.lower() in FAMILIES:
            kinds |= FAMILIES[word.lower()]
        elif word.upper() in KINDS:
            kinds.add(word.upper())
        else:
            families = ", ".join(FAMILIES)
            raise BadInput(
                f"{word!r} is no kind of discrepancy", "--kind", f"use one of docs/glossary.md or a family: {families}"
            )
    return tuple(sorted(kinds))


def one_of(word: str, words: Sequence[str], where: str) -> str:
    """One of `words`, whatever its case. Raises BadInput for another."""
    if word and word.upper() not in words:
        raise BadInput(f"{word!r} is none of {', '.join(words)}", where, "use one of them")
    return word.upper()
