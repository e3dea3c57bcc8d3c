"""What every game is written with: the wagers of a round, how they are settled, and what is found wrong on the way.

A game is a class derived from `Game`. It is folded over the events of a round: for each event type that matters to it it has
a method of that name in lower case (`dice_rolled`, `card_dealt`), and it settles each wager once with `settle`.
A game sees no clock, no file and no other game; the same events and terms always give the same verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, Protocol

from events.model import (
    EVENT_TYPES,
    BettingClosed,
    ContributionRecorded,
    Event,
    FeeCollected,
    MeterRead,
    Result,
    RoundOpened,
    RoundVoided,
    WagerChanged,
    WagerPlaced,
)
from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.dated import Paytable
from processors.kernel.money import Rounding, divide, money_text
from processors.kernel.odds import Odds
from processors.kernel.settlement import Contribution, Discrepancy, Favours, Settlement, Step
from processors.kernel.words import spoken

MICRO: Final = 1_000_000
BET_LIMIT: Final = "*"

Handler = Callable[[Any, Any], None]


class Paytables(Protocol):
    """Finds the paytable that a round names."""

    def __call__(self, paytable_id: str) -> Paytable | None:
        """The paytable in force in this round's jurisdiction and on its day, or None where no file has it."""


class Wager:
    """A wager on the layout. `amount_minor` is what was wagered; `excess_minor` of it has no action.

    `refused_raise_minor` is what was added when it could not be: it lies there as well and goes back.

    `settled` is True from its one decision on.
    """

    __slots__ = (
        "amount_minor",
        "bet",
        "carried_from",
        "excess_minor",
        "fee_minor",
        "fee_returned_minor",
        "for_dealer",
        "id",
        "odds",
        "on",
        "parent",
        "placed_at",
        "refused_raise_minor",
        "seat",
        "settled",
    )

    def __init__(self, event: WagerPlaced) -> None:
        self.id = event.wager_id
        self.seat = event.seat
        self.bet = event.bet
        self.on = event.on
        self.amount_minor = event.amount_minor
        self.parent = event.parent
        self.carried_from = event.carried_from
        self.for_dealer = event.for_dealer
        self.placed_at = event.sequence
        self.excess_minor = 0
        self.refused_raise_minor = 0
        self.fee_minor = 0
        self.fee_returned_minor = 0
        self.settled = False
        self.odds: Odds | None = None

    @property
    def action_minor(self) -> int:
        """The part of the stake that has action."""
        return self.amount_minor - self.excess_minor


class Game:
    """One round of a game being replayed. Derived classes say what is in capitals in this docstring's words:

    BETS are the bets the game knows; bets UNDER_PARENT are limited by the wager they hang on and not by the table;
    WAGER_TYPE is the class of its wagers. `corrected` are the wagers of which a recorded settlement was taken back: the one
    that stands may come at any time, since corrections append.
    """

    BETS: ClassVar[frozenset[str]] = frozenset()
    UNDER_PARENT: ClassVar[frozenset[str]] = frozenset()
    WAGER_TYPE: ClassVar[type[Wager]] = Wager
    HANDLERS: ClassVar[Mapping[type[Event], Handler]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        cls.HANDLERS = {
            event_type: getattr(cls, method)
            for name, event_type in EVENT_TYPES.items()
            if hasattr(cls, method := _method_name(name))
        }

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        self.opened = opened
        self.terms: Any = terms
        self.paytables = paytables
        self.wagers: dict[str, Any] = {}
        self.settlements: list[Settlement] = []
        self.contributions: list[Contribution] = []
        self.found: dict[tuple[str, str], Discrepancy] = {}
        self.fees_minor: dict[str, int] = {}
        self.meters_read: dict[str, int] = {}
        self.retracted: Sequence[Event] = ()  # events that were taken back; they are not replayed
        self.corrected: frozenset[str] = frozenset()
        self.betting_open = True
        self.standing: list[Any] = []
        self.chip_minor = 1
        self.rounding = Rounding.NEAREST

    # --- what a game says for itself -------------------------------------------------------------------------------

    def admit(self, wager: Any, event: WagerPlaced) -> None:
        """A wager was placed: refuse it where the rules do not permit it now."""

    def change(self, wager: Any, event: WagerChanged) -> None:
        """The amount of a wager changed: take it, or find that it may not."""
        wager.amount_minor = event.amount_minor

    def stand(self, wager: Any, at: int) -> None:
        """Betting closed over a wager that has not been looked at: check its amount; a game adds its own conditions."""
        self.check_limits(wager, at)

    def limits_cite(self, above: bool) -> Citation:
        """The paragraph that orders the posted minimum (or maximum)."""
        return NOWHERE

    def fee_cite(self, settlement: Settlement) -> Citation:
        """The paragraph that orders the fee of a wager."""
        return settlement.cite

    def excess_returned(self, wager: Any) -> bool:
        """Whether the part of a wager over the posted maximum has no action."""
        return False

    def finish(self, at: int) -> None:
        """The round ended at sequence `at`: settle what is decided, leave open what is not."""

    def facts(self, wager: Any) -> Iterable[Step]:
        """What a floor manager would say before the sum: the hands, the rolls, the rule. Asked only to explain."""
        return ()

    # --- events every game understands -------------------------------------------------------------------------------

    def wager_placed(self, event: WagerPlaced) -> None:
        """Take a wager into the round."""
        if event.wager_id in self.wagers:
            self.find(
                "CONFLICTING_FACT", event.sequence, f"Wager {event.wager_id} was placed twice.", wager_id=event.wager_id
            )
            return
        wager = self.WAGER_TYPE(event)
        self.wagers[wager.id] = wager
        if wager.bet not in self.BETS:
            self.find("UNKNOWN_BET", event.sequence, f"{self.opened.game} has no bet {wager.bet!r}.", wager_id=wager.id)
            self.undecide(wager, event.sequence)
            return
        self.admit(wager, event)
        if not wager.settled and wager.bet not in self.UNDER_PARENT:
            self.standing.append(wager)

    def wager_changed(self, event: WagerChanged) -> None:
        """Take a change of a wager's amount."""
        wager = self.wagers.get(event.wager_id)
        if wager is None:
            self.find(
                "MISSING_PARENT",
                event.sequence,
                f"The amount of wager {event.wager_id} changed, but it was never placed.",
                wager_id=event.wager_id,
            )
        elif not wager.settled:
            self.change(wager, event)
            # a raise that was refused does not alter what is due; its chips lie there all the same, and go back
            refused = event.amount_minor - wager.amount_minor
            wager.refused_raise_minor = refused if refused > 0 else 0
        elif event.amount_minor:
            self.put_back(wager, event)

    def put_back(self, wager: Any, event: WagerChanged) -> None:
        """Chips on a wager that was taken down are a new wager. Of one that was refused, what lies there goes back."""
        place = next(n for n, due in enumerate(self.settlements) if due.wager_id == wager.id)
        due = self.settlements[place]
        if due.result == "VOID":
            self.settlements[place] = due._replace(stake_returned_minor=event.amount_minor, no_action_minor=0)
        elif due.result == "REMOVED":
            text = f"Wager {wager.id} was changed after it was taken down; chips put up again are a new wager."
            self.find("CONFLICTING_FACT", event.sequence, text, wager_id=wager.id)

    def betting_closed(self, event: BettingClosed) -> None:
        """No more bets."""
        self.close_betting(event.sequence)

    def close_betting(self, at: int) -> None:
        """Betting closes, said or by the first card or throw: every wager not yet looked at stands."""
        self.betting_open = False
        if self.standing:
            standing, self.standing = self.standing, []
            for wager in standing:
                if not wager.settled:
                    self.stand(wager, at)

    def fee_collected(self, event: FeeCollected) -> None:
        """Remember what was collected; `compare` holds it against what was due."""
        self.fees_minor[event.wager_id] = self.fees_minor.get(event.wager_id, 0) + event.amount_minor

    def meter_read(self, event: MeterRead) -> None:
        """The meter of a progressive was read."""
        self.meters_read[event.progressive_id] = event.amount_minor

    def contribution_recorded(self, event: ContributionRecorded) -> None:
        """What the progressive system says it added is compared by the progressive checks."""

    # --- what games settle with --------------------------------------------------------------------------------------

    def settle(
        self,
        wager: Any,
        result: Result,
        at: int,
        cite: Citation,
        *,
        odds: Odds | None = None,
        paid_minor: int | None = None,
        returned_minor: int | None = None,
        prize: str = "",
    ) -> None:
        """Decide a wager, once.

        A WIN pays `odds` on the stake in action, or `paid_minor` where the sum is another; a PUSH, VOID or REMOVED wager
        gets its stake back, and so does one that loses only in part (`returned_minor`). A tip wager that wins goes, stake
        included, to the dealer (DESIGN section 2): a settlement of its own.
        """
        if wager.settled:
            return
        wager.settled = True
        wager.odds = odds
        stake = wager.amount_minor - wager.excess_minor
        paid = returned = 0
        if result == "WIN":
            if paid_minor is not None:
                paid = paid_minor
            elif odds is not None:
                paid = self.pay(stake, odds)
            returned = stake if odds is None or odds.keeps_stake else 0
        elif result in ("PUSH", "VOID", "REMOVED"):
            returned = stake
        if returned_minor is not None:
            returned = returned_minor
        excess = wager.excess_minor + wager.refused_raise_minor if result != "UNDECIDED" else 0
        due = Settlement(
            wager.id, wager.bet, result, paid, "PATRON", returned, excess,
            wager.fee_minor, wager.fee_returned_minor, 0, 0, prize, at, cite,
        )  # fmt: skip
        if wager.for_dealer and result == "WIN":
            self.settlements.append(due._replace(paid_minor=0, stake_returned_minor=0))
            due = Settlement(wager.id, wager.bet, result, paid + returned, "DEALER", prize=prize, decided_at=at, cite=cite)
        self.settlements.append(due)

    def pay(self, stake_minor: int, odds: Odds) -> int:
        """What `odds` pay on a stake, in minor units, rounded as the rules of this table say."""
        product = stake_minor * odds.win.numerator
        if odds.win.denominator == 1 and self.chip_minor == 1:
            return product
        return divide(product, odds.win.denominator, rounding=self.rounding, unit_minor=self.chip_minor)

    def pay_in_chips_of(self, chip_minor: int) -> None:
        """Payments that cannot be made evenly are rounded up to the next chip (K.A.R. 112-108-38(c))."""
        if chip_minor > 1:
            self.chip_minor = chip_minor
            self.rounding = Rounding.UP

    def refuse(self, wager: Any, kind: str, at: int, cite: Citation, sentence: str) -> None:
        """A wager that the rules do not permit: a finding, and the wager is void and returned."""
        self.find(kind, at, sentence, cite=cite, wager_id=wager.id)
        self.settle(wager, "VOID", at, cite)

    def undecide(self, wager: Any, at: int, cite: Citation = NOWHERE, prize: str = "") -> None:
        """A wager that cannot be decided: no amounts, counted and listed."""
        self.settle(wager, "UNDECIDED", at, cite, prize=prize)

    def find(
        self,
        kind: str,
        at: int | Iterable[int],
        sentence: str,
        *,
        cite: Citation = NOWHERE,
        wager_id: str = "",
        due_minor: int = 0,
        recorded_minor: int = 0,
        favours: Favours = "NOBODY",
    ) -> None:
        """Note a discrepancy. The same kind about the same wager again rests on more events; it is not a second one."""
        rests_on = (at,) if isinstance(at, int) else tuple(at)
        key = (kind, wager_id)
        before = self.found.get(key)
        if before is not None:
            self.found[key] = before._replace(rests_on=tuple(sorted({*before.rests_on, *rests_on})))
            return
        self.found[key] = Discrepancy(
            kind, self.opened.round_id, wager_id, due_minor, recorded_minor, favours, cite, rests_on, sentence
        )

    def check_limits(self, wager: Any, at: int) -> None:
        """Hold a wager against the posted limits of its bet, or those under `*`."""
        limits = self.opened.limits
        if not limits:
            return
        limit = limits.get(wager.bet) or limits.get(BET_LIMIT)
        if limit is None:
            return
        amount = wager.amount_minor
        minimum, maximum = limit["minimum_minor"], limit["maximum_minor"]
        if amount < minimum:
            self.find(
                "BELOW_MINIMUM", (wager.placed_at, at),
                f"{money_text(amount)} was wagered on {spoken(wager.bet)}; the posted minimum is {money_text(minimum)}.",
                cite=self.limits_cite(False), wager_id=wager.id,
            )  # fmt: skip
        elif maximum and amount > maximum:
            returned = self.excess_returned(wager)
            if returned:
                wager.excess_minor = amount - maximum
            self.find(
                "ABOVE_MAXIMUM", (wager.placed_at, at),
                f"{money_text(amount)} was wagered on {spoken(wager.bet)}; the posted maximum is {money_text(maximum)}"
                + (f": {money_text(amount - maximum)} goes back." if returned else "."),
                cite=self.limits_cite(True), wager_id=wager.id,
            )  # fmt: skip

    def option(self, name: str, default: str = "") -> str:
        """What the table posts for a house rule, or `default`."""
        return self.opened.options.get(name, default)

    def amount_option(self, name: str, default: int) -> int:
        """A posted whole number. One that is none is a finding, and the default holds."""
        text = self.opened.options.get(name)
        if text is None:
            return default
        if not re.fullmatch(r"\d{1,15}", text):
            self.find("RULE_MISMATCH", self.opened.sequence, f"The posted {name} {text!r} is not a whole number.")
            return default
        return int(text)

    def contribute(self, wager: Any, progressive_id: str, share: Fraction, cite: Citation) -> None:
        """A progressive wager feeds its meter with `share` of its amount, to a millionth of a minor unit."""
        micro = divide(wager.amount_minor * share * MICRO, rounding=Rounding.DOWN)
        self.contributions.append(Contribution(progressive_id, wager.id, micro, cite))

    def meter_minor(self, progressive_id: str) -> Fraction | None:
        """The amount on the meter at this moment: the last reading, else the opening one with this round's own shares."""
        if progressive_id in self.meters_read:
            return Fraction(self.meters_read[progressive_id])
        if progressive_id not in self.opened.meters:
            return None
        fed = sum(c.amount_micro for c in self.contributions if c.progressive_id == progressive_id)
        return self.opened.meters[progressive_id] + Fraction(fed, MICRO)

    def void_round(self, event: RoundVoided) -> None:
        """A dead hand: every wager is void and returned, whatever was decided before."""
        self.settlements.clear()
        self.contributions.clear()
        for wager in self.wagers.values():
            wager.settled, wager.excess_minor = False, 0
            # of a dead hand no fee is due: what was collected goes back
            wager.fee_minor = wager.fee_returned_minor = self.fees_minor.get(wager.id, 0)
            self.settle(wager, "VOID", event.sequence, NOWHERE, prize="round voided")


def _method_name(event_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event_name).lower()
