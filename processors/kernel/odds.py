"""Odds."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator

_WORDS = re.compile(r"(\d+(?:\.\d+)?) (to|for) (\d+)")


class Odds(NamedTuple):
    """What a winning wager pays: `win` times the stake; `keeps_stake` says whether the stake comes back as well.

    "3 to 2" is (3/2, True): the stake comes back. "500 for 1" is (500, False): the stake is already gone.
    """

    win: Fraction
    keeps_stake: bool = True

    @staticmethod
    def parse(text: str) -> Odds:
        """The odds written as `3 to 2`, `500 for 1` or `2.5 to 1`. Raises ValueError."""
        found = _WORDS.fullmatch(text) if isinstance(text, str) else None
        if found is None or int(found[3]) == 0:
            raise ValueError('odds are written as "3 to 2" or "500 for 1"')
        return Odds(Fraction(found[1]) / int(found[3]), found[2] == "to")

    def __str__(self) -> str:
        return f"{self.win.numerator} {'to' if self.keeps_stake else 'for'} {self.win.denominator}"


def _odds(value: Any) -> Odds:
    return value if isinstance(value, Odds) else Odds.parse(value)


OddsText = Annotated[Odds, BeforeValidator(_odds)]
"""Odds in a rule file, as pydantic reads them."""
