"""What each wager comes to for each pair of dice, prepared once for the terms of a day: a roll then only looks it up.

A pair of dice is a key, the lower die times ten plus the higher: 3-1 is 13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from processors.kernel.citation import Citation
from processors.kernel.dated import Paytable
from processors.kernel.odds import Odds

if TYPE_CHECKING:  # the terms make the plan, and the plan reads the terms
    from processors.games.craps.terms import Terms

KEYS: Final = tuple(low * 10 + high for low in range(1, 7) for high in range(low, 7))
KEYS_OF_TOTAL: Final = {total: tuple(key for key in KEYS if key // 10 + key % 10 == total) for total in range(2, 13)}
SIMPLE: Final = ("any_seven", "any_craps", "craps_two", "craps_three", "craps_twelve", "eleven")
HORN_ROWS: Final = {
    "craps_two": "horn_2_12",
    "craps_three": "horn_3_11",
    "craps_twelve": "horn_2_12",
    "eleven": "horn_3_11",
}


class Part(NamedTuple):
    """The part of a wager that wins: how many of its units, at what odds, and which power odds may replace them."""

    bet: str
    units: int
    odds: Odds
    power: str = ""
    row: str = ""


class Win(NamedTuple):
    """What a wager of `of` equal units wins: `odds` on the whole stake, and the stake of `back` units comes back."""

    parts: tuple[Part, ...]
    of: int
    cite: Citation
    odds: Odds
    back: int


class OneRoll(NamedTuple):
    """A wager decided by the next roll: what it wins by key, and the paragraph by which it loses on every other key."""

    wins: Mapping[int, Win]
    of: int
    lose_cite: Citation


class OnNumber(NamedTuple):
    """A wager decided by its number or a seven. `against` the number it wins on the seven.

    `hard` is the key that wins where only one combination does (0 where every one does).
    """

    number: int
    against: bool
    odds: Odds
    win_cite: Citation
    lose_cite: Citation
    hard: int = 0


class First(NamedTuple):
    """A line or come wager on its first roll: which totals win, lose or make it void; any other becomes its number."""

    wins: frozenset[int]
    loses: frozenset[int]
    void: frozenset[int]
    against: bool
    odds: Odds
    pays_cite: Citation
    win_cite: Citation
    lose_cite: Citation
    void_cite: Citation


class Plan:
    """All wagers under one `Terms`. `one_roll` and `on_number` are by bet and `on`, `first` by bet."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.first = _first(terms)
        self.on_number = _on_number(terms)
        self.one_roll = self._one_roll()
        self.off_on_come_out = frozenset(terms.off_on_come_out.value)
        self.always_active = frozenset(terms.always_active.value)
        self.frozen = frozenset(terms.frozen_after_point.value) | ({"put"} if terms.put_frozen.value else set())
        self.not_increased = frozenset((*terms.frozen_after_point.value, *terms.not_increased_after_point.value))
        self.bonus = {
            "all_small": (terms.all_small_totals, terms.all_small_pays),
            "all_tall": (terms.all_tall_totals, terms.all_tall_pays),
            "make_em_all": (terms.make_em_all_totals, terms.make_em_all_pays),
        }
        self.hot_shooter = sorted(terms.hot_shooter_pays.value.items())

    def powered(self, bet: str, win: Win, active: frozenset[str], table: Paytable) -> Win | None:
        """`win` with the power odds of the active wagers in it; itself where none applies, None where no row has them."""
        if not any(part.power in active for part in win.parts):
            return win
        whole = bet == "horn" and self.terms.power_odds_on_horn.value == "whole_wager"
        factor, back = Fraction(0), 0
        for part in win.parts:
            odds: Odds | None = part.odds
            units = part.units
            if part.power in active:
                odds = table.pays.get(part.row)
                units = win.of if whole else units
            if odds is None:
                return None
            factor += odds.win * units
            back += units
        return win._replace(odds=Odds(factor / win.of), back=back, cite=table.cite)

    def _one_roll(self) -> dict[str, dict[str, OneRoll]]:
        terms, pays = self.terms, self.terms.pays
        simple = {bet: self._simple(bet) for bet in SIMPLE}
        field = {
            key: _win((Part("field", 1, odds),), 1, terms.field_pays.cite)
            for total, odds in terms.field_pays.value.items()
            if total in terms.field_wins_on.value
            for key in KEYS_OF_TOTAL[total]
        }
        one_roll = {bet: {"": found} for bet, found in simple.items()}
        one_roll["field"] = {"": OneRoll(field, 1, terms.field_wins_on.cite)}
        for bet, parts, cite in (
            ("horn", terms.horn_parts, terms.horn_paid_as_separate.cite),
            ("world", terms.world_parts, pays.cite),
            ("three_way_craps", terms.three_way_craps_parts, pays.cite),
            ("craps_eleven", terms.craps_eleven_parts, terms.split_halves_settle_alone.cite),
            ("high_low", terms.high_low_parts, terms.split_halves_settle_alone.cite),
            ("ace_deuce_any_craps", terms.ace_deuce_any_craps_parts, terms.ace_deuce_any_craps_parts.cite),
        ):
            one_roll[bet] = {"": self._composite(simple, bet, parts.value, cite, parts.cite)}
        one_roll["horn_high"] = {
            on: self._composite(
                simple, "horn_high", (*terms.horn_high_parts.value, extra), pays.cite, terms.horn_high_parts.cite
            )
            for on, extra in terms.horn_high_extra.value.items()
        }
        one_roll["hop"] = {
            **{on: self._hop(on, "hop_others", terms.hop_others.cite) for on in terms.hop_others.value},
            **{on: self._hop(on, "hop_pairs", terms.hop_pairs.cite) for on in terms.hop_pairs.value},
        }
        return one_roll

    def _simple(self, bet: str) -> OneRoll:
        wins_on = getattr(self.terms, f"{bet}_wins_on")
        power, row = self._power(bet, bet)
        win = _win((Part(bet, 1, self.terms.pays.value[bet], power, row),), 1, self.terms.pays.cite)
        return OneRoll({key: win for total in wins_on.value for key in KEYS_OF_TOTAL[total]}, 1, wins_on.cite)

    def _hop(self, on: str, row: str, cite: Citation) -> OneRoll:
        win = _win((Part(row, 1, self.terms.pays.value[row], "hop", row),), 1, self.terms.pays.cite)
        return OneRoll({int(on[0]) * 10 + int(on[2]): win}, 1, cite)

    def _composite(
        self, simple: Mapping[str, OneRoll], bet: str, names: Iterable[str], cite: Citation, lose_cite: Citation
    ) -> OneRoll:
        """A wager of equal units on several one-roll bets, each at its own odds."""
        names = tuple(names)
        wins = {}
        for key in KEYS:
            parts = tuple(
                Part(name, names.count(name), self.terms.pays.value[name], *self._power(bet, name))
                for name in dict.fromkeys(names)
                if key in simple[name].wins
            )
            if parts:
                wins[key] = _win(parts, len(names), cite)
        return OneRoll(wins, len(names), lose_cite)

    def _power(self, bet: str, part: str) -> tuple[str, str]:
        """Under which activated wager, and from which row, power odds reach this part of a bet."""
        if part in HORN_ROWS and bet in ("horn", "horn_high", "world"):
            return "horn", HORN_ROWS[part]
        if part in ("any_craps", "any_seven", "eleven"):
            return part, part
        reading = self.terms.power_odds_on_single_craps.value
        if part in HORN_ROWS and reading != "base":
            return "craps", "any_craps" if reading == "any_craps" else HORN_ROWS[part]
        return "", ""


def _win(parts: tuple[Part, ...], of: int, cite: Citation) -> Win:
    factor = sum((part.odds.win * part.units for part in parts), Fraction(0)) / of
    return Win(parts, of, cite, Odds(factor), sum(part.units for part in parts))


def _first(terms: Terms) -> dict[str, First]:
    found = {}
    for bet in ("pass", "come"):
        wins, loses = getattr(terms, f"{bet}_wins_at_once"), getattr(terms, f"{bet}_loses_at_once")
        found[bet] = First(
            frozenset(wins.value), frozenset(loses.value), frozenset(), False, terms.pays.value[bet], terms.pays.cite,
            wins.cite, loses.cite, wins.cite,
        )  # fmt: skip
    for bet in ("dont_pass", "dont_come"):
        wins, loses = getattr(terms, f"{bet}_wins_at_once"), getattr(terms, f"{bet}_loses_at_once")
        void = getattr(terms, f"{bet}_void")
        found[bet] = First(
            frozenset(wins.value), frozenset(loses.value), frozenset(void.value), True, terms.pays.value[bet],
            terms.pays.cite, wins.cite, loses.cite, void.cite,
        )  # fmt: skip
    return found


def _on_number(terms: Terms) -> dict[str, dict[str, OnNumber]]:
    pays, cite = terms.pays.value, terms.pays.cite
    found: dict[str, dict[str, OnNumber]] = {}
    for bet, numbers in (("place", terms.place_numbers), ("buy", terms.buy_numbers)):
        found[bet] = {str(n): OnNumber(n, False, pays[f"{bet}_{n}"], cite, numbers.cite) for n in numbers.value}
    found["lay"] = {
        str(n): OnNumber(n, True, terms.lay_pays.value[n], terms.lay_pays.cite, terms.lay_numbers.cite)
        for n in terms.lay_numbers.value
    }
    put = terms.put_pays
    found["put"] = {str(n): OnNumber(n, False, put.value, put.cite, put.cite) for n in terms.put_numbers.value}
    found["hardway"] = {}
    for rule in (terms.four_the_hardway, terms.six_the_hardway, terms.eight_the_hardway, terms.ten_the_hardway):
        die = int(rule.value[0])
        on = str(2 * die)
        found["hardway"][on] = OnNumber(2 * die, False, pays[f"hardway_{on}"], cite, rule.cite, die * 11)
    for bet, number in (("big_six", terms.big_six_number), ("big_eight", terms.big_eight_number)):
        found[bet] = {"": OnNumber(number.value, False, pays[bet], cite, number.cite)}
    for bet, odds in (
        ("pass_odds", terms.take_odds_pay),
        ("come_odds", terms.take_odds_pay),
        ("put_odds", terms.put_odds_pay),
        ("dont_pass_odds", terms.lay_odds_pay),
        ("dont_come_odds", terms.lay_odds_pay),
    ):
        against = bet.startswith("dont")
        found[bet] = {str(n): OnNumber(n, against, win, odds.cite, odds.cite) for n, win in odds.value.items()}
    return found
