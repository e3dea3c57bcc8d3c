"""YAML 1.2 with line numbers, for scripts, cases and rule files.

Only plain data: mappings, lists, text, whole numbers, true and false, null. A date stays text, a number with a decimal
point is refused (there is no float in this product), a doubled key is refused, tags and aliases are refused.

libyaml takes the text apart; what a plain scalar means is decided here, by the core schema of YAML 1.2 (section 10.3.2):
libyaml's own reading is that of YAML 1.1, where 3:2 is 182 and no is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import yaml

from events.errors import BadInput

LIMIT_BYTES: Final = 16 * 1024 * 1024
DEPTH_LIMIT: Final = 40
FAULTS_TOLD: Final = 50
"""How many faults of a text its one line tells; a text with more is another thing than it was taken for."""

Path = tuple[str | int, ...]

_NULL: Final = re.compile(r"(?:~|null|Null|NULL|)")
_BOOL: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_LONGEST_INT: Final = 30


class Document(NamedTuple):
    """What a YAML text says (`value`) and on which line (from 1) each part of it stands (`lines`, by path)."""

    value: Any
    lines: Mapping[Path, int]

    def line(self, path: Path) -> int:
        """The line of the part at `path`, or of its nearest parent."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class Faults(BadInput):
    """All the faults of one YAML text at once, each `(line, what)`."""

    def __init__(self, name: str, faults: list[tuple[int, str]]) -> None:
        self.faults = sorted(faults)
        told = [f"line {line}: {text}" for line, text in self.faults[:FAULTS_TOLD]]
        if len(self.faults) > FAULTS_TOLD:
            told.append(f"and {len(self.faults) - FAULTS_TOLD} more")
        super().__init__("; ".join(told), name)


def parse(text: str, name: str) -> Document:
    """Parse one YAML document; `name` is the file for messages.

    Raises Faults with every fault that can be seen at once.
    """
    if len(text) > LIMIT_BYTES:
        raise BadInput(f"more than {LIMIT_BYTES} bytes of YAML", name, "split the file")
    builder = _Builder(yaml.parse(text, Loader=yaml.CSafeLoader))
    try:
        value = builder.document()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        raise Faults(name, [(mark.line + 1 if mark else 1, str(fault.problem or fault.context))]) from fault
    except (yaml.YAMLError, ValueError) as fault:
        raise Faults(name, [(1, str(fault).splitlines()[0] if str(fault) else type(fault).__name__)]) from fault
    if builder.faults:
        raise Faults(name, builder.faults)
    return Document(value, builder.lines)


class _Builder:
    """Builds plain values from the events of the parser, and notes where each stood and what is wrong."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.lines: dict[Path, int] = {}
        self.faults: list[tuple[int, str]] = []

    def document(self) -> Any:
        """The value of the only document."""
        value, documents = None, 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._find(event, "one document a file; what follows --- is another")
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, ())
        return value

    def _find(self, event: Any, what: str) -> None:
        self.faults.append((event.start_mark.line + 1, what))

    def _value(self, event: Any, path: Path) -> Any:
        self.lines.setdefault(path, event.start_mark.line + 1)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            self._find(event, "aliases (&, *) are not used here; write it out")
            if isinstance(event, yaml.AliasEvent):
                return None
        if event.tag:
            self._find(event, f"tag {event.tag} is not used here")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if len(path) >= DEPTH_LIMIT:
            raise ValueError(f"nested more than {DEPTH_LIMIT} deep")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        return self._list(path)

    def _list(self, path: Path) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self._value(event, (*path, len(found))))
        return found

    def _mapping(self, path: Path) -> dict[str | int, Any]:
        found: dict[str | int, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._value(event, (*path, "?"))
            self.lines.pop((*path, "?"), None)
            if not isinstance(key, str | int) or isinstance(key, bool):
                self._find(event, "a key is text or a whole number")
                key = "?"
            elif key in found:
                self._find(event, f"key {key!r} stands here twice")
            self.lines[(*path, key)] = event.start_mark.line + 1
            found[key] = self._value(next(self.events), (*path, key))
        return found

    def _scalar(self, event: Any) -> str | int | bool | None:
        text: str = event.value
        if event.style:  # quoted or a block: text as it stands
            return text
        if _NULL.fullmatch(text):
            return None
        if _BOOL.fullmatch(text):
            return text.lower() == "true"
        if _INT.fullmatch(text):
            if len(text) > _LONGEST_INT:
                self._find(event, f"a number of {len(text)} digits")
                return None
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            self._find(event, f'{text} has a decimal point; write whole minor units, or odds as text, as "5 to 2"')
            return None
        return text
