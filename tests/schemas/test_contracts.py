"""The published contracts: frozen history, golden bytes, and every version read with every other."""

from __future__ import annotations

import hashlib
import io
import json
from importlib import resources
from pathlib import Path
from typing import Any, get_args, get_type_hints

import fastavro
import pytest
from fastavro.schema import to_parsing_canonical_form

import schemas
from events import codec
from events.model import ENVELOPE, EVENT_TYPES

GOLDEN = Path(__file__).parent / "golden"
PUBLISHED = list(schemas.history())
IDS = [f"{published.name} {published.version}" for published in PUBLISHED]


def test_no_published_version_ever_changes() -> None:
    history = resources.files("schemas").joinpath("history")
    listed = {}
    for line in history.joinpath("SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        listed[name] = digest
    found = {
        f"{p.name}/{p.version}.avsc": hashlib.sha256(
            history.joinpath(p.name).joinpath(f"{p.version}.avsc").read_bytes()
        ).hexdigest()
        for p in PUBLISHED
    }
    assert found == listed, "publish a new version and add its line; a published file is frozen for ever"


@pytest.mark.parametrize("name", schemas.names())
def test_the_current_schema_is_the_newest_published_version(name: str) -> None:
    assert schemas.load(name) == [published.schema for published in PUBLISHED if published.name == name][-1]


@pytest.mark.parametrize("published", PUBLISHED, ids=IDS)
def test_golden_bytes_of_every_version_are_still_read(published: schemas.Published) -> None:
    golden = json.loads((GOLDEN / f"{published.name}.{published.version}.json").read_text(encoding="utf-8"))
    message = bytes.fromhex(golden["message"])
    is_event = published.name in EVENT_TYPES
    read = codec.decode(message)._asdict() if is_event else codec.decode_record(message, published.name)
    for key, value in golden["fields"].items():
        assert _plain(read[key]) == value


@pytest.mark.parametrize("published", PUBLISHED, ids=IDS)
def test_new_reads_old_and_old_reads_new(published: schemas.Published) -> None:
    current = fastavro.parse_schema(schemas.load(published.name))
    old = fastavro.parse_schema(published.schema)
    for writer, reader in ((old, current), (current, old)):
        body = io.BytesIO()
        fastavro.schemaless_writer(body, writer, _sample(writer))
        body.seek(0)
        read: Any = fastavro.schemaless_reader(body, writer, reader)
        assert set(read) == {field["name"] for field in reader["fields"]}


def test_a_later_version_with_a_new_field_reads_an_old_message_and_is_read_by_it() -> None:
    old = schemas.load("FeeCollected")
    new = {**old, "fields": [*old["fields"], {"name": "note", "type": "string", "default": "none"}]}
    for writer, reader in ((old, new), (new, old)):
        body = io.BytesIO()
        fastavro.schemaless_writer(body, fastavro.parse_schema(writer), _sample(writer))
        body.seek(0)
        read: Any = fastavro.schemaless_reader(body, fastavro.parse_schema(writer), fastavro.parse_schema(reader))
        assert set(read) == {field["name"] for field in reader["fields"]}


@pytest.mark.parametrize("published", PUBLISHED, ids=IDS)
def test_fingerprints_are_those_of_the_avro_specification(published: schemas.Published) -> None:
    (writer,) = [w for w in codec.writers() if (w.name, w.version) == (published.name, published.version)]
    canonical = to_parsing_canonical_form(published.schema).encode()
    assert writer.header == b"\xc3\x01" + _crc_64_avro(canonical).to_bytes(8, "little")


@pytest.mark.parametrize("name", schemas.event_names())
def test_each_event_class_mirrors_its_schema(name: str) -> None:
    fields = schemas.load(name)["fields"]
    event_type = EVENT_TYPES[name]
    assert list(event_type._fields) == [field["name"] for field in fields]
    assert tuple(event_type._fields[:5]) == ENVELOPE
    hints = get_type_hints(event_type)
    for field in fields[5:]:
        assert field.get("default", "none") == _plain(event_type._field_defaults.get(field["name"], "none"))
        if isinstance(field["type"], dict) and field["type"]["type"] == "enum":
            assert list(get_args(hints[field["name"]])) == field["type"]["symbols"]


def test_money_is_long_and_nothing_is_a_float() -> None:
    for published in PUBLISHED:
        text = json.dumps(published.schema)
        assert '"float"' not in text
        assert '"double"' not in text
        for field in _all_fields(published.schema):
            if field["name"].endswith(("_minor", "_micro")):
                assert field["type"] == "long", f"{published.name}.{field['name']}"


def _all_fields(schema: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if isinstance(schema, dict):
        found += schema.get("fields", [])
        for value in schema.values():
            found += _all_fields(value)
    elif isinstance(schema, list):
        for item in schema:
            found += _all_fields(item)
    return found


def _sample(schema: Any, name: str = "x") -> Any:
    if isinstance(schema, str):
        return {"string": name, "int": 3, "long": 2**40, "boolean": True, "bytes": b"\x01"}[schema]
    kind = schema["type"]
    if kind == "record":
        return {field["name"]: _sample(field["type"], field["name"]) for field in schema["fields"]}
    if kind == "enum":
        return schema["symbols"][0]
    if kind == "array":
        return [_sample(schema["items"], name)]
    if kind == "map":
        return {"key": _sample(schema["values"], name)}
    return _sample(kind, name)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "items"):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _crc_64_avro(data: bytes) -> int:
    """The Rabin fingerprint as the Avro specification gives it (section "Schema Fingerprints"), worked bit by bit."""
    empty = 0xC15D213AA4D7A795
    value = empty
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (empty if value & 1 else 0)
    return value
