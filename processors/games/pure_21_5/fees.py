"""Collection fees: flat rates by the amount of a wager, as the table posts them; never a percentage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from events.model import FeeCollected
from processors.games.pure_21_5.wagers import BANK, LATER, MAIN, RED_FLEX
from processors.kernel.money import money_text

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

RATE: Final = re.compile(r"(\d{1,15})-(\d{1,15}):(\d{1,15})")
OPTION: Final = "collection_schedule"


class Schedule(NamedTuple):
    """The posted rates: (lowest amount, highest amount, fee), all in minor units."""

    rates: tuple[tuple[int, int, int], ...]

    def fee_minor(self, amount_minor: int) -> int | None:
        """The fee for a wager of this amount, None where no rate covers it."""
        for low, high, fee in self.rates:
            if low <= amount_minor <= high:
                return fee
        return None


def schedule_of(game: Any) -> Schedule | None:
    """The posted schedule, None where there is none to audit by. A schedule that cannot be one is a finding."""
    text = game.opened.options.get(OPTION)
    if text is None:
        return None
    at, terms = game.opened.sequence, game.terms
    parts = [RATE.fullmatch(part.strip()) for part in text.split(";") if part.strip()]
    rates = tuple((int(part[1]), int(part[2]), int(part[3])) for part in parts if part)
    if not parts or len(rates) < len(parts) or any(low > high for low, high, _ in rates):
        sentence = f"The posted {OPTION} {text!r} is not of flat fees by amount (LOW-HIGH:FEE;...)."
        game.find("RULE_MISMATCH", at, sentence, cite=terms.fee_of_wagers.cite)
        return None
    if len(rates) > terms.most_rates.value:
        sentence = f"{len(rates)} collection rates are posted; {terms.most_rates.value} are allowed."
        game.find("RULE_MISMATCH", at, sentence, cite=terms.most_rates.cite)
    return Schedule(rates)


def charge(game: Table) -> None:
    """Betting has closed: every game wager and Red Flex bet that stands owes the fee of its rate."""
    schedule = game.schedule
    if schedule is None:
        return
    for wager in game.wagers.values():
        if wager.bet in (MAIN, RED_FLEX) and not wager.settled:
            wager.fee_minor = schedule.fee_minor(wager.amount_minor) or 0


def collected(game: Table, event: FeeCollected) -> None:
    """A fee was collected. Without a wager it is for the hand: the player-dealer's, or the game wager's of its seat.

    Without a schedule nothing says what is due, but on a double or a split it is nothing.
    """
    wager = game.wagers.get(event.wager_id)
    if wager is None and event.wager_id:
        game.find(
            "FEE_WRONG", event.sequence, f"A fee was collected on wager {event.wager_id}, which was never placed.",
            cite=game.terms.fee_of_wagers.cite, wager_id=event.wager_id, recorded_minor=event.amount_minor, favours="HOUSE",
        )  # fmt: skip
        return
    if wager is None:
        bank = game.bank
        if event.seat and (bank is None or event.seat != bank.seat) and event.seat in game.spots:
            wager = game.spots[event.seat].main
    if wager is None or wager.bet == BANK:
        game.bank_fee_minor = (game.bank_fee_minor or 0) + event.amount_minor
    elif game.schedule is not None or wager.bet in LATER:
        game.fees_minor[wager.id] = game.fees_minor.get(wager.id, 0) + event.amount_minor


def check_bank(game: Table, at: int) -> None:
    """Hold the player-dealer's fee against the rate of the bank's wager, where the schedule has one."""
    if game.schedule is None or game.bank is None:
        return
    due, given = game.schedule.fee_minor(game.bank.amount_minor), game.bank_fee_minor
    asked = bool(game.records or game.fees_minor)
    if due is None or (given or 0) == due or (given is None and not asked):
        return
    sentence = f"The player-dealer paid a fee of {money_text(given or 0)} for the hand; {money_text(due)} was due."
    game.find(
        "FEE_WRONG", (game.bank.placed_at, at), sentence, cite=game.terms.fee_of_bank.cite,
        due_minor=due, recorded_minor=given or 0, favours="HOUSE" if (given or 0) > due else "PATRON",
    )  # fmt: skip
