"""The rules of blackjack, by name. What each says, from when and by which paragraph stands in `rules/<jurisdiction>.yaml`.

A rule that may be absent (`| None`) is one on which a jurisdiction's text is silent, or that the house posts at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from processors.kernel.dated import Rule
from processors.kernel.odds import Odds

Names = tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """The rules in force on a day. Percentages are whole; amounts are minor units."""

    # the main wager
    main_pays: Rule[Odds]
    blackjack_pays: Rule[Odds] | None
    blackjack_pays_at_least: Rule[Odds] | None
    blackjack_pays_at_least_single_deck: Rule[Odds] | None
    blackjack_paid_at_once: Rule[Names] | None
    blackjack_beats_21: Rule[bool]
    losing_wagers: Rule[Literal["collected"]]
    tie: Rule[Literal["push", "lose"]] | None
    payments_rounded: Rule[Literal["up_to_chip"]] | None
    below_minimum: Rule[Literal["paid_as_bet"]]
    above_maximum: Rule[Literal["paid_as_bet", "excess_returned"]]
    wagers_before_first_card: Rule[bool]
    wagers_unaltered: Rule[bool]
    tenders: Rule[Names] | None
    other_tender: Rule[Literal["void", "finding_only"]] | None

    # even money, insurance, surrender
    even_money_pays: Rule[Odds] | None
    insurance_pays: Rule[Odds]
    insurance_percent: Rule[int] | None
    insurance_with_ace_up: Rule[bool] | None
    insurance_unaltered: Rule[bool] | None
    surrender_returns_percent: Rule[int] | None

    # doubling and splitting
    double_pays: Rule[Odds]
    double_percent: Rule[int]
    double_cards: Rule[int]
    double_after_split: Rule[bool]
    double_on_dealer_blackjack: Rule[Literal["returned", "lost"]]
    busted_double_on_dealer_blackjack: Rule[Literal["lost", "returned"]]
    split_pays: Rule[Odds]
    split_by: Rule[Literal["value", "rank"]]
    split_equals: Rule[bool]
    split_hands: Rule[int]
    split_order: Rule[bool]
    split_ace_cards: Rule[int]
    resplit_aces: Rule[bool]
    split_on_dealer_blackjack: Rule[Literal["lost", "returned"]]
    drawing_below: Rule[int]

    # the dealer's hand
    soft_17: Rule[Literal["hit", "stand"]] | None
    hard_17: Rule[Literal["stand"]]
    no_draw_without_effect: Rule[bool] | None
    drawn_in_error_burned: Rule[Literal["hard_17", "17_to_21"]]
    dealer_drew_on_standing_hand: Rule[Literal["does_not_count"]]
    dealer_stood_too_early: Rule[Literal["undecided"]]

    # the deal and its irregularities
    deal_order: Rule[bool] | None
    dealer_dealt_face_down: Rule[bool] | None
    first_card_turned_up: Rule[bool] | None
    act_order: Rule[bool] | None
    hole_card_exposed: Rule[Literal["always", "where_it_matters"]] | None
    check_under_ace: Rule[bool] | None
    check_under_ten: Rule[Literal["player_blackjack", "never"]] | None
    blackjack_found_under_ten: Rule[Literal["settle_all", "play_on"]] | None
    face_up_in_shoe: Rule[Literal["discarded"]]
    drawn_unexposed: Rule[Literal["used_as_next"]]
    missed_dealer_card: Rule[Literal["after_players"]]
    no_cards_hand_dead: Rule[bool] | None
    refused_card_ends_drawing: Rule[bool] | None

    # optional wagers
    side_bets: Rule[Names]
    tips: Rule[Names] | None
    tips_beside_own: Rule[Names] | None
    aces_in_straights: Rule[Names] | None
    three_card_pays: Rule[Mapping[str, Odds]] | None
    super_3_pays: Rule[Mapping[str, Odds]] | None
    super_3_needs: Rule[str] | None
    super_3_paytable: Rule[str] | None
    royal_match_pays: Rule[Mapping[str, Odds]] | None
    royal_match_decks: Rule[tuple[int, ...]] | None
    blazing_7s_pays: Rule[Mapping[str, Odds]] | None
    blazing_7s_pot_percent: Rule[Mapping[str, int]] | None
    blazing_7s_shared: Rule[Literal["equally_up_to_the_cent"]] | None
    blazing_7s_contribution_percent: Rule[int] | None
    blazing_7s_own_share: Rule[Literal["in_the_meter", "not_in_the_meter"]] | None
    blazing_7s_start_minor: Rule[int] | None
    blazing_7s_reset_minor: Rule[int] | None
    blazing_7s_light: Rule[Literal["returned"]] | None
    lucky_ladies: Rule[bool] | None
    lucky_ladies_twenty: Rule[Literal["hard_or_soft", "hard"]] | None
    trilux: Rule[bool] | None
