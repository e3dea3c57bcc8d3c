"""A RoundAudit as the plain fields of its Avro record, and back. Pure: nothing is read or written here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.settlement import Contribution, Discrepancy, RoundAudit, Settlement

Record = dict[str, Any]


def to_record(audit: RoundAudit) -> Record:
    """The fields of `audit` as `schemas/audit.RoundAudit.avsc` has them; a citation becomes "document paragraph".

    What a reader of the record could not compute (the id, severity and delta of a discrepancy) is written out.
    """
    record: Record = audit._asdict()
    record["settlements"] = [_with_cite_text(settlement) for settlement in audit.settlements]
    record["contributions"] = [_with_cite_text(contribution) for contribution in audit.contributions]
    record["discrepancies"] = [_discrepancy_record(discrepancy) for discrepancy in audit.discrepancies]
    return record


def from_record(record: Mapping[str, Any]) -> RoundAudit:
    """The RoundAudit of a record that `to_record` made or `events.codec.decode_record` read.

    Raises KeyError or TypeError where it is no such record.
    """
    round_id = record["round_id"]
    fields = {name: record[name] for name in RoundAudit._fields}
    fields["settlements"] = [_with_citation(Settlement, settlement) for settlement in record["settlements"]]
    fields["contributions"] = [_with_citation(Contribution, contribution) for contribution in record["contributions"]]
    fields["discrepancies"] = [_discrepancy(round_id, discrepancy) for discrepancy in record["discrepancies"]]
    return RoundAudit(**fields)


def cite_text(cite: Citation) -> str:
    """ "document paragraph", or nothing where the finding rests on no regulation."""
    return f"{cite.document} {cite.paragraph}" if cite.document else ""


def cite_of(text: str) -> Citation:
    """The citation of a text that `cite_text` made: a document's name has no space, a paragraph may."""
    document, _, paragraph = text.partition(" ")
    return Citation(document, paragraph) if document else NOWHERE


def _with_cite_text(part: Settlement | Contribution) -> Record:
    fields: Record = part._asdict()
    fields["cite"] = cite_text(part.cite)
    return fields


def _with_citation(made: Any, fields: Mapping[str, Any]) -> Any:
    return made(**{**fields, "cite": cite_of(fields["cite"])})


def _discrepancy_record(found: Discrepancy) -> Record:
    return {
        "id": found.id,
        "kind": found.kind,
        "severity": found.severity,
        "wager_id": found.wager_id,
        "due_minor": found.due_minor,
        "recorded_minor": found.recorded_minor,
        "delta_minor": found.delta_minor,
        "favours": found.favours,
        "cite": cite_text(found.cite),
        "rests_on": list(found.rests_on),
        "sentence": found.sentence,
    }


def _discrepancy(round_id: str, fields: Mapping[str, Any]) -> Discrepancy:
    return Discrepancy(
        fields["kind"],
        round_id,
        fields["wager_id"],
        fields["due_minor"],
        fields["recorded_minor"],
        fields["favours"],
        cite_of(fields["cite"]),
        tuple(fields["rests_on"]),
        fields["sentence"],
    )
