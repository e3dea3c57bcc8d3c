"""Odds and the one division."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processors.kernel.money import Rounding, divide, money_text
from processors.kernel.odds import Odds

amounts = st.integers(0, 10**12)
divisors = st.integers(1, 1000)


@pytest.mark.parametrize(
    ("text", "win", "keeps"),
    [("3 to 2", Fraction(3, 2), True), ("500 for 1", Fraction(500), False), ("2.5 to 1", Fraction(5, 2), True)],
)
def test_odds_are_read_as_written(text: str, win: Fraction, keeps: bool) -> None:
    assert Odds.parse(text) == Odds(win, keeps)


@pytest.mark.parametrize(
    "text", ["", "3:2", "3-2", "3 to", "to 2", "-3 to 2", "3 to -2", "3 to 0", "three to two", "3  to 2"]
)
def test_odds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="odds are written"):
        Odds.parse(text)


# 7 to 6 on 5.00 is 5.8333...: the nearest cent is 5.83; 3 to 2 on 5.05 is 7.575: half a cent goes up
@pytest.mark.parametrize(
    ("amount", "divisor", "rounding", "unit", "result"),
    [
        (3500, 6, Rounding.NEAREST, 1, 583),
        (1515, 2, Rounding.NEAREST, 1, 758),
        (3500, 6, Rounding.UP, 100, 600),
        (150, 1, Rounding.DOWN, 100, 100),
        (600, 1, Rounding.UP, 100, 600),
    ],
)
def test_a_division_goes_the_named_way(amount: int, divisor: int, rounding: Rounding, unit: int, result: int) -> None:
    assert divide(amount, divisor, rounding=rounding, unit_minor=unit) == result


@given(amounts, divisors, st.sampled_from([1, 5, 25, 100, 500]))
def test_rounded_down_and_up_enclose_the_exact_value_within_one_unit(amount: int, divisor: int, unit: int) -> None:
    exact = Fraction(amount, divisor)
    down = divide(amount, divisor, rounding=Rounding.DOWN, unit_minor=unit)
    up = divide(amount, divisor, rounding=Rounding.UP, unit_minor=unit)
    nearest = divide(amount, divisor, rounding=Rounding.NEAREST, unit_minor=unit)
    assert down <= exact <= up
    assert up - down in (0, unit)
    assert abs(nearest - exact) * 2 <= unit
    assert divide(exact, rounding=Rounding.UP, unit_minor=unit) == up


def test_money_is_read_with_two_decimals() -> None:
    assert [money_text(minor) for minor in (0, 5, 123456, -250)] == ["0.00", "0.05", "1,234.56", "-2.50"]
