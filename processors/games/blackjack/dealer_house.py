"""What a simulated table is like: its jurisdiction, its rules, its limits, and its shoe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

CARDS: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
KANSAS: Final = "us-ks-southwest"
MINIMUM: Final = 500
MAXIMUM: Final = 50000
SEVENS_STAKE: Final = 500


class HouseRules(NamedTuple):
    """How a table plays. `blackjack` are the odds (numerator, denominator); `side_bets` those it offers."""

    decks: int
    hits_soft_17: bool
    blackjack: tuple[int, int]
    checks_under_ten: bool
    splits_lose_to_natural: bool
    even_money: bool
    insurance_up_to_half: bool
    late_surrender: bool
    chip_minor: int
    side_bets: Sequence[str]
    paytables: Mapping[str, str]
    options: Mapping[str, str]


def kansas(random: Random) -> HouseRules:
    """A six-deck table in the Southwest Kansas zone."""
    chip = random.choice((1, 1, 50, 100))
    options = {"smallest_chip_minor": str(chip)} if chip > 1 else {}
    bets = ("three_card", "super_3", "royal_match", "blazing_7s")
    return HouseRules(6, True, (3, 2), True, True, True, True, False, chip, bets, {}, options)


def south_dakota(random: Random, gaming_day: str) -> HouseRules:
    """A table in South Dakota: the house rules are posted, and the paytables fit its number of decks."""
    decks = random.choice((1, 2, 4, 5, 6, 8))
    hits = random.random() < 0.5
    pays = (6, 5) if decks == 1 and random.random() < 0.7 else (3, 2)
    surrender = random.choice(("none", "late"))
    paytables = {"lucky_ladies": "C" if decks == 1 else random.choice("AB")}
    bets = ["lucky_ladies"]
    if gaming_day >= "2024-06-11":
        bets.append("trilux")
        fits = ["TRILG-02"] + (["TRI-03", "TRI-04"] if decks > 1 else []) + (["TRI-01"] if decks > 2 else [])
        paytables["trilux"] = random.choice(fits)
        if decks > 2:
            bets.append("super_3")
            paytables["super_3"] = "SUP-01"
    options = {
        "blackjack_pays": f"{pays[0]} to {pays[1]}",
        "soft_17": "hit" if hits else "stand",
        "tie": "push",
        "insurance": "offered",
        "surrender": surrender,
    }
    late = surrender == "late"
    return HouseRules(decks, hits, pays, False, False, False, False, late, 1, tuple(bets), paytables, options)


def limits(rules: HouseRules) -> dict[str, dict[str, int]]:
    """The posted limits: of the table, and of the optional wagers."""
    found = {"*": {"minimum_minor": MINIMUM, "maximum_minor": MAXIMUM}}
    for bet in rules.side_bets:
        found[bet] = {"minimum_minor": 100, "maximum_minor": 10000}
    if "blazing_7s" in rules.side_bets:
        found["blazing_7s"] = {"minimum_minor": SEVENS_STAKE, "maximum_minor": SEVENS_STAKE}
    return found


class Shoe:
    """The cards that are still to come. A new shoe has a new id; `low` when the cut card has come out."""

    def __init__(self, decks: int, name: str, random: Random) -> None:
        self.decks, self.name, self.random = decks, name, random
        self.number = 0
        self.cards: list[str] = []
        self.shuffle()

    @property
    def shoe_id(self) -> str:
        """The id of the shuffle that the cards come from."""
        return f"{self.name}-{self.number}"

    @property
    def low(self) -> bool:
        """Whether the next round might run out of cards: time to shuffle."""
        return len(self.cards) < 30 + 13 * self.decks

    def shuffle(self) -> None:
        """Shuffle all the decks."""
        self.number += 1
        self.cards = list(CARDS) * self.decks
        self.random.shuffle(self.cards)

    def draw(self) -> str:
        """The next card."""
        return self.cards.pop()
