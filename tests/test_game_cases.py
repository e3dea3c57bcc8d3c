"""Runs every case that stands beside a game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from processors import rulebook
from processors.kernel.settlement import RoundAudit
from processors.replay import audit_round, explain_round
from tests.game_cases import Case, all_cases

CASES = list(all_cases())


@pytest.fixture(scope="session")
def book() -> rulebook.Rulebook:
    return rulebook.load()


@pytest.mark.parametrize("case", CASES, ids=[f"{case.where} {case.name}" for case in CASES])
def test_a_case_comes_out_as_the_regulation_says(case: Case, book: rulebook.Rulebook) -> None:
    only_due = case.asks_only_what_is_due
    audit = audit_round(case.events, book, only_due=only_due)
    assert set(case.expect) <= {"wagers", "dealer_minor", "contributions", "discrepancies"}
    for wager_id, wanted in case.expect.get("wagers", {}).items():
        assert _settlement(audit, wager_id, wanted) == wanted, wager_id
    if "dealer_minor" in case.expect:
        assert sum(s.given_minor for s in audit.settlements if s.paid_to == "DEALER") == case.expect["dealer_minor"]
    if "contributions" in case.expect:
        fed = Counter[str]()
        for contribution in audit.contributions:
            fed[contribution.progressive_id] += contribution.amount_micro
        assert dict(fed) == case.expect["contributions"]
    wanted_kinds = [item if isinstance(item, str) else item["kind"] for item in case.expect.get("discrepancies", [])]
    assert sorted(d.kind for d in audit.discrepancies) == sorted(wanted_kinds), [d.sentence for d in audit.discrepancies]
    for item in case.expect.get("discrepancies", []):
        if not isinstance(item, str):
            assert any(all(getattr(d, key) == value for key, value in item.items()) for d in audit.discrepancies), item
    if "NO_RULE_IN_FORCE" not in wanted_kinds:
        # without rules there is nothing to explain
        assert set(explain_round(case.events, book, only_due=only_due)) == {s.wager_id for s in audit.settlements}


def test_every_game_has_cases() -> None:
    counts = Counter(case.where.split("/")[0] for case in CASES)
    assert counts.keys() >= rulebook.load().games.keys()
    assert min(counts.values()) >= 60
    assert counts["craps"] >= 150


def test_case_names_are_sentences_and_stand_once() -> None:
    names = Counter(f"{case.where.split('/')[0]}: {case.name}" for case in CASES)
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if len(name.split()) < 5] == []


def _settlement(audit: RoundAudit, wager_id: str, wanted: dict[str, Any]) -> dict[str, Any]:
    (found,) = [s for s in audit.settlements if s.wager_id == wager_id and s.paid_to == "PATRON"]
    return {key: getattr(found, key) for key in wanted}
