"""What players of a game of 21 do, as every set of rules has it: the wager that an act takes up, doubling and splitting.

Whether an act is allowed is for the game to say: it hands in a `Refusal` where it is not. Of the game's terms are used
`double_percent`, `split_equals`, `split_hands` and `resplit_aces`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from events.model import PlayerActed
from processors.kernel.cards import ACE
from processors.kernel.citation import Citation
from processors.kernel.money import Rounding, divide, money_text
from processors.kernel.twenty_one import TwentyOneHand
from processors.kernel.twenty_one_table import TwentyOneTable
from processors.kernel.words import spoken


class Refusal(NamedTuple):
    """Why an act is not allowed, and by which paragraph."""

    why: str
    cite: Citation


def not_allowed(game: TwentyOneTable, hand: TwentyOneHand, at: int, why: str, cite: Citation, wager_id: str = "") -> None:
    """A finding about an act; that the hand was not decided rightly is said with it."""
    sentence = f"Seat {hand.seat}, hand {hand.number} ({hand}): {why}."
    game.misplayed.add(hand)
    game.find("ACT_NOT_ALLOWED", at, sentence, cite=cite, wager_id=wager_id or hand.wager.id)


def state_of(hand: TwentyOneHand) -> str:
    """In words, what a hand is that nobody may decide on."""
    return spoken(hand.closed) if hand.closed else "not complete"


def elect(game: TwentyOneTable, hand: TwentyOneHand, event: PlayerActed, bet: str) -> Any:
    """The wager that an act takes up, None where there is none that stands. That the two agree is checked."""
    named = game.wagers.get(event.wager_id)
    if named is not None and named.bet == bet and named.refused:
        return None  # the refusal is the finding
    if named is not None and named.bet == bet and named.parent == hand.wager.id and not named.elected:
        named.elected = True
        return named
    if named is not None and named.bet == bet and named.settled:
        return None  # it was refused, which is the finding
    found = next(
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
    game.find("ACT_WITHOUT_WAGER", event.sequence, sentence, cite=game.cite_of_bet(bet), wager_id=wager_id)
    if found is not None:
        found.elected = True
    return found


def limit(game: TwentyOneTable, wager: Any, most_minor: int, at: int, cite: Citation, kind: str = "ABOVE_MAXIMUM") -> None:
    """What is over a limit of the rules themselves has no action."""
    if wager.amount_minor > most_minor:
        wager.excess_minor = wager.amount_minor - most_minor
        sentence = (
            f"The {wager.bet} wager is {money_text(wager.amount_minor)}{game.OVER_LIMIT.format(money_text(most_minor))}: "
            f"{money_text(wager.excess_minor)} goes back."
        )
        game.find(kind, (wager.placed_at, at), sentence, cite=cite, wager_id=wager.id)


def _refuse(game: TwentyOneTable, hand: TwentyOneHand, wager: Any, at: int, refusal: Refusal) -> None:
    """An act with a wager that is not allowed: a finding, and its wager is void."""
    not_allowed(game, hand, at, *refusal, wager.id if wager else "")
    if wager is not None:
        game.void_refused(wager, at, refusal.cite)


def double(game: TwentyOneTable, hand: TwentyOneHand, event: PlayerActed, refusal: Refusal | None) -> None:
    """A player doubled: one more card comes. After a refused double of an open hand that card counts all the same."""
    at, rule = event.sequence, game.terms.double_percent
    wager = elect(game, hand, event, "double")
    if refusal is not None:
        _refuse(game, hand, wager, at, refusal)
        if hand.closed or hand.of_aces:
            game.skip_next.add((hand.seat, hand.number))
        else:
            hand.asked = True
        return
    if hand.closed:
        hand.reopen()
        game.turns.again()
    if wager is not None and not wager.settled:
        most = divide(hand.wager.amount_minor * rule.value, 100, rounding=Rounding.DOWN)
        limit(game, wager, most, at, rule.cite)
        hand.double = wager
    hand.asked = hand.doubling = True


def split(game: TwentyOneTable, hand: TwentyOneHand, event: PlayerActed, equal_minor: int, refusal: Refusal | None) -> None:
    """A player split a pair: one more hand is played, on a wager equal to `equal_minor`."""
    at, spot = event.sequence, game.spot(hand.seat)
    wager = elect(game, hand, event, "split")
    if refusal is not None:
        _refuse(game, hand, wager, at, refusal)
        game.skip_next.add((hand.seat, hand.number))
        game.refused_splits.add(hand.seat)
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
        _check_split_amount(game, wager, equal_minor, at)


def _check_split_amount(game: TwentyOneTable, wager: Any, equal_minor: int, at: int) -> None:
    cite = game.terms.split_equals.cite
    limit(game, wager, equal_minor, at, cite, "WRONG_AMOUNT")  # equal to it is the rule, not a limit
    if wager.amount_minor < equal_minor:
        equals = game.SPLIT_EQUALS.format(money_text(equal_minor))
        sentence = f"The split wager is {money_text(wager.amount_minor)}; it is equal to {equals}."
        game.find("WRONG_AMOUNT", (wager.placed_at, at), sentence, cite=cite, wager_id=wager.id)


def has_its_split_card(game: TwentyOneTable, hand: TwentyOneHand) -> bool:
    """Whether a split ace has the one card that it gets: not where that is an ace and may be split once more."""
    if not hand.of_aces or hand.size < 2:
        return False
    again = game.terms.resplit_aces.value and game.may_split_on(hand.seat)
    return not (again and all(card.rank == ACE for card in hand.known()))
