"""Every outcome of a blackjack wager: optional wagers and insurance exactly, the main wager by rounds drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

from events.errors import BadInput
from events.model import (
    BettingClosed,
    CardDealt,
    CardExposed,
    Event,
    HoleCardChecked,
    PlayerActed,
    RoundOpened,
    WagerPlaced,
)
from processors.games.blackjack.wagers import MAIN
from processors.kernel.basic_strategy import SEAT, STRATEGY, SpotPlayed, looks_under
from processors.kernel.cards import CARDS
from processors.kernel.drawing import ShuffledShoe, at_random, draws, draws_up_to_suits
from processors.kernel.money import money_text
from processors.kernel.outcomes import Bench, Distribution, Question, Verdict, merged, say, verdict_of, verdict_of_all
from processors.kernel.twenty_one import POINTS

STAKE_MINOR: Final = 1_000_00
"""Divides by every denominator of the odds, so that no payment is rounded."""
SEVENS_STAKE_MINOR: Final = 5_00
ROUNDS: Final = 40_000
USUAL_DECKS: Final = 6
WAGER: Final = "asked"
BESIDE: Final = {"us-ks-southwest": "three_card", "us-sd": "trilux"}
"""The wager that a super 3 wager needs beside it."""
BESIDE_PAYTABLE: Final = "TRILG-01"
"""A trilux paytable for every number of decks: what trilux pays is nothing to a super 3 wager."""
POSTED: Final = {"blackjack_pays": "3 to 2", "soft_17": "hit", "tie": "push", "insurance": "offered", "surrender": "none"}
"""What a table is taken to post where the rules leave it to the house."""
SEVENS: Final = tuple((code,) for code in CARDS if code[0] == "7")
SEVENS_ONLY: Final = (*SEVENS, tuple(code for code in CARDS if code[0] != "7"))
DEALERS_CARDS: Final = (
    tuple(code for code in CARDS if code[0] == "A"),
    tuple(code for code, card in CARDS.items() if POINTS[card.rank] == 10),
    tuple(code for code in CARDS if code[0] in "23456789"),
)
"""What a dealer's blackjack depends on: aces, ten-valued cards, all others."""


def outcomes(question: Question, bench: Bench) -> Distribution:
    """The distribution of one wager, for each wager made; of a main wager with the doubles and splits that follow it.

    Raises BadInput where the wager cannot be made.
    """
    if question.on:
        raise BadInput(f"a blackjack wager is on nothing, not on {question.on!r}", do=f"ask for --wager {question.bet}")
    if question.bet in ("double", "split"):
        raise BadInput(
            f"a {question.bet} hangs on the main wager and the cards", do="ask for --wager main, which plays them"
        )
    asked = _Asked(question, bench)
    if question.bet == MAIN:
        return asked.at_random()
    return Distribution(merged(asked.insurance() if question.bet == "insurance" else asked.optional()), note=asked.note)


class _Asked:
    """A question at a table: the decks, the opening events, and the note that says what was assumed."""

    def __init__(self, question: Question, bench: Bench) -> None:
        self.question = question
        self.bench = bench
        self.main_only = question.bet in (MAIN, "insurance")
        self.decks = question.decks
        self.start_minor = 0
        game = bench.open(self._opened())
        self.decks = question.decks or _usual_decks(question, game)
        self.stake_minor = SEVENS_STAKE_MINOR if question.bet == "blazing_7s" else STAKE_MINOR
        self.note = "one deck" if self.decks == 1 else f"{self.decks} decks"
        if question.bet == "blazing_7s" and game.terms.blazing_7s_start_minor is not None:
            self.start_minor = game.terms.blazing_7s_start_minor.value
            self.note += (
                f", a wager of {money_text(self.stake_minor)}, the pot at its opening {money_text(self.start_minor)}"
            )
        self.opening = self._opening()
        self._check(bench.open(self.opening))

    def _opened(self) -> list[Event]:
        question = self.question
        paytables = {question.bet: question.paytable} if question.paytable else {}
        meters: Mapping[str, int] = {}
        if question.bet == "super_3" and question.paytable:
            paytables["trilux"] = BESIDE_PAYTABLE
        if question.bet == "blazing_7s":
            meters = {"blazing_7s": self.start_minor}
        return [
            RoundOpened(
                "edge", "edge", 0, 0, "edge", "blackjack", question.jurisdiction, question.day, "USD", self.decks,
                paytables=paytables, options=POSTED, meters=meters,
            )
        ]  # fmt: skip

    def _opening(self) -> list[Event]:
        """A table with the wager on it, and those that it needs beside it; betting is closed."""
        events = self._opened()
        say(events, WagerPlaced, MAIN, MAIN, 2 * STAKE_MINOR, SEAT)
        if not self.main_only:
            beside = BESIDE.get(self.question.jurisdiction)
            if self.question.bet == "super_3" and beside:
                say(events, WagerPlaced, beside, beside, self.stake_minor, SEAT)
            say(events, WagerPlaced, WAGER, self.question.bet, self.stake_minor, SEAT)
        say(events, BettingClosed)
        return events

    def _check(self, game: Any) -> None:
        """Raise what the engine itself says against the wager."""
        question, where = self.question, f"blackjack {self.question.bet}"
        wager = game.wagers[MAIN if self.main_only else WAGER]
        if question.paytable and wager.paytable is None and not wager.settled:
            raise BadInput("it does not pay by a paytable", where, "ask without --paytable")
        found = {note.kind: note.sentence for note in game.found.values() if note.wager_id in (wager.id, "")}
        if "UNKNOWN_PAYTABLE" in found and not question.paytable:
            raise BadInput("it pays by the table's paytable", where, "name one with --paytable, as A or TRI-01")
        if wager.settled or found:
            reason = next(iter(found.values()), "it cannot be wagered here")
            raise BadInput(reason.rstrip("."), where, "see `roundaudit rules show blackjack`")

    # --- optional wagers and insurance, exactly ----------------------------------------------------------------------

    def optional(self) -> Iterator[tuple[Fraction, Verdict]]:
        """The spot's first two cards and the dealer's first; where they do not decide the wager, the dealer's second."""
        for probability, cards in self._first_cards():
            verdict = self._verdict(self._dealt(cards[:2], cards[2:]))
            if not verdict.label.startswith("UNDECIDED"):
                yield probability, verdict
                continue
            for share, both in draws(self.decks, 2 - len(cards[2:]), DEALERS_CARDS, gone=cards):
                yield probability * share, self._verdict(self._dealt(cards[:2], (*cards[2:], *both)))

    def _first_cards(self) -> Iterator[tuple[Fraction, tuple[str, ...]]]:
        bet = self.question.bet
        if bet == "blazing_7s":
            return draws(self.decks, 3, SEVENS_ONLY)
        if bet == "lucky_ladies":
            return draws_up_to_suits(self.decks, 2, ("cds", "h"))
        return draws_up_to_suits(self.decks, 2 if bet == "royal_match" else 3)

    def _dealt(self, player: tuple[str, ...], dealer: tuple[str, ...]) -> list[Event]:
        """The first cards. One that the wager does not hang on is unread, so that it cannot matter."""
        events = list(self.opening)
        up, hole = (*dealer, "", "")[:2]
        say(events, CardDealt, "SEAT", SEAT, 1, player[0])
        say(events, CardDealt, "DEALER", 0, 1, up, False)
        say(events, CardDealt, "SEAT", SEAT, 1, player[1])
        say(events, CardDealt, "DEALER", 0, 1, hole, False)
        if up:
            say(events, CardExposed, "DEALER", up, position=0)
        return events

    def insurance(self) -> Iterator[tuple[Fraction, Verdict]]:
        """An ace is up and nothing else is known: every card may be the hole card."""
        self.note += ", an ace up and no other card known"
        for probability, (hole,) in draws(self.decks, 1, gone=("As",)):
            events = self._dealt(("", ""), ("As", hole))
            say(events, WagerPlaced, WAGER, "insurance", STAKE_MINOR, SEAT, parent=MAIN)
            say(events, PlayerActed, "INSURE", SEAT, 1, WAGER)
            say(events, HoleCardChecked)
            yield probability, self._verdict(events)

    def _verdict(self, events: list[Event]) -> Verdict:
        return verdict_of(self.bench.settle(events), WAGER, self.stake_minor)

    # --- the main wager, at random -----------------------------------------------------------------------------------

    def at_random(self) -> Distribution:
        """Whole rounds of one spot, each from a full shoe, played by a fixed strategy."""
        random = Random(f"{self.decks} {self.question.jurisdiction}")  # noqa: S311  # a simulation that anybody can repeat
        terms = self.bench.open(self.opening).terms
        opening = self._opened()
        say(opening, WagerPlaced, MAIN, MAIN, STAKE_MINOR, SEAT)
        say(opening, BettingClosed)
        hits = terms.soft_17.value == "hit" if terms.soft_17 is not None else POSTED["soft_17"] == "hit"
        looks = terms.check_under_ten is None or terms.check_under_ten.value == "player_blackjack"

        def one_round() -> Verdict:
            shoe = ShuffledShoe(self.decks, random)
            played = SpotPlayed(
                opening, STAKE_MINOR, shoe.draw,
                lambda up, natural: looks_under(up, tens=natural and looks),
                up_dealt_open=terms.dealer_dealt_face_down is None, hits_soft_17=hits,
            )  # fmt: skip
            return verdict_of_all(self.bench.settle(played.events), played.stakes_minor, MAIN)

        note = f"{self.note}, a full shoe each round; {STRATEGY}; for each unit of the first wager"
        if terms.blackjack_pays is None:
            note += "; taken as posted: blackjack 3 to 2, soft 17 is hit, a tie is a push, no surrender"
        return at_random(ROUNDS, one_round, note)


def _usual_decks(question: Question, game: Any) -> int:
    """Six decks where the wager allows them, else the fewest that it does."""
    paytable = game.paytables(question.paytable) if question.paytable else None
    allowed = paytable.decks if paytable is not None else ()
    return USUAL_DECKS if not allowed or USUAL_DECKS in allowed else min(allowed)
