"""Puts the events of a round in order and says what is missing, doubled, late or taken back. Identity comes first."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from events.model import Event, EventRetracted, RoundClosed, RoundOpened, RoundVoided, SettlementRecorded
from processors.kernel.settlement import Discrepancy

_LISTED: Final = 10
AFTER_CLOSE_OK = (EventRetracted, SettlementRecorded, RoundVoided)
"""What may come after the round closed: corrections append."""


class Ordered(NamedTuple):
    """The events to replay, what was found on the way to them, and the events that were taken back."""

    events: Sequence[Event]
    found: Sequence[Discrepancy]
    retracted: Sequence[Event] = ()


def put_in_order(events: Sequence[Event]) -> Ordered:
    """The events of one round as they arrived, put in the order of their sequence.

    The same identity twice with the same content is DUPLICATE and counts once; with other content CONFLICTING_FACT, and
    the first holds. Events taken back (EventRetracted) are left out.
    """
    last = events[-1]
    if type(last) is RoundClosed and last.sequence == len(events) - 1 and type(events[0]) is RoundOpened:
        for expected, event in enumerate(events):
            if event.sequence != expected or type(event) is EventRetracted:
                break
        else:
            return Ordered(events, ())
    return _put_in_order(events)


def _put_in_order(events: Sequence[Event]) -> Ordered:
    round_id = events[0].round_id
    found: list[Discrepancy] = []

    def find(kind: str, rests_on: Sequence[int], sentence: str) -> None:
        found.append(Discrepancy(kind, round_id, rests_on=tuple(rests_on), sentence=sentence))

    kept = _once(events, find)
    ordered = [kept[sequence] for sequence in sorted(kept)]
    arrived = list(kept)
    behind = [sequence for before, sequence in itertools.pairwise(arrived) if sequence < before]
    if behind:
        find("OUT_OF_ORDER", behind, f"Events arrived after later ones: sequence {_listed(behind)}.")
    _find_gaps(ordered, find)
    _check_end(ordered, find)
    standing = _without_retracted(ordered, find)
    kept_sequences = {event.sequence for event in standing}
    retracted = [e for e in ordered if e.sequence not in kept_sequences and type(e) is not EventRetracted]
    return Ordered(standing, found, retracted)


def _find_gaps(ordered: Sequence[Event], find: Callable[[str, Sequence[int], str], None]) -> None:
    """SEQUENCE_GAP over the events on both sides of each gap. A gap may be of two billion: it is never counted out."""
    shown: list[int] = []
    around: set[int] = set()
    missing, expected = 0, 0
    before: int | None = None
    for event in ordered:
        sequence = event.sequence
        if sequence > expected:
            around.update((sequence,) if before is None else (before, sequence))
            shown += range(expected, min(sequence, expected + _LISTED))
            missing += sequence - expected
        expected = max(expected, sequence + 1)
        before = sequence
    if missing:
        find("SEQUENCE_GAP", sorted(around), f"Events are missing: sequence {_listed(shown, missing)}.")


def _once(events: Sequence[Event], find: Callable[[str, Sequence[int], str], None]) -> dict[int, Event]:
    kept: dict[int, Event] = {}
    doubled: list[int] = []
    conflicting: list[int] = []
    for event in events:
        before = kept.get(event.sequence)
        if before is None:
            kept[event.sequence] = event
        elif type(before) is type(event) and before == event:
            doubled.append(event.sequence)
        else:
            conflicting.append(event.sequence)
    if doubled:
        find("DUPLICATE", doubled, f"The same event came more than once: sequence {_listed(doubled)}; each counts once.")
    if conflicting:
        find(
            "CONFLICTING_FACT",
            conflicting,
            f"Two different events have the same identity: sequence {_listed(conflicting)}; the first holds.",
        )
    return kept


def _check_end(ordered: Sequence[Event], find: Callable[[str, Sequence[int], str], None]) -> None:
    closed = [event.sequence for event in ordered if type(event) is RoundClosed]
    if not closed:
        find("NEVER_CLOSED", [ordered[-1].sequence], "The round was never closed.")
        return
    late = [event.sequence for event in ordered if event.sequence > closed[0] and not isinstance(event, AFTER_CLOSE_OK)]
    if late:
        find("LATE_EVENT", late, f"Events came after the round was closed: sequence {_listed(late)}.")


def _without_retracted(ordered: Sequence[Event], find: Callable[[str, Sequence[int], str], None]) -> list[Event]:
    retracted: set[int] = set()
    known = {event.sequence for event in ordered}
    for event in ordered:
        if isinstance(event, EventRetracted):
            if event.retracts not in known or event.retracts >= event.sequence:
                find(
                    "CONFLICTING_FACT",
                    [event.sequence],
                    f"Event {event.sequence} takes back event {event.retracts}, which is not before it in this round.",
                )
            else:
                retracted.add(event.retracts)
    return [event for event in ordered if event.sequence not in retracted and type(event) is not EventRetracted]


def _listed(sequences: Sequence[int], total: int = 0) -> str:
    """The first of the sequences; `total` says how many there are where not all of them are given."""
    shown = ", ".join(str(sequence) for sequence in sequences[:_LISTED])
    more = max(total, len(sequences)) - _LISTED
    return f"{shown} and {more} more" if more > 0 else shown
