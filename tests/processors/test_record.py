"""A RoundAudit survives its Avro record."""

from __future__ import annotations

from events import codec
from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.settlement import Contribution, Discrepancy, RoundAudit, Settlement
from processors.record import cite_of, cite_text, from_record, to_record

CITE = Citation("ks-register-2021-05-27", "111-301-6(g)(1) and (2)")
AUDIT = RoundAudit(
    "R1", "BJ-07", "blackjack", "us-ks-southwest", "2024-03-01", "USD", 2, 1_700_000_000_000_000, 1_700_000_060_000_000,
    "D1", 9,
    [Settlement("w1", "main", "WIN", 1500, stake_returned_minor=1000, prize="blackjack", decided_at=6, cite=CITE)],
    [Contribution("P1", "w1", 15_000_000, CITE)],
    [Discrepancy("OVERPAID", "R1", "w1", 2500, 3000, "PATRON", CITE, (6, 7), "$30.00 was given.")],
    "rules", "code",
)  # fmt: skip


def test_an_audit_is_the_same_after_its_bytes_are_read_back() -> None:
    message = codec.encode_record("RoundAudit", to_record(AUDIT))
    assert from_record(codec.decode_record(message, "RoundAudit")) == AUDIT


def test_a_discrepancy_record_carries_what_a_reader_could_not_compute() -> None:
    (found,) = to_record(AUDIT)["discrepancies"]
    assert (found["id"], found["severity"], found["delta_minor"]) == (AUDIT.discrepancies[0].id, "HIGH", 500)


def test_a_citation_is_parted_at_its_first_space() -> None:
    assert cite_text(CITE) == "ks-register-2021-05-27 111-301-6(g)(1) and (2)"
    assert cite_of(cite_text(CITE)) == CITE
    assert cite_text(NOWHERE) == ""
    assert cite_of("") == NOWHERE
