"""The one error that bad input raises."""

from __future__ import annotations


class BadInput(Exception):
    """Input that cannot be used: `what` is wrong, `where` it stands, and what to `do`.

    Its text is one plain line. `reason` is the class under which a dead letter is filed.
    """

    def __init__(self, what: str, where: str = "", do: str = "", *, reason: str = "BAD_INPUT") -> None:
        self.what = _one_line(what)
        self.where = _one_line(where)
        self.do = _one_line(do)
        self.reason = reason
        super().__init__(str(self))

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        stop = "" if line.endswith(("?", "!")) else "."
        return f"{line}{stop} {self.do[:1].upper()}{self.do[1:]}." if self.do else line

    def at(self, where: str) -> BadInput:
        """The same fault, with a better idea of where it stands."""
        inner = f"{where}, {self.where}" if self.where else where
        return BadInput(self.what, inner, self.do, reason=self.reason)


def _one_line(text: str) -> str:
    """One line; what was read cannot move the cursor of a terminal or change its colours."""
    line = " ".join(text.split()).rstrip(".")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line)
