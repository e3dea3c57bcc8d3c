"""The simulated dealer: house-correct rounds, a shoe that lasts, and mistakes with an exact key."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from events.model import CardDealt, CardExposed, MeterRead, RoundOpened, SettlementRecorded, ShoeShuffled, WagerPlaced
from processors import rulebook
from processors.games.blackjack.dealer import MISTAKES
from processors.kernel.cards import CARDS
from processors.replay import audit_round
from processors.rulebook import Rulebook
from tests.processors.games.blackjack.rounds import OPENED_AT, TABLES, dealer

ROUNDS = 60


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return rulebook.load()


def key(found: object) -> tuple[object, ...]:
    return tuple(getattr(found, name) for name in ("kind", "wager_id", "due_minor", "recorded_minor"))


@pytest.mark.parametrize("table", range(len(TABLES)))
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_house_correct_rounds_show_nothing_and_leave_nothing_undecided(book: Rulebook, table: int, seed: int) -> None:
    croupier = dealer(table, seed)
    for number in range(ROUNDS):
        audit = audit_round(croupier.deal(f"R{number}", OPENED_AT).events, book)
        assert [found.sentence for found in audit.discrepancies] == []
        assert "UNDECIDED" not in {due.result for due in audit.settlements}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_mistake_is_found_as_its_key_says_and_nothing_else_is(book: Rulebook, table: int, mistake: str) -> None:
    croupier = dealer(table, 7)
    if mistake not in croupier.mistakes:
        with pytest.raises(ValueError, match="no mistake"):
            croupier.deal("R0", OPENED_AT, mistake)
        return
    for number in range(12):
        round_ = croupier.deal(f"R{number}", OPENED_AT, mistake)
        assert round_.planted
        audit = audit_round(round_.events, book)
        assert sorted(map(key, audit.discrepancies)) == sorted(map(key, round_.planted))


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_no_shoe_deals_a_card_more_often_than_its_decks_hold_it(table: int) -> None:
    croupier = dealer(table, 11)
    dealt: dict[str, Counter[str]] = defaultdict(Counter)
    decks = 0
    for number in range(ROUNDS):
        shoe = ""
        for event in croupier.deal(f"R{number}", OPENED_AT).events:
            if isinstance(event, RoundOpened):
                shoe, decks = event.shoe_id, event.decks
            elif isinstance(event, ShoeShuffled):
                shoe = event.shoe_id
            elif isinstance(event, CardDealt | CardExposed) and event.card:
                dealt[shoe][event.card] += 1
    assert len(dealt) > 1
    assert max(max(counted.values()) for counted in dealt.values()) <= decks
    assert all(card in CARDS for counted in dealt.values() for card in counted)


def test_the_meter_of_the_sevens_goes_on_from_round_to_round() -> None:
    croupier = dealer(0, 5)
    shown = 0
    for number in range(ROUNDS):
        events = croupier.deal(f"R{number}", OPENED_AT).events
        opened = events[0]
        assert isinstance(opened, RoundOpened)
        (meter,) = opened.meters.values()
        sevens = [event for event in events if isinstance(event, WagerPlaced) and event.bet == "blazing_7s"]
        pots = [
            event
            for event in events
            if isinstance(event, SettlementRecorded)
            and event.wager_id in {wager.wager_id for wager in sevens}
            and event.paid_minor > 500 * 500
        ]
        if shown and not pots:
            assert meter == shown
        read = [event.amount_minor for event in events if isinstance(event, MeterRead)]
        # 24 percent of 5.00 is 1.20
        assert read == ([meter + 120 * len(sevens)] if sevens else [])
        shown = (read or [meter])[-1] if not pots else 0


def test_the_same_seed_deals_the_same_rounds() -> None:
    one, other = dealer(0, 3), dealer(0, 3)
    for number in range(5):
        assert one.deal(f"R{number}", OPENED_AT) == other.deal(f"R{number}", OPENED_AT)
