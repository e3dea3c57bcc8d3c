"""What the progressive system says it did in a round, held against what the rules order.

Only what a round alone can show: what each of its wagers fed the meter with, and what the meter began anew with. Whether the
meter reads what its history gives is a matter of all tables that feed it.
"""

from __future__ import annotations

from collections.abc import Iterable

from events.model import ContributionRecorded, MeterReset
from processors.kernel.citation import Citation
from processors.kernel.game import MICRO, Game
from processors.kernel.money import money_text


def check_contributions(game: Game, recorded: Iterable[ContributionRecorded], cite: Citation) -> None:
    """Find each wager (or, where none is named, each meter) that fed another amount than is due: CONTRIBUTION_WRONG.

    The system records whole minor units; a share that has a fraction is right rounded either way.
    """
    given: dict[tuple[str, str], list[ContributionRecorded]] = {}
    for event in recorded:
        given.setdefault((event.progressive_id, event.wager_id), []).append(event)
    for (progressive_id, wager_id), events in given.items():
        due_micro = sum(
            due.amount_micro
            for due in game.contributions
            if due.progressive_id == progressive_id and wager_id in ("", due.wager_id)
        )
        fed_minor = sum(event.amount_minor for event in events)
        if abs(fed_minor * MICRO - due_micro) < MICRO:
            continue
        due_minor = due_micro // MICRO
        whose = f"Wager {wager_id}" if wager_id else "This round"
        sentence = f"{whose} fed meter {progressive_id} with {money_text(fed_minor)}; {money_text(due_minor)} was due."
        game.find(
            "CONTRIBUTION_WRONG", [event.sequence for event in events], sentence, cite=cite, wager_id=wager_id,
            due_minor=due_minor, recorded_minor=fed_minor,
        )  # fmt: skip


def check_reset(game: Game, event: MeterReset, start_minor: int, cite: Citation) -> None:
    """Find a meter that began anew, after its top prize was won, with another amount than the rules say: RESET_WRONG."""
    if event.amount_minor == start_minor:
        return
    amounts = money_text(event.amount_minor), money_text(start_minor)
    sentence = "Meter {} began anew with {}; the rules say {}.".format(event.progressive_id, *amounts)
    game.find("RESET_WRONG", event.sequence, sentence, cite=cite, due_minor=start_minor, recorded_minor=event.amount_minor)
