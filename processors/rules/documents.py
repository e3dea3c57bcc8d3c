"""The regulations, paragraph by paragraph: what each orders in our words, and what cannot be audited from events and why.

A document `documents/<id>.yaml`:

    document: ks-register-2021-05-27
    title: Kansas Register, volume 40, issue 21
    short: K.A.R.
    sections:
      "111-301-6":
        title: Blackjack, play
        games: [blackjack]
        paragraphs:
          (g): How a blackjack is paid
          (g)(1): Under 2 to 9 a blackjack gets 3 to 2 at once
          (a):
            orders: A player may cut
            not_audited: No event records the cut

A paragraph that decides money or procedure is a line of text, or `orders` with `table: true` where it holds a table: its
numbered children are the table's rows, its named ones (`(7) TRI-01`) paytables. A section may have `orders`, `table` and
`not_audited` of its own where its text has no number; one without a text and with paragraphs is a heading.

How a citation is written: the section, then its numbering as here (`111-501-44(c)(2)`, `Game Rules 8(a)`,
`20:18:15:24 sentence 4`), with the document's short name or id before it or not. `,`, `;` or `and` stand between several;
one that begins with its numbering is a sibling of the one before: `111-501-44(c)(2), (6)`, `111-301-76(e), (g)(2)`. A
hyphen spans the siblings from one to another: `111-501-44(c)(46)(A)-(G)`. Of a section beside the one before its last number
is enough: `111-501-44(c)(34); 45(k)`. The mark of a reading (`I-04`, `reading C-19`) names no paragraph.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from events import yaml12
from events.errors import BadInput
from processors.kernel.citation import Citation

FOLDER: Final = Path(__file__).parent / "documents"

# one step of a numbering: (a), a bare number, "sentence 4", or a name up to the end
_STEP: Final = re.compile(r"\s*(\([A-Za-z0-9]+\)|\d+(?=[\s(]|$)|sentence \d+(?=[\s(]|$)|[A-Za-z][^(),;]*)")
_BETWEEN: Final = re.compile(r"\s*[,;]\s*|\s+and\s+(?=\(|\d)")
_READING: Final = re.compile(r"(?:reading )?[A-Z]-\d{2}")
_SPAN: Final = re.compile(r"(?P<first>.*\S)\s*[-–]\s*(?P<last>\(\w+\)|\d+)")

_Line = Annotated[str, Field(min_length=1, pattern=r"\S")]
Steps = tuple[str, ...]


class NoSuchParagraph(Exception):
    """A citation names a document or paragraph that is not there; the text says which."""


class Paragraph(NamedTuple):
    """A paragraph, or a section (no `steps`).

    `orders` says in our words what it orders and is empty for a mere heading; `not_audited` says why events cannot show it;
    `table` whether it holds a table; `games` are those that its section is about.
    """

    document: str
    section: str
    steps: Steps
    orders: str
    not_audited: str
    table: bool
    games: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it is cited, without the document: `111-501-44(c)(2)`."""
        return self.section + "".join(step if step.startswith("(") else f" {step}" for step in self.steps)

    @property
    def is_demanded(self) -> bool:
        """Whether a rule, a paytable or a case must cite it."""
        return bool(self.orders) and not self.not_audited

    @property
    def is_numbered(self) -> bool:
        """Whether its last step is a number or letter (a row of a table) and not a name (a paytable)."""
        return bool(self.steps) and (self.steps[-1][0] == "(" or self.steps[-1].split()[-1].isdigit())


class Document(NamedTuple):
    """A regulation: `short` is how it is named to people (`K.A.R.`)."""

    id: str
    title: str
    short: str
    paragraphs: Sequence[Paragraph]


class Library:
    """All documents. Sections are named alike in no two of them.

    Raises BadInput where they are.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents: Mapping[str, Document] = {document.id: document for document in documents}
        self.paragraphs: Sequence[Paragraph] = [p for document in documents for p in document.paragraphs]
        self._by_key: dict[tuple[str, Steps], Paragraph] = {}
        self._sections: dict[str, Paragraph] = {}
        for paragraph in self.paragraphs:
            before = self._by_key.setdefault(_key(paragraph.section, paragraph.steps), paragraph)
            if before is not paragraph:
                raise BadInput(f"{paragraph.text} stands in {before.document} too", paragraph.document, "keep one of them")
            if not paragraph.steps:
                self._sections[paragraph.section.casefold()] = paragraph
        names = {document.short for document in documents} | set(self.documents)
        self._prefixes = sorted((f"{name} ".casefold() for name in names), key=len, reverse=True)

    def resolve(self, text: str, document: str = "") -> list[Paragraph]:
        """The paragraphs that a citation names, in its order; `document` is the id that they must be of, if known.

        Raises NoSuchParagraph.
        """
        if document and document not in self.documents:
            raise NoSuchParagraph(f"no document {document!r}; there are {', '.join(sorted(self.documents))}")
        found: list[Paragraph] = []
        for item in _BETWEEN.split(text.strip()):
            if not (found and _READING.fullmatch(item)):
                found += self._one(item, found[-1] if found else None)
        for paragraph in found:
            if document and paragraph.document != document:
                raise NoSuchParagraph(f"{paragraph.text} stands in {paragraph.document} and not in {document}")
        return found

    def ancestors(self, paragraph: Paragraph) -> Iterator[Paragraph]:
        """The paragraphs that it stands in, nearest first, its section last."""
        for depth in range(len(paragraph.steps) - 1, -1, -1):
            yield self._by_key[_key(paragraph.section, paragraph.steps[:depth])]

    def children(self, paragraph: Paragraph) -> list[Paragraph]:
        """The paragraphs directly under it, in the order of the document."""
        depth = len(paragraph.steps)
        return [
            other
            for other in self.documents[paragraph.document].paragraphs
            if other.section == paragraph.section
            and len(other.steps) == depth + 1
            and other.steps[:depth] == paragraph.steps
        ]

    def _one(self, item: str, before: Paragraph | None) -> list[Paragraph]:
        exact = self._find(item, before)
        if exact is not None:
            return [exact]
        span = _SPAN.fullmatch(item)
        first = self._find(span["first"], before) if span else None
        if span is None or first is None or not first.steps:
            raise NoSuchParagraph(f"no document has a paragraph {item!r}" + (f" beside {before.text}" if before else ""))
        siblings = self.children(next(self.ancestors(first)))
        lasts = [other for other in siblings if other.steps[-1] == span["last"]]
        if not lasts or siblings.index(lasts[0]) <= siblings.index(first):
            raise NoSuchParagraph(f"{item!r} spans nothing: no {span['last']} stands after {first.text}")
        return siblings[siblings.index(first) : siblings.index(lasts[0]) + 1]

    def _find(self, item: str, before: Paragraph | None) -> Paragraph | None:
        folded = item.casefold()
        prefix = next((prefix for prefix in self._prefixes if folded.startswith(prefix)), "")
        item = item[len(prefix) :].strip()
        found = self._in_full(item)
        if found is not None or before is None:
            return found
        steps = parse_steps(item)
        # a sibling of the one before, else of the nearest of what that one stands in
        for depth in range(len(before.steps) - 1, -1, -1):
            if steps and (key := _key(before.section, (*before.steps[:depth], *steps))) in self._by_key:
                return self._by_key[key]
        article, dash, _ = before.section.rpartition("-")
        return self._in_full(article + dash + item) if dash else None

    def _in_full(self, item: str) -> Paragraph | None:
        # the longest section that it begins with, and the numbering behind it
        for cut in sorted((found.start() for found in re.finditer(r"[\s(]|$", item)), reverse=True):
            section = self._sections.get(item[:cut].casefold())
            if section is not None:
                steps = parse_steps(item[cut:])
                return None if steps is None else self._by_key.get(_key(section.section, steps))
        return None


def parse_steps(text: str) -> Steps | None:
    """The steps of a numbering as `(c)(46)(A)` or `8(a)`; None where it cannot be read."""
    steps: list[str] = []
    place = 0
    text = text.strip()
    while place < len(text):
        step = _STEP.match(text, place)
        if step is None:
            return None
        steps.append(step[1].strip())
        place = step.end()
    return tuple(steps)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Paragraph(_Strict):
    orders: _Line
    not_audited: _Line = ""
    table: bool = False


class _Section(_Strict):
    title: _Line
    games: Annotated[list[_Line], Field(min_length=1)]
    orders: _Line = ""
    not_audited: _Line = ""
    table: bool = False
    paragraphs: dict[str, _Line | _Paragraph] = {}


class _File(_Strict):
    document: _Line
    title: _Line
    short: _Line
    sections: Annotated[dict[str, _Section], Field(min_length=1)]


def load_documents(folder: Path = FOLDER) -> Library:
    """Read every document of a folder.

    Raises BadInput naming file and line of everything that is wrong in them.
    """
    documents: list[Document] = []
    faults: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            documents.append(load_document(path))
        except yaml12.Faults as fault:
            faults.append(str(fault))
    if faults:
        raise BadInput(" | ".join(faults), do="correct the documents")
    return Library(documents)


def cited(cite: Citation) -> str:
    """A citation as people write it, `K.A.R. 111-301-6(g)(1)`; nothing for one that names no paragraph."""
    if not cite.paragraph:
        return ""
    return f"{_short_names().get(cite.document, cite.document)} {cite.paragraph}".strip()


@functools.cache
def _short_names() -> Mapping[str, str]:
    """How each document is named to people. Only the head of each file is read: a listing should not wait for the rest."""
    names = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        head = path.read_text(encoding="utf-8").partition("\nsections:")[0]
        said = yaml12.parse(head, str(path)).value
        names[said["document"]] = said["short"]
    return names


def load_document(path: Path) -> Document:
    """Read one document. Raises yaml12.Faults with every fault of the file and its line."""
    parsed = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    try:
        file = _File.model_validate(parsed.value)
    except ValidationError as fault:
        raise yaml12.Faults(str(path), [_fault(parsed, error) for error in fault.errors()]) from None
    faults: list[tuple[int, str]] = []
    if file.document != path.stem:
        faults.append((parsed.line(("document",)), f"document {file.document!r} is not the file's name"))
    paragraphs: list[Paragraph] = []
    for name, section in file.sections.items():
        paragraphs += _section(file.document, name, section, parsed, faults)
    if faults:
        raise yaml12.Faults(str(path), faults)
    return Document(file.document, file.title, file.short, paragraphs)


def _section(
    document: str, name: str, section: _Section, parsed: yaml12.Document, faults: list[tuple[int, str]]
) -> Iterator[Paragraph]:
    games = tuple(section.games)
    # a section without paragraphs is one itself, even where only its title is known
    orders = section.orders or ("" if section.paragraphs else section.title)
    yield Paragraph(document, name, (), orders, section.not_audited, section.table, games)
    seen: set[Steps] = {()}
    for key, item in section.paragraphs.items():
        line = parsed.line(("sections", name, "paragraphs", key))
        steps = parse_steps(key)
        if not steps:
            faults.append((line, f"{key!r} is no numbering as (c)(2)"))
            continue
        if steps in seen:
            faults.append((line, f"{key} stands in {name} twice"))
        if steps[:-1] not in seen:
            faults.append((line, f"{key} stands in {name} without the paragraph that it is part of before it"))
        seen.add(steps)
        paragraph = _Paragraph(orders=item) if isinstance(item, str) else item
        yield Paragraph(
            document, name, steps, paragraph.orders, paragraph.not_audited, paragraph.table, games
        )  # fmt: skip


def _fault(parsed: yaml12.Document, error: Any) -> tuple[int, str]:
    # where a paragraph may be text or a mapping, pydantic names the two alternatives in the place: they are no keys
    place = tuple(part for part in error["loc"] if part != "_Paragraph" and not str(part).startswith("constrained-str"))
    words = {"extra_forbidden": "unknown key", "missing": "missing"}.get(error["type"], str(error["msg"]))
    return parsed.line(place), f"{'.'.join(str(part) for part in place)}: {words}"


def _key(section: str, steps: Steps) -> tuple[str, Steps]:
    # (a) and (A) are two paragraphs; names are the same in small and capital letters
    return section.casefold(), tuple(step if step.startswith("(") else step.casefold() for step in steps)
