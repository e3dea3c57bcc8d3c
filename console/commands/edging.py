"""`roundaudit rules edge`: what a wager is worth to the player."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from math import isqrt
from typing import Annotated

import typer

from console.commands.options import MoreGames, checked_day
from console.listing import print_table
from events.errors import BadInput
from processors import rulebook
from processors.edge import distribution
from processors.kernel.outcomes import Distribution, Question


def edge(
    game: Annotated[str, typer.Argument(help="The game, as craps.", metavar="GAME")],
    wager: Annotated[str | None, typer.Option("--wager", help="The bet, with what it is on: pass, 'place 6'.")] = None,
    paytable: Annotated[str, typer.Option("--paytable", help="The paytable, where the table chooses.")] = "",
    decks: Annotated[int, typer.Option("--decks", help="How many decks; 0: as usual for the game.", min=0, max=8)] = 0,
    jurisdiction: Annotated[str, typer.Option("--jurisdiction", help="Where; the game's only one without it.")] = "",
    on: Annotated[str, typer.Option("--on", help="The day, as 2021-06-01; today without it.", metavar="DATE")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line, with exact fractions.")] = False,
    games: MoreGames = None,
) -> None:
    """Enumerate every outcome of a wager through the engine that settles rounds, and print the player's expectation.

    Exact, in fractions, where the outcomes can be enumerated; else drawn at random, with the standard error stated.

    Example: roundaudit rules edge craps --wager 'place 6'
    """
    book = rulebook.load(games or ())
    day = checked_day(on, "--on") or date.today().isoformat()
    if not wager:
        raise BadInput("no wager is named", do=f"name one with --wager: {', '.join(_bets(book, game))}")
    bet, _, place = wager.partition(" ")
    where = jurisdiction or _only_jurisdiction(book, game)
    question = Question(bet, place.strip(), paytable, decks, where, day)
    found = distribution(book, game, question)
    print(_as_json(game, question, found)) if as_json else _print(game, question, found)


def _bets(book: rulebook.Rulebook, game: str) -> list[str]:
    return sorted(book.games[game].definition.engine.BETS) if game in book.games else []


def _only_jurisdiction(book: rulebook.Rulebook, game: str) -> str:
    if game not in book.games:
        return ""
    places = sorted(book.games[game].rules)
    if len(places) > 1:
        raise BadInput(f"{game} has rules in {', '.join(places)}", do="choose one with --jurisdiction")
    return places[0] if places else ""


def _print(game: str, question: Question, found: Distribution) -> None:
    rows = [
        (verdict.label, _fraction(verdict.net), _percent(probability), _fraction(probability))
        for verdict, probability in found.probabilities.items()
    ]
    expectation = found.expectation
    if found.samples:
        exactly = f"drawn {found.samples:,} times; standard error {_percent(standard_error(found))}"
    else:
        exactly = f"exactly {_fraction(expectation)}"
    print_table(("outcome", "net a unit", "probability", "exactly"), rows, empty="No outcomes.")
    note = f" ({found.note})" if found.note else ""
    print(
        f"{game} {question.bet} {question.on}".strip() + f": player's expectation {_percent(expectation)}, {exactly}{note}"
    )


def _as_json(game: str, question: Question, found: Distribution) -> str:
    return json.dumps(
        {
            "game": game,
            **question._asdict(),
            "outcomes": [
                {"label": verdict.label, "net": str(verdict.net), "probability": str(probability)}
                for verdict, probability in found.probabilities.items()
            ],
            "expectation": str(found.expectation),
            "samples": found.samples,
            "standard_error": _percent(standard_error(found)) if found.samples else "0",
            "note": found.note,
        }
    )


def standard_error(found: Distribution) -> Fraction:
    """The standard error of a drawn expectation, to nine decimals, rounded up."""
    return Fraction(isqrt(int(found.variance / found.samples * 10**18)) + 1, 10**9) if found.samples else Fraction(0)


def _percent(value: Fraction) -> str:
    thousandths = round(value * 100_000)
    sign = "-" if thousandths < 0 else ""
    return f"{sign}{abs(thousandths) // 1000}.{abs(thousandths) % 1000:03d}%"


def _fraction(value: Fraction) -> str:
    """The fraction itself while a person can read it; a longer one stands in --json."""
    text = str(value)
    return text if len(text) <= 24 else "long: see --json"
