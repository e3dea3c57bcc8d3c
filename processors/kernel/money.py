"""Money: the one function that divides it, and how people read it. Amounts are minor units."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction


class Rounding(Enum):
    """Which way a division of money goes; each use names the paragraph or reading that orders it."""

    NEAREST = "nearest"
    """To the nearest unit, half a unit up: what "exact cents" comes to where the last cent is split."""
    UP = "up"
    DOWN = "down"


def divide(amount: int | Fraction, divisor: int = 1, *, rounding: Rounding, unit_minor: int = 1) -> int:
    """`amount / divisor` in minor units, rounded to a multiple of `unit_minor` in the named direction.

    The only place where money is divided. `amount` is not negative.
    """
    if isinstance(amount, Fraction):
        top, bottom = amount.numerator, amount.denominator * divisor * unit_minor
    else:
        top, bottom = amount, divisor * unit_minor
    if rounding is Rounding.DOWN:
        units = top // bottom
    elif rounding is Rounding.UP:
        units = -(-top // bottom)
    else:
        units = (2 * top + bottom) // (2 * bottom)
    return units * unit_minor


def money_text(minor: int) -> str:
    """An amount in minor units as people read it, with two decimals."""
    return f"-{money_text(-minor)}" if minor < 0 else f"{minor // 100:,}.{minor % 100:02d}"
