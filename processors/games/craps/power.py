"""Power odds: the light that raises the odds of some wagers for one roll (111-501-44(c)(47))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from events.model import FeatureActivated
from processors.games.craps.plan import Win
from processors.kernel.dated import Paytable
from processors.kernel.odds import Odds

if TYPE_CHECKING:  # the engine calls this module with itself
    from processors.games.craps.engine import Craps

NOTHING: Final[frozenset[str]] = frozenset()


class PowerOdds:
    """The power odds of a table: for which wagers the light is on (`active`), and the table's paytable for them."""

    def __init__(self) -> None:
        self.active = NOTHING
        self.table: Paytable | None = None

    def activate(self, game: Craps, event: FeatureActivated) -> None:
        """The light appeared: note for which wagers, and find it where it appeared too early or is not known."""
        at, terms = event.sequence, game.terms
        cite = terms.power_odds_from.cite
        if game.betting_open:
            text = "The light of power odds appeared while wagers could still be made."
            game.find("ACT_NOT_ALLOWED", at, text, cite=cite)
        known = terms.power_odds_wagers.value
        names = [name.strip() for name in event.detail.get("bets", "").split(",") if name.strip()] or list(known)
        unknown = [name for name in names if name not in known]
        if unknown:
            game.find("RULE_MISMATCH", at, f"Power odds are not for {', '.join(unknown)}.", cite=cite)
        active = {name for name in names if name in known}
        if "craps" in active and terms.power_odds_on_single_craps.value == "base":
            active.add("any_craps")
        self.active = self.active | active
        paytable_id = game.opened.paytables.get("power_odds", "")
        table = game.paytables(paytable_id) if paytable_id else None
        self.table = table if table is not None and table.bet == "power_odds" else None
        if self.table is None:
            text = f"Power odds appeared, and the table's paytable for them, {paytable_id!r}, is not known."
            game.find("UNKNOWN_PAYTABLE", at, text, cite=cite)

    def end(self) -> None:
        """A roll counted: the light goes out."""
        self.active = NOTHING

    def on(self, game: Craps, bet: str, win: Win) -> Win | None:
        """`win` as the light makes it: itself where it reaches no part of it, None where its odds are not known."""
        if not any(part.power in self.active for part in win.parts):
            return win
        return game.plan.powered(bet, win, self.active, self.table) if self.table is not None else None

    def hardway(self, on: str) -> Odds | None:
        """The odds of a hardway under the light, None where they are not known."""
        return self.table.pays.get(f"hardway_{on}") if self.table is not None else None
