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


def test_a_confluent_framed_message_is_read_by_its_schema_id() -> None:
    framed = b"\x00" + (42).to_bytes(4, "big") + codec.encode(CARD)[codec.HEADER_BYTES :]
    assert codec.decode_confluent(framed, {42: "CardDealt"}) == CARD
    with pytest.raises(BadInput, match="schema id 42 is not known"):
        codec.decode_confluent(framed, {})
    with pytest.raises(BadInput, match="not a Confluent-framed message"):
        codec.decode_confluent(b"\x01\x00", {})


def test_a_message_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadInput, match="at most") as caught:
        codec.decode(codec.encode(CARD) + b"\x00" * codec.MESSAGE_LIMIT_BYTES)
    assert caught.value.reason == "TOO_LARGE"
