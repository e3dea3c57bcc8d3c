"""`roundaudit rules show` and `roundaudit rules coverage`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from console import cli

INIT = '''\
"""A game that only this test knows."""

from dataclasses import dataclass
from collections.abc import Mapping

from processors.kernel.dated import Rule
from processors.kernel.definition import Definition
from processors.kernel.game import Game
from processors.kernel.odds import Odds


@dataclass(frozen=True, slots=True)
class Terms:
    even_pays: Rule[Odds]
    pays: Rule[Mapping[int, Odds]]
    late_wagers: Rule[bool]


GAME = Definition("coin_toss", Game, Terms)
'''
RULES = """\
game: coin_toss
jurisdiction: us-xx
rules:
  even_pays:
    title: What an even roll pays
    reading: The text says "one to one" twice; it is read as meant once
    alternatives: ["2 to 1"]
    values:
      - {from: 2020-01-01, value: "1 to 1", cite: {document: ks-112-108-38, paragraph: "112-108-38(a)"}}
      - {from: 2021-04-14, value: "6 to 5", cite: {document: ks-112-108-38, paragraph: "112-108-38(c)"}}
  pays:
    title: What the numbers pay
    doubt: The 12 is probably a misprint
    values:
      - {from: 2020-01-01, value: {2: "2 to 1", 12: "3 to 1"}, cite: {document: ks-112-108-38, paragraph: "112-108-38(c)"}}
  late_wagers:
    title: Whether a wager may be late
    values:
      - {from: 2021-04-14, value: false, cite: {document: ks-112-108-38, paragraph: "112-108-38(b)"}}
"""
PAYTABLE = """\
title: High
bet: coin
jurisdictions: [us-xx]
decks: [6, 8]
values:
  - from: 2021-04-14
    cite: {document: ks-112-108-38, paragraph: "112-108-38(c)"}
    pays: {pair: "500 for 1", flush: "5 to 1"}
    dealer_pays_minor: {flush: 100}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "coin_toss"
    for name, text in (("__init__.py", INIT), ("rules/us-xx.yaml", RULES), ("paytables/HI-01.yaml", PAYTABLE)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["roundaudit", "rules", *(str(argument) for argument in arguments)])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run


def table(out: str) -> list[list[str]]:
    return [line.split("\t") for line in out.splitlines()]


def test_the_rules_in_force_are_shown_with_date_paragraph_reading_and_doubt(run: Any, game: Path) -> None:
    code, out, err = run("show", "coin_toss", "--game", game, "--on", "2021-04-14")
    headings, even, pays, late, paytable = table(out)
    assert (code, err) == (0, "")
    assert headings[:6] == ["game", "jurisdiction", "rule", "in force", "since", "paragraph"]
    assert even == [
        "coin_toss", "us-xx", "even_pays", "6 to 5", "2021-04-14", "K.A.R. 112-108-38(c)",
        'What an even roll pays Reading: The text says "one to one" twice; it is read as meant once Or: 2 to 1',
    ]  # fmt: skip
    assert pays[3:5] == ["2: 2 to 1, 12: 3 to 1", "2020-01-01"]
    assert pays[6] == "What the numbers pay DOUBT: The 12 is probably a misprint"
    assert late[3] == "no"
    assert paytable[2:5] == [
        "paytable HI-01", "pair: 500 for 1, flush: 5 to 1 and 100 minor units to the dealer", "2021-04-14"
    ]  # fmt: skip
    assert paytable[6] == "High (coin, 6, 8 decks)"


def test_the_day_before_a_change_shows_the_rule_before_it(run: Any, game: Path) -> None:
    _, out, _ = run("show", "coin_toss", "--game", game, "--on", "2021-04-13")
    _, even, _, late, paytable = table(out)
    assert even[3:6] == ["1 to 1", "2020-01-01", "K.A.R. 112-108-38(a)"]
    # what is not in force yet is shown with the day from which it is
    assert late[3:5] == ["nothing yet", "2021-04-14"]
    assert paytable[3:5] == ["nothing yet", "2021-04-14"]


def test_doubts_alone_can_be_shown(run: Any, game: Path) -> None:
    code, out, _ = run("show", "coin_toss", "--game", game, "--doubts")
    assert (code, [row[2] for row in table(out)]) == (0, ["rule", "pays"])


def test_rules_are_json_lines_too(run: Any, game: Path) -> None:
    code, out, _ = run("show", "coin_toss", "--game", game, "--on", "2021-04-14", "--json", "--jurisdiction", "us-xx")
    even, pays, late, paytable = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert even == {
        "kind": "rule", "game": "coin_toss", "jurisdiction": "us-xx", "name": "even_pays",
        "title": "What an even roll pays", "value": "6 to 5", "from": "2021-04-14", "document": "ks-112-108-38",
        "paragraph": "112-108-38(c)", "reading": 'The text says "one to one" twice; it is read as meant once',
        "alternatives": ["2 to 1"], "doubt": "",
    }  # fmt: skip
    assert (pays["value"], late["value"]) == ({"2": "2 to 1", "12": "3 to 1"}, False)
    assert (paytable["kind"], paytable["name"]) == ("paytable", "HI-01")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "roulette"), "no game 'roulette'. Name one of "),
        (("show", "coin_toss", "--jurisdiction", "us-yy"), "no rules in 'us-yy'. Name one of "),
        (("show", "coin_toss", "--on", "2021-02-30"), "--on: '2021-02-30' is no day. Write it as 2026-11-29."),
        (("show", "coin_toss", "--on", "20210414"), "--on: '20210414' is no day. Write it as 2026-11-29."),
        (("coverage", "--document", "no-law"), "no document 'no-law'. Name one of ca-pure-21-5, "),
    ],
)
def test_what_is_not_there_is_one_plain_line(run: Any, game: Path, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments, "--game", game)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"roundaudit: {words}")


def coverage(run: Any, game: Path, *arguments: str) -> tuple[int, dict[str, dict[str, Any]], str]:
    code, out, err = run("coverage", "--document", "ks-112-108-38", "--json", "--game", game, *arguments)
    return code, {line["paragraph"]: line for line in map(json.loads, out.splitlines())}, err


def test_coverage_lists_who_cites_each_paragraph(run: Any, game: Path) -> None:
    _, paragraphs, _ = coverage(run, game)
    assert list(paragraphs) == [f"112-108-38{numbering}" for numbering in ("(a)", "(b)", "(b)(1)", "(b)(2)", "(c)")]
    rounding = paragraphs["112-108-38(c)"]
    ours = [c for c in rounding["cited_by"] if c["game"] == "coin_toss"]
    assert rounding["state"] == "cited"
    assert [(c["kind"], c["scope"], c["name"]) for c in ours] == [
        ("rule", "us-xx", "even_pays"), ("rule", "us-xx", "pays"), ("paytable", "", "HI-01")
    ]  # fmt: skip
    assert ours[0]["where"] == "coin_toss/rules/us-xx.yaml:10"
    # a citation of (b) is none of what stands under it, and (b)(1) has its excuse
    assert paragraphs["112-108-38(b)"]["state"] == "cited"
    assert paragraphs["112-108-38(b)(1)"]["state"] == "not audited"
    assert paragraphs["112-108-38(b)(1)"]["not_audited"]


def test_coverage_can_show_what_is_uncited_alone(run: Any, game: Path) -> None:
    _, paragraphs, _ = coverage(run, game, "--uncited")
    assert "112-108-38(b)(1)" not in paragraphs
    assert all(line["state"] == "uncited" for line in paragraphs.values())


def test_coverage_ends_with_its_sum(run: Any, game: Path) -> None:
    _, out, _ = run("coverage", "--document", "ks-112-108-38", "--game", game)
    *rows, total = out.splitlines()
    assert rows[0] == "document\tparagraph\twhat it orders\tcited by"
    assert rows[3].startswith("ks-112-108-38\tK.A.R. 112-108-38(b)(1)\t")
    assert "\tnot audited: " in rows[3]
    # (a), (b) and (c) are cited by the toy game, (b)(1) and (b)(2) are excused
    assert total == "5 paragraphs: 3 cited, 2 not audited, 0 uncited."


def test_a_citation_of_what_is_not_there_is_told_with_file_and_line(run: Any, game: Path) -> None:
    path = game / "rules" / "us-xx.yaml"
    path.write_text(RULES.replace('"112-108-38(b)"', '"112-108-38(z)"'), encoding="utf-8")
    code, _, err = coverage(run, game)
    assert code == 2
    assert "roundaudit: coin_toss/rules/us-xx.yaml:19: rule late_wagers (coin_toss, us-xx) cites '112-108-38(z)': " in err


@pytest.mark.parametrize("command", ["show", "coverage"])
def test_help_shows_an_example(run: Any, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Example: roundaudit rules {command} " in out


def test_a_terminal_gets_a_table_and_keeps_brackets(run: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    path = game / "rules" / "us-xx.yaml"
    path.write_text(RULES.replace("What an even roll pays", "What [bold]even[/bold] pays"), encoding="utf-8")
    _, out, _ = run("show", "coin_toss", "--game", game)
    assert "coin_toss, us-xx" in out
    assert "[bold]even[/bold]" in out
    assert "\t" not in out
