"""Events from scripts: JSON Lines or YAML, one event an item, as other systems and people write them.

A field left out takes its schema's default; `sequence` left out counts up in its round; another envelope field left out
is that of the event before. Refused, each with file, line and field: an unknown or doubled key, `true`, `"1000"` or
`12.5` for an amount, a date without an offset.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from events import yaml12
from events.errors import BadInput
from events.model import ENVELOPE, EVENT_TYPES, Event
from events.times import is_day, micros_of, text_of

LINE_LIMIT_BYTES: Final = 1024 * 1024
TEXT_LIMIT: Final = 1000
AMOUNT_LIMIT_MINOR: Final = 10**15
CARRIED: Final = tuple(key for key in ENVELOPE if key != "sequence")
"""What an event that leaves it out has from the one before."""
SUFFIXES: Final = (".jsonl", ".yaml", ".yml")


class Line(NamedTuple):
    """One item of a script: the event, or the fault that keeps it from being one; `where` is file and line.

    `raw` is the text of a faulty item, for whoever keeps it: the line, or a YAML item in its JSON form.
    """

    where: str
    event: Event | None
    fault: BadInput | None
    raw: str = ""


class Script:
    """Turns the items of one script into events, one after the other, remembering what the one before said."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {"source": ""}
        self._lost: set[str] = set()
        self._sequences: dict[str, int] = {}

    def event(self, item: object) -> Event:
        """The event that `item` (a mapping with `type`) states.

        Raises BadInput naming the field. Of a faulty item stays that its place in the count is taken, and which round it
        is of: what follows it and leaves that out is of this round too.
        """
        if not isinstance(item, Mapping):
            raise BadInput("an event is a mapping with a type and fields", do='write {"type": "CardDealt", ...}')
        fields = dict(item)
        name = fields.pop("type", None)
        said = {key: fields[key] for key in CARRIED if key in fields}
        fields.update({key: value for key, value in self._before.items() if key not in fields})
        try:
            self._count(fields)
            event = self._built(name, fields)
        except BadInput:
            unreadable = _unreadable(said)
            self._before.update({key: value for key, value in said.items() if key not in unreadable})
            self._lost -= said.keys()
            self._lose(unreadable)
            raise
        self._before.update(said)
        self._lost.clear()
        return event

    def unread(self, raw: bytes) -> None:
        """Pass a line that cannot be read. Where it says which round it is of, what follows may not be given to another."""
        self._lose(key for key in CARRIED if f'"{key}"'.encode() in raw)

    def _lose(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._before.pop(key, None)
            self._lost.add(key)

    def _count(self, fields: dict[str, Any]) -> None:
        round_id = fields.get("round_id")
        if not isinstance(round_id, str):
            return
        if "sequence" not in fields:
            fields["sequence"] = self._sequences.get(round_id, -1) + 1
        if type(fields["sequence"]) is int:
            self._sequences[round_id] = fields["sequence"]

    def _built(self, name: object, fields: dict[str, Any]) -> Event:
        if not isinstance(name, str) or name not in EVENT_TYPES:
            raise BadInput(f"type {name!r} is not an event", do=f"use one of {', '.join(EVENT_TYPES)}")
        lost = [key for key in CARRIED if key in self._lost and key not in fields]
        if lost:
            raise BadInput(f"{', '.join(lost)} left out, and what says it before cannot be read", name, "correct that first")
        return _build(name, fields)


def read_script(path: Path) -> Iterator[Line]:
    """The items of a script file in order: `.jsonl` line by line (memory stays flat), `.yaml` as one list.

    Raises BadInput where the file itself cannot be read.
    """
    try:
        if path.suffix == ".jsonl":
            yield from _read_json_lines(path)
        elif path.suffix in SUFFIXES:
            yield from _read_yaml(path)
        else:
            path.stat()
            raise BadInput(f"scripts end in {', '.join(SUFFIXES)}", str(path), "rename the file")
    except OSError as fault:
        raise BadInput(f"cannot be read ({fault.strerror or fault})", str(path), "check the path") from fault
    except UnicodeDecodeError as fault:
        raise BadInput(f"not UTF-8 text (byte {fault.start})", str(path), "save it as UTF-8") from fault


def scripts_in(paths: Iterable[Path]) -> Iterator[Path]:
    """The scripts that `paths` name: a file as it is, a folder for all scripts in it and below, in order of their names.

    Raises BadInput for a folder without any.
    """
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES)
            if not found:
                raise BadInput(f"no scripts ({', '.join(SUFFIXES)}) in this folder", str(path), "name another")
            yield from found
        else:
            yield path


def events_of(items: Iterable[object], name: str) -> list[Event]:
    """The events of an already parsed list of items, as the `events` of a case. Raises BadInput on the first fault."""
    script = Script()
    events = []
    for number, item in enumerate(items, 1):
        try:
            events.append(script.event(item))
        except BadInput as fault:
            raise fault.at(f"{name}, event {number}") from None
    return events


def to_json(event: Event) -> dict[str, Any]:
    """The JSON form of an event: `type`, then every field; `occurred_at` as ISO 8601 in UTC."""
    item = {"type": type(event).__name__, **event._asdict()}
    item["occurred_at"] = text_of(event.occurred_at)
    return {key: dict(value) if isinstance(value, Mapping) else value for key, value in item.items()}


def _read_json_lines(path: Path) -> Iterator[Line]:
    script = Script()
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(LINE_LIMIT_BYTES + 1):
            number += 1
            where = f"{path}:{number}"
            if len(raw) > LINE_LIMIT_BYTES:
                script.unread(raw)
                begins = _text(raw[:TEXT_LIMIT]) + " ..."
                while raw and not raw.endswith(b"\n"):  # skip the rest of it, a piece at a time
                    raw = file.readline(LINE_LIMIT_BYTES)
                    script.unread(raw)
                too_long = BadInput(f"a line of more than {LINE_LIMIT_BYTES} bytes", where, "one event a line")
                yield Line(where, None, too_long, begins)
                continue
            if not raw.strip():
                continue
            event, fault = _json_event(script, raw)
            yield Line(where, event, fault and fault.at(where), "" if fault is None else _text(raw))


def _json_event(script: Script, raw: bytes) -> tuple[Event | None, BadInput | None]:
    """The event of a line of JSON, or the fault of the line."""
    try:
        item = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_no_doubled_key)
    except BadInput as fault:
        script.unread(raw)
        return None, fault
    except (ValueError, RecursionError) as fault:
        script.unread(raw)
        return None, BadInput(f"not JSON ({_why(fault)})", do="write one event a line")
    if not isinstance(item, Mapping):
        script.unread(raw)
    try:
        return script.event(item), None
    except BadInput as fault:
        return None, fault


def _why(fault: Exception) -> str:
    if isinstance(fault, json.JSONDecodeError):
        return f"{fault.msg}, column {fault.colno}"
    if isinstance(fault, UnicodeDecodeError):
        return f"no UTF-8 text, byte {fault.start}"
    return "nested too deep" if isinstance(fault, RecursionError) else "a number is too long"


def _read_yaml(path: Path) -> Iterator[Line]:
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    items = document.value.get("events") if isinstance(document.value, Mapping) else document.value
    prefix: yaml12.Path = ("events",) if isinstance(document.value, Mapping) else ()
    if not isinstance(items, list):
        raise BadInput("a YAML script is a list of events, or a mapping with `events`", str(path), "write - {type: ...}")
    script = Script()
    for index, item in enumerate(items):
        where = f"{path}:{document.line((*prefix, index))}"
        try:
            yield Line(where, script.event(item), None)
        except BadInput as fault:
            yield Line(where, None, fault.at(where), json.dumps(item, default=str))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace").rstrip("\r\n")


def _build(name: str, fields: dict[str, Any]) -> Event:
    try:
        model = _edge_models()[name].model_validate(fields)
    except ValidationError as fault:
        raise BadInput("; ".join(_sentence(error) for error in fault.errors()), f"{name}", "correct the field") from None
    # not model_dump: it would copy nested values twice for nothing
    return EVENT_TYPES[name](**{key: getattr(model, _attribute(key)) for key in EVENT_TYPES[name]._fields})


def _sentence(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"]) or "the event"
    if error["type"] == "extra_forbidden":
        return f"unknown field {place}"
    if error["type"] == "missing":
        return f"field {place} is missing"
    return f"field {place}: {error['msg'].removeprefix('Value error, ')} (got {repr(error['input'])[:60]})"


def _unreadable(said: Mapping[str, Any]) -> Sequence[str]:
    """Which of the envelope's fields are no such fields."""
    try:
        _edge_models()["RoundClosed"].model_validate(said)
    except ValidationError as fault:
        return [key for key in said if any(error["loc"][:1] == (key,) for error in fault.errors())]
    return ()


def _no_doubled_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        doubled = sorted({key for key in keys if keys.count(key) > 1})
        raise BadInput(f"key {', '.join(doubled)} stands there twice", do="keep one of them")
    return found


def _time(value: object) -> int:
    if not isinstance(value, str):
        raise ValueError("a time is text, as 2021-06-01T18:00:00Z")
    return micros_of(value)


def _posted(value: object) -> object:
    """A posted option is text; a whole number or true/false is taken as the text it would be written as."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else value


_Text = Annotated[str, Field(max_length=TEXT_LIMIT)]
_Posted = Annotated[str, Field(max_length=TEXT_LIMIT), BeforeValidator(_posted)]
_Amount = Annotated[int, Field(ge=0, le=AMOUNT_LIMIT_MINOR)]
_Small = Annotated[int, Field(ge=0, le=1_000_000_000)]


def _day(text: str) -> str:
    if not is_day(text):
        raise ValueError("a day of the calendar is written as 2026-11-29")
    return text


class _Limit(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    minimum_minor: _Amount = 0
    maximum_minor: _Amount = 0


_BY_FIELD: Final[Mapping[str, Any]] = {
    "occurred_at": Annotated[int, BeforeValidator(_time)],
    "options": Annotated[dict[_Text, _Posted], Field(max_length=200)],
    "detail": Annotated[dict[_Text, _Posted], Field(max_length=200)],
    "paytables": Annotated[dict[_Text, _Text], Field(max_length=200)],
    "progressives": Annotated[dict[_Text, _Text], Field(max_length=200)],
    "meters": Annotated[dict[_Text, _Amount], Field(max_length=200)],
    "limits": Annotated[dict[_Text, Annotated[_Limit, AfterValidator(BaseModel.model_dump)]], Field(max_length=200)],
    "dice": Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(min_length=2, max_length=2)],
    "gaming_day": Annotated[str, AfterValidator(_day)],
    "currency": Annotated[str, Field(pattern=r"^[A-Z]{3}$")],
    "round_id": Annotated[str, Field(min_length=1, max_length=200)],
    "table_id": Annotated[str, Field(min_length=1, max_length=200)],
    "wager_id": _Text,
}


def _attribute(key: str) -> str:
    return f"{key}_"


@functools.cache
def _edge_models() -> Mapping[str, type[BaseModel]]:
    """A pydantic model for each event, made from the event's own fields, types and defaults."""
    return {name: _edge_model(name, cls) for name, cls in EVENT_TYPES.items()}


def _edge_model(name: str, cls: type[Event]) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    hints = get_type_hints(cls)
    for key in cls._fields:
        kind = _BY_FIELD.get(key) or _bounded(key, hints[key])
        default = cls._field_defaults.get(key, ...)
        fields[_attribute(key)] = (
            kind,
            Field(default, alias=key) if not isinstance(default, Mapping) else Field(default_factory=dict, alias=key),
        )
    return create_model(name, __config__=ConfigDict(strict=True, extra="forbid"), **fields)


def _bounded(key: str, hint: Any) -> Any:
    if hint is str:
        return _Text
    if hint is int:
        return _Amount if key.endswith("_minor") else _Small
    return hint
