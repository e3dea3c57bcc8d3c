"""The warehouse's tables as Arrow has them, column by column as in schema.sql (a test holds the two together)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

_TEXT, _INT, _LONG, _TIME, _FLAG = pa.string(), pa.int32(), pa.int64(), pa.timestamp("us"), pa.bool_()

ROUND_TABLES: Final[Mapping[str, pa.Schema]] = {
    "rounds": pa.schema(
        {
            "round_id": _TEXT,
            "table_id": _TEXT,
            "game": _TEXT,
            "jurisdiction": _TEXT,
            "gaming_day": _TEXT,
            "currency": _TEXT,
            "revision": _INT,
            "opened_at": _TIME,
            "closed_at": _TIME,
            "dealer_id": _TEXT,
            "status": _TEXT,
            "events": _INT,
            "wagers": _INT,
            "stake_minor": _LONG,
            "discrepancies": _INT,
            "partition": _INT,
            "first_offset": _LONG,
            "last_offset": _LONG,
            "rulebook_digest": _TEXT,
            "code_digest": _TEXT,
            "fresh": _INT,
        }
    ),
    "wagers": pa.schema(
        {
            "round_id": _TEXT,
            "table_id": _TEXT,
            "gaming_day": _TEXT,
            "wager_id": _TEXT,
            "seat": _INT,
            "patron_id": _TEXT,
            "bet": _TEXT,
            "placed_on": _TEXT,
            "amount_minor": _LONG,
            "tender": _TEXT,
            "parent": _TEXT,
            "carried_from": _TEXT,
            "for_dealer": _FLAG,
            "placed_at": _INT,
            "recorded_minor": _LONG,
        }
    ),
    "settlements": pa.schema(
        {
            "round_id": _TEXT,
            "table_id": _TEXT,
            "wager_id": _TEXT,
            "bet": _TEXT,
            "result": _TEXT,
            "paid_minor": _LONG,
            "paid_to": _TEXT,
            "stake_returned_minor": _LONG,
            "no_action_minor": _LONG,
            "fee_minor": _LONG,
            "fee_returned_minor": _LONG,
            "free_tickets": _INT,
            "pool_shares": _INT,
            "prize": _TEXT,
            "decided_at": _INT,
            "cite_document": _TEXT,
            "cite_paragraph": _TEXT,
        }
    ),
    "contributions": pa.schema(
        {
            "round_id": _TEXT,
            "table_id": _TEXT,
            "progressive_id": _TEXT,
            "wager_id": _TEXT,
            "amount_micro": _LONG,
            "cite_document": _TEXT,
            "cite_paragraph": _TEXT,
        }
    ),
    "discrepancies": pa.schema(
        {
            "discrepancy_id": _TEXT,
            "round_id": _TEXT,
            "table_id": _TEXT,
            "gaming_day": _TEXT,
            "game": _TEXT,
            "dealer_id": _TEXT,
            "wager_id": _TEXT,
            "kind": _TEXT,
            "severity": _TEXT,
            "due_minor": _LONG,
            "recorded_minor": _LONG,
            "delta_minor": _LONG,
            "favours": _TEXT,
            "cite_document": _TEXT,
            "cite_paragraph": _TEXT,
            "rests_on": pa.list_(_INT),
            "sentence": _TEXT,
            "occurred_at": _TIME,
            "origin": _TEXT,
        }
    ),
    "shoes": pa.schema(
        {
            "round_id": _TEXT,
            "table_id": _TEXT,
            "gaming_day": _TEXT,
            "opened_at": _TIME,
            "shoe_id": _TEXT,
            "decks": _INT,
            "cards": _TEXT,
        }
    ),
}
"""What is known of a round. `discrepancies` lacks the columns that the loader adds (first_seen, last_seen, fixed_at);
`fresh` of `rounds` (events that no earlier run counted) is for the loader and is not stored."""

ROUND_ORIGIN: Final = "round"
"""The origin of a discrepancy that the audit of its round found."""
