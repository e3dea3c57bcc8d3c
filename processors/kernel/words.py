"""How what the rules and events name is said to a person."""

from __future__ import annotations


def spoken(name: str) -> str:
    """A bet, a row of a paytable or a state of a hand as a person says it: `three_card` is three card."""
    return name.replace("_", " ")
