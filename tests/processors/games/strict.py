"""A bench that takes only rounds in which nothing is wrong: what an enumerator deals has to be house-correct."""

from __future__ import annotations

from collections.abc import Sequence

from events.model import Event
from processors.edge import RulebookBench
from processors.kernel.settlement import Settlement
from processors.replay import audit_round


class StrictBench(RulebookBench):
    """Settles as the other does, and refuses a round with a finding. `rounds` counts."""

    rounds = 0

    def settle(self, events: Sequence[Event]) -> Sequence[Settlement]:
        """The settlements of a round in which nothing was found."""
        audit = audit_round(events, self.rulebook, only_due=True)
        assert [found.sentence for found in audit.discrepancies] == []
        self.rounds += 1
        return audit.settlements
