"""Which audits are due, and that a processor that begins again anywhere finds the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from events.model import Event, EventRetracted, RoundClosed, RoundOpened
from pipelines import rounds
from pipelines.rounds import Due, PartitionRounds
from tests.events.log_suite import CLOCK, a_round

Found = list[tuple[int, str, int, int]]
"""Offset, round, revision, number of events of each audit."""


def late(round_id: str, table_id: str, sequence: int) -> EventRetracted:
    return EventRetracted(round_id, table_id, sequence, CLOCK, "desk", 1, "wrong seat", "S-1")


def start(log: list[Event], offset: int = 0, begin: int = 0) -> PartitionRounds:
    def read_back(first: int, end: int) -> Iterator[tuple[int, Event]]:
        assert begin <= first
        return iter([(number, log[number]) for number in range(first, end)])

    return PartitionRounds(begin, offset, read_back)


def take(state: PartitionRounds, log: list[Event], end: int, batch: int = 1) -> Found:
    found: Found = []

    def keep(due: Due) -> None:
        assert due.events[-1] == log[due.offset]
        found.append((due.offset, due.events[0].round_id, due.revision, len(due.events)))

    for offset in range(state.next_offset, end):
        due = state.take(offset, log[offset])
        if due:
            keep(due)
        if offset % batch == 0 or offset == end - 1:
            for due in state.settle_doubts():
                keep(due)
    return found


def test_a_round_is_due_when_it_closes_and_open_rounds_hold_the_position() -> None:
    first, second = a_round("A", 1), a_round("B", 2)
    log = [first[0], second[0], *second[1:], *first[1:]]
    state = start(log)
    assert take(state, log, 5) == [(4, "B/2", 1, 4)]
    assert (state.oldest, state.next_offset, state.open_events) == (0, 5, 1)
    assert take(state, log, 8) == [(7, "A/1", 1, 4)]
    assert (state.oldest, state.open_events) == (8, 0)


def test_an_event_for_a_closed_round_makes_a_revision_over_all_its_events() -> None:
    log: list[Event] = [*a_round("A", 1), late("A/1", "A", 4), *a_round("A", 2), late("A/1", "A", 5)]
    state = start(log)
    assert take(state, log, len(log)) == [(3, "A/1", 1, 4), (4, "A/1", 2, 5), (8, "A/2", 1, 4), (9, "A/1", 3, 6)]
    assert state.oldest == len(log)


def test_a_late_event_after_a_restart_finds_its_round_in_the_log_before_the_position() -> None:
    log: list[Event] = [*a_round("A", 1), *a_round("A", 2), late("A/1", "A", 4), late("A/1", "A", 5)]
    state = start(log, 8)
    assert take(state, log, len(log)) == [(8, "A/1", 2, 5), (9, "A/1", 3, 6)]
    assert (state.oldest, state.known_from) == (len(log), 0)


def test_a_round_without_beginning_that_never_was_before_is_a_round_of_its_own() -> None:
    log: list[Event] = [*a_round("A", 1), *a_round("A", 2)[1:], *a_round("A", 3)[1:]]
    state = start(log, 4)
    assert take(state, log, len(log), batch=3) == [(6, "A/2", 1, 3), (9, "A/3", 1, 3)]
    assert state.oldest == len(log)


def test_a_round_sent_twice_is_a_revision_for_each_event_that_came_again() -> None:
    log = [*a_round("A", 1), *a_round("A", 1)]
    assert [due[2] for due in take(start(log), log, 8)] == [1, 2, 3, 4, 5]
    after = start(log, 4)
    after.look_back(0)
    assert [due[2] for due in take(after, log, 8)] == [2, 3, 4, 5]


def test_what_was_forgotten_is_looked_for_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "REMEMBERED", 2)
    log: list[Event] = [event for number in range(6) for event in a_round("A", number)]
    log += [late("A/0", "A", 4), late("A/4", "A", 4)]
    state = start(log)
    assert take(state, log, len(log))[-2:] == [(24, "A/0", 2, 5), (25, "A/4", 2, 5)]


def interleaved(random: Random, *, again: bool) -> list[Event]:
    """A log of six tables with rounds that overlap, lack their beginning, are never closed, get late and doubled events."""
    waiting = {f"T{table}": [list(a_round(f"T{table}", number)) for number in range(6)] for table in range(6)}
    log: list[Event] = []
    while any(waiting.values()):
        table = random.choice([table for table, left in waiting.items() if left])
        now = waiting[table][0 if random.random() < 0.8 else -1]
        event = now.pop(0)
        if not now:
            waiting[table].remove(now)
        if random.random() > 0.08:
            log.append(event)
        done = [event for event in log if type(event) is RoundClosed]
        if done and random.random() < 0.15:
            closed = random.choice(done)
            log.append(late(closed.round_id, closed.table_id, 4 + len(log)))
        if log and random.random() < 0.1:
            doubled = random.choice(log)
            if again or type(doubled) is not RoundOpened:
                log.append(doubled)
    return log


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("remembered", [3, 200_000])
def test_begun_again_anywhere_it_finds_the_same_audits_each_once(
    seed: int, remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)  # noqa: S311  # a test case, no secret
    # a RoundOpened that comes again is recognised only where its round is remembered
    again = seed % 2 == 0 and remembered > 3
    log = interleaved(random, again=again)
    whole = take(start(log), log, len(log))
    monkeypatch.setattr(rounds, "REMEMBERED", remembered)
    assert len({offset for offset, *_ in whole}) == len(whole) > 20
    for stop in range(0, len(log), 7):
        state = start(log)
        before = take(state, log, stop, random.randint(1, 7))
        state = start(log, state.oldest)
        state.look_back(0 if again else random.randint(0, len(log)))
        after = [due for due in take(state, log, len(log), random.randint(1, 7)) if due[0] >= stop]
        assert sorted(before + after) == whole
