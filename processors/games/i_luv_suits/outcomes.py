"""Every outcome of a wager of I Luv Suits: the bonus wagers exactly, ante with play by rounds drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Final, NamedTuple

from events.errors import BadInput
from events.model import BettingClosed, CardDealt, Event, PlayerActed, RoundClosed, RoundOpened, WagerPlaced
from processors.games.i_luv_suits import wagers as w
from processors.games.i_luv_suits.hands import rank
from processors.games.i_luv_suits.terms import Terms
from processors.kernel.cards import CARDS, SUITS, Card
from processors.kernel.drawing import at_random
from processors.kernel.flush import SHORTEST_RUN, best_flush
from processors.kernel.money import money_text
from processors.kernel.outcomes import Bench, Distribution, Question, Verdict, merged, say, verdict_of, verdict_of_all

STAKE_MINOR: Final = 100_00
PROGRESSIVE_STAKE_MINOR: Final = 5_00
ROUNDS: Final = 30_000
SEAT: Final = 1
WAGER: Final = "asked"
RANKS: Final = range(2, 15)
PLAYS_FROM: Final = (3, (10, 8, 6))
STRATEGY: Final = (
    "the player plays 10-8-6 of a suit or better, with the most that the hand allows, and folds everything below"
)

Ranks = tuple[int, ...]
"""The ranks that a hand has of one suit."""


class HandClass(NamedTuple):
    """Hands that are alike for a question: how many there are, and one of them."""

    hands: int
    cards: Sequence[str]


def outcomes(question: Question, bench: Bench) -> Distribution:
    """The distribution of one wager, for each wager made; of an ante with the play wager that follows it.

    Raises BadInput where the wager cannot be made.
    """
    where = f"i_luv_suits {question.bet}"
    if question.on or question.paytable:
        raise BadInput("a wager of I Luv Suits is on nothing, and no paytable is chosen", where, "name the wager alone")
    if question.bet == w.PLAY:
        raise BadInput("a play wager hangs on the ante and the cards", where, "ask for --wager ante, which plays it")
    opening = _opening(question, bench)
    game = bench.open(opening)
    if game.found or game.wagers[WAGER].settled:
        reason = next((note.sentence for note in game.found.values()), "it cannot be wagered here")
        raise BadInput(reason.rstrip("."), where, "see `roundaudit rules show i_luv_suits`")
    if question.bet == w.ANTE:
        return _ante(opening, bench, game.terms)
    return _bonus(question, opening, bench, game.terms)


def _opening(question: Question, bench: Bench) -> list[Event]:
    """A table with the wager on it, and the ante that a bonus wager needs; betting is closed."""
    opened = RoundOpened(
        "edge", "edge", 0, 0, "edge", "i_luv_suits", question.jurisdiction, question.day, "USD", question.decks
    )
    start = bench.open([opened]).terms.progressive_start_minor.value
    events: list[Event] = [opened._replace(progressives={w.PROGRESSIVE: "pot"}, meters={"pot": start})]
    if question.bet != w.ANTE:
        say(events, WagerPlaced, w.ANTE, w.ANTE, STAKE_MINOR, SEAT)
    say(events, WagerPlaced, WAGER, question.bet, _stake_minor(question.bet), SEAT)
    say(events, BettingClosed)
    return events


def _stake_minor(bet: str) -> int:
    return PROGRESSIVE_STAKE_MINOR if bet == w.PROGRESSIVE else STAKE_MINOR


# --- the bonus wagers, exactly -------------------------------------------------------------------------------------------


def _bonus(question: Question, opening: Sequence[Event], bench: Bench, terms: Terms) -> Distribution:
    """One hand of each class is settled. Lengths of suits decide flush rush, the straight flushes in them the others."""
    cards_each = terms.cards_each.value
    key = len if question.bet == w.FLUSH_RUSH else _straight_flush(terms)
    total = comb(len(CARDS), cards_each)
    stake = _stake_minor(question.bet)

    def parts() -> Iterator[tuple[Fraction, Verdict]]:
        for found in hand_classes(cards_each, key).values():
            events = list(opening)
            _deal(events, "SEAT", SEAT, found.cards)
            yield Fraction(found.hands, total), verdict_of(bench.settle(events), WAGER, stake)

    note = f"{total:,} hands by classes"
    if question.bet == w.PROGRESSIVE:
        start = terms.progressive_start_minor.value
        note += f", a wager of {money_text(stake)}, the pot at its opening {money_text(start)}"
    return Distribution(merged(parts()), note=note)


def _straight_flush(terms: Terms) -> Callable[[Ranks], Hashable]:
    """What a suit adds to a hand's best straight flush: its length, and whether the ace counts in it."""

    def key(ranks: Ranks) -> Hashable:
        if len(ranks) < SHORTEST_RUN:
            return 0, False, 14 in ranks
        cards = [Card(each, SUITS[0]) for each in ranks]
        ranked = rank(cards, cards, terms)
        return len(ranked.run.ranks) if ranked.run else 0, ranked.has_ace, 14 in ranks

    return key


def hand_classes(size: int, key: Callable[[Ranks], Hashable]) -> Mapping[Hashable, HandClass]:
    """The hands of `size` cards in classes: two hands are alike when their suits have equal keys, in whatever order.

    `key` says of the ranks of one suit what matters of them. The numbers of hands add up to all C(52, size).
    """
    suit = _suit_classes(size, key)
    found: dict[tuple[Hashable, ...], HandClass] = {(): HandClass(1, ())}
    for letter in SUITS:
        longer: dict[tuple[Hashable, ...], HandClass] = {}
        for keys, hand in found.items():
            for (length, own), (ways, ranks) in suit.items():
                if len(hand.cards) + length > size:
                    continue
                together = tuple(sorted((*keys, (length, own)), key=repr))
                cards = (*hand.cards, *(_code(each, letter) for each in ranks))
                before = longer.get(together)
                hands = hand.hands * ways + (before.hands if before else 0)
                longer[together] = HandClass(hands, before.cards if before else cards)
        found = longer
    return {keys: hand for keys, hand in found.items() if len(hand.cards) == size}


def _suit_classes(size: int, key: Callable[[Ranks], Hashable]) -> dict[tuple[int, Hashable], tuple[int, Ranks]]:
    """The sets of ranks that a suit may have, by length and key: how many there are, and one of them."""
    found: dict[tuple[int, Hashable], tuple[int, Ranks]] = {}
    for length in range(size + 1):
        for ranks in combinations(RANKS, length):
            own = length, key(ranks)
            ways, first = found.get(own, (0, ranks))
            found[own] = ways + 1, first
    return found


# --- ante and play, at random --------------------------------------------------------------------------------------------


def _ante(opening: Sequence[Event], bench: Bench, terms: Terms) -> Distribution:
    """Whole rounds of one player against the dealer, each with a shuffled deck."""
    random = Random("i_luv_suits")  # noqa: S311  # a simulation that anybody can repeat
    deck = list(CARDS)

    def one_round() -> Verdict:
        cards = random.sample(deck, 2 * terms.cards_each.value)
        mine, dealers = cards[: terms.cards_each.value], cards[terms.cards_each.value :]
        events, stakes = list(opening), {WAGER: STAKE_MINOR}
        _deal(events, "SEAT", SEAT, mine)
        _deal(events, "DEALER", 0, dealers)
        flush = best_flush(CARDS[code] for code in mine).strength
        if flush >= PLAYS_FROM:
            length = flush[0]
            antes = terms.play_exactly.value.get(length) or terms.play_up_to.value[length]
            stakes[w.PLAY] = antes * STAKE_MINOR
            say(events, WagerPlaced, w.PLAY, w.PLAY, stakes[w.PLAY], SEAT, parent=WAGER)
            say(events, PlayerActed, "PLAY", SEAT, 1, w.PLAY)
        else:
            say(events, PlayerActed, "FOLD", SEAT, 1, WAGER)
        say(events, RoundClosed)
        return verdict_of_all(bench.settle(events), stakes, WAGER)

    return at_random(ROUNDS, one_round, f"{STRATEGY}; for each unit of the ante")


def _deal(events: list[Event], to: str, seat: int, cards: Sequence[str]) -> None:
    for code in cards:
        say(events, CardDealt, to, seat, 1, code)


def _code(each: int, suit: str) -> str:
    return Card(each, suit).code
