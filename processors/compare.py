"""Due against recorded: the payout family of discrepancies. At most one finding a wager; tolerance is zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from events.model import SettlementRecorded
from processors.kernel.citation import NOWHERE
from processors.kernel.game import Game
from processors.kernel.money import money_text
from processors.kernel.settlement import Discrepancy, Favours, Settlement

Recorded = Mapping[str, Sequence[SettlementRecorded]]


def compare(game: Game, recorded: Recorded, *, only_due: bool = False) -> Iterable[Discrepancy]:
    """Hold what the table recorded against what was due.

    `only_due`: nobody recorded any settlement because the question is only what is due; nothing is missing then.
    A wager that is UNDECIDED has no amounts and no discrepancy of its own.
    """
    due: dict[str, list[Settlement]] = {}
    for settlement in game.settlements:
        found = due.get(settlement.wager_id)
        if found is None:
            due[settlement.wager_id] = [settlement]
        else:
            found.append(settlement)
    for wager_id, settlements in due.items():
        first = settlements[0]
        if first.result == "UNDECIDED":
            continue
        records = recorded.get(wager_id, ())
        if not records and only_due:
            finding = None
        elif len(settlements) == 1 and len(records) == 1 and records[0].paid_to == first.paid_to:
            # the common case first: one verdict, one record, the same sum
            record = records[0]
            given = record.paid_minor + record.stake_returned_minor + record.no_action_minor + record.fee_returned_minor
            finding = None if given == first.given_minor else _payout(game, settlements, records)
        else:
            finding = _payout(game, settlements, records)
        finding = finding or _fee(game, first, only_due)
        if finding:
            yield finding
    for wager_id, records in recorded.items():
        if wager_id not in game.wagers:
            yield Discrepancy(
                "RESULT_WITHOUT_WAGER", game.opened.round_id, wager_id, 0, _given(records), "NOBODY", NOWHERE,
                tuple(record.sequence for record in records), f"Wager {wager_id} was settled but never placed.",
            )  # fmt: skip


def _payout(game: Game, settlements: Sequence[Settlement], records: Sequence[SettlementRecorded]) -> Discrepancy | None:
    first = settlements[0]
    due = sum(s.given_minor for s in settlements)
    given = _given(records)
    due_dealer = sum(s.given_minor for s in settlements if s.paid_to == "DEALER")
    given_dealer = _given(r for r in records if r.paid_to == "DEALER")
    rests_on = tuple(sorted({s.decided_at for s in settlements if s.decided_at >= 0} | {r.sequence for r in records}))
    kind, sentence = "", ""
    if not records:
        if due:
            kind, sentence = "UNPAID", f"{money_text(due)} was due on {_wager(first)} and no result was recorded."
        else:
            kind, sentence = "WAGER_WITHOUT_RESULT", f"No result was recorded for {_wager(first)}; nothing was due."
    elif given == due:
        if given_dealer == due_dealer:
            return None
        kind = "WRONG_PAYEE"
        sentence = (
            f"Of {_wager(first)} {money_text(due_dealer)} is the dealer's; {money_text(given_dealer)} went to the dealer."
        )
    elif given > due and _paid_again(records, due):
        kind = "PAID_TWICE"
        sentence = (
            f"{_sentence_start(_wager(first))} was paid more than once: {money_text(given)} given, {money_text(due)} due."
        )
    elif first.result == "LOSE" and due == 0:
        kind, sentence = _lost(first, records, given)
    elif given == 0:
        kind, sentence = "UNPAID", f"{money_text(due)} was due on {_wager(first)} and nothing was given."
    else:
        kind = "OVERPAID" if given > due else "UNDERPAID"
        sentence = f"{money_text(given)} was given on {_wager(first)}; {money_text(due)} was due."
    favours: Favours = "NOBODY" if given == due else ("PATRON" if given > due else "HOUSE")
    if kind == "WRONG_PAYEE":
        favours = "PATRON" if given_dealer < due_dealer else "DEALER"
    return Discrepancy(kind, game.opened.round_id, first.wager_id, due, given, favours, first.cite, rests_on, sentence)


def _lost(first: Settlement, records: Sequence[SettlementRecorded], given: int) -> tuple[str, str]:
    if any(record.paid_minor for record in records):
        return "PAID_NOT_DUE", f"{_sentence_start(_wager(first))} lost, and {money_text(given)} was given."
    return "NOT_COLLECTED", f"{_sentence_start(_wager(first))} lost, and its {money_text(given)} was not collected."


def _paid_again(records: Sequence[SettlementRecorded], due: int) -> bool:
    """Whether a second record to the same payee gives money although the ones before gave what was due, or more."""
    so_far: dict[str, int] = {}
    for record in records:
        given = _given((record,))
        if given and so_far.get(record.paid_to, 0) > 0 and sum(so_far.values()) >= min(due, so_far[record.paid_to]):
            return True
        so_far[record.paid_to] = so_far.get(record.paid_to, 0) + given
    return False


def _fee(game: Game, first: Settlement, only_due: bool) -> Discrepancy | None:
    collected = game.fees_minor.get(first.wager_id)
    if collected is None and (only_due or not first.fee_minor):
        return None
    given = collected or 0
    if given == first.fee_minor:
        return None
    favours: Favours = "HOUSE" if given > first.fee_minor else "PATRON"
    return Discrepancy(
        "FEE_WRONG", game.opened.round_id, first.wager_id, first.fee_minor, given, favours, game.fee_cite(first),
        (game.wagers[first.wager_id].placed_at,),
        f"A fee of {money_text(given)} was collected on {_wager(first)}; {money_text(first.fee_minor)} was due.",
    )  # fmt: skip


def _given(records: Iterable[SettlementRecorded]) -> int:
    return sum(r.paid_minor + r.stake_returned_minor + r.no_action_minor + r.fee_returned_minor for r in records)


def _wager(settlement: Settlement) -> str:
    return f"the {settlement.bet.replace('_', ' ')} wager {settlement.wager_id}"


def _sentence_start(words: str) -> str:
    # not str.capitalize: that would put the wager's id in lower case
    return words[:1].upper() + words[1:]
