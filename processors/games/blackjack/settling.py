"""The end of a round: every wager on a hand is decided, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.model import Result
from processors.games.blackjack import sides
from processors.games.blackjack.acts import check_insurance_amount
from processors.games.blackjack.deal import begin_play, check_under_ten
from processors.games.blackjack.dealer_hand import DealerHand, dealer_hand
from processors.games.blackjack.wagers import MAIN, cite_of
from processors.kernel.cards import ACE
from processors.kernel.citation import Citation
from processors.kernel.money import Rounding, divide
from processors.kernel.odds import Odds
from processors.kernel.twenty_one import TwentyOneHand, is_ten_valued
from processors.kernel.twenty_one_table import TwentyOneWager

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table

DECIDED = ("busted", "blackjack", "even_money", "surrendered", "surrender_not_posted")
"""Hands whose outcome does not depend on the dealer's total."""


def finish(game: Table, at: int) -> None:
    """Settle what is decided; what is not known stays open, with the reason."""
    if game.dead:
        return
    closed = game.round_closed_at >= 0
    if not game.dealing:
        if closed and any(not wager.settled for wager in game.wagers.values()):
            cite = game.terms.wagers_before_first_card.cite
            game.find("INCOMPLETE_ROUND", at, "The round was closed without a card.", cite=cite)
        return
    if not game.playing:
        begin_play(game, at, judged=closed)
    live = any(hand.closed not in DECIDED for hand in game.standing_hands())
    dealer = dealer_hand(game, live)
    game.dealer_result = dealer
    if closed:
        _check_end(game, dealer, at)
    for _, _, sequence, sentence, cite in game.astray:
        game.find("DEALT_OUT_OF_ORDER", sequence, sentence, cite=cite)
    sides.settle_all(game, dealer, at)
    for spot in game.spots.values():
        if spot.main is not None and not spot.hands:
            _no_cards(game, spot.main, at)
        for hand in spot.hands:
            if hand.wager is not None:
                _settle_hand(game, hand, dealer)
        for wager in spot.others:
            if wager.bet == "insurance":
                _settle_insurance(game, wager, dealer)
            elif wager.bet == MAIN:
                _settle_tip(game, wager, spot.main)
            elif wager.bet in ("double", "split") and closed and not wager.settled and not wager.elected:
                sentence = f"The {wager.bet} wager was never followed by its act."
                game.refuse(wager, "ACT_WITHOUT_WAGER", wager.placed_at, cite_of(game, wager.bet), sentence)


def _check_end(game: Table, result: DealerHand, at: int) -> None:
    """What must have happened by the end: every decision made, every card turned up."""
    terms = game.terms
    natural_seen = bool(result.natural) and _found_by_check(game)
    if natural_seen and game.acted_at > game.checked_at >= 0 and (terms.check_under_ten is not None or game.ace_up()):
        cite = (terms.blackjack_found_under_ten or terms.main_pays).cite
        sentence = "Play went on although the check of the hole card had found the dealer's blackjack."
        game.find("ACT_NOT_ALLOWED", (game.checked_at, game.acted_at), sentence, cite=cite)
    for hand in game.standing_hands():
        if natural_seen or hand in game.misplayed:
            continue
        # of the first cards, an order at hand says it where one is missing
        lacks = hand.size < 2 and (hand.from_split or terms.deal_order is None)
        # an unread card may have ended the hand
        if lacks or not (hand.closed or hand.unread):
            cite = (terms.act_order or terms.drawing_below).cite
            what = "never got its second card" if lacks else "was never decided"
            sentence = f"Seat {hand.seat}, hand {hand.number} ({hand}) {what}."
            game.find("INCOMPLETE_ROUND", at, sentence, cite=cite, wager_id=hand.wager.id)
    rule = terms.hole_card_exposed
    if rule is None:
        return
    dealer, hole = game.dealer, game.hole_place
    hidden = [place for place, up in enumerate(dealer.face_up) if not up and place >= hole and place not in dealer.out]
    if hidden and (rule.value == "always" or _hole_card_matters(game)):
        check_under_ten(game, at)
        sentence = (
            "The dealer's hole card was never exposed."
            if hole in hidden
            else "A card that the dealer drew was not turned up."
        )
        game.find("CARD_NOT_EXPOSED", [dealer.dealt_at[place] for place in hidden], sentence, cite=rule.cite)
    for hand in game.standing_hands():
        if any(not up and place not in hand.out for place, up in enumerate(hand.face_up)):
            sentence = f"A card of seat {hand.seat}, hand {hand.number} was not turned up before the wager was settled."
            cite = terms.double_pays.cite if hand.doubling else terms.deal_order.cite
            game.find("CARD_NOT_EXPOSED", hand.dealt_at[-1], sentence, cite=cite, wager_id=hand.wager.id)


def _hole_card_matters(game: Table) -> bool:
    """Whether a wager still depends on the dealer's second card."""
    at_once, up = game.terms.blackjack_paid_at_once, game.up_card()
    paid = ("blackjack",) if at_once is not None and up is not None and up.code[0] in at_once.value else ()
    return any(hand.closed not in ("busted", *paid) for hand in game.standing_hands()) or any(
        wager.bet == "insurance" and not wager.settled for spot in game.spots.values() for wager in spot.others
    )


def _found_by_check(game: Table) -> bool:
    """Whether a dealer's blackjack ends the round before the players decide: under an ace, or found for a blackjack."""
    up = game.up_card()
    if up is None:
        return False
    if up.rank == ACE:
        return True
    rule = game.terms.blackjack_found_under_ten
    if rule is None:
        # no order at hand: looked at or shown before anybody decided (the top row of Lucky Ladies needs it, S-05)
        return is_ten_valued(up) and (game.checked_at >= 0 or game.acted_at < 0)
    settles = rule.value == "settle_all"
    return settles and is_ten_valued(up) and any(hand.closed == "blackjack" for hand in game.standing_hands())


def _no_cards(game: Table, wager: TwentyOneWager, at: int) -> None:
    """A spot that got no cards: dead where the rules say so, else undecided."""
    rule = game.terms.no_cards_hand_dead
    if rule is not None:
        game.settle(wager, "VOID", at, rule.cite, prize="no cards: the hand is dead")
    else:
        game.undecide(wager, at, prize="the spot got no cards")


def _settle_hand(game: Table, hand: TwentyOneHand, dealer: DealerHand) -> None:
    terms, at = game.terms, max(hand.closed_at, dealer.at)
    if hand.wager.settled and (hand.double is None or hand.double.settled):
        return
    if hand.closed == "busted":
        _bust(game, hand, dealer)
    elif hand.closed == "blackjack":
        _blackjack(game, hand, dealer, at)
    elif hand.closed.startswith("surrender") and not (dealer.natural and game.house.surrender == "late"):
        _surrendered(game, hand, dealer, at)
    elif dealer.natural:
        cite = terms.blackjack_beats_21.cite
        if hand.wager.bet == "split" and terms.split_on_dealer_blackjack.value == "returned":
            game.settle(hand.wager, "PUSH", at, terms.split_on_dealer_blackjack.cite, prize="dealer blackjack")
        else:
            game.settle(hand.wager, "LOSE", at, cite, prize="dealer blackjack")
        _double_on_natural(game, hand, at)
    elif _incomplete(game, hand):
        _undecided(game, hand, at, "the hand is not complete")
    elif dealer.total is None:
        _undecided(game, hand, at, dealer.why)
    else:
        _against(game, hand, dealer, at)


def _incomplete(game: Table, hand: TwentyOneHand) -> bool:
    """Cards are missing or unread, or the player had not decided when the record broke off."""
    return hand.unread > 0 or hand.size < 2 or hand.asked or (not hand.closed and game.round_closed_at < 0)


def _both(game: Table, hand: TwentyOneHand, result: Result, at: int, prize: str = "") -> None:
    """Decide the wager of a hand and its double alike; each by the paragraph of its own bet."""
    for wager in (hand.wager, hand.double):
        if wager is not None and not wager.settled:
            odds = _pays(game, wager.bet) if result == "WIN" else None
            game.settle(wager, result, at, _cite(game, wager.bet, result), odds=odds, prize=prize)


def _pays(game: Table, bet: str) -> Odds:
    terms = game.terms
    rule = terms.double_pays if bet == "double" else terms.split_pays if bet == "split" else terms.main_pays
    odds: Odds = rule.value
    return odds


def _cite(game: Table, bet: str, result: Result) -> Citation:
    if bet != "main" or result == "WIN":
        return cite_of(game, bet)
    tie = game.house.tie
    cite: Citation = tie.cite if result == "PUSH" and tie is not None else game.terms.losing_wagers.cite
    return cite


def _undecided(game: Table, hand: TwentyOneHand, at: int, why: str) -> None:
    for wager in (hand.wager, hand.double):
        if wager is not None:
            game.undecide(wager, at, cite_of(game, wager.bet), why)


def _bust(game: Table, hand: TwentyOneHand, dealer: DealerHand) -> None:
    """Over 21 the wagers are collected at once, whatever the dealer has."""
    terms, at = game.terms, hand.closed_at
    game.settle(hand.wager, "LOSE", at, terms.losing_wagers.cite, prize="over 21")
    if hand.double is not None:
        relief = terms.busted_double_on_dealer_blackjack
        if dealer.natural and relief.value == "returned":
            game.settle(hand.double, "PUSH", dealer.at, relief.cite, prize="dealer blackjack")
        else:
            game.settle(hand.double, "LOSE", at, terms.losing_wagers.cite, prize="over 21")


def _blackjack(game: Table, hand: TwentyOneHand, dealer: DealerHand, at: int) -> None:
    house, up = game.house, game.up_card()
    if dealer.natural is None:
        game.undecide(hand.wager, at, game.terms.main_pays.cite, dealer.why)
    elif dealer.natural:
        _tie(game, hand, at, "blackjack on both sides")
    elif house.blackjack_pays is None:
        game.undecide(hand.wager, at, game.terms.main_pays.cite, "what a blackjack pays is not posted")
    else:
        at_once = game.terms.blackjack_paid_at_once
        if at_once is not None and up is not None and up.code[0] in at_once.value:
            at = hand.closed_at
        cite = game.terms.main_pays.cite if up is not None and up.rank == ACE else house.blackjack_pays.cite
        game.settle(hand.wager, "WIN", at, cite, odds=house.blackjack_pays.value, prize="blackjack")


def _tie(game: Table, hand: TwentyOneHand, at: int, prize: str) -> None:
    tie = game.house.tie
    if tie is None:
        _undecided(game, hand, at, "what becomes of a tie is not posted")
    else:
        _both(game, hand, "PUSH" if tie.value == "push" else "LOSE", at, prize)


def _surrendered(game: Table, hand: TwentyOneHand, dealer: DealerHand, at: int) -> None:
    rule = game.terms.surrender_returns_percent
    if hand.closed == "surrender_not_posted":
        game.undecide(hand.wager, at, rule.cite, "whether surrender is offered is not posted")
    elif game.house.surrender == "late" and dealer.natural is None:
        game.undecide(hand.wager, at, rule.cite, dealer.why)
    else:
        half = divide(hand.wager.action_minor * rule.value, 100, rounding=Rounding.NEAREST)
        game.settle(hand.wager, "LOSE", at, rule.cite, returned_minor=half, prize="surrendered")


def _double_on_natural(game: Table, hand: TwentyOneHand, at: int) -> None:
    if hand.double is not None:
        rule = game.terms.double_on_dealer_blackjack
        result: Result = "PUSH" if rule.value == "returned" else "LOSE"
        game.settle(hand.double, result, at, rule.cite, prize="dealer blackjack")


def _against(game: Table, hand: TwentyOneHand, dealer: DealerHand, at: int) -> None:
    """The totals decide: closer to 21 wins, a dealer over 21 loses."""
    total = dealer.total
    if total is None:
        return
    points = hand.points
    if total.busted or points > total.points:
        _both(game, hand, "WIN", at, "dealer over 21" if total.busted else "")
    elif points < total.points:
        _both(game, hand, "LOSE", at)
    else:
        _tie(game, hand, at, "tie")


def _settle_tip(game: Table, tip: TwentyOneWager, main: TwentyOneWager | None) -> None:
    """A tip on the main wager is decided as that one is; what it wins is the dealer's."""
    due = next((due for due in game.settlements if main is not None and due.wager_id == main.id), None)
    if tip.settled or main is None or due is None:
        return
    share = None
    if due.result == "LOSE":  # half of a surrendered wager
        share = divide(tip.action_minor * due.stake_returned_minor, main.action_minor or 1, rounding=Rounding.NEAREST)
    game.settle(tip, due.result, due.decided_at, due.cite, odds=main.odds, returned_minor=share, prize=due.prize)


def _settle_insurance(game: Table, wager: TwentyOneWager, dealer: DealerHand) -> None:
    if wager.settled:
        return
    terms = game.terms
    rule = terms.insurance_pays
    if not wager.elected and game.round_closed_at >= 0:
        sentence = "An insurance wager was placed without its act."
        game.find("ACT_WITHOUT_WAGER", wager.placed_at, sentence, cite=rule.cite, wager_id=wager.id)
        check_insurance_amount(game, wager, wager.placed_at)
    if dealer.natural is None:
        game.undecide(wager, dealer.at, rule.cite, dealer.why)
    elif dealer.natural:
        game.settle(wager, "WIN", dealer.at, rule.cite, odds=rule.value, prize="dealer blackjack")
    else:
        game.settle(wager, "LOSE", dealer.at, rule.cite)
