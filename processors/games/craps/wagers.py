"""The wagers of craps: what each is on the layout, and when it may be placed, changed and taken down."""

from __future__ import annotations

from typing import Any, Final

from events.model import WagerPlaced
from processors.kernel.game import Wager

LINE: Final = frozenset({"pass", "dont_pass"})
COME: Final = frozenset({"come", "dont_come"})
BASE_OF_ODDS: Final = {
    "pass_odds": "pass",
    "dont_pass_odds": "dont_pass",
    "come_odds": "come",
    "dont_come_odds": "dont_come",
    "put_odds": "put",
}
ON_NUMBER: Final = frozenset({"place", "buy", "lay", "put", "hardway", "big_six", "big_eight"})
ONE_ROLL: Final = frozenset(
    {
        "field",
        "any_seven",
        "any_craps",
        "craps_two",
        "craps_three",
        "craps_twelve",
        "eleven",
        "horn",
        "horn_high",
        "world",
        "three_way_craps",
        "hop",
        "craps_eleven",
        "high_low",
        "ace_deuce_any_craps",
    }
)
BONUS: Final = frozenset({"all_small", "all_tall", "make_em_all"})
BETS: Final = LINE | COME | frozenset(BASE_OF_ODDS) | ON_NUMBER | ONE_ROLL | BONUS | {"hot_shooter"}
WITHOUT_ON: Final = (ONE_ROLL - {"horn_high", "hop"}) | {"big_six", "big_eight"}
WITH_VIGORISH: Final = frozenset({"buy", "lay"})


class CrapsWager(Wager):
    """A wager on the layout.

    `working` is what it was called (None: never called); `number` the number it waits for, 0 while it has none; `base` the
    wager that odds hang on, `odds_on_it` the odds that hang on a base. `first`, `on_number` and `one_roll` are its plan.
    `missing` are the totals that a bonus wager still needs; `rolls_before` the rolls of the turn made before a hot shooter
    wager. `carried`: a buy or lay bet that is the same bet as before, carried over an ended turn; `fee_before_minor` is the
    vigorish that was paid for it there.
    """

    __slots__ = (
        "base",
        "carried",
        "fee_before_minor",
        "first",
        "missing",
        "number",
        "odds_on_it",
        "off_on_come_out",
        "on_number",
        "one_roll",
        "rolls_before",
        "working",
    )

    def __init__(self, event: WagerPlaced) -> None:
        super().__init__(event)
        self.working: bool | None = None
        self.number = 0
        self.off_on_come_out = False
        self.base: Any = None
        self.odds_on_it: list[CrapsWager] = []
        # a First, an OnNumber or a OneRoll: which of them it has follows from where on the layout it lies
        self.first: Any = None
        self.on_number: Any = None
        self.one_roll: Any = None
        self.missing: set[int] = set()
        self.rolls_before = 0
        self.carried = False
        self.fee_before_minor = 0


def combination(on: str) -> str:
    """A hop's combination with the lower die first, as `1-3` for `3-1`; what is no combination stays as it is."""
    low, dash, high = on.partition("-")
    return f"{high}-{low}" if dash and high < low else on
