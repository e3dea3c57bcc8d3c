"""The events: facts in the past tense, frozen and complete in themselves. Identity is `(round_id, sequence)`.

Each class mirrors `schemas/audit.<Name>.avsc`, field by field and in the same order; what a field means stands there.
They are named tuples because the hot path makes one for every event: a frozen dataclass costs four times as much
(docs/decisions/0003). Amounts are minor units, `occurred_at` is microseconds UTC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

Target = Literal["SEAT", "DEALER", "BURN", "DISCARD"]
Action = Literal["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER", "INSURE", "EVEN_MONEY", "PLAY", "FOLD"]
Result = Literal["WIN", "LOSE", "PUSH", "VOID", "REMOVED", "UNDECIDED"]
Payee = Literal["PATRON", "DEALER"]
Tender = Literal["CHIPS", "VOUCHER", "CASH"]
Machine = Literal["white", "powerball"]

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

ENVELOPE: Final = ("round_id", "table_id", "sequence", "occurred_at", "source")
"""The fields that every event begins with."""


class RoundOpened(NamedTuple):
    """A round began: all that its replay needs beside the rules."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    game: str
    jurisdiction: str
    gaming_day: str
    currency: str
    decks: int = 0
    shoe_id: str = ""
    dealer_id: str = ""
    paytables: Mapping[str, str] = NOTHING
    options: Mapping[str, str] = NOTHING
    limits: Mapping[str, Mapping[str, int]] = NOTHING
    progressives: Mapping[str, str] = NOTHING
    meters: Mapping[str, int] = NOTHING


class WagerPlaced(NamedTuple):
    """A wager was placed on the layout."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    wager_id: str
    bet: str
    amount_minor: int
    seat: int = 0
    patron_id: str = ""
    on: str = ""
    tender: Tender = "CHIPS"
    parent: str = ""
    carried_from: str = ""
    for_dealer: bool = False


class WagerChanged(NamedTuple):
    """The amount of a wager on the layout changed."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    wager_id: str
    amount_minor: int
    reason: str = ""


class WagerCalled(NamedTuple):
    """A player called a wager on or off."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    wager_id: str
    working: bool


class BettingClosed(NamedTuple):
    """No more bets."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str


class CardDealt(NamedTuple):
    """A card was dealt."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    to: Target
    seat: int = 0
    hand: int = 1
    card: str = ""
    face_up: bool = True


class CardExposed(NamedTuple):
    """A face-down card was turned up."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    to: Target
    card: str
    seat: int = 0
    hand: int = 1
    position: int = 0


class CardDiscarded(NamedTuple):
    """A card was taken out of a hand again; other positions do not shift."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    to: Target
    seat: int = 0
    hand: int = 1
    position: int = 0
    card: str = ""
    reason: str = ""


class HoleCardChecked(NamedTuple):
    """The dealer looked at the hole card without showing it."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str


class ShoeShuffled(NamedTuple):
    """Cards come from a new shoe from here on."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    shoe_id: str


class PlayerActed(NamedTuple):
    """A player acted on a hand."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    action: Action
    seat: int = 0
    hand: int = 1
    wager_id: str = ""


class DiceRolled(NamedTuple):
    """The dice were thrown."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    dice: Sequence[int]
    shooter: int = 0
    no_roll: str = ""


class FeatureActivated(NamedTuple):
    """A feature of the table was switched on for what follows."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    feature: str
    wager_id: str = ""
    detail: Mapping[str, str] = NOTHING


class SymbolRevealed(NamedTuple):
    """A symbol of a ticket was uncovered."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    area: str
    symbol: str
    row: int = 1
    column: int = 1


class BallDrawn(NamedTuple):
    """A ball was drawn."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    machine: Machine
    number: int
    position: int = 1


class MultiplierDrawn(NamedTuple):
    """The multiplier was drawn."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    multiplier: int


class MeterRead(NamedTuple):
    """A progressive meter was read."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    progressive_id: str
    amount_minor: int
    wager_id: str = ""
    reason: str = ""


class ContributionRecorded(NamedTuple):
    """The progressive system added a contribution."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    progressive_id: str
    amount_minor: int
    wager_id: str = ""
    reason: str = ""


class MeterReset(NamedTuple):
    """The progressive system reset a meter."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    progressive_id: str
    amount_minor: int
    wager_id: str = ""
    reason: str = ""


class FeeCollected(NamedTuple):
    """A fee was collected."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    fee: str
    amount_minor: int
    seat: int = 0
    wager_id: str = ""


class SettlementRecorded(NamedTuple):
    """The table settled a wager."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    wager_id: str
    result: Result
    paid_minor: int = 0
    stake_returned_minor: int = 0
    no_action_minor: int = 0
    fee_returned_minor: int = 0
    free_tickets: int = 0
    paid_to: Payee = "PATRON"


class EventRetracted(NamedTuple):
    """An earlier event of the round was taken back."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    retracts: int
    reason: str = ""
    authorised_by: str = ""


class RoundVoided(NamedTuple):
    """The round was declared dead: every wager is void and returned."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str
    reason: str = ""
    authorised_by: str = ""


class RoundClosed(NamedTuple):
    """The round ended."""

    round_id: str
    table_id: str
    sequence: int
    occurred_at: int
    source: str


Event = (
    RoundOpened
    | WagerPlaced
    | WagerChanged
    | WagerCalled
    | BettingClosed
    | CardDealt
    | CardExposed
    | CardDiscarded
    | HoleCardChecked
    | ShoeShuffled
    | PlayerActed
    | DiceRolled
    | FeatureActivated
    | SymbolRevealed
    | BallDrawn
    | MultiplierDrawn
    | MeterRead
    | ContributionRecorded
    | MeterReset
    | FeeCollected
    | SettlementRecorded
    | EventRetracted
    | RoundVoided
    | RoundClosed
)

EVENT_TYPES: Final[Mapping[str, type[Event]]] = MappingProxyType({cls.__name__: cls for cls in Event.__args__})
"""Every event class by its name."""
