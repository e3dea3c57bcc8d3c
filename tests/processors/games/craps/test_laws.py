"""What holds for every turn of craps, whatever was wagered, changed, called and thrown."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.codec import encode_record
from events.model import WagerChanged, WagerPlaced
from processors import rulebook
from processors.kernel.settlement import RoundAudit
from processors.record import to_record
from processors.replay import audit_round, explain_round
from tests.processors.games.craps.turns import OPERATIONS, Operation, events_of


@functools.cache
def book() -> rulebook.Rulebook:
    return rulebook.load()


def audited(operations: Sequence[Operation], **options: str) -> RoundAudit:
    return audit_round(events_of(operations, options), book(), only_due=True)


def verdicts(audit: RoundAudit, of: set[str]) -> list[tuple[Any, ...]]:
    """What was due on some wagers, without the sequence at which it was decided."""
    return sorted(tuple(s._replace(decided_at=0)) for s in audit.settlements if s.wager_id in of)


OVER_REDUCED_TAKEN_DOWN: list[Operation] = [
    ("wager", 1, "place", "6", 60000, 0, False),
    ("roll", 2, 2, ""),
    ("change", 0, 1200),
    ("change", 0, 0),
]


@settings(max_examples=300, deadline=None)
@example(OVER_REDUCED_TAKEN_DOWN)
@given(OPERATIONS)
def test_every_wager_gets_one_verdict_and_its_chips_add_up(operations: list[Operation]) -> None:
    events = events_of(operations)
    audit = audit_round(events, book(), only_due=True)
    placed = {event.wager_id: event.amount_minor for event in events if isinstance(event, WagerPlaced)}
    carried = {event.wager_id for event in events if isinstance(event, WagerPlaced) and event.carried_from}
    most = dict(placed)
    for event in events:
        if isinstance(event, WagerChanged) and event.wager_id in most:
            most[event.wager_id] = max(most[event.wager_id], event.amount_minor)
    patrons = [s for s in audit.settlements if s.paid_to == "PATRON"]
    assert sorted(s.wager_id for s in patrons) == sorted(placed)
    for s in audit.settlements:
        stake_back = s.stake_returned_minor + s.no_action_minor
        assert min(s.paid_minor, s.stake_returned_minor, s.no_action_minor, s.fee_minor, s.fee_returned_minor) >= 0
        # never more of the stake comes back than ever lay there, and no fee comes back that was not due here or, of a lay
        # bet carried over, in the turn before
        assert s.paid_to == "DEALER" or stake_back <= most[s.wager_id]
        assert s.fee_returned_minor in (0, s.fee_minor) or (s.bet == "lay" and s.wager_id in carried)
        if s.result in ("LOSE", "UNDECIDED"):
            assert s.paid_minor == s.stake_returned_minor == 0
        if s.result in ("VOID", "PUSH", "REMOVED"):
            assert s.paid_minor == 0
            assert stake_back > 0
        assert s.fee_minor == 0 or s.bet in ("buy", "lay")


@settings(max_examples=150, deadline=None)
@given(OPERATIONS)
def test_the_same_turn_replayed_gives_the_same_bytes(operations: list[Operation]) -> None:
    first, second = (encode_record("RoundAudit", to_record(audited(operations))) for _ in range(2))
    assert first == second


@settings(max_examples=200, deadline=None)
@given(OPERATIONS)
def test_the_wagers_of_one_seat_change_nothing_for_the_others(operations: list[Operation]) -> None:
    of_three = {f"w{place}" for place, op in enumerate(operations) if op[0] == "wager" and op[1] == 3}
    hanging = {
        f"w{place}"
        for place, op in enumerate(operations)
        if op[0] == "wager" and op[2].endswith("_odds") and f"w{op[5]}" in of_three
    }
    others = {f"w{place}" for place, op in enumerate(operations) if op[0] == "wager"} - of_three - hanging
    # in place of each wager of seat 3 stands a call on a wager that nobody placed, so that the others keep their names
    without = [("call", 999, True) if f"w{place}" in of_three else op for place, op in enumerate(operations)]
    assert verdicts(audited(operations), others) == verdicts(audited(without), others)


@settings(max_examples=200, deadline=None)
@given(OPERATIONS, st.sampled_from(["short", "off_the_table", "stacked", "no_line_wager"]))
def test_a_no_roll_before_every_roll_changes_nothing(operations: list[Operation], reason: str) -> None:
    plain = [op for op in operations if op[0] != "roll" or not op[3]]
    audit = audited(plain)
    events = events_of(plain)
    with_no_rolls = []
    for event in events:
        if type(event).__name__ == "DiceRolled":
            with_no_rolls.append(event._replace(dice=[6, 1], no_roll=reason))
        with_no_rolls.append(event)
    numbered = [event._replace(sequence=number) for number, event in enumerate(with_no_rolls)]
    again = audit_round(numbered, book(), only_due=True)
    wagers = {s.wager_id for s in audit.settlements}
    assert verdicts(again, wagers) == verdicts(audit, wagers)
    assert sorted(d.kind for d in again.discrepancies) == sorted(d.kind for d in audit.discrepancies)


@settings(max_examples=150, deadline=None)
@given(OPERATIONS)
def test_with_a_smallest_chip_no_payment_is_smaller_and_each_is_a_whole_number_of_chips(operations: list[Operation]) -> None:
    exact = {(s.wager_id, s.paid_to): s for s in audited(operations).settlements}
    chips = {(s.wager_id, s.paid_to): s for s in audited(operations, smallest_chip_minor="100").settlements}
    for key, s in chips.items():
        before = exact.get(key)
        if before is None or before.result != s.result:
            assert s.result == "VOID"  # a wager that does not divide into whole chips goes back
            continue
        if s.paid_to == "PATRON" and s.result == "WIN":
            assert s.paid_minor % 100 == 0
            assert before.paid_minor <= s.paid_minor < before.paid_minor + 100


@settings(max_examples=100, deadline=None)
@given(OPERATIONS)
def test_every_verdict_can_be_explained(operations: list[Operation]) -> None:
    steps = explain_round(events_of(operations), book(), only_due=True)
    assert all(len(taken) >= 2 and all(step.text for step in taken) for taken in steps.values())
