"""Scripts: what is taken, what is filled in, and what is refused with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from events.intake import Line, read_script, to_json
from events.model import CardDealt, RoundOpened, WagerPlaced

OPENED = (
    '{"type": "RoundOpened", "round_id": "r1", "table_id": "BJ-07", "occurred_at": "2021-06-01T18:00:00Z", '
    '"gaming_day": "2021-06-01", "game": "blackjack", "jurisdiction": "us-ks-southwest", "currency": "USD"}\n'
)


def read(tmp_path: Path, text: str, name: str = "script.jsonl") -> list[Line]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_script(path))


def fault_of(tmp_path: Path, line: str) -> str:
    opened, faulty = read(tmp_path, OPENED + line + "\n")
    assert opened.event is not None
    assert faulty.event is None
    assert faulty.fault is not None
    text = str(faulty.fault)
    assert text.startswith(f"{tmp_path}/script.jsonl:2")
    assert "\n" not in text
    return text


def test_what_is_left_out_is_that_of_the_event_before_and_the_sequence_counts_up(tmp_path: Path) -> None:
    lines = read(
        tmp_path,
        OPENED
        + '{"type": "WagerPlaced", "wager_id": "w1", "seat": 1, "bet": "main", "amount_minor": 1000}\n'
        + '{"type": "CardDealt", "to": "DEALER", "occurred_at": "2021-06-01T13:00:05-05:00"}\n',
    )
    opened, wager, card = (line.event for line in lines)
    assert isinstance(opened, RoundOpened)
    assert opened.limits == {}
    assert isinstance(wager, WagerPlaced)
    assert (wager.round_id, wager.table_id, wager.sequence, wager.occurred_at) == ("r1", "BJ-07", 1, opened.occurred_at)
    assert (wager.tender, wager.parent, wager.for_dealer) == ("CHIPS", "", False)
    assert isinstance(card, CardDealt)
    assert (card.sequence, card.card, card.face_up, card.occurred_at - opened.occurred_at) == (2, "", True, 5_000_000)


@pytest.mark.parametrize("amount", ["12.5", "true", '"1000"', "1e3", "null", "-5", "1000000000000001"])
def test_an_amount_that_is_no_whole_number_of_minor_units_is_refused(tmp_path: Path, amount: str) -> None:
    wager = '{"type": "WagerPlaced", "wager_id": "w", "bet": "main", "amount_minor": ' + amount + "}"
    assert "WagerPlaced: field amount_minor" in fault_of(tmp_path, wager)


def test_an_unknown_field_is_refused_by_name(tmp_path: Path) -> None:
    assert "unknown field colour" in fault_of(tmp_path, '{"type": "BettingClosed", "colour": "red"}')


def test_a_doubled_key_is_refused_by_name(tmp_path: Path) -> None:
    assert "key hand stands there twice" in fault_of(tmp_path, '{"type": "PlayerActed", "hand": 1, "hand": 2}')


def test_a_field_without_a_default_is_missed_by_name(tmp_path: Path) -> None:
    assert "field amount_minor is missing" in fault_of(tmp_path, '{"type": "WagerPlaced", "wager_id": "w", "bet": "main"}')


@pytest.mark.parametrize("day", ["2021-02-29", "20210228", "28.2.2021", "2021-2-8", ""])
def test_a_gaming_day_is_a_day_of_the_calendar(tmp_path: Path, day: str) -> None:
    line = OPENED.replace('"gaming_day": "2021-06-01"', f'"gaming_day": "{day}"')
    (opened,) = read(tmp_path, line)
    assert "field gaming_day: a day of the calendar is written as 2026-11-29" in str(opened.fault)


def test_a_time_without_an_offset_is_refused(tmp_path: Path) -> None:
    assert "needs its offset" in fault_of(tmp_path, '{"type": "BettingClosed", "occurred_at": "2021-06-01T18:00:00"}')


@pytest.mark.parametrize("year", ["0001", "1969", "2201", "9999"])
def test_a_time_that_no_clock_shows_is_refused(tmp_path: Path, year: str) -> None:
    line = f'{{"type": "BettingClosed", "occurred_at": "{year}-06-01T18:00:00Z"}}'
    assert "a time lies between 1970 and 2200" in fault_of(tmp_path, line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type": "CardDrawn"}', "type 'CardDrawn' is not an event"),
        ("[1, 2]", "an event is a mapping"),
        ('{"type": ', "not JSON"),
        ('{"type": "CardDealt", "to": "FLOOR"}', "field to"),
        ('{"type": "DiceRolled", "dice": [1, 2, 3]}', "field dice"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_event_is_refused_in_one_line(tmp_path: Path, line: str, words: str) -> None:
    assert words in fault_of(tmp_path, line)


def test_a_bad_line_loses_nothing_else(tmp_path: Path) -> None:
    lines = read(tmp_path, OPENED + '{"type": "BettingClosed", "x": 1}\n\n{"type": "RoundClosed"}\n')
    assert [line.event is None for line in lines] == [False, True, False]
    last = lines[-1].event
    # the place of the bad event stays taken, so that the gap is seen
    assert last is not None
    assert last.sequence == 2


CLOSED = '{"type": "RoundClosed"}\n'


@pytest.mark.parametrize(
    "opening",
    [
        OPENED.replace('2021-06-01"', '2021-06-31"'),
        OPENED.replace("RoundOpened", "RoundOpend"),
        OPENED.replace("{", '{"colour": "red", ', 1),
    ],
)
def test_what_follows_a_faulty_opening_is_of_its_round_and_not_of_the_one_before(tmp_path: Path, opening: str) -> None:
    lines = read(tmp_path, OPENED + CLOSED + opening.replace("r1", "r2") + CLOSED)
    assert [line.event is None for line in lines] == [False, False, True, False]
    last = lines[-1].event
    assert last is not None
    assert (last.round_id, last.sequence) == ("r2", 1)


@pytest.mark.parametrize(
    "opening",
    [
        OPENED[:-3] + "\n",
        OPENED.replace("{", '{"game": "craps", ', 1),
        "[" + OPENED.strip() + "]\n",
        OPENED.replace('"r1"', "1"),
        OPENED.replace("{", '{"x": "' + "a" * 1_100_000 + '", ', 1),
    ],
)
def test_what_follows_an_opening_that_cannot_be_read_is_given_to_no_other_round(tmp_path: Path, opening: str) -> None:
    lines = read(tmp_path, OPENED + CLOSED + opening + CLOSED + OPENED.replace("r1", "r3") + CLOSED)
    assert [line.event is None for line in lines] == [False, False, True, True, False, False]
    if len(opening) < 1000:
        assert "round_id" in str(lines[3].fault)
        assert "left out, and what says it before cannot be read" in str(lines[3].fault)
    assert lines[-1].event is not None
    assert lines[-1].event.round_id == "r3"


@pytest.mark.parametrize("moment", ["1700000000", "1700000000000000", "null", '"yesterday"', '"2021-06-01T18:00:00+25:00"'])
def test_a_time_is_written_as_text(tmp_path: Path, moment: str) -> None:
    text = fault_of(tmp_path, f'{{"type": "BettingClosed", "occurred_at": {moment}}}')
    assert "field occurred_at: a time is" in text
    assert "as 2021-06-01T18:00:00Z" in text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type": "\x80"}', "not JSON (no UTF-8 text, byte 10)"),
        ('{"type": "RoundClosed", "x": ' + "1" * 5000 + "}", "not JSON (a number is too long)"),
        ("[" * 100_000, "not JSON (nested too deep)"),
    ],
)
def test_why_a_line_is_not_json_is_said_in_words(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "script.jsonl"
    path.write_bytes(OPENED.encode() + line.encode("latin-1") + b"\n")
    assert f"script.jsonl:2: {words}" in str(list(read_script(path))[1].fault)


def test_what_was_read_cannot_write_on_the_terminal(tmp_path: Path) -> None:
    assert fault_of(tmp_path, '{"type": "\\u001b[2J"}').isprintable()


def test_an_overlong_line_is_skipped_and_the_rest_goes_on(tmp_path: Path) -> None:
    lines = read(tmp_path, OPENED + '{"x": "' + "a" * 1_100_000 + '"}\n{"type": "RoundClosed"}\n')
    assert [line.event is None for line in lines] == [False, True, False]
    assert "a line of more than" in str(lines[1].fault)


def test_a_yaml_script_is_read_like_json_lines(tmp_path: Path) -> None:
    lines = read(
        tmp_path,
        "- {type: RoundOpened, round_id: r1, table_id: t, occurred_at: 2021-06-01T18:00:00Z, gaming_day: 2021-06-01,\n"
        "   game: craps, jurisdiction: us-ks-south-central, currency: USD, options: {smallest_chip_minor: 100}}\n"
        "- {type: DiceRolled, dice: [3, 4], shooter: 1}\n"
        "- {type: WagerPlaced, wager_id: w, bet: pass, amount_minor: '1000'}\n",
        "script.yaml",
    )
    opened, rolled, refused = lines
    assert isinstance(opened.event, RoundOpened)
    assert opened.event.options == {"smallest_chip_minor": "100"}
    assert rolled.event is not None
    assert "script.yaml:4" in str(refused.fault)


def test_the_json_form_is_read_back_as_the_same_event(tmp_path: Path) -> None:
    (line,) = read(tmp_path, OPENED)
    assert line.event is not None
    (again,) = read(tmp_path, json.dumps(to_json(line.event)) + "\n")
    assert again.event == line.event
