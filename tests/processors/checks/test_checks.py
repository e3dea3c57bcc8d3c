"""Each check of a day on a day made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from processors.checks import (
    CarriedWager,
    DayRound,
    PropertyClock,
    SharedRoundId,
    ShoeCards,
    cards_of_a_shoe,
    find_checks,
    gaming_day_of_the_clock,
    round_ids_of_the_tables,
    wagers_carried,
)
from processors.kernel.settlement import FAMILIES

CHICAGO = PropertyClock("America/Chicago", 6)


class HandMade(NamedTuple):
    gaming_day: str = "2026-11-29"
    clock: PropertyClock = CHICAGO
    of_rounds: tuple[DayRound, ...] = ()
    of_shoes: tuple[ShoeCards, ...] = ()
    of_wagers: tuple[CarriedWager, ...] = ()
    of_ids: tuple[SharedRoundId, ...] = ()

    def rounds(self) -> Iterable[DayRound]:
        return self.of_rounds

    def shoes(self) -> Iterable[ShoeCards]:
        return self.of_shoes

    def carried_wagers(self) -> Iterable[CarriedWager]:
        return self.of_wagers

    def shared_round_ids(self) -> Iterable[SharedRoundId]:
        return self.of_ids


def micros(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1_000_000


def test_every_check_is_found_by_itself() -> None:
    assert list(find_checks()) == ["cards_of_a_shoe", "gaming_day_of_the_clock", "round_ids_of_the_tables", "wagers_carried"]


def test_a_day_on_which_nothing_happened_has_no_finding() -> None:
    assert [finding for check in find_checks().values() for finding in check(HandMade())] == []


def test_two_decks_hold_a_card_twice_and_the_third_is_impossible() -> None:
    day = HandMade(
        of_shoes=(
            ShoeCards("S", 2, "R1", "T", "9s9sAd"),
            ShoeCards("S", 2, "R2", "T", "Ad2c"),
            ShoeCards("S", 2, "R3", "T", "AdKh"),
            ShoeCards("U", 2, "R4", "T", "Ad9s"),
        )
    )
    (finding,) = cards_of_a_shoe.check(day)
    assert (finding.table_id, finding.discrepancy.kind, finding.discrepancy.round_id) == ("T", "IMPOSSIBLE_CARD", "R3")
    assert finding.discrepancy.sentence == "Counted up to this round, shoe S of 2 decks dealt the ace of diamonds 3 times."


@pytest.mark.parametrize("dealt", [ShoeCards("S", 0, "R1", "T", "AdAdAd"), ShoeCards("S", 1, "R1", "T", "XxXx")])
def test_a_shoe_of_unknown_size_and_codes_that_are_no_cards_are_not_counted(dealt: ShoeCards) -> None:
    assert list(cards_of_a_shoe.check(HandMade(of_shoes=(dealt,)))) == []


@pytest.mark.parametrize(
    ("opened_at", "day", "differs"),
    [
        ("2026-11-29T12:00:00+00:00", "2026-11-29", False),  # 06:00 in Chicago: the day begins
        ("2026-11-29T11:59:59+00:00", "2026-11-29", True),  # 05:59:59: still the day before
        ("2026-11-29T11:59:59+00:00", "2026-11-28", False),
        ("2026-11-30T11:59:59+00:00", "2026-11-29", False),  # the last second of the day
        ("2026-07-01T11:00:00+00:00", "2026-07-01", False),  # 06:00 in summer, an hour earlier by UTC
        ("2026-07-01T10:59:59+00:00", "2026-07-01", True),
    ],
)
def test_the_gaming_day_is_that_of_the_property_s_clock(opened_at: str, day: str, differs: bool) -> None:
    found = list(gaming_day_of_the_clock.check(HandMade(of_rounds=(DayRound("R1", "T", day, micros(opened_at)),))))
    assert [f.discrepancy.kind for f in found] == (["GAMING_DAY_DIFFERS"] if differs else [])


def test_the_sentence_about_the_day_says_both_days_and_the_local_time() -> None:
    (found,) = gaming_day_of_the_clock.check(
        HandMade(of_rounds=(DayRound("R1", "T", "2026-11-29", micros("2026-11-29T11:59:59+00:00")),))
    )
    assert found.discrepancy.sentence == (
        "The source says gaming day 2026-11-29; 2026-11-29 05:59 America/Chicago is gaming day 2026-11-28."
    )


def test_a_shared_round_id_is_found_at_each_of_its_tables() -> None:
    found = list(round_ids_of_the_tables.check(HandMade(of_ids=(SharedRoundId("R1", ("T-1", "T-2")),))))
    assert [(f.table_id, f.discrepancy.kind, f.discrepancy.round_id) for f in found] == [
        ("T-1", "CONFLICTING_FACT", "R1"),
        ("T-2", "CONFLICTING_FACT", "R1"),
    ]


def test_a_wager_carried_from_one_that_never_was_has_no_parent() -> None:
    day = HandMade(of_wagers=(CarriedWager("R2", "T", "w2", "w1", 3, True), CarriedWager("R2", "T", "w3", "w0", 4, False)))
    (found,) = wagers_carried.check(day)
    assert (found.discrepancy.kind, found.discrepancy.wager_id, found.discrepancy.rests_on) == ("MISSING_PARENT", "w3", (4,))


def test_every_kind_that_a_check_finds_is_in_a_family() -> None:
    known = frozenset().union(*FAMILIES.values())
    assert {"IMPOSSIBLE_CARD", "GAMING_DAY_DIFFERS", "CONFLICTING_FACT", "MISSING_PARENT"} <= known


def test_a_time_of_day_before_the_day_begins_is_of_the_next_date() -> None:
    # Chicago in November is six hours behind UTC
    assert CHICAGO.moment("2026-11-29", 21, 0) == datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
    assert CHICAGO.moment("2026-11-29", 2, 30) == datetime(2026, 11, 30, 8, 30, tzinfo=UTC)
