"""`roundaudit rounds`, `discrepancies`, `report` and `nightly`, started as people start them."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from console import cli, settings
from console.asking import Asked, filters_of
from console.queries import Snapshot
from events.errors import BadInput
from pipelines import night
from pipelines.warehouse.filters import Filters
from processors.checks import PropertyClock
from tests.pipelines.any_values import BOOK, altered, rounds_of_all_games
from tests.pipelines.night_floor import DAY, TOY_FLOOR, append, overpaid, round_of, run, run_plan


class Said(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def roundaudit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Runs the command line with the data folder in the environment."""
    monkeypatch.setenv("ROUNDAUDIT_DATA", str(tmp_path))
    monkeypatch.setenv("ROUNDAUDIT_OPERATOR", "A. Auditor")

    def run_command(*words: str) -> Said:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["roundaudit", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return run_command


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """BJ-07 and BJ-08 from 20:30 to 22:30; days begin at 06:00 UTC."""
    run(
        tmp_path,
        round_of("early", "BJ-07", f"{DAY}T20:30:00Z"),
        overpaid("too-much-before", "BJ-07", f"{DAY}T20:59:59Z"),
        overpaid("too-much", "BJ-07", f"{DAY}T21:00:00Z", patron="P-7", dealer="E-7"),
        round_of("right", "BJ-07", f"{DAY}T21:20:00Z"),
        round_of("too-little", "BJ-07", f"{DAY}T21:40:00Z", given=1500),
        overpaid("too-much-after", "BJ-07", f"{DAY}T22:00:00Z"),
        overpaid("elsewhere", "BJ-08", f"{DAY}T21:30:00Z"),
    )
    return tmp_path


def rounds_in(said: Said) -> list[str]:
    return [json.loads(line)["round_id"] for line in said.out.splitlines()]


def test_every_round_on_bj_07_between_21_and_22_where_a_patron_was_overpaid(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "--table", "BJ-07", "--from", "21:00", "--to", "22:00", "--favours", "patron", "--json")
    assert rounds_in(said) == ["too-much"]
    assert said.code == 1
    by_kind = roundaudit("rounds", "--table", "BJ-07", "--from", "21:00", "--to", "22:00", "--kind", "OVERPAID", "--json")
    assert by_kind.out == said.out


def test_the_answer_is_right_over_many_rounds(tmp_path: Path) -> None:
    template = overpaid("R", "BJ-07")
    many = [
        event._replace(round_id=f"R{n}", table_id=f"BJ-{n % 20:02}", occurred_at=event.occurred_at + n * 1_000_000)
        for n in range(20_000)
        for event in template
    ]
    run_plan(append(tmp_path, many))
    with Snapshot(tmp_path) as snapshot:
        filters = filters_of(snapshot, Asked(table="BJ-07", since="21:00", until="22:00", favours="patron"))
        found = snapshot.rounds(filters)
    # from 21:10:07 a round every 20 seconds until 22:00: 2993 seconds hold 150 of them
    assert len(found) == 150


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["early", "too-much-before", "too-much", "right", "elsewhere", "too-little", "too-much-after"]),
        (("--dealer", "E-7"), ["too-much"]),
        (("--patron", "P-7"), ["too-much"]),
        (("--game", "craps"), []),
        (("--with-discrepancy", "--table", "BJ-08"), ["elsewhere"]),
        (("--kind", "underpaid"), ["too-little"]),
        (("--kind", "procedure"), []),
        (("--severity", "low"), []),
        (("--from", f"{DAY}T21:40:00", "--to", f"{DAY}T22:00:01+00:00"), ["too-little", "too-much-after"]),
        (("--from", "21:40"), ["too-little", "too-much-after"]),
        (("--day", "2026-11-28"), []),
        (("--limit", "2"), ["early", "too-much-before"]),
    ],
)
def test_filters_leave_the_rounds_that_they_name(
    evening: Path, roundaudit: Command, words: tuple[str, ...], found: list[str]
) -> None:
    assert rounds_in(roundaudit("rounds", "--json", *words)) == found


def test_the_exit_code_says_whether_there_is_something_to_look_at(evening: Path, roundaudit: Command) -> None:
    assert roundaudit("rounds", "--from", "21:20", "--to", "21:21", "--table", "BJ-07").code == 0
    assert roundaudit("rounds").code == 1
    assert roundaudit("discrepancies", "--kind", "craps").code == 2
    assert roundaudit("discrepancies", "--game", "craps").code == 0
    assert roundaudit("discrepancies").code == 1
    assert roundaudit("report", "--game", "craps").code == 0
    assert roundaudit("report").code == 1
    assert roundaudit("rounds", "show", "right").code == 0
    assert roundaudit("rounds", "show", "too-much").code == 1


def test_a_listing_that_is_cut_says_of_how_many_and_counts_what_it_does_not_show(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "--limit", "1")
    assert said.err.startswith("the first 1 of 7 rounds; ")
    assert said.code == 1  # the one shown is right, others are not
    assert roundaudit("rounds", "--limit", "1", "--to", "20:40").code == 0
    assert roundaudit("discrepancies", "--limit", "2").err.startswith("the first 2 of 5 discrepancies; ")
    assert roundaudit("rounds", "--limit", "7").err.startswith("7 rounds; ")


def test_a_name_that_no_round_has_is_told_and_does_not_pass_for_one_in_order(evening: Path, roundaudit: Command) -> None:
    for listing in ("rounds", "discrepancies"):
        misspelt = roundaudit(listing, "--table", "BJ-7", "--game", "TOY", "--patron", "P-x")
        assert misspelt.err.splitlines()[1:] == ["the snapshot has no round of table BJ-7, game TOY, patron P-x"]
        assert (misspelt.out, misspelt.code) == ("", 0)
    reported = roundaudit("report", "--day", DAY, "--table", "BJ-7")
    assert (reported.err, reported.code) == ("the snapshot has no round of table BJ-7\n", 0)
    in_order = roundaudit("discrepancies", "--table", "BJ-07", "--kind", "procedure")
    assert in_order.err.startswith("0 discrepancies; ")
    assert in_order.err.count("\n") == 1


@pytest.mark.parametrize("listing", ["rounds", "discrepancies"])
def test_the_columns_of_a_csv_are_the_same_where_it_has_no_rows(evening: Path, roundaudit: Command, listing: str) -> None:
    full, empty = (roundaudit(listing, "--csv", *words).out.splitlines() for words in ((), ("--game", "craps")))
    assert empty == full[:1]


def test_a_report_is_asked_for_in_one_form(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("report", "--json", "--format", "html")
    assert said == (2, "", "roundaudit: --json, --format: a report has one form. Give one of them.\n")


def test_a_report_that_cannot_be_written_names_its_file(evening: Path, roundaudit: Command, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    said = roundaudit("report", "--format", "csv", "--out", str(folder))
    assert said == (2, "", f"roundaudit: {folder}: Is a directory\n")
    assert list(tmp_path.glob("folder.*")) == []


def test_a_listing_is_asked_for_in_one_form(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "--json", "--csv")
    assert said == (2, "", "roundaudit: --json, --csv: a listing has one form. Give one of them.\n")


def test_a_discrepancy_is_told_with_its_sum_patron_and_paragraph(evening: Path, roundaudit: Command) -> None:
    (line,) = roundaudit("discrepancies", "--dealer", "E-7", "--json").out.splitlines()
    told = json.loads(line)
    # 25.00 was given, 10.00 and the stake of 10.00 were due
    assert (told["kind"], told["due_minor"], told["recorded_minor"], told["delta_minor"]) == ("OVERPAID", 2000, 2500, 500)
    assert (told["patron_id"], told["seat"], told["favours"]) == ("P-7", 1, "PATRON")
    assert (told["cite_document"], told["cite_paragraph"]) == ("toy", "1")
    assert told["occurred_at"] == f"{DAY}T21:00:00Z"
    assert told["sentence"] == "25.00 was given on the over wager w1; 20.00 was due."


def test_a_list_in_a_pipe_is_plain_text_and_the_count_goes_to_standard_error(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "--table", "BJ-08")
    heading, row = said.out.splitlines()
    assert heading.split()[:3] == ["round", "table", "game"]
    assert "elsewhere" in row
    assert "\x1b" not in said.out
    assert said.err == "1 rounds; filters: table BJ-08\n"


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_a_table_fits_its_terminal_and_breaks_no_id(
    evening: Path, roundaudit: Command, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    out = re.sub(r"\x1b\[[0-9;]*m", "", roundaudit("discrepancies", "--table", "BJ-07").out)
    assert max(len(line) for line in out.splitlines()) <= width
    assert "too-much-before" in out
    assert "UNDERPAID" in out


def test_a_list_as_csv_has_a_line_of_names(evening: Path, roundaudit: Command) -> None:
    listed = list(csv.DictReader(io.StringIO(roundaudit("discrepancies", "--csv", "--table", "BJ-08").out)))
    assert [(row["round_id"], row["delta_minor"]) for row in listed] == [("elsewhere", "500")]
    assert roundaudit("rounds", "--csv", "--game", "craps").out.startswith("round_id,table_id,game,")


def test_what_stands_in_the_log_cannot_move_the_cursor(tmp_path: Path, roundaudit: Command) -> None:
    run(tmp_path, overpaid("R\x1b[2J\nR", "T[bold]"))
    out = roundaudit("rounds").out
    assert "\x1b" not in out
    assert "T[bold]" in out
    assert len(out.splitlines()) == 2


def test_one_round_is_shown_with_its_wagers_and_what_differs(evening: Path, roundaudit: Command) -> None:
    out = roundaudit("rounds", "show", "too-much").out
    for said in ("too-much", "toy at BJ-07, us-ks-south-central", "dealer E-7", "P-7", "10.00", "20.00", "25.00",
                 "! OVERPAID: 25.00 was given on the over wager w1; 20.00 was due. [toy 1]",
                 "rests on events 3, 4"):  # fmt: skip
        assert said in out, said


def test_an_explanation_is_replayed_from_the_log_card_by_card(evening: Path, roundaudit: Command) -> None:
    out = roundaudit("rounds", "show", "too-much", "--explain", "--game", str(TOY_FLOOR)).out
    assert "3  21:00:00 DiceRolled dice=[5, 6]" in out
    assert "10.00 x 1 = 10.00, and the stake comes back. [toy 1]" in out
    said = roundaudit("rounds", "show", "too-much", "--explain", "--json", "--game", str(TOY_FLOOR))
    told = json.loads(said.out)
    assert [event["type"] for event in told["events"]][:2] == ["RoundOpened", "WagerPlaced"]
    assert told["steps"]["w1"][-1] == {
        "text": "WIN: 10.00 paid to the patron, 10.00 stake returned.",
        "cite": "toy 1",
    }


def test_an_explanation_under_other_rules_than_the_audit_says_so(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "show", "right", "--explain", "--game", str(TOY_FLOOR))
    assert "The rules or the code have changed since this round was audited" in said.err


def test_options_before_show_are_refused_and_not_passed_over(evening: Path, roundaudit: Command, tmp_path: Path) -> None:
    for words in (("--data", str(tmp_path / "other")), ("--table", "BJ-08"), ("--with-discrepancy",), ("--kind", "payout")):
        said = roundaudit("rounds", *words, "show", "right")
        assert said == (
            2,
            "",
            "roundaudit: rounds: options of the listing stand before show. "
            "Write options after the round, as in roundaudit rounds show ROUND --data DIR.\n",
        )


def test_a_round_that_is_not_there_is_one_line(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("rounds", "show", "nope")
    assert said == (2, "", "roundaudit: the snapshot: there is no round nope. List rounds with roundaudit rounds.\n")


def test_a_missing_snapshot_is_one_line_that_says_what_to_run(roundaudit: Command) -> None:
    for command in (("rounds",), ("discrepancies",), ("report",), ("rounds", "show", "R1")):
        said = roundaudit(*command)
        assert (said.code, said.out) == (2, "")
        assert said.err.endswith("there is no snapshot to read. Run roundaudit nightly first.\n")
        assert said.err.count("\n") == 1


def test_a_damaged_snapshot_is_one_line_and_the_next_run_makes_it_again(evening: Path, roundaudit: Command) -> None:
    path = evening / "warehouse.snapshot.duckdb"
    with path.open("r+b") as file:
        file.seek(3 * 4096)  # behind the headers of a DuckDB file
        file.write(b"\xa5" * (path.stat().st_size - 3 * 4096))
    for command in (("rounds",), ("discrepancies",), ("report",), ("rounds", "show", "right")):
        said = roundaudit(*command)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"roundaudit: {path}: the snapshot ")
        assert said.err.endswith(". Run roundaudit nightly again.\n")
    run_plan(append(evening))
    assert roundaudit("rounds", "show", "right").code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--from", "25:00"), "--from: '25:00' is no time. Write it as 21:00 or 2026-11-29T21:00."),
        (("--day", "29.11.2026"), "--day: '29.11.2026' is no day. Write it as 2026-11-29."),
        (
            ("--from", f"{DAY}T22:00", "--to", f"{DAY}T21:00"),
            f"--to: {DAY}T21:00 is not after {DAY}T22:00. Name a later time.",
        ),
        (
            ("--from", f"{DAY}T21:00", "--to", "22:00"),
            "--from, --to: one says its day and the other does not. Write both in the same way.",
        ),
        (("--favours", "me"), "--favours: 'me' is none of PATRON, HOUSE, DEALER, NOBODY. Use one of them."),
    ],
)
def test_a_filter_that_cannot_be_is_one_line(evening: Path, roundaudit: Command, words: tuple[str, ...], line: str) -> None:
    assert roundaudit("discrepancies", *words) == (2, "", f"roundaudit: {line}\n")


@pytest.mark.parametrize(
    ("day", "begins", "since", "until", "utc"),
    [
        # in Chicago clocks skip 02:00 to 03:00 on March 8 (from then on five hours behind UTC, before that six) ...
        ("2026-03-08", 2, "02:00", "03:00", (datetime(2026, 3, 8, 8), datetime(2026, 3, 8, 8))),
        ("2026-03-08", 2, "02:30", "03:00", (datetime(2026, 3, 8, 8, 30), datetime(2026, 3, 8, 8, 30))),
        ("2026-03-07", 6, "23:00", "07:00", (datetime(2026, 3, 8, 5), datetime(2026, 3, 8, 12))),
        # ... and have 01:00 to 02:00 twice on November 1
        ("2026-10-31", 6, "01:00", "02:00", (datetime(2026, 11, 1, 6), datetime(2026, 11, 1, 8))),
        ("2026-10-31", 6, "23:00", "07:00", (datetime(2026, 11, 1, 4), datetime(2026, 11, 1, 13))),
        ("2026-10-31", 6, "06:00", "06:00", (datetime(2026, 10, 31, 11), datetime(2026, 11, 1, 12))),
    ],
)
def test_times_of_day_are_what_the_clocks_show_on_the_days_that_they_are_changed(
    tmp_path: Path, day: str, begins: int, since: str, until: str, utc: tuple[datetime, datetime]
) -> None:
    plan = append(tmp_path, round_of("R1"))
    run_plan(plan._replace(clock=PropertyClock("America/Chicago", begins)))
    with Snapshot(tmp_path) as snapshot:
        filters = filters_of(snapshot, Asked(day=day, since=since, until=until))
    assert (filters.since, filters.until) == utc


def test_a_time_of_day_is_local_and_of_the_gaming_day(tmp_path: Path) -> None:
    plan = append(tmp_path, round_of("R1", at="2026-11-30T08:30:00Z"))
    run_plan(plan._replace(clock=PropertyClock("America/Chicago", 6)))
    with Snapshot(tmp_path) as snapshot:
        # 23:00 to 03:00 in Chicago, six hours behind UTC: 05:00 to 09:00 UTC of the next date
        filters = filters_of(snapshot, Asked(day=DAY, since="23:00", until="03:00"))
        assert (filters.since, filters.until) == (datetime(2026, 11, 30, 5), datetime(2026, 11, 30, 9))
        assert [row["round_id"] for row in snapshot.rounds(filters)] == ["R1"]
    # in words they are the property's again
    said = filters.words(ZoneInfo("America/Chicago"))
    assert said == f"gaming day {DAY}, from {DAY} 23:00 CST, to 2026-11-30 03:00 CST"


def test_a_question_that_takes_too_long_is_stopped(evening: Path) -> None:
    with Snapshot(evening, query_seconds=0.3) as snapshot:
        with pytest.raises(BadInput, match=r"the question took more than 0\.3 seconds"):
            snapshot.rows("SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE hash(a.range + b.range) = 1")
        assert snapshot.count_rounds(Filters()) == 7


def test_a_value_is_never_part_of_a_query(evening: Path, roundaudit: Command) -> None:
    assert rounds_in(roundaudit("rounds", "--json", "--table", "' OR TRUE --")) == []
    assert rounds_in(roundaudit("rounds", "--json", "--patron", "P-7' --")) == []


def test_the_report_goes_to_the_screen_or_a_file(evening: Path, roundaudit: Command, tmp_path: Path) -> None:
    screen = roundaudit("report")
    for said in (
        "Discrepancy report",
        "A. Auditor",
        f"gaming day {DAY}",
        "42 events in = 42 audited",
        "OVERPAID",
        "grand total",
    ):
        assert said in screen.out, said
    page = tmp_path / "out" / "report.html"
    written = roundaudit("report", "--format", "html", "--out", str(page))
    assert (written.code, written.out) == (1, "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert roundaudit("report", "--format", "csv").out.startswith("Title,Discrepancy report\n")
    assert json.loads(roundaudit("report", "--json").out)["rounds"] == 7
    assert (
        roundaudit("report", "--format", "pdf").err == "roundaudit: --format: 'pdf' is no format. Use table, csv or html.\n"
    )


def test_a_report_without_a_day_is_of_the_day_that_the_night_run_reported(tmp_path: Path, roundaudit: Command) -> None:
    ended = overpaid("R1", at="2020-01-01T12:00:00Z", gaming_day="2020-01-01")
    run(tmp_path, ended, round_of("R2", at="2199-01-01T12:00:00Z", gaming_day="2199-01-01"))
    told = json.loads(roundaudit("report", "--json").out)
    assert (told["heading"]["period"], told["rounds"]) == ("gaming day 2020-01-01", 1)


def test_a_report_of_a_day_without_rounds_says_no_activity(evening: Path, roundaudit: Command) -> None:
    said = roundaudit("report", "--day", "2030-01-01")
    assert said.code == 0
    assert "No Activity" in said.out


def test_the_night_can_be_run_from_the_command_line(tmp_path: Path, roundaudit: Command) -> None:
    append(tmp_path, overpaid("R1"))
    words = ("nightly", "--no-prefect", "--game", str(TOY_FLOOR), "--day-begins", "6")
    said = roundaudit(*words)
    assert said.code == 1
    assert said.out.startswith(
        f"DISCREPANCIES: gaming day {DAY}, 6 events in = 6 audited + 0 dead-lettered + 0 in open rounds\n"
    )
    again = json.loads(roundaudit(*words, "--json", "--day", DAY).out)
    assert (again["entries"], again["discrepancies"], again["outcome"]) == (0, 1, "DISCREPANCIES")
    from_the_start = roundaudit(*words, "--again").out.splitlines()
    assert from_the_start[1] == (
        "0 new events, and all of the log audited again: 0 rounds written; 1 discrepancies on the day"
    )


def test_a_night_with_another_clock_than_the_last_one_says_so(tmp_path: Path, roundaudit: Command) -> None:
    append(tmp_path, round_of("R1"))
    words = ("nightly", "--no-prefect", "--game", str(TOY_FLOOR))
    assert roundaudit(*words, "--time-zone", "America/Chicago", "--day-begins", "6").err == ""
    assert roundaudit(*words, "--time-zone", "America/Chicago", "--day-begins", "6").err == ""
    assert roundaudit(*words).err == (
        "the property's clock is UTC with days from 00:00 in this run; "
        "it was America/Chicago with days from 06:00 in the last one\n"
    )


def test_the_night_names_every_other_day_that_it_reported(tmp_path: Path, roundaudit: Command) -> None:
    before = overpaid("R1", at="2020-01-01T12:00:00Z", gaming_day="2020-01-01")
    append(tmp_path, before, round_of("R2", at="2020-01-02T12:00:00Z", gaming_day="2020-01-02"))
    words = ("nightly", "--no-prefect", "--game", str(TOY_FLOOR), "--day-begins", "6")
    said = roundaudit(*words)
    assert said.code == 1
    assert said.out.splitlines()[:3] == [
        "DISCREPANCIES: gaming day 2020-01-02, 6 events in = 6 audited + 0 dead-lettered + 0 in open rounds",
        "12 new events, 2 rounds audited; 0 discrepancies on the day",
        "also reported, events of it came in this run: gaming day 2020-01-01, "
        "6 events in = 6 audited + 0 dead-lettered + 0 in open rounds; 1 discrepancies",
    ]
    assert roundaudit(*words).code == 0


def test_a_night_without_an_archive_is_one_line(roundaudit: Command, tmp_path: Path) -> None:
    said = roundaudit("nightly")
    assert said == (
        2,
        "",
        f"roundaudit: {tmp_path / night.ARCHIVE}: there is no archive to read. "
        "Take events in with roundaudit ingest --to, or name the Kafka that has them in ROUNDAUDIT_KAFKA.\n",
    )


@pytest.mark.parametrize("command", ["rounds", "discrepancies", "report", "nightly"])
def test_help_shows_an_example(roundaudit: Command, command: str) -> None:
    assert f"Example: roundaudit {command}" in roundaudit(command, "--help").out


@pytest.mark.parametrize("seed", [3, 5])
def test_absurd_values_in_the_log_keep_nobody_from_balancing_and_reading(
    tmp_path: Path, roundaudit: Command, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    rounds = [altered(events, chance) for events in rounds_of_all_games(seed)]
    append(tmp_path, *rounds)
    ended = night.run(night.Plan(tmp_path), book=BOOK)
    assert (ended.balances, ended.entries) == (True, sum(map(len, rounds)))
    for words in (("rounds",), ("discrepancies",), ("rounds", "show", rounds[0][0].round_id, "--explain")):
        for form in ((), ("--json",)):
            said = roundaudit(*words, *form)
            assert said.code in (0, 1), said.err
            assert rounds[0][0].round_id in said.out
    assert roundaudit("report").code == 1


def test_a_gaming_day_that_is_none_is_neither_reported_nor_asked_about(tmp_path: Path, roundaudit: Command) -> None:
    opened, *rest = round_of("R2", "BJ-08")
    odd = [opened._replace(gaming_day="yesterday"), *rest]
    ended = run(tmp_path, overpaid("R1", "BJ-07", f"{DAY}T21:00:00Z"), odd)
    assert ended.gaming_day == DAY
    assert rounds_in(roundaudit("rounds", "--from", "20:59", "--to", "21:01", "--json")) == ["R1"]
    found = roundaudit("discrepancies", "--table", "BJ-08", "--json")
    assert {json.loads(line)["kind"] for line in found.out.splitlines()} == {"NO_RULE_IN_FORCE", "GAMING_DAY_DIFFERS"}


def test_settings_come_from_the_environment_and_a_misspelt_one_is_refused() -> None:
    found = settings.load({"ROUNDAUDIT_DATA": "/data", "ROUNDAUDIT_TIME_ZONE": "America/Chicago", "OTHER": "x"}, workers=2)
    assert (found.data, found.clock, found.workers) == (Path("/data"), PropertyClock("America/Chicago", 0), 2)
    with pytest.raises(BadInput, match="ROUNDAUDIT_TIMEZONE is no setting"):
        settings.load({"ROUNDAUDIT_TIMEZONE": "America/Chicago"})
    with pytest.raises(BadInput, match="no such time zone"):
        settings.load({"ROUNDAUDIT_TIME_ZONE": "Chicago"})
    with pytest.raises(BadInput, match="ROUNDAUDIT_DAY_BEGINS_HOUR"):
        settings.load({"ROUNDAUDIT_DAY_BEGINS_HOUR": "24"})
    assert settings.load({"ROUNDAUDIT_KAFKA_FILE": "", "ROUNDAUDIT_TIME_ZONE": ""}) == settings.load({})


@pytest.mark.parametrize("seconds", ["0", "nan", "inf", "1e300"])
def test_a_time_limit_that_no_clock_can_keep_is_refused(seconds: str) -> None:
    with pytest.raises(BadInput, match="ROUNDAUDIT_QUERY_SECONDS"):
        settings.load({"ROUNDAUDIT_QUERY_SECONDS": seconds})


def test_a_setting_that_an_option_gave_is_told_by_that_option() -> None:
    with pytest.raises(
        BadInput, match=r"^settings: --time-zone: no such time zone; use a name as America/Chicago\. Correct it"
    ):
        settings.load({"ROUNDAUDIT_TIME_ZONE": "America/Chicago"}, time_zone="Chicago")
