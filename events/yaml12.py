"""YAML 1.2 with line numbers, for scripts, cases and rule files.

Only plain data: mappings, lists, text, whole numbers, true and false, null. A date stays text, a number with a decimal
point is refused (there is no float in this product), a doubled key is refused, tags and aliases are refused.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from events.errors import BadInput

LIMIT_BYTES: Final = 16 * 1024 * 1024
DEPTH_LIMIT: Final = 40

Path = tuple[str | int, ...]


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
        what = "; ".join(f"line {line}: {text}" for line, text in self.faults)
        super().__init__(what, name)


def parse(text: str, name: str) -> Document:
    """Parse one YAML document; `name` is the file for messages.

    Raises Faults with every fault that can be seen at once.
    """
    if len(text) > LIMIT_BYTES:
        raise BadInput(f"more than {LIMIT_BYTES} bytes of YAML", name, "split the file")
    reader = YAML(typ="rt", pure=True)
    reader.allow_duplicate_keys = True  # they are found below, all at once, with their lines
    try:
        root = reader.compose(io.StringIO(text))
    except MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        raise Faults(name, [(mark.line + 1 if mark else 1, str(fault.problem or fault.context))]) from fault
    except (YAMLError, RecursionError, ValueError) as fault:
        raise Faults(name, [(1, str(fault).splitlines()[0] if str(fault) else type(fault).__name__)]) from fault
    lines: dict[Path, int] = {}
    faults: list[tuple[int, str]] = []
    value = _value(root, (), lines, faults, set()) if root is not None else None
    if faults:
        raise Faults(name, faults)
    return Document(value, lines)


def _value(node: Node, path: Path, lines: dict[Path, int], faults: list[tuple[int, str]], seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    lines[path] = line
    if id(node) in seen:
        faults.append((line, "aliases (&, *) are not used here; write it out"))
        return None
    seen.add(id(node))
    if len(path) > DEPTH_LIMIT:
        faults.append((line, "nested too deeply"))
        return None
    if isinstance(node, MappingNode):
        return _mapping(node, path, lines, faults, seen)
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, i), lines, faults, seen) for i, item in enumerate(node.value)]
    if isinstance(node, ScalarNode):
        return _scalar(node, line, faults)
    raise TypeError(f"a YAML node of an unknown kind: {type(node).__name__}")


def _mapping(
    node: MappingNode, path: Path, lines: dict[Path, int], faults: list[tuple[int, str]], seen: set[int]
) -> dict[str | int, Any]:
    found: dict[str | int, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = _scalar(key_node, line, faults) if isinstance(key_node, ScalarNode) else None
        if not isinstance(key, str | int) or isinstance(key, bool):
            faults.append((line, "a key is text or a whole number"))
            continue
        if key in found:
            faults.append((line, f"key {key!r} stands here twice"))
        found[key] = _value(value_node, (*path, key), lines, faults, seen)
        lines[(*path, key)] = line
    return found


def _scalar(node: ScalarNode, line: int, faults: list[tuple[int, str]]) -> str | int | bool | None:
    text: str = node.value
    tag = str(node.ctag) if getattr(node, "ctag", None) is not None else str(node.tag)
    kind = tag.rsplit(":", 1)[-1]
    if node.style in ('"', "'", "|", ">") or kind in ("str", "timestamp"):
        return text
    if kind == "int":
        try:
            return int(text.replace("_", ""), 0) if not text.lstrip("+-").isdigit() else int(text)
        except ValueError:
            return text
    if kind == "bool":
        return text.lower() == "true"
    if kind == "null":
        return None
    if kind == "float":
        faults.append((line, f'{text} has a decimal point; write whole minor units, or odds as text, as "5 to 2"'))
        return None
    faults.append((line, f"tag {kind} is not used here"))
    return None
