"""What a Kafka file may say, and that it is refused as a whole, with lines and without its secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.errors import BadInput
from events.kafka_log import read_settings


def written(folder: Path, text: str) -> Path:
    path = folder / "kafka.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_only_the_address_is_known() -> None:
    found = read_settings("kafka:9092")
    assert (found.bootstrap, dict(found.client), dict(found.confluent_schemas)) == ("kafka:9092", {}, {})


@pytest.mark.parametrize("address", ["kafka:http", "kafka:99999", "[::1"])
def test_an_address_that_is_none_is_one_line(address: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_settings(f"127.0.0.1:9092, {address}")
    assert str(caught.value) == f"{address!r} is no address of a Kafka. Write HOST:PORT, as 127.0.0.1:9092."


@pytest.mark.parametrize("address", ["kafka", "[::1]:9092", "::1", "PLAINTEXT://kafka:9092"])
def test_every_form_of_address_that_the_client_takes_is_taken(address: str) -> None:
    assert read_settings(address).bootstrap == address


def test_a_file_says_how_to_get_in_and_what_confluent_schema_ids_mean(tmp_path: Path) -> None:
    authority = written(tmp_path, "")
    text = f"""
security_protocol: SASL_SSL
ssl_cafile: {authority}
sasl_mechanism: SCRAM-SHA-512
sasl_plain_username: auditor
sasl_plain_password: "s3cret"
confluent_schemas:
  42: CardDealt
  "43": WagerPlaced/1
"""
    path = tmp_path / "in.yaml"
    path.write_text(text, encoding="utf-8")
    found = read_settings("kafka:9093", path)
    assert found.client == {
        "security_protocol": "SASL_SSL",
        "ssl_cafile": str(authority),
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "auditor",
        "sasl_plain_password": "s3cret",
    }
    assert found.confluent_schemas == {42: "CardDealt", 43: "WagerPlaced/1"}
    assert "s3cret" not in repr(found)


def test_json_is_read_as_well(tmp_path: Path) -> None:
    path = written(tmp_path, '{"security_protocol": "SSL", "confluent_schemas": {"7": "RoundClosed"}}')
    assert read_settings("kafka:9092", path).confluent_schemas == {7: "RoundClosed"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("security_protocol: SLL", r"line 1: security_protocol: input should be 'PLAINTEXT', 'SSL'"),
        ("\ngroup_id: mine", r"line 2: group_id: no such name"),
        ("ssl_cafile: /nowhere/ca.pem", r"line 1: ssl_cafile: path does not point to a file"),
        ("request_timeout_ms: soon", r"line 1: request_timeout_ms: input should be a valid integer"),
        ("confluent_schemas: {42: CardDelt}", r"line 1: confluent_schemas.42: there is no event 'CardDelt'"),
        ("confluent_schemas: {-1: CardDealt}", r"greater than or equal to 0"),
        ("- SSL", r"line 1: a Kafka file is a mapping"),
        ("security_protocol: SSL\nsecurity_protocol: SSL", r"line 2: "),
    ],
)
def test_what_is_wrong_in_it_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_settings("kafka:9092", written(tmp_path, text))


def test_all_that_is_wrong_is_told_at_once_and_no_secret_with_it(tmp_path: Path) -> None:
    path = written(tmp_path, "sasl_mechanism: PLAINLY\nsasl_plain_password: [s3cret]\nsasl_plain_username: {s3cret: 1}\n")
    with pytest.raises(BadInput) as caught:
        read_settings("kafka:9092", path)
    assert "line 1: sasl_mechanism" in str(caught.value)
    assert "line 2: sasl_plain_password" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read \\(No such file"):
        read_settings("kafka:9092", tmp_path / "absent.yaml")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="not UTF-8"):
        read_settings("kafka:9092", binary)
