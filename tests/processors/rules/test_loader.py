"""Rule files: what is right, and each mistake with file, line and the words that a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from events.yaml12 import Faults
from processors.kernel.citation import Citation
from processors.kernel.dated import NoRuleInForce, Rule
from processors.kernel.odds import Odds
from processors.rules.loader import load_paytable, load_rules


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of a game that only these tests know."""

    blackjack_pays: Rule[Odds]
    hits_soft_17: Rule[bool]
    place_pays: Rule[Mapping[int, Odds]]
    largest_split: Rule[int] | None


GOOD = """\
game: toy
jurisdiction: us-xx
rules:
  blackjack_pays:
    title: What a blackjack pays
    values:
      - from: 2019-01-01
        value: "3 to 2"
        cite: {document: doc, paragraph: "1(a)"}
      - from: 2021-04-14
        value: "6 to 5"
        cite: {document: doc, paragraph: "1(b)"}
  hits_soft_17:
    title: Whether the dealer hits a soft 17
    reading: The text is silent; the usual practice is taken
    alternatives: [false]
    values:
      - from: 2020-01-01
        value: true
        cite: {document: doc, paragraph: "2"}
  place_pays:
    title: What place bets pay
    values:
      - from: 2019-01-01
        value: {4: "9 to 5", 6: "7 to 6"}
        cite: {document: doc, paragraph: "3"}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "us-xx.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_rule_holds_from_its_date_until_the_next(tmp_path: Path) -> None:
    rules = load_rules(write(tmp_path, GOOD), Terms)
    before: Terms = rules.on("2021-04-13")
    after: Terms = rules.on("2021-04-14")
    assert before.blackjack_pays == Rule(Odds(Fraction(3, 2)), Citation("doc", "1(a)"))
    assert after.blackjack_pays == Rule(Odds(Fraction(6, 5)), Citation("doc", "1(b)"))
    assert after.place_pays.value == {4: Odds(Fraction(9, 5)), 6: Odds(Fraction(7, 6))}
    assert after.largest_split is None
    assert rules.entries["hits_soft_17"].alternatives == [False]


def test_before_the_first_date_no_rule_is_in_force(tmp_path: Path) -> None:
    rules = load_rules(write(tmp_path, GOOD), Terms)
    with pytest.raises(
        NoRuleInForce, match="no rule hits_soft_17 for toy in us-xx on 2019-12-31; the first is of 2020-01-01"
    ):
        rules.on("2019-12-31")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('value: "3 to 2"', 'value: "3:2"', ('line 8: rule blackjack_pays: odds are written as "3 to 2"',)),
        ('value: "3 to 2"', "value: 1.5", ("line 8: 1.5 has a decimal point",)),
        ('value: "3 to 2"', 'value: "3 to 0"', ("line 8: rule blackjack_pays: odds are written",)),
        ("value: true", 'value: "yes"', ("line 19: rule hits_soft_17: Input should be a valid boolean",)),
        ("  hits_soft_17:", "  hits_soft_16:", ("rule hits_soft_17 is missing", "line 13: unknown rule hits_soft_16")),
        ("    title: What a", "    titel: What a", ("line 5: rules.blackjack_pays.titel: unknown key",)),
        ('        cite: {document: doc, paragraph: "1(a)"}\n', "", ("line 7: rules.blackjack_pays.values.0.cite: missing",)),
        ('paragraph: "1(a)"', 'paragraph: ""', ("line 9: rules.blackjack_pays.values.0.cite.paragraph",)),
        ("from: 2019-01-01", "from: 1 May 2019", ("line 7: rules.blackjack_pays.values.0.from: a day of the",)),
        ("from: 2019-01-01", "from: 2019-02-29", ("line 7: rules.blackjack_pays.values.0.from: a day of the calendar",)),
        ("from: 2021-04-14", "from: 2019-01-01", ("line 10: rule blackjack_pays: dates are written oldest first",)),
        ("jurisdiction: us-xx", "jurisdiction: us-yy", ("line 2: jurisdiction 'us-yy' is not the file's name",)),
        ("    reading: The text is silent; the usual practice is taken\n", "", ("has alternatives but no reading",)),
        ("game: toy", "game: toy\ngame: toy", ("line 2: key 'game' stands here twice",)),
        ("game: toy", "game: &a toy\nother: *a", ("aliases",)),
        ("{4: \"9 to 5\", 6: \"7 to 6\"}", "{4: \"9 to 5\", 6: \"7-6\"}", ("line 25: rule place_pays: odds are written",)),
        ("rules:", "rules: [", ("line",)),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_its_line(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    assert old in GOOD
    with pytest.raises(Faults) as caught:
        load_rules(write(tmp_path, GOOD.replace(old, new, 1)), Terms)
    text = str(caught.value)
    assert text.startswith(f"{tmp_path}/us-xx.yaml: ")
    assert "\n" not in text
    for word in words:
        assert word in text


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    bad = GOOD.replace('"3 to 2"', '"3 for"').replace('"6 to 5"', '"six"').replace("value: true", "value: 7")
    with pytest.raises(Faults) as caught:
        load_rules(write(tmp_path, bad), Terms)
    assert [line for line, _ in caught.value.faults] == [8, 11, 19]


def test_three_colon_two_is_text_and_not_a_number_in_base_sixty(tmp_path: Path) -> None:
    # YAML 1.1 would read 3:2 as 182
    with pytest.raises(Faults, match="odds are written"):
        load_rules(write(tmp_path, GOOD.replace('"3 to 2"', "3:2")), Terms)


PAYTABLE = """\
title: Toy paytable
bet: toy
jurisdictions: [us-xx]
decks: [6, 8]
values:
  - from: 2021-04-14
    cite: {document: doc, paragraph: "7"}
    pays: {flush: "5 to 1", pair: "1 to 1"}
    dealer_pays_minor: {flush: 100}
"""


def test_a_paytable_is_named_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "toy-01.yaml"
    path.write_text(PAYTABLE, encoding="utf-8")
    over_time = load_paytable(path)
    paytable = over_time.on("2021-04-14")
    assert (paytable.id, paytable.bet, paytable.decks) == ("toy-01", "toy", {6, 8})
    assert paytable.pays["flush"] == Odds(Fraction(5))
    assert paytable.dealer_pays_minor == {"flush": 100}
    with pytest.raises(NoRuleInForce, match="toy-01 is not in force on 2021-04-13"):
        over_time.on("2021-04-13")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"5 to 1"', "5", "line 8: values.0.pays.flush: odds are written"),
        ("decks: [6, 8]", "decks: six", "line 4: decks"),
        ("dealer_pays_minor: {flush: 100}", "dealer_pays_minor: {flush: 1.5}", "line 9: 1.5 has a decimal point"),
        ("bet: toy", "bets: toy", "line 2: bets: unknown key"),
    ],
)
def test_a_mistake_in_a_paytable_is_refused_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "toy-01.yaml"
    path.write_text(PAYTABLE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Faults) as caught:
        load_paytable(path)
    assert words in str(caught.value)
