"""What players decide: which act is allowed, which wager it takes up, and which card follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from events.model import CardDealt, PlayerActed
from processors.games.pure_21_5 import deal
from processors.games.pure_21_5.wagers import PureWager, cite_of
from processors.kernel.cards import ACE
from processors.kernel.citation import Citation
from processors.kernel.money import Rounding, divide, money_text
from processors.kernel.twenty_one import LIMIT, TwentyOneHand, splittable

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

BY_CARDS: Final = ("busted", "twenty_one", "pure", "doubled", "split_ace")
"""Why cards alone close a hand."""
OPTIONAL: Final = ("twenty_one", "pure")
"""Hands that ask for no decision; soft ones the player may still play on by Chart 1A."""
NO_STAND: Final = ("stood", "doubled", "busted", "surrendered")


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
        _double(game, hand, event)
    elif action == "SPLIT":
        _split(game, hand, event)
    elif action == "SURRENDER":
        _surrender(game, hand, at)
    else:
        not_allowed(game, hand, at, f"{action} is no act of this game", game.terms.act_order.cite)


def not_allowed(game: Table, hand: TwentyOneHand, at: int, why: str, cite: Citation, wager_id: str = "") -> None:
    """A finding about an act; that the hand was not decided rightly is said with it."""
    game.misjudged.add((hand.seat, hand.number))
    sentence = f"Seat {hand.seat}, hand {hand.number} ({hand}): {why}."
    game.find("ACT_NOT_ALLOWED", at, sentence, cite=cite, wager_id=wager_id or hand.wager.id)


def _check_turn(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    """Players act clockwise from the player-dealer's left, and all of them before the down card is turned up."""
    at = event.sequence
    if 0 <= game.hole_at < at and event.action != "SURRENDER":  # a surrender has a rule of its own
        sentence = "The player-dealer's down card was turned up before all players had acted."
        game.find("DEALT_OUT_OF_ORDER", (game.hole_at, at), sentence, cite=game.terms.hole_card_turned_up.cite)
    current = game.turns.current()
    if current is hand or current is None or hand.closed or current.seat == hand.seat or not game.turns.holds(hand):
        return
    sentence = f"Seat {hand.seat} acted before seat {current.seat}, hand {current.number} had done so."
    game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.act_order.cite)


def _why(hand: TwentyOneHand) -> str:
    return hand.closed.replace("_", " ") if hand.closed else "not complete"


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
        game.not_counted.add((hand.seat, hand.number))
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
        not_allowed(game, hand, at, f"a hand that is {_why(hand)} may not be hit", terms.act_order.cite)
        if hand.closed:
            game.not_counted.add((hand.seat, hand.number))


def _stand(game: Table, hand: TwentyOneHand, at: int) -> None:
    terms = game.terms
    if hand.closed in NO_STAND:
        not_allowed(game, hand, at, f"it is {_why(hand)} already", terms.act_order.cite)
    elif not hand.closed:
        if hand.asked or hand.size < 2:
            not_allowed(game, hand, at, "it stood before its card had come", terms.act_order.cite)
        elif _chart_says_hit(game, hand):
            not_allowed(game, hand, at, f"a {hand.total} must hit, and it stood", terms.must_hit_on_hard.cite)
        hand.close("stood", at)


def _elect(game: Table, hand: TwentyOneHand, event: PlayerActed, bet: str) -> PureWager | None:
    """The wager that an act takes up, None where there is none that stands. That the two agree is checked."""
    named: PureWager | None = game.wagers.get(event.wager_id)
    if named is not None and named.bet == bet and named.refused:
        return None  # the refusal is the finding
    if named is not None and named.bet == bet and named.parent == hand.wager.id and not named.elected:
        named.elected = True
        return named
    found: PureWager | None = next(
        (
            wager
            for wager in game.spot(hand.seat).others
            if wager.bet == bet and wager.parent == hand.wager.id and not wager.elected and not wager.settled
        ),
        None,
    )
    sentence = f"{event.action} at seat {hand.seat}, hand {hand.number} names wager {event.wager_id or 'none'}" + (
        f"; {found.id} was placed for it." if found else ", which is no standing wager of this hand."
    )
    wager_id = found.id if found else event.wager_id or hand.wager.id
    game.find("ACT_WITHOUT_WAGER", event.sequence, sentence, cite=cite_of(game, bet), wager_id=wager_id)
    if found is not None:
        found.elected = True
    return found


def _refused(game: Table, hand: TwentyOneHand, wager: PureWager | None, at: int, why: str, cite: Citation) -> None:
    """An act with a wager that is not allowed: a finding, and its wager is void."""
    not_allowed(game, hand, at, why, cite, wager.id if wager else "")
    if wager is not None:
        wager.refused = True
        game.settle(wager, "VOID", at, cite)


def _against_chart(game: Table, hand: TwentyOneHand) -> str:
    """Where a reading of Chart 1A also limits doubling and splitting, what it says against it."""
    if not game.terms.chart_limits_double_and_split.value:
        return ""
    if _chart_says_stand(game, hand):
        return f"a {hand.total} must stand"
    return f"a {hand.total} must hit" if _chart_says_hit(game, hand) else ""


def _double(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    at, terms = event.sequence, game.terms
    wager = _elect(game, hand, event, "double")
    why, cite = "", terms.double_percent.cite
    if hand.of_aces:
        why, cite = "a split ace gets one card only and may not be doubled", terms.split_ace_cards.cite
    elif hand.closed not in (*OPTIONAL, ""):
        why = f"a hand that is {_why(hand)} may not be doubled"
    elif hand.size != 2 or hand.asked:
        why = "only the first two cards may be doubled"
    elif hand.from_split and not terms.double_after_split.value:
        why, cite = "a split hand may not be doubled", terms.double_after_split.cite
    elif _against_chart(game, hand):
        why, cite = _against_chart(game, hand), terms.chart_limits_double_and_split.cite
    if why:
        _refused(game, hand, wager, at, why, cite)
        if hand.closed or hand.of_aces:
            game.not_counted.add((hand.seat, hand.number))
        else:
            hand.asked = True
        return
    if hand.closed:
        hand.reopen()
        game.turns.again()
    if wager is not None and not wager.settled:
        most = divide(hand.wager.amount_minor * terms.double_percent.value, 100, rounding=Rounding.DOWN)
        if wager.amount_minor > most:
            _over(game, wager, most, "ABOVE_MAXIMUM", at, terms.double_percent.cite)
        hand.double = wager
    hand.asked = hand.doubling = True


def _over(game: Table, wager: PureWager, most_minor: int, kind: str, at: int, cite: Citation) -> None:
    """What is over a limit of the rules themselves has no action (C-26)."""
    wager.excess_minor = wager.amount_minor - most_minor
    sentence = (
        f"The {wager.bet} wager is {money_text(wager.amount_minor)} on a wager of {money_text(most_minor)}: "
        f"{money_text(wager.excess_minor)} goes back."
    )
    game.find(kind, (wager.placed_at, at), sentence, cite=cite, wager_id=wager.id)


def _split(game: Table, hand: TwentyOneHand, event: PlayerActed) -> None:
    at, terms, spot = event.sequence, game.terms, game.spot(event.seat)
    wager = _elect(game, hand, event, "split")
    why, cite = "", terms.split_equals.cite
    if hand.of_aces and not terms.resplit_aces.value:
        why, cite = "a split ace gets one card only and may not be split again", terms.resplit_aces.cite
    elif hand.closed and hand.closed != "split_ace":
        why = f"a hand that is {_why(hand)} may not be split"
    elif not splittable(hand, "value") or hand.asked:
        why = "only a pair or two bonus cards may be split"
    elif len(spot.hands) >= terms.split_hands.value:
        why, cite = f"splitting makes {terms.split_hands.value} hands at most", terms.split_hands.cite
    elif _against_chart(game, hand):
        why, cite = _against_chart(game, hand), terms.chart_limits_double_and_split.cite
    if why:
        _refused(game, hand, wager, at, why, cite)
        game.refused_splits.add(hand.seat)
        game.not_counted.add((hand.seat, hand.number))
        return
    hand.reopen()
    number = len(spot.hands) + 1
    while (hand.seat, number) in game.hands:
        number += 1
    new = spot.split(hand, number, at)
    game.hands[hand.seat, number] = new
    game.turns.insert_after(hand, new)
    new.wager = wager
    if wager is not None and not wager.settled:
        most = hand.wager.amount_minor
        if wager.amount_minor > most:
            _over(game, wager, most, "WRONG_AMOUNT", at, terms.split_equals.cite)
        elif wager.amount_minor < most:
            sentence = f"The split wager is {money_text(wager.amount_minor)}; it is equal to the {money_text(most)} split."
            game.find("WRONG_AMOUNT", (wager.placed_at, at), sentence, cite=terms.split_equals.cite, wager_id=wager.id)


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
    if hand.asked and not hand.closed:
        hand.asked = False
    elif hand.from_split and hand.size <= 2 and not hand.closed:
        pass  # the second card of a split hand comes by itself
    elif hand.size <= 2 and not hand.closed:
        _astray(game, at, f"A first card of seat {hand.seat} came after play had begun.")
    elif hand.closed or key in game.not_counted:
        hand.out.add(len(hand.cards) - 1)
        if key not in game.not_counted:
            _astray(
                game, at, f"A card went to seat {hand.seat}, hand {hand.number}, which was {_why(hand)}: it is not counted."
            )
        game.not_counted.discard(key)
        return
    else:
        _astray(game, at, f"Seat {hand.seat}, hand {hand.number} got a card that it had not asked for.")
    hand.count(hand.cards[-1])
    look(game, hand, at)


def _astray(game: Table, at: int, sentence: str) -> None:
    game.find("DEALT_OUT_OF_ORDER", at, sentence, cite=game.terms.act_order.cite)


def look(game: Table, hand: TwentyOneHand, at: int) -> None:
    """Close a hand that asks for no decision any more: over, 21, doubled, or a split ace with its card."""
    if hand.closed or hand.unread:
        return
    if hand.hard > LIMIT:
        hand.close("busted", at)
    elif hand.doubling and not hand.asked:
        hand.close("doubled", at)
    elif hand.of_aces and hand.size >= 2:
        again = game.terms.resplit_aces.value and len(game.spot(hand.seat).hands) < game.terms.split_hands.value
        if not (again and all(card.rank == ACE for card in hand.known())):
            hand.close("split_ace", at)
    elif hand.is_natural:
        hand.close("pure", at)
    elif hand.points == LIMIT:
        hand.close("twenty_one", at)
