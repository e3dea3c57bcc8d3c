"""YAML as it is read here: the core schema of YAML 1.2, with lines, and nothing clever."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import BadInput
from events.yaml12 import Faults, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3:2", "3:2"),  # 182 under YAML 1.1
        ("no", "no"),  # false under YAML 1.1
        ("on", "on"),
        ("012", 12),  # ten under YAML 1.1
        ("0o12", 10),
        ("0x1F", 31),
        ("-7", -7),
        ("true", True),
        ("'true'", "true"),
        ('"12"', "12"),
        ("2021-04-14", "2021-04-14"),
        ("2021-06-01T18:00:00Z", "2021-06-01T18:00:00Z"),
        ("~", None),
        ("", None),
        ("3 to 2", "3 to 2"),
        ("1_000", "1_000"),
        ("[1, a, {b: 2}]", [1, "a", {"b": 2}]),
        ("{4: x, six: y}", {4: "x", "six": "y"}),
        ("|\n  two\n  lines\n", "two\nlines\n"),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(text: str, value: Any) -> None:
    assert parse(text, "file").value == value


def test_every_part_knows_its_line() -> None:
    document = parse("a:\n  b:\n    - 1\n    - c: x\nd: 2\n", "file")
    assert document.line(("a",)) == 1
    assert document.line(("a", "b")) == 2
    assert document.line(("a", "b", 1)) == 4
    assert document.line(("a", "b", 1, "c")) == 4
    assert document.line(("d",)) == 5
    assert document.line(("a", "b", 1, "nothing", "there")) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1.5", "line 1: 1.5 has a decimal point"),
        ("a: 1e3", "line 1: 1e3 has a decimal point"),
        ("a: .inf", "line 1: .inf has a decimal point"),
        ("a: 1\nb: 2\na: 3", "line 3: key 'a' stands here twice"),
        ("a: &x 1\nb: *x", "line 1: aliases (&, *) are not used here; write it out; line 2: aliases"),
        ("a: !!str 5", "line 1: tag tag:yaml.org,2002:str is not used here"),
        ("a: !python/object:os.system {}", "is not used here"),
        ("? [1, 2]\n: x", "line 1: a key is text or a whole number"),
        ("true: x", "line 1: a key is text or a whole number"),
        ("a: [1, 2", "line 2: did not find"),
        ("a: b: c", "line 1: mapping values are not allowed"),
        ("a: 1\n---\nb: 2", "line 2: one document a file"),
        ("a: " + "9" * 50, "line 1: a number of 50 digits"),
        ("[" * 100 + "]" * 100, "nested more than 40 deep"),
        ("a: \x01", "line 1"),
    ],
)
def test_what_is_not_plain_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(Faults) as caught:
        parse(text, "file")
    assert str(caught.value).startswith("file: line ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_of_very_many_faults_the_first_are_told_and_the_rest_counted() -> None:
    with pytest.raises(Faults) as caught:
        parse("\n".join(["- 0.5"] * 70), "file")
    assert len(caught.value.faults) == 70
    assert str(caught.value).count("decimal point") == 50
    assert str(caught.value).endswith("and 20 more")


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadInput, match="Split the file"):
        parse("a" * (16 * 1024 * 1024 + 1), "file")


@given(st.text(max_size=60))
def test_noise_is_read_or_refused_and_never_raises_anything_else(noise: str) -> None:
    said = ""
    try:
        parse(noise, "file")
    except BadInput as fault:
        said = str(fault)
    assert "\n" not in said
