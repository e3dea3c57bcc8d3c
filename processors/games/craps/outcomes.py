"""Every outcome of a craps wager, exactly: the engine is shown each of the 36 rolls in each state of the wager."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Final

from events.errors import BadInput
from events.model import (
    BettingClosed,
    DiceRolled,
    Event,
    FeatureActivated,
    RoundOpened,
    WagerPlaced,
)
from processors.games.craps.wagers import BASE_OF_ODDS, BONUS, COME
from processors.kernel.outcomes import Bench, Chain, Distribution, Question, Verdict, verdict_of

STAKE_MINOR: Final = 252_000_00
"""Divides by every denominator of the odds and by every number of equal parts, so that no payment is rounded."""

COMBINATIONS: Final = [((low, high), Fraction(1 if low == high else 2, 36)) for low in range(1, 7) for high in range(low, 7)]
EASY: Final = {4: (1, 3), 5: (1, 4), 6: (2, 4), 8: (2, 6), 9: (4, 5), 10: (4, 6)}
WAGER: Final = "asked"
MOST_ROLLS_THAT_MATTER: Final = 51
"""From here on the number of rolls changes nothing for a hot shooter wager (its top row begins at 50)."""


def outcomes(question: Question, bench: Bench) -> Distribution:
    """The distribution of one wager, per wager made. With a power odds paytable: of a roll with the light on.

    Raises BadInput where the wager cannot be made.
    """
    opening = _opening(question)
    chain, start = Chain(), None
    waiting: list[tuple[Hashable, list[Event]]] = []

    def state_of(game: Any, history: list[Event]) -> Hashable:
        state = _state(game)
        if state not in chain.next:
            chain.add(state)
            waiting.append((state, history))
        return state

    game = bench.open(opening)
    if WAGER not in game.wagers or game.wagers[WAGER].settled:
        reason = next((found.sentence for found in game.found.values()), "it cannot be made")
        raise BadInput(reason, f"craps {question.bet} {question.on}".strip(), "name another wager, as `place 6`")
    start = state_of(game, opening)
    while waiting:
        state, history = waiting.pop(0)
        for dice, probability in COMBINATIONS:
            after = _rolled(question, history, dice)
            game = bench.open(after)
            verdict = _verdict(game)
            if verdict is not None:
                chain.to_end(state, verdict, probability)
            else:
                chain.to_state(state, state_of(game, after), probability)
    found = chain.solve(start)
    if any(verdict.label.startswith("UNDECIDED") for verdict in found):
        raise BadInput(f"paytable {question.paytable!r} has no power odds", do="see `roundaudit rules show craps`")
    return Distribution(found, note="of a roll with the light of power odds on" if question.paytable else "")


def _verdict(game: Any) -> Verdict | None:
    return verdict_of(game.settlements, WAGER, STAKE_MINOR) if game.wagers[WAGER].settled else None


def _state(game: Any) -> Hashable:
    """What the rest of the wager's life depends on."""
    wager = game.wagers[WAGER]
    point = game.point if wager.off_on_come_out or wager.bet == "hot_shooter" else -1
    rolls = min(game.rolls_of_turn, MOST_ROLLS_THAT_MATTER) if wager.bet == "hot_shooter" else 0
    return wager.number, frozenset(wager.missing), point, rolls


def _opening(question: Question) -> list[Event]:
    """A table with the wager on it, and whatever must lie or have been rolled before it may be made."""
    events: list[Event] = []
    paytables = {"power_odds": question.paytable} if question.paytable else {}
    envelope = ("edge", "edge", 0, 0, "edge")
    events.append(RoundOpened(*envelope, "craps", question.jurisdiction, question.day, "USD", paytables=paytables))
    parent = ""
    bet, on = question.bet, question.on
    if bet in BASE_OF_ODDS:
        parent, base = "base", BASE_OF_ODDS[bet]
        number = int(on) if on in ("4", "5", "6", "8", "9", "10") else 6
        if base in COME or base == "put":
            _line_and_point(events, 5 if number != 5 else 9)
        _place(events, "base", base, str(number) if base == "put" else "")
        if base != "put":
            _roll(events, EASY[number])
        on = ""
    elif bet not in ("pass", "dont_pass", "hot_shooter", *BONUS):
        _line_and_point(events, 6 if on != "6" else 8)
    _place(events, WAGER, bet, on, parent)
    return events


def _line_and_point(events: list[Event], point: int) -> None:
    _place(events, "line", "pass", "")
    _roll(events, EASY[point])


def _place(events: list[Event], wager_id: str, bet: str, on: str, parent: str = "") -> None:
    envelope = ("edge", "edge", len(events), 0, "edge")
    events.append(WagerPlaced(*envelope, wager_id, bet, STAKE_MINOR, 1, on=on, parent=parent))


def _roll(events: list[Event], dice: tuple[int, int]) -> None:
    events.append(BettingClosed("edge", "edge", len(events), 0, "edge"))
    events.append(DiceRolled("edge", "edge", len(events), 0, "edge", dice, 1))


def _rolled(question: Question, history: list[Event], dice: tuple[int, int]) -> list[Event]:
    events = list(history)
    if question.paytable:
        events.append(BettingClosed("edge", "edge", len(events), 0, "edge"))
        events.append(FeatureActivated("edge", "edge", len(events), 0, "edge", "power_odds"))
    _roll(events, dice)
    return events
