"""The rulebook: every game that is there, with its rules and paytables over time.

A game is a package under `processors/games` with a `GAME = Definition(...)`; it is found by itself and registered nowhere.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import processors.games
from events import yaml12
from events.errors import BadInput
from events.times import is_day
from processors.kernel.dated import NoRuleInForce, Paytable
from processors.kernel.definition import Definition
from processors.rules.loader import PaytableOverTime, RuleSet, load_paytable, load_rules


class GameBook:
    """One game: its definition, rules by jurisdiction, and paytables by id."""

    def __init__(
        self, definition: Definition, rules: Mapping[str, RuleSet], paytables: Mapping[str, PaytableOverTime]
    ) -> None:
        self.definition = definition
        self.rules = rules
        self.paytables = paytables


class Rulebook:
    """All games. `digest` is over every rule file and paytable, `code_digest` over the code that decides."""

    def __init__(self, games: Mapping[str, GameBook], digest: str, code_digest: str) -> None:
        self.games = games
        self.digest = digest
        self.code_digest = code_digest
        self._terms: dict[tuple[str, str, str], Any] = {}
        self._paytables: dict[tuple[str, str, str, str], Paytable | None] = {}

    def terms(self, game: str, jurisdiction: str, day: str) -> Any:
        """The terms of a game in force in a jurisdiction on a gaming day.

        Raises NoRuleInForce where there are none: an unknown game or jurisdiction, a day before the first rule or
        none of the calendar.
        """
        key = (game, jurisdiction, day)
        found = self._terms.get(key)
        if found is None:
            if not is_day(day):
                raise NoRuleInForce(f"the gaming day {day!r} is no day of the calendar, written as 2026-11-29")
            book = self.games.get(game)
            if book is None:
                raise NoRuleInForce(f"no rules for a game {game!r}; there are {', '.join(sorted(self.games)) or 'none'}")
            rules = book.rules.get(jurisdiction)
            if rules is None:
                raise NoRuleInForce(f"no rules for {game} in {jurisdiction!r}; there are {', '.join(sorted(book.rules))}")
            found = self._terms[key] = rules.on(day)
        return found

    def paytable(self, game: str, jurisdiction: str, day: str, paytable_id: str) -> Paytable | None:
        """The paytable in force, or None where no file has it, it is for another jurisdiction, or not yet in force."""
        key = (game, jurisdiction, day, paytable_id)
        if key not in self._paytables:
            self._paytables[key] = self._find_paytable(*key)
        return self._paytables[key]

    def _find_paytable(self, game: str, jurisdiction: str, day: str, paytable_id: str) -> Paytable | None:
        over_time = self.games[game].paytables.get(paytable_id)
        if over_time is None or jurisdiction not in over_time.jurisdictions:
            return None
        try:
            return over_time.on(day)
        except NoRuleInForce:
            return None


def load(extra_games: Iterable[Path] = ()) -> Rulebook:
    """Load every game of the product, and those in `extra_games` folders (each folder is one game's package).

    Raises BadInput (`yaml12.Faults` for one file) naming file and line of everything that is wrong in the rule files.
    """
    modules = [
        importlib.import_module(f"{processors.games.__name__}.{found.name}")
        for found in pkgutil.iter_modules(processors.games.__path__)
        if found.ispkg
    ]
    modules += [_import_folder(Path(folder)) for folder in extra_games]
    faults: list[str] = []
    games: dict[str, GameBook] = {}
    digest = hashlib.sha256()
    for module in modules:
        definition: Definition = module.GAME
        folder = Path(str(module.__file__)).parent
        games[definition.name] = _load_game(definition, folder, digest, faults)
    if faults:
        raise BadInput(" | ".join(faults), do="correct the rule files")
    return Rulebook(games, digest.hexdigest(), code_digest())


def code_digest() -> str:
    """SHA-256 over the Python files of `events` and `processors`, in the order of their paths."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for package in ("events", "processors"):
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _load_game(definition: Definition, folder: Path, digest: Any, faults: list[str]) -> GameBook:
    rules: dict[str, RuleSet] = {}
    paytables: dict[str, PaytableOverTime] = {}
    for path in sorted(folder.glob("rules/*.yaml")):
        digest.update(f"{definition.name}/{path.name}".encode() + b"\0" + path.read_bytes())
        try:
            rules[path.stem] = load_rules(path, definition.terms)
        except yaml12.Faults as fault:
            faults.append(str(fault))
    for path in sorted(folder.glob("paytables/*.yaml")):
        digest.update(f"{definition.name}/{path.name}".encode() + b"\0" + path.read_bytes())
        try:
            paytables[path.stem] = load_paytable(path)
        except yaml12.Faults as fault:
            faults.append(str(fault))
    return GameBook(definition, rules, paytables)


def _import_folder(folder: Path) -> ModuleType:
    init = folder / "__init__.py"
    if not init.is_file():
        raise BadInput("not a game: it has no __init__.py with a GAME", str(folder), "see docs/add-a-game.md")
    name = f"roundaudit_game_{folder.name}"
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise BadInput("cannot be imported", str(init), "see docs/add-a-game.md")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
