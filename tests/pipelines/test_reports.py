"""The discrepancy report: what a regulator asks of it (58 Pa. Code 811a.9), its sums, and files that need nothing else."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from pipelines import night
from pipelines.flows import nightly
from pipelines.reports import discrepancies, formats
from pipelines.reports.discrepancies import DiscrepancyReport
from pipelines.reports.heading import Reconciliation
from pipelines.warehouse.filters import Filters
from processors.checks import PropertyClock
from tests.pipelines.night_floor import CLOCK, DAY, append, overpaid, round_of, rows, run

NOW = datetime(2026, 11, 30, 6, 30, tzinfo=UTC)


def made(data: Path, filters: Filters = Filters(), clock: PropertyClock = CLOCK) -> DiscrepancyReport:  # noqa: B008  # immutable
    with duckdb.connect(data / "warehouse.snapshot.duckdb", read_only=True) as connection:
        return discrepancies.make(connection, filters, clock, operator="A. Auditor", system="roundaudit 1", now=NOW)


def test_totals_are_those_of_the_discrepancies_by_kind_table_dealer_and_hour(tmp_path: Path) -> None:
    run(
        tmp_path,
        overpaid("R1", "T-01", f"{DAY}T21:10:00Z"),  # 25.00 for 20.00: 5.00 over
        overpaid("R2", "T-02", f"{DAY}T21:59:59Z", dealer="E-2"),  # 5.00 over
        round_of("R3", "T-02", f"{DAY}T22:00:00Z", given=1500, dealer="E-2"),  # 15.00 for 20.00: 5.00 under
        round_of("R4", "T-02", f"{DAY}T23:00:00Z", given=0, dealer="E-2"),  # nothing for 20.00: 20.00 under
        round_of("R5", "T-03"),
    )
    report = made(tmp_path, Filters(gaming_day=DAY))
    assert [tuple(total) for total in report.by_kind] == [
        ("OVERPAID", "USD", 2, 1000, 0),
        ("UNDERPAID", "USD", 1, 0, -500),
        ("UNPAID", "USD", 1, 0, -2000),
    ]
    assert [tuple(total) for total in report.by_table] == [("T-02", "USD", 3, 500, -2500), ("T-01", "USD", 1, 500, 0)]
    assert [tuple(total) for total in report.by_dealer] == [("E-2", "USD", 3, 500, -2500), ("E-1", "USD", 1, 500, 0)]
    assert [tuple(total) for total in report.by_hour] == [
        ("21:00", "USD", 2, 1000, 0),
        ("22:00", "USD", 1, 0, -500),
        ("23:00", "USD", 1, 0, -2000),
    ]
    assert [tuple(total) for total in report.grand] == [("All", "USD", 4, 1000, -2500)]
    assert (report.rounds, report.wagers) == (5, 5)
    assert str(report.reconciliation) == "30 events in = 30 audited + 0 dead-lettered + 0 in open rounds"


def test_hours_are_the_property_s_and_stand_in_the_order_of_the_gaming_day(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1", at="2026-11-30T05:00:00Z"), overpaid("R2", at=f"{DAY}T15:00:00Z"))
    # Chicago is six hours behind in November: 23:00 the day before, and 09:00
    report = made(tmp_path, clock=PropertyClock("America/Chicago", 6))
    assert [total.name for total in report.by_hour] == ["09:00", "23:00"]
    assert [f"{line.occurred_at:%H:%M}" for line in report.lines] == ["09:00", "23:00"]


def test_the_heading_says_what_811a_9_a_asks(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    said = dict(made(tmp_path, Filters(gaming_day=DAY, table_id="T-01")).heading.lines())
    assert said == {
        "Title": "Discrepancy report",
        "System": "roundaudit 1",
        "Report definition": "discrepancies 1",
        "Period": f"gaming day {DAY}",
        "Generated at": "2026-11-30 06:30:00 UTC",
        "Filters": f"gaming day {DAY}, table T-01",
        "Operator": "A. Auditor",
    }


def test_every_time_of_a_line_is_the_property_s_and_says_its_offset(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    (line,) = formats.to_json(made(tmp_path, clock=PropertyClock("America/Chicago", 6)))["discrepancies"]
    assert line["occurred_at"] == f"{DAY}T15:10:00-06:00"  # 21:10 UTC
    ((first_seen, last_seen),) = rows(tmp_path, "SELECT first_seen, last_seen FROM discrepancies")
    for name, stored in (("first_seen", first_seen), ("last_seen", last_seen)):
        told = datetime.fromisoformat(line[name])
        assert told.utcoffset() is not None
        assert told == stored.replace(tzinfo=UTC)


def test_times_and_amounts_in_html_say_their_day_and_currency_where_there_are_several(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    alone = formats.to_html(made(tmp_path))
    assert f"{DAY} 21:10:00" not in alone
    assert "5.00 USD" not in alone
    run(tmp_path, overpaid("R2", at="2026-11-30T21:10:00Z", gaming_day="2026-11-30", currency="CAD"))
    page = formats.to_html(made(tmp_path))
    assert f"{DAY} 21:10:00" in page
    assert "T-01 USD" in page
    assert "5.00 CAD" in page


def test_the_html_file_needs_nothing_else_and_says_all(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"), round_of("R3", "T-02", given=1500))
    page = formats.to_html(made(tmp_path, Filters(gaming_day=DAY)))
    for outside in ("<script", "<link", "<img", "@import", "url(", "http://", "https://", "<iframe"):
        assert outside not in page, outside
    for said in ("Discrepancy report", "A. Auditor", "roundaudit 1", "discrepancies 1", f"gaming day {DAY}", "OVERPAID",
                 "25.00 was given on the over wager w1; 20.00 was due.", "toy 1", "12 events in = 12 audited",
                 "By kind", "By table", "By dealer", "By hour", "Grand total", "counter(page)"):  # fmt: skip
        assert said in page, said
    assert page.count("<rect ") == 6  # two kinds, two tables, one dealer, one hour


def test_the_longest_bar_is_the_largest_total_and_the_others_are_in_proportion(tmp_path: Path) -> None:
    run(tmp_path, *(overpaid(f"R{n}") for n in range(4)), round_of("R9", "T-02", given=1500))
    page = formats.to_html(made(tmp_path))
    by_kind = page.split("By kind")[1].split("</section>")[0]
    assert re.findall(r'<rect width="(\d+)"', by_kind) == ["1000", "250"]


def test_nothing_of_the_log_becomes_markup(tmp_path: Path) -> None:
    run(tmp_path, overpaid("<script>alert(1)</script>", "T-<b>", dealer='"><img src=x>'))
    page = formats.to_html(made(tmp_path))
    assert "<script" not in page
    assert "<img" not in page
    assert "T-&lt;b&gt;" in page
    artifact = nightly.markdown(made(tmp_path))
    assert "<script" not in artifact.replace("\\<", "")


def test_a_spreadsheet_is_given_no_formula(tmp_path: Path) -> None:
    run(tmp_path, overpaid("=HYPERLINK(1)", dealer="@x"))
    listed = list(csv.reader(io.StringIO(formats.to_csv(made(tmp_path)))))
    assert [row[6] for row in listed if len(row) > 20][1:] == ["'=HYPERLINK(1)"]
    assert not [cell for row in listed for cell in row if cell[:1] in ("=", "@", "+")]


def test_the_csv_file_has_heading_totals_and_every_discrepancy(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"), round_of("R3", "T-02", f"{DAY}T22:00:00Z", given=1500))
    listed = list(csv.reader(io.StringIO(formats.to_csv(made(tmp_path)))))
    assert listed[0] == ["Title", "Discrepancy report"]
    assert ["Reconciliation", "12 events in = 12 audited + 0 dead-lettered + 0 in open rounds"] in listed
    assert ["kind", "OVERPAID", "USD", "1", "500", "0"] in listed
    assert ["grand total", "All", "USD", "2", "500", "-500"] in listed
    names, *found = [row for row in listed if len(row) > 20]
    told = [dict(zip(names, row, strict=True)) for row in found]
    assert [(row["round_id"], row["kind"], row["delta_minor"]) for row in told] == [
        ("R1", "OVERPAID", "500"),
        ("R3", "UNDERPAID", "-500"),
    ]


def test_no_activity_is_said_in_every_format(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    empty = made(tmp_path, Filters(gaming_day="2030-01-01"))
    assert empty.is_empty
    assert "No Activity" in formats.to_html(empty)
    assert "No Activity" in formats.to_csv(empty)
    assert "No Activity" in nightly.markdown(empty)


def test_a_day_without_a_difference_is_not_without_activity(tmp_path: Path) -> None:
    run(tmp_path, round_of("R1"))
    report = made(tmp_path)
    assert not report.is_empty
    assert "No Activity" not in formats.to_html(report)
    assert "No discrepancies." in formats.to_html(report)


def test_a_reconciliation_that_does_not_come_out_says_so() -> None:
    assert str(Reconciliation(1000, 990, 3, 7)) == "1,000 events in = 990 audited + 3 dead-lettered + 7 in open rounds"
    lost = Reconciliation(1000, 990, 3, 6)
    assert not lost.balances
    assert str(lost).startswith("DOES NOT BALANCE: 1,000 events in is not 990 audited")


def test_a_round_without_its_opening_is_totalled_in_the_only_currency(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"), round_of("R2")[1:])
    assert {total.currency for total in made(tmp_path).by_kind} == {"USD"}
    run(tmp_path, overpaid("R3", currency="EUR"))
    assert {total.currency for total in made(tmp_path).grand} == {"USD", "EUR", ""}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(table_id="T-02"), ["R2"]),
        (Filters(dealer_id="E-2"), ["R2"]),
        (Filters(patron_id="P-2"), ["R2"]),
        (Filters(game="craps"), []),
        (Filters(favours="HOUSE"), ["R3"]),
        (Filters(kinds=("OVERPAID",), severity="HIGH"), ["R1", "R2"]),
        (Filters(since=datetime(2026, 11, 29, 22), until=datetime(2026, 11, 29, 23)), ["R2"]),
    ],
)
def test_filters_leave_what_they_name(tmp_path: Path, filters: Filters, found: list[str]) -> None:
    run(
        tmp_path,
        overpaid("R1"),
        overpaid("R2", "T-02", f"{DAY}T22:30:00Z", dealer="E-2", patron="P-2"),
        round_of("R3", at=f"{DAY}T23:00:00Z", given=1500),
    )
    assert [line.round_id for line in made(tmp_path, filters).lines] == found


def test_the_report_of_the_night_is_a_file_and_its_numbers_are_those_of_the_ledger(tmp_path: Path) -> None:
    ended = night.run(append(tmp_path, overpaid("R1"), round_of("R2")))
    page, table = ended.report_files
    assert "OVERPAID" in page.read_text(encoding="utf-8")
    assert "OVERPAID" in table.read_text(encoding="utf-8")
    assert rows(tmp_path, "SELECT discrepancies, message FROM runs") == [(1, ended.reconciliation)]


def test_the_report_as_json_is_the_report(tmp_path: Path) -> None:
    run(tmp_path, overpaid("R1"))
    said = json.loads(json.dumps(formats.to_json(made(tmp_path))))
    assert said["totals"]["by_kind"] == [
        {"name": "OVERPAID", "currency": "USD", "found": 1, "over_minor": 500, "under_minor": 0}
    ]
    assert said["reconciliation"] == {"events_in": 6, "audited": 6, "dead": 0, "still_open": 0, "balances": True}
    assert said["discrepancies"][0]["occurred_at"] == f"{DAY}T21:10:00+00:00"
