"""The replay of a turn of craps: what every roll decides.

Wagers lie in groups by what can decide them, so that a roll touches only those it may decide: `next_roll` (any roll),
`numbers` (their number, or a seven), `line` (the come-out), `coming` (their first roll), `bonus` and `hot_shooters`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from events.model import (
    DiceRolled,
    FeatureActivated,
    FeeCollected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    WagerCalled,
    WagerChanged,
    WagerPlaced,
)
from processors.games.craps import explaining, placing, vigorish
from processors.games.craps.placing import UNKNOWN
from processors.games.craps.plan import Plan, Win
from processors.games.craps.power import PowerOdds
from processors.games.craps.terms import Terms
from processors.games.craps.wagers import BASE_OF_ODDS, BETS, WITH_VIGORISH, CrapsWager
from processors.kernel.citation import Citation
from processors.kernel.dated import Rule
from processors.kernel.game import Game, Paytables
from processors.kernel.money import Rounding, divide
from processors.kernel.odds import Odds
from processors.kernel.settlement import Step
from processors.kernel.words import spoken

BOX: Final = (4, 5, 6, 8, 9, 10)


class Craps(Game):
    """One shooter's turn. `point` is 0 before a come-out roll, UNKNOWN after a roll that could not be read."""

    BETS = BETS
    UNDER_PARENT = frozenset(BASE_OF_ODDS)
    WAGER_TYPE = CrapsWager

    def __init__(self, opened: RoundOpened, terms: Terms, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.plan: Plan = terms.plan
        self.point = 0
        self.point_was_set = False
        # a wager brought a point with it, so rolls of another round came before those of this one
        self.continued = False
        self.rolls_of_turn = 0
        self.ended_at = -1
        self.may_have_ended = False
        self.closed = False
        self.voided = False
        self.rolls: list[tuple[DiceRolled, int]] = []
        self.next_roll: list[CrapsWager] = []
        self.line: list[CrapsWager] = []
        self.line_wagers: dict[int, list[CrapsWager]] = {}
        self.coming: list[CrapsWager] = []
        self.numbers: dict[int, list[CrapsWager]] = {number: [] for number in BOX}
        self.bonus: list[CrapsWager] = []
        self.hot_shooters: list[CrapsWager] = []
        self.power = PowerOdds()
        self._multiples: dict[str, int] = {}
        self._percent: Fraction | None = None
        if terms.rounded_up_to_chip.value:
            self.pay_in_chips_of(self.amount_option("smallest_chip_minor", 1))

    # --- wagers --------------------------------------------------------------------------------------------------------

    def admit(self, wager: CrapsWager, event: WagerPlaced) -> None:
        """A wager was placed."""
        placing.admit(self, wager, event)

    def stand(self, wager: CrapsWager, at: int) -> None:
        """Betting closed over a wager."""
        placing.stand(self, wager, at)

    def change(self, wager: CrapsWager, event: WagerChanged) -> None:
        """The amount of a wager changed."""
        placing.change(self, wager, event)

    def put_back(self, wager: CrapsWager, event: WagerChanged) -> None:
        """Chips on a wager that was decided or taken down; on a don't bet they may not be."""
        if not placing.put_back(self, wager, event.sequence):
            super().put_back(wager, event)

    def limits_cite(self, above: bool) -> Citation:
        """111-501-45(h) and (i)."""
        rule: Rule[bool] = self.terms.excess_returned if above else self.terms.below_minimum_paid_as_bet
        return rule.cite

    def excess_returned(self, wager: CrapsWager) -> bool:
        """111-501-45(i)."""
        return bool(self.terms.excess_returned.value)

    def wager_called(self, event: WagerCalled) -> None:
        """The ON or OFF button. Pass and come bets are always active (111-501-45(d))."""
        wager = self.wagers.get(event.wager_id)
        if wager is None:
            text = f"Wager {event.wager_id} was called {'on' if event.working else 'off'}, but it was never placed."
            self.find("MISSING_PARENT", event.sequence, text, wager_id=event.wager_id)
        elif wager.settled:
            return
        elif not event.working and wager.bet in self.plan.always_active:
            text = f"The {wager.bet} wager {wager.id} was called off; it is always active."
            self.find("ACT_NOT_ALLOWED", event.sequence, text, cite=self.terms.always_active.cite, wager_id=wager.id)
        else:
            wager.working = event.working

    def fee_collected(self, event: FeeCollected) -> None:
        """A fee. A lay bet carried from another turn that had won there is a new bet: the vigorish collected says so."""
        super().fee_collected(event)
        wager = self.wagers.get(event.wager_id)
        if wager is not None and wager.settled and wager.bet in WITH_VIGORISH:
            vigorish.return_fee_of_refused(self, wager)
        elif wager is not None and wager.bet == "lay" and wager.carried:
            vigorish.tell_carried_from_new(self, wager)

    def fee_cite(self, settlement: Any) -> Citation:
        """The paragraph that orders the vigorish."""
        terms = self.terms
        rule = terms.lay_vigorish_percent if settlement.bet == "lay" else terms.buy_vigorish_percent
        cite: Citation = rule.cite
        return cite

    def odds_multiple(self, bet: str) -> int:
        """How many times the base these odds may be, as the table posts within the rules."""
        if bet not in self._multiples:
            terms = self.terms
            rule = terms.take_odds_multiple
            if bet.startswith("dont"):
                rule = terms.lay_odds_to_win_multiple
            elif bet == "put_odds":
                rule = terms.put_odds_multiple
            posted = self.amount_option("odds_multiple", rule.value)
            if posted > rule.value:
                text = f"The posted odds_multiple is {posted}; the rules allow {rule.value}."
                self.find("RULE_MISMATCH", self.opened.sequence, text, cite=rule.cite)
            self._multiples[bet] = min(posted, rule.value)
        return self._multiples[bet]

    def vigorish_percent(self, ceiling: Rule[int]) -> Fraction:
        """The rate of vigorish, as the table posts within the rules."""
        if self._percent is None:
            self._percent = vigorish.posted_percent(self, "vigorish_percent", ceiling.value, ceiling.cite)
        return self._percent

    def is_undecided(self, wager: CrapsWager) -> bool:
        """Whether a wager was left without a verdict."""
        return any(s.wager_id == wager.id and s.result == "UNDECIDED" for s in self.settlements)

    def give_number(self, wager: CrapsWager, number: int) -> None:
        """A line or come wager has its point."""
        wager.number = number
        self.numbers[number].append(wager)

    # --- the roll ------------------------------------------------------------------------------------------------------

    def feature_activated(self, event: FeatureActivated) -> None:
        """The light of power odds. They hold for the next roll (111-501-44(c)(47))."""
        if event.feature == "power_odds":
            self.power.activate(self, event)
        else:
            self.find("RULE_MISMATCH", event.sequence, f"Craps has no feature {event.feature!r}.")

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw: settle what it decides and move the point. One called no roll is ignored (111-501-44(a))."""
        at, dice, point = event.sequence, event.dice, self.point
        self.rolls.append((event, point))
        if event.no_roll:
            self._no_roll(event)
            return
        self.close_betting(at)
        self._check_turn(event)
        if len(dice) != 2 or not (0 < dice[0] < 7 and 0 < dice[1] < 7):
            self._unread(event)
            return
        low, high = (dice[0], dice[1]) if dice[0] < dice[1] else (dice[1], dice[0])
        total = low + high
        if self.next_roll:
            self._decide_next_roll(low * 10 + high, at)
        if total == 7:
            for number in BOX:
                if self.numbers[number]:
                    self._decide_number(number, 7, low * 10 + high, at)
        elif self.numbers.get(total):
            self._decide_number(total, total, low * 10 + high, at)
        if point == 0 and self.line:
            self.line = self._decide_first(self.line, total, at)
        if self.coming:
            self.coming = self._decide_first(self.coming, total, at)
        if self.bonus:
            self._decide_bonus(total, at)
        self._move_point(total, at)
        self.power.end()
        self.betting_open = True

    def _no_roll(self, event: DiceRolled) -> None:
        if event.no_roll not in self.terms.no_roll_reasons.value:
            text = f'"No roll" was called for {event.no_roll!r}, which is no reason for it; it is ignored all the same.'
            self.find("ACT_NOT_ALLOWED", event.sequence, text, cite=self.terms.no_roll_reasons.cite)
        # while the light of power odds is on, the time for making wagers stays over
        self.betting_open = not self.power.active

    def _check_turn(self, event: DiceRolled) -> None:
        if self.ended_at >= 0:
            text = "The dice were thrown after a seven-out had ended the turn; the next turn is another round."
            self.find("ACT_NOT_ALLOWED", (self.ended_at, event.sequence), text)
            self.ended_at, self.rolls_of_turn, self.point_was_set, self.continued = -1, 0, False, False
        self.may_have_ended = False
        shooter = event.shooter
        if shooter and self.point != UNKNOWN:
            lying = [wager for wager in self.line_wagers.get(shooter, ()) if not wager.settled]
            self.line_wagers[shooter] = lying
            if not lying:
                text = f"The shooter, seat {shooter}, threw without a pass or don't pass bet."
                self.find("NO_LINE_WAGER", event.sequence, text, cite=self.terms.line_wager_of_the_shooter.cite)

    def _move_point(self, total: int, at: int) -> None:
        point = self.point
        if total == 7:
            if point != 0:
                self._seven_out(at, known=point != UNKNOWN)
            self.point = 0
        elif point == total:
            self.point = 0
        elif point == 0 and total in self.numbers:
            self.point, self.point_was_set = total, True
        self.rolls_of_turn += 1

    def _seven_out(self, at: int, known: bool) -> None:
        """The turn is over, and the hot shooter wagers are counted. After an unread roll it only may be over."""
        if known:
            self.ended_at = at
        self.may_have_ended = True
        terms, hot, self.hot_shooters = self.terms, self.hot_shooters, []
        counted = self.rolls_of_turn + (1 if terms.hot_shooter_counts_seven_out.value else 0)
        tiers = self.plan.hot_shooter
        for wager in hot:
            if wager.settled:
                continue
            if wager.working is False:
                self.hot_shooters.append(wager)
                continue
            rolls = counted - wager.rolls_before
            odds = next((odds for fewest, odds in reversed(tiers) if rolls >= fewest), None)
            if not known:
                self.undecide(wager, at)
            elif self._began_elsewhere(wager):
                self.undecide(wager, at, terms.hot_shooter_placed.cite, prize="rolls that an earlier round has count for it")
            elif odds is not None:
                self.settle(wager, "WIN", at, terms.hot_shooter_pays.cite, odds=odds, prize=f"{rolls} rolls")
            elif self.rolls_of_turn - wager.rolls_before == tiers[0][0] - 1:
                rule = terms.hot_shooter_seven_out_on_eighth_roll
                self.settle(wager, rule.value, at, rule.cite, prize=f"{rolls} rolls")
            else:
                self.settle(wager, "LOSE", at, terms.hot_shooter_placed.cite, prize=f"{rolls} rolls")

    def _decide_next_roll(self, key: int, at: int) -> None:
        wagers, self.next_roll = self.next_roll, []
        for wager in wagers:
            if wager.settled:
                continue
            if wager.working is False:
                self.next_roll.append(wager)
                continue
            one_roll = wager.one_roll
            win = one_roll.wins.get(key)
            if win is None:
                self.settle(wager, "LOSE", at, one_roll.lose_cite)
            else:
                self._win_next_roll(wager, win, at)

    def _win_next_roll(self, wager: CrapsWager, win: Win, at: int) -> None:
        powered = self.power.on(self, wager.bet, win) if self.power.active else win
        if powered is None:
            self.undecide(wager, at, self.terms.power_odds_from.cite, "power odds")
            return
        prize = "power odds" if powered is not win else ""
        if powered.of == 1:
            self.settle(wager, "WIN", at, powered.cite, odds=powered.odds, prize=prize)
            return
        if wager.bet == "world" and self.terms.world_on_seven.value == "PUSH" and win.parts[0].bet == "any_seven":
            self.settle(wager, "PUSH", at, self.terms.world_on_seven.cite)
            return
        stake = wager.action_minor
        back = divide(stake * powered.back, powered.of, rounding=Rounding.NEAREST)
        prize = " and ".join(spoken(part.bet) for part in powered.parts) + (f", {prize}" if prize else "")
        self.settle(
            wager, "WIN", at, powered.cite, paid_minor=self.pay(stake, powered.odds), returned_minor=back, prize=prize
        )

    def _decide_number(self, number: int, total: int, key: int, at: int) -> None:
        staying = []
        come_out = self.point
        for wager in self.numbers[number]:
            if wager.settled:
                continue
            on = self._is_on(wager, come_out)
            base = wager.base
            if base is not None and base.working is False:
                on = False  # the wager that the odds hang on is itself off, so nothing is decided
            elif base is not None and on is False:
                if self.terms.odds_off_when_decided.value == "returned":
                    self.settle(wager, "PUSH", at, self.terms.odds_off_when_decided.cite, prize="odds off")
                    continue
                on = True
            if on is None:
                self.undecide(wager, at)
            elif on:
                self._decide_on_number(wager, total == number, key, at)
            else:
                staying.append(wager)
        self.numbers[number] = staying

    def _is_on(self, wager: CrapsWager, point: int) -> bool | None:
        """Whether a wager is active on this roll; None where that cannot be known."""
        if wager.working is not None:
            return wager.working
        if not wager.off_on_come_out or point > 0:
            return True
        return False if point == 0 else None

    def _decide_on_number(self, wager: CrapsWager, hit: bool, key: int, at: int) -> None:
        found = wager.on_number
        if found is None:
            first = wager.first
            if hit != first.against:
                self.settle(wager, "WIN", at, first.pays_cite, odds=first.odds)
            else:
                self.settle(wager, "LOSE", at, first.lose_cite)
        elif found.hard:
            if key != found.hard:
                self.settle(wager, "LOSE", at, found.lose_cite)
            else:
                self._win_hardway(wager, found.odds, found.win_cite, at)
        elif hit != found.against:
            self.settle(wager, "WIN", at, found.win_cite, odds=found.odds)
        else:
            self.settle(wager, "LOSE", at, found.lose_cite)

    def _win_hardway(self, wager: CrapsWager, odds: Odds, cite: Citation, at: int) -> None:
        if "hardway" not in self.power.active:
            self.settle(wager, "WIN", at, cite, odds=odds)
            return
        powered = self.power.hardway(wager.on)
        if powered is None or self.power.table is None:
            self.undecide(wager, at, self.terms.power_odds_from.cite, "power odds")
        else:
            self.settle(wager, "WIN", at, self.power.table.cite, odds=powered, prize="power odds")

    def _decide_first(self, wagers: list[CrapsWager], total: int, at: int) -> list[CrapsWager]:
        """The first roll of line or come wagers: decide them, or give them their number."""
        staying = []
        for wager in wagers:
            if wager.settled:
                continue
            first = wager.first
            if total in self.numbers and (wager.working is not False or wager.bet == "dont_pass"):
                self.give_number(wager, total)
            elif wager.working is False:
                staying.append(wager)
            elif total in first.wins:
                self.settle(wager, "WIN", at, first.pays_cite, odds=first.odds)
            elif total in first.void:
                self.settle(wager, "VOID", at, first.void_cite)
            else:
                self.settle(wager, "LOSE", at, first.lose_cite)
        return staying

    def _decide_bonus(self, total: int, at: int) -> None:
        staying = []
        for wager in self.bonus:
            if wager.settled:
                continue
            if wager.working is not False:
                totals, pays = self.plan.bonus[wager.bet]
                if total == 7:
                    if self._began_elsewhere(wager):
                        self.undecide(wager, at, totals.cite, prize="rolls that an earlier round has count for it")
                    else:
                        self.settle(wager, "LOSE", at, totals.cite)
                    continue
                wager.missing.discard(total)
                if not wager.missing:
                    self.settle(wager, "WIN", at, pays.cite, odds=pays.value)
                    continue
            staying.append(wager)
        self.bonus = staying

    def _began_elsewhere(self, wager: CrapsWager) -> bool:
        """Whether a bonus wager saw rolls of this turn that an earlier round has, not this one."""
        return self.continued and placing.is_carried_over(self, wager)

    # --- what cannot be known ------------------------------------------------------------------------------------------

    def _unread(self, event: DiceRolled) -> None:
        """A roll that counted but cannot be read: what it may have decided is undecided, and the point is not known."""
        at = event.sequence
        dice = " and ".join(str(die) for die in event.dice)
        self.find("IMPOSSIBLE_DICE", at, f"The dice of a counted roll were recorded as {dice}; no such roll is possible.")
        point = self.point
        for wager in self.wagers.values():
            base = wager.base or wager
            if not wager.settled and self._is_on(base, point) is not False:
                self.undecide(wager, at, prize="dice unread")
        self.point = UNKNOWN
        self.rolls_of_turn += 1
        self.power.end()
        self.betting_open = True

    # --- the end -------------------------------------------------------------------------------------------------------

    def round_closed(self, event: RoundClosed) -> None:
        """The round was closed."""
        self.closed = True

    def round_voided(self, event: RoundVoided) -> None:
        """The turn was declared dead: nothing of it is left to be decided."""
        self.voided = True

    def finish(self, at: int) -> None:
        """Closed before a seven-out with open wagers, the round is incomplete. What was off at the seven-out stays open."""
        vigorish.find_without_wager(self, at)
        if not self.closed or self.voided or (self.may_have_ended and self.ended_at < 0):
            return
        carried = {wager.carried_from for wager in self.wagers.values()}
        left = [
            wager.id
            for wager in self.wagers.values()
            if not wager.settled
            and wager.id not in carried
            and (self.ended_at < 0 or (wager.placed_at > self.ended_at and not wager.carried_from))
        ]
        if left:
            when = "before a seven-out" if self.ended_at < 0 else "with wagers made after the seven-out"
            text = f"The turn was closed {when}; open: {', '.join(left)}."
            self.find("INCOMPLETE_ROUND", at, text)

    def facts(self, wager: CrapsWager) -> list[Step]:
        """What a floor manager would say: which rolls the wager saw and what they meant."""
        return explaining.facts(self, wager)
