"""The dealer for simulation: its own sums and the engine agree, and each of its mistakes is found as it was planted."""

from __future__ import annotations

import functools
from collections import Counter
from random import Random

import pytest

from events.model import SettlementRecorded, WagerPlaced
from processors import rulebook
from processors.games.craps.dealer import MISTAKES, CrapsDealer
from processors.kernel.dealing import Dealt, Planted, TableSetup
from processors.kernel.settlement import RoundAudit
from processors.replay import audit_round

SETUP = TableSetup("CR-01", "us-ks-south-central", "2026-03-02", "USD", "d-17", ["p-1", "p-2", "p-3", "p-4"])
ALONE = SETUP._replace(patrons=["p-9"])


@functools.cache
def book() -> rulebook.Rulebook:
    return rulebook.load()


def found(audit: RoundAudit) -> list[Planted]:
    return sorted(Planted(d.kind, d.wager_id, d.due_minor, d.recorded_minor) for d in audit.discrepancies)


def deal(setup: TableSetup, seed: int, turns: int, mistake: str = "") -> list[Dealt]:
    dealer = CrapsDealer(setup, Random(seed))  # noqa: S311 - a seeded game, no secret
    return [dealer.deal(f"{setup.table_id}-{seed}-{turn}", turn * 10**9, mistake) for turn in range(turns)]


def test_a_thousand_turns_dealt_rightly_show_no_discrepancy() -> None:
    bets, results = Counter[str](), Counter[str]()
    for dealt in [*deal(SETUP, 1, 900), *deal(ALONE, 2, 100)]:
        audit = audit_round(dealt.events, book())
        assert (found(audit), dealt.planted) == ([], ())
        bets.update(event.bet for event in dealt.events if isinstance(event, WagerPlaced))
        results.update(event.result for event in dealt.events if isinstance(event, SettlementRecorded))
        assert all(s.result != "UNDECIDED" for s in audit.settlements)
    # the turns are a fair sample of what lies on a layout, or their agreement would say little
    assert len(bets) == 22
    assert min(bets.values()) > 20
    assert set(results) == {"WIN", "LOSE", "PUSH", "VOID", "REMOVED"}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_and_nothing_else(mistake: str) -> None:
    for dealt in [*deal(SETUP, 3, 100, mistake), *deal(ALONE, 4, 30, mistake)]:
        assert len(dealt.planted) == 1
        assert found(audit_round(dealt.events, book())) == sorted(dealt.planted)


def test_the_same_chance_deals_the_same_turn() -> None:
    assert deal(SETUP, 5, 3) == deal(SETUP, 5, 3)
    assert deal(SETUP, 5, 3) != deal(SETUP, 6, 3)


def test_a_mistake_that_no_dealer_makes_is_refused() -> None:
    with pytest.raises(ValueError, match="no such mistake at craps: dropped_chips"):
        deal(SETUP, 1, 1, "dropped_chips")
