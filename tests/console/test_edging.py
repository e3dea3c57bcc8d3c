"""`roundaudit rules edge`, as a person types it."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest

from console import cli
from console.commands.edging import standard_error
from processors import rulebook
from processors.kernel.outcomes import Distribution, Verdict

BOOK = rulebook.load()
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setattr(rulebook, "load", lambda games: BOOK)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["roundaudit", "rules", "edge", *arguments])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run


def test_the_outcomes_and_the_expectation_are_printed_exactly(run: Run) -> None:
    code, out, err = run("craps", "--wager", "place 6")
    assert (code, err) == (0, "")
    # 5 ways to a six, 6 to a seven, 7 to 6 paid: 5/11 x 7/6 - 6/11 = -1/66
    assert [line.split("\t") for line in out.splitlines()] == [
        ["outcome", "net a unit", "probability", "exactly"],
        ["LOSE", "-1", "54.545%", "6/11"],
        ["WIN", "7/6", "45.455%", "5/11"],
        ["craps place 6: player's expectation -1.515%, exactly -1/66"],
    ]


def test_the_note_says_how_many_decks_were_taken(run: Run) -> None:
    code, out, _ = run("blackjack", "--wager", "royal_match", "--jurisdiction", "us-ks-southwest")
    assert code == 0
    last = "blackjack royal_match: player's expectation -3.698%, exactly -23/622 (6 decks)"
    assert out.splitlines()[-1] == last


def test_json_has_exact_fractions(run: Run) -> None:
    code, out, _ = run(
        "pure_21_5", "--wager", "red_flex", "--paytable", "RFB-01", "--decks", "1", "--json", "--on", "2021-06-01"
    )
    found = json.loads(out)
    assert code == 0
    assert {key: found[key] for key in ("game", "bet", "paytable", "decks", "jurisdiction", "day")} == {
        "game": "pure_21_5", "bet": "red_flex", "paytable": "RFB-01", "decks": 1, "jurisdiction": "us-ca",
        "day": "2021-06-01",
    }  # fmt: skip
    outcomes = [(Fraction(row["net"]), Fraction(row["probability"])) for row in found["outcomes"]]
    assert sum(p for _, p in outcomes) == 1
    assert Fraction(found["expectation"]) == sum(net * p for net, p in outcomes)
    assert (found["samples"], found["standard_error"]) == (0, "0")


def test_what_was_drawn_at_random_is_said_with_its_standard_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("processors.games.i_luv_suits.outcomes"), "ROUNDS", 400)
    code, out, _ = run("i_luv_suits", "--wager", "ante")
    last = out.splitlines()[-1]
    assert code == 0
    assert "drawn 400 times; standard error " in last
    assert "the player plays 10-8-6 of a suit or better" in last
    assert "exactly -" not in last


def test_the_standard_error_is_that_of_the_mean() -> None:
    # a fair coin 10,000 times: variance 1, standard error 1/100
    coin = {Verdict("WIN", Fraction(1)): Fraction(1, 2), Verdict("LOSE", Fraction(-1)): Fraction(1, 2)}
    assert 0 <= standard_error(Distribution(coin, 10_000)) - Fraction(1, 100) <= Fraction(1, 10**9)
    assert standard_error(Distribution(coin)) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["blackjack"], "no wager is named. Name one with --wager: blazing_7s, double,"),
        (["blackjack", "--wager", "main"], "blackjack has rules in us-ks-southwest, us-sd"),
        (["blackjack", "--wager", "hat", "--jurisdiction", "us-sd"], "blackjack has no bet 'hat'"),
        (["roulette", "--wager", "red"], "there is no game 'roulette'"),
        (["craps", "--wager", "pass", "--on", "yesterday"], "--on: 'yesterday' is no day"),
        (["craps", "--wager", "pass", "--on", "1999-01-01"], "for craps in us-ks-south-central on 1999-01-01"),
        (["craps", "--wager", "pass", "--jurisdiction", "us-nv"], "no rules for craps in 'us-nv'"),
        (["pure_21_5", "--wager", "red_flex"], "name one with --paytable, as RFB-01"),
        (
            ["blackjack", "--wager", "trilux", "--paytable", "TRI-02", "--decks", "6", "--jurisdiction", "us-sd"],
            "paytable TRI-02 is for 2 decks; it is posted at a table with 6",
        ),
        (["i_luv_suits", "--wager", "progressive", "--decks", "2"], "the game is played with 1"),
        (["powerball", "--wager", "ticket"], "powerball"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_2(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("roundaudit: ")
    assert len(err.splitlines()) == 1
    assert words.lower() in err.lower()
