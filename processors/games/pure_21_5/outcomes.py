"""Every outcome of a wager of Pure 21.5: the Red Flex bet exactly, the game wager by rounds drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from events.errors import BadInput
from events.model import BettingClosed, CardDealt, CardExposed, Event, HoleCardChecked, RoundClosed, RoundOpened, WagerPlaced
from processors.games.pure_21_5.player_dealer import draws
from processors.games.pure_21_5.wagers import BANK, INSURANCE, MAIN, RED_FLEX
from processors.kernel.basic_strategy import SEAT, STRATEGY, SpotPlayed, looks_under
from processors.kernel.cards import CARDS, Card
from processors.kernel.drawing import ShuffledShoe, at_random
from processors.kernel.outcomes import Bench, Distribution, Question, Verdict, merged, say, verdict_of, verdict_of_all
from processors.kernel.twenty_one import POINTS

STAKE_MINOR: Final = 1_000_00
"""Divides by every denominator of the odds, so that no payment is rounded."""
BANK_MINOR: Final = 1_000 * STAKE_MINOR
"""Covers every payment in full: what a bank that runs dry leaves out is no matter of the odds."""
ROUNDS: Final = 40_000
USUAL_DECKS: Final = 6
WAGER: Final = "asked"
BANK_SEAT: Final = 8
RED: Final = {
    points: tuple(code for code, card in CARDS.items() if card.is_red and POINTS[card.rank] == points)
    for points in range(1, 11)
}
"""The red cards by their points (an ace is one): more than that no rule of drawing asks."""
Points = tuple[int, ...]
BLACK: Final = tuple(code for code, card in CARDS.items() if not card.is_red)


def outcomes(question: Question, bench: Bench) -> Distribution:
    """The distribution of one wager, for each wager made; of a game wager with the doubles and splits that follow it.

    Raises BadInput where the wager cannot be made.
    """
    where = f"pure_21_5 {question.bet}"
    if question.on:
        raise BadInput("a wager of this game is on nothing", where, f"ask for --wager {question.bet}")
    if question.bet == BANK:
        raise BadInput("what the bank wins is what the players lose", where, "ask for --wager main or red_flex")
    if question.bet == INSURANCE:
        raise BadInput("this game offers no insurance", where, "ask for --wager main or red_flex")
    if question.bet not in (MAIN, RED_FLEX):
        raise BadInput("it hangs on the game wager and the cards", where, "ask for --wager main, which plays them")
    if question.bet == MAIN and question.paytable:
        raise BadInput("it does not pay by a paytable", where, "ask without --paytable")
    if question.bet == RED_FLEX and not question.paytable:
        raise BadInput("it pays by the table's paytable", where, "name one with --paytable, as RFB-01")
    decks = question.decks or USUAL_DECKS
    opening = _opening(question, decks)
    game = bench.open(opening)
    if game.found:
        reason = next(note.sentence for note in game.found.values())
        raise BadInput(reason.rstrip("."), where, "see `roundaudit rules show pure_21_5`")
    note = "one deck" if decks == 1 else f"{decks} decks"
    if question.bet == MAIN:
        return _main(opening, decks, bench, note)
    return Distribution(merged(_red_flex(opening, decks, bench, game)), note=note)


def _opening(question: Question, decks: int) -> list[Event]:
    """A table with a bank that covers everything, a game wager, and the Red Flex bet beside it; betting is closed."""
    paytables = {RED_FLEX: question.paytable} if question.paytable else {}
    events: list[Event] = [
        RoundOpened(
            "edge", "edge", 0, 0, "edge", "pure_21_5", question.jurisdiction, question.day, "USD", decks,
            paytables=paytables,
        )
    ]  # fmt: skip
    say(events, WagerPlaced, BANK, BANK, BANK_MINOR, BANK_SEAT)
    say(events, WagerPlaced, MAIN, MAIN, STAKE_MINOR, SEAT)
    if question.bet == RED_FLEX:
        say(events, WagerPlaced, WAGER, RED_FLEX, STAKE_MINOR, SEAT, parent=MAIN)
    say(events, BettingClosed)
    return events


# --- the Red Flex bet, exactly -------------------------------------------------------------------------------------------


def _red_flex(opening: Sequence[Event], decks: int, bench: Bench, game: Any) -> Iterator[tuple[Fraction, Verdict]]:
    """Walk through the hands of the player-dealer as long as they are red.

    The drawing rule sees points only, and what comes next does not hang on their order: hands of the same points are walked
    as one, of which one order in which they may come is kept. At the first black card the run is over, and any cards that
    complete the hand stand for all.
    """
    hands: dict[Points, tuple[Fraction, list[Card]]] = {(): (Fraction(1), [])}
    while hands:
        longer: dict[Points, tuple[Fraction, list[Card]]] = {}
        for points, (probability, cards) in hands.items():
            if len(cards) >= 2 and not draws(game, cards):
                yield probability, _settled(opening, cards, bench)
                continue
            left = 52 * decks - len(cards)
            black = _completed(game, [*cards, CARDS[BLACK[0]]])
            yield probability * Fraction(len(BLACK) * decks, left), _settled(opening, black, bench)
            for each, codes in RED.items():
                here = len(codes) * decks - points.count(each)
                if here:
                    together = tuple(sorted((*points, each)))
                    next_card = next(card for code in codes if cards.count(card := CARDS[code]) < decks)
                    before, one = longer.get(together, (Fraction(0), [*cards, next_card]))
                    longer[together] = before + probability * Fraction(here, left), one
        hands = longer


def _completed(game: Any, cards: list[Card]) -> list[Card]:
    """The cards with as many black ones behind them as the player-dealer has to draw."""
    others = iter(BLACK[1:])
    while len(cards) < 2 or draws(game, cards):
        cards.append(CARDS[next(others)])
    return cards


def _settled(opening: Sequence[Event], dealer: Sequence[Card], bench: Bench) -> Verdict:
    """The bet after a round whose player cards nobody read: they cannot matter."""
    events = list(opening)
    up, hole, *drawn = dealer
    for face_up, card in ((True, up), (False, hole)):
        say(events, CardDealt, "SEAT", SEAT, 1, "")
        say(events, CardDealt, "DEALER", 0, 1, card.code, face_up)
    if looks_under(up, tens=True):
        say(events, HoleCardChecked)
    say(events, CardExposed, "DEALER", hole.code, position=1)
    for card in drawn:
        say(events, CardDealt, "DEALER", 0, 1, card.code)
    say(events, RoundClosed)
    return verdict_of(bench.settle(events), WAGER, STAKE_MINOR)


# --- the game wager, at random -------------------------------------------------------------------------------------------


def _main(opening: Sequence[Event], decks: int, bench: Bench, note: str) -> Distribution:
    """Whole rounds of one spot, each from a full shoe, played by a fixed strategy that Chart 1A permits."""
    random = Random(f"pure_21_5 {decks}")  # noqa: S311  # a simulation that anybody can repeat
    hits = bench.open(opening).terms.soft_17.value == "hit"

    def one_round() -> Verdict:
        shoe = ShuffledShoe(decks, random)
        played = SpotPlayed(
            opening, STAKE_MINOR, shoe.draw, lambda up, natural: looks_under(up, tens=True),
            up_dealt_open=True, hits_soft_17=hits, draws_regardless=True,
        )  # fmt: skip
        return verdict_of_all(bench.settle(played.events), played.stakes_minor, MAIN)

    return at_random(ROUNDS, one_round, f"{note}, a full shoe each round; {STRATEGY}; for each unit of the first wager")
