"""Documents: what is refused in them, how a citation is read, and what it covers."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.errors import BadInput
from events.yaml12 import Faults
from processors.kernel.citation import NOWHERE, Citation
from processors.rules.citations import citations_of, coverage
from processors.rules.documents import Library, NoSuchParagraph, cited, load_document, load_documents, parse_steps

GOOD = """\
document: toy-law
title: The law of a toy
short: T.L.
sections:
  "7-1":
    title: Wagers
    games: [toy]
    paragraphs:
      (a): A wager comes before the roll
      (b):
        orders: The roller wears a hat
        not_audited: No event shows a hat
      (c):
        orders: What the numbers pay
        table: true
      (c)(1): One pays 1 to 1
      (c)(2): Two pays 2 to 1
      (c)(3): Three pays 3 to 1
      (d):
        orders: The house chooses a paytable
        table: true
      (d)(1): The first line
      (d) Paytable A: The low one
      (d) Paytable B: The high one
      (e): Two rules have this letter
      (e) first toy: One of them
      (e) second toy: The other
  "7-12":
    title: The roll
    games: [toy]
    paragraphs:
      sentence 1: The roll is seen
      sentence 2: A roll unseen is no roll
      (A): A capital letter is another paragraph
      (a): Than a small one
  Game Rules:
    title: Winning
    games: [toy, other]
    paragraphs:
      "8": Even wins
      8(a): Double six does not
      8(b): Double one does
      "9": Odd loses
  Hats:
    title: Hats and caps
    games: [toy]
    not_audited: Its text is not at hand
"""


def write(folder: Path, text: str, name: str = "toy-law.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def library(tmp_path: Path) -> Library:
    write(tmp_path / "documents", GOOD)
    return load_documents(tmp_path / "documents")


def named(library: Library, text: str, document: str = "") -> list[str]:
    return [paragraph.text for paragraph in library.resolve(text, document)]


def test_a_document_says_what_each_paragraph_orders_and_what_cannot_be_audited(library: Library) -> None:
    (wager, hat, heading, hats, rule) = (
        library.resolve(text)[0] for text in ("7-1(a)", "7-1(b)", "Game Rules", "Hats", "Game Rules 8(a)")
    )
    assert (wager.orders, wager.is_demanded, wager.games) == ("A wager comes before the roll", True, ("toy",))
    assert (hat.not_audited, hat.is_demanded) == ("No event shows a hat", False)
    assert (heading.orders, heading.is_demanded) == ("", False)
    assert (hats.orders, hats.not_audited, hats.is_demanded) == ("Hats and caps", "Its text is not at hand", False)
    assert (rule.document, rule.games) == ("toy-law", ("toy", "other"))
    assert cited(Citation("ks-register-2021-05-27", "111-301-6(g)(1)")) == "K.A.R. 111-301-6(g)(1)"
    assert cited(Citation("no-law", "7-1(a)")) == "no-law 7-1(a)"
    assert cited(NOWHERE) == ""


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("7-1(a)", ["7-1(a)"]),
        ("7-1", ["7-1"]),
        ("T.L. 7-1(c)(2)", ["7-1(c)(2)"]),
        ("toy-law 7-1(c)(2)", ["7-1(c)(2)"]),
        ("7-1(c)(1), (3)", ["7-1(c)(1)", "7-1(c)(3)"]),
        ("7-1(c)(1); (a) and (b)", ["7-1(c)(1)", "7-1(a)", "7-1(b)"]),
        ("7-1(b), (c)(2), (3); 7-12 sentence 2", ["7-1(b)", "7-1(c)(2)", "7-1(c)(3)", "7-12 sentence 2"]),
        ("7-1(c)(1)-(3)", ["7-1(c)(1)", "7-1(c)(2)", "7-1(c)(3)"]),
        ("7-12 sentence 1, sentence 2", ["7-12 sentence 1", "7-12 sentence 2"]),
        ("7-12(A), (a)", ["7-12(A)", "7-12(a)"]),
        ("game rules 8(a), (b), 9", ["Game Rules 8(a)", "Game Rules 8(b)", "Game Rules 9"]),
        ("Game Rules 8-9", ["Game Rules 8", "Game Rules 9"]),
        ("7-1(d) paytable a", ["7-1(d) Paytable A"]),
        ("7-1(e) second toy", ["7-1(e) second toy"]),
        ("7-1(a); 12(A), (a)", ["7-1(a)", "7-12(A)", "7-12(a)"]),
        ("7-1(a), C-23", ["7-1(a)"]),
        ("7-1(a); reading C-23; (b)", ["7-1(a)", "7-1(b)"]),
    ],
)
def test_a_citation_names_paragraphs(library: Library, text: str, paragraphs: list[str]) -> None:
    assert named(library, text) == paragraphs
    assert named(library, text, "toy-law") == paragraphs


@pytest.mark.parametrize(
    ("text", "document", "words"),
    [
        ("7-1(z)", "", "no document has a paragraph '7-1(z)'"),
        ("7-1(C)", "", "no document has a paragraph '7-1(C)'"),
        ("7-1(a), (z)", "", "no document has a paragraph '(z)' beside 7-1(a)"),
        ("(a)", "", "no document has a paragraph '(a)'"),
        ("12(A)", "", "no document has a paragraph '12(A)'"),
        ("7-1(a); 13(A)", "", "no document has a paragraph '13(A)' beside 7-1(a)"),
        ("", "", "no document has a paragraph ''"),
        ("C-23", "", "no document has a paragraph 'C-23'"),
        ("7-1(c)(3)-(1)", "", "no (1) stands after 7-1(c)(3)"),
        ("7-1(a) or so!", "", "no document has a paragraph '7-1(a) or so!'"),
        ("7-1(a)", "no-law", "no document 'no-law'; there are toy-law"),
    ],
)
def test_a_citation_of_nothing_is_told(library: Library, text: str, document: str, words: str) -> None:
    with pytest.raises(NoSuchParagraph) as caught:
        library.resolve(text, document)
    assert words in str(caught.value)


def test_a_paragraph_of_another_document_is_not_taken_for_that_of_the_named_one(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    second = GOOD.replace("toy-law", "b-law").replace('"7-1', '"8-1').replace("Game Rules:", "House Rules:")
    write(tmp_path, second.replace("Hats:", "Shoes:"), "b-law.yaml")
    library = load_documents(tmp_path)
    assert named(library, "7-1(a), 8-1(a)") == ["7-1(a)", "8-1(a)"]
    with pytest.raises(NoSuchParagraph, match=r"8-1\(a\) stands in b-law and not in toy-law"):
        library.resolve("8-1(a)", "toy-law")


def test_two_documents_have_no_section_of_the_same_name(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, GOOD.replace("toy-law", "b-law"), "b-law.yaml")
    with pytest.raises(BadInput, match=r"7-1 stands in b-law too"):
        load_documents(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("document: toy-law", "document: law", "line 1: document 'law' is not the file's name"),
        ("short: T.L.\n", "", "line 1: short: missing"),
        ("short: T.L.", "short: T.L.\nshorter: T", "line 4: shorter: unknown key"),
        ("games: [toy]\n    paragraphs:\n      (a)", "games: []\n    paragraphs:\n      (a)", "line 7: sections.7-1.games"),
        ("orders: The roller", "order: The roller", "line 11: sections.7-1.paragraphs.(b).order: unknown key"),
        ("not_audited: No event shows a hat", "not_audited:", "line 12: sections.7-1.paragraphs.(b).not_audited"),
        ("(a): A wager comes before the roll", "(a):", "line 9: sections.7-1.paragraphs.(a)"),
        ("(c)(1):", "(x)(1):", "line 16: (x)(1) stands in 7-1 without the paragraph that it is part of before it"),
        ("(c)(1):", "(c)[1]:", "line 16: '(c)[1]' is no numbering as (c)(2)"),
        ("(c)(2):", "(c)(1):", "line 17: key '(c)(1)' stands here twice"),
        ("(c)(2):", "(c) (1):", "line 17: (c) (1) stands in 7-1 twice"),
        ("table: true\n      (c)", 'table: "yes"\n      (c)', "line 15: sections.7-1.paragraphs.(c).table"),
        ("sections:", "sections: {}\nother:", "line 4: sections"),
    ],
)
def test_a_mistake_in_a_document_is_refused_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(Faults) as caught:
        load_document(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert words in text


def test_all_mistakes_of_all_documents_are_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("short: T.L.\n", "").replace("(b):\n        orders", "(b):\n        order"))
    write(tmp_path, "document: b-law\n", "b-law.yaml")
    with pytest.raises(BadInput) as caught:
        load_documents(tmp_path)
    for words in ("short: missing", "(b).order: unknown key", "b-law.yaml: ", "sections: missing"):
        assert words in str(caught.value)


def test_a_numbering_is_read_step_by_step() -> None:
    assert parse_steps("(c)(46)(A)") == ("(c)", "(46)", "(A)")
    assert parse_steps(" 8(a)") == ("8", "(a)")
    assert parse_steps("(7) TRI-01") == ("(7)", "TRI-01")
    assert parse_steps("sentence 2(1)") == ("sentence 2", "(1)")
    assert parse_steps("") == ()
    assert parse_steps("(a") is None


# --- what a citation covers ------------------------------------------------------------------------------------------


RULES = """\
rules:
  early:
    values:
      - {from: 2021-04-14, value: true, cite: {document: toy-law, paragraph: "7-1(c)(1)"}}
  pays:
    values:
      - from: 2021-04-14
        value: VALUE
        cite: {document: toy-law, paragraph: "7-1(c)"}
"""
PAYTABLE = 'values:\n  - cite: {document: toy-law, paragraph: "7-1(d)"}\n    pays: {one: "1 to 1"}\n'
CASES = "cases:\n  - name: A wager before the roll counts\n    rule: 7-1(a); 7-99\n"


def covered_by(library: Library, game: Path) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    found = coverage(library, citations_of([game]))
    cited = {text: [citation.by for citation in citing] for text, citing in found.cited.items()}
    return cited, [(citation.where, fault) for citation, fault in found.unknown]


def test_a_citation_counts_for_what_it_stands_in_and_not_for_what_stands_under_it(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", RULES.replace("VALUE", "7"), "rules/us-xx.yaml")
    cited, unknown = covered_by(library, tmp_path / "toy")
    early, pays = "rule early (toy, us-xx)", "rule pays (toy, us-xx)"
    assert cited == {"7-1(c)(1)": [early], "7-1(c)": [early, pays], "7-1": [early, pays]}
    assert unknown == []


def test_a_rule_with_a_table_counts_for_the_rows_of_the_table_that_it_cites(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", RULES.replace("VALUE", '{1: "1 to 1"}'), "rules/us-xx.yaml")
    cited, _ = covered_by(library, tmp_path / "toy")
    pays = "rule pays (toy, us-xx)"
    assert cited["7-1(c)(2)"] == cited["7-1(c)(3)"] == [pays]
    # and for nothing that the paragraph beside it says
    assert "7-1(b)" not in cited
    assert "7-1(d) Paytable A" not in cited


def test_a_paytable_counts_for_the_paragraph_of_its_own_name(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", PAYTABLE, "paytables/A.yaml")
    cited, _ = covered_by(library, tmp_path / "toy")
    assert sorted(cited) == ["7-1", "7-1(d)", "7-1(d) Paytable A", "7-1(d)(1)"]
    assert cited["7-1(d)"] == ["paytable A (toy)"]


def test_a_paytable_that_cites_its_own_paragraph_counts_for_the_rows_beside_it(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", PAYTABLE.replace("7-1(d)", "7-1(d) Paytable B"), "paytables/B.yaml")
    cited, _ = covered_by(library, tmp_path / "toy")
    assert sorted(cited) == ["7-1", "7-1(d)", "7-1(d) Paytable B", "7-1(d)(1)"]


def test_a_case_cites_too_and_a_citation_of_nothing_is_told_with_file_and_line(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", CASES.replace("; 7-99", ""), "cases/a.yaml")
    write(tmp_path / "toy", CASES, "cases/b.yaml")
    write(tmp_path / "toy", PAYTABLE.replace("toy-law", "no-law"), "paytables/A.yaml")
    cited, unknown = covered_by(library, tmp_path / "toy")
    assert cited == {text: ["case A wager before the roll counts (toy)"] for text in ("7-1(a)", "7-1")}
    assert unknown == [
        ("toy/paytables/A.yaml:2", "no document 'no-law'; there are toy-law"),
        ("toy/cases/b.yaml:3", "no document has a paragraph '7-99' beside 7-1(a)"),
    ]


def test_what_must_be_cited_and_is_not_is_uncited(library: Library, tmp_path: Path) -> None:
    write(tmp_path / "toy", CASES.replace("; 7-99", ""), "cases/a.yaml")
    found = coverage(library, citations_of([tmp_path / "toy"]))
    uncited = [paragraph.text for paragraph in library.paragraphs if found.is_uncited(paragraph)]
    assert "7-1(a)" not in uncited
    assert "7-1(b)" not in uncited
    assert uncited[:4] == ["7-1(c)", "7-1(c)(1)", "7-1(c)(2)", "7-1(c)(3)"]
