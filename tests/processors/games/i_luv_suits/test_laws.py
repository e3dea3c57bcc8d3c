"""What holds for every round of I Luv Suits, whatever was wagered, dealt and done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings

from events.codec import encode_record
from events.model import Event, RoundOpened, WagerChanged, WagerPlaced
from processors.kernel.cards import CARDS
from processors.kernel.settlement import RoundAudit
from processors.record import to_record
from processors.replay import audit_round, explain_round
from tests.processors.games.i_luv_suits.rounds import ROUNDS, Seat, round_of, soups
from tests.processors.games.rounds import book

Round = tuple[list[Seat], list[str]]


def audited(events: Sequence[Event]) -> RoundAudit:
    return audit_round(events, book(), only_due=True)


@settings(max_examples=300, deadline=None)
@given(ROUNDS)
def test_the_chips_of_every_wager_add_up(drawn: Round) -> None:
    events = round_of(*drawn)
    stakes = {event.wager_id: event.amount_minor for event in events if isinstance(event, WagerPlaced)}
    audit = audited(events)
    patrons = {s.wager_id: s for s in audit.settlements if s.paid_to == "PATRON"}
    dealers = {s.wager_id: s for s in audit.settlements if s.paid_to == "DEALER"}
    assert sorted(patrons) == sorted(stakes)
    for wager_id, s in patrons.items():
        back = s.stake_returned_minor + s.no_action_minor
        if wager_id in dealers:
            # a tip wager that won: stake and winnings are the dealer's
            assert (s.paid_minor, back) == (0, 0)
            assert dealers[wager_id].paid_minor == 2 * stakes[wager_id]
        elif s.result == "LOSE":
            assert (s.paid_minor, s.stake_returned_minor) == (0, 0)
        elif s.bet == "progressive":
            # "for 1": the wager is already gone
            assert s.paid_minor > 0
            assert back == 0
        else:
            assert back == stakes[wager_id]
            assert s.result == "WIN" or s.paid_minor == 0


def strength(cards: Sequence[str]) -> tuple[int, list[int]]:
    """The strongest flush by trying every subset."""
    found = [CARDS[code] for code in cards]
    return max(
        (size, sorted((card.rank for card in some), reverse=True))
        for size in range(1, 8)
        for some in combinations(found, size)
        if len({card.suit for card in some}) == 1
    )


@settings(max_examples=150, deadline=None)
@given(ROUNDS)
def test_ante_and_play_come_out_as_a_naive_comparison_says(drawn: Round) -> None:
    seats, deck = drawn
    due = {s.wager_id: s for s in audited(round_of(seats, deck)).settlements if s.paid_to == "PATRON"}
    dealer = strength(deck[-7:])
    for place, seat in enumerate(sorted(seats)):
        mine = strength(deck[7 * place : 7 * place + 7])
        if seat.folds:
            wanted = ("LOSE", None)
        elif dealer < (3, [9]):
            wanted = ("WIN", "PUSH")
        else:
            both = "WIN" if mine > dealer else "LOSE" if mine < dealer else "PUSH"
            wanted = (both, both)
        play = due.get(f"p{seat.number}")
        assert (due[f"a{seat.number}"].result, play and play.result) == wanted
        if play:
            # one ante with fewer than five of a suit, two with five, three with more; what is over goes back
            most = seat.ante_minor * {5: 2, 6: 3, 7: 3}.get(mine[0], 1)
            assert play.no_action_minor == max(0, seat.times * seat.ante_minor - most)


@settings(max_examples=150, deadline=None)
@given(ROUNDS)
def test_a_seat_changes_nothing_for_another_but_for_the_pot(drawn: Round) -> None:
    seats, deck = drawn
    numbers = sorted(seat.number for seat in seats)
    stays = frozenset(numbers[::2])
    full, part = (
        {
            (s.wager_id, s.paid_to): s._replace(decided_at=0)
            for s in audited(round_of(seats, deck, only)).settlements
            if int(s.wager_id[-1]) in stays and s.bet != "progressive"
        }
        for only in (None, stays)
    )
    assert full == part


@settings(max_examples=400, deadline=None)
@given(soups())
def test_no_soup_of_events_stops_a_replay_and_every_wager_gets_its_verdict(events: list[Event]) -> None:
    audit = audit_round(events, book())
    placed = {event.wager_id for event in events if isinstance(event, WagerPlaced)}
    verdicts = [s.wager_id for s in audit.settlements if s.paid_to == "PATRON"]
    assert sorted(verdicts) == sorted(placed)
    assert set(explain_round(events, book())) == placed
    largest = dict.fromkeys(placed, 0)
    for event in events:
        if isinstance(event, WagerPlaced | WagerChanged) and event.wager_id in largest:
            largest[event.wager_id] = max(largest[event.wager_id], event.amount_minor)
    for s in audit.settlements:
        if s.paid_to == "PATRON" and s.result != "VOID":
            assert 0 <= s.stake_returned_minor + s.no_action_minor <= largest[s.wager_id]


@settings(max_examples=150, deadline=None)
@given(soups())
def test_the_same_events_give_the_same_bytes(events: list[Event]) -> None:
    first, second = (encode_record("RoundAudit", to_record(audit_round(events, book()))) for _ in range(2))
    assert first == second


def test_every_verdict_and_finding_of_a_full_round_has_its_paragraph() -> None:
    seats = [Seat(number, 1000, {"flush_rush": 500, "super_flush_rush": 500}, 500, number == 2, 1) for number in (1, 2, 3)]
    events = round_of(seats, sorted(CARDS, reverse=True))
    assert isinstance(events[0], RoundOpened)
    for settlement in audited(events).settlements:
        assert settlement.cite.paragraph.startswith("111-301-7")
