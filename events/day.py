"""What a gaming day looks like in an event, a rule and a question: one spelling everywhere."""

from __future__ import annotations

import functools
from datetime import date


@functools.lru_cache(maxsize=10_000)
def is_day(text: str) -> bool:
    """Whether `text` is a day of the calendar as this product writes it, 2026-11-29."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
