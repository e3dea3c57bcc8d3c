"""Every paragraph of K.A.R. 111-501-44(a), (c) and 111-501-45 is cited by a rule or a case, or the README says why not."""

from __future__ import annotations

import re
from pathlib import Path

from processors import rulebook
from tests.game_cases import GAMES

CRAPS = GAMES / "craps"
WANTED = {
    *(f"44(a)({n})" for n in range(1, 12)),
    "44(b)",
    *(f"44(c)({n})" for n in range(1, 48)),
    *(f"44(c)(46)({letter})" for letter in "ABCDEFG"),
    *(f"44(c)(47)({table})({n})" for table in "AB" for n in range(1, 10)),
    *(f"45({letter})" for letter in "abcdefghijklmnopqrstuvw"),
    *(f"45(v)({n})" for n in (1, 2, 3)),
}
GROUP = re.compile(r"(?:111-501-)?(4[45])?((?:\((?:[A-Z]|[a-z]|\d+)\))+)")


def paragraphs(text: str) -> set[str]:
    """The paragraphs that a citation lists; what one leaves out is that of the one before it."""
    found: set[str] = set()
    before: list[str] = []
    section = ""
    for match in GROUP.finditer(text.replace("(A)-(G)", "")):
        levels = re.findall(r"\(\w+\)", match[2])
        if match[1]:
            section = match[1]
        elif levels[0][1].isdigit():
            levels = [*before[:1], *levels]
        before = levels
        found |= {section + "".join(levels[:depth]) for depth in range(1, len(levels) + 1)}
    return found


def cited() -> set[str]:
    rules = rulebook.load().games["craps"].rules["us-ks-south-central"].entries
    texts = [dated.cite.paragraph for entry in rules.values() for dated in entry.values]
    texts += rules["no_roll_reasons"].values[0].value.values()
    for path in (CRAPS / "cases").glob("*.yaml"):
        texts += re.findall(r'^    rule: "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    return {paragraph for text in texts for paragraph in paragraphs(text)}


def not_auditable(readme: Path) -> set[str]:
    text = readme.read_text(encoding="utf-8").partition("## Not audited")[2].partition("\n## ")[0]
    return {
        paragraph for line in text.splitlines() if line.startswith("| 4") for paragraph in paragraphs(line.split("|")[1])
    }


def test_a_citation_that_leaves_parts_out_is_read_in_full() -> None:
    listed = paragraphs("111-501-44(c)(2), (6); 45(k), (v)(1); reading C-05")
    assert listed == {"44(c)", "44(c)(2)", "44(c)(6)", "45(k)", "45(v)", "45(v)(1)"}


def test_every_paragraph_is_cited_or_listed_with_its_reason() -> None:
    assert sorted(WANTED - cited() - not_auditable(CRAPS / "README.md")) == []


def test_what_is_listed_as_not_auditable_is_cited_nowhere() -> None:
    assert sorted(cited() & not_auditable(CRAPS / "README.md")) == []


def test_the_readme_names_every_reading_of_the_rule_file() -> None:
    readme = (CRAPS / "README.md").read_text(encoding="utf-8")
    rules = rulebook.load().games["craps"].rules["us-ks-south-central"].entries
    unclear = [name for name, entry in rules.items() if entry.alternatives or entry.doubt]
    assert [name for name in unclear if f"`{name}`" not in readme] == []
    assert [f"C-{n:02}" for n in range(1, 27) if f"C-{n:02}" not in readme] == []
