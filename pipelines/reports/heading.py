"""What a regulator asks of every report (58 Pa. Code 811a.9(a)): its title, versions, period, time, filters and operator."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Heading(NamedTuple):
    """The heading of a report; `generated_at` in the property's local time, with its zone in `time_zone`."""

    title: str
    system: str
    definition: str
    period: str
    generated_at: datetime
    time_zone: str
    filters: str
    operator: str

    def lines(self) -> list[tuple[str, str]]:
        """The heading as pairs of a name and what it says."""
        return [
            ("Title", self.title),
            ("System", self.system),
            ("Report definition", self.definition),
            ("Period", self.period),
            ("Generated at", f"{self.generated_at:%Y-%m-%d %H:%M:%S} {self.time_zone}"),
            ("Filters", self.filters),
            ("Operator", self.operator),
        ]


class Reconciliation(NamedTuple):
    """Events of the period: what was read from the log, and what became of it (58 Pa. Code 811a.9(a)(10))."""

    events_in: int
    audited: int
    dead: int
    still_open: int

    @property
    def balances(self) -> bool:
        """Whether every event is accounted for."""
        return self.events_in == self.audited + self.dead + self.still_open

    def __str__(self) -> str:
        line = (
            f"{self.events_in:,} events in = {self.audited:,} audited + {self.dead:,} dead-lettered"
            f" + {self.still_open:,} in open rounds"
        )
        return line if self.balances else f"DOES NOT BALANCE: {line.replace(' = ', ' is not ')}"
