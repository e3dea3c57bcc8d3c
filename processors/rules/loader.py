"""Reads rule files and paytables, and refuses what is wrong in them: file, line, and all faults of a file at once.

A rule file `rules/<jurisdiction>.yaml`:

    game: blackjack
    jurisdiction: us-ks-southwest
    rules:
      blackjack_pays:
        title: What a blackjack pays
        values:
          - from: 2021-04-14
            value: "3 to 2"
            cite: {document: ks-register-2021-05-27, paragraph: "111-301-6(g)(1)"}

A rule whose text is unclear also has `reading` (what is unclear and why this reading, in a sentence) and `alternatives`
(the other readings, as values); `doubt` marks a probable misprint. The names and types of a game's rules are those of its
`Terms`: a frozen dataclass whose fields are `Rule[...]`, or `Rule[...] | None` where a jurisdiction may be silent.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from events import yaml12
from events.times import is_day
from processors.kernel.citation import Citation
from processors.kernel.dated import Dated, Entry, NoRuleInForce, Paytable, Rule
from processors.kernel.odds import Odds, OddsText

PARAGRAPH: Final = re.compile(r"\S.*")

TermsT = TypeVar("TermsT")


def _date(value: Any) -> Any:
    if not isinstance(value, str) or not is_day(value):
        raise ValueError("a day of the calendar is written as 2021-04-14")
    return value


_Date = Annotated[str, BeforeValidator(_date)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Cite(_Strict):
    document: Annotated[str, Field(min_length=1)]
    paragraph: Annotated[str, Field(min_length=1)]

    def citation(self) -> Citation:
        return Citation(self.document, self.paragraph)


class _Value(_Strict):
    start: Annotated[_Date, Field(alias="from")]
    value: Any
    cite: _Cite


class _Rule(_Strict):
    title: Annotated[str, Field(min_length=1)]
    values: Annotated[list[_Value], Field(min_length=1)]
    reading: str = ""
    alternatives: list[Any] = []
    doubt: str = ""


class _RuleFile(_Strict):
    game: str
    jurisdiction: str
    rules: dict[str, _Rule]


class _Pays(_Strict):
    start: Annotated[_Date, Field(alias="from")]
    cite: _Cite
    pays: dict[str, OddsText]
    dealer_pays_minor: dict[str, Annotated[int, Field(ge=0)]] = {}


class _PaytableFile(_Strict):
    title: Annotated[str, Field(min_length=1)]
    bet: Annotated[str, Field(min_length=1)]
    jurisdictions: Annotated[list[str], Field(min_length=1)]
    decks: list[int] = []
    reading: str = ""
    doubt: str = ""
    values: Annotated[list[_Pays], Field(min_length=1)]


class RuleSet:
    """The rules of one game in one jurisdiction, over time."""

    def __init__(self, game: str, jurisdiction: str, entries: Mapping[str, Entry], terms: type[Any]) -> None:
        self.game = game
        self.jurisdiction = jurisdiction
        self.entries = entries
        self._terms = terms
        self._required = frozenset(name for name, (_, optional) in _fields(terms).items() if not optional)

    def on(self, day: str) -> Any:
        """The game's `Terms` in force on an ISO date.

        Raises NoRuleInForce naming the first rule that has no value yet.
        """
        found = {}
        for name in self._terms.__dataclass_fields__:
            entry = self.entries.get(name)
            rule = entry.on(day) if entry else None
            if rule is None and name in self._required:
                first = entry.values[0].start if entry else "no date"
                raise NoRuleInForce(
                    f"no rule {name} for {self.game} in {self.jurisdiction} on {day}; the first is of {first}"
                )
            found[name] = rule
        return self._terms(**found)


class PaytableOverTime:
    """One paytable file: the same id, its payouts dated."""

    def __init__(self, paytable_id: str, file: _PaytableFile) -> None:
        self.id = paytable_id
        self.title, self.bet, self.doubt, self.reading = file.title, file.bet, file.doubt, file.reading
        self.jurisdictions, self.decks = frozenset(file.jurisdictions), frozenset(file.decks)
        self.values = sorted(file.values, key=lambda value: value.start)

    def on(self, day: str) -> Paytable:
        """The paytable in force on an ISO date. Raises NoRuleInForce before its first date."""
        found = None
        for value in self.values:
            if value.start <= day:
                found = value
        if found is None:
            raise NoRuleInForce(f"paytable {self.id} is not in force on {day}; it is from {self.values[0].start}")
        return Paytable(
            self.id,
            self.title,
            self.bet,
            self.jurisdictions,
            self.decks,
            found.pays,
            found.dealer_pays_minor,
            found.cite.citation(),
        )


def load_rules(path: Path, terms: type[Any]) -> RuleSet:
    """Read one rule file for a game whose rules are named and typed by `terms`.

    Raises yaml12.Faults with every fault of the file and its line.
    """
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    file = _validated(_RuleFile, document, path)
    faults: list[tuple[int, str]] = []
    if file.jurisdiction != path.stem:
        faults.append((document.line(("jurisdiction",)), f"jurisdiction {file.jurisdiction!r} is not the file's name"))
    wanted = _fields(terms)
    for name in wanted:
        if name not in file.rules and not wanted[name][1]:
            faults.append((document.line(("rules",)), f"rule {name} is missing"))
    entries = {}
    for name, rule in file.rules.items():
        place: yaml12.Path = ("rules", name)
        if name not in wanted:
            faults.append((document.line(place), f"unknown rule {name}"))
            continue
        adapter: TypeAdapter[Any] = TypeAdapter(wanted[name][0], config=ConfigDict(strict=True))
        entries[name] = _entry(name, rule, adapter, document, place, faults)
    if faults:
        raise yaml12.Faults(str(path), faults)
    return RuleSet(file.game, file.jurisdiction, entries, terms)


def load_paytable(path: Path) -> PaytableOverTime:
    """Read one paytable file; its id is the file's name. Raises yaml12.Faults."""
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    return PaytableOverTime(path.stem, _validated(_PaytableFile, document, path))


def _entry(
    name: str,
    rule: _Rule,
    adapter: TypeAdapter[Any],
    document: yaml12.Document,
    place: yaml12.Path,
    faults: list[tuple[int, str]],
) -> Entry:
    values: list[Dated] = []
    for index, dated in enumerate(rule.values):
        at: yaml12.Path = (*place, "values", index)
        value = _typed(adapter, dated.value, document, (*at, "value"), faults)
        if values and dated.start <= values[-1].start:
            faults.append((document.line(at), f"rule {name}: dates are written oldest first, each once"))
        values.append(Dated(dated.start, value, dated.cite.citation()))
    alternatives = [
        _typed(adapter, other, document, (*place, "alternatives", index), faults)
        for index, other in enumerate(rule.alternatives)
    ]
    if rule.alternatives and not rule.reading:
        faults.append((document.line(place), f"rule {name} has alternatives but no reading"))
    return Entry(name, rule.title, values, rule.reading, alternatives, rule.doubt)


def _typed(
    adapter: TypeAdapter[Any], value: Any, document: yaml12.Document, at: yaml12.Path, faults: list[tuple[int, str]]
) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as fault:
        for error in fault.errors():
            faults.append((document.line((*at, *error["loc"])), f"{_name(at)}: {_message(error)}"))
        return None


def _name(at: yaml12.Path) -> str:
    return f"rule {at[1]}" if len(at) > 1 else "the file"


FileT = TypeVar("FileT", bound=BaseModel)


def _validated(model: type[FileT], document: yaml12.Document, path: Path) -> FileT:
    try:
        return model.model_validate(document.value)
    except ValidationError as fault:
        faults = []
        for error in fault.errors():
            place = ".".join(str(part) for part in error["loc"])
            faults.append((document.line(tuple(error["loc"])), f"{place}: {_message(error)}"))
        raise yaml12.Faults(str(path), faults) from None


def _message(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "unknown key"
    if error["type"] == "missing":
        return "missing"
    return str(error["msg"]).removeprefix("Value error, ")


def _fields(terms: type[Any]) -> dict[str, tuple[Any, bool]]:
    """For each field of a `Terms` the type of its value, and whether the rule may be absent."""
    found = {}
    for name, hint in typing.get_type_hints(terms, include_extras=True).items():
        optional = typing.get_origin(hint) in (typing.Union, types.UnionType)
        parts = [part for part in typing.get_args(hint) if part is not types.NoneType] if optional else [hint]
        if len(parts) != 1 or typing.get_origin(parts[0]) is not Rule:
            raise TypeError(f"{terms.__name__}.{name} is not a Rule[...]")
        (inner,) = typing.get_args(parts[0])
        found[name] = (_readable(inner), optional)
    return found


def _readable(hint: Any) -> Any:
    """The hint with `Odds` replaced by odds as text, also inside mappings and tuples."""
    if hint is Odds:
        return OddsText
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is None or not args or origin is typing.Literal:
        return hint
    if origin is Annotated:
        return hint
    readable = tuple(_readable(part) for part in args)
    if origin is Mapping or origin is dict:
        return dict[readable[0], readable[1]]  # type: ignore[valid-type]  # built at run time
    if origin is tuple:
        # a rule file writes a tuple as a list
        return Annotated[origin[readable], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)]
    return origin[readable]
