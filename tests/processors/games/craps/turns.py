"""Makes turns of craps, sensible and senseless ones, for the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from events.model import (
    BettingClosed,
    DiceRolled,
    Event,
    FeatureActivated,
    FeeCollected,
    RoundClosed,
    RoundOpened,
    WagerCalled,
    WagerChanged,
    WagerPlaced,
)
from processors.games.craps.wagers import BETS

Operation = tuple[Any, ...]

OPENED = {
    "game": "craps",
    "jurisdiction": "us-ks-south-central",
    "gaming_day": "2021-06-01",
    "currency": "USD",
    "paytables": {"power_odds": "1"},
    "limits": {"*": {"minimum_minor": 300, "maximum_minor": 20000}},
}
ON = st.sampled_from(["", "2", "4", "5", "6", "8", "9", "10", "11", "12", "1-3", "3-1", "2-2", "6-6", "7", "x"])
DIE = st.integers(1, 6)
# mostly amounts that divide well, so that most wagers are good ones
AMOUNT = st.one_of(st.sampled_from([600, 1200, 3000, 6000, 12000, 60000]), st.integers(1, 30000))
SEAT = st.integers(1, 3)
EARLIER = st.integers(0, 30)
NO_ROLL = st.sampled_from(["", "", "", "", "short", "stacked", "because"])
BET = st.sampled_from(sorted(BETS))
# what an ended turn may leave undecided; a line bet would move the point for the other seats, so it is not among them
CARRIED = st.sampled_from(["come", "dont_come", "put", "place", "buy", "lay", "hardway"])
WAGER = st.tuples(st.just("wager"), SEAT, BET, ON, AMOUNT, EARLIER, st.booleans())

OPERATIONS = st.lists(
    st.one_of(
        WAGER,
        WAGER,
        WAGER,
        st.tuples(st.just("carried"), SEAT, CARRIED, ON, AMOUNT),
        st.tuples(st.just("roll"), DIE, DIE, NO_ROLL),
        st.tuples(st.just("roll"), DIE, DIE, st.just("")),
        st.tuples(st.just("change"), EARLIER, st.sampled_from([0, 300, 600, 1200, 6000])),
        st.tuples(st.just("call"), EARLIER, st.booleans()),
        st.tuples(st.just("fee"), EARLIER, st.sampled_from([0, 100, 300])),
        st.tuples(st.just("close")),
        st.tuples(st.just("power"), st.sampled_from(["", "horn", "hardway,hop", "craps"])),
    ),
    min_size=1,
    max_size=60,
)


def events_of(operations: Sequence[Operation], options: dict[str, str] | None = None) -> list[Event]:
    """The round that these operations make: numbered, opened and closed. A wager is named by its place among all."""
    events: list[Event] = []

    def say(event_type: Any, **fields: Any) -> None:
        events.append(event_type("turn", "CR-01", len(events), 1_000_000 * len(events), "test", **fields))

    say(RoundOpened, **OPENED, options=options or {})
    for place, (verb, *words) in enumerate(operations):
        if verb == "wager":
            seat, bet, on, amount, parent, tip = words
            on = parent if bet.endswith("_odds") else on
            hangs = f"w{parent}" if bet.endswith("_odds") else ""
            say(
                WagerPlaced, wager_id=f"w{place}", bet=bet, amount_minor=amount, seat=seat, on=str(on), parent=hangs,
                for_dealer=tip,
            )  # fmt: skip
        elif verb == "carried":
            seat, bet, on, amount = words
            say(
                WagerPlaced,
                wager_id=f"w{place}",
                bet=bet,
                amount_minor=amount,
                seat=seat,
                on=on,
                carried_from=f"before-{place}",
            )
        elif verb == "roll":
            say(DiceRolled, dice=[words[0], words[1]], shooter=1, no_roll=words[2])
        elif verb == "change":
            say(WagerChanged, wager_id=f"w{words[0]}", amount_minor=words[1])
        elif verb == "call":
            say(WagerCalled, wager_id=f"w{words[0]}", working=words[1])
        elif verb == "fee":
            say(FeeCollected, fee="vigorish", amount_minor=words[1], wager_id=f"w{words[0]}")
        elif verb == "close":
            say(BettingClosed)
        else:
            say(FeatureActivated, feature="power_odds", detail={"bets": words[0]} if words[0] else {})
    say(RoundClosed)
    return events
