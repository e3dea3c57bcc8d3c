"""Generic mistakes, planted in a house-correct round of any game.

The house was right, so what a settlement recorded is what was due: from that alone a planter knows how its mistake must
be found, and asks no engine. Each plants only where it knows every consequence; else it passes (None), and another round
gets the mistake.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from events.model import (
    BettingClosed,
    CardDealt,
    DiceRolled,
    Event,
    EventRetracted,
    FeeCollected,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    WagerChanged,
    WagerPlaced,
)
from processors.kernel.dealing import Planted
from processors.kernel.money import money_text

CHIPS_MINOR: Final = (100, 500, 2500)
PAYING: Final = ("WIN", "PUSH")


class Plant(NamedTuple):
    """A round with a mistake: its events as they arrive, what must be found, and what was done in a sentence."""

    events: Sequence[Event]
    planted: Sequence[Planted]
    done: str


Planter = Callable[["Round", Random], Plant | None]


class Round:
    """A house-correct round as a planter looks at it.

    `records` are the settlements of wagers that have exactly one, `stakes_minor` what lay on each wager at the end.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = list(events)
        self.stakes_minor: dict[str, int] = {}
        by_wager: dict[str, list[SettlementRecorded]] = {}
        for event in events:
            if isinstance(event, WagerPlaced | WagerChanged) and event.amount_minor:
                self.stakes_minor[event.wager_id] = event.amount_minor
            elif isinstance(event, SettlementRecorded):
                by_wager.setdefault(event.wager_id, []).append(event)
        self.records = [records[0] for records in by_wager.values() if len(records) == 1]
        self.results = {record.wager_id: record.result for record in self.records}

    @property
    def is_plain(self) -> bool:
        """Whether the record of the round is whole: opened first, closed last, every sequence once and in order."""
        first, last = self.events[0], self.events[-1]
        return (
            isinstance(first, RoundOpened)
            and isinstance(last, RoundClosed)
            and all(event.sequence == place for place, event in enumerate(self.events))
            and not any(isinstance(event, EventRetracted) for event in self.events)
        )

    def settled(self, *results: str, given: bool) -> list[SettlementRecorded]:
        """The settlements with one of these results that handed something over (or nothing)."""
        return [record for record in self.records if record.result in results and (_given(record) > 0) is given]

    def with_record(self, old: Event, new: Event) -> list[Event]:
        """The events with one put in the place of another."""
        events = list(self.events)
        events[old.sequence] = new
        return events

    def without(self, event: Event) -> list[Event]:
        """The events less one that never arrived."""
        return self.events[: event.sequence] + self.events[event.sequence + 1 :]

    def before_close(self, *more: Event) -> list[Event]:
        """The events with `more` before the round closes: those take the closing time and the next sequences."""
        *events, close = self.events
        for event in more:
            events.append(event._replace(sequence=len(events), occurred_at=close.occurred_at))
        return [*events, close._replace(sequence=len(events))]


def plant(name: str, events: Sequence[Event], random: Random) -> Plant | None:
    """Plant the mistake `name` of `MISTAKES` in a house-correct round; None where this round has no place for it."""
    found = Round(events)
    return MISTAKES[name](found, random) if found.is_plain else None


def correct_a_payment(events: Sequence[Event], random: Random) -> Sequence[Event]:
    """A wrong payment, taken back and paid rightly before the round closes: no mistake is left, and none may be found."""
    found = Round(events)
    records = found.settled(*PAYING, given=True) if found.is_plain else []
    if not records:
        return events
    right = random.choice(records)
    wrong = right._replace(paid_minor=right.paid_minor + random.choice(CHIPS_MINOR))
    taken_back = EventRetracted(
        right.round_id, right.table_id, 0, 0, right.source, right.sequence, "paid in error", "floor supervisor"
    )
    found.events[right.sequence] = wrong
    return found.before_close(taken_back, right)


# --- money ------------------------------------------------------------------------------------------------------------


def overpaid(found: Round, random: Random) -> Plant | None:
    """A chip too many."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    wrong = record._replace(paid_minor=record.paid_minor + random.choice(CHIPS_MINOR))
    return _paid(found, "OVERPAID", record, wrong)


def underpaid(found: Round, random: Random) -> Plant | None:
    """Less than was won, but something."""
    records = [record for record in found.settled("WIN", given=True) if record.paid_minor > 1]
    if not records:
        return None
    record = random.choice(records)
    short = random.choice([chip for chip in CHIPS_MINOR if chip < record.paid_minor] or [1])
    return _paid(found, "UNDERPAID", record, record._replace(paid_minor=record.paid_minor - short))


def unpaid(found: Round, random: Random) -> Plant | None:
    """A winning or tied wager taken as if it had lost."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    return _paid(found, "UNPAID", record, _nothing(record))


def paid_not_due(found: Round, random: Random) -> Plant | None:
    """A losing wager paid even money, stake included."""
    records = found.settled("LOSE", given=False)
    if not records:
        return None
    record = random.choice(records)
    stake = found.stakes_minor[record.wager_id]
    return _paid(found, "PAID_NOT_DUE", record, record._replace(result="WIN", paid_minor=stake, stake_returned_minor=stake))


def not_collected(found: Round, random: Random) -> Plant | None:
    """A losing wager's stake left with the patron."""
    records = found.settled("LOSE", given=False)
    if not records:
        return None
    record = random.choice(records)
    wrong = record._replace(result="PUSH", stake_returned_minor=found.stakes_minor[record.wager_id])
    return _paid(found, "NOT_COLLECTED", record, wrong)


def paid_twice(found: Round, random: Random) -> Plant | None:
    """The same payment a second time."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    due = _given(record)
    done = f"Wager {record.wager_id} was paid its {money_text(due)} a second time."
    return Plant(found.before_close(record), [Planted("PAID_TWICE", record.wager_id, due, 2 * due)], done)


def wrong_payee(found: Round, random: Random) -> Plant | None:
    """The right sum to the wrong person: the dealer's to the patron, or the patron's to the dealer."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    wrong = record._replace(paid_to="PATRON" if record.paid_to == "DEALER" else "DEALER")
    due = _given(record)
    done = f"The {money_text(due)} of wager {record.wager_id} went to the {wrong.paid_to.lower()}."
    return Plant(found.with_record(record, wrong), [Planted("WRONG_PAYEE", record.wager_id, due, due)], done)


def fee_wrong(found: Round, random: Random) -> Plant | None:
    """A fee collected a chip too high."""
    per_wager = [event for event in found.events if isinstance(event, FeeCollected) and event.wager_id]
    once = [fee for fee in per_wager if sum(other.wager_id == fee.wager_id for other in per_wager) == 1]
    fees = [fee for fee in once if found.results.get(fee.wager_id) in ("WIN", "LOSE", "PUSH")]
    if not fees:
        return None
    fee = random.choice(fees)
    collected = fee.amount_minor + random.choice(CHIPS_MINOR)
    done = f"A fee of {money_text(collected)} was taken on wager {fee.wager_id} in place of {money_text(fee.amount_minor)}."
    events = found.with_record(fee, fee._replace(amount_minor=collected))
    return Plant(events, [Planted("FEE_WRONG", fee.wager_id, fee.amount_minor, collected)], done)


# --- the record -------------------------------------------------------------------------------------------------------


def result_lost(found: Round, random: Random) -> Plant | None:
    """The record of a payment never arrived: a gap, and nothing shows that the wager was paid."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    planted = [Planted("SEQUENCE_GAP"), Planted("UNPAID", record.wager_id, _given(record), 0)]
    return Plant(found.without(record), planted, f"The record of the payment of wager {record.wager_id} was lost.")


def losing_result_lost(found: Round, random: Random) -> Plant | None:
    """The record of a lost wager never arrived: a gap, and a wager without a result."""
    records = found.settled("LOSE", given=False)
    if not records:
        return None
    record = random.choice(records)
    planted = [Planted("SEQUENCE_GAP"), Planted("WAGER_WITHOUT_RESULT", record.wager_id)]
    return Plant(found.without(record), planted, f"The record of the loss of wager {record.wager_id} was lost.")


def closing_of_betting_lost(found: Round, random: Random) -> Plant | None:
    """The call of no more bets never arrived: a gap, and no more, where a card or the throw came next and closed betting."""
    calls = [
        event
        for event, after in itertools.pairwise(found.events)
        if isinstance(event, BettingClosed) and isinstance(after, CardDealt | DiceRolled)
    ]
    if not calls:
        return None
    call = random.choice(calls)
    return Plant(found.without(call), [Planted("SEQUENCE_GAP")], f"Event {call.sequence}, no more bets, was lost.")


def opening_lost(found: Round, random: Random) -> Plant | None:
    """The opening never arrived: nothing says which game and which rules, so the round cannot be audited."""
    planted = [Planted("SEQUENCE_GAP"), Planted("INCOMPLETE_ROUND")]
    return Plant(found.events[1:], planted, "The opening of the round was lost.")


def event_doubled(found: Round, random: Random) -> Plant | None:
    """An event sent again, as a source does that saw no acknowledgement."""
    place = random.randrange(len(found.events) - 1)
    again = random.randrange(place + 1, len(found.events))
    events = [*found.events[:again], found.events[place], *found.events[again:]]
    return Plant(events, [Planted("DUPLICATE")], f"Event {place} was sent twice.")


def events_reordered(found: Round, random: Random) -> Plant | None:
    """Two neighbours arrived the wrong way round; their sequence still says which came first."""
    if len(found.events) < 4:
        return None
    place = random.randrange(1, len(found.events) - 2)
    events = list(found.events)
    events[place], events[place + 1] = events[place + 1], events[place]
    return Plant(events, [Planted("OUT_OF_ORDER")], f"Event {place + 1} arrived before event {place}.")


def never_closed(found: Round, random: Random) -> Plant | None:
    """The closing of the round was never recorded; all else was."""
    return Plant(found.events[:-1], [Planted("NEVER_CLOSED")], "The round was never closed.")


def late_event(found: Round, random: Random) -> Plant | None:
    """Something was said of the round after it had closed."""
    close = found.events[-1]
    late = BettingClosed(close.round_id, close.table_id, close.sequence + 1, close.occurred_at + 5_000_000, close.source)
    return Plant([*found.events, late], [Planted("LATE_EVENT")], "No more bets was called after the round had closed.")


def conflicting_fact(found: Round, random: Random) -> Plant | None:
    """A settlement told a second time, differently, under the same identity. The first holds."""
    if not found.records:
        return None
    record = random.choice(found.records)
    other = record._replace(paid_minor=record.paid_minor + random.choice(CHIPS_MINOR))
    events = [*found.events[: record.sequence + 1], other, *found.events[record.sequence + 1 :]]
    done = f"Event {record.sequence} came a second time and said {money_text(other.paid_minor)} paid on {record.wager_id}."
    return Plant(events, [Planted("CONFLICTING_FACT")], done)


def result_without_wager(found: Round, random: Random) -> Plant | None:
    """A payment on a wager that nobody placed."""
    if not found.records:
        return None
    record = random.choice(found.records)
    chip = random.choice(CHIPS_MINOR)
    stray = record._replace(
        wager_id=_unplaced(found, record.wager_id), result="WIN", paid_minor=chip, stake_returned_minor=chip,
        no_action_minor=0, fee_returned_minor=0, free_tickets=0, paid_to="PATRON",
    )  # fmt: skip
    done = f"{money_text(2 * chip)} was given on wager {stray.wager_id}, which nobody placed."
    return Plant(found.before_close(stray), [Planted("RESULT_WITHOUT_WAGER", stray.wager_id, 0, 2 * chip)], done)


def booked_on_wrong_wager(found: Round, random: Random) -> Plant | None:
    """A payment booked under a number that is no wager's: one result too many, and a winning wager without payment."""
    records = found.settled(*PAYING, given=True)
    if not records:
        return None
    record = random.choice(records)
    due, number = _given(record), _unplaced(found, record.wager_id)
    planted = [Planted("RESULT_WITHOUT_WAGER", number, 0, due), Planted("UNPAID", record.wager_id, due, 0)]
    done = f"The {money_text(due)} of wager {record.wager_id} was booked on {number}, which nobody placed."
    return Plant(found.with_record(record, record._replace(wager_id=number)), planted, done)


MISTAKES: Final[Mapping[str, Planter]] = {
    planter.__name__: planter
    for planter in (
        overpaid, underpaid, unpaid, paid_not_due, not_collected, paid_twice, wrong_payee, fee_wrong,
        result_lost, losing_result_lost, closing_of_betting_lost, opening_lost, event_doubled, events_reordered,
        never_closed, late_event, conflicting_fact, result_without_wager, booked_on_wrong_wager,
    )
}  # fmt: skip
"""Every generic mistake by name."""


def _paid(found: Round, kind: str, right: SettlementRecorded, wrong: SettlementRecorded) -> Plant:
    due, given = _given(right), _given(wrong)
    done = f"{money_text(given)} was given on wager {right.wager_id} in place of {money_text(due)}."
    return Plant(found.with_record(right, wrong), [Planted(kind, right.wager_id, due, given)], done)


def _nothing(record: SettlementRecorded) -> SettlementRecorded:
    return record._replace(
        result="LOSE", paid_minor=0, stake_returned_minor=0, no_action_minor=0, fee_returned_minor=0, free_tickets=0
    )


def _given(record: SettlementRecorded) -> int:
    return record.paid_minor + record.stake_returned_minor + record.no_action_minor + record.fee_returned_minor


def _unplaced(found: Round, wager_id: str) -> str:
    number = f"{wager_id}9"
    while number in found.stakes_minor:
        number += "9"
    return number
