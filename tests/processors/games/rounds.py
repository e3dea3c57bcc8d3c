"""What the tests of several games share: the rules, a round replayed under other readings, and events drawn at random."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from events.model import Event, RoundOpened
from processors import rulebook
from processors.kernel.dated import Paytable
from processors.kernel.game import Game

GameType = TypeVar("GameType", bound=Game)
Verdicts = Mapping[str, tuple[str, int]]


class Turn(NamedTuple):
    """A round that turns on a reading: what is due under the default and under the other (result and money given)."""

    rule: str
    other: Any
    events: tuple[str, ...]
    default: Verdicts
    otherwise: Verdicts
    opened: Mapping[str, Any] = {}


@functools.cache
def book() -> rulebook.Rulebook:
    """The rules that come with the product, read once."""
    return rulebook.load()


def replayed_as(engine: type[GameType], events: Sequence[Event], readings: Mapping[str, Any]) -> GameType:
    """A round folded by `engine` under the rules in force, with other `readings` by the name of their rule."""
    opened, *rest = events
    assert isinstance(opened, RoundOpened)
    where = (opened.game, opened.jurisdiction, opened.gaming_day)
    terms: Any = book().terms(*where)
    changed = {name: getattr(terms, name)._replace(value=value) for name, value in readings.items()}

    def paytable(paytable_id: str) -> Paytable | None:
        return book().paytable(*where, paytable_id)

    game = engine(opened, dataclasses.replace(terms, **changed), paytable)
    for event in rest:
        handler = game.HANDLERS.get(type(event))
        if handler:
            handler(game, event)
    game.finish(events[-1].sequence)
    return game


def one_of(soup: Mapping[Any, Mapping[str, Any]]) -> st.SearchStrategy[tuple[Any, dict[str, Any]]]:
    """One kind of event of a soup, with its fields drawn each for itself."""
    return st.sampled_from(list(soup)).flatmap(
        lambda kind: st.fixed_dictionaries(dict(soup[kind])).map(lambda fields: (kind, fields))
    )
