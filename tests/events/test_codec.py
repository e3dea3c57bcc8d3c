"""Events as bytes: what is refused, and with which one clear line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import codec
from events.errors import BadInput
from events.model import CardDealt, DiceRolled, RoundOpened, WagerPlaced

CARD = CardDealt("r", "BJ-07", 1, 1622570400000000, "shoe", "SEAT", 2, 1, "9s", True)
text = st.text(max_size=30)


@given(text, text, st.integers(0, 2**31 - 1), st.integers(-(2**62), 2**62), text, st.integers(0, 2**62), st.booleans())
def test_every_event_comes_back_as_it_went(
    round_id: str, table_id: str, sequence: int, occurred_at: int, bet: str, amount: int, tip: bool
) -> None:
    event = WagerPlaced(round_id, table_id, sequence, occurred_at, "", "w", bet, amount, 3, for_dealer=tip)
    assert codec.decode(codec.encode(event)) == event


def test_maps_and_lists_come_back_as_they_went() -> None:
    limits = {"*": {"minimum_minor": 500, "maximum_minor": 0}}
    opened = RoundOpened("r", "t", 0, 1, "", "craps", "us-ks-south-central", "2021-06-01", "USD", limits=limits)
    assert codec.decode(codec.encode(opened)) == opened
    rolled = DiceRolled("r", "t", 1, 1, "", [3, 4], 2)
    assert codec.decode(codec.encode(rolled)) == rolled


@pytest.mark.parametrize(
    ("message", "reason", "words"),
    [
        (codec.encode(CARD)[:-2], "TRUNCATED", "truncated or damaged"),
        (codec.encode(CARD)[:10], "TRUNCATED", "truncated or damaged"),
        (codec.encode(CARD) + b"\x00", "TRAILING_BYTES", "1 bytes follow the body"),
        (b"", "NOT_AVRO", "single-object encoding"),
        (b"{}", "NOT_AVRO", "single-object encoding"),
        (b"\xc3\x01\x01\x02\x03\x04\x05\x06\x07\x08", "UNKNOWN_SCHEMA", "fingerprint 0807060504030201"),
        (codec.current_writer("RoundAudit").header + b"\x00" * 40, "WRONG_TYPE", "a RoundAudit where an event was expected"),
    ],
)
def test_bad_bytes_give_one_clear_line(message: bytes, reason: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        codec.decode(message)
    located = caught.value.at("round-events, partition 3, offset 17")
    assert located.reason == reason
    assert words in str(located)
    assert str(located).startswith("round-events, partition 3, offset 17: ")
    assert "\n" not in str(located)


@given(st.binary(max_size=60))
def test_damaged_bodies_never_raise_anything_else(noise: bytes) -> None:
    for name in ("CardDealt", "RoundOpened", "DiceRolled", "SettlementRecorded"):
        reason = ""
        try:
            codec.decode(codec.current_writer(name).header + noise)
        except BadInput as fault:
            reason = fault.reason
        assert reason in ("", "TRUNCATED", "TRAILING_BYTES")


@pytest.mark.parametrize(
    ("field", "value"), [("seat", True), ("seat", 1000.5), ("seat", "3"), ("to", "FLOOR"), ("card", None), ("face_up", 1)]
)
def test_a_value_of_the_wrong_type_is_refused_and_never_rounded(field: str, value: Any) -> None:
    with pytest.raises(BadInput, match=field if field != "to" else "to"):
        codec.encode(CARD._replace(**{field: value}))


def framed(schema_id: int, body: bytes) -> bytes:
    return b"\x00" + schema_id.to_bytes(4, "big") + body


def test_a_confluent_framed_message_is_read_by_its_schema_id_beside_our_own_framing() -> None:
    ours = codec.encode(CARD)
    read = codec.decoder({42: "CardDealt", 43: "CardDealt/1"})
    assert read(ours) == CARD
    assert read(framed(42, ours[codec.HEADER_BYTES :])) == read(framed(43, ours[codec.HEADER_BYTES :])) == CARD
    with pytest.raises(BadInput, match="schema id 44 is not known"):
        read(framed(44, ours[codec.HEADER_BYTES :]))
    with pytest.raises(BadInput, match="truncated") as truncated:
        read(framed(42, ours[codec.HEADER_BYTES : -2]))
    assert truncated.value.reason == "TRUNCATED"


def test_without_schema_ids_confluent_framing_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadInput, match=r"schema id 42 is not known here.*confluent_schemas") as caught:
        codec.decoder({})(framed(42, b""))
    assert caught.value.reason == "UNKNOWN_SCHEMA"
    with pytest.raises(BadInput, match="not in Avro single-object encoding"):
        codec.decode(b"\x00\x01")


@pytest.mark.parametrize("name", ["CardDelt", "CardDealt/9", "CardDealt/x", "RoundAudit", ""])
def test_a_schema_id_can_only_name_an_event_that_was_published(name: str) -> None:
    with pytest.raises(KeyError):
        codec.decoder({42: name})


def test_a_message_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadInput, match="at most") as caught:
        codec.decode(codec.encode(CARD) + b"\x00" * codec.MESSAGE_LIMIT_BYTES)
    assert caught.value.reason == "TOO_LARGE"
