"""Every outcome of a wager with its exact probability, as a game enumerates them for its own engine to settle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, cast

from events.model import Event
from processors.kernel.settlement import Settlement


class Question(NamedTuple):
    """Which wager is asked about: `bet` and `on` as in WagerPlaced; `paytable` and `decks` where the table chooses."""

    bet: str
    on: str = ""
    paytable: str = ""
    decks: int = 0
    jurisdiction: str = ""
    day: str = ""


class Verdict(NamedTuple):
    """What an outcome comes to: its label, and the net for each unit staked (-1 where the stake is lost)."""

    label: str
    net: Fraction


class Distribution(NamedTuple):
    """The outcomes with their probabilities. `samples` is 0 where they were enumerated exactly, else how many were drawn."""

    probabilities: Mapping[Verdict, Fraction]
    samples: int = 0
    note: str = ""

    @property
    def expectation(self) -> Fraction:
        """The player's expectation for each unit staked; the house edge is its negative."""
        return sum((p * verdict.net for verdict, p in self.probabilities.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net for each unit staked."""
        square = sum((p * verdict.net**2 for verdict, p in self.probabilities.items()), Fraction(0))
        return square - self.expectation**2


class Bench(Protocol):
    """The engine as an enumerator uses it: the same that settles rounds."""

    def open(self, events: Sequence[Event]) -> Any:
        """The game after these events, not finished: wagers that nothing decided are still open."""

    def settle(self, events: Sequence[Event]) -> Sequence[Settlement]:
        """The settlements of a whole round."""


Enumerate = Callable[[Question, Bench], Distribution]
"""What a game's Definition has as `outcomes`. Raises BadInput for a question that the game cannot be asked."""


def say(events: list[Event], event_type: type[Event], *fields: Any, **more: Any) -> None:
    """Append an event of a round that an enumerator makes up; `fields` are those behind the envelope, in their order."""
    events.append(cast(Any, event_type)("edge", "edge", len(events), 0, "edge", *fields, **more))


def verdict_of(settlements: Iterable[Settlement], wager_id: str, stake_minor: int) -> Verdict:
    """What a wager came to, for each unit of its stake. What goes to the dealer is not the patron's."""
    own = [s for s in settlements if s.wager_id == wager_id and s.paid_to == "PATRON"]
    if len(own) != 1:
        raise ValueError(f"wager {wager_id} has {len(own)} settlements")
    (found,) = own
    label = f"{found.result} {found.prize}".strip()
    return Verdict(label, Fraction(found.given_minor - found.fee_minor - stake_minor, stake_minor))


def verdict_of_all(settlements: Iterable[Settlement], stakes_minor: Mapping[str, int], wager_id: str) -> Verdict:
    """What a wager came to together with those made on it later, for each unit of its own stake.

    `stakes_minor` are the stakes of all of them by their ids. The label is the wager's own, or names the bets made later.
    """
    found = list(settlements)
    own = verdict_of(found, wager_id, stakes_minor[wager_id])
    if len(stakes_minor) == 1:
        return own
    nets = [verdict_of(found, other, stake).net * stake for other, stake in stakes_minor.items()]
    later = sorted({s.bet for s in found if s.wager_id in stakes_minor and s.wager_id != wager_id})
    return Verdict(f"with {' and '.join(later)}", Fraction(sum(nets, Fraction(0)), stakes_minor[wager_id]))


def merged(parts: Iterable[tuple[Fraction, Verdict]]) -> dict[Verdict, Fraction]:
    """The probabilities of equal verdicts added up, most likely first."""
    found: dict[Verdict, Fraction] = {}
    for probability, verdict in parts:
        found[verdict] = found.get(verdict, Fraction(0)) + probability
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0].label)))


class Chain:
    """An absorbing chain of states, solved exactly: from each state some of the outcomes and some of the next states."""

    def __init__(self) -> None:
        self.next: dict[Hashable, dict[Hashable, Fraction]] = {}
        self.ends: dict[Hashable, dict[Verdict, Fraction]] = {}

    def add(self, state: Hashable) -> None:
        """Add a state without any way out of it yet."""
        self.next[state], self.ends[state] = {}, {}

    def to_state(self, state: Hashable, following: Hashable, probability: Fraction) -> None:
        """From `state` the chain goes on to `following` with this probability."""
        self.next[state][following] = self.next[state].get(following, Fraction(0)) + probability

    def to_end(self, state: Hashable, verdict: Verdict, probability: Fraction) -> None:
        """From `state` the chain ends in `verdict` with this probability."""
        self.ends[state][verdict] = self.ends[state].get(verdict, Fraction(0)) + probability

    def solve(self, start: Hashable) -> dict[Verdict, Fraction]:
        """The probabilities of the ends from `start`, by eliminating every other state, latest added first.

        Raises ZeroDivisionError where a state can never be left.
        """
        into: dict[Hashable, set[Hashable]] = {state: set() for state in self.next}
        for state, following in self.next.items():
            for target in following:
                into[target].add(state)
        for state in [*reversed([s for s in self.next if s != start]), start]:
            row, ends = self.next.pop(state), self.ends.pop(state)
            stay = 1 / (1 - row.pop(state, Fraction(0)))
            row = {target: p * stay for target, p in row.items()}
            ends = {verdict: p * stay for verdict, p in ends.items()}
            if state == start:
                return merged((p, verdict) for verdict, p in ends.items())
            self._substitute(state, row, ends, into)
        raise ValueError("the start is no state of the chain")

    def _substitute(
        self,
        state: Hashable,
        row: Mapping[Hashable, Fraction],
        ends: Mapping[Verdict, Fraction],
        into: Mapping[Hashable, set[Hashable]],
    ) -> None:
        for source in into[state] - {state}:
            if source not in self.next:
                continue
            weight = self.next[source].pop(state)
            for target, p in row.items():
                self.to_state(source, target, weight * p)
                into[target].add(source)
            for verdict, p in ends.items():
                self.to_end(source, verdict, weight * p)
