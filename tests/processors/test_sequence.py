"""The order of a round's events: what is missing, doubled, late or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from events.model import (
    BettingClosed,
    Event,
    EventRetracted,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    WagerCalled,
)
from processors.sequence import Ordered, put_in_order


def envelope(sequence: int) -> tuple[str, str, int, int, str]:
    return ("r", "t", sequence, sequence, "")


def round_of(*middle: Event) -> list[Event]:
    opened = RoundOpened(*envelope(0), "craps", "us-ks-south-central", "2021-06-01", "USD")
    return [opened, *middle, RoundClosed(*envelope(len(middle) + 1))]


def kinds(ordered: Ordered) -> list[str]:
    return sorted(found.kind for found in ordered.found)


BETTING = BettingClosed(*envelope(1))
CALLED = WagerCalled(*envelope(2), "w", True)
PLAIN = round_of(BETTING, CALLED)


def test_a_whole_round_in_order_has_nothing_to_say() -> None:
    assert put_in_order(PLAIN) == Ordered(PLAIN, ())


def test_the_same_event_twice_counts_once() -> None:
    ordered = put_in_order([PLAIN[0], BETTING, BETTING, *PLAIN[2:]])
    assert kinds(ordered) == ["DUPLICATE"]
    assert list(ordered.events) == PLAIN


def test_of_two_events_with_one_identity_the_first_holds() -> None:
    other = CALLED._replace(working=False)
    ordered = put_in_order([*PLAIN[:3], other, PLAIN[3]])
    assert kinds(ordered) == ["CONFLICTING_FACT"]
    assert list(ordered.events) == PLAIN
    assert ordered.found[0].rests_on == (2,)


def test_two_types_with_the_same_fields_are_not_the_same_event() -> None:
    ordered = put_in_order([PLAIN[0], BETTING, RoundClosed(*envelope(1)), *PLAIN[2:]])
    assert kinds(ordered) == ["CONFLICTING_FACT"]


def test_events_that_arrive_late_are_replayed_in_their_place() -> None:
    ordered = put_in_order([PLAIN[0], CALLED, BETTING, PLAIN[3]])
    assert kinds(ordered) == ["OUT_OF_ORDER"]
    assert list(ordered.events) == PLAIN


def test_a_missing_event_is_a_gap_and_says_which() -> None:
    ordered = put_in_order([PLAIN[0], CALLED, PLAIN[3]])
    assert kinds(ordered) == ["SEQUENCE_GAP"]
    assert "sequence 1." in ordered.found[0].sentence
    assert ordered.found[0].rests_on == (0, 2)


def test_a_gap_of_two_billion_is_told_without_counting_it_out() -> None:
    last = 2**31 - 1
    ordered = put_in_order([PLAIN[0], BETTING._replace(sequence=4), RoundClosed(*envelope(last))])
    (gap,) = ordered.found
    assert (gap.kind, gap.rests_on) == ("SEQUENCE_GAP", (0, 4, last))
    # missing are 1 to 3 and 5 to 2147483646: 3 + 2147483642, of which ten are named
    assert gap.sentence == "Events are missing: sequence 1, 2, 3, 5, 6, 7, 8, 9, 10, 11 and 2147483635 more."


def test_without_its_first_events_a_round_has_a_gap_at_its_beginning() -> None:
    (gap,) = (found for found in put_in_order(PLAIN[2:]).found if found.kind == "SEQUENCE_GAP")
    assert (gap.rests_on, gap.sentence) == ((2,), "Events are missing: sequence 0, 1.")


def test_a_round_without_an_end_was_never_closed() -> None:
    assert kinds(put_in_order(PLAIN[:3])) == ["NEVER_CLOSED"]


def test_an_event_after_the_close_is_late_but_a_correction_is_not() -> None:
    late = BettingClosed(*envelope(4))
    assert kinds(put_in_order([*PLAIN, late])) == ["LATE_EVENT"]
    correction = [EventRetracted(*envelope(4), 2), SettlementRecorded(*envelope(5), "w", "WIN")]
    ordered = put_in_order([*PLAIN, *correction])
    assert kinds(ordered) == []
    assert list(ordered.events) == [PLAIN[0], BETTING, PLAIN[3], correction[1]]


def test_a_retraction_of_nothing_is_a_conflicting_fact() -> None:
    assert kinds(put_in_order([*PLAIN, EventRetracted(*envelope(4), 9)])) == ["CONFLICTING_FACT"]


@given(st.permutations(range(6)), st.lists(st.integers(0, 5), max_size=4))
def test_whatever_the_arrival_every_event_is_replayed_once_in_order(order: Sequence[int], again: list[int]) -> None:
    whole = round_of(*(WagerCalled(*envelope(n), "w", bool(n % 2)) for n in range(1, 5)))
    arrived = [whole[n] for n in order] + [whole[n] for n in again]
    assert list(put_in_order(arrived).events) == whole
