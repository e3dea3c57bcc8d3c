"""`roundaudit rounds show`: one round, what was due and recorded, and on request how that comes about, replayed now."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import typer

from console import settings
from console.commands.options import Data, MoreGames
from console.queries import RoundFound, Row, Snapshot
from console.rows import Column, json_value, plain, print_table, shown
from console.settings import Settings
from events.errors import BadInput
from events.intake import to_json
from events.model import ENVELOPE, Event
from events.times import nearest_micros
from pipelines.audit import events_at
from pipelines.night import Plan
from processors import rulebook
from processors.kernel.citation import Citation
from processors.kernel.settlement import Step
from processors.replay import explain_round
from processors.rulebook import Rulebook
from processors.rules.documents import cited

_WAGERS: Final = (
    Column("wager", "wager_id"), Column("seat", "seat", right=True, may_go=5), Column("patron", "patron_id", may_go=2),
    Column("bet", "bet"), Column("on", "placed_on", may_go=1), Column("stake", "amount_minor", right=True),
    Column("result", "result"),
    Column("due", "due_minor", right=True), Column("to", "paid_to", may_go=4),
    Column("recorded", "recorded_minor", right=True), Column("prize", "prize", may_go=3),
    Column("paragraph", "cite_paragraph"),
)  # fmt: skip
_DUE: Final = ("paid_minor", "stake_returned_minor", "no_action_minor", "fee_returned_minor")


def show(
    round_id: Annotated[str, typer.Argument(help="The round.", metavar="ROUND")],
    explain: Annotated[
        bool, typer.Option("--explain", help="Replay it now: every event, and each settlement step by step.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    data: Data = None,
    games: MoreGames = None,
) -> None:
    """Show one round: its wagers, what was due on each and which paragraph says so, what was recorded, what differs.

    Example: roundaudit rounds show BJ-07-20261129-0042 --explain
    """
    chosen = settings.load(data=data)
    with Snapshot(chosen.data, query_seconds=chosen.query_seconds) as snapshot:
        found = snapshot.round(round_id)
        zone = ZoneInfo(snapshot.clock().time_zone)
    if not found:
        raise BadInput(f"there is no round {plain(round_id)}", "the snapshot", "list rounds with roundaudit rounds")
    book = rulebook.load(games or ()) if explain else None
    for one in found:
        events = _events(chosen, one) if book else []
        steps = explain_round(events, book) if book and events else {}
        if as_json:
            print(json.dumps(_as_json(one, events, steps), default=json_value))
        else:
            _print(one, zone)
            if book:
                _print_replay(one, book, events, steps, zone)
    raise typer.Exit(1 if any(d["fixed_at"] is None for one in found for d in one.discrepancies) else 0)


def _events(chosen: Settings, found: RoundFound) -> list[Event]:
    """The events of a round, read again from the log."""
    log = Plan(chosen.data, kafka=chosen.kafka, kafka_file=chosen.kafka_file).log_opener()()
    key = found.round["table_id"], found.round["round_id"]
    try:
        events = events_at(log, found.place.partition, key, found.place.first_offset, found.place.last_offset)
    finally:
        log.close()
    if not events:
        raise BadInput(f"the events of round {plain(key[1])} are not in the log any more", log.name, "restore the archive")
    return events


def _print(found: RoundFound, zone: ZoneInfo) -> None:
    r = found.round
    print(f"{plain(r['round_id'])}  {plain(r['game'])} at {plain(r['table_id'])}, {r['jurisdiction']}")
    print(
        f"  gaming day {r['gaming_day']}, {shown(r['opened_at'], '', zone)} to {shown(r['closed_at'], '', zone)} {zone.key}"
    )
    dealer = plain(r["dealer_id"]) or "(none)"
    print(f"  dealer {dealer}, {r['status'].lower()}, {r['events']} events, revision {r['revision']}")
    print()
    print_table([_with_due(wager) for wager in found.wagers], _WAGERS, zone)
    for c in found.contributions:
        whole, micro = divmod(c["amount_micro"], 1_000_000)
        print(f"  {plain(c['progressive_id'])}: {whole}.{micro:06} minor units from {plain(c['wager_id'])}")
    print()
    for d in found.discrepancies:
        fixed = f" (fixed {shown(d['fixed_at'], '', zone)})" if d["fixed_at"] else ""
        print(f"! {d['kind']}: {plain(d['sentence'])}{_cited(d['cite_document'], d['cite_paragraph'])}{fixed}")
        print(f"    rests on events {', '.join(map(str, d['rests_on'])) or '(none)'}; {d['discrepancy_id']}")
    if not found.discrepancies:
        print("Nothing differs.")


def _print_replay(
    found: RoundFound, book: Rulebook, events: Sequence[Event], steps: Mapping[str, Sequence[Step]], zone: ZoneInfo
) -> None:
    print("\nAs it was recorded:")
    for event in sorted(events, key=lambda event: event.sequence):
        print(f"  {event.sequence:>4}  {_event_words(event, zone)}")
    print("\nHow it comes about:")
    for wager_id, taken in steps.items():
        print(f"  {plain(wager_id)}")
        for step in taken:
            print(f"    {plain(step.text)}{_cited(*step.cite)}")
    if (found.round["rulebook_digest"], found.round["code_digest"]) != (book.digest, book.code_digest):
        print(
            "The rules or the code have changed since this round was audited; this replay uses the present ones.",
            file=sys.stderr,
        )


def _event_words(event: Event, zone: ZoneInfo) -> str:
    fields = {name: value for name, value in event._asdict().items() if name not in ENVELOPE and value not in ("", None)}
    defaults = type(event)._field_defaults
    said = " ".join(f"{name}={_value(value)}" for name, value in fields.items() if defaults.get(name, ...) != value)
    return plain(f"{_clock_time(event, zone)} {type(event).__name__} {said}".rstrip())


def _clock_time(event: Event, zone: ZoneInfo) -> str:
    return f"{datetime.fromtimestamp(nearest_micros(event.occurred_at) // 1_000_000, UTC).astimezone(zone):%H:%M:%S}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_value(inner)}" for key, inner in value.items()) + "}"
    return str(value)


def _with_due(wager: Row) -> Row:
    return {**wager, "due_minor": sum(wager[name] or 0 for name in _DUE)}


def _as_json(found: RoundFound, events: Sequence[Event], steps: Mapping[str, Sequence[Step]]) -> dict[str, Any]:
    said: dict[str, Any] = {
        **found.round,
        "wagers": found.wagers,
        "contributions": found.contributions,
        "discrepancies": found.discrepancies,
    }
    if events:
        said["events"] = [to_json(event) for event in events]
        said["steps"] = {
            wager: [{"text": step.text, "cite": str(step.cite).strip()} for step in taken] for wager, taken in steps.items()
        }
    return said


def _cited(document: str, paragraph: str) -> str:
    return f" [{cited(Citation(document, paragraph))}]" if paragraph else ""
