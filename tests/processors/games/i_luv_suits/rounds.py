"""Rounds of I Luv Suits for tests: written out in short lines, drawn at random, or any soup of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from events.model import (
    BettingClosed,
    CardDealt,
    CardDiscarded,
    CardExposed,
    Event,
    MeterRead,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementRecorded,
    ShoeShuffled,
    WagerChanged,
    WagerPlaced,
)
from processors.games.i_luv_suits.engine import ILuvSuits
from processors.kernel.cards import CARDS
from processors.kernel.dealing import Narrator, TableSetup
from tests.game_cases import events_of
from tests.processors.games.rounds import one_of, replayed_as

OPENED = {"game": "i_luv_suits", "jurisdiction": "us-ks-southwest", "gaming_day": "2021-06-01", "decks": 1}
SETUP = TableSetup("LS-1", "us-ks-southwest", "2021-06-01", "USD", "D-1", ())
DECK = sorted(CARDS)
BONUS = ("flush_rush", "super_flush_rush", "progressive")


def lines(*text: str, **opened: Any) -> list[Event]:
    """The events of short lines, as a case has them."""
    return events_of({"events": list(text), "round": opened}, OPENED)


def replayed(events: Sequence[Event], **readings: Any) -> ILuvSuits:
    """A round folded under the rules in force, with other `readings` by the name of their rule."""
    return replayed_as(ILuvSuits, events, readings)


class Seat(NamedTuple):
    """A seat as it is drawn: its wagers in minor units by bet, whether it folds, how many antes it plays."""

    number: int
    ante_minor: int
    bonus: Mapping[str, int]
    tip_minor: int
    folds: bool
    times: int


SEATS = st.lists(
    st.builds(
        Seat,
        number=st.integers(1, 6),
        ante_minor=st.integers(1, 40).map(lambda chips: chips * 250),
        bonus=st.dictionaries(st.sampled_from(BONUS), st.integers(1, 20).map(lambda chips: chips * 100)),
        tip_minor=st.sampled_from([0, 0, 0, 500]),
        folds=st.booleans(),
        times=st.integers(1, 4),
    ),
    min_size=1, max_size=6, unique_by=lambda seat: seat.number,
)  # fmt: skip


def round_of(seats: Sequence[Seat], deck: Sequence[str], only: frozenset[int] | None = None) -> list[Event]:
    """A round in which each seat bets, is dealt seven cards of `deck` and decides. `only` leaves out the other seats, whose
    cards stay in the deck, so that every hand is the same as in the full round.
    """
    says = Narrator(SETUP, "R", 1_622_570_400_000_000)
    says.say(RoundOpened, game="i_luv_suits", jurisdiction=SETUP.jurisdiction, gaming_day=SETUP.gaming_day,
             currency="USD", decks=1, progressives={"progressive": "ILS"}, meters={"ILS": 123_457})  # fmt: skip
    by_number = sorted(seats)
    hands = {seat.number: deck[7 * place : 7 * place + 7] for place, seat in enumerate(by_number)}
    there = [seat for seat in by_number if only is None or seat.number in only]
    for seat in there:
        name = seat.number
        says.say(WagerPlaced, wager_id=f"a{name}", bet="ante", amount_minor=seat.ante_minor, seat=name)
        for bet, amount in sorted(seat.bonus.items()):
            says.say(WagerPlaced, wager_id=f"{bet}{name}", bet=bet, amount_minor=amount, seat=name, parent=f"a{name}")
        if seat.tip_minor:
            says.say(WagerPlaced, wager_id=f"t{name}", bet="ante", amount_minor=seat.tip_minor, seat=name, for_dealer=True)
    for seat in there:
        for card in hands[seat.number]:
            says.say(CardDealt, to="SEAT", seat=seat.number, card=card, face_up=False)
    for card in deck[-7:]:
        says.say(CardDealt, to="DEALER", card=card, face_up=False)
    for seat in there:
        name = seat.number
        if seat.folds:
            says.say(PlayerActed, action="FOLD", seat=name, wager_id=f"a{name}")
        else:
            amount = seat.ante_minor * seat.times
            says.say(WagerPlaced, wager_id=f"p{name}", bet="play", amount_minor=amount, seat=name, parent=f"a{name}")
            says.say(PlayerActed, action="PLAY", seat=name, wager_id=f"p{name}")
    says.say(RoundClosed)
    return says.events


ROUNDS = st.tuples(SEATS, st.permutations(DECK))

_NAMES = st.sampled_from(["w1", "w2", "w3", "w4", ""])
_PLACES = st.integers(0, 3)
_CARDS = st.sampled_from([*DECK[:12], "", "Zz"])
_AMOUNTS = st.sampled_from([-5, 0, 1, 100, 500, 1000, 60000])
_TO = st.sampled_from(["SEAT", "DEALER", "BURN", "DISCARD"])
_BETS = st.sampled_from(["ante", "play", *BONUS, "nothing"])
_SOUP: Mapping[Any, Mapping[str, Any]] = {
    WagerPlaced: {
        "wager_id": _NAMES, "bet": _BETS, "amount_minor": _AMOUNTS, "seat": _PLACES, "parent": _NAMES,
        "for_dealer": st.booleans(), "tender": st.sampled_from(["CHIPS", "CHIPS", "VOUCHER", "CASH"]),
    },
    WagerChanged: {"wager_id": _NAMES, "amount_minor": _AMOUNTS},
    CardDealt: {"to": _TO, "seat": _PLACES, "hand": st.integers(1, 2), "card": _CARDS, "face_up": st.booleans()},
    CardExposed: {"to": st.sampled_from(["SEAT", "DEALER"]), "seat": _PLACES, "position": st.integers(0, 8), "card": _CARDS},
    CardDiscarded: {
        "to": st.sampled_from(["SEAT", "DEALER"]), "seat": _PLACES, "position": st.integers(0, 8),
        "reason": st.sampled_from(["", "laid_aside", "drawn_in_error"]),
    },
    PlayerActed: {"action": st.sampled_from(["PLAY", "FOLD", "HIT"]), "seat": _PLACES, "wager_id": _NAMES},
    SettlementRecorded: {
        "wager_id": _NAMES, "result": st.sampled_from(["WIN", "LOSE", "PUSH", "VOID"]), "paid_minor": _AMOUNTS,
        "stake_returned_minor": _AMOUNTS,
    },
    MeterRead: {"progressive_id": st.sampled_from(["ILS", "OTHER"]), "amount_minor": _AMOUNTS},
    ShoeShuffled: {"shoe_id": _NAMES},
    BettingClosed: {}, RoundVoided: {}, RoundClosed: {},
}  # fmt: skip


def _whole_hand(place: int) -> st.SearchStrategy[list[tuple[Any, dict[str, Any]]]]:
    """Seven cards at once, so that soups get as far as a decision."""
    to = {"to": "SEAT", "seat": place} if place else {"to": "DEALER"}
    cards = DECK[7 * place + 12 : 7 * place + 19]
    return st.just([(CardDealt, {**to, "card": card, "face_up": False}) for card in cards])


@st.composite
def soups(draw: st.DrawFn) -> list[Event]:
    """Any events in any order behind a RoundOpened."""
    says = Narrator(SETUP, "R", 1_622_570_400_000_000)
    limits = draw(st.sampled_from([{}, {"*": {"minimum_minor": 200, "maximum_minor": 5000}}]))
    says.say(RoundOpened, game="i_luv_suits", jurisdiction=SETUP.jurisdiction, gaming_day=SETUP.gaming_day,
             currency="USD", decks=draw(st.integers(0, 2)), limits=limits, progressives={"progressive": "ILS"},
             meters=draw(st.sampled_from([{}, {"ILS": 100_001}])))  # fmt: skip
    one = one_of(_SOUP).map(lambda event: [event])
    parts = draw(st.lists(st.one_of(one, st.integers(0, 3).flatmap(_whole_hand)), max_size=40))
    for kind, fields in (item for part in parts for item in part):
        says.say(kind, **fields)
    return says.events
