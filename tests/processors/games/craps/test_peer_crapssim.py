"""The engine against crapssim, a craps simulator by other people: the same dice and wagers, wager by wager.

Both must decide each wager at the same roll and come to the same net. Where the rules differ, `DIFFERENCES` says how, with
the paragraph that orders ours, and shows both; the turns are played so that all the rest can be compared: at theirs buy,
lay and put bets and put odds always work, vigorish is not rounded (and staked so that it is whole dollars) and all, tall
and small pay ours; at ours hardways are called on. A winning place bet, which stays up there, is taken off on both sides.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from events.model import BettingClosed, DiceRolled, Event, RoundClosed, RoundOpened, WagerCalled, WagerPlaced
from processors import rulebook
from processors.games.craps.wagers import BETS
from processors.replay import audit_round

bet = pytest.importorskip("crapssim.bet")
table_module = pytest.importorskip("crapssim.table")

TURNS = 2000
BOX = (4, 5, 6, 8, 9, 10)
UNKNOWN_THERE = {"horn_high", "three_way_craps", "high_low", "ace_deuce_any_craps", "hot_shooter"}


class Pair(NamedTuple):
    """One wager as each of the two has it. `made` makes crapssim's; `called_on` where ours needs the button."""

    ours: str
    on: str
    amount: int
    made: Any
    parent: str = ""
    called_on: bool = False


@functools.cache
def book() -> rulebook.Rulebook:
    return rulebook.load()


def one_roll(random: Random) -> Pair:
    """A wager on the next roll."""
    amount = 100 * random.randint(1, 20)
    simple = {
        "field": bet.Field,
        "any_seven": bet.Any7,
        "any_craps": bet.AnyCraps,
        "craps_two": bet.Two,
        "craps_three": bet.Three,
        "craps_twelve": bet.Boxcars,
        "eleven": bet.Yo,
    }
    split = {"horn": (bet.Horn, 4), "world": (bet.World, 5), "craps_eleven": (bet.CAndE, 2)}
    kind = random.choice([*simple, *split, "hop"])
    if kind == "hop":
        while not 4 <= sum(dice := [random.randint(1, 6), random.randint(1, 6)]) <= 10:
            pass
        return Pair("hop", f"{dice[0]}-{dice[1]}", amount, bet.Hop((dice[0], dice[1]), amount / 100))
    if kind in split:
        made, units = split[kind]
        return Pair(kind, "", amount * units, made(amount * units / 100))
    return Pair(kind, "", amount, simple[kind](amount / 100))


def on_number(random: Random, point: int) -> Pair:
    """A wager on a number; stakes come out even."""
    n = random.choice(BOX)
    times = random.randint(1, 5)
    kind = random.choice(["place", "buy", "lay", "put", "hardway", "big_six", "big_eight"])
    if kind == "place":
        amount = times * {4: 500, 5: 500, 6: 600}.get(min(n, 14 - n), 500)
        return Pair(kind, str(n), amount, bet.Place(n, amount / 100))
    if kind == "buy":
        return Pair(kind, str(n), 2000 * times, bet.Buy(n, 20 * times, always_working=True))
    if kind == "lay":
        amount = times * {4: 4000, 5: 3000, 6: 2400}[min(n, 14 - n)]
        return Pair(kind, str(n), amount, bet.Lay(n, amount / 100, always_working=True))
    if kind == "put" and point:
        return Pair(kind, str(n), 500 * times, bet.Put(n, 5 * times, always_working=True))
    if kind == "hardway":
        hard = random.choice((4, 6, 8, 10))
        return Pair(kind, str(hard), 500 * times, bet.HardWay(hard, 5 * times), called_on=True)
    if kind == "big_six":
        return Pair(kind, "", 500 * times, bet.Big6(5 * times))
    return Pair("big_eight", "", 500 * times, bet.Big8(5 * times))


def line(random: Random, point: int) -> Pair:
    """A line bet before the point, a come bet after it."""
    amount = 500 * random.randint(1, 10)
    wrong = random.random() < 0.4
    if point:
        made = bet.DontCome if wrong else bet.Come
        return Pair("dont_come" if wrong else "come", "", amount, made(amount / 100))
    return Pair("dont_pass" if wrong else "pass", "", amount, (bet.DontPass if wrong else bet.PassLine)(amount / 100))


def odds(random: Random, parent: str, base: Pair, point: int) -> Pair | None:
    """Odds behind a bet that has its number."""
    kinds = {
        "pass": bet.PassLine,
        "dont_pass": bet.DontPass,
        "come": bet.Come,
        "dont_come": bet.DontCome,
        "put": bet.Put,
    }
    if base.ours not in kinds:
        return None
    number = int(base.on) if base.ours == "put" else point if base.ours.endswith("pass") else base.made.number
    if not number:
        return None
    unit = {4: 2000, 5: 3000, 6: 6000}[min(number, 14 - number)] if base.ours.startswith("dont") else 1000
    amount = unit * random.randint(1, 4)
    working = True if base.ours == "put" else None
    made = bet.Odds(kinds[base.ours], number, amount / 100, always_working=working)
    return Pair(f"{base.ours}_odds", "", amount, made, parent)


def bonus(random: Random) -> Pair:
    """All, tall or small, before the first roll."""
    kind, made = random.choice([("all_small", bet.Small), ("all_tall", bet.Tall), ("make_em_all", bet.All)])
    return Pair(kind, "", 500, made(5))


class Played:
    """One turn, played at a table of crapssim's and written down in our events."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - a seeded game, no secret
        self.table = table_module.Table()
        self.table.settings["vig_rounding"] = "none"
        self.table.settings["ATS_payouts"] = {"all": 175, "tall": 34, "small": 34}
        self.player = self.table.add_player(10**9)
        self.events: list[Event] = []
        self.open: dict[str, Pair] = {}
        self.theirs: dict[str, tuple[int, int]] = {}
        self.say(RoundOpened, game="craps", jurisdiction="us-ks-south-central", gaming_day="2021-06-01", currency="USD")
        ended = False
        while not ended:
            for pair in self.wagers():
                self.place(pair)
            self.say(BettingClosed)
            ended = self.roll()
        self.say(RoundClosed)

    def say(self, event_type: Any, **fields: Any) -> None:
        self.events.append(event_type("turn", "CR-01", len(self.events), len(self.events), "test", **fields))

    def wagers(self) -> Iterator[Pair]:
        point = self.table.point.number or 0
        for _ in range(self.random.randint(0, 3)):
            yield one_roll(self.random)
        for _ in range(self.random.randint(0, 2)):
            yield on_number(self.random, point)
        if point == 0 or self.random.random() < 0.4:
            yield line(self.random, point)
        if self.table.dice.n_rolls == 0 and self.random.random() < 0.5:
            yield bonus(self.random)
        has_odds = {pair.parent for pair in self.open.values()}
        for wager_id, base in list(self.open.items()):
            found = odds(self.random, wager_id, base, point)
            if found is not None and wager_id not in has_odds and self.random.random() < 0.3:
                yield found

    def place(self, pair: Pair) -> None:
        wager_id = f"w{len(self.events)}"
        self.say(
            WagerPlaced, wager_id=wager_id, bet=pair.ours, amount_minor=pair.amount, seat=1, on=pair.on, parent=pair.parent
        )  # fmt: skip
        if pair.called_on:
            self.say(WagerCalled, wager_id=wager_id, working=True)
        self.player.bets.append(pair.made)
        self.open[wager_id] = pair

    def roll(self) -> bool:
        """One roll on both sides; what it decides at theirs is noted as (sequence of the roll, net in cents)."""
        dice = (self.random.randint(1, 6), self.random.randint(1, 6))
        at = len(self.events)
        self.say(DiceRolled, dice=list(dice), shooter=0)
        update = table_module.TableUpdate
        update.roll(self.table, dice)
        for wager_id, pair in list(self.open.items()):
            result = pair.made.get_result(self.table)
            if result.remove or result.won:
                gain = result.amount if result.lost else result.amount - result.bet_amount
                if pair.ours in ("buy", "lay") and not result.lost:
                    gain -= pair.made.vig(self.table)  # paid up front
                self.theirs[wager_id] = (at, round(gain * 100))
                self.player.bets = [other for other in self.player.bets if other is not pair.made]
                del self.open[wager_id]
        ended = bool(self.table.point.status == "On" and sum(dice) == 7)
        update.update_numbers(self.table, False)
        return ended


def test_two_thousand_turns_come_out_as_at_crapssim() -> None:
    compared: dict[str, int] = {}
    for seed in range(TURNS):
        played = Played(seed)
        audit = audit_round(played.events, book(), only_due=True)
        stakes = {event.wager_id: event.amount_minor for event in played.events if isinstance(event, WagerPlaced)}
        ours = {
            s.wager_id: (s.decided_at, s.given_minor - s.fee_minor - stakes[s.wager_id])
            for s in audit.settlements
            if s.result != "UNDECIDED"
        }
        assert ours == played.theirs, f"turn {seed}"
        # a wager that the seven-out left undecided is so on both sides
        assert {s.wager_id for s in audit.settlements if s.result == "UNDECIDED"} == set(played.open), f"turn {seed}"
        assert audit.discrepancies == [], f"turn {seed}"
        for s in audit.settlements:
            compared[s.bet] = compared.get(s.bet, 0) + 1
    # every bet that both know was compared, and often enough to mean something
    assert set(compared) == BETS - UNKNOWN_THERE
    assert min(compared.values()) > 100, compared


class Difference(NamedTuple):
    """One wager of 50.00 (or of the amount named) on the first roll: what it nets in cents at ours and at theirs."""

    name: str
    ours: str
    on: str
    theirs: Any
    dice: tuple[int, int]
    net_ours: int | None
    net_theirs: int | None
    paragraph: str
    amount: int = 5000


DIFFERENCES = [
    Difference(
        "a hardway is on at the come-out there",
        "hardway", "6", bet.HardWay(6, 50), (3, 4), None, -5000, "111-501-45(f)",
    ),
    Difference(
        "a buy bet is off at the come-out there",
        "buy", "4", bet.Buy(4, 60), (3, 4), -6300, None, "111-501-45(f)", 6000,
    ),
    Difference(
        "a lay bet is off at the come-out there",
        "lay", "4", bet.Lay(4, 80), (3, 4), 4000 - 200, None, "111-501-45(f)", 8000,
    ),
    Difference(
        "vigorish is rounded to the nearest dollar there and down here",
        "buy", "4", bet.Buy(4, 50, always_working=True), (2, 2), 10000 - 200, 10000 - 300, "111-501-45(m)",
    ),
    Difference(
        "a pair that makes two may be hopped there",
        "hop", "1-1", bet.Hop((1, 1), 50), (1, 1), 0, 150000, "111-501-44(c)(35)",
    ),
    Difference(
        "all of two to six pay thirty to one there",
        "all_small", "", bet.Small(50), (1, 1), 170000, 150000, "111-501-45(v)(1)",
    ),
]  # fmt: skip


@pytest.mark.parametrize("difference", DIFFERENCES, ids=[difference.name for difference in DIFFERENCES])
def test_a_difference_of_rules_is_as_stated(difference: Difference) -> None:
    table = table_module.Table()
    rolls = [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3)] if difference.ours == "all_small" else [difference.dice]
    pair = Pair(difference.ours, difference.on, difference.amount, difference.theirs)
    theirs = None
    events: list[Event] = []

    def say(event_type: Any, **fields: Any) -> None:
        events.append(event_type("turn", "CR-01", len(events), len(events), "test", **fields))

    say(RoundOpened, game="craps", jurisdiction="us-ks-south-central", gaming_day="2021-06-01", currency="USD")
    say(WagerPlaced, wager_id="w", bet=pair.ours, amount_minor=pair.amount, seat=1, on=pair.on)
    for dice in rolls:
        say(DiceRolled, dice=list(dice), shooter=0)
        table_module.TableUpdate.roll(table, dice)
        result = pair.made.get_result(table)
        if result.remove:
            vigorish = pair.made.vig(table) if pair.ours == "buy" and result.won else 0
            theirs = round((result.amount - vigorish - (result.bet_amount if result.won else 0)) * 100)
        table_module.TableUpdate.update_numbers(table, False)
    say(RoundClosed)
    (ours,) = audit_round(events, book(), only_due=True).settlements
    net = None if ours.result == "UNDECIDED" else ours.given_minor - ours.fee_minor - pair.amount
    assert (net, theirs) == (difference.net_ours, difference.net_theirs)
