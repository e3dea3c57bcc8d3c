"""What a floor manager says before the sum: the cards one by one, the totals, the dealer's hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from processors.games.blackjack.wagers import MAIN, SIDE_BETS, cite_of, rule_of
from processors.kernel.settlement import Step
from processors.kernel.twenty_one import TwentyOneHand, total_of

if TYPE_CHECKING:
    from processors.games.blackjack.table import Table


def facts_of(game: Table, wager: Any) -> Iterator[Step]:
    """The steps for one wager, readable aloud, each with the paragraph that it rests on."""
    if wager.bet in SIDE_BETS:
        yield from _side_bet(game, wager)
    elif wager.bet == "insurance":
        yield from _dealer(game)
    else:
        yield from _on_a_hand(game, wager)
    for found in game.found.values():
        if found.wager_id == wager.id:
            yield Step(found.sentence, found.cite)
    for due in game.settlements:
        if due.wager_id == wager.id and due.result == "PUSH" and due.prize == "dealer blackjack":
            yield Step(
                f"The dealer's blackjack takes the original wager only; what the {wager.bet} added goes back.", due.cite
            )
        if due.wager_id == wager.id and due.result == "UNDECIDED" and due.prize:
            yield Step(f"It cannot be decided: {due.prize}.", due.cite)


def _on_a_hand(game: Table, wager: Any) -> Iterator[Step]:
    hand = _hand_of(game, wager)
    if hand is None:
        return
    yield _hand(game, hand)
    at_once, up = game.terms.blackjack_paid_at_once, game.up_card()
    if hand.closed == "blackjack" and at_once is not None and up is not None and up.code[0] in at_once.value:
        yield Step(f"The dealer's first card was the {up}: a blackjack is paid at once.", at_once.cite)
    elif hand.closed not in ("even_money", "busted"):
        yield from _dealer(game)


def _hand_of(game: Table, wager: Any) -> TwentyOneHand | None:
    own = game.spot(wager.seat).main if wager.bet == MAIN else wager  # a tip rides on the main wager
    return game.hand_with(own)


def _hand(game: Table, hand: TwentyOneHand) -> Step:
    words = f"Seat {hand.seat}" + (f", hand {hand.number}" if hand.from_split else "")
    how = {
        "blackjack": "a blackjack",
        "busted": f"{hand.points}, over 21",
        "doubled": f"{hand.total}, doubled",
        "surrendered": f"{hand.total}, surrendered",
        "even_money": "a blackjack, and even money was taken",
    }.get(hand.closed, str(hand.total))
    bet = "split" if hand.from_split else "double" if hand.doubling else MAIN
    return Step(f"{words} held {hand}: {how}.", cite_of(game, bet))


def _dealer(game: Table) -> Iterator[Step]:
    result = game.dealer_result
    if result is None:
        return
    cite = (game.terms.soft_17 or game.terms.hard_17).cite
    if result.natural:
        yield Step(f"The dealer held {game.dealer}: a blackjack.", game.terms.blackjack_beats_21.cite)
    elif result.total is None:
        yield Step(f"The dealer held {game.dealer}; {result.why}.", cite)
    else:
        cards = ", ".join(str(card) for card in result.counted)
        total = result.total
        yield Step(f"The dealer held {cards}: {total}{', over 21' if total.busted else ''}.", cite)


def _side_bet(game: Table, wager: Any) -> Iterator[Step]:
    rule = rule_of(game, wager.bet)
    cards = [card for card in game.spot(wager.seat).initial_cards() if card is not None]
    if rule is None or not cards:
        return
    words = f"The first two cards of seat {wager.seat} were {' and '.join(str(card) for card in cards)}"
    if wager.bet == "lucky_ladies":
        words += f", together {total_of(cards).points}"
    elif wager.bet != "royal_match" and game.up_card() is not None:
        which = "first" if game.up_place < game.hole_place else "up"
        words += f", the dealer's {which} card the {game.up_card()}"
    yield Step(f"{words}.", rule.cite)
    if wager.bet == "lucky_ladies":
        yield from _dealer(game)
    if wager.bet == "blazing_7s":
        yield from _share_of_the_pot(game, wager)


def _share_of_the_pot(game: Table, wager: Any) -> Iterator[Step]:
    """What was on the meter, and which part of it a wager that won of the pot gets."""
    rule = game.terms.blazing_7s_pot_percent
    prizes = {due.wager_id: due.prize.replace(" ", "_") for due in game.settlements if due.bet == "blazing_7s"}
    row = prizes.get(wager.id, "")
    if game.pot_minor is None or row not in rule.value:
        return
    whole, part = divmod(int(game.pot_minor), 100)
    yield Step(f"The meter stood at {whole:,}.{part:02d}.", game.terms.blazing_7s_own_share.cite)
    sharers = sum(prize == row for prize in prizes.values())
    among = f", divided equally among {sharers} hands" if sharers > 1 else ""
    yield Step(
        f"{row.replace('_', ' ').capitalize()} win {rule.value[row]} percent of it{among}, up to the cent.", rule.cite
    )
