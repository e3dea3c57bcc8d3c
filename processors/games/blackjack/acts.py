"""What players decide: which act is allowed, which wager it takes up, and which card follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.model import CardDealt, PlayerActed
from processors.kernel.money import Rounding, divide
from processors.kernel.twenty_one import LIMIT, TwentyOneHand, splittable
from processors.kernel.twenty_one_acts import (
    Refusal,
    double,
    elect,
    has_its_split_card,
    limit,
    not_allowed,
    split,
    state_of,
)
from processors.kernel.twenty_one_table import TwentyOneWager

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table

CHOSEN = ("stood", "doubled", "busted", "even_money", "surrendered", "surrender_not_posted", "refused")
"""Why a hand is closed where a later STAND makes no sense; on 21 it only says what is so anyway."""


def before_play(game: Table, action: str) -> bool:
    """Whether an act comes before play: insurance, even money, and surrender where it is before the dealer's check."""
    return action in ("INSURE", "EVEN_MONEY") or (action == "SURRENDER" and game.house.surrender == "early")


def act(game: Table, event: PlayerActed) -> None:
    """A player acted on a hand; play has begun, but for what comes before it."""
    hand: TwentyOneHand | None = game.hands.get((event.seat, event.hand))
    action, at = event.action, event.sequence
    if hand is None or hand.wager is None:
        if (hand is not None and hand.from_split) or event.seat in game.refused_splits:
            return  # the split that made this hand, or would have, is the finding
        sentence = f"{action} at seat {event.seat}, hand {event.hand}: there is no such hand with a wager."
        game.find("ACT_NOT_ALLOWED", at, sentence, cite=game.terms.wagers_before_first_card.cite)
        return
    if action == "INSURE":
        _insure(game, hand, event)
        return
    if action == "EVEN_MONEY":
        _even_money(game, hand, event)
        return
    if game.acted_at < 0 and not before_play(game, action):
        game.acted_at = at
    _check_turn(game, hand, at)
    if action == "HIT":
        _hit(game, hand, at)
    elif action == "STAND":
        _stand(game, hand, at)
    elif action == "DOUBLE":
        double(game, hand, event, _against_double(game, hand))
    elif action == "SPLIT":
        split(game, hand, event, game.spot(hand.seat).main.amount_minor, _against_split(game, hand))
    elif action == "SURRENDER":
        _surrender(game, hand, at)
    else:
        not_allowed(game, hand, at, f"{action} is no act of blackjack", game.terms.drawing_below.cite)


def _check_turn(game: Table, hand: TwentyOneHand, at: int) -> None:
    """Players decide from the dealer's left; of split hands the first incomplete one is completed first.

    A hand of which a card is unread is passed over: the card may have ended it.
    """
    current = game.turns.current()
    if current is hand or current is None or hand.closed or not game.turns.holds(hand):
        return
    if current.unread and not current.asked:
        current = next(other for other in game.turns.still_open() if other is hand or other.asked or not other.unread)
        if current is hand:
            return
    rule = game.terms.split_order if current.seat == hand.seat else game.terms.act_order
    if rule is not None:
        sentence = (
            f"Seat {hand.seat}, hand {hand.number} decided before seat {current.seat}, hand {current.number} was complete."
        )
        game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=rule.cite)


def _hit(game: Table, hand: TwentyOneHand, at: int) -> None:
    terms = game.terms
    if hand.closed or hand.size < 2:
        cite = terms.split_ace_cards.cite if hand.closed == "split_ace" else terms.drawing_below.cite
        not_allowed(game, hand, at, f"a hand that is {state_of(hand)} may not draw", cite)
        if hand.closed:
            game.skip_next.add((hand.seat, hand.number))
    elif hand.of_aces:
        not_allowed(game, hand, at, "a split ace gets one card only", terms.split_ace_cards.cite)
        game.skip_next.add((hand.seat, hand.number))
    else:
        hand.asked = True


def _stand(game: Table, hand: TwentyOneHand, at: int) -> None:
    if hand.closed in CHOSEN:
        not_allowed(game, hand, at, f"it is {state_of(hand)} already", game.terms.drawing_below.cite)
    elif not hand.closed:
        if hand.asked:
            not_allowed(game, hand, at, "it stood before the card that it asked for", game.terms.drawing_below.cite)
        hand.close("stood", at)


def _against_double(game: Table, hand: TwentyOneHand) -> Refusal | None:
    terms = game.terms
    if hand.closed:
        return Refusal(f"a hand that is {state_of(hand)} may not be doubled", terms.double_pays.cite)
    if hand.doubling:
        return Refusal("it is doubled already", terms.double_cards.cite)
    if hand.of_aces:
        return Refusal("a split ace may not be doubled", terms.split_ace_cards.cite)
    if hand.size != 2:
        return Refusal("only the first two cards may be doubled", terms.double_pays.cite)
    if hand.from_split and not terms.double_after_split.value:
        return Refusal("a split hand may not be doubled", terms.double_after_split.cite)
    return None


def _against_split(game: Table, hand: TwentyOneHand) -> Refusal | None:
    terms = game.terms
    if hand.closed == "split_ace" or (hand.of_aces and not terms.resplit_aces.value):
        return Refusal("a split ace may not be split again", terms.resplit_aces.cite)
    if hand.closed:
        return Refusal(f"a hand that is {state_of(hand)} may not be split", terms.split_by.cite)
    if hand.doubling:
        return Refusal("a doubled hand may not be split", terms.double_cards.cite)
    if not splittable(hand, terms.split_by.value):
        why = f"only two cards that are identical in {terms.split_by.value} may be split"
        return Refusal(why, terms.split_by.cite)
    if not game.may_split_on(hand.seat):
        return Refusal(f"splitting makes {terms.split_hands.value} hands at most", terms.split_hands.cite)
    return None


def _surrender(game: Table, hand: TwentyOneHand, at: int) -> None:
    offered = game.house.surrender
    rule = game.terms.surrender_returns_percent
    cite = (rule or game.terms.drawing_below).cite
    if offered == "none" or hand.closed or hand.doubling or hand.is_natural or hand.size != 2:
        why = "surrender is not offered" if offered == "none" else "only an open hand of two cards may be surrendered"
        not_allowed(game, hand, at, why, cite)
    else:
        hand.close("surrendered" if offered else "surrender_not_posted", at)


def _insure(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    at, terms = event.sequence, game.terms
    wager = elect(game, hand, event, "insurance")
    if wager is None or wager.settled:
        return
    if hand.closed == "even_money":
        cite = (terms.even_money_pays or terms.insurance_pays).cite
        not_allowed(game, hand, at, "even money is taken instead of insurance", cite, wager.id)
        game.settle(wager, "VOID", at, cite)
    else:
        check_insurance_amount(game, wager, at)


def check_insurance_amount(game: Table, wager: TwentyOneWager, at: int) -> None:
    """At most half the initial wager, or the next unit where half cannot be bet in chips."""
    rule = game.terms.insurance_percent
    if rule is not None:
        base = game.spot(wager.seat).main.amount_minor * rule.value
        most = divide(base, 100, rounding=Rounding.UP, unit_minor=game.chip_minor)
        limit(game, wager, most, at, rule.cite)


def _even_money(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    at, rule, main = event.sequence, game.terms.even_money_pays, hand.wager
    cite = (rule or game.terms.main_pays).cite
    insured = any(wager.bet == "insurance" and not wager.settled for wager in game.spot(hand.seat).others)
    if rule is None:
        why = "even money is not in the rules here"
    elif not hand.is_natural or not game.ace_up():
        why = "even money is for a blackjack against an ace"
    elif hand.closed or insured:
        why = "even money is taken once, and instead of insurance"
    elif game.playing or game.checked_at >= 0:
        why = "even money is paid before the hole card is checked"
    else:
        why = ""
    if why:
        not_allowed(game, hand, at, why, cite)
        return
    if event.wager_id and event.wager_id != main.id:
        sentence = f"Even money at seat {hand.seat} names wager {event.wager_id}; the wager is {main.id}."
        game.find("ACT_WITHOUT_WAGER", at, sentence, cite=cite, wager_id=main.id)
    game.settle(main, "WIN", at, cite, odds=rule.value, prize="even money")
    hand.close("even_money", at)


def card_in_play(game: Table, hand: TwentyOneHand, event: CardDealt) -> None:
    """A card came to a hand after play began. It counts where the hand may draw."""
    at, terms = event.sequence, game.terms
    key = (hand.seat, hand.number)
    if hand.wager is None and not hand.from_split:
        if hand.seat not in game.refused_splits:
            sentence = f"A card went to seat {hand.seat}, hand {hand.number}, which has no wager."
            _astray(game, hand, at, sentence, terms.deal_order or terms.split_order)
        return
    if hand.asked and not hand.closed:
        hand.asked = False
    elif hand.from_split and hand.size <= 2:
        current = game.turns.current()
        if current is not hand and current is not None and current.seat == hand.seat:
            sentence = f"Hand {hand.number} of seat {hand.seat} got a card before hand {current.number} was complete."
            _astray(game, hand, at, sentence, terms.split_order)
    elif hand.size <= 2:
        if game.in_order and terms.deal_order is None:
            pass  # nothing orders the first cards here
        else:
            _astray(game, hand, at, f"A first card of seat {hand.seat} came after play had begun.", terms.deal_order)
    elif hand.closed or key in game.skip_next:
        hand.out.add(len(hand.cards) - 1)
        if key not in game.skip_next:
            sentence = f"A card went to seat {hand.seat}, hand {hand.number}, which was {state_of(hand)}: it does not count."
            _astray(game, hand, at, sentence, terms.drawing_below)
        game.skip_next.discard(key)
        return
    else:
        sentence = f"Seat {hand.seat}, hand {hand.number} got a card that it had not asked for."
        _astray(game, hand, at, sentence, terms.drawing_below)
    hand.count(hand.cards[-1])
    look(game, hand, at)


def _astray(game: Table, hand: TwentyOneHand, at: int, sentence: str, rule: object) -> None:
    cite = getattr(rule, "cite", game.terms.drawing_below.cite)
    game.astray.append((hand, len(hand.cards) - 1, at, sentence, cite))


def look(game: Table, hand: TwentyOneHand, at: int) -> None:
    """Close a hand that may not draw any more: over 21, 21, doubled, or a split ace with its card."""
    points = hand.points
    if hand.closed and hand.closed not in ("doubled", "stood"):
        return
    if points > LIMIT:
        hand.close("busted", at)
    elif hand.closed:
        return
    elif hand.doubling and not hand.asked:
        hand.close("doubled", at)
    elif hand.is_natural:
        hand.close("blackjack", at)
    elif points == LIMIT and not hand.unread:
        hand.close("twenty_one", at)
    elif has_its_split_card(game, hand):
        hand.close("split_ace", at)
