"""A wager carried over from another one needs that other one: chips do not appear on the layout by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from processors.checks import Day, Finding
from processors.kernel.settlement import Discrepancy


def check(day: Day) -> Iterator[Finding]:
    """MISSING_PARENT for each wager carried from one that its table never had."""
    for wager in day.carried_wagers():
        if not wager.known:
            sentence = f"Wager {wager.wager_id} was carried from {wager.carried_from}, which was never placed at this table."
            yield Finding(
                wager.table_id,
                Discrepancy(
                    "MISSING_PARENT", wager.round_id, wager.wager_id, rests_on=(wager.placed_at,), sentence=sentence
                ),
            )
