"""Hand-made rounds of the toy game, and a data folder to run the night over them.

The toy (tests/pipelines/toy.py): one throw; more than seven wins even money, seven ties, less loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb

from events.archive import Archive
from events.intake import events_of
from events.model import Event
from pipelines import night
from pipelines.night import ARCHIVE, Plan
from processors.checks import PropertyClock
from processors.rulebook import Rulebook
from tests.pipelines.toy import BOOK

TOY_FLOOR = Path(__file__).parent / "toy_floor"
DAY = "2026-11-29"
CLOCK = PropertyClock("UTC", 6)
RESULTS = ("rounds", "wagers", "settlements", "contributions", "discrepancies", "shoes", "dead_letters", "watermarks",
           "open_rounds", "intake")  # fmt: skip
"""Every table but the ledger, which gets a row a run."""


def opened(round_id: str, table: str = "T-01", at: str = f"{DAY}T21:10:00Z", **more: Any) -> dict[str, Any]:
    """A RoundOpened as an item of a script."""
    return {"type": "RoundOpened", "round_id": round_id, "table_id": table, "occurred_at": at, "source": "test",
            "game": "toy", "jurisdiction": "us-ks-south-central", "gaming_day": DAY, "currency": "USD", **more}  # fmt: skip


def round_of(
    round_id: str,
    table: str = "T-01",
    at: str = f"{DAY}T21:10:00Z",
    *,
    given: int = 2000,
    dice: Sequence[int] = (5, 6),
    patron: str = "P-1",
    dealer: str = "E-1",
    **more: Any,
) -> list[Event]:
    """A round of one wager of 10.00. Thrown 11 it wins even money: 10.00 and the stake are due; `given` is recorded."""
    result = "WIN" if sum(dice) > 7 else "LOSE"
    return events_of(
        [
            opened(round_id, table, at, dealer_id=dealer, **more),
            {"type": "WagerPlaced", "wager_id": "w1", "bet": "over", "amount_minor": 1000, "seat": 1, "patron_id": patron},
            {"type": "BettingClosed"},
            {"type": "DiceRolled", "dice": list(dice)},
            {"type": "SettlementRecorded", "wager_id": "w1", "result": result, "stake_returned_minor": min(given, 1000),
             "paid_minor": max(0, given - 1000)},
            {"type": "RoundClosed"},
        ],
        "test",
    )  # fmt: skip


def overpaid(round_id: str, table: str = "T-01", at: str = f"{DAY}T21:10:00Z", **more: Any) -> list[Event]:
    """The same round, given 25.00 where 20.00 was due: 5.00 too much."""
    return round_of(round_id, table, at, given=2500, **more)


def append(data: Path, *rounds: Iterable[Event]) -> Plan:
    """Append rounds to the archive of a data folder; the plan of a night over it."""
    with Archive(data / ARCHIVE, 4) as archive:
        archive.append([event for events in rounds for event in events])
    return Plan(data, clock=CLOCK, operator="tester", extra_games=(TOY_FLOOR,))


def run(data: Path, *rounds: Iterable[Event]) -> night.Night:
    """Append rounds and run the night."""
    return run_plan(append(data, *rounds))


def run_plan(plan: Plan, book: Rulebook = BOOK) -> night.Night:
    """Run the night under the toy's rules alone: loading those of every game takes seconds."""
    return night.run(plan, book=book)


def rows(data: Path, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Rows of the snapshot."""
    with duckdb.connect(data / "warehouse.snapshot.duckdb", read_only=True) as connection:
        return connection.execute(query, list(values)).fetchall()


def results(data: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the snapshot but the ledger."""
    return {table: rows(data, f"SELECT * FROM {table} ORDER BY ALL") for table in RESULTS}  # noqa: S608  # names of our own
