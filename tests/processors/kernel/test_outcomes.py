"""Outcomes with their probabilities: verdicts of settlements, sums, and chains of states."""

from __future__ import annotations

from fractions import Fraction

import pytest

from events.model import BettingClosed, Result, WagerPlaced
from processors.kernel.outcomes import Chain, Distribution, Verdict, merged, say, verdict_of, verdict_of_all
from processors.kernel.settlement import Settlement

WON, LOST = Verdict("WIN", Fraction(1)), Verdict("LOSE", Fraction(-1))


def settled(wager_id: str, result: Result, paid: int, returned: int, *, bet: str = "main", to: str = "PATRON") -> Settlement:
    return Settlement(wager_id, bet, result, paid, "DEALER" if to == "DEALER" else "PATRON", returned)


def test_a_verdict_is_the_net_for_each_unit_staked() -> None:
    # 3 to 2 on 10.00: 15.00 and the stake
    assert verdict_of([settled("w", "WIN", 1500, 1000)], "w", 1000) == Verdict("WIN", Fraction(3, 2))
    # half of it comes back
    assert verdict_of([settled("w", "LOSE", 0, 500)], "w", 1000) == Verdict("LOSE", Fraction(-1, 2))


def test_what_goes_to_the_dealer_is_not_the_patrons() -> None:
    both = [settled("w", "WIN", 2000, 1000), settled("w", "WIN", 500, 0, to="DEALER")]
    assert verdict_of(both, "w", 1000).net == 2


def test_a_wager_without_a_settlement_has_no_verdict() -> None:
    with pytest.raises(ValueError, match="wager w has 0 settlements"):
        verdict_of([settled("v", "WIN", 1, 1)], "w", 1000)


def test_wagers_made_later_count_with_the_first_for_each_unit_of_it() -> None:
    # the hand wins 10.00 on 10.00, its double 10.00 on 10.00, the split hand loses 10.00: together 10.00 on 10.00
    found = [
        settled("m", "WIN", 1000, 1000),
        settled("d", "WIN", 1000, 1000, bet="double"),
        settled("s", "LOSE", 0, 0, bet="split"),
    ]
    assert verdict_of_all(found, {"m": 1000, "d": 1000, "s": 1000}, "m") == Verdict("with double and split", Fraction(1))
    assert verdict_of_all(found, {"m": 1000}, "m") == Verdict("WIN", Fraction(1))


def test_equal_verdicts_are_added_up_and_the_most_likely_stands_first() -> None:
    found = merged([(Fraction(1, 4), WON), (Fraction(1, 2), LOST), (Fraction(1, 4), WON), (Fraction(0), WON)])
    assert list(found.items()) == [(LOST, Fraction(1, 2)), (WON, Fraction(1, 2))]


def test_expectation_and_variance_are_exact() -> None:
    # 18 of 37 on red: -1/37; the square of the net is 1 always, so the variance is 1 - 1/1369
    red = Distribution({WON: Fraction(18, 37), LOST: Fraction(19, 37)})
    assert (red.expectation, red.variance) == (Fraction(-1, 37), Fraction(1368, 1369))


def test_events_are_numbered_as_they_are_said() -> None:
    events: list[object] = []
    say(events, WagerPlaced, "w", "main", 1000, 1, parent="p")  # type: ignore[arg-type]  # a list of anything will do
    say(events, BettingClosed)  # type: ignore[arg-type]  # the same
    first, second = events
    assert isinstance(first, WagerPlaced)
    assert isinstance(second, BettingClosed)
    assert (first.sequence, first.amount_minor, first.parent, second.sequence) == (0, 1000, "p", 1)


def test_a_chain_that_comes_back_to_its_start_is_solved_exactly() -> None:
    # w = 1/2 + w/4 + (1 + w)/3/4, hence w (1 - 1/4 - 1/12) = 7/12 and w = 7/8
    chain = Chain()
    for state in ("start", "other"):
        chain.add(state)
    chain.to_end("start", WON, Fraction(1, 2))
    chain.to_state("start", "start", Fraction(1, 4))
    chain.to_state("start", "other", Fraction(1, 4))
    chain.to_end("other", WON, Fraction(1, 3))
    chain.to_end("other", LOST, Fraction(1, 3))
    chain.to_state("other", "start", Fraction(1, 3))
    assert chain.solve("start") == {WON: Fraction(7, 8), LOST: Fraction(1, 8)}


def test_a_chain_that_never_ends_is_no_distribution() -> None:
    chain = Chain()
    chain.add("start")
    chain.to_state("start", "start", Fraction(1))
    with pytest.raises(ZeroDivisionError):
        chain.solve("start")
