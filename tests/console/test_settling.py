"""`roundaudit settle`: what is due in scripts, and what it says of scripts that it cannot use."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from console import cli

ROLLED = """\
{"type": "RoundOpened", "round_id": "r1", "table_id": "CR-01", "occurred_at": "2021-06-01T18:00:00Z", "source": "t", \
"gaming_day": "2021-06-01", "game": "craps", "jurisdiction": "us-ks-south-central", "currency": "USD"}
{"type": "WagerPlaced", "wager_id": "w1", "seat": 1, "bet": "field", "amount_minor": 1000}
{"type": "WagerPlaced", "wager_id": "w2", "seat": 1, "bet": "pass", "amount_minor": 1000}
{"type": "DiceRolled", "dice": [5, 6], "shooter": 1}
{"type": "RoundClosed"}
"""


def settle(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["roundaudit", "settle", str(path), *more])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    code = stopped.value.code
    out, err = capsys.readouterr()
    return code if isinstance(code, int) else 0, out, err


@pytest.mark.parametrize(("name", "text"), [("a.jsonl", ""), ("a.jsonl", "\n\r\n"), ("a.yaml", "[]"), ("a.yaml", "")])
def test_a_script_without_events_is_not_taken_for_one_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    code, out, err = settle(path, monkeypatch, capsys)
    assert (code, out) == (2, "")
    assert err.startswith(f"roundaudit: {path}: ")
    assert err.count("\n") == 1


def test_the_text_of_a_script_cannot_write_on_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(ROLLED.replace('"r1"', '"r\\u001b[31m1"').replace('"w2"', '"w\\n2"'))
    code, out, err = settle(path, monkeypatch, capsys)
    assert (code, err) == (0, "")
    assert all(line.isprintable() for line in out.splitlines())
    assert len(out.splitlines()) == 3


def test_a_round_with_a_bad_line_is_settled_from_the_rest_and_the_line_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(ROLLED.replace('"pass", "amount_minor": 1000', '"pass", "amount_minor": "1000"'))
    code, out, err = settle(path, monkeypatch, capsys)
    assert code == 2
    # 11 pays even money in the field (K.A.R. 111-501-45(k)): 10.00 and the stake of 10.00
    assert "w1" in out
    assert "20.00 to the patron" in out
    assert "SEQUENCE_GAP" in out
    said = "WagerPlaced: field amount_minor: Input should be a valid integer (got '1000'). Correct the field."
    assert err == f"roundaudit: {path}:3, {said}\n"


CLOSED_EARLY = """\
{"type": "RoundOpened", "round_id": "r1", "table_id": "CR-01", "occurred_at": "2021-06-01T18:00:00Z", "source": "t", \
"gaming_day": "2021-06-01", "game": "craps", "jurisdiction": "us-ks-south-central", "currency": "USD"}
{"type": "WagerPlaced", "wager_id": "w1", "seat": 1, "bet": "pass", "amount_minor": 1000}
{"type": "WagerPlaced", "wager_id": "w2", "seat": 2, "bet": "hardway", "on": "6", "amount_minor": 500}
{"type": "DiceRolled", "dice": [4, 4], "shooter": 1}
{"type": "RoundClosed"}
{"type": "RoundOpened", "round_id": "r2", "table_id": "CR-01", "occurred_at": "2021-06-01T18:20:00Z", "source": "t", \
"gaming_day": "2021-06-01", "game": "craps", "jurisdiction": "us-ks-south-central", "currency": "USD"}
{"type": "WagerPlaced", "wager_id": "w3", "seat": 1, "bet": "pass", "on": "8", "amount_minor": 1000, "carried_from": "w1"}
{"type": "WagerPlaced", "wager_id": "w4", "seat": 2, "bet": "hardway", "on": "6", "amount_minor": 500, "carried_from": "w2"}
{"type": "DiceRolled", "dice": [3, 4], "shooter": 1}
{"type": "RoundClosed"}
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [(("", ""), []), (('"carried_from": "w2"', '"carried_from": "w5"'), ["r1"]), (("CR-01", "CR-02"), ["r1"])],
    ids=["carried on", "one of two carried on", "carried on at another table"],
)
def test_a_turn_closed_early_is_complete_where_all_it_left_open_was_carried_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str],
    said: list[str],
) -> None:
    path = tmp_path / "a.jsonl"
    first, second = CLOSED_EARLY.split('{"type": "RoundOpened", "round_id": "r2"')
    path.write_text(first + '{"type": "RoundOpened", "round_id": "r2"' + second.replace(*change))
    code, out, _ = settle(path, monkeypatch, capsys, "--json")
    audits = [json.loads(line) for line in out.splitlines()]
    assert [a["round_id"] for a in audits for d in a["discrepancies"] if d["kind"] == "INCOMPLETE_ROUND"] == said
    assert {s["wager_id"]: s["result"] for s in audits[0]["settlements"]} == {"w1": "UNDECIDED", "w2": "UNDECIDED"}
    # a pass bet on 8 and a hardway both lose to a seven (111-501-44(c)(3), (19))
    assert {s["wager_id"]: s["result"] for s in audits[1]["settlements"]} == {"w3": "LOSE", "w4": "LOSE"}
    assert code == (1 if said else 0)


def test_a_script_that_cannot_be_read_keeps_nobody_from_the_others_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text("[1")
    (tmp_path / "b.jsonl").write_text(ROLLED)
    code, out, err = settle(tmp_path, monkeypatch, capsys)
    assert code == 2
    assert out.startswith("r1  craps, us-ks-south-central, 2021-06-01\n")
    assert err.startswith(f"roundaudit: {tmp_path / 'a.yaml'}: ")
    assert err.count("\n") == 1
