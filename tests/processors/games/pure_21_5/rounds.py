"""Rounds of Pure 21.5 for tests: written out in short lines, dealt at random, or any soup of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from events.model import (
    BettingClosed,
    CardDealt,
    CardDiscarded,
    CardExposed,
    Event,
    FeeCollected,
    HoleCardChecked,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementRecorded,
    ShoeShuffled,
    WagerChanged,
    WagerPlaced,
)
from processors.games.pure_21_5.dealer import PureDealer
from processors.games.pure_21_5.engine import PureTwentyOneHalf
from processors.kernel.dealing import Narrator, TableSetup
from tests.game_cases import events_of
from tests.processors.games.rounds import one_of, replayed_as

GAME, JURISDICTION, DAY = "pure_21_5", "us-ca", "2012-03-01"
OPENED = {
    "game": GAME, "jurisdiction": JURISDICTION, "gaming_day": DAY, "decks": 6, "paytables": {"red_flex": "RFB-01"},
}  # fmt: skip
SETUP = TableSetup("PB-1", JURISDICTION, DAY, "USD", "D-1", ("p-1", "p-2", "p-3", "p-4", "p-5"))
OPENED_AT = 1_330_000_000_000_000


def lines(*text: str, **opened: Any) -> list[Event]:
    """The events of short lines, as a case has them."""
    return events_of({"events": list(text), "round": opened}, OPENED)


def replayed(events: Sequence[Event], **readings: Any) -> PureTwentyOneHalf:
    """A round folded under the rules in force, with other `readings` by the name of their rule."""
    return replayed_as(PureTwentyOneHalf, events, readings)


def dealt(seed: int, tenths: int) -> list[Event]:
    """A round dealt at random without its records; the bank is `tenths` of all other wagers of the first deal together."""
    dealer = PureDealer(SETUP, Random(seed))  # noqa: S311 - a seeded game, no secret
    events = [e for e in dealer.deal(f"R{seed}", OPENED_AT).events if not isinstance(e, SettlementRecorded | FeeCollected)]
    stakes = sum(e.amount_minor for e in events if isinstance(e, WagerPlaced) and e.bet in ("main", "red_flex"))
    sized = [
        e._replace(amount_minor=1 + stakes * tenths // 10) if isinstance(e, WagerPlaced) and e.bet == "bank" else e
        for e in events
    ]
    return [event._replace(sequence=n) for n, event in enumerate(sized)]


_NAMES = st.sampled_from(["w1", "w2", "w3", "b", ""])
_PLACES = st.integers(0, 3)
_CARDS = st.sampled_from(["8c", "8d", "8h", "As", "Ad", "Kh", "Td", "5c", "2d", "2h", "", "Zz"])
_AMOUNTS = st.sampled_from([-5, 0, 1, 100, 500, 1000, 60000])
_ANY: Mapping[Any, Mapping[str, Any]] = {
    WagerPlaced: {
        "wager_id": _NAMES, "bet": st.sampled_from(["main", "bank", "red_flex", "double", "split", "insurance", "blue"]),
        "amount_minor": _AMOUNTS, "seat": _PLACES, "parent": _NAMES, "for_dealer": st.booleans(),
    },
    WagerChanged: {"wager_id": _NAMES, "amount_minor": _AMOUNTS},
    CardDealt: {
        "to": st.sampled_from(["SEAT", "SEAT", "DEALER", "BURN"]), "seat": _PLACES, "hand": st.integers(1, 3),
        "card": _CARDS, "face_up": st.booleans(),
    },
    CardExposed: {"to": st.sampled_from(["SEAT", "DEALER"]), "seat": _PLACES, "position": st.integers(0, 3), "card": _CARDS},
    CardDiscarded: {"to": st.sampled_from(["SEAT", "DEALER"]), "seat": _PLACES, "position": st.integers(0, 3)},
    HoleCardChecked: {},
    PlayerActed: {
        "action": st.sampled_from(["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER", "INSURE", "EVEN_MONEY", "PLAY"]),
        "seat": _PLACES, "hand": st.integers(1, 3), "wager_id": _NAMES,
    },
    SettlementRecorded: {
        "wager_id": _NAMES, "result": st.sampled_from(["WIN", "LOSE", "PUSH", "VOID"]), "paid_minor": _AMOUNTS,
        "stake_returned_minor": _AMOUNTS,
    },
    FeeCollected: {"wager_id": _NAMES, "fee": st.just("collection"), "amount_minor": _AMOUNTS, "seat": _PLACES},
    ShoeShuffled: {"shoe_id": _NAMES},
    BettingClosed: {}, RoundVoided: {}, RoundClosed: {},
}  # fmt: skip
_START = [
    (WagerPlaced, {"wager_id": "b", "bet": "bank", "amount_minor": 1000, "seat": 3}),
    (WagerPlaced, {"wager_id": "w1", "bet": "main", "amount_minor": 1000, "seat": 1}),
    (CardDealt, {"to": "SEAT", "seat": 1, "card": "8s"}),
    (CardDealt, {"to": "DEALER", "card": "8c"}),
    (CardDealt, {"to": "SEAT", "seat": 1, "card": "8h"}),
    (CardDealt, {"to": "DEALER", "card": "", "face_up": False}),
]


@st.composite
def soups(draw: st.DrawFn) -> list[Event]:
    """Any events in any order behind a RoundOpened; half of them get as far as a deal first."""
    says = Narrator(SETUP, "R", OPENED_AT)
    options = draw(st.sampled_from([{}, {"collection_schedule": "1-1000:50;1001-5000:100"}, {"collection_schedule": "5%"}]))
    says.say(RoundOpened, game=GAME, jurisdiction=JURISDICTION, gaming_day=DAY, currency="USD",
             decks=draw(st.integers(0, 2)), options=options,
             limits=draw(st.sampled_from([{}, {"*": {"minimum_minor": 200, "maximum_minor": 5000}}])),
             paytables=draw(st.sampled_from([{}, {"red_flex": "RFB-03"}, {"red_flex": "none"}])))  # fmt: skip
    start = _START if draw(st.booleans()) else []
    for kind, fields in [*start, *draw(st.lists(one_of(_ANY), max_size=35))]:
        says.say(kind, **fields)
    return says.events
