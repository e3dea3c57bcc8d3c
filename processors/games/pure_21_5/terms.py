"""The rules of Pure 21.5 Blackjack with the Red Flex bet, by name. What each says stands in `rules/<jurisdiction>.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from processors.kernel.dated import Rule
from processors.kernel.odds import Odds


@dataclass(frozen=True)
class Terms:
    """The rules in force on a day. Percentages are whole; amounts are minor units."""

    # the hands
    decks: Rule[tuple[int, ...]]
    wins_pay: Rule[Odds]
    pure_pays: Rule[Odds]
    both_pure: Rule[Literal["push"]]
    pure_against_21: Rule[Literal["beats", "ties"]]
    pure_after_split: Rule[bool]
    player_dealer_over: Rule[Literal["wins"]]
    player_over: Rule[Literal["loses"]]
    tie: Rule[Literal["push"]]
    nearer: Rule[Literal["wins"]]
    both_over: Rule[Literal["loses", "nearer_wins"]]
    both_over_against_888: Rule[Literal["push"]]
    uneven_payments: Rule[Literal["nearest", "down", "up"]]

    # the wagers
    bank: Rule[Literal["one_wager"]]
    bank_maximum: Rule[Literal["none"]]
    bank_turns: Rule[int]
    wagers_before_deal: Rule[bool]
    one_wager_a_spot: Rule[bool]
    no_backline: Rule[bool]
    outside_limits: Rule[Literal["paid_as_bet", "excess_returned"]]
    insurance: Rule[Literal["not_offered"]]

    # the course of the round
    deal_order: Rule[Literal["clockwise_player_dealer_last"]]
    hole_card_down: Rule[bool]
    hole_card_turned_up: Rule[bool]
    act_order: Rule[Literal["clockwise"]]
    checks_for_pure: Rule[bool]
    pure_ends_round: Rule[bool]
    later_money_at_pure: Rule[Literal["returned", "lost"]]

    # the players' decisions
    must_hit_on_hard: Rule[int]
    must_stand_on_hard: Rule[int]
    chart_limits_double_and_split: Rule[bool]
    double_percent: Rule[int]
    double_after_split: Rule[bool]
    split_equals: Rule[bool]
    split_hands: Rule[int]
    split_ace_cards: Rule[int]
    resplit_aces: Rule[bool]
    surrender: Rule[Literal["late", "early"]]
    surrender_returns_percent: Rule[int]

    # the player-dealer's hand
    stands_on: Rule[int]
    soft_17: Rule[Literal["hit", "stand"]]
    two_card_17: Rule[Literal["stand", "hit"]]
    drew_on_standing_hand: Rule[Literal["does_not_count"]]
    stood_too_early: Rule[Literal["undecided"]]

    # who is paid, in which order, and how far
    button_values: Rule[Mapping[str, int]]
    button_counts: Rule[Literal["spots_with_a_wager", "all_seats"]]
    settled_from_button: Rule[Literal["clockwise"]]
    settled_at_a_seat: Rule[Literal["game_wager_first"]]
    coverage: Rule[Literal["balance", "wager_alone"]]
    payments_covered: Rule[bool]

    # collection fees
    fee_of_wagers: Rule[Literal["by_schedule"]]
    fee_of_bank: Rule[Literal["by_schedule"]]
    fee_of_doubles_and_splits: Rule[Literal["none"]]
    most_rates: Rule[int]

    # the Red Flex bet
    red_flex: Rule[Literal["beside_each_game_wager"]]
    red_flex_before_deal: Rule[bool]
    red_flex_no_backline: Rule[bool]
    red_flex_stays: Rule[bool]
    red_flex_first_two: Rule[Literal["red", "same_suit"]]
    red_flex_counts_bust_card: Rule[bool]
    red_flex_longer_runs: Rule[Literal["as_longest_row", "as_printed"]]
