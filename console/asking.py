"""What a person asks the warehouse for: the options of the commands that list, and the filters that they mean."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Final, get_type_hints
from zoneinfo import ZoneInfo

import typer

from console.commands.options import checked_day
from console.queries import Snapshot
from events.errors import BadInput
from pipelines.warehouse.filters import FAVOURS, SEVERITIES, Filters, kinds_of, one_of
from processors.checks import PropertyClock

_TIME_OF_DAY: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a person asks for, as typed: the options of every command that lists or counts. "" is no condition."""

    table: Annotated[str, typer.Option("--table", help="One table, as BJ-07.", metavar="TABLE")] = ""
    since: Annotated[
        str, typer.Option("--from", help="A time at the property: 21:00, or 2026-11-29T21:00.", metavar="TIME")
    ] = ""
    until: Annotated[str, typer.Option("--to", help="A time at the property, not included.", metavar="TIME")] = ""
    day: Annotated[str, typer.Option("--day", help="One gaming day, as 2026-11-29.", metavar="DATE")] = ""
    dealer: Annotated[str, typer.Option("--dealer", help="One dealer.", metavar="DEALER")] = ""
    patron: Annotated[str, typer.Option("--patron", help="One patron, by pseudonym.", metavar="PATRON")] = ""
    game: Annotated[str, typer.Option("--game", help="One game, as blackjack.", metavar="GAME")] = ""
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", help="A kind (OVERPAID) or a family (payout); may be given again.", metavar="KIND"),
    ] = None
    favours: Annotated[str, typer.Option("--favours", help="PATRON, HOUSE, DEALER or NOBODY.", metavar="WHOM")] = ""
    severity: Annotated[str, typer.Option("--severity", help="HIGH, MEDIUM or LOW.", metavar="SEVERITY")] = ""


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes `asked` an option for each field of Asked, before its own."""
    own = [parameter for name, parameter in inspect.signature(command, eval_str=True).parameters.items() if name != "asked"]
    types = get_type_hints(Asked, include_extras=True)
    names = [field.name for field in fields(Asked)]
    options = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])
        for field in fields(Asked)
    ]

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        asked = Asked(**{name: given.pop(name) for name in names})
        command(asked=asked, **given)

    keyword_only = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    signature = inspect.Signature([*options, *keyword_only])
    with_options.__signature__ = signature  # type: ignore[attr-defined]  # where typer looks; functions take any attribute
    return with_options


def filters_of(snapshot: Snapshot, asked: Asked, *, with_discrepancy: bool = False) -> Filters:
    """The filters that a person's words mean in a snapshot.

    A time of day (21:00) is of the gaming day that `day` names, without it of the newest one in the snapshot; it is local
    time at the property. Raises BadInput for a day, time, kind or word that is none.
    """
    day = checked_day(asked.day)
    of_a_day = [_TIME_OF_DAY.fullmatch(text) is not None for text in (asked.since, asked.until) if text]
    if len(set(of_a_day)) > 1:
        raise BadInput("one says its day and the other does not", "--from, --to", "write both in the same way")
    if any(of_a_day) and not day:
        day = snapshot.newest_day()
        if not day:
            raise BadInput("there is no gaming day in the snapshot yet", "--from, --to", "run roundaudit nightly first")
    clock = snapshot.clock()
    start = _moment(asked.since, day, clock, "--from")
    last_day = _day_after(day) if _goes_over_the_day(asked, clock) else day
    end = _moment(asked.until, last_day, clock, "--to")
    if start and end and end <= start:
        if not all(of_a_day):
            raise BadInput(f"{asked.until} is not after {asked.since}", "--to", "name a later time")
        end = start  # both lie in the hour that the clocks skip
    return Filters(
        day, asked.table, asked.dealer, asked.patron, asked.game, start, end, kinds_of(asked.kind or ()),
        one_of(asked.favours, FAVOURS, "--favours"), one_of(asked.severity, SEVERITIES, "--severity"), with_discrepancy,
    )  # fmt: skip


def _goes_over_the_day(asked: Asked, clock: PropertyClock) -> bool:
    """Whether the second of two times of day is not after the first in the gaming day: then it is of the next one."""
    times = [_TIME_OF_DAY.fullmatch(text) for text in (asked.since, asked.until)]
    since, until = (((int(time[1]) - clock.day_begins_hour) % 24, int(time[2])) if time else (0, 0) for time in times)
    return all(times) and until <= since


def _day_after(day: str) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    except OverflowError:
        raise BadInput(f"{day} is the last day of the calendar", "--day", "name an earlier one") from None


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
