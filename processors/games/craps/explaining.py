"""Says why a craps wager settled as it did, roll by roll, for a person to read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from events.model import DiceRolled
from processors.games.craps.wagers import BASE_OF_ODDS, BONUS, WITH_VIGORISH, CrapsWager
from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.money import money_text
from processors.kernel.settlement import Settlement, Step
from processors.kernel.words import spoken

if TYPE_CHECKING:  # the engine calls this module with itself
    from processors.games.craps.engine import Craps


def facts(game: Craps, wager: CrapsWager) -> list[Step]:
    """The steps before the sum: how the wager lay, which rolls it saw, and what the last of them meant."""
    settlement = next((s for s in game.settlements if s.wager_id == wager.id), None)
    if settlement is None:
        return []
    return [
        *_how_it_lay(game, wager),
        *_rolls(game, wager, settlement),
        *_sum_of_parts(game, wager, settlement),
        *_why_not(game, wager, settlement),
    ]


def _how_it_lay(game: Craps, wager: CrapsWager) -> Iterator[Step]:
    terms = game.terms
    if wager.base is not None:
        base: CrapsWager = wager.base
        words = spoken(base.bet)
        yield Step(f"It hangs on {base.id}, the {words} bet of {money_text(base.amount_minor)} on {base.number}.", NOWHERE)
    if wager.working is not None:
        yield Step(f"It was called {'on' if wager.working else 'off'}.", terms.called_off_allowed.cite)
    if wager.bet in WITH_VIGORISH:
        lay = wager.bet == "lay"
        rule = terms.lay_vigorish_percent if lay else terms.buy_vigorish_percent
        of = "of what it can win" if lay else "of the wager"
        if wager.carried:
            words = (
                "no new vigorish" if not wager.fee_minor else f"vigorish for what was added: {money_text(wager.fee_minor)}"
            )
            before = f"; {money_text(wager.fee_before_minor)} was paid there" if wager.fee_before_minor else ""
            yield Step(f"It was carried over an ended turn{before}: {words}.", rule.cite)
        else:
            rate = game.vigorish_percent(rule)
            yield Step(f"Vigorish: {rate} percent {of}, in whole dollars: {money_text(wager.fee_minor)}.", rule.cite)


def _rolls(game: Craps, wager: CrapsWager, settlement: Settlement) -> Iterator[Step]:
    """The rolls between the placing and the decision that mattered to the wager."""
    until = settlement.decided_at if settlement.decided_at >= 0 else game.rolls[-1][0].sequence if game.rolls else -1
    seen = [(event, point) for event, point in game.rolls if wager.placed_at < event.sequence <= until]
    counted = [event for event, _ in seen if not event.no_roll]
    shown = [(event, point) for event, point in seen if _matters(wager, event, point, event.sequence == until, counted)]
    if len(shown) < len(seen):
        yield Step(f"{len(counted)} rolls counted while it lay there; those that mattered to it:", NOWHERE)
    for event, point in shown:
        decides = event.sequence == settlement.decided_at
        cite = _definition(game, wager, settlement) if decides else _roll_cite(game, event)
        yield Step(_roll_words(event, point), cite)


def _matters(wager: CrapsWager, event: DiceRolled, point: int, last: bool, counted: list[DiceRolled]) -> bool:
    if last or event.no_roll or event is counted[0]:
        return True
    total = sum(event.dice)
    if wager.bet in BONUS:
        return True
    if wager.bet == "hot_shooter":
        return False
    return total == 7 or total == wager.number


def _roll_words(event: DiceRolled, point: int) -> str:
    dice = "-".join(str(die) for die in event.dice)
    if event.no_roll:
        return f'Roll {dice} (event {event.sequence}) was called "no roll" ({event.no_roll}): it is ignored.'
    if not all(0 < die < 7 for die in event.dice):
        return f"Roll {dice} (event {event.sequence}) counted and cannot be read."
    total = sum(event.dice)
    where = "come-out roll" if point == 0 else f"the point is {point}" if point > 0 else "the point is not known"
    meaning = ""
    if point > 0:
        meaning = ": seven-out" if total == 7 else ": the point is made" if total == point else ""
    elif point == 0 and total in (4, 5, 6, 8, 9, 10):
        meaning = f": the point is {total}"
    return f"Roll {dice} (event {event.sequence}), total {total}, {where}{meaning}."


def _roll_cite(game: Craps, event: DiceRolled) -> Citation:
    if not event.no_roll:
        return NOWHERE
    cite: Citation = game.terms.no_roll_reasons.cite
    paragraph = game.terms.no_roll_reasons.value.get(event.no_roll)
    return Citation(cite.document, paragraph) if paragraph else cite


def _definition(game: Craps, wager: CrapsWager, settlement: Settlement) -> Citation:
    """The paragraph that says what the deciding roll does to the wager."""
    if wager.first is not None:
        cites = {"WIN": wager.first.win_cite, "VOID": wager.first.void_cite}
        found: Citation = cites.get(settlement.result, wager.first.lose_cite)
        return found
    if wager.bet in BONUS:
        return game.plan.bonus[wager.bet][0].cite
    plan = wager.on_number or wager.one_roll
    return plan.lose_cite if plan is not None else settlement.cite


def _sum_of_parts(game: Craps, wager: CrapsWager, settlement: Settlement) -> Iterator[Step]:
    """What a wager of several units or odds that were off come to: the sum that the verdict alone does not show."""
    if settlement.prize == "odds off" and wager.bet in BASE_OF_ODDS:
        cite = game.terms.odds_off_when_decided.cite
        yield Step(f"The {wager.base.bet.replace('_', ' ')} bet was decided while these odds were off: they go back.", cite)
    one_roll = wager.one_roll
    if one_roll is None or one_roll.of == 1 or settlement.result != "WIN":
        return
    roll = next(event for event, _ in game.rolls if event.sequence == settlement.decided_at)
    low, high = sorted(roll.dice)
    win = one_roll.wins[low * 10 + high]
    unit = money_text(wager.action_minor // one_roll.of)
    yield Step(f"It is {one_roll.of} equal units of {unit}.", one_roll.lose_cite)
    powered = settlement.prize.endswith("power odds")
    for part in win.parts:
        words, odds = spoken(part.bet), part.odds
        if powered and game.power.table is not None and part.row:
            odds = game.power.table.pays.get(part.row, odds)
        units = f"{part.units} units" if part.units > 1 else "1 unit"
        yield Step(f"{units} on {words} wins {odds}, and its stake comes back.", settlement.cite)
    lost = one_roll.of - win.back
    if lost:
        yield Step(f"The other {lost} units lose." if lost > 1 else "The other unit loses.", settlement.cite)


def _why_not(game: Craps, wager: CrapsWager, settlement: Settlement) -> Iterator[Step]:
    """What was found of the wager, which is why one that is void goes back, and why one could not be decided."""
    for found in game.found.values():
        # what is over a limit is told with the sum
        if found.wager_id == wager.id and not wager.excess_minor:
            yield Step(found.sentence, found.cite)
    if settlement.result == "UNDECIDED" and settlement.decided_at < 0:
        yield Step("The round ended before the dice had decided it.", NOWHERE)
    elif settlement.result == "UNDECIDED" and settlement.prize:
        yield Step(f"It cannot be decided: {settlement.prize}.", settlement.cite)
