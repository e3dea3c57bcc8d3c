"""What players decide: which act is allowed, which wager it takes up, and which card follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from events.model import CardDealt, PlayerActed
from processors.games.pure_21_5 import deal
from processors.kernel.twenty_one import LIMIT, TwentyOneHand, splittable
from processors.kernel.twenty_one_acts import Refusal, double, has_its_split_card, not_allowed, split, state_of

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

OPTIONAL: Final = ("twenty_one", "pure")
"""Hands that ask for no decision; soft ones the player may still play on by Chart 1A."""
NO_STAND: Final = ("stood", "doubled", "busted", "surrendered")
PASSED: Final = "must_stand"
"""Why a hand is closed that Chart 1A leaves standing, or that an unread card may have ended: the next act shows it."""


def act(game: Table, event: PlayerActed) -> None:
    """A player acted on a hand."""
    hand: TwentyOneHand | None = game.hands.get((event.seat, event.hand))
    action, at = event.action, event.sequence
    if hand is None or hand.wager is None:
        sentence = f"{action} at seat {event.seat}, hand {event.hand}: there is no such hand with a wager."
        game.find("ACT_NOT_ALLOWED", at, sentence, cite=game.terms.act_order.cite)
        return
    if action in ("INSURE", "EVEN_MONEY"):
        not_allowed(game, hand, at, "this game offers no insurance and no even money", game.terms.insurance.cite)
        return
    if not game.playing:
        deal.begin_play(game, at)
    if not game.acts:
        deal.check_before_acts(game, at)
    game.acts.append(event)
    _check_turn(game, hand, event)
    if action == "HIT":
        _hit(game, hand, at)
    elif action == "STAND":
        _stand(game, hand, at)
    elif action == "DOUBLE":
        double(game, hand, event, _against_double(game, hand))
    elif action == "SPLIT":
        split(game, hand, event, hand.wager.amount_minor, _against_split(game, hand))
    elif action == "SURRENDER":
        _surrender(game, hand, at)
    else:
        not_allowed(game, hand, at, f"{action} is no act of this game", game.terms.act_order.cite)


def _check_turn(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    """Players act clockwise from the player-dealer's left, and all of them before the down card is turned up.

    A surrender has a rule of its own: at any time from the first two cards until the down card is exposed.
    """
    at = event.sequence
    if event.action == "SURRENDER":
        _take_up_again(game, hand)
        return
    if 0 <= game.hole_at < at:
        sentence = "The player-dealer's down card was turned up before all players had acted."
        game.find("DEALT_OUT_OF_ORDER", (game.hole_at, at), sentence, cite=game.terms.hole_card_turned_up.cite)
    if hand.closed == PASSED:
        sentence = f"Seat {hand.seat} acted after the seats behind it had done so."
        game.find("DEALT_OUT_OF_ORDER", (hand.closed_at, at), sentence, cite=game.terms.act_order.cite)
    _take_up_again(game, hand)
    current = _whose_turn(game, hand, at)
    if current is not None:
        sentence = f"Seat {hand.seat} acted before seat {current.seat}, hand {current.number} had done so."
        game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.act_order.cite)


def _whose_turn(game: Table, hand: TwentyOneHand, at: int) -> TwentyOneHand | None:
    """The hand of another seat that was to be decided first.

    One that must stand has no choice and is passed over; so is one of which a card is unread: it may have ended the hand.
    """
    while True:
        current = game.turns.current()
        if current is hand or current is None or hand.closed or current.seat == hand.seat or not game.turns.holds(hand):
            return None
        if current.asked or not (current.unread or _chart_says_stand(game, current)):
            return current
        current.close(PASSED, at)


def _take_up_again(game: Table, hand: TwentyOneHand) -> None:
    """Something happens on a hand that the others had passed over: it is open again."""
    if hand.closed == PASSED:
        hand.reopen()
        game.turns.again()


def _play_on(game: Table, hand: TwentyOneHand) -> bool:
    """Whether a hand may be decided on: it is open, or 21 and soft, where Chart 1A leaves the choice. Opens the latter."""
    if hand.closed in OPTIONAL and hand.total.soft:
        hand.reopen()
        game.turns.again()
    return not hand.closed and hand.size >= 2 and not hand.asked


def _chart_says_stand(game: Table, hand: TwentyOneHand) -> bool:
    total = hand.total
    return not hand.unread and not total.soft and bool(total.points >= game.terms.must_stand_on_hard.value)


def _chart_says_hit(game: Table, hand: TwentyOneHand) -> bool:
    total = hand.total
    return not hand.unread and not total.soft and bool(total.points <= game.terms.must_hit_on_hard.value)


def _hit(game: Table, hand: TwentyOneHand, at: int) -> None:
    terms = game.terms
    if hand.of_aces and hand.closed != "surrendered":
        not_allowed(game, hand, at, "a split ace gets one card only", terms.split_ace_cards.cite)
        game.skip_next.add((hand.seat, hand.number))
        return
    hard_21 = hand.closed == "twenty_one" and not hand.total.soft
    if _chart_says_stand(game, hand) and (not hand.closed or hard_21):
        why = f"a {hand.total} must stand, and it was hit"
        not_allowed(game, hand, at, why, terms.must_stand_on_hard.cite)
        if hard_21:
            hand.reopen()
            game.turns.again()
        hand.asked = True
    elif _play_on(game, hand):
        hand.asked = True
    else:
        not_allowed(game, hand, at, f"a hand that is {state_of(hand)} may not be hit", terms.act_order.cite)
        if hand.closed:
            game.skip_next.add((hand.seat, hand.number))


def _stand(game: Table, hand: TwentyOneHand, at: int) -> None:
    terms = game.terms
    if hand.closed in NO_STAND:
        not_allowed(game, hand, at, f"it is {state_of(hand)} already", terms.act_order.cite)
    elif not hand.closed:
        if hand.asked or hand.size < 2:
            not_allowed(game, hand, at, "it stood before its card had come", terms.act_order.cite)
        elif _chart_says_hit(game, hand):
            not_allowed(game, hand, at, f"a {hand.total} must hit, and it stood", terms.must_hit_on_hard.cite)
        hand.close("stood", at)


def _against_chart(game: Table, hand: TwentyOneHand) -> Refusal | None:
    """Where a reading of Chart 1A also limits doubling and splitting, what it says against it."""
    rule = game.terms.chart_limits_double_and_split
    if rule.value and _chart_says_stand(game, hand):
        return Refusal(f"a {hand.total} must stand", rule.cite)
    if rule.value and _chart_says_hit(game, hand):
        return Refusal(f"a {hand.total} must hit", rule.cite)
    return None


def _against_double(game: Table, hand: TwentyOneHand) -> Refusal | None:
    terms = game.terms
    if hand.of_aces:
        return Refusal("a split ace gets one card only and may not be doubled", terms.split_ace_cards.cite)
    if hand.closed not in (*OPTIONAL, ""):
        return Refusal(f"a hand that is {state_of(hand)} may not be doubled", terms.double_percent.cite)
    if hand.size != 2 or hand.asked:
        return Refusal("only the first two cards may be doubled", terms.double_percent.cite)
    if hand.from_split and not terms.double_after_split.value:
        return Refusal("a split hand may not be doubled", terms.double_after_split.cite)
    return _against_chart(game, hand)


def _against_split(game: Table, hand: TwentyOneHand) -> Refusal | None:
    terms = game.terms
    if hand.of_aces and not terms.resplit_aces.value:
        return Refusal("a split ace gets one card only and may not be split again", terms.resplit_aces.cite)
    if hand.closed and hand.closed != "split_ace":
        return Refusal(f"a hand that is {state_of(hand)} may not be split", terms.split_equals.cite)
    if not splittable(hand, "value") or hand.asked:
        return Refusal("only a pair or two bonus cards may be split", terms.split_equals.cite)
    if not game.may_split_on(hand.seat):
        return Refusal(f"splitting makes {terms.split_hands.value} hands at most", terms.split_hands.cite)
    return _against_chart(game, hand)


def _surrender(game: Table, hand: TwentyOneHand, at: int) -> None:
    cite = game.terms.surrender.cite
    if 0 <= game.hole_at < at:
        not_allowed(game, hand, at, "it was surrendered after the down card was turned up: it plays on", cite)
    elif hand.closed not in (*OPTIONAL, "") or hand.size != 2 or hand.from_split or hand.asked:
        not_allowed(game, hand, at, "only the first two cards may be surrendered: it plays on", cite)
    else:
        hand.close("surrendered", at)


def card_in_play(game: Table, hand: TwentyOneHand, event: CardDealt) -> None:
    """A card came to a hand after play began. It counts where the hand may draw."""
    at = event.sequence
    key = (hand.seat, hand.number)
    if hand.wager is None and not hand.from_split:
        if hand.seat not in game.refused_splits:
            _astray(game, at, f"A card went to seat {hand.seat}, hand {hand.number}, which has no wager.")
        return
    if not game.acts:
        deal.check_before_acts(game, at)
    _take_up_again(game, hand)
    if hand.asked and not hand.closed:
        hand.asked = False
    elif hand.from_split and hand.size <= 2 and not hand.closed:
        pass  # the second card of a split hand comes by itself
    elif hand.size <= 2 and not hand.closed:
        _astray(game, at, f"A first card of seat {hand.seat} came after play had begun.")
    elif hand.closed or key in game.skip_next:
        hand.out.add(len(hand.cards) - 1)
        if key not in game.skip_next:
            _astray(
                game,
                at,
                f"A card went to seat {hand.seat}, hand {hand.number}, which was {state_of(hand)}: it is not counted.",
            )
        game.skip_next.discard(key)
        return
    else:
        _astray(game, at, f"Seat {hand.seat}, hand {hand.number} got a card that it had not asked for.")
    hand.count(hand.cards[-1])
    look(game, hand, at)


def _astray(game: Table, at: int, sentence: str) -> None:
    game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.act_order.cite)


def look(game: Table, hand: TwentyOneHand, at: int) -> None:
    """Close a hand that asks for no decision any more: over, 21, doubled, or a split ace with its card.

    A doubled hand and a split ace have their one card whether it was read or not.
    """
    if hand.closed:
        return
    if hand.hard > LIMIT:
        hand.close("busted", at)
    elif hand.doubling and not hand.asked:
        hand.close("doubled", at)
    elif has_its_split_card(game, hand):
        hand.close("split_ace", at)
    elif hand.unread:
        return
    elif hand.is_natural:
        hand.close("pure", at)
    elif hand.points == LIMIT:
        hand.close("twenty_one", at)
