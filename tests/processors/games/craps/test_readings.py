"""Where the text is unclear the rule file has a reading and its alternatives: each alternative does what it says."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import pytest

from events.intake import Script
from events.model import Event
from processors import rulebook
from processors.games.craps import GAME
from processors.kernel.dated import Dated, Entry
from processors.replay import audit_round
from processors.rulebook import GameBook, Rulebook
from processors.rules.loader import RuleSet
from tests.game_cases import OPENED, short

JURISDICTION = "us-ks-south-central"
SEVEN_ROLLS = ["roll 1-3", *["roll 3-3", "roll 4-5"] * 3, "roll 3-4"]
POWER: dict[str, Any] = {"type": "FeatureActivated", "feature": "power_odds"}


class Reading(NamedTuple):
    """An alternative of a rule, a turn that shows it, and what then is due on wager `w`: the sum is in `why`."""

    rule: str
    alternative: int
    why: str
    events: list[Any]
    due: dict[str, Any]
    options: dict[str, str] = {}  # noqa: RUF012 - a named tuple's default, never changed


READINGS = [
    Reading(
        "other_tender",
        0,
        "cash plays, and is reported: 5.00 on eleven at 1 to 1 in the field",
        [
            {"type": "WagerPlaced", "wager_id": "w", "seat": 2, "bet": "field", "amount_minor": 500, "tender": "CASH"},
            "roll 5-6",
            "roll 4-4",
            "roll 3-4",
        ],
        {"result": "WIN", "paid_minor": 500},
    ),
    Reading(
        "off_on_come_out",
        0,
        "a buy bet is off too: the come-out seven does not take it",
        ["wager w seat 1 buy on 4 2000", "roll 3-4", "roll 4-4", "roll 2-2", "roll 3-4"],
        {"result": "WIN", "paid_minor": 4000},
    ),
    Reading(
        "odds_off_when_decided",
        0,
        "the odds lose with the come bet",
        [
            "roll 4-4",
            "wager k seat 1 come 1000",
            "roll 4-1",
            "wager w seat 1 come_odds 1000 parent k",
            "roll 4-4",
            "roll 3-4",
        ],
        {"result": "LOSE", "stake_returned_minor": 0},
    ),
    Reading(
        "excess_returned",
        0,
        "1,200.00 over a maximum of 1,000.00 all have action: 1 to 1",
        ["wager w seat 1 pass 120000", "roll 3-4"],
        {"paid_minor": 120000, "no_action_minor": 0},
    ),
    Reading(
        "rounded_up_to_chip",
        0,
        "5.00 at 7 to 6 = 5.8333, to the cent",
        ["roll 4-4", "wager w seat 1 place on 6 500", "roll 3-3", "roll 3-4"],
        {"paid_minor": 583},
        {"smallest_chip_minor": "100"},
    ),
    Reading(
        "odds_excess_returned",
        0,
        "odds of 101 times the bet all have action: 1,010.00 at 6 to 5 = 1,212.00",
        ["wager p seat 1 pass 1000", "roll 4-4", "wager w seat 1 pass_odds 101000 parent p", "roll 4-4"],
        {"paid_minor": 121200, "no_action_minor": 0},
    ),
    Reading(
        "put_frozen",
        0,
        "a put bet that is taken down stays and loses",
        ["roll 4-4", "wager w seat 1 put on 5 1000", "change w 0", "roll 3-4"],
        {"result": "LOSE"},
    ),
    Reading(
        "vigorish_rounding",
        0,
        "5 percent of 30.00 = 1.50 is not below a dollar and stays",
        ["roll 4-4", "wager w seat 1 buy on 4 3000", "roll 3-4"],
        {"fee_minor": 150},
    ),
    Reading(
        "buy_vigorish_returned",
        0,
        "5 percent of 20.00 = 1.00 comes back",
        ["roll 4-4", "wager w seat 1 buy on 4 2000", "change w 0", "roll 3-4"],
        {"result": "REMOVED", "fee_returned_minor": 100},
    ),
    Reading(
        "world_on_seven",
        0,
        "it comes out even",
        ["wager w seat 1 world 500", "roll 3-4"],
        {"result": "PUSH", "stake_returned_minor": 500},
    ),
    Reading(
        "parts_must_be_even",
        0,
        "a quarter of 5.01 = 1.2525 at 15 to 1 = 18.7875; 1.25 of the stake back, each to the cent",
        ["wager w seat 1 horn 501", "roll 1-2"],
        {"result": "WIN", "paid_minor": 1879, "stake_returned_minor": 125},
    ),
    Reading("hop_others", 0, "5.00 at 15 to 1", ["wager w seat 1 hop on 1-2 500", "roll 2-1"], {"paid_minor": 7500}),
    Reading("hop_pairs", 0, "5.00 at 30 to 1", ["wager w seat 1 hop on 6-6 500", "roll 6-6"], {"paid_minor": 15000}),
    Reading(
        "bonus_placed",
        0,
        "after the first roll it is late, point or not",
        ["roll 1-1", "wager w seat 1 all_small 500", "roll 3-4"],
        {"result": "VOID", "stake_returned_minor": 500},
    ),
    Reading(
        "hot_shooter_pays",
        0,
        "8 rolls pay 1 for 1: the 5.00 and no stake beside them",
        ["wager w seat 1 hot_shooter 500", "roll 5-6", *SEVEN_ROLLS],
        {"paid_minor": 500, "stake_returned_minor": 0},
    ),
    Reading(
        "hot_shooter_counts_seven_out",
        0,
        "7 rolls and the seven-out are 8: 1 to 1",
        ["wager w seat 1 hot_shooter 500", *SEVEN_ROLLS],
        {"result": "WIN", "paid_minor": 500},
    ),
    Reading(
        "hot_shooter_seven_out_on_eighth_roll",
        0,
        "neither won nor lost",
        ["wager w seat 1 hot_shooter 500", *SEVEN_ROLLS],
        {"result": "PUSH", "stake_returned_minor": 500},
    ),
    Reading(
        "power_odds_on_single_craps",
        0,
        "craps are paid 10 to 1 like any craps",
        ["wager w seat 1 craps_two 500", "close betting", POWER, "roll 1-1"],
        {"paid_minor": 5000},
    ),
    Reading(
        "power_odds_on_single_craps",
        1,
        "a two is paid 46 to 1 like the horn's",
        ["wager w seat 1 craps_two 500", "close betting", POWER, "roll 1-1"],
        {"paid_minor": 23000},
    ),
    Reading(
        "power_odds_on_horn",
        0,
        "4.00 at 22 to 1 = 88.00 and the whole stake back",
        ["wager w seat 1 horn 400", "close betting", POWER, "roll 1-2"],
        {"paid_minor": 8800, "stake_returned_minor": 400},
    ),
]


@functools.cache
def book() -> Rulebook:
    return rulebook.load()


def entries() -> dict[str, Entry]:
    return dict(book().games["craps"].rules[JURISDICTION].entries)


def under(rule: str, alternative: int) -> Rulebook:
    """The rulebook of craps with one rule read the other way."""
    read = entries()
    entry = read[rule]
    other = [Dated(dated.start, entry.alternatives[alternative], dated.cite) for dated in entry.values]
    read[rule] = entry._replace(values=other)
    rules = RuleSet("craps", JURISDICTION, read, GAME.terms)
    return Rulebook({"craps": GameBook(GAME, {JURISDICTION: rules}, book().games["craps"].paytables)}, "", "")


def events_of(reading: Reading) -> list[Event]:
    opened = {
        **OPENED,
        "round_id": "turn",
        "game": "craps",
        "jurisdiction": JURISDICTION,
        "gaming_day": "2021-06-01",
        "options": reading.options,
        "paytables": {"power_odds": "1"},
        "limits": {"pass": {"maximum_minor": 100_000, "minimum_minor": 0}},
    }
    script = Script()
    items = [opened, *(e if isinstance(e, dict) else short(e) for e in reading.events), {"type": "RoundClosed"}]
    return [script.event(item) for item in items]


@pytest.mark.parametrize("reading", READINGS, ids=[f"{r.rule} {r.alternative}: {r.why}" for r in READINGS])
def test_the_other_reading_of_a_rule_decides_otherwise(reading: Reading) -> None:
    def due(of: Rulebook) -> dict[str, Any]:
        audit = audit_round(events_of(reading), of, only_due=True)
        (settlement,) = [s for s in audit.settlements if s.wager_id == "w"]
        return {name: getattr(settlement, name) for name in reading.due}

    assert due(under(reading.rule, reading.alternative)) == reading.due
    assert due(book()) != reading.due


def test_every_alternative_of_the_rule_file_is_shown_here() -> None:
    offered = {(name, place) for name, entry in entries().items() for place in range(len(entry.alternatives))}
    assert offered == {(reading.rule, reading.alternative) for reading in READINGS}
