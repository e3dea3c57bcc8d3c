"""What a game says of itself to be found."""

from __future__ import annotations

from typing import Any, NamedTuple

from processors.kernel.dealing import MakeDealer
from processors.kernel.game import Game
from processors.kernel.outcomes import Enumerate


class Definition(NamedTuple):
    """A game: its `name` as RoundOpened has it, the class that replays it, the dataclass of its rules, and its dealer.

    `dealer` makes a house-correct round for simulation (see `processors.kernel.dealing`); None where it has none.
    `outcomes` enumerates every outcome of a wager (see `processors.kernel.outcomes`).
    """

    name: str
    engine: type[Game]
    terms: type[Any]
    dealer: MakeDealer | None = None
    outcomes: Enumerate | None = None
