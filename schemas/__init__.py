"""The contracts: one `audit.<Name>.avsc` per record, and every version ever published under `history/<Name>/<n>.avsc`.

The files are the truth; `events.model` mirrors them and a test holds the two together.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

Schema = dict[str, Any]
"""An Avro schema as parsed JSON (Avro specification 1.12, section "Schema Declaration")."""

NOT_EVENTS = frozenset({"RoundAudit", "DeadLetter"})
"""Records of the contract that are results, not events."""


class Published(NamedTuple):
    """One published version of a record: `name`, `version` (from 1) and its schema."""

    name: str
    version: int
    schema: Schema


@functools.cache
def load(name: str) -> Schema:
    """The current schema of the record `name`, as `WagerPlaced`.

    Raises FileNotFoundError where the contract has no such record.
    """
    text = resources.files(__name__).joinpath(f"audit.{name}.avsc").read_text(encoding="utf-8")
    schema: Schema = json.loads(text)
    return schema


@functools.cache
def names() -> tuple[str, ...]:
    """The names of all records, in alphabetical order."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.split(".")[1] for f in files if f.name.startswith("audit.") and f.name.endswith(".avsc")))


def event_names() -> tuple[str, ...]:
    """The names of the records that are events, in alphabetical order."""
    return tuple(name for name in names() if name not in NOT_EVENTS)


def history() -> Iterator[Published]:
    """Every version ever published, oldest first within a record."""
    root = resources.files(__name__).joinpath("history")
    for name in names():
        folder = root.joinpath(name)
        versions = sorted(int(f.name.removesuffix(".avsc")) for f in folder.iterdir() if f.name.endswith(".avsc"))
        for version in versions:
            yield Published(name, version, json.loads(folder.joinpath(f"{version}.avsc").read_text(encoding="utf-8")))
