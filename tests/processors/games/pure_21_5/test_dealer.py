"""The dealer for simulation: its own sums and the engine agree, and each of its mistakes is found as it was planted."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from events.model import SettlementRecorded, WagerPlaced
from processors.games.pure_21_5 import GAME
from processors.games.pure_21_5.dealer import MISTAKES, PureDealer
from processors.kernel.dealing import Dealt, Planted
from processors.kernel.settlement import RoundAudit
from processors.replay import audit_round
from tests.processors.games.pure_21_5.rounds import OPENED_AT, SETUP
from tests.processors.games.rounds import book


def table(seed: int) -> PureDealer:
    patrons = [f"p-{number}" for number in range(2 + seed % 6)]
    setup = SETUP._replace(table_id=f"PB-{seed}", patrons=patrons)
    return PureDealer(setup, Random(seed))  # noqa: S311 - a seeded game, no secret


def deal(seed: int, rounds: int, mistake: str = "") -> list[Dealt]:
    dealer = table(seed)
    return [dealer.deal(f"PB-{seed}-{n}", OPENED_AT + n * 10**9, mistake) for n in range(rounds)]


def found(audit: RoundAudit) -> list[Planted]:
    return sorted(Planted(d.kind, d.wager_id, d.due_minor, d.recorded_minor) for d in audit.discrepancies)


def test_thousands_of_rounds_dealt_rightly_show_no_discrepancy() -> None:
    seen = Counter[tuple[str, str]]()
    for seed in range(400):
        for dealt in deal(seed, 6):
            audit = audit_round(dealt.events, book())
            assert (found(audit), dealt.planted) == ([], []), dealt.events[0].round_id
            assert all(s.result != "UNDECIDED" for s in audit.settlements)
            seen.update((s.bet, s.result) for s in audit.settlements)
    # the rounds are a fair sample of what can happen, or their agreement would say little
    assert min(seen[bet, result] for bet in ("main", "split", "double") for result in ("WIN", "LOSE", "PUSH", "VOID")) > 20
    assert min(seen["red_flex", result] for result in ("WIN", "LOSE", "VOID")) > 100
    assert min(seen["bank", result] for result in ("WIN", "LOSE", "PUSH")) > 50


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_and_nothing_else(mistake: str) -> None:
    for seed in range(40):
        for dealt in deal(seed, 2, mistake):
            assert len(dealt.planted) == 1
            assert found(audit_round(dealt.events, book())) == sorted(dealt.planted), dealt.events[0].round_id


def test_the_bank_goes_round_after_every_two_hands() -> None:
    dealer = table(5)
    banks = [
        event.seat
        for n in range(2 * len(dealer.seats))
        for event in dealer.deal(f"r{n}", OPENED_AT).events
        if isinstance(event, WagerPlaced) and event.bet == "bank"
    ]
    assert banks[::2] == banks[1::2]
    assert sorted(banks[::2]) == dealer.seats


def test_the_same_chance_deals_the_same_round() -> None:
    assert deal(7, 3) == deal(7, 3)
    assert deal(7, 3) != deal(8, 3)


def test_every_wager_that_was_placed_is_settled_on_the_record() -> None:
    for dealt in deal(9, 20):
        placed = {event.wager_id for event in dealt.events if isinstance(event, WagerPlaced)}
        assert {event.wager_id for event in dealt.events if isinstance(event, SettlementRecorded)} == placed


def test_a_mistake_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="no mistake 'cards_eaten'"):
        table(1).deal("r", OPENED_AT, "cards_eaten")


def test_the_game_says_who_deals_it() -> None:
    assert GAME.dealer is PureDealer
