"""What a craps dealer knows by heart: the sums of the house, done on one bet at a time and apart from the engine.

These sums are for dealing only. What is due is decided by the rule files and the engine; if the two ever disagree, a
simulated night shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

BOX: Final = (4, 5, 6, 8, 9, 10)
PLACE: Final = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
TRUE: Final = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
HARD: Final = {4: 7, 6: 9, 8: 9, 10: 7}
POWER_HARD: Final = {4: 10, 6: 13, 8: 13, 10: 10}
FIELD: Final = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}
HOT: Final = ((50, 100), (45, 30), (40, 12), (32, 7), (24, 5), (16, 3), (8, 1))


@dataclass
class Chips:
    """Chips on the layout. `number` is the one that they wait for, 0 while there is none; `seen` the totals since then."""

    id: str
    seat: int
    bet: str
    amount: int
    number: int = 0
    on: str = ""
    base: str = ""
    tip: bool = False
    seen: frozenset[int] = frozenset()
    maximum: int = 0

    @property
    def action(self) -> int:
        """What of it has action."""
        return min(self.amount, self.maximum) if self.maximum else self.amount


class Throw(NamedTuple):
    """A throw as the dealer sees it: the dice, the point before it, the rolls before it, and whether the light is on."""

    a: int
    b: int
    point: int
    rolls: int
    power: bool

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return self.a + self.b

    @property
    def seven_out(self) -> bool:
        """Whether it ends the turn."""
        return self.total == 7 and self.point > 0


class Call(NamedTuple):
    """What the dealer does with a bet: the result, what is paid and how much of the stake goes back."""

    result: str
    paid: int = 0
    back: int = 0


LOST: Final = Call("LOSE")


def won(stake: int, odds: tuple[int, int]) -> Call:
    """Paid at odds, the stake goes back; dealers' sums come out even because players bet in units that do."""
    return Call("WIN", stake * odds[0] // odds[1], stake)


def call(chips: Chips, throw: Throw) -> Call | None:
    """What the throw does to a bet, or None where it stays as it is."""
    bet = chips.bet
    if bet in ("pass", "come"):
        return _right(chips, throw)
    if bet in ("dont_pass", "dont_come"):
        return _wrong(chips, throw)
    if bet in ("place", "buy", "lay", "hardway"):
        return _number(chips, throw)
    if bet.endswith("_odds"):
        return _odds(chips, throw)
    if bet in ("all_small", "all_tall"):
        return _small_or_tall(chips, throw)
    if bet == "hot_shooter":
        return _hot(chips, throw)
    return _prop(chips, throw)


def _right(chips: Chips, throw: Throw) -> Call | None:
    total = throw.total
    if chips.number:
        return won(chips.action, (1, 1)) if total == chips.number else LOST if total == 7 else None
    if total in (7, 11):
        return won(chips.action, (1, 1))
    return LOST if total in (2, 3, 12) else None


def _wrong(chips: Chips, throw: Throw) -> Call | None:
    total = throw.total
    if chips.number:
        return won(chips.action, (1, 1)) if total == 7 else LOST if total == chips.number else None
    if total in (2, 3):
        return won(chips.action, (1, 1))
    if total == 12:
        return Call("VOID", 0, chips.action)
    return LOST if total in (7, 11) else None


def _number(chips: Chips, throw: Throw) -> Call | None:
    total, number = throw.total, chips.number
    if total not in (7, number) or (throw.point == 0 and chips.bet in ("place", "hardway")):
        return None
    if chips.bet == "lay":
        over, under = TRUE[number]
        return won(chips.action, (under, over)) if total == 7 else LOST
    if total == 7 or (chips.bet == "hardway" and throw.a != throw.b):
        return LOST
    if chips.bet == "hardway":
        return won(chips.action, ((POWER_HARD if throw.power else HARD)[number], 1))
    return won(chips.action, (PLACE if chips.bet == "place" else TRUE)[number])


def _odds(chips: Chips, throw: Throw) -> Call | None:
    total, number = throw.total, chips.number
    if total not in (7, number):
        return None
    if chips.bet == "come_odds" and throw.point == 0:
        return Call("PUSH", 0, chips.action)
    over, under = TRUE[number]
    if chips.bet.startswith("dont"):
        return won(chips.action, (under, over)) if total == 7 else LOST
    return won(chips.action, (over, under)) if total == number else LOST


def _small_or_tall(chips: Chips, throw: Throw) -> Call | None:
    wanted = {2, 3, 4, 5, 6} if chips.bet == "all_small" else {8, 9, 10, 11, 12}
    if throw.total == 7:
        return LOST
    return won(chips.action, (34, 1)) if wanted <= chips.seen | {throw.total} else None


def _hot(chips: Chips, throw: Throw) -> Call | None:
    if not throw.seven_out:
        return None
    for rolls, times in HOT:
        if throw.rolls >= rolls:
            return won(chips.action, (times, 1))
    return LOST


def _prop(chips: Chips, throw: Throw) -> Call:
    """The bets on the next roll."""
    total, stake, power = throw.total, chips.action, throw.power
    if chips.bet == "field":
        return won(stake, (FIELD[total], 1)) if total in FIELD else LOST
    if chips.bet == "any_seven":
        return won(stake, (13, 2) if power else (4, 1)) if total == 7 else LOST
    if chips.bet == "any_craps":
        return won(stake, (10 if power else 7, 1)) if total in (2, 3, 12) else LOST
    if chips.bet == "eleven":
        return won(stake, (22 if power else 15, 1)) if total == 11 else LOST
    if chips.bet == "hop":
        if sorted((throw.a, throw.b)) != sorted(int(die) for die in chips.on.split("-")):
            return LOST
        pair = throw.a == throw.b
        return won(stake, ((46 if pair else 22) if power else (30 if pair else 15), 1))
    if chips.bet == "craps_eleven":
        half = stake // 2
        if total in (2, 3, 12):
            return Call("WIN", half * (10 if power else 7), half)
        return Call("WIN", half * (22 if power else 15), half) if total == 11 else LOST
    quarter = stake // 4  # a horn
    if total in (2, 12):
        return Call("WIN", quarter * (46 if power else 30), quarter)
    return Call("WIN", quarter * (22 if power else 15), quarter) if total in (3, 11) else LOST
