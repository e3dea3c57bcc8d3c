"""Rounds to test with: dealt by the game's dealer, and soups of events that no table would make."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from events.intake import Script
from events.model import (
    BettingClosed,
    CardDealt,
    CardDiscarded,
    CardExposed,
    Event,
    FeatureActivated,
    HoleCardChecked,
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
from processors.games.blackjack.dealer import make_dealer
from processors.kernel.cards import CARDS
from processors.kernel.dealing import Dealer, TableSetup
from tests.game_cases import OPENED, short

TABLES = (("us-ks-southwest", "2021-06-01"), ("us-sd", "2024-07-01"), ("us-sd", "2018-03-01"))
PATRONS = tuple(f"patron-{number}" for number in range(8))
OPENED_AT = 1_622_570_400_000_000


def dealer(table: int, seed: int) -> Dealer:
    """The dealer of one of TABLES, with all its chance from `seed`."""
    jurisdiction, day = TABLES[table]
    made: Dealer = make_dealer(TableSetup("BJ-07", jurisdiction, day, "USD", "dealer-1", PATRONS), Random(seed))  # noqa: S311 - simulation
    return made


def dealt(table: int, seed: int) -> Sequence[Event]:
    """One house-correct round."""
    return dealer(table, seed).deal("R1", OPENED_AT).events


def told(lines: Sequence[Any], **opened: Any) -> list[Event]:
    """A Kansas round of short lines, as in the cases."""
    fields = {"game": "blackjack", "jurisdiction": "us-ks-southwest", "gaming_day": "2021-06-01", "decks": 6}
    script = Script()
    items = [{**OPENED, "round_id": "R1", **fields, **opened}, *lines, {"type": "RoundClosed"}]
    return [script.event(item if isinstance(item, dict) else short(item)) for item in items]


_CODES = (*sorted(CARDS), "", "1x", "7d", "7d", "As", "Kh")
_SEATS = st.integers(0, 3)
_HANDS = st.integers(0, 4)
_WAGERS = st.sampled_from([f"w{number}" for number in range(7)] + [""])
_BETS = st.sampled_from(
    [
        "main",
        "main",
        "main",
        "double",
        "split",
        "insurance",
        "blazing_7s",
        "three_card",
        "super_3",
        "royal_match",
        "lucky_ladies",
        "trilux",
        "hardway",
    ]
)
_AMOUNTS = st.sampled_from([0, 1, 100, 500, 1000, 1500, 100_000])
_TO = st.sampled_from(["SEAT", "SEAT", "SEAT", "DEALER", "DEALER", "BURN", "DISCARD"])
_ACTS = st.sampled_from(["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER", "INSURE", "EVEN_MONEY", "PLAY", "FOLD"])
_BITS: list[st.SearchStrategy[tuple[type[Event], dict[str, Any]]]] = [
    st.tuples(
        st.just(WagerPlaced),
        st.fixed_dictionaries(
            {"wager_id": _WAGERS, "bet": _BETS, "amount_minor": _AMOUNTS, "seat": _SEATS, "parent": _WAGERS},
            optional={"for_dealer": st.booleans(), "tender": st.sampled_from(["CHIPS", "CASH"])},
        ),
    ),
    st.tuples(
        st.just(CardDealt),
        st.fixed_dictionaries(
            {"to": _TO, "seat": _SEATS, "hand": _HANDS, "card": st.sampled_from(_CODES), "face_up": st.booleans()}
        ),
    ),
    st.tuples(
        st.just(CardDealt),
        st.fixed_dictionaries({"to": _TO, "seat": st.just(1), "hand": st.just(1), "card": st.sampled_from(_CODES)}),
    ),
    st.tuples(
        st.just(CardExposed),
        st.fixed_dictionaries(
            {"to": _TO, "seat": _SEATS, "hand": _HANDS, "position": st.integers(0, 4), "card": st.sampled_from(_CODES)}
        ),
    ),
    st.tuples(
        st.just(CardDiscarded),
        st.fixed_dictionaries(
            {
                "to": _TO,
                "seat": _SEATS,
                "hand": _HANDS,
                "position": st.integers(0, 4),
                "reason": st.sampled_from(["drawn_in_error", "used_as_next", "refused", ""]),
            }
        ),
    ),
    st.tuples(
        st.just(PlayerActed),
        st.fixed_dictionaries({"action": _ACTS, "seat": _SEATS, "hand": _HANDS, "wager_id": _WAGERS}),
    ),
    st.tuples(
        st.just(PlayerActed),
        st.fixed_dictionaries({"action": _ACTS, "seat": st.just(1), "hand": st.just(1), "wager_id": _WAGERS}),
    ),
    st.tuples(
        st.just(WagerChanged),
        st.fixed_dictionaries(
            {"wager_id": _WAGERS, "amount_minor": _AMOUNTS, "reason": st.sampled_from(["", "light_failed"])}
        ),
    ),
    st.tuples(
        st.just(FeatureActivated),
        st.fixed_dictionaries({"feature": st.sampled_from(["light_failed", "power_odds"]), "wager_id": _WAGERS}),
    ),
    st.tuples(
        st.just(MeterRead), st.fixed_dictionaries({"progressive_id": st.sampled_from(["B7", "X"]), "amount_minor": _AMOUNTS})
    ),
    st.tuples(st.just(ShoeShuffled), st.fixed_dictionaries({"shoe_id": st.just("S2")})),
    st.tuples(
        st.just(SettlementRecorded),
        st.fixed_dictionaries({"wager_id": _WAGERS, "result": st.sampled_from(["WIN", "LOSE"]), "paid_minor": _AMOUNTS}),
    ),
    *(
        st.tuples(st.just(kind), st.fixed_dictionaries({}))
        for kind in (BettingClosed, HoleCardChecked, RoundVoided, RoundClosed)
    ),
]
_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "blackjack_pays": st.sampled_from(["3 to 2", "6 to 5", "1 to 1", "nothing"]),
        "soft_17": st.sampled_from(["hit", "stand", "maybe"]),
        "tie": st.sampled_from(["push", "lose", ""]),
        "insurance": st.sampled_from(["offered", "none"]),
        "surrender": st.sampled_from(["none", "late", "early"]),
        "smallest_chip_minor": st.sampled_from(["0", "1", "500", "x"]),
        "super_3_requires_three_card": st.sampled_from(["true", "false"]),
    },
)


@st.composite
def soups(draw: st.DrawFn) -> list[Event]:
    """Any events in any order, as a broken device might send them; the round only begins as it must."""
    jurisdiction, day = draw(st.sampled_from(TABLES))
    opened = RoundOpened(
        "R1", "BJ-07", 0, OPENED_AT, "soup", "blackjack", jurisdiction, day, "USD",
        decks=draw(st.sampled_from([0, 1, 2, 3, 6, 8])), options=draw(_OPTIONS),
        paytables=draw(st.sampled_from([{}, {"lucky_ladies": "A", "trilux": "TRILG-02", "super_3": "SUP-01"},
                                        {"lucky_ladies": "C", "trilux": "SUP-01"}])),
        limits=draw(st.sampled_from([{}, {"*": {"minimum_minor": 500, "maximum_minor": 1000}}])),
        progressives={"blazing_7s": "B7"}, meters=draw(st.sampled_from([{}, {"B7": 1_000_000}])),
    )  # fmt: skip
    bits = draw(st.lists(st.one_of(_BITS), max_size=40))
    return [opened, *(make("R1", "BJ-07", n, OPENED_AT + n, "soup", **fields) for n, (make, fields) in enumerate(bits, 1))]


def mangled(table: int, seed: int) -> list[Event]:
    """A house-correct round in which some events were lost, doubled, swapped or spoilt, and counted anew."""
    random = Random(seed)  # noqa: S311 - simulation
    events = list(dealt(table, seed))
    for _ in range(random.randint(1, 8)):
        place, other = random.randrange(1, len(events)), random.randrange(1, len(events))
        change = random.choice(("lose", "double", "swap", "spoil", "spoil"))
        if change == "lose" and len(events) > 3:
            del events[place]
        elif change == "double":
            events.insert(other, events[place])
        elif change == "swap":
            events[place], events[other] = events[other], events[place]
        else:
            events[place] = _spoilt(events[place], random)
    return [event._replace(sequence=number) for number, event in enumerate(events)]


def _spoilt(event: Event, random: Random) -> Event:
    changes = {
        "card": random.choice(_CODES), "seat": random.randint(0, 7), "hand": random.randint(0, 5),
        "position": random.randint(0, 4), "amount_minor": random.choice((0, 1, 500, 777)), "parent": "R1-w1",
        "wager_id": f"R1-w{random.randint(1, 9)}", "to": random.choice(("SEAT", "DEALER")),
        "action": random.choice(("HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER", "INSURE", "EVEN_MONEY")),
    }  # fmt: skip
    names = [name for name in changes if name in event._fields]
    return event._replace(**{name: changes[name] for name in random.sample(names, min(1, len(names)))})
