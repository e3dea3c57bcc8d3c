"""What holds of every round of blackjack, whatever was dealt."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import codec
from events.model import Event, SettlementRecorded, WagerPlaced
from processors import rulebook
from processors.kernel.settlement import RoundAudit
from processors.record import to_record
from processors.replay import audit_round, explain_round
from processors.rulebook import Rulebook
from tests.processors.games.blackjack.rounds import TABLES, dealt, mangled, soups

TABLE = st.sampled_from(range(len(TABLES)))
SEED = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return rulebook.load()


def chips_add_up(audit: RoundAudit, events: list[Event]) -> None:
    """Every wager has one verdict, and its stake is returned, lost or without action: never more, never twice."""
    known: dict[str, int] = {}
    for event in events:
        if isinstance(event, WagerPlaced):
            known.setdefault(event.wager_id, event.amount_minor)
    verdicts = Counter(s.wager_id for s in audit.settlements if s.paid_to == "PATRON")
    assert verdicts == Counter(dict.fromkeys(known, 1))
    for due in audit.settlements:
        assert min(due.paid_minor, due.stake_returned_minor, due.no_action_minor) >= 0
        if due.result == "UNDECIDED":
            assert due.given_minor == 0
        if due.result != "WIN":
            assert due.paid_minor == 0


@settings(max_examples=60, deadline=None)
@given(table=TABLE, seed=SEED)
def test_chips_in_are_chips_out_for_each_wager(book: Rulebook, table: int, seed: int) -> None:
    events = list(dealt(table, seed))
    audit = audit_round(events, book)
    chips_add_up(audit, events)
    stakes = {event.wager_id: event.amount_minor for event in events if isinstance(event, WagerPlaced)}
    for due in audit.settlements:
        if due.paid_to == "DEALER":
            continue
        back = due.stake_returned_minor + due.no_action_minor
        assert back <= stakes[due.wager_id]
        if due.result in ("PUSH", "VOID", "REMOVED"):
            assert back == stakes[due.wager_id]
        if due.result == "LOSE" and due.prize != "surrendered":
            assert back == 0


@settings(max_examples=40, deadline=None)
@given(table=TABLE, seed=SEED)
def test_a_house_correct_round_shows_nothing(book: Rulebook, table: int, seed: int) -> None:
    assert [found.sentence for found in audit_round(dealt(table, seed), book).discrepancies] == []


@settings(max_examples=40, deadline=None)
@given(table=TABLE, seed=SEED)
def test_the_same_round_twice_gives_the_same_bytes(book: Rulebook, table: int, seed: int) -> None:
    events = dealt(table, seed)
    first, second = (codec.encode_record("RoundAudit", to_record(audit_round(events, book))) for _ in range(2))
    assert first == second


@settings(max_examples=40, deadline=None)
@given(table=TABLE, seed=SEED)
def test_what_was_recorded_changes_nothing_of_what_was_due(book: Rulebook, table: int, seed: int) -> None:
    events = dealt(table, seed)
    without = [event for event in events if not isinstance(event, SettlementRecorded)]
    renumbered = [event._replace(sequence=number) for number, event in enumerate(without)]

    def verdicts(audit: RoundAudit) -> list[object]:
        return [due._replace(decided_at=0) for due in audit.settlements]

    assert verdicts(audit_round(renumbered, book, only_due=True)) == verdicts(audit_round(events, book))


@settings(max_examples=60, deadline=None)
@given(table=TABLE, seed=SEED)
def test_a_seat_that_stays_away_changes_nobody_elses_result(book: Rulebook, table: int, seed: int) -> None:
    events = dealt(table, seed)
    seats = sorted({event.seat for event in events if isinstance(event, WagerPlaced)})
    gone = seats[seed % len(seats)]
    own = {event.wager_id for event in events if isinstance(event, WagerPlaced) and event.seat == gone}
    others = [event for event in events if getattr(event, "seat", 0) != gone and getattr(event, "wager_id", "") not in own]
    renumbered = [event._replace(sequence=number) for number, event in enumerate(others)]

    def verdicts(audit: RoundAudit) -> list[object]:
        return [due._replace(decided_at=0) for due in audit.settlements if due.wager_id not in own]

    if any(
        due.prize.startswith("three 7s of") and not due.stake_returned_minor for due in audit_round(events, book).settlements
    ):
        return  # a pot may be shared: there the neighbour's wager matters
    assert verdicts(audit_round(renumbered, book)) == verdicts(audit_round(events, book))


@settings(max_examples=400, deadline=None)
@given(events=soups())
def test_no_events_whatever_make_it_raise(book: Rulebook, events: list[Event]) -> None:
    audit = audit_round(events, book)
    chips_add_up(audit, events)
    assert set(explain_round(events, book)) == {due.wager_id for due in audit.settlements}
    assert codec.encode_record("RoundAudit", to_record(audit))


@settings(max_examples=200, deadline=None)
@given(table=TABLE, seed=SEED)
def test_a_mangled_round_still_gives_every_wager_one_verdict(book: Rulebook, table: int, seed: int) -> None:
    events = mangled(table, seed)
    audit = audit_round(events, book)
    chips_add_up(audit, events)
    assert set(explain_round(events, book)) == {due.wager_id for due in audit.settlements}
    assert codec.encode_record("RoundAudit", to_record(audit))
