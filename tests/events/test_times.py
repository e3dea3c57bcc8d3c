"""Days and moments."""

from __future__ import annotations

import pytest

from events.times import is_day, micros_of, nearest_micros, text_of


def test_times_are_exact_to_the_microsecond() -> None:
    assert micros_of("2021-06-01T18:00:00.000001Z") == 1622570400000001
    assert micros_of("2021-06-01T13:00:00.000001-05:00") == 1622570400000001
    assert text_of(1622570400000001) == "2021-06-01T18:00:00.000001Z"


@pytest.mark.parametrize(
    ("micros", "text"),
    [(-(2**63), "1970-01-01T00:00:00Z"), (-1, "1970-01-01T00:00:00Z"), (2**63 - 1, "2200-01-01T00:00:00Z")],
)
def test_a_moment_out_of_range_is_shown_as_the_nearest_within(micros: int, text: str) -> None:
    assert text_of(micros) == text
    assert micros_of(text) == nearest_micros(micros)


def test_a_day_is_one_of_the_calendar_in_one_spelling() -> None:
    assert is_day("2024-02-29")
    assert not any(map(is_day, ("2023-02-29", "20240229", "2024-2-29", "2024-02-29T00:00:00", "", "yesterday")))
