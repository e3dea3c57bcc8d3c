"""The player's expectation of a wager: all its outcomes, settled by the same engine that audits rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events.errors import BadInput
from events.model import Event, RoundOpened
from processors.kernel.dated import NoRuleInForce
from processors.kernel.outcomes import Distribution, Question
from processors.kernel.settlement import Settlement
from processors.replay import audit_round, open_round
from processors.rulebook import Rulebook


class RulebookBench:
    """The engine under a rulebook, for an enumerator."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook

    def open(self, events: Sequence[Event]) -> Any:
        """The game after these events; raises NoRuleInForce."""
        opened = events[0]
        if not isinstance(opened, RoundOpened):
            raise TypeError("a round begins with RoundOpened")
        return open_round(opened, events, self.rulebook)

    def settle(self, events: Sequence[Event]) -> Sequence[Settlement]:
        """The settlements of a whole round."""
        return audit_round(events, self.rulebook, only_due=True).settlements


def distribution(rulebook: Rulebook, game: str, question: Question) -> Distribution:
    """Every outcome of a wager with its probability.

    Raises BadInput where there is no such game or bet, no rule is in force there and then, or the game cannot enumerate it.
    """
    book = rulebook.games.get(game)
    if book is None:
        raise BadInput(f"there is no game {game!r}", do=f"use one of {', '.join(sorted(rulebook.games))}")
    enumerate_outcomes = book.definition.outcomes
    if enumerate_outcomes is None:
        raise BadInput(f"{game} does not enumerate its outcomes")
    if question.bet not in book.definition.engine.BETS:
        bets = ", ".join(sorted(book.definition.engine.BETS))
        raise BadInput(f"{game} has no bet {question.bet!r}", do=f"use one of {bets}")
    try:
        return enumerate_outcomes(question, RulebookBench(rulebook))
    except NoRuleInForce as absent:
        raise BadInput(str(absent), do=f"see `roundaudit rules show {game}`") from absent
