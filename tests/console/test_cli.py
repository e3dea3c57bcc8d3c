"""What the command line says of wrong words, and how it ends."""

from __future__ import annotations

import re
import sys

import pytest

from console import cli


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str, str]:
    monkeypatch.setattr(sys, "argv", ["roundaudit", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    return stopped.value.code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rounds", "--tabel", "BJ-07"), r"no such option: --tabel .*See roundaudit rounds --help\."),
        (("rounds", "show"), r"missing argument 'ROUND'\. See roundaudit rounds show --help\."),
        (("nightly", "--workers", "some"), r"invalid value for '--workers': .*See roundaudit nightly --help\."),
        (("nihgtly",), r"no such command 'nihgtly'.*See roundaudit --help\."),
    ],
)
def test_a_wrong_word_is_one_line_that_says_where_help_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    code, out, err = run(monkeypatch, capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.fullmatch(f"roundaudit: {said}\n", err)


def test_nothing_at_all_shows_the_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert err.startswith("Usage: roundaudit ")
    assert "nightly" in err


def test_help_and_version_end_with_zero(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, capsys, "--version")[0] == 0
    assert run(monkeypatch, capsys, "nightly", "--help")[0] == 0
