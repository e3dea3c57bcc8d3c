"""The dealer for simulation: what it deals is house-correct, and its mistakes are found as it says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from events.model import ContributionRecorded, Event, MeterRead, MeterReset, RoundOpened, SettlementRecorded, WagerPlaced
from processors.games.i_luv_suits.dealer import MISTAKES, POT_START_MINOR, ILuvSuitsDealer, worth
from processors.kernel.dealing import TableSetup
from processors.replay import audit_round
from tests.processors.games.rounds import book

PATRONS = [f"patron-{number}" for number in range(7)]


def dealer(seed: int, patrons: int = 6) -> ILuvSuitsDealer:
    setup = TableSetup(f"IL-{seed}", "us-ks-southwest", "2021-06-01", "USD", "dealer-1", PATRONS[:patrons])
    return ILuvSuitsDealer(setup, Random(seed))  # noqa: S311  # chance for a simulation, no secret


def found(events: list[Event]) -> list[tuple[str, str, int, int]]:
    audit = audit_round(events, book())
    return sorted((d.kind, d.wager_id, d.due_minor, d.recorded_minor) for d in audit.discrepancies)


@pytest.mark.parametrize("patrons", [1, 2, 6, 7])
def test_a_house_correct_round_has_nothing_to_report(patrons: int) -> None:
    for seed in range(10):
        table = dealer(seed, patrons)
        for number in range(30):
            dealt = table.deal(f"R{seed}-{number}", 1_622_570_400_000_000)
            assert (found(list(dealt.events)), list(dealt.planted)) == ([], [])


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_as_the_dealer_says(mistake: str) -> None:
    for seed in range(40):
        dealt = dealer(seed, 1 + seed % 7).deal("R", 1_622_570_400_000_000, mistake)
        assert found(list(dealt.events)) == sorted(tuple(planted) for planted in dealt.planted)
        assert dealt.planted


def test_every_bet_tips_and_ties_occur_in_what_is_dealt() -> None:
    seen: Counter[object] = Counter()
    for seed in range(60):
        table = dealer(seed)
        for number in range(10):
            events = table.deal(f"R{number}", 1_622_570_400_000_000).events
            bets = {event.wager_id: event.bet for event in events if isinstance(event, WagerPlaced)}
            seen.update((event.bet, event.for_dealer) for event in events if isinstance(event, WagerPlaced))
            seen.update((bets[e.wager_id], e.result) for e in events if isinstance(e, SettlementRecorded))
    for bet in ("ante", "play", "flush_rush", "super_flush_rush", "progressive"):
        assert {(bet, False), (bet, "WIN"), (bet, "PUSH" if bet == "play" else "LOSE")} <= set(seen)
    assert {("ante", True), ("play", True)} <= set(seen)


def test_the_meter_is_fed_with_what_is_recorded_and_never_jumps() -> None:
    table = dealer(3)
    shown = None
    for number in range(300):
        fed = 0
        for event in table.deal(f"R{number}", 1_622_570_400_000_000).events:
            if isinstance(event, RoundOpened):
                (meter,) = event.meters.values()
                assert shown in (None, meter)
                shown = meter
            elif isinstance(event, ContributionRecorded):
                assert event.amount_minor == 110  # 22% of 5.00
                fed += event.amount_minor
            elif isinstance(event, MeterRead) and not event.reason:
                assert shown is not None
                assert event.amount_minor == shown + fed
                shown, fed = event.amount_minor, 0
            elif isinstance(event, MeterRead | MeterReset):
                shown = event.amount_minor


class Stacked(Random):
    """A deck that comes as it is wanted: the first cards are the ones named."""

    cards: tuple[str, ...] = ()

    def shuffle(self, x: list[str]) -> None:
        rest = [card for card in x if card not in self.cards]
        x[:] = [*self.cards, *rest]

    def random(self) -> float:
        return 0.01  # every bet is placed

    def sample(self, population: object, k: int, *, counts: object = None) -> list[int]:
        return list(range(1, k + 1))

    def randint(self, a: int, b: int) -> int:
        return b


@pytest.mark.parametrize(
    ("cards", "left_minor"),
    [
        # a six card straight flush without an ace: a tenth of the pot is paid, nine tenths are left
        ("9d 8d 7d 6d 5d 4d 2c", None),
        # from the ace down, and all seven: the pot begins again
        ("Ad Kd Qd Jd Td 9d 2c", POT_START_MINOR),
        ("8d 7d 6d 5d 4d 3d 2d", POT_START_MINOR),
    ],
)
def test_a_share_of_the_pot_is_paid_and_the_meter_follows(cards: str, left_minor: int | None) -> None:
    random = Stacked(1)
    random.cards = tuple(cards.split())
    setup = TableSetup("IL-1", "us-ks-southwest", "2021-06-01", "USD", "dealer-1", PATRONS[:1])
    table = ILuvSuitsDealer(setup, random)
    before = table.pot_minor + 110
    dealt = table.deal("R", 1_622_570_400_000_000)
    assert found(list(dealt.events)) == []
    (paid,) = [
        e.paid_minor for e in dealt.events if isinstance(e, SettlementRecorded) and e.wager_id.startswith("progressive")
    ]
    assert paid == (before if left_minor else -(-before // 10))
    assert table.pot_minor == (left_minor or before - paid)


def test_the_dealers_own_ranking_knows_the_ace() -> None:
    assert worth(["Ad", "2d", "3d", "9h", "6h", "Kc", "Js"]) == ([14, 3, 2], [3, 2, 1])
    assert worth(["Ad", "Kd", "Qd", "2d", "6h", "Kc", "Js"]) == ([14, 13, 12, 2], [14, 13, 12])
    assert worth(["Kd", "Ad", "2d", "9h", "6h", "Kc", "Js"]).run == []
