"""Where a rule stands."""

from __future__ import annotations

from typing import NamedTuple


class Citation(NamedTuple):
    """A paragraph of a document, as `ks-register-2021-05-27`, `111-301-6(g)(1)`."""

    document: str
    paragraph: str

    def __str__(self) -> str:
        return f"{self.document} {self.paragraph}"


NOWHERE = Citation("", "")
"""The citation of a finding that rests on the event contract and on no regulation."""
