"""The audit of one round: a pure fold of its events under the rulebook. Same events, same rulebook, same bytes, for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from events.model import Event, EventRetracted, RoundClosed, RoundOpened, RoundVoided, SettlementRecorded, WagerPlaced
from processors.compare import compare
from processors.kernel.dated import NoRuleInForce, Paytable
from processors.kernel.explaining import explain
from processors.kernel.game import Game
from processors.kernel.settlement import Discrepancy, RoundAudit, Settlement, Step
from processors.rulebook import Rulebook
from processors.sequence import put_in_order


def audit_round(events: Sequence[Event], rulebook: Rulebook, *, only_due: bool = False, revision: int = 1) -> RoundAudit:
    """Replay one round and say what was due and what differs.

    `events` are all events of the round as they arrived, at least one; nothing of them is dropped: what cannot be replayed
    is a finding. `only_due` asks only what is due, not whether it was recorded. Raises nothing for bad data.
    """
    return _replay(events, rulebook, only_due, revision).audit


def explain_round(events: Sequence[Event], rulebook: Rulebook, *, only_due: bool = False) -> Mapping[str, Sequence[Step]]:
    """For each wager of a round, the steps that lead to its settlement. They are never stored: computed when asked."""
    replayed = _replay(events, rulebook, only_due, 1)
    if replayed.game is None:
        return {}
    steps: dict[str, list[Step]] = {}
    for settlement in replayed.audit.settlements:
        steps.setdefault(settlement.wager_id, []).extend(explain(replayed.game, settlement))
    return steps


def open_round(opened: RoundOpened, events: Sequence[Event], rulebook: Rulebook) -> Game:
    """The game after these events, not finished: what nothing has decided yet is open. Raises NoRuleInForce."""
    game = _new_game(opened, rulebook.terms(opened.game, opened.jurisdiction, opened.gaming_day), rulebook)
    _fold(game, events)
    return game


class _Replayed(NamedTuple):
    audit: RoundAudit
    game: Game | None


def _replay(events: Sequence[Event], rulebook: Rulebook, only_due: bool, revision: int) -> _Replayed:
    ordered, found, retracted = put_in_order(events)
    opened = ordered[0] if ordered else None
    if not isinstance(opened, RoundOpened):
        first = opened or events[0]
        sentence = "The round has no RoundOpened first: which game, which rules and which limits is unknown."
        problem = Discrepancy("INCOMPLETE_ROUND", first.round_id, rests_on=(first.sequence,), sentence=sentence)
        return _Replayed(_unaudited(events, ordered, [*found, problem], rulebook, revision), None)
    try:
        terms = rulebook.terms(opened.game, opened.jurisdiction, opened.gaming_day)
    except NoRuleInForce as absent:
        sentence = f"{str(absent)[:1].upper()}{str(absent)[1:]}."
        problem = Discrepancy("NO_RULE_IN_FORCE", opened.round_id, rests_on=(opened.sequence,), sentence=sentence)
        return _Replayed(_unaudited(events, ordered, [*found, problem], rulebook, revision), None)

    game = _new_game(opened, terms, rulebook)
    game.retracted = retracted
    if len(ordered) != len(events):
        game.corrected = _corrected(events)
    recorded, ended_at = _fold(game, ordered)
    game.finish(ended_at)
    _leave_open(game)
    _void(game, ordered)
    discrepancies = [*found, *game.found.values(), *compare(game, recorded, only_due=only_due)]
    audit = RoundAudit(
        opened.round_id, opened.table_id, opened.game, opened.jurisdiction, opened.gaming_day, opened.currency, revision,
        opened.occurred_at, ordered[-1].occurred_at, opened.dealer_id, len(events),
        game.settlements, game.contributions, discrepancies, rulebook.digest, rulebook.code_digest,
    )  # fmt: skip
    return _Replayed(audit, game)


def _new_game(opened: RoundOpened, terms: object, rulebook: Rulebook) -> Game:
    def paytable(paytable_id: str) -> Paytable | None:
        return rulebook.paytable(opened.game, opened.jurisdiction, opened.gaming_day, paytable_id)

    return rulebook.games[opened.game].definition.engine(opened, terms, paytable)


def _fold(game: Game, events: Sequence[Event]) -> tuple[dict[str, list[SettlementRecorded]], int]:
    """Fold the events over the game. What the table settled is kept apart: a verdict never rests on what was paid."""
    handlers = game.HANDLERS
    recorded: dict[str, list[SettlementRecorded]] = {}
    ended_at = events[-1].sequence
    for event in events:
        kind = type(event)
        if kind is SettlementRecorded:
            records = recorded.get(event.wager_id)  # type: ignore[union-attr]  # known by its type
            if records is None:
                recorded[event.wager_id] = [event]  # type: ignore[union-attr, list-item]  # known by its type
            else:
                records.append(event)  # type: ignore[arg-type]  # known by its type
        elif kind is RoundClosed:
            ended_at = event.sequence
        handler = handlers.get(kind)
        if handler is not None:
            handler(game, event)
    return recorded, ended_at


def _corrected(events: Sequence[Event]) -> frozenset[str]:
    """The wagers of which a recorded settlement was taken back."""
    retracted = {event.retracts for event in events if isinstance(event, EventRetracted)}
    return frozenset(
        event.wager_id for event in events if isinstance(event, SettlementRecorded) and event.sequence in retracted
    )


def _leave_open(game: Game) -> None:
    """Every wager gets a verdict: one that nothing decided is UNDECIDED."""
    for wager in game.wagers.values():
        if not wager.settled:
            game.undecide(wager, -1)


def _void(game: Game, events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, RoundVoided):
            game.void_round(event)
            return


def _unaudited(
    events: Sequence[Event], ordered: Sequence[Event], found: Sequence[Discrepancy], rulebook: Rulebook, revision: int
) -> RoundAudit:
    """A round that no rules can be found for: its wagers are listed as UNDECIDED, nothing is dropped."""
    opened = next((event for event in ordered if isinstance(event, RoundOpened)), None)
    first = ordered[0] if ordered else events[0]
    last = ordered[-1] if ordered else events[-1]
    placed: dict[str, WagerPlaced] = {}
    for event in ordered:
        if isinstance(event, WagerPlaced):
            placed.setdefault(event.wager_id, event)
    return RoundAudit(
        first.round_id, first.table_id, opened.game if opened else "", opened.jurisdiction if opened else "",
        opened.gaming_day if opened else "", opened.currency if opened else "", revision,
        first.occurred_at, last.occurred_at, opened.dealer_id if opened else "", len(events),
        [Settlement(wager_id, wager.bet, "UNDECIDED") for wager_id, wager in placed.items()],
        [], list(found), rulebook.digest, rulebook.code_digest,
    )  # fmt: skip
