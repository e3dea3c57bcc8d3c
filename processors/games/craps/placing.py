"""Making, changing and taking down wagers: what the rules permit, and what is found where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from events.model import WagerChanged, WagerPlaced
from processors.games.craps.plan import OneRoll, OnNumber
from processors.games.craps.vigorish import fee_due, fee_still_due
from processors.games.craps.wagers import (
    BASE_OF_ODDS,
    BONUS,
    COME,
    LINE,
    ON_NUMBER,
    ONE_ROLL,
    WITH_VIGORISH,
    WITHOUT_ON,
    CrapsWager,
    combination,
)
from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.money import money_text
from processors.kernel.words import spoken

if TYPE_CHECKING:  # the engine calls this module with itself
    from processors.games.craps.engine import Craps

UNKNOWN: Final = -1
"""The point after a roll that could not be read."""


def admit(game: Craps, wager: CrapsWager, event: WagerPlaced) -> None:
    """A wager was placed: give it its place on the layout, or refuse it."""
    if wager.amount_minor <= 0:
        game.find("WRONG_AMOUNT", wager.placed_at, f"{_name(wager)} was placed without any chips.", wager_id=wager.id)
        game.undecide(wager, wager.placed_at)
        return
    if not game.betting_open:
        game.refuse(
            wager, "LATE_WAGER", wager.placed_at, game.terms.wagers_before_the_throw.cite,
            f"{_name(wager)} was placed after betting had closed.",
        )  # fmt: skip
        return
    if event.tender not in game.terms.tenders.value:
        text = f"{_name(wager)} was made with {event.tender.lower()}, not with chips."
        game.find("NOT_OFFERED", wager.placed_at, text, cite=game.terms.tenders.cite, wager_id=wager.id)
        if game.terms.other_tender.value == "void":
            game.settle(wager, "VOID", wager.placed_at, game.terms.tenders.cite)
            return
    wager.off_on_come_out = wager.bet in game.plan.off_on_come_out
    _ADMIT[wager.bet](game, wager)


def stand(game: Craps, wager: CrapsWager, at: int) -> None:
    """Betting closed: hold the amount against the posted limits, the limit of odds, and its equal parts."""
    wager.excess_minor = 0
    if wager.base is not None:
        if wager.bet in game.opened.limits:
            game.check_limits(wager, at)
        check_odds(game, wager, at)
        return
    game.check_limits(wager, at)
    one_roll = wager.one_roll
    if one_roll is not None and one_roll.of > 1 and not wager.excess_minor and game.terms.parts_must_be_even.value:
        unit = one_roll.of * game.chip_minor
        if wager.amount_minor % unit:
            game.refuse(
                wager, "WRONG_AMOUNT", at, game.terms.parts_must_be_even.cite,
                f"{money_text(wager.amount_minor)} on {_name(wager)} does not divide into {one_roll.of} equal parts.",
            )  # fmt: skip
    if wager.excess_minor and wager.fee_minor:
        wager.fee_minor = fee_still_due(game, wager, wager.action_minor)


def change(game: Craps, wager: CrapsWager, event: WagerChanged) -> None:
    """The amount of a wager changed: take it, or find that it may not."""
    new, at = event.amount_minor, event.sequence
    if new < wager.amount_minor:
        _reduce(game, wager, new, at)
    elif new > wager.amount_minor:
        _increase(game, wager, new, at)


def put_back(game: Craps, wager: CrapsWager, at: int) -> bool:
    """Find chips on a wager that the dice decided, and on a don't bet that was taken down (45(e)); else nothing is found."""
    result = _result(game, wager)
    if result == "REMOVED" and wager.number and wager.bet in game.terms.not_increased_after_point.value:
        game.find(
            "NOT_INCREASABLE", at,
            f"{_name(wager)} was put back up although it had a point, {wager.number}, when it was taken down.",
            cite=game.terms.not_increased_after_point.cite, wager_id=wager.id,
        )  # fmt: skip
    elif result in ("WIN", "LOSE", "PUSH"):
        text = f"{_name(wager)} was changed after it was decided; chips put up again are a new wager."
        game.find("CONFLICTING_FACT", at, text, wager_id=wager.id)
    else:
        return False
    return True


def check_odds(game: Craps, wager: CrapsWager, at: int) -> None:
    """Hold odds against their limit: all odds on one wager together, the earlier ones first."""
    base: CrapsWager = wager.base
    if base.settled:
        game.refuse(
            wager, "MISSING_PARENT", at, _odds_cite(game, wager),
            f"{_name(wager)} hangs on {base.id}, which is no longer on the layout.",
        )  # fmt: skip
        return
    room = odds_limit_minor(game, base, wager)
    for other in base.odds_on_it:
        if other is wager:
            break
        if not other.settled:
            room -= other.amount_minor - other.excess_minor
    over = wager.amount_minor - max(room, 0)
    if over > 0:
        returned = game.terms.odds_excess_returned.value
        if returned:
            wager.excess_minor = max(wager.excess_minor, over)
        game.find(
            "ABOVE_MAXIMUM", (wager.placed_at, at),
            f"{money_text(wager.amount_minor)} in odds on a {base.bet.replace('_', ' ')} bet of "
            f"{money_text(base.action_minor)}: {money_text(max(room, 0))} is allowed"
            + (f", {money_text(over)} goes back." if returned else "."),
            cite=_odds_cite(game, wager), wager_id=wager.id,
        )  # fmt: skip


def odds_limit_minor(game: Craps, base: CrapsWager, wager: CrapsWager) -> int:
    """The most that may be staked in odds on `base`: a multiple of it, or what wins that multiple of it when laid."""
    limit = base.action_minor * game.odds_multiple(wager.bet)
    if wager.on_number.against:
        return int(limit / wager.on_number.odds.win)
    return limit


def _reduce(game: Craps, wager: CrapsWager, new: int, at: int) -> None:
    cite = game.terms.frozen_after_point.cite
    if wager.number and wager.bet in game.plan.frozen:
        down = "reduced" if new > 0 else "taken down"
        game.find(
            "NOT_REMOVABLE", at,
            f"{_name(wager)} was {down} although it has a point, {wager.number}: it stays {money_text(wager.amount_minor)}.",
            cite=cite, wager_id=wager.id,
        )  # fmt: skip
    elif new > 0:
        wager.amount_minor = new
        _stand_again(game, wager)
    else:
        terms = game.terms
        paid = wager.fee_minor + wager.fee_before_minor
        if paid:
            rule = terms.lay_vigorish_returned if wager.bet == "lay" else terms.buy_vigorish_returned
            cite = rule.cite
            if rule.value:
                wager.fee_returned_minor = paid
        game.settle(wager, "REMOVED", at, cite)
        _stand_again(game, wager)


def _increase(game: Craps, wager: CrapsWager, new: int, at: int) -> None:
    terms = game.terms
    kind, cite, why = "", NOWHERE, ""
    if not game.betting_open:
        kind, cite, why = "LATE_WAGER", terms.wagers_before_the_throw.cite, "after betting had closed"
    elif wager.number and wager.bet in game.plan.not_increased:
        rule = terms.not_increased_after_point if wager.bet.startswith("dont") else terms.frozen_after_point
        kind, cite, why = "NOT_INCREASABLE", rule.cite, f"although it has a point, {wager.number}"
    elif (wager.bet in BONUS or wager.bet == "hot_shooter") and not _bonus_open(game, wager):
        kind, cite, why = "NOT_INCREASABLE", _bonus_cite(game, wager), "after the time for placing it"
    if kind:
        text = f"{_name(wager)} was increased {why}: it stays {money_text(wager.amount_minor)}."
        game.find(kind, at, text, cite=cite, wager_id=wager.id)
        return
    wager.amount_minor = new
    if wager.bet in WITH_VIGORISH:
        wager.fee_minor = max(wager.fee_minor, fee_still_due(game, wager, new))
    _stand_again(game, wager)


def _result(game: Craps, wager: CrapsWager) -> str:
    return next((due.result for due in game.settlements if due.wager_id == wager.id), "")


def _stand_again(game: Craps, wager: CrapsWager) -> None:
    """A changed amount is looked at again when betting closes, and so are all odds of the same base.

    What was over a limit of the amount before says nothing of this one.
    """
    if not wager.settled:
        wager.excess_minor = 0
    base = wager if wager.base is None else wager.base
    if base is wager and not wager.settled:
        game.standing.append(wager)
    game.standing.extend(odds for odds in base.odds_on_it if not odds.settled)


def _admit_line(game: Craps, wager: CrapsWager) -> None:
    if game.point == UNKNOWN:
        game.undecide(wager, wager.placed_at)
        return
    wager.first = game.plan.first[wager.bet]
    number = _number_before(game, wager)
    if number and not game.rolls_of_turn and game.point in (0, number):
        # the shooter before gave up the dice with a point on: it is still the point, and no come-out roll comes first
        game.point, game.continued = number, True
        game.give_number(wager, number)
        game.line_wagers.setdefault(wager.seat, []).append(wager)
        return
    if game.point:
        placed = game.terms.pass_placed if wager.bet == "pass" else game.terms.dont_pass_placed
        game.refuse(
            wager, "LATE_WAGER", wager.placed_at, placed.cite,
            f"{_name(wager)} was placed after the come-out roll: the point is {game.point}.",
        )  # fmt: skip
        return
    game.line.append(wager)
    game.line_wagers.setdefault(wager.seat, []).append(wager)


def _admit_come(game: Craps, wager: CrapsWager) -> None:
    wager.first = game.plan.first[wager.bet]
    number = _number_before(game, wager)
    if number:
        game.give_number(wager, number)
        return
    if _after_come_out(game, wager):
        game.coming.append(wager)


def _number_before(game: Craps, wager: CrapsWager) -> int:
    """The number of a line or come bet that was carried, with it, over a turn that ended without a seven-out; else 0."""
    return int(wager.on) if is_carried_over(game, wager) and wager.on in game.plan.on_number["put"] else 0


def is_carried_over(game: Craps, wager: CrapsWager) -> bool:
    """Whether a wager is one of an earlier round that its turn left undecided there."""
    return bool(wager.carried_from) and wager.carried_from not in game.wagers


def _admit_odds(game: Craps, wager: CrapsWager) -> None:
    cite = _odds_cite(game, wager)
    base = game.wagers.get(wager.parent)
    wanted = BASE_OF_ODDS[wager.bet]
    words = spoken(wanted)
    if base is None or base.bet != wanted:
        why = f"hangs on no {words} bet"
        game.refuse(wager, "MISSING_PARENT", wager.placed_at, cite, f"{_name(wager)} {why}.")
    elif base.settled:
        if game.is_undecided(base):
            game.undecide(wager, wager.placed_at)
            return
        why = f"hangs on {base.id}, which is decided or gone"
        game.refuse(wager, "MISSING_PARENT", wager.placed_at, cite, f"{_name(wager)} {why}.")
    elif not base.number:
        game.refuse(wager, "NOT_OFFERED", wager.placed_at, cite, f"{_name(wager)}: the {words} bet has no point yet.")
    else:
        wager.base = base
        base.odds_on_it.append(wager)
        game.standing.append(wager)
        _put_on(game, wager, game.plan.on_number[wager.bet][str(base.number)])


def _admit_number(game: Craps, wager: CrapsWager) -> None:
    on = "" if wager.bet in WITHOUT_ON else wager.on
    found = game.plan.on_number[wager.bet].get(on)
    if found is None:
        _not_offered(game, wager, next(iter(game.plan.on_number[wager.bet].values())).lose_cite)
        return
    carried = is_carried_over(game, wager)
    if wager.bet == "put" and not carried and not _after_come_out(game, wager):
        return
    _put_on(game, wager, found)
    if wager.bet in WITH_VIGORISH:
        before = game.wagers.get(wager.carried_from)
        wager.carried = carried or (before is not None and not before.settled)
        if wager.carried:
            wager.fee_before_minor = fee_due(game, wager, wager.amount_minor)
        else:
            wager.fee_minor = fee_due(game, wager, wager.amount_minor)


def _admit_one_roll(game: Craps, wager: CrapsWager) -> None:
    plans = game.plan.one_roll[wager.bet]
    on = "" if wager.bet in WITHOUT_ON else wager.on
    found: OneRoll | None = plans.get(combination(on) if wager.bet == "hop" else on)
    if found is None:
        _not_offered(game, wager, next(iter(plans.values())).lose_cite)
        return
    wager.one_roll = found
    game.next_roll.append(wager)


def _admit_bonus(game: Craps, wager: CrapsWager) -> None:
    if game.point == UNKNOWN:
        game.undecide(wager, wager.placed_at)
    elif not _bonus_open(game, wager) and not (game.continued and is_carried_over(game, wager)):
        text = f"{_name(wager)} was placed after the time for placing it."
        game.refuse(wager, "LATE_WAGER", wager.placed_at, _bonus_cite(game, wager), text)
    elif wager.bet == "hot_shooter":
        wager.rolls_before = game.rolls_of_turn
        game.hot_shooters.append(wager)
    else:
        wager.missing = set(game.plan.bonus[wager.bet][0].value)
        game.bonus.append(wager)


def _bonus_open(game: Craps, wager: CrapsWager) -> bool:
    """Whether a bonus wager may be made now: not in a turn that an earlier round began with its point."""
    if game.continued:
        return False
    if wager.bet == "hot_shooter" or game.terms.bonus_placed.value == "before_the_first_roll":
        return game.rolls_of_turn == 0
    return not game.point_was_set


def _bonus_cite(game: Craps, wager: CrapsWager) -> Citation:
    if wager.bet == "hot_shooter":
        cite: Citation = game.terms.hot_shooter_placed.cite
        return cite
    return game.plan.bonus[wager.bet][0].cite


def _after_come_out(game: Craps, wager: CrapsWager) -> bool:
    """Whether a wager that is made after the come-out roll may be made now; refuses it where not."""
    if game.point == UNKNOWN:
        game.undecide(wager, wager.placed_at)
    elif game.point == 0:
        placed = getattr(game.terms, f"{wager.bet}_placed")
        text = f"{_name(wager)} was placed before the come-out roll."
        game.refuse(wager, "NOT_OFFERED", wager.placed_at, placed.cite, text)
    return game.point > 0


def _not_offered(game: Craps, wager: CrapsWager, cite: Citation) -> None:
    text = f"There is no {wager.bet.replace('_', ' ')} bet on {wager.on or 'nothing'!r}."
    game.refuse(wager, "NOT_OFFERED", wager.placed_at, cite, text)


def _put_on(game: Craps, wager: CrapsWager, found: OnNumber) -> None:
    wager.on_number = found
    wager.number = found.number
    game.numbers[found.number].append(wager)


def _odds_cite(game: Craps, wager: CrapsWager) -> Citation:
    """The paragraph that allows odds of this kind, and how much."""
    return game.plan.on_number[wager.bet]["4"].lose_cite


def _name(wager: CrapsWager) -> str:
    on = f" {wager.on}" if wager.on else ""
    return f"The {wager.bet.replace('_', ' ')}{on} wager {wager.id}"


_ADMIT: Final[dict[str, Callable[[Craps, CrapsWager], None]]] = {
    **dict.fromkeys(LINE, _admit_line),
    **dict.fromkeys(COME, _admit_come),
    **dict.fromkeys(BASE_OF_ODDS, _admit_odds),
    **dict.fromkeys(ON_NUMBER, _admit_number),
    **dict.fromkeys(ONE_ROLL, _admit_one_roll),
    **dict.fromkeys(BONUS, _admit_bonus),
    "hot_shooter": _admit_bonus,
}
