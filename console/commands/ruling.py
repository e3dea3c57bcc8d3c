"""`roundaudit rules`: the rules in force, and what of the law they and the cases cover."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

import processors.games
from console.commands.options import MoreGames, checked_day
from console.listing import print_table
from events.errors import BadInput
from processors import rulebook
from processors.kernel.citation import Citation
from processors.kernel.dated import Entry, NoRuleInForce
from processors.kernel.odds import Odds
from processors.rules.citations import Coverage, citations_of, coverage
from processors.rules.documents import Paragraph, cited, load_documents
from processors.rules.loader import PaytableOverTime

app = typer.Typer(no_args_is_help=True, help="The rules in force, and what of the law they cover.", rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON line for each.")]


class Shown(NamedTuple):
    """A rule or paytable as it is shown. `value` is None where nothing is in force yet; `start` is an ISO date."""

    kind: str
    game: str
    jurisdiction: str
    name: str
    title: str
    value: Any
    start: str
    cite: Citation
    reading: str
    alternatives: Sequence[Any]
    doubt: str


@app.command("show")
def show(
    game: Annotated[str | None, typer.Argument(help="One game; all of them without it.", metavar="GAME")] = None,
    jurisdiction: Annotated[str | None, typer.Option("--jurisdiction", help="One jurisdiction, as us-sd.")] = None,
    on: Annotated[str | None, typer.Option("--on", help="The day, as 2021-04-14; today without it.", metavar="DATE")] = None,
    doubts: Annotated[
        bool, typer.Option("--doubts", help="Only what is probably a misprint or otherwise doubtful.")
    ] = False,
    as_json: AsJson = False,
    games: MoreGames = None,
) -> None:
    """Show the rules and paytables in force: value, date, paragraph, reading, other readings and doubts.

    Example: roundaudit rules show craps --on 2021-06-01 --doubts
    """
    book = rulebook.load(games or ())
    day = checked_day(on or "", "--on") or date.today().isoformat()
    chosen = [row for row in _rows(book, _games(book, game), day) if jurisdiction in (None, row.jurisdiction)]
    if not chosen:
        raise BadInput(f"no rules in {jurisdiction!r}", do=f"name one of {', '.join(_jurisdictions(book)) or 'none'}")
    chosen = [row for row in chosen if row.doubt or not doubts]
    if as_json:
        for row in chosen:
            print(json.dumps(_as_json(row)))
    else:
        headings = ("game", "jurisdiction", "rule", "in force", "since", "paragraph", "what, and what is unclear in it")
        print_table(headings, [_as_cells(row) for row in chosen], empty=f"nothing doubtful on {day}", group=2)


@app.command("coverage")
def show_coverage(
    document: Annotated[str | None, typer.Option("--document", help="One document, by its id.", metavar="ID")] = None,
    uncited: Annotated[bool, typer.Option("--uncited", help="Only paragraphs that must be cited and are not.")] = False,
    as_json: AsJson = False,
    games: MoreGames = None,
) -> None:
    """Show every paragraph of the regulations with the rules, paytables and cases that cite it.

    A paragraph that nothing cites says why it cannot be audited from events, or is uncited. A citation of a paragraph that
    does not exist is told on standard error, with file and line, and the command ends with 2.

    Example: roundaudit rules coverage --document ks-register-2021-05-27 --uncited
    """
    library = load_documents()
    if document is not None and document not in library.documents:
        raise BadInput(f"no document {document!r}", do=f"name one of {', '.join(sorted(library.documents))}")
    covered = coverage(library, citations_of([*game_folders(), *(games or ())]))
    chosen = [p for p in library.paragraphs if document in (None, p.document) and _is_listed(p)]
    listed = [p for p in chosen if covered.is_uncited(p) or not uncited]
    if as_json:
        for paragraph in listed:
            print(json.dumps(_coverage_json(paragraph, covered)))
    else:
        headings = ("document", "paragraph", "what it orders", "cited by")
        print_table(headings, [_coverage_cells(p, covered) for p in listed], empty="every paragraph is cited", group=1)
        print(_sum(chosen, covered))
    for citation, fault in covered.unknown:
        print(f"roundaudit: {citation.where}: {citation.by} cites {citation.paragraph!r}: {fault}", file=sys.stderr)
    if covered.unknown:
        raise typer.Exit(2)


def game_folders() -> list[Path]:
    """The folders of the product's games."""
    return sorted(path.parent for place in processors.games.__path__ for path in Path(place).glob("*/__init__.py"))


# --- the rules in force ----------------------------------------------------------------------------------------------


def _games(book: rulebook.Rulebook, game: str | None) -> list[str]:
    if game is None:
        return sorted(book.games)
    if game not in book.games:
        raise BadInput(f"no game {game!r}", do=f"name one of {', '.join(sorted(book.games)) or 'none'}")
    return [game]


def _jurisdictions(book: rulebook.Rulebook) -> list[str]:
    return sorted({jurisdiction for game in book.games.values() for jurisdiction in game.rules})


def _rows(book: rulebook.Rulebook, games: Iterable[str], day: str) -> Iterator[Shown]:
    for game in games:
        for jurisdiction, rules in sorted(book.games[game].rules.items()):
            for entry in rules.entries.values():
                yield _of_rule(game, jurisdiction, entry, day)
            for _, paytable in sorted(book.games[game].paytables.items()):
                if jurisdiction in paytable.jurisdictions:
                    yield _of_paytable(game, jurisdiction, paytable, day)


def _of_rule(game: str, jurisdiction: str, entry: Entry, day: str) -> Shown:
    in_force = [dated for dated in entry.values if dated.start <= day]
    dated = in_force[-1] if in_force else entry.values[0]
    value = dated.value if in_force else None
    return Shown(
        "rule", game, jurisdiction, entry.name, entry.title, value, dated.start, dated.cite,
        entry.reading, entry.alternatives, entry.doubt,
    )  # fmt: skip


def _of_paytable(game: str, jurisdiction: str, paytable: PaytableOverTime, day: str) -> Shown:
    title = f"{paytable.title} ({paytable.bet}"
    title += f", {', '.join(str(decks) for decks in sorted(paytable.decks))} decks)" if paytable.decks else ")"
    try:
        found = paytable.on(day)
    except NoRuleInForce:
        first = paytable.values[0]
        return Shown(
            "paytable", game, jurisdiction, paytable.id, title, None, first.start, first.cite.citation(),
            paytable.reading, (), paytable.doubt,
        )  # fmt: skip
    start = max(value.start for value in paytable.values if value.start <= day)
    value: dict[str, Any] = {hand: str(odds) for hand, odds in found.pays.items()}
    for hand, minor in found.dealer_pays_minor.items():
        value[hand] = f"{value.get(hand, 'nothing')} and {minor} minor units to the dealer"
    return Shown(
        "paytable", game, jurisdiction, paytable.id, title, value, start, found.cite, paytable.reading, (), paytable.doubt
    )


def _as_json(row: Shown) -> dict[str, Any]:
    plain = {**row._asdict(), **row.cite._asdict(), "from": row.start}
    plain["value"] = _plain(row.value)
    plain["alternatives"] = [_plain(other) for other in row.alternatives]
    return {key: value for key, value in plain.items() if key not in ("cite", "start")}


def _plain(value: Any) -> Any:
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(part) for part in value]
    return value if isinstance(value, str | int | bool) or value is None else str(value)


def _as_cells(row: Shown) -> tuple[str, ...]:
    value = _words(row.value) if row.value is not None else "nothing yet"
    notes = [f"DOUBT: {row.doubt}"] if row.doubt else []
    notes += [f"Reading: {row.reading}"] if row.reading else []
    notes += [f"Or: {_words(other)}" for other in row.alternatives]
    name = row.name if row.kind == "rule" else f"paytable {row.name}"
    cite = cited(row.cite)
    return row.game, row.jurisdiction, name, value, row.start, cite, "\n".join((row.title, *notes))


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_words(part)}" for key, part in value.items()) or "none"
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(_words(part) for part in value) or "none"
    return str(value)


# --- what of the law is covered --------------------------------------------------------------------------------------


def _is_listed(paragraph: Paragraph) -> bool:
    """Whether it is more than the heading of a section."""
    return bool(paragraph.orders)


def _state(paragraph: Paragraph, covered: Coverage) -> str:
    if covered.cited.get(paragraph.text):
        return "cited"
    return "uncited" if paragraph.is_demanded else "not audited"


def _coverage_json(paragraph: Paragraph, covered: Coverage) -> dict[str, Any]:
    return {
        "document": paragraph.document,
        "paragraph": paragraph.text,
        "orders": paragraph.orders,
        "games": list(paragraph.games),
        "state": _state(paragraph, covered),
        "not_audited": paragraph.not_audited,
        "cited_by": [citation._asdict() for citation in covered.cited.get(paragraph.text, ())],
    }


def _coverage_cells(paragraph: Paragraph, covered: Coverage) -> tuple[str, ...]:
    shown = cited(Citation(paragraph.document, paragraph.text))
    by = "; ".join(dict.fromkeys(citation.by for citation in covered.cited.get(paragraph.text, ())))
    excuse = f"not audited: {paragraph.not_audited}" if paragraph.not_audited else "UNCITED"
    return paragraph.document, shown, paragraph.orders, by or excuse


def _sum(paragraphs: Iterable[Paragraph], covered: Coverage) -> str:
    states = [_state(paragraph, covered) for paragraph in paragraphs]
    counts = (f"{states.count(state)} {state}" for state in ("cited", "not audited", "uncited"))
    return f"{len(states)} paragraphs: {', '.join(counts)}."
