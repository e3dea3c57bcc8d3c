"""A turn that was closed early is complete where what it left open was carried into a later round of its table.

One round cannot know that: who sees more of the table takes the finding back (`roundaudit settle` here, over the rounds of a
script; the night run over the warehouse).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from events.model import Event, WagerPlaced
from processors.kernel.settlement import RoundAudit
from processors.sequence import put_in_order


def take_back_carried(rounds: Iterable[tuple[RoundAudit, Sequence[Event]]]) -> list[RoundAudit]:
    """The audits of rounds in the order in which they were played, without INCOMPLETE_ROUND where a turn was carried on."""
    carried: dict[str, set[str]] = {}
    audits: list[RoundAudit] = []
    for audit, events in reversed(list(rounds)):
        of_table = carried.setdefault(audit.table_id, set())
        audits.append(_without_incomplete(audit) if _is_carried_on(audit, of_table) else audit)
        of_table |= _carried_from_before(events)
    return audits[::-1]


def _carried_from_before(events: Sequence[Event]) -> set[str]:
    """The wagers of earlier rounds that wagers of this one were carried from."""
    placed = [event for event in put_in_order(events).events if isinstance(event, WagerPlaced)]
    return {wager.carried_from for wager in placed} - {wager.wager_id for wager in placed} - {""}


def _is_carried_on(audit: RoundAudit, carried: Collection[str]) -> bool:
    """Whether every wager that the round left open was carried on. One without an opening (no game) lacks more than that."""
    left = {due.wager_id for due in audit.settlements if due.result == "UNDECIDED" and due.decided_at < 0}
    return bool(audit.game and left) and left <= set(carried)


def _without_incomplete(audit: RoundAudit) -> RoundAudit:
    kept = [found for found in audit.discrepancies if (found.kind, found.wager_id) != ("INCOMPLETE_ROUND", "")]
    return audit._replace(discrepancies=kept)
