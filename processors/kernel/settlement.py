"""What a replay finds: settlements, contributions, discrepancies and the audit of a round."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from events.model import Payee, Result
from processors.kernel.citation import NOWHERE, Citation

Severity = Literal["HIGH", "MEDIUM", "LOW"]
Favours = Literal["PATRON", "HOUSE", "DEALER", "NOBODY"]


class Settlement(NamedTuple):
    """What was due on a wager (DESIGN section 5). `decided_at` is a sequence, -1 where it was never decided.

    `paid_minor` is beyond the stake; for a "for 1" prize it is the whole amount. A wager may have a second settlement
    with `paid_to` DEALER: what the dealer gets from it.
    """

    wager_id: str
    bet: str
    result: Result
    paid_minor: int = 0
    paid_to: Payee = "PATRON"
    stake_returned_minor: int = 0
    no_action_minor: int = 0
    fee_minor: int = 0
    fee_returned_minor: int = 0
    free_tickets: int = 0
    pool_shares: int = 0
    prize: str = ""
    decided_at: int = -1
    cite: Citation = NOWHERE

    @property
    def given_minor(self) -> int:
        """All that is handed over, in minor units."""
        return self.paid_minor + self.stake_returned_minor + self.no_action_minor + self.fee_returned_minor


class Contribution(NamedTuple):
    """What a wager adds to a progressive: `amount_micro` millionths of a minor unit, exact."""

    progressive_id: str
    wager_id: str
    amount_micro: int
    cite: Citation = NOWHERE


class Step(NamedTuple):
    """One step of the sum that a person would do, with the paragraph that orders it."""

    text: str
    cite: Citation = NOWHERE


PAYOUT: Final = frozenset(
    {"OVERPAID", "UNDERPAID", "UNPAID", "PAID_NOT_DUE", "NOT_COLLECTED", "PAID_TWICE", "FEE_WRONG", "WRONG_PAYEE"}
)
WAGER: Final = frozenset(
    {
        "BELOW_MINIMUM",
        "ABOVE_MAXIMUM",
        "LATE_WAGER",
        "MISSING_PARENT",
        "WRONG_AMOUNT",
        "NOT_OFFERED",
        "NOT_REMOVABLE",
        "NOT_INCREASABLE",
    }
)
PROCEDURE: Final = frozenset(
    {
        "DEALT_OUT_OF_ORDER",
        "DEALER_DREW",
        "DEALER_STOOD",
        "ACT_NOT_ALLOWED",
        "ACT_WITHOUT_WAGER",
        "CARD_NOT_EXPOSED",
        "HOLE_CARD_NOT_CHECKED",
        "NO_LINE_WAGER",
        "SETTLED_OUT_OF_ORDER",
        "INCOMPLETE_ROUND",
    }
)
RULES: Final = frozenset({"RULE_MISMATCH", "UNKNOWN_BET", "UNKNOWN_PAYTABLE", "NO_RULE_IN_FORCE"})
PROGRESSIVE: Final = frozenset(
    {"CONTRIBUTION_WRONG", "METER_WRONG", "METER_FELL", "AWARD_WRONG", "RESET_MISSING", "RESET_WRONG"}
)
COMPLETENESS: Final = frozenset(
    {
        "SEQUENCE_GAP",
        "DUPLICATE",
        "OUT_OF_ORDER",
        "NEVER_CLOSED",
        "WAGER_WITHOUT_RESULT",
        "RESULT_WITHOUT_WAGER",
        "IMPOSSIBLE_CARD",
        "IMPOSSIBLE_DICE",
        "LATE_EVENT",
        "CONFLICTING_FACT",
        "GAMING_DAY_DIFFERS",
    }
)
TICKET: Final = frozenset(
    {
        "INVALID_TICKET",
        "INVALID_PLAY",
        "INVALID_DRAW",
        "NOT_IN_PRIZE_STRUCTURE",
        "PRIZE_POOL_EXCEEDED",
        "SOLD_AFTER_CLOSE",
        "NO_SUCH_DRAW",
        "TICKET_OUTSIDE_BOOK",
        "BALANCE_DIFFERS",
    }
)
FAMILIES: Final = {
    "payout": PAYOUT,
    "wager": WAGER,
    "procedure": PROCEDURE,
    "rules": RULES,
    "progressive": PROGRESSIVE,
    "completeness": COMPLETENESS,
    "ticket": TICKET,
}
"""Every kind of discrepancy, by family; docs/glossary.md says what each means."""

_LOW: Final = frozenset({"DUPLICATE", "OUT_OF_ORDER", "LATE_EVENT"})
_HIGH: Final = PAYOUT | PROGRESSIVE | TICKET | {"CONFLICTING_FACT", "IMPOSSIBLE_CARD", "IMPOSSIBLE_DICE", "NEVER_CLOSED"}


class Discrepancy(NamedTuple):
    """A difference between what was recorded and what the rules order.

    `due_minor`, `recorded_minor` and `delta_minor` (recorded less due) are money of the payout and fee kinds, else 0.
    `rests_on` are sequences of the round. `id` is a digest of round, wager and kind: the same tomorrow.
    """

    kind: str
    round_id: str
    wager_id: str = ""
    due_minor: int = 0
    recorded_minor: int = 0
    favours: Favours = "NOBODY"
    cite: Citation = NOWHERE
    rests_on: Sequence[int] = ()
    sentence: str = ""

    @property
    def delta_minor(self) -> int:
        """Recorded less due."""
        return self.recorded_minor - self.due_minor

    @property
    def severity(self) -> Severity:
        """How bad the kind is."""
        return "HIGH" if self.kind in _HIGH else "LOW" if self.kind in _LOW else "MEDIUM"

    @property
    def id(self) -> str:
        """16 hexadecimal digits of SHA-256 over what it is about."""
        return hashlib.sha256(f"{self.round_id}\x1f{self.wager_id}\x1f{self.kind}".encode()).hexdigest()[:16]


class RoundAudit(NamedTuple):
    """The audit of one round: what was due, and every difference. Times are microseconds UTC."""

    round_id: str
    table_id: str
    game: str
    jurisdiction: str
    gaming_day: str
    currency: str
    revision: int
    opened_at: int
    closed_at: int
    dealer_id: str
    events: int
    settlements: Sequence[Settlement]
    contributions: Sequence[Contribution]
    discrepancies: Sequence[Discrepancy]
    rulebook_digest: str
    code_digest: str
