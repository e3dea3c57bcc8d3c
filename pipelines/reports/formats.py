"""Reports as files: CSV for a machine, one self-contained HTML file for a person."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2

from pipelines.reports import discrepancies
from pipelines.reports.discrepancies import DiscrepancyReport, Total
from processors.kernel.money import money_text

_TOTALS: Final = (("kind", "by_kind"), ("table", "by_table"), ("dealer", "by_dealer"), ("hour", "by_hour"))
_COLUMNS: Final = (*discrepancies.Line._fields,)


def to_csv(report: DiscrepancyReport) -> str:
    """The report as CSV: heading, reconciliation, totals, then one row a discrepancy. Amounts in minor units."""
    out = io.StringIO(newline="")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows(cells(line) for line in report.heading.lines())
    rows.writerow(("Reconciliation", str(report.reconciliation)))
    rows.writerow(("Rounds", report.rounds))
    rows.writerow(("Wagers", report.wagers))
    rows.writerow(())
    rows.writerow(("total by", "name", "currency", "count", "over_minor", "under_minor"))
    for word, totals in (*((word, getattr(report, name)) for word, name in _TOTALS), ("grand total", report.grand)):
        rows.writerows(cells((word, *total)) for total in totals)
    rows.writerow(())
    rows.writerow(_COLUMNS)
    rows.writerows(cells(line) for line in report.lines)
    if report.is_empty:
        rows.writerow((discrepancies.NO_ACTIVITY,))
    return out.getvalue()


def to_json(report: DiscrepancyReport) -> dict[str, Any]:
    """The report as plain values; times are ISO 8601 with their offset."""
    return {
        "heading": {name.lower().replace(" ", "_"): said for name, said in report.heading.lines()},
        "reconciliation": {**report.reconciliation._asdict(), "balances": report.reconciliation.balances},
        "rounds": report.rounds,
        "wagers": report.wagers,
        "totals": {name: [total._asdict() for total in getattr(report, name)] for _, name in (*_TOTALS, ("", "grand"))},
        "discrepancies": [{name: _plain_value(value) for name, value in line._asdict().items()} for line in report.lines],
    }


def cells(values: Iterable[Any]) -> list[Any]:
    """Values as cells of a CSV file. A text that a spreadsheet would run as a formula is kept from it."""
    return [_cell(value) for value in values]


def to_html(report: DiscrepancyReport) -> str:
    """The report as one HTML file that needs nothing else: style and drawings are in it, and no script."""
    totals = [(word.capitalize(), [_bar(total, report_totals) for total in report_totals]) for word, report_totals in (
        (word, getattr(report, name)) for word, name in _TOTALS)]  # fmt: skip
    return (
        _templates()
        .get_template("discrepancies.html.j2")
        .render(report=report, totals=totals, no_activity=discrepancies.NO_ACTIVITY)
    )


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises OSError, which names the file and not the one that is made beside it."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except BaseException as fault:
        with contextlib.suppress(OSError):  # on a disk that cannot be written, what is not there cannot be removed either
            beside.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise OSError(fault.errno, fault.strerror, str(path)) from fault
        raise


def _bar(total: Total, among: Sequence[Total]) -> tuple[Total, int]:
    """A total and the length of its bar, of 1000 for the largest."""
    return total, max(4, 1000 * total.found // max(t.found for t in among))


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _plain_value(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


@functools.cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pipelines.reports", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["money"] = money_text
    return environment
