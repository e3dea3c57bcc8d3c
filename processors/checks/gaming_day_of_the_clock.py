"""The gaming day that the source says, held against the property's time zone and the hour at which its day begins.

A device with a wrong clock or a wrong date moves revenue from one day's report to another's.
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.checks import Day, Finding
from processors.kernel.settlement import Discrepancy


def check(day: Day) -> Iterator[Finding]:
    """GAMING_DAY_DIFFERS for each round of the day that by the property's clock opened on another."""
    for opened in day.rounds():
        by_clock = day.clock.gaming_day(opened.opened_at)
        if by_clock != opened.gaming_day:
            local = day.clock.local(opened.opened_at)
            sentence = (
                f"The source says gaming day {opened.gaming_day or '(none)'}; "
                f"{local:%Y-%m-%d %H:%M} {day.clock.time_zone} is gaming day {by_clock}."
            )
            yield Finding(
                opened.table_id, Discrepancy("GAMING_DAY_DIFFERS", opened.round_id, rests_on=(0,), sentence=sentence)
            )
