"""The regulations and the product: what events can show is cited, and what is cited is there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from console.commands.ruling import game_folders
from processors import rulebook
from processors.kernel.citation import Citation
from processors.kernel.settlement import RoundAudit
from processors.replay import audit_round, explain_round
from processors.rules.citations import Coverage, citations_of, coverage
from processors.rules.documents import NoSuchParagraph, Paragraph, load_documents
from tests.game_cases import Case, all_cases

LIBRARY = load_documents()
GAMES = {folder.name for folder in game_folders()}
SECTIONS = [p for p in LIBRARY.paragraphs if not p.steps and GAMES & set(p.games)]


@cache
def covered() -> Coverage:
    return coverage(LIBRARY, citations_of(game_folders()))


def text(section: Paragraph) -> str:
    return section.text


@pytest.mark.parametrize("section", SECTIONS, ids=text)
def test_every_paragraph_that_events_can_show_is_cited_by_a_rule_a_paytable_or_a_case(section: Paragraph) -> None:
    paragraphs = [p for p in LIBRARY.paragraphs if p.section == section.section]
    uncited = [f"{p.document} {p.text}: {p.orders}" for p in paragraphs if covered().is_uncited(p)]
    assert not uncited, "\n".join(("cite in a rule or case, or say in the document why events cannot show it:", *uncited))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_rule_paytable_or_case_cites_what_no_document_has(game: str) -> None:
    unknown = [f"{c.where}: {c.by} cites {c.paragraph!r}: {why}" for c, why in covered().unknown if c.game == game]
    assert not unknown, "\n".join(unknown)


def test_the_tables_of_the_documents_have_rows() -> None:
    assert [p.text for p in LIBRARY.paragraphs if p.table and not LIBRARY.children(p)] == []


def test_an_excuse_says_something() -> None:
    assert [p.text for p in LIBRARY.paragraphs if p.not_audited and len(p.not_audited.split()) < 5] == []


CASES = list(all_cases())


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.load()


@pytest.mark.parametrize("case", CASES, ids=[f"{case.where} {case.name}" for case in CASES])
def test_what_a_verdict_cites_is_a_paragraph(case: Case, book: rulebook.Rulebook) -> None:
    only_due = case.asks_only_what_is_due
    audit = audit_round(case.events, book, only_due=only_due)
    steps = explain_round(case.events, book, only_due=only_due)
    cites = {*_cites(audit), *(step.cite for taken in steps.values() for step in taken)}
    assert [fault for cite in sorted(cites) if cite.document for fault in _faults(cite)] == []


def _cites(audit: RoundAudit) -> Iterable[Citation]:
    for found in (audit.settlements, audit.contributions, audit.discrepancies):
        for item in found:
            yield item.cite


def _faults(cite: Citation) -> list[str]:
    try:
        LIBRARY.resolve(cite.paragraph, cite.document)
    except NoSuchParagraph as fault:
        return [f"{cite}: {fault}"]
    return []
