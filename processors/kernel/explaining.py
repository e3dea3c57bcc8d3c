"""Says how a settlement comes about, in steps that a floor manager can read aloud. Computed when asked, never stored."""

from __future__ import annotations

from typing import Any

from processors.kernel.citation import NOWHERE
from processors.kernel.game import Game
from processors.kernel.money import money_text
from processors.kernel.settlement import Settlement, Step
from processors.kernel.words import spoken


def explain(game: Game, settlement: Settlement) -> list[Step]:
    """The steps that lead to a settlement, for a person to read aloud."""
    wager = game.wagers[settlement.wager_id]
    if settlement.paid_to == "DEALER":
        fixed = f"{settlement.prize} on {_bet_words(wager)} pays the dealer a fixed amount, whatever was wagered."
        tip = "It is a tip wager: what it wins, stake included, is the dealer's."
        words = tip if wager.for_dealer else fixed
        return [Step(words, settlement.cite), Step(_verdict_words(settlement), settlement.cite)]
    steps = [Step(f"{money_text(wager.amount_minor)} on {_bet_words(wager)}.", NOWHERE), *game.facts(wager)]
    if wager.excess_minor:
        steps.append(Step(f"{money_text(wager.excess_minor)} of it has no action and goes back.", settlement.cite))
    if wager.refused_raise_minor:
        raised = money_text(wager.refused_raise_minor)
        steps.append(Step(f"{raised} was added when it could not be; it has no action and goes back.", settlement.cite))
    if settlement.result == "WIN" and wager.odds is not None:
        won = money_text(game.pay(wager.action_minor, wager.odds))
        steps.append(
            Step(
                f"{_because(settlement.prize)} wins {wager.odds}: "
                f"{money_text(wager.action_minor)} x {wager.odds.win}{_rounding_words(game, wager)} = {won}"
                + (", and the stake comes back." if wager.odds.keeps_stake else "; the stake is in it."),
                settlement.cite,
            )
        )
    steps.append(Step(_verdict_words(settlement), settlement.cite))
    return steps


def _because(prize: str) -> str:
    """What decided a wager that wins, as the beginning of a sentence: `flush` is no player that could win itself."""
    return f"{prize[:1].upper()}{prize[1:]}, so the wager" if prize else "The wager"


def _rounding_words(game: Game, wager: Any) -> str:
    """How a payment that does not come out even was rounded; "" for one that does."""
    if wager.action_minor * wager.odds.win % game.chip_minor == 0:
        return ""
    return f", up to the next chip of {money_text(game.chip_minor)}," if game.chip_minor > 1 else ", to the nearest cent,"


def _bet_words(wager: Any) -> str:
    words = spoken(wager.bet) + (f" {wager.on}" if wager.on else "")
    return f"{words}, seat {wager.seat}" if wager.seat else words


def _verdict_words(settlement: Settlement) -> str:
    parts = []
    if settlement.paid_minor:
        parts.append(f"{money_text(settlement.paid_minor)} paid to the {settlement.paid_to.lower()}")
    if settlement.stake_returned_minor:
        parts.append(f"{money_text(settlement.stake_returned_minor)} stake returned")
    if settlement.no_action_minor:
        parts.append(f"{money_text(settlement.no_action_minor)} without action returned")
    if settlement.fee_minor:
        parts.append(f"{money_text(settlement.fee_minor)} fee due")
    if settlement.fee_returned_minor:
        parts.append(f"{money_text(settlement.fee_returned_minor)} fee returned")
    return f"{settlement.result}: {', '.join(parts) or 'nothing to hand over'}."
