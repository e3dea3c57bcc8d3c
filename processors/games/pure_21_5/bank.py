"""The bank: where the action begins, how far the player-dealer's wager reaches, and what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from processors.games.pure_21_5.verdicts import Verdict
from processors.kernel.cards import RANKS, Card
from processors.kernel.twenty_one import Spot
from processors.kernel.twenty_one_table import TwentyOneWager

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

SEATS = range(1, 9)
"""The table seats eight (Round of Play 1)."""


def from_button(game: Table, hole: Card | None) -> tuple[list[Spot], bool]:
    """The spots with a wager in the order of action, and whether that order is known (the down card sets the button)."""
    spots = sorted(game.clockwise(), key=lambda spot: spot.seat)
    if hole is None or not spots:
        return spots, len(spots) <= 1
    start = button_place(game, hole, [spot.seat for spot in spots])
    return spots[start:] + spots[:start], True


def button_place(game: Table, hole: Card, seats: Sequence[int]) -> int:
    """The index in `seats` (ascending, those with a wager) at which the action button lies."""
    value: int = game.terms.button_values.value[RANKS[hole.rank - 2]]
    if game.terms.button_counts.value == "spots_with_a_wager":
        return (value - 1) % len(seats)
    bank = game.bank.seat if game.bank is not None else 0
    around = [seat for seat in SEATS if seat != bank]
    seat = around[(value - 1) % len(around)]
    return next((place for place, other in enumerate(seats) if other >= seat), 0)


class Moved(NamedTuple):
    """A line of the bank's account: chips that a wager moved to the player-dealer (negative: from it), in minor units.

    `won` says which way also where nothing could move.
    """

    wager: TwentyOneWager
    to_bank_minor: int
    won: bool
    in_full: bool


class Room(NamedTuple):
    """The least and the most that the bank can still pay, or take."""

    least: int
    most: int

    def less(self, minor: int) -> Room:
        """After `minor` of it was used."""
        return Room(self.least - minor, self.most - minor)

    def maybe_less(self, minor: int) -> Room:
        """After up to `minor` of it may have been used."""
        return Room(max(0, self.least - minor), self.most)

    def maybe_more(self, minor: int, limit: int) -> Room:
        """After up to `minor` may have come back, never beyond `limit`."""
        return Room(self.least, min(limit, self.most + minor))

    def reach(self, minor: int) -> int | None:
        """How much of `minor` it covers; None where that depends on what is unknown."""
        if minor <= self.least:
            return minor
        return self.least if self.least == self.most else None


class Coverage:
    """The bank's wager while it is used: it may not win or lose more than it is (Round of Play 13).

    What was collected pays later winners; with `wager_alone` it does not (P-06). Wagers that are undecided make the room
    uncertain: it is kept as the least and the most it can be.
    """

    def __init__(self, bank_minor: int, *, wager_alone: bool = False) -> None:
        self.bank_minor = bank_minor
        self.wager_alone = wager_alone
        self.to_pay = self.to_take = Room(bank_minor, bank_minor)
        self.balance_minor = 0

    def pay(self, due_minor: int) -> int | None:
        """A player won: what the bank can pay of it, in minor units, or None where that is not known."""
        paid = self.to_pay.reach(due_minor)
        if paid is not None:
            self.to_pay = self.to_pay.less(paid)
            if not self.wager_alone:
                self.to_take = self.to_take.less(-paid)
            self.balance_minor -= paid
        return paid

    def take(self, lost_minor: int) -> int | None:
        """A player lost: what the bank may collect of it, or None where that is not known."""
        taken = self.to_take.reach(lost_minor)
        if taken is not None:
            self.to_take = self.to_take.less(taken)
            if not self.wager_alone:
                self.to_pay = self.to_pay.less(-taken)
            self.balance_minor += taken
        return taken

    def unknown(self, win_minor: int, loss_minor: int) -> None:
        """A wager that may win up to one amount or lose up to another."""
        limit = 2 * self.bank_minor
        self.to_pay = self.to_pay.maybe_less(win_minor)
        self.to_take = self.to_take.maybe_less(loss_minor)
        if not self.wager_alone:
            self.to_pay = self.to_pay.maybe_more(loss_minor, limit)
            self.to_take = self.to_take.maybe_more(win_minor, limit)


def settle_all(game: Table, verdicts: Sequence[tuple[TwentyOneWager, Verdict]], at: int, *, order_known: bool) -> None:
    """Settle the wagers in the order of action out of the bank's wager, then the bank itself."""
    bank = game.bank
    if bank is None:
        return
    coverage = Coverage(bank.amount_minor, wager_alone=game.terms.coverage.value == "wager_alone")
    if not order_known:
        for wager, verdict in verdicts:
            coverage.unknown(_most_won(game, wager, verdict, bank.amount_minor), wager.action_minor)
    for wager, verdict in verdicts:
        _settle(game, coverage, wager, verdict, at)
    _settle_bank(game, bank, coverage.balance_minor, at)


def _most_won(game: Table, wager: TwentyOneWager, verdict: Verdict, bank_minor: int) -> int:
    odds = verdict.odds or verdict.most_odds
    if verdict.result == "UNDECIDED" and odds is None:
        return 2 * bank_minor
    return game.pay(wager.action_minor, odds) if odds is not None else 0


def _settle(game: Table, coverage: Coverage, wager: TwentyOneWager, verdict: Verdict, at: int) -> None:
    result, cite = verdict.result, verdict.cite
    if result == "WIN" and verdict.odds is not None:
        due = game.pay(wager.action_minor, verdict.odds)
        paid = coverage.pay(due)
        if paid is None:
            _uncertain(game, coverage, wager, due, 0, at)
        elif paid == due:
            game.account.append(Moved(wager, -paid, won=True, in_full=True))
            game.settle(wager, "WIN", at, cite, odds=verdict.odds, prize=verdict.prize)
        else:
            game.account.append(Moved(wager, -paid, won=True, in_full=False))
            wager.excess_minor = wager.amount_minor - min(wager.action_minor, paid)
            _in_part(game, wager, verdict, paid, at)
    elif result == "LOSE":
        lost = wager.action_minor - verdict.returned_minor
        taken = coverage.take(lost)
        if taken is None:
            _uncertain(game, coverage, wager, 0, lost, at)
            return
        game.account.append(Moved(wager, taken, won=False, in_full=taken == lost))
        wager.excess_minor += lost - taken
        if taken or not lost:
            decided_by = cite if taken == lost else game.terms.coverage.cite
            game.settle(wager, "LOSE", at, decided_by, returned_minor=verdict.returned_minor, prize=verdict.prize)
        else:
            wager.excess_minor = wager.amount_minor
            _in_part(game, wager, verdict, 0, at)
    elif result == "UNDECIDED":
        coverage.unknown(_most_won(game, wager, verdict, coverage.bank_minor), wager.action_minor)
        game.undecide(wager, at, cite, verdict.prize)
    else:
        game.settle(wager, result, at, cite, prize=verdict.prize)


def _in_part(game: Table, wager: TwentyOneWager, verdict: Verdict, paid_minor: int, at: int) -> None:
    """A wager that the bank covers in part wins what there is; one that it does not cover at all is returned."""
    cite = game.terms.coverage.cite
    if paid_minor:
        game.settle(wager, "WIN", at, cite, paid_minor=paid_minor, prize=f"{verdict.prize}, as far as the bank reaches")
    else:
        game.settle(wager, "VOID", at, cite, prize="not covered by the bank")


def _uncertain(game: Table, coverage: Coverage, wager: TwentyOneWager, win: int, loss: int, at: int) -> None:
    coverage.unknown(win, loss)
    why = "how far the bank reaches hangs on what is undecided"
    game.undecide(wager, at, game.terms.coverage.cite, why)


def _settle_bank(game: Table, bank: TwentyOneWager, balance: int, at: int) -> None:
    """The bank's own settlement is its balance: won, lost in part or whole, or even."""
    cite = game.terms.coverage.cite
    if any(settlement.result == "UNDECIDED" for settlement in game.settlements):
        game.undecide(bank, at, cite, "not every wager is decided")
    elif balance > 0:
        game.settle(bank, "WIN", at, cite, paid_minor=balance, prize="the balance of the bank")
    elif balance < 0:
        game.settle(bank, "LOSE", at, cite, returned_minor=bank.amount_minor + balance, prize="the balance of the bank")
    else:
        game.settle(bank, "PUSH", at, cite, prize="the balance of the bank")
