"""Whatever values an event carries on the wire, a round has a verdict: bad data is a finding, never the end of a run."""

from __future__ import annotations

from random import Random

import pytest

from events import codec
from events.model import EventRetracted, WagerPlaced
from processors.replay import audit_round, explain_round
from tests.pipelines.any_values import BOOK, altered, rounds_of_all_games


@pytest.mark.parametrize("seed", range(1, 5))
def test_every_wager_has_a_verdict_whatever_the_values(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    for events in rounds_of_all_games(seed):
        for _ in range(8):
            round_ = [codec.decode(codec.encode(event)) for event in altered(events, chance)]
            audit = audit_round(round_, BOOK)
            assert audit.events == len(round_)
            placed = {event.wager_id for event in round_ if isinstance(event, WagerPlaced)}
            assert {settlement.wager_id for settlement in audit.settlements} <= placed
            whole = len({event.sequence for event in round_}) == len(round_)
            if whole and not any(isinstance(event, EventRetracted) for event in round_):
                assert {settlement.wager_id for settlement in audit.settlements} == placed
            explain_round(round_, BOOK)
