"""Days and moments as events, rules and questions have them: one spelling and one range everywhere."""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
_LATEST_MICROS: Final = (LATEST - EPOCH) // timedelta(microseconds=1)


@functools.lru_cache(maxsize=10_000)
def is_day(text: str) -> bool:
    """Whether `text` is a day of the calendar as this product writes it, 2026-11-29."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def nearest_micros(micros: int) -> int:
    """The moment (microseconds UTC) nearest to `micros` that lies between 1970 and 2200.

    A broken clock or a damaged event may say anything that 64 bits hold; it is shown and filed under this moment.
    """
    return max(0, min(micros, _LATEST_MICROS))


def text_of(micros: int) -> str:
    """Microseconds UTC as ISO 8601, as `2021-06-01T18:00:00Z`."""
    return (EPOCH + timedelta(microseconds=nearest_micros(micros))).isoformat().replace("+00:00", "Z")


def micros_of(text: str) -> int:
    """ISO 8601 with an offset as microseconds UTC. Raises ValueError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as fault:
        raise ValueError("a time is written as 2021-06-01T18:00:00Z") from fault
    if moment.tzinfo is None:
        raise ValueError("a time needs its offset, as 2021-06-01T18:00:00Z")
    if not EPOCH <= moment <= LATEST:
        raise ValueError("a time lies between 1970 and 2200")
    return (moment - EPOCH) // timedelta(microseconds=1)
