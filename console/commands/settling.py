"""`roundaudit settle`: what is due in the rounds of scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from console.commands.options import MoreGames, Scripts
from console.rows import plain
from events.errors import BadInput
from events.intake import read_script, scripts_in
from events.model import Event, SettlementRecorded
from processors import rulebook
from processors.carrying import take_back_carried
from processors.kernel.citation import Citation
from processors.kernel.money import money_text
from processors.kernel.settlement import RoundAudit, Step
from processors.replay import audit_round, explain_round
from processors.rules.documents import cited


def settle(
    files: Scripts,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a round.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say step by step how each settlement comes about.")] = False,
    games: MoreGames = None,
) -> None:
    """Settle the rounds of scripts under the rules in force on their gaming day.

    A script without any SettlementRecorded asks only what is due.

    Example: roundaudit settle hand.jsonl --explain
    """
    book = rulebook.load(games or ())
    faults: list[BadInput] = []
    discrepancies = 0
    for path in scripts_in(files):
        try:
            rounds, only_due = _rounds(path, faults)
        except BadInput as unreadable:
            # one script that cannot be read keeps nobody from the others
            faults.append(unreadable)
            continue
        audits = take_back_carried((audit_round(events, book, only_due=only_due), events) for events in rounds.values())
        for audit, events in zip(audits, rounds.values(), strict=True):
            steps = explain_round(events, book, only_due=only_due) if explain else {}
            discrepancies += len(audit.discrepancies)
            print(json.dumps(_as_json(audit, steps)) if as_json else _as_text(audit, steps))
    for fault in faults:
        print(f"roundaudit: {fault}", file=sys.stderr)
    if faults:
        raise typer.Exit(2)
    raise typer.Exit(1 if discrepancies else 0)


def _rounds(path: Path, faults: list[BadInput]) -> tuple[Mapping[str, list[Event]], bool]:
    """The events of a script by round, and whether it asks only what is due."""
    rounds: dict[str, list[Event]] = {}
    only_due, before = True, len(faults)
    for line in read_script(path):
        if line.event is None:
            faults.append(line.fault or BadInput("cannot be read", line.where))
            continue
        rounds.setdefault(line.event.round_id, []).append(line.event)
        only_due = only_due and not isinstance(line.event, SettlementRecorded)
    if not rounds and len(faults) == before:
        faults.append(BadInput("there are no events in it", str(path), "name a script with events"))
    return rounds, only_due


def _as_json(audit: RoundAudit, steps: Mapping[str, Sequence[Step]]) -> dict[str, Any]:
    line: dict[str, Any] = {
        "round_id": audit.round_id,
        "settlements": [_plain(settlement) for settlement in audit.settlements],
        "contributions": [_plain(contribution) for contribution in audit.contributions],
        "discrepancies": [
            {"id": d.id, **_plain(d), "delta_minor": d.delta_minor, "severity": d.severity} for d in audit.discrepancies
        ],
    }
    if steps:
        line["steps"] = {wager: [_plain(step) for step in taken] for wager, taken in steps.items()}
    return line


def _plain(item: Any) -> dict[str, Any]:
    return {
        key: str(value).strip() if isinstance(value, Citation) else list(value) if isinstance(value, tuple) else value
        for key, value in item._asdict().items()
    }


def _as_text(audit: RoundAudit, steps: Mapping[str, Sequence[Step]]) -> str:
    lines = [f"{audit.round_id}  {audit.game}, {audit.jurisdiction}, {audit.gaming_day}"]
    for s in audit.settlements:
        handed = f"{money_text(s.given_minor)} to the {s.paid_to.lower()}"
        lines.append(f"  {s.wager_id:<12} {s.bet:<20} {s.result:<9} {handed:<24} {cited(s.cite)}")
        if s.paid_to == "PATRON":
            lines += [f"      {step.text}" + _cited(step.cite) for step in steps.get(s.wager_id, ())]
    lines += [f"  ! {d.kind}: {d.sentence}{_cited(d.cite)}" for d in audit.discrepancies]
    return "\n".join(map(plain, lines))


def _cited(cite: Citation) -> str:
    return f" [{cited(cite)}]" if cite.paragraph else ""
