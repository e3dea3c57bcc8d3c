"""Deals craps for simulation: one shooter's turn after the other, settled by the dealer's own sums (`house.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from events.model import (
    BettingClosed,
    DiceRolled,
    FeatureActivated,
    FeeCollected,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    WagerChanged,
    WagerPlaced,
)
from processors.games.craps.house import BOX, Call, Chips, Throw, call
from processors.kernel.dealing import Dealt, Narrator, Planted, TableSetup

MISTAKES: Final = (
    "over_maximum",
    "below_minimum",
    "late_wager",
    "no_line_wager",
    "not_removable",
    "fee_wrong",
    "impossible_dice",
)
PROPS: Final = ("any_seven", "any_craps", "eleven", "hop", "horn", "craps_eleven")
FIELD_MAXIMUM: Final = 50_000
LIMITS: Final = {
    "*": {"minimum_minor": 500, "maximum_minor": 100_000},
    "field": {"minimum_minor": 500, "maximum_minor": FIELD_MAXIMUM},
    **{bet: {"minimum_minor": 100, "maximum_minor": 20_000} for bet in PROPS},
}
# the units in which a bet on a number comes out even, by number
PLACE_UNIT: Final = {4: 1000, 5: 1000, 6: 600, 8: 600, 9: 1000, 10: 1000}
LAY_UNIT: Final = {4: 4000, 5: 6000, 6: 6000, 8: 6000, 9: 6000, 10: 4000}
PROP_UNIT: Final = {"any_seven": 200, "any_craps": 100, "eleven": 100, "hop": 100, "horn": 400, "craps_eleven": 200}
HOPS: Final = ("1-3", "2-3", "1-5", "1-6", "2-5", "3-4", "2-6", "4-5", "4-6", "2-2", "3-3", "4-4", "5-5")


class CrapsDealer:
    """Deals at one table; the dice pass to the next seat after every turn."""

    mistakes: Sequence[str] = MISTAKES

    def __init__(self, setup: TableSetup, random: Random) -> None:
        self._setup = setup
        self._random = random
        self._turns = 0

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        """Deal one turn, first come-out to seven-out, all of it settled rightly; with a `mistake` it has that one."""
        if mistake and mistake not in MISTAKES:
            raise ValueError(f"no such mistake at craps: {mistake}")
        shooter = 1 + self._turns % len(self._setup.patrons)
        self._turns += 1
        turn = _Turn(Narrator(self._setup, round_id, opened_at, "craps-table"), self._random, shooter, mistake)
        return turn.play()


class _Turn:
    """One turn while it is dealt."""

    def __init__(self, narrator: Narrator, random: Random, shooter: int, mistake: str) -> None:
        self._narrator = narrator
        self._random = random
        self._shooter = shooter
        self._mistake = mistake
        self._patrons = narrator.setup.patrons
        self._layout: list[Chips] = []
        self._planted: list[Planted] = []
        self._point = 0
        self._rolls = 0
        self._placed = 0

    def play(self) -> Dealt:
        setup = self._narrator.setup
        self._narrator.say(
            RoundOpened,
            game="craps",
            jurisdiction=setup.jurisdiction,
            gaming_day=setup.gaming_day,
            currency=setup.currency,
            dealer_id=setup.dealer_id,
            paytables={"power_odds": "1"},
            options={"smallest_chip_minor": "100"},
            limits=LIMITS,
        )
        while not self._roll():
            pass
        self._narrator.say(RoundClosed, after_seconds=5)
        return Dealt(self._narrator.events, tuple(self._planted))

    def _roll(self) -> bool:
        """One roll with the betting before it and the paying after it; True when it was the seven-out."""
        self._bet()
        self._narrator.say(BettingClosed, after_seconds=2)
        self._after_closing()
        power = self._chance(0.06)
        if power:
            self._narrator.say(FeatureActivated, feature="power_odds")
        throw = Throw(self._die(), self._die(), self._point, self._rolls, power)
        if self._chance(0.03):
            self._narrator.say(DiceRolled, dice=[0, throw.b], shooter=self._shooter, no_roll="off_the_table")
        self._narrator.say(DiceRolled, after_seconds=3, dice=self._as_recorded(throw), shooter=self._shooter)
        self._rolls += 1
        self._pay(throw)
        self._move(throw)
        return throw.seven_out

    # --- betting -------------------------------------------------------------------------------------------------------

    def _bet(self) -> None:
        first = self._rolls == 0
        for seat in range(1, len(self._patrons) + 1):
            if self._point == 0:
                self._bet_line(seat)
            else:
                self._bet_behind(seat)
                self._bet_numbers(seat)
            if first and self._chance(0.15):
                self._place(seat, self._one_of(("all_small", "all_tall", "hot_shooter")), 500)
            if self._chance(0.2):
                self._place(seat, "field", 500 * self._random.randint(1, 4))
            if self._chance(0.12):
                self._bet_prop(seat)
        if first:
            self._bet_mistaken()
        self._take_down()

    def _bet_line(self, seat: int) -> None:
        if seat == self._shooter:
            if self._mistake == "no_line_wager" and self._rolls == 0:
                self._planted.append(Planted("NO_LINE_WAGER"))
                return
            wrong = self._mistake != "not_removable" and self._chance(0.1)
            self._place(seat, "dont_pass" if wrong else "pass", 500 * self._random.randint(1, 10))
            if self._chance(0.1):
                self._place(seat, "pass", 500, tip=True)
        elif self._chance(0.8):
            self._place(seat, "dont_pass" if self._chance(0.2) else "pass", 500 * self._random.randint(1, 10))

    def _bet_behind(self, seat: int) -> None:
        """Odds behind the bets that have a number, and a new come bet."""
        mine = [chips for chips in self._layout if chips.seat == seat and not chips.tip]
        with_odds = {chips.base for chips in mine}
        for chips in mine:
            may = chips.number and chips.id not in with_odds
            if may and chips.bet in ("pass", "come", "dont_pass", "dont_come") and self._chance(0.4):
                unit = LAY_UNIT[chips.number] if chips.bet.startswith("dont") else 1000
                amount = unit * self._random.randint(1, 3)
                self._place(seat, f"{chips.bet}_odds", amount, base=chips.id, number=chips.number)
        if self._chance(0.2):
            self._place(seat, "dont_come" if self._chance(0.2) else "come", 500 * self._random.randint(1, 4))

    def _bet_numbers(self, seat: int) -> None:
        number = self._one_of(BOX)
        has = {(chips.bet, chips.number) for chips in self._layout if chips.seat == seat}
        if self._chance(0.25) and ("place", number) not in has:
            self._place(seat, "place", PLACE_UNIT[number] * self._random.randint(1, 5), on=str(number), number=number)
        if self._chance(0.04) and ("buy", number) not in has:
            self._place(seat, "buy", 2000 * self._random.randint(1, 3), on=str(number), number=number)
        if self._chance(0.04) and ("lay", number) not in has:
            self._place(seat, "lay", LAY_UNIT[number] * self._random.randint(1, 3), on=str(number), number=number)
        hard = self._one_of((4, 6, 8, 10))
        if self._chance(0.08) and ("hardway", hard) not in has:
            self._place(seat, "hardway", 500 * self._random.randint(1, 3), on=str(hard), number=hard)

    def _bet_prop(self, seat: int) -> None:
        bet = self._one_of(PROPS)
        on = self._one_of(HOPS) if bet == "hop" else ""
        self._place(seat, bet, PROP_UNIT[bet] * self._random.randint(1, 5), on=on)

    def _place(
        self,
        seat: int,
        bet: str,
        amount: int,
        *,
        on: str = "",
        number: int = 0,
        base: str = "",
        left_from: str = "",
        tip: bool = False,
        fee: int | None = None,
    ) -> Chips:
        """Chips come onto the layout; a buy or lay bet pays its vigorish, `fee` where a mistake makes it another."""
        self._placed += 1
        chips = Chips(f"w{self._placed}", seat, bet, amount, number, on, base, tip)
        self._narrator.say(
            WagerPlaced, wager_id=chips.id, bet=bet, amount_minor=amount, seat=seat, patron_id=self._patrons[seat - 1],
            on=on, parent=base, carried_from=left_from, for_dealer=tip,
        )  # fmt: skip
        self._layout.append(chips)
        vigorish = _vigorish(chips) if fee is None else fee
        if vigorish:
            self._narrator.say(FeeCollected, fee="vigorish", amount_minor=vigorish, seat=seat, wager_id=chips.id)
        return chips

    def _take_down(self) -> None:
        """Now and then a player takes down a place or lay bet; the vigorish of a lay bet goes back with it."""
        for chips in self._layout[:]:
            if chips.bet in ("place", "lay") and self._chance(0.02):
                self._layout.remove(chips)
                self._narrator.say(WagerChanged, wager_id=chips.id, amount_minor=0, reason="taken_down")
                fee = _vigorish(chips)
                self._record(chips, Call("REMOVED", 0, chips.amount), fee_returned_minor=fee)

    # --- paying --------------------------------------------------------------------------------------------------------

    def _pay(self, throw: Throw) -> None:
        for chips in self._layout[:]:
            decision = call(chips, throw)
            if decision is None:
                continue
            self._layout.remove(chips)
            self._record(chips, decision)
            stays = chips.bet in ("place", "buy", "lay", "hardway") and not throw.seven_out and self._chance(0.75)
            if decision.result == "WIN" and stays:
                self._place(
                    chips.seat, chips.bet, chips.amount, on=chips.on, number=chips.number, left_from=chips.id
                )  # fmt: skip

    def _record(self, chips: Chips, decision: Call, **more: Any) -> None:
        paid, back = decision.paid, decision.back
        to_dealer = chips.tip and decision.result == "WIN"
        if to_dealer:
            paid, back = paid + back, 0
        self._narrator.say(
            SettlementRecorded, wager_id=chips.id, result=decision.result, paid_minor=paid, stake_returned_minor=back,
            no_action_minor=chips.amount - chips.action, paid_to="DEALER" if to_dealer else "PATRON", **more,
        )  # fmt: skip

    def _move(self, throw: Throw) -> None:
        """The puck, and the bets that travel."""
        total = throw.total
        for chips in self._layout:
            travels = chips.bet in ("come", "dont_come") or (chips.bet in ("pass", "dont_pass") and throw.point == 0)
            if travels and not chips.number and total in BOX:
                chips.number = total
            chips.seen |= {total}
        if total == 7 or total == throw.point:
            self._point = 0
        elif throw.point == 0 and total in BOX:
            self._point = total
            self._take_down_pass()

    # --- mistakes ------------------------------------------------------------------------------------------------------

    def _bet_mistaken(self) -> None:
        """Wagers that are wrong from the start; the house handles each as the rules order."""
        seat = self._random.randint(1, len(self._patrons))
        if self._mistake == "over_maximum":
            chips = self._place(seat, "field", FIELD_MAXIMUM + 500 * self._random.randint(1, 20))
            chips.maximum = FIELD_MAXIMUM
            self._planted.append(Planted("ABOVE_MAXIMUM", chips.id))
        elif self._mistake == "below_minimum":
            chips = self._place(seat, "field", 100 * self._random.randint(1, 4))
            self._planted.append(Planted("BELOW_MINIMUM", chips.id))
        elif self._mistake == "fee_wrong":
            wrong = self._one_of((50, 150, 200))
            chips = self._place(seat, "buy", 2000, on="4", number=4, fee=wrong)
            self._planted.append(Planted("FEE_WRONG", chips.id, due_minor=100, recorded_minor=wrong))

    def _after_closing(self) -> None:
        """A wager after "no more bets", which the house hands back."""
        if self._mistake == "late_wager" and self._rolls == 0:
            chips = self._place(self._random.randint(1, len(self._patrons)), "field", 500)
            self._layout.remove(chips)
            self._record(chips, Call("VOID", 0, chips.amount))
            self._planted.append(Planted("LATE_WAGER", chips.id))

    def _take_down_pass(self) -> None:
        """A pass bet leaves the layout after the point was set; the house settles it as if it still lay there."""
        if self._mistake != "not_removable" or self._planted:
            return
        chips = next((chips for chips in self._layout if chips.bet == "pass" and chips.number), None)
        if chips is not None:
            self._narrator.say(WagerChanged, wager_id=chips.id, amount_minor=0, reason="taken_down")
            self._planted.append(Planted("NOT_REMOVABLE", chips.id))

    def _as_recorded(self, throw: Throw) -> list[int]:
        """The dice as the record has them: one of them unread where that is the mistake."""
        if self._mistake != "impossible_dice" or self._planted or not (throw.seven_out or self._chance(0.4)):
            return [throw.a, throw.b]
        self._planted.append(Planted("IMPOSSIBLE_DICE"))
        return [0, throw.b]

    # --- chance --------------------------------------------------------------------------------------------------------

    def _chance(self, likelihood: float) -> bool:
        return self._random.random() < likelihood

    def _one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self._random.randrange(len(choices))]

    def _die(self) -> int:
        return self._random.randint(1, 6)


def _vigorish(chips: Chips) -> int:
    """Five percent of a buy bet, or of what a lay bet can win, in whole dollars."""
    if chips.bet == "buy":
        return chips.amount * 5 // 10_000 * 100
    if chips.bet != "lay":
        return 0
    to_win = {4: chips.amount // 2, 5: chips.amount * 2 // 3, 6: chips.amount * 5 // 6}
    return to_win[{8: 6, 9: 5, 10: 4}.get(chips.number, chips.number)] * 5 // 10_000 * 100
