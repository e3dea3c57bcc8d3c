"""What holds for every round of Pure 21.5, whatever was wagered, dealt and done."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.codec import encode_record
from events.model import Event, WagerChanged, WagerPlaced
from processors.games.pure_21_5.bank import Coverage
from processors.kernel.settlement import RoundAudit, Settlement
from processors.record import to_record
from processors.replay import audit_round, explain_round
from tests.processors.games.pure_21_5.rounds import dealt, soups
from tests.processors.games.rounds import book

ROUNDS = st.builds(dealt, st.integers(0, 100_000), st.sampled_from([0, 1, 3, 5, 8, 10, 20, 1000]))


def audited(events: Sequence[Event]) -> RoundAudit:
    return audit_round(events, book(), only_due=True)


def stakes(events: Sequence[Event]) -> dict[str, int]:
    return {event.wager_id: event.amount_minor for event in events if isinstance(event, WagerPlaced)}


def given_by_wager(settlements: Sequence[Settlement]) -> dict[str, int]:
    """What is handed over on each wager, to the patron or the dealer; fees are no part of it."""
    given: dict[str, int] = {}
    for s in settlements:
        given[s.wager_id] = given.get(s.wager_id, 0) + s.given_minor - s.fee_returned_minor
    return given


@settings(max_examples=300, deadline=None)
@given(ROUNDS)
def test_the_chips_on_the_table_change_hands_and_none_is_made_or_lost(events: list[Event]) -> None:
    # the house has no part in it: what players win the player-dealer loses, and the other way round
    audit = audited(events)
    assert [d.sentence for d in audit.discrepancies] == []
    assert all(s.result != "UNDECIDED" for s in audit.settlements)
    assert sum(given_by_wager(audit.settlements).values()) == sum(stakes(events).values())


@settings(max_examples=300, deadline=None)
@given(ROUNDS)
def test_the_player_dealer_neither_wins_nor_loses_more_than_the_bank(events: list[Event]) -> None:
    (bank,) = [s for s in audited(events).settlements if s.bet == "bank"]
    lay = stakes(events)[bank.wager_id]
    assert 0 <= bank.given_minor <= 2 * lay
    assert {"WIN": bank.given_minor > lay, "PUSH": bank.given_minor == lay, "LOSE": bank.given_minor < lay}[bank.result]


@settings(max_examples=200, deadline=None)
@given(ROUNDS)
def test_no_player_gets_back_less_than_nothing_or_wins_without_action(events: list[Event]) -> None:
    lay = stakes(events)
    for s in audited(events).settlements:
        if s.paid_to == "DEALER" or s.bet == "bank":
            continue
        assert min(s.paid_minor, s.stake_returned_minor, s.no_action_minor) >= 0
        if s.result == "VOID":
            assert (s.paid_minor, s.stake_returned_minor + s.no_action_minor) == (0, lay[s.wager_id])
        elif s.result == "LOSE":
            assert s.paid_minor == 0
            assert s.stake_returned_minor + s.no_action_minor < lay[s.wager_id]


@settings(max_examples=400, deadline=None)
@given(soups())
def test_no_soup_of_events_stops_a_replay_and_every_wager_gets_its_verdict(events: list[Event]) -> None:
    audit = audit_round(events, book())
    placed = {event.wager_id for event in events if isinstance(event, WagerPlaced)}
    verdicts = [s.wager_id for s in audit.settlements if s.paid_to == "PATRON"]
    assert sorted(verdicts) == sorted(placed)
    assert set(explain_round(events, book())) == placed


@settings(max_examples=400, deadline=None)
@given(soups())
def test_also_in_a_soup_chips_in_are_chips_out(events: list[Event]) -> None:
    lay: dict[str, int] = {}
    for event in events:
        if isinstance(event, WagerPlaced):
            lay.setdefault(event.wager_id, event.amount_minor)
    audit = audited(events)
    changed = any(isinstance(event, WagerChanged) for event in events)
    if not changed and all(s.result != "UNDECIDED" for s in audit.settlements):
        assert sum(given_by_wager(audit.settlements).values()) == sum(lay.values())


@settings(max_examples=200, deadline=None)
@given(soups())
def test_the_same_events_give_the_same_bytes(events: list[Event]) -> None:
    first, second = (encode_record("RoundAudit", to_record(audit_round(events, book()))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("alone", [False, True])
@given(st.integers(0, 500), st.lists(st.tuples(st.booleans(), st.integers(0, 400)), max_size=12))
def test_the_bank_pays_what_a_plain_sum_allows(alone: bool, bank: int, wagers: list[tuple[bool, int]]) -> None:
    coverage, paid, taken = Coverage(bank, wager_alone=alone), 0, 0
    for won, amount in wagers:
        if won:
            reach = bank - paid if alone else bank + taken - paid
            assert coverage.pay(amount) == min(amount, reach)
            paid += min(amount, reach)
        else:
            reach = bank - taken if alone else bank + paid - taken
            assert coverage.take(amount) == min(amount, reach)
            taken += min(amount, reach)
    assert coverage.balance_minor == taken - paid
    assert abs(taken - paid) <= bank


@given(
    st.integers(1, 300),
    st.lists(st.tuples(st.sampled_from(["won", "lost", "unknown"]), st.integers(1, 200)), min_size=1, max_size=6),
    st.data(),
)
def test_what_an_uncertain_bank_is_sure_of_holds_however_it_turns_out(
    bank: int, wagers: list[tuple[str, int]], data: st.DataObject
) -> None:
    sure, real = Coverage(bank), Coverage(bank)
    for kind, amount in wagers:
        if kind == "unknown":
            sure.unknown(amount, amount)
            turn = data.draw(st.sampled_from(["won", "lost", "tie"]))
            if turn != "tie":
                (real.pay if turn == "won" else real.take)(amount)
            continue
        expected = (real.pay if kind == "won" else real.take)(amount)
        found = (sure.pay if kind == "won" else sure.take)(amount)
        if found is None:
            sure.unknown(amount if kind == "won" else 0, amount if kind == "lost" else 0)
        else:
            assert found == expected
