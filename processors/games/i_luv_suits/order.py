"""Whether the table settled as K.A.R. 111-301-76(g) orders: cards shown first, from the dealer's right to the left."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from processors.games.i_luv_suits import wagers as w
from processors.games.i_luv_suits.table import Recorded, Table
from processors.games.i_luv_suits.wagers import LuvWager
from processors.kernel.settlement import Settlement


def check_shown(table: Table, in_play: Collection[int], at: int) -> None:
    """By the end of the round the dealer's cards and those of every player who made a play wager were revealed, in order.

    A source that tells of no card turned up does not watch that: only what was settled then says something (`check_order`).
    """
    if not in_play or not table.dealer.cards or not table.shown_at:
        return
    if not table.is_shown(table.dealer):
        sentence = "The dealer's cards were not all revealed although a play wager had been made."
        rests_on = (table.dealer.dealt_at[0], at)
        table.find("CARD_NOT_EXPOSED", rests_on, sentence, cite=table.terms.dealer_reveals.cite)
    for seat in sorted(in_play):
        hand = table.hands.get((seat, 1))
        if hand is not None and not table.is_shown(hand):
            sentence = f"The cards of seat {seat}, which made a play wager, were not all revealed."
            rests_on, about = (hand.dealt_at[0], at), table.ante_id(seat)
            table.find("CARD_NOT_EXPOSED", rests_on, sentence, cite=table.terms.reveals.cite, wager_id=about)
    if table.terms.settlement_order.value != "any":
        _check_order_shown(table, in_play)


def _check_order_shown(table: Table, in_play: Collection[int]) -> None:
    """The hands that were played are revealed one by one from the dealer's right, as they are settled (76(g)(1))."""
    shown = [(at, seat) for seat, at in table.shown_at.items() if seat in in_play]
    shown.sort()
    for (before_at, before), (at, seat) in pairwise(shown):
        if seat > before:
            sentence = f"Seat {seat} was revealed after seat {before}: the dealer begins at the right."
            cite = table.terms.settlement_order.cite
            table.find("SETTLED_OUT_OF_ORDER", (before_at, at), sentence, cite=cite)


def check_order(table: Table, in_play: Collection[int]) -> None:
    """Hold the recorded settlements against the procedure; `in_play` are the seats that made a play wager.

    What was due says which wagers the procedure is about, not what was recorded: a wrong payment is a finding of its own.
    Antes that were forfeited, and bonus wagers that lost with them, leave the table before it (76(e)).
    """
    due = {settlement.wager_id: settlement for settlement in table.settlements}
    before_seat = before_at = 0
    for wager_id, record in table.records.items():
        wager = table.wagers[wager_id]
        if not _remained(wager, due.get(wager_id), record, in_play):
            continue
        if not record.hand_shown:
            sentence = f"A wager of seat {wager.seat} was settled before all its cards were revealed."
            about = table.ante_id(wager.seat) or wager.id
            table.find("CARD_NOT_EXPOSED", record.at, sentence, cite=table.terms.reveals.cite, wager_id=about)
        if not record.dealer_shown and wager.bet in (w.ANTE, w.PLAY):
            sentence = "A wager against the dealer was settled before all the dealer's cards were revealed."
            table.find("CARD_NOT_EXPOSED", record.at, sentence, cite=table.terms.dealer_reveals.cite)
        if wager_id in table.corrected or not wager.seat or table.terms.settlement_order.value == "any":
            continue
        if before_seat and wager.seat > before_seat:
            sentence = f"Seat {wager.seat} was settled after seat {before_seat}: the dealer begins at the right."
            cite = table.terms.settlement_order.cite
            table.find("SETTLED_OUT_OF_ORDER", (before_at, record.at), sentence, cite=cite)
        else:
            before_seat, before_at = wager.seat, record.at


def _remained(wager: LuvWager, due: Settlement | None, record: Recorded, in_play: Collection[int]) -> bool:
    """Whether a wager was still on the table when the dealer began to settle.

    A hand whose cards nobody read has no verdict: there the record must say whether something was paid on it.
    """
    if due is None or due.result in ("VOID", "REMOVED"):
        return False
    result = record.result if due.result == "UNDECIDED" else due.result
    return wager.seat in in_play or (wager.bet != w.ANTE and result != "LOSE")
