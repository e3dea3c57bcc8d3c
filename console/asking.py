"""From the options of a command to filters: days, times of day at the property, kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from console.commands.options import checked_day
from console.queries import Snapshot
from events.errors import BadInput
from pipelines.warehouse.filters import FAVOURS, SEVERITIES, Filters, kinds_of, one_of
from processors.checks import PropertyClock

_TIME_OF_DAY: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def filters_of(
    snapshot: Snapshot,
    *,
    table: str = "",
    dealer: str = "",
    patron: str = "",
    game: str = "",
    day: str = "",
    since: str = "",
    until: str = "",
    kinds: Sequence[str] = (),
    favours: str = "",
    severity: str = "",
    with_discrepancy: bool = False,
) -> Filters:
    """The filters that the options of a command name.

    A time of day (21:00) is of the gaming day that `day` names, without it of the newest one in the snapshot; it is local
    time at the property. Raises BadInput for a day, time, kind or word that is none.
    """
    day = checked_day(day)
    if not day and any(_TIME_OF_DAY.fullmatch(text) for text in (since, until)):
        day = snapshot.newest_day()
        if not day:
            raise BadInput("there is no gaming day in the snapshot yet", "--from, --to", "run roundaudit nightly first")
    clock = snapshot.clock()
    start = _moment(since, day, clock, "--from")
    end = _moment(until, day, clock, "--to")
    if start and end and end <= start:
        if not _TIME_OF_DAY.fullmatch(until):
            raise BadInput(f"{until} is not after {since}", "--to", "name a later time")
        end += timedelta(days=1)
    return Filters(
        day, table, dealer, patron, game, start, end, kinds_of(kinds), one_of(favours, FAVOURS, "--favours"),
        one_of(severity, SEVERITIES, "--severity"), with_discrepancy,
    )  # fmt: skip


def _moment(text: str, day: str, clock: PropertyClock, option: str) -> datetime | None:
    if not text:
        return None
    time_of_day = _TIME_OF_DAY.fullmatch(text)
    try:
        if time_of_day:
            moment = clock.moment(day, int(time_of_day[1]), int(time_of_day[2]))
        else:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=ZoneInfo(clock.time_zone))
        return moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise BadInput(f"{text!r} is no time", option, "write it as 21:00 or 2026-11-29T21:00") from None
