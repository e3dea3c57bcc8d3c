"""Audited rounds as Arrow tables: the form in which the warehouse takes them and worker processes hand them over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from events.model import Event, EventRetracted, RoundOpened, SettlementRecorded, WagerPlaced
from events.times import nearest_micros
from pipelines.audit import AuditedRound, DeadEntry, OpenRound, RoundKey
from pipelines.warehouse.shoes import shoe_rows
from pipelines.warehouse.tables import ROUND_ORIGIN, ROUND_TABLES
from processors.checks import PropertyClock
from processors.kernel.settlement import Discrepancy, RoundAudit
from processors.sequence import put_in_order

Tables = Mapping[str, pa.Table]
Row = tuple[Any, ...]


class Batch(NamedTuple):
    """What was read of a partition up to `next_offset`: `entries` entries of the log since the batch before, rounds as Arrow
    tables, dead letters, and the rounds open there."""

    partition: int
    next_offset: int
    entries: int
    tables: Tables
    dead: Sequence[DeadEntry]
    open_rounds: Sequence[OpenRound]


class BatchBuilder:
    """Collects rounds, each key at most once, until `take` makes tables of them."""

    def __init__(self, clock: PropertyClock) -> None:
        self.events = 0
        self.keys: set[RoundKey] = set()
        self._clock = clock
        self._rows: dict[str, list[Row]] = {name: [] for name in ROUND_TABLES}

    def add(self, audited: AuditedRound) -> None:
        """Take a round in."""
        audit, read = audited
        day = audit.gaming_day or self._clock.gaming_day(audit.opened_at)
        self.events += len(read.events)
        self.keys.add((audit.table_id, audit.round_id))
        rows = self._rows
        key = (audit.round_id, audit.table_id)
        wagers = _wager_rows(key, day, read.events)
        rows["wagers"] += wagers
        rows["settlements"] += [
            (*key, s.wager_id, s.bet, s.result, s.paid_minor, s.paid_to, s.stake_returned_minor, s.no_action_minor,
             s.fee_minor, s.fee_returned_minor, s.free_tickets, s.pool_shares, s.prize, s.decided_at, *s.cite)
            for s in audit.settlements
        ]  # fmt: skip
        if audit.contributions:
            rows["contributions"] += [
                (*key, c.progressive_id, c.wager_id, c.amount_micro, *c.cite) for c in audit.contributions
            ]
        found = 0
        if audit.discrepancies:
            discrepancies = _discrepancy_rows(audit, day, read.events)
            found = len(discrepancies)
            rows["discrepancies"] += discrepancies
        standing = put_in_order(read.events).events
        opened = standing[0] if standing else None
        if type(opened) is RoundOpened and opened.shoe_id:
            rows["shoes"] += [(*key, day, audit.opened_at, *row) for row in shoe_rows(opened, standing)]
        rows["rounds"].append(
            (*key, audit.game, audit.jurisdiction, day, audit.currency, audit.revision, audit.opened_at, audit.closed_at,
             audit.dealer_id, "CLOSED" if read.closed else "OPEN", audit.events, len(wagers),
             sum(row[_AMOUNT] for row in wagers), found, read.partition, read.first_offset, read.last_offset,
             audit.rulebook_digest, audit.code_digest, read.fresh)
        )  # fmt: skip

    def take(self) -> Tables:
        """The tables of what was collected; the builder is empty then."""
        tables = {name: to_table(name, rows) for name, rows in self._rows.items()}
        self.events = 0
        self.keys.clear()
        for rows in self._rows.values():
            rows.clear()
        return tables


def to_table(name: str, rows: Sequence[Row]) -> pa.Table:
    """Rows of the table `name` as Arrow."""
    schema = ROUND_TABLES[name]
    if not rows:
        return schema.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table([_column(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)


def _column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_timestamp(kind):
        values = [nearest_micros(value) for value in values]
    try:
        return pa.array(values, kind)
    except (OverflowError, pa.ArrowInvalid):
        if not pa.types.is_integer(kind):
            raise
        # an absurd amount in the log must not keep the day from being loaded: the largest number stands for it
        limit = 2 ** (kind.bit_width - 1)
        return pa.array([max(-limit, min(limit - 1, value)) for value in values], kind)


_AMOUNT = ROUND_TABLES["wagers"].get_field_index("amount_minor")


def _wager_rows(key: Row, day: str, events: Iterable[Event]) -> list[Row]:
    placed: dict[str, WagerPlaced] = {}
    recorded: dict[str, dict[int, int]] = {}
    retracted: set[int] = set()
    for event in events:
        kind = type(event)
        if kind is WagerPlaced:
            placed.setdefault(event.wager_id, event)  # type: ignore[union-attr, arg-type]  # known by its type
        elif kind is SettlementRecorded:
            # by sequence: the same record twice counts once
            recorded.setdefault(event.wager_id, {}).setdefault(event.sequence, _handed_over(event))  # type: ignore[union-attr, arg-type]  # known by its type
        elif kind is EventRetracted:
            retracted.add(event.retracts)  # type: ignore[union-attr]  # known by its type
    return [
        (*key, day, w.wager_id, w.seat, w.patron_id, w.bet, w.on, w.amount_minor, w.tender, w.parent, w.carried_from,
         w.for_dealer, w.sequence,
         sum(minor for sequence, minor in recorded.get(w.wager_id, {}).items() if sequence not in retracted))
        for w in placed.values()
        if w.sequence not in retracted
    ]  # fmt: skip


def _handed_over(event: SettlementRecorded) -> int:
    return event.paid_minor + event.stake_returned_minor + event.no_action_minor + event.fee_returned_minor


def _discrepancy_rows(audit: RoundAudit, day: str, events: Sequence[Event]) -> list[Row]:
    times = {event.sequence: event.occurred_at for event in events}
    return [
        discrepancy_row(audit.table_id, day, audit.game, audit.dealer_id, found,
                        max((times[n] for n in found.rests_on if n in times), default=audit.opened_at), ROUND_ORIGIN)
        for found in _once_each(audit.discrepancies)
    ]  # fmt: skip


def discrepancy_row(
    table_id: str, day: str, game: str, dealer_id: str, found: Discrepancy, occurred_at: int, origin: str
) -> Row:
    """A discrepancy as a row of its table; `occurred_at` in microseconds UTC."""
    return (
        found.id, found.round_id, table_id, day, game, dealer_id, found.wager_id, found.kind, found.severity,
        found.due_minor, found.recorded_minor, found.delta_minor, found.favours, *found.cite,
        list(found.rests_on), found.sentence, occurred_at, origin,
    )  # fmt: skip


def _once_each(found: Sequence[Discrepancy]) -> Iterable[Discrepancy]:
    """Findings of one kind about one wager are one discrepancy, with all their sentences and events."""
    by_id: dict[tuple[str, str], Discrepancy] = {}
    for discrepancy in found:
        key = (discrepancy.kind, discrepancy.wager_id)
        before = by_id.get(key)
        by_id[key] = discrepancy if before is None else _joined(before, discrepancy)
    return by_id.values()


def _joined(first: Discrepancy, second: Discrepancy) -> Discrepancy:
    sentences = first.sentence if second.sentence == first.sentence else f"{first.sentence} {second.sentence}"
    rests_on = tuple(sorted({*first.rests_on, *second.rests_on}))
    return first._replace(sentence=sentences, rests_on=rests_on)
