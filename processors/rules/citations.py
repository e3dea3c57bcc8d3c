"""Who cites which paragraph: the `cite` of rule files and paytables, and the `rule` of the cases, from the games' folders.

A citation counts for the paragraph that it names and for those that this one stands in, and not for what stands under it. A
table, though, is cited where it stands: a rule whose value is a table, or a paytable, that cites a paragraph with
`table: true` counts for the rows under it, and a paytable for the paragraph of its name as well. A paytable that cites the
paragraph of its name counts for the rows beside that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from events import yaml12
from processors.rules.documents import Library, NoSuchParagraph, Paragraph

Kind = Literal["rule", "paytable", "case"]


class Cited(NamedTuple):
    """One citation. `name` is that of the rule, paytable or case; `scope` the jurisdiction, or "" where there is none.

    `document` is empty for a case, which names paragraphs alone; `where` is file and line, from the games' folder on.
    """

    kind: Kind
    game: str
    scope: str
    name: str
    document: str
    paragraph: str
    is_table: bool
    where: str

    @property
    def by(self) -> str:
        """Who cites, in a few words."""
        return f"{self.kind} {self.name}" + (f" ({self.game}, {self.scope})" if self.scope else f" ({self.game})")


class Coverage(NamedTuple):
    """For each paragraph, by its text, who cites it; and the citations that name nothing, each with the reason."""

    cited: Mapping[str, Sequence[Cited]]
    unknown: Sequence[tuple[Cited, str]]

    def is_uncited(self, paragraph: Paragraph) -> bool:
        """Whether something must cite the paragraph and nothing does."""
        return paragraph.is_demanded and not self.cited.get(paragraph.text)


def citations_of(games: Iterable[Path]) -> Iterator[Cited]:
    """Every citation in the folders of games.

    Raises yaml12.Faults where a file is no YAML; what else is wrong in it is the loader's to say.
    """
    for folder in games:
        for path in sorted(folder.glob("rules/*.yaml")):
            yield from _cites(path, folder, "rule")
        for path in sorted(folder.glob("paytables/*.yaml")):
            yield from _cites(path, folder, "paytable")
        for path in sorted(folder.glob("cases/*.yaml")):
            yield from _cases(path, folder)


def coverage(library: Library, citations: Iterable[Cited]) -> Coverage:
    """Lay the citations over the paragraphs."""
    cited: dict[str, list[Cited]] = {}
    unknown: list[tuple[Cited, str]] = []
    for citation in citations:
        try:
            named = library.resolve(citation.paragraph, citation.document)
        except NoSuchParagraph as fault:
            unknown.append((citation, str(fault)))
            continue
        for paragraph in dict.fromkeys(covered for one in named for covered in _covers(library, one, citation)):
            cited.setdefault(paragraph.text, []).append(citation)
    return Coverage(cited, unknown)


def _covers(library: Library, named: Paragraph, citation: Cited) -> Iterator[Paragraph]:
    yield named
    yield from library.ancestors(named)
    if not citation.is_table:
        return
    own = citation.name.casefold()
    is_column = citation.kind == "paytable" and bool(named.steps) and not named.is_numbered
    table = next(library.ancestors(named)) if is_column else named
    for child in library.children(table) if table.table else ():
        # the paytable A is the paragraph "Paytable A"
        its_own = citation.kind == "paytable" and child.steps[-1].casefold().split()[-1] == own
        if child.is_numbered or its_own:
            yield child


def _cites(path: Path, folder: Path, kind: Kind) -> Iterator[Cited]:
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    for place, holder in _holders(document.value, ()):
        cite = holder["cite"]
        if not isinstance(cite, Mapping) or not all(isinstance(cite.get(key), str) for key in ("document", "paragraph")):
            continue
        name, scope = (path.stem, "") if kind == "paytable" else (str(place[1] if len(place) > 1 else ""), path.stem)
        is_table = kind == "paytable" or isinstance(holder.get("value"), Mapping)
        where = _where(path, folder, document.line((*place, "cite")))
        yield Cited(kind, folder.name, scope, name, cite["document"], cite["paragraph"], is_table, where)


def _holders(value: Any, place: yaml12.Path) -> Iterator[tuple[yaml12.Path, Mapping[Any, Any]]]:
    """Every mapping with a `cite`, and where it stands."""
    if isinstance(value, Mapping):
        if "cite" in value:
            yield place, value
        for key, part in value.items():
            yield from _holders(part, (*place, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _holders(part, (*place, index))


def _cases(path: Path, folder: Path) -> Iterator[Cited]:
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    cases = document.value.get("cases") if isinstance(document.value, Mapping) else None
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, Mapping) and isinstance(case.get("rule"), str):
            where = _where(path, folder, document.line(("cases", index, "rule")))
            yield Cited("case", folder.name, "", str(case.get("name", "")), "", case["rule"], False, where)


def _where(path: Path, folder: Path, line: int) -> str:
    return f"{path.relative_to(folder.parent).as_posix()}:{line}"
