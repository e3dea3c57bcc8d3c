"""The rules of craps, by name. What each says, from when and by which paragraph stands in `rules/<jurisdiction>.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from processors.games.craps.plan import Plan
from processors.kernel.dated import Rule
from processors.kernel.odds import Odds

Totals = tuple[int, ...]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """The rules in force on a day. A total is the sum of two dice; a combination is written as `1-3`, lower die first."""

    # the roll
    wagers_before_the_throw: Rule[bool]
    tenders: Rule[Names]
    other_tender: Rule[Literal["void", "finding_only"]]
    no_roll_reasons: Rule[Mapping[str, str]]
    line_wager_of_the_shooter: Rule[bool]

    # what may be changed, and what is active when
    always_active: Rule[Names]
    frozen_after_point: Rule[Names]
    not_increased_after_point: Rule[Names]
    off_on_come_out: Rule[Names]
    called_off_allowed: Rule[bool]
    odds_off_when_decided: Rule[Literal["returned", "settled"]]

    # limits and payment
    below_minimum_paid_as_bet: Rule[bool]
    excess_returned: Rule[bool]
    rounded_up_to_chip: Rule[bool]
    pays: Rule[Mapping[str, Odds]]

    # pass, don't pass, come, don't come
    pass_placed: Rule[Literal["before_come_out"]]
    pass_wins_at_once: Rule[Totals]
    pass_loses_at_once: Rule[Totals]
    dont_pass_placed: Rule[Literal["before_come_out"]]
    dont_pass_wins_at_once: Rule[Totals]
    dont_pass_loses_at_once: Rule[Totals]
    dont_pass_void: Rule[Totals]
    come_placed: Rule[Literal["after_come_out"]]
    come_wins_at_once: Rule[Totals]
    come_loses_at_once: Rule[Totals]
    dont_come_placed: Rule[Literal["after_come_out"]]
    dont_come_wins_at_once: Rule[Totals]
    dont_come_loses_at_once: Rule[Totals]
    dont_come_void: Rule[Totals]

    # odds
    take_odds_multiple: Rule[int]
    take_odds_pay: Rule[Mapping[int, Odds]]
    put_odds_multiple: Rule[int]
    put_odds_pay: Rule[Mapping[int, Odds]]
    lay_odds_to_win_multiple: Rule[int]
    lay_odds_pay: Rule[Mapping[int, Odds]]
    odds_excess_returned: Rule[bool]

    # wagers on a number
    place_numbers: Rule[Totals]
    buy_numbers: Rule[Totals]
    lay_numbers: Rule[Totals]
    lay_pays: Rule[Mapping[int, Odds]]
    put_placed: Rule[Literal["after_come_out"]]
    put_numbers: Rule[Totals]
    put_pays: Rule[Odds]
    put_frozen: Rule[bool]
    big_six_number: Rule[int]
    big_eight_number: Rule[int]
    four_the_hardway: Rule[str]
    six_the_hardway: Rule[str]
    eight_the_hardway: Rule[str]
    ten_the_hardway: Rule[str]

    # vigorish
    buy_vigorish_percent: Rule[int]
    lay_vigorish_percent: Rule[int]
    vigorish_unit_minor: Rule[int]
    vigorish_rounding: Rule[Literal["every_charge", "charges_below_a_dollar"]]
    lay_vigorish_returned: Rule[bool]
    buy_vigorish_returned: Rule[bool]

    # one roll
    field_wins_on: Rule[Totals]
    field_pays: Rule[Mapping[int, Odds]]
    any_seven_wins_on: Rule[Totals]
    any_craps_wins_on: Rule[Totals]
    craps_two_wins_on: Rule[Totals]
    craps_three_wins_on: Rule[Totals]
    craps_twelve_wins_on: Rule[Totals]
    eleven_wins_on: Rule[Totals]
    horn_parts: Rule[Names]
    horn_paid_as_separate: Rule[bool]
    horn_high_parts: Rule[Names]
    horn_high_extra: Rule[Mapping[str, str]]
    world_parts: Rule[Names]
    world_on_seven: Rule[Literal["WIN", "PUSH"]]
    three_way_craps_parts: Rule[Names]
    split_halves_settle_alone: Rule[bool]
    craps_eleven_parts: Rule[Names]
    high_low_parts: Rule[Names]
    ace_deuce_any_craps_parts: Rule[Names]
    parts_must_be_even: Rule[bool]
    hop_others: Rule[Names]
    hop_pairs: Rule[Names]

    # bonus wagers
    bonus_placed: Rule[Literal["before_the_point", "before_the_first_roll"]]
    all_small_totals: Rule[Totals]
    all_tall_totals: Rule[Totals]
    make_em_all_totals: Rule[Totals]
    all_small_pays: Rule[Odds]
    all_tall_pays: Rule[Odds]
    make_em_all_pays: Rule[Odds]
    hot_shooter_placed: Rule[Literal["before_the_first_roll"]]
    hot_shooter_pays: Rule[Mapping[int, Odds]]
    hot_shooter_counts_seven_out: Rule[bool]
    hot_shooter_seven_out_on_eighth_roll: Rule[Literal["LOSE", "PUSH"]]

    # power odds
    power_odds_from: Rule[Literal["after_betting_closed"]]
    power_odds_wagers: Rule[Names]
    power_odds_on_single_craps: Rule[Literal["base", "any_craps", "horn"]]
    power_odds_on_horn: Rule[Literal["winning_unit", "whole_wager"]]

    @cached_property
    def plan(self) -> Plan:
        """What the wagers come to under these terms, prepared once."""
        return Plan(self)
