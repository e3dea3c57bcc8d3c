"""A round id is unique for ever: two tables that use the same one are two rounds that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator

from processors.checks import Day, Finding
from processors.kernel.settlement import Discrepancy


def check(day: Day) -> Iterator[Finding]:
    """CONFLICTING_FACT at each table of a round id that more than one table used."""
    for shared in day.shared_round_ids():
        tables = ", ".join(shared.table_ids)
        for table_id in shared.table_ids:
            sentence = f"Round id {shared.round_id} was used at more than one table: {tables}."
            yield Finding(table_id, Discrepancy("CONFLICTING_FACT", shared.round_id, sentence=sentence))
