"""The rules of I Luv Suits as the engine reads them; values and citations stand in `rules/<jurisdiction>.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from processors.kernel.dated import Rule
from processors.kernel.odds import Odds


@dataclass(frozen=True, slots=True)
class Terms:
    """What is in force on a gaming day. Amounts in minor units; a mapping by number is by the number of cards."""

    # the deck, the deal and the order at the table
    decks: Rule[int]
    cards_each: Rule[int]
    cards_for: Rule[Literal["seats_with_wagers"]]
    deal_order: Rule[Literal["seat_by_seat"]]
    decisions: Rule[Literal["after_the_deal"]]
    dealer_reveals: Rule[Literal["after_all_decisions"]]
    reveals: Rule[Literal["remaining_players"]]
    settlement_order: Rule[Literal["right_to_left", "any"]]

    # wagers
    ante: Rule[Literal["before_cards"]]
    bonus_wagers: Rule[Literal["with_ante"]]
    progressive_wager: Rule[Literal["posted_amount"]]
    tenders: Rule[tuple[str, ...]]
    other_tender: Rule[Literal["void", "finding_only"]]
    betting_closes: Rule[Literal["own_first_card", "first_card"]]
    over_posted_maximum: Rule[Literal["paid_as_bet", "excess_returned"]]
    tip_bets: Rule[tuple[str, ...]]
    tip_play: Rule[Literal["with_tip_ante"]]

    # the play wager and the forfeit
    play_exactly: Rule[Mapping[int, int]]
    play_up_to: Rule[Mapping[int, int]]
    play_minimum: Rule[Literal["posted", "ante"]]
    play_over_limit: Rule[Literal["excess_returned", "paid_as_bet"]]
    forfeit: Rule[Literal["ante_lost"]]
    bonus_after_fold: Rule[Literal["decided", "forfeited"]]

    # ranking
    flush_ranking: Rule[Literal["length_then_cards"]]
    equal_flushes: Rule[Literal["higher", "straight_flush_first"]]
    straight_flush_ace: Rule[Literal["high_or_low", "wrap_around"]]
    compared_cards: Rule[Literal["all_dealt", "kept"]]
    bonus_cards: Rule[Literal["all_dealt", "kept"]]

    # against the dealer
    dealer_flush: Rule[int]
    dealer_high_card: Rule[int]
    dealer_qualifies: Rule[Literal["by_ranking", "by_card"]]
    unqualified_ante: Rule[Literal["paid", "paid_after_fold_too", "compared"]]
    unqualified_play: Rule[Literal["tie"]]
    contest_pays: Rule[Odds]
    tie: Rule[Literal["returned"]]

    # against a paytable
    flush_rush_pays: Rule[Mapping[int, Odds]]
    super_flush_rush_pays: Rule[Mapping[int, Odds]]
    payout_limit: Rule[Literal["each_wager", "each_hand"]]
    uneven_payments: Rule[Literal["up_to_chip", "exact"]]

    # progressive
    progressive_start_minor: Rule[int]
    progressive_reset_minor: Rule[int]
    contribution_percent: Rule[int]
    progressive_pays: Rule[Mapping[int, Odds]]
    pot_percent: Rule[Mapping[int, int]]
    pot_percent_with_ace: Rule[Mapping[int, int]]
    six_card_ace: Rule[Literal["in_run", "in_hand"]]
    shared_portions: Rule[Literal["each_portion", "one_portion"]]
    shares_rounded_up_to_minor: Rule[int]
