"""Where the text is unclear the rule file has a reading and its alternatives: each alternative does what it says."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from events.intake import Script
from events.model import Event
from processors import rulebook
from processors.games.blackjack import GAME
from processors.kernel.dated import Dated, Entry
from processors.replay import audit_round
from processors.rulebook import GameBook, Rulebook
from processors.rules.loader import RuleSet
from tests.game_cases import OPENED, short

KANSAS, DAKOTA = "us-ks-southwest", "us-sd"
POSTED = {"blackjack_pays": "3 to 2", "soft_17": "hit", "tie": "push", "insurance": "offered", "surrender": "none"}
TWO_TIPS = "wager w1 seat 1 main 1000", "wager w seat 1 three_card 200 parent w1 tip"


class Reading(NamedTuple):
    """An alternative of a rule and a round that shows it: what is due on `w`, and which discrepancies are found."""

    jurisdiction: str
    rule: str
    alternative: int
    why: str
    lines: list[Any]
    due: Mapping[str, Any]
    kinds: list[str]
    opened: Mapping[str, Any] = {}


def first_cards(one: str, up: str, two: str = "") -> list[str]:
    """The first cards of seat 1, and of seat 2 where it has any."""
    seats = [cards.split() for cards in (one, two) if cards]
    rounds = [[f"deal {seat} {cards[place]}" for seat, cards in enumerate(seats, 1)] for place in (0, 1)]
    return [*rounds[0], "deal dealer ??", *rounds[1], "deal dealer ??", f"expose dealer 0 {up}"]


STANDS = [*first_cards("Th 9d", "Tc"), "act 1 STAND", "expose dealer 1 8s"]
BUST_DOUBLE = [
    "wager w1 seat 1 main 1000", *first_cards("Th 4d", "Kh"), "wager w seat 1 double 1000 parent w1", "act 1 DOUBLE w",
    "deal 1 9s", "expose dealer 1 As",
]  # fmt: skip
KING_TEN = [
    "wager w1 seat 1 main 1000", *first_cards("Kh Td", "7c"), "wager w seat 1 split 1000 parent w1", "act 1 SPLIT w",
    "deal 1 9s", "act 1 STAND", "deal 1.2 9c", "act 1.2 STAND", "expose dealer 1 Ts",
]  # fmt: skip
ACES = [
    "wager w1 seat 1 main 1000", *first_cards("Ah Ad", "7c"), "wager s1 seat 1 split 1000 parent w1", "act 1 SPLIT s1",
    "deal 1 As", "wager w seat 1 split 1000 parent w1", "act 1 SPLIT w", "deal 1 9s", "deal 1.3 8s", "deal 1.2 8c",
    "expose dealer 1 Ts",
]  # fmt: skip
POT = {"progressives": {"blazing_7s": "B7"}, "meters": {"B7": 1000000}}
A_2_3 = ["wager w1 seat 1 main 1000", "wager w seat 1 three_card 500 parent w1"]
TRILUX = {"paytables": {"trilux": "TRI-01"}}
OVER = {"limits": {"main": {"minimum_minor": 500, "maximum_minor": 1000}}}
CASH = {"type": "WagerPlaced", "wager_id": "w", "seat": 1, "bet": "main", "amount_minor": 1000, "tender": "CASH"}


def over_maximum(jurisdiction: str) -> Reading:
    return Reading(
        jurisdiction, "above_maximum", 0, "15.00 at a maximum of 10.00: 10.00 wins 10.00, 5.00 goes back",
        ["wager w seat 1 main 1500", *STANDS], {"paid_minor": 1000, "no_action_minor": 500}, ["ABOVE_MAXIMUM"], OVER,
    )  # fmt: skip


def shared(jurisdiction: str) -> list[Reading]:
    """The alternatives that both jurisdictions have."""
    return [
        over_maximum(jurisdiction),
        Reading(
            jurisdiction, "busted_double_on_dealer_blackjack", 0, "the double of a hand over 21 goes back too",
            BUST_DOUBLE, {"result": "PUSH", "stake_returned_minor": 1000}, [],
        ),
        Reading(
            jurisdiction, "split_by", 0, "a king and a ten are two ranks",
            [*KING_TEN[:8], "act 1 STAND", "expose dealer 1 Ts"], {"result": "VOID"}, ["ACT_NOT_ALLOWED"],
        ),
        Reading(
            jurisdiction, "resplit_aces", 0, "the third ace makes a third hand: 19 beats 17",
            ACES, {"result": "WIN", "paid_minor": 1000}, [],
        ),
    ]  # fmt: skip


READINGS = [
    *shared(KANSAS),
    Reading(
        KANSAS, "other_tender", 0, "cash plays, and is reported",
        [CASH, *STANDS], {"result": "WIN", "paid_minor": 1000}, ["NOT_OFFERED"],
    ),
    Reading(
        KANSAS, "split_on_dealer_blackjack", 0, "the original wager only is lost",
        ["wager w1 seat 1 main 1000", *first_cards("8h 8d", "Kh"), "wager w seat 1 split 1000 parent w1", "act 1 SPLIT w",
         "deal 1 Ts", "act 1 STAND", "deal 1.2 9c", "act 1.2 STAND", "expose dealer 1 As"],
        {"result": "PUSH", "stake_returned_minor": 1000}, [],
    ),
    Reading(
        KANSAS, "hole_card_exposed", 0, "nothing depends on it when the only hand is over 21",
        ["wager w seat 1 main 1000", *first_cards("Th 4d", "Kh"), "act 1 HIT", "deal 1 9s"], {"result": "LOSE"}, [],
    ),
    Reading(
        KANSAS, "blackjack_found_under_ten", 0, "the other player keeps playing",
        ["wager w seat 1 main 1000", "wager w2 seat 2 main 1000", *first_cards("Ah Kd", "Tc", "Th 9s"), "check hole",
         "act 2 STAND", "expose dealer 1 As"],
        {"result": "PUSH"}, [],
    ),
    Reading(
        KANSAS, "tips_beside_own", 0, "a three-card tip needs the player's own three-card wager",
        [*TWO_TIPS, *first_cards("2h 9h", "Kh"), "act 1 STAND", "expose dealer 1 8s"],
        {"result": "VOID", "stake_returned_minor": 200}, ["MISSING_PARENT"],
    ),
    Reading(
        KANSAS, "aces_in_straights", 0, "an ace is high only: A-2-3 is none",
        [*A_2_3, *first_cards("Ah 2d", "3c"), "act 1 STAND", "expose dealer 1 Ts", "deal dealer 6c"], {"result": "LOSE"}, [],
    ),
    Reading(
        KANSAS, "aces_in_straights", 1, "an ace is low only: Q-K-A is none",
        [*A_2_3, *first_cards("Qh Kd", "Ac"), "check hole", "act 1 STAND", "expose dealer 1 8s"], {"result": "LOSE"}, [],
    ),
    Reading(
        KANSAS, "check_under_ten", 0, "nobody looks under a ten at all",
        ["wager w seat 1 main 1000", *first_cards("Ah Kd", "Tc"), "expose dealer 1 8s"], {"result": "WIN"}, [],
    ),
    Reading(
        KANSAS, "blazing_7s_own_share", 0, "the round's 1.20 is not in the pot that it pays",
        ["wager w1 seat 1 main 1000", "wager w seat 1 blazing_7s 500 parent w1", *first_cards("7d 7d", "7d"), "act 1 STAND",
         "expose dealer 1 Ts"],
        {"paid_minor": 1000000}, [], POT,
    ),
    *shared(DAKOTA),
    Reading(
        DAKOTA, "aces_in_straights", 0, "an ace is high only: A-2-3 is none",
        ["wager w1 seat 1 main 1000", "wager w seat 1 trilux 500 parent w1", *first_cards("Ah 2d", "3c"), "act 1 STAND",
         "expose dealer 1 Ts", "deal dealer 6c"],
        {"result": "LOSE"}, [], TRILUX,
    ),
    Reading(
        DAKOTA, "aces_in_straights", 1, "an ace is low only: Q-K-A is none",
        ["wager w1 seat 1 main 1000", "wager w seat 1 trilux 500 parent w1", *first_cards("Qh Kd", "Ac"), "act 1 STAND",
         "expose dealer 1 8s"],
        {"result": "LOSE"}, [], TRILUX,
    ),
    Reading(
        DAKOTA, "lucky_ladies_twenty", 0, "an ace and a nine are a soft twenty: nothing",
        ["wager w1 seat 1 main 1000", "wager w seat 1 lucky_ladies 500 parent w1", *first_cards("Ah 9d", "6c"),
         "act 1 STAND", "expose dealer 1 Ts", "deal dealer 4d"],
        {"result": "LOSE"}, [], {"paytables": {"lucky_ladies": "A"}},
    ),
]  # fmt: skip


@functools.cache
def book() -> Rulebook:
    return rulebook.load()


def entries(jurisdiction: str) -> Mapping[str, Entry]:
    return book().games["blackjack"].rules[jurisdiction].entries


def under(jurisdiction: str, rule: str, alternative: int) -> Rulebook:
    """The rulebook with one rule read in another way."""
    old = entries(jurisdiction)[rule]
    values = [Dated(dated.start, old.alternatives[alternative], dated.cite) for dated in old.values]
    changed = {**entries(jurisdiction), rule: old._replace(values=values)}
    rules = {jurisdiction: RuleSet("blackjack", jurisdiction, changed, GAME.terms)}
    return Rulebook({"blackjack": GameBook(GAME, rules, book().games["blackjack"].paytables)}, "other", "code")


def events_of(reading: Reading) -> list[Event]:
    place = {"game": "blackjack", "jurisdiction": reading.jurisdiction, "gaming_day": "2024-07-01", "decks": 6}
    options = POSTED if reading.jurisdiction == DAKOTA else {}
    script = Script()
    items = [
        {**OPENED, "round_id": "R1", **place, "options": options, **reading.opened},
        *reading.lines,
        {"type": "RoundClosed"},
    ]
    return [script.event(item if isinstance(item, dict) else short(item)) for item in items]


@pytest.mark.parametrize("reading", READINGS, ids=[f"{r.jurisdiction} {r.rule} {r.alternative}: {r.why}" for r in READINGS])
def test_the_other_reading_of_a_rule_decides_otherwise(reading: Reading) -> None:
    def found(of: Rulebook) -> tuple[dict[str, Any], list[str]]:
        audit = audit_round(events_of(reading), of, only_due=True)
        (due,) = [s for s in audit.settlements if s.wager_id == "w" and s.paid_to == "PATRON"]
        return {name: getattr(due, name) for name in reading.due}, [d.kind for d in audit.discrepancies]

    other = found(under(reading.jurisdiction, reading.rule, reading.alternative))
    assert other == (reading.due, reading.kinds)
    assert found(book()) != other


@pytest.mark.parametrize("jurisdiction", [KANSAS, DAKOTA])
def test_every_alternative_of_the_rule_files_is_shown_here(jurisdiction: str) -> None:
    offered = {(name, n) for name, entry in entries(jurisdiction).items() for n in range(len(entry.alternatives))}
    assert offered == {(r.rule, r.alternative) for r in READINGS if r.jurisdiction == jurisdiction}
