"""The floor: which tables stand there, how the day goes, which rounds get a mistake. One stream of events, by time."""

from __future__ import annotations

import heapq
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import processors.games
from events.errors import BadInput
from events.model import Event, RoundOpened
from events.times import is_day
from pipelines.simulate.answer_key import KeyLine
from pipelines.simulate.planting import MISTAKES, correct_a_payment, plant
from processors.checks import PropertyClock
from processors.kernel.dealing import Dealer, MakeDealer, Planted, TableSetup

SECOND: Final = 1_000_000
HOUR: Final = 3600 * SECOND
OPEN_HOURS: Final = 20
"""The hours over which a day's rounds are spread. What does not fit before the day ends is dealt on the next."""
LAST_OPENING_HOURS: Final = 23.5
FIRST_DAY: Final = "1970-01-02"
LAST_DAY: Final = "2198-12-31"
"""Days between which events can be of any time zone, and rounds that do not fit go over to the next ones."""
PAUSE_SECONDS: Final = (12, 40)
CORRECTIONS: Final = 0.005
"""How many of the rounds without a mistake have a payment that the house took back and paid rightly."""
BUSY: Final = (
    1.3, 1.2, 1.0, 0.8, 0.6, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0, 1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.6, 1.6, 1.4,
)  # fmt: skip
"""How much faster than on average tables deal in each local hour."""
PREFIXES: Final = {
    "blackjack": "BJ",
    "blackjack@us-sd": "SD",
    "craps": "CR",
    "i_luv_suits": "IL",
    "pure_21_5": "PB",
}
"""How the tables of a game are called; another game's begin with its first two letters."""
SHIFT_HOURS: Final = 2


class Plan(NamedTuple):
    """What to simulate: `tables` in all, shared out over `games` in turn, and `rounds` in all.

    A game with rules in several jurisdictions is dealt under the first of them by name; `blackjack@us-sd` names another.
    `mistakes` is the share of rounds (0 to 1) that get one planted mistake. All chance comes from `seed`. `clock` is the
    property's: when the gaming day begins.
    """

    tables: int = 10
    rounds: int = 1500
    seed: int = 1
    mistakes: float = 0.05
    games: Sequence[str] = tuple(PREFIXES)
    gaming_day: str = "2026-11-29"
    currency: str = "USD"
    clock: PropertyClock = PropertyClock()


class House(NamedTuple):
    """Who deals a game, and in which jurisdiction."""

    dealer: MakeDealer
    jurisdiction: str


class Simulation:
    """A simulated gaming day. `events()` deals it, once; `key`, `mistakes` and the counts grow on the way.

    Memory holds one round a table and the answer key, however long the day. Rounds that do not fit the day are dealt on
    the days after it. Raises BadInput where the plan cannot be dealt.
    """

    def __init__(self, plan: Plan, houses: Mapping[str, House] | None = None) -> None:
        _check(plan)
        self.plan = plan
        self.key: list[KeyLine] = []
        self.rounds = 0
        self.mistakes: Counter[str] = Counter()
        self.corrections = 0
        self._houses = houses if houses is not None else find_houses(plan.games)
        self._random = _chance(plan.seed, "floor")
        self._next_mistake = self._random.random()
        self._mistakes_of = {game: _Queue(_chance(plan.seed, "mistakes", game)) for game in plan.games}

    def events(self) -> Iterator[Event]:
        """Every event of the day in the order in which it arrives."""
        tables = [self._table(number) for number in range(min(self.plan.tables, self.plan.rounds))]
        return heapq.merge(*tables, key=_occurred_at)

    @property
    def not_shown(self) -> Sequence[str]:
        """The mistakes that the games could show and this day did not, for want of rounds or of a place for them."""
        possible = {name for queue in self._mistakes_of.values() for name in queue.names}
        return sorted(possible - set(self.mistakes))

    def _table(self, number: int) -> Iterator[Event]:
        """One table's events, day after day until the floor has dealt its rounds."""
        games = self.plan.games
        game = games[number % len(games)]
        table_id = f"{PREFIXES.get(game, game[:2].upper())}-{number // len(games) + 1:02d}"
        day = date.fromisoformat(self.plan.gaming_day)
        while self.rounds < self.plan.rounds:
            yield from self._table_day(game, table_id, day.isoformat())
            day += timedelta(days=1)

    def _table_day(self, game: str, table_id: str, gaming_day: str) -> Iterator[Event]:
        random = _chance(self.plan.seed, table_id, gaming_day)
        clock = self.plan.clock
        begins = int(clock.moment(gaming_day, clock.day_begins_hour, 0).timestamp()) * SECOND
        house = self._houses[game]
        patrons = [f"P-{random.getrandbits(24):06x}" for _ in range(7)]
        setup = TableSetup(table_id, house.jurisdiction, gaming_day, self.plan.currency, _employee(random), patrons)
        dealer = house.dealer(setup, random)
        self._mistakes_of[game].learn(dealer.mistakes)
        pitch = OPEN_HOURS * HOUR * self.plan.tables / self.plan.rounds
        now = begins + random.randrange(1, 1800) * SECOND
        on_duty, relief = setup.dealer_id, now + SHIFT_HOURS * HOUR
        number = 0
        while now < begins + LAST_OPENING_HOURS * HOUR and self.rounds < self.plan.rounds:
            self.rounds += 1
            number += 1
            if now >= relief:
                on_duty, relief = _employee(random), now + SHIFT_HOURS * HOUR
            events = self._round(game, dealer, f"{table_id}-{gaming_day.replace('-', '')}-{number:04d}", now)
            for event in events:
                yield event._replace(dealer_id=on_duty) if type(event) is RoundOpened else event
            busy = BUSY[(clock.day_begins_hour + (now - begins) // HOUR) % 24]
            until = now + int(pitch / busy * random.uniform(0.7, 1.3)) // SECOND * SECOND
            closed = max(event.occurred_at for event in events[-2:])
            now = max(until, closed + random.randint(*PAUSE_SECONDS) * SECOND)

    def _round(self, game: str, dealer: Dealer, round_id: str, opened_at: int) -> Sequence[Event]:
        """The next round of a table, with a mistake where one is due."""
        if self.rounds * self.plan.mistakes <= self._next_mistake:
            events = dealer.deal(round_id, opened_at).events
            if self._random.random() < CORRECTIONS:
                self.corrections += 1
                return correct_a_payment(events, self._random)
            return events
        queue = self._mistakes_of[game]
        own = queue.own_is_next()
        if own:
            dealt = dealer.deal(round_id, opened_at, own)
            if dealt.planted:
                queue.own_done()
                self._note(round_id, own, dealt.planted, f"At the table: {own.replace('_', ' ')}.")
                return dealt.events
        else:
            dealt = dealer.deal(round_id, opened_at)
        for name in queue.generic():
            planted = plant(name, dealt.events, self._random)
            if planted:
                queue.generic_done(name)
                self._note(round_id, name, planted.planted, planted.done)
                return planted.events
        return dealt.events

    def _note(self, round_id: str, mistake: str, planted: Sequence[Planted], done: str) -> None:
        # one mistake in each stretch of 1 / rate rounds, somewhere in it: the share comes out, the places are not regular
        self.mistakes[mistake] += 1
        self._next_mistake = sum(self.mistakes.values()) + self._random.random()
        for one in planted:
            delta = one.recorded_minor - one.due_minor
            self.key.append(
                KeyLine(round_id, one.kind, one.wager_id, one.due_minor, one.recorded_minor, delta, mistake, done)
            )


def simulate_day(plan: Plan) -> Iterator[Event]:
    """The events of a simulated day, for those who need no answer key. Raises BadInput as `Simulation` does."""
    return Simulation(plan).events()


def find_houses(games: Sequence[str]) -> Mapping[str, House]:
    """Who deals each of `games` (written as in `Plan`), and where.

    Raises BadInput for a game that is not there or not dealt, or a jurisdiction without rules.
    """
    dealers: dict[str, MakeDealer] = {}
    rules: dict[str, list[str]] = {}
    for found in pkgutil.iter_modules(processors.games.__path__):
        module = importlib.import_module(f"{processors.games.__name__}.{found.name}")
        if module.GAME.dealer is not None:
            dealers[module.GAME.name] = module.GAME.dealer
            rules[module.GAME.name] = sorted(path.stem for path in Path(str(module.__file__)).parent.glob("rules/*.yaml"))
    houses = {}
    for written in games:
        game, _, jurisdiction = written.partition("@")
        if game not in dealers:
            raise BadInput(f"no game {game!r} that can be dealt", "--games", f"choose from {', '.join(sorted(dealers))}")
        if jurisdiction and jurisdiction not in rules[game]:
            raise BadInput(f"no rules of {game} in {jurisdiction!r}", "--games", f"choose from {', '.join(rules[game])}")
        houses[written] = House(dealers[game], jurisdiction or rules[game][0])
    return houses


class _Queue:
    """The mistakes of one game in turn, so that each comes once before any comes again.

    There are two queues, the game's own mistakes and the generic ones; the one that is further behind its share is next.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._own: list[str] = []
        self._own_names: Sequence[str] = ()
        self._own_served = 0
        self._generic: list[str] = []
        self._generic_served = 0

    @property
    def names(self) -> Sequence[str]:
        """Every mistake of this game."""
        return [*self._own_names, *MISTAKES]

    def learn(self, own: Sequence[str]) -> None:
        """What the game's dealer can do wrong."""
        self._own_names = own

    def own_is_next(self) -> str:
        """The game's own mistake that is next, or empty where a generic one is."""
        own = len(self._own_names)
        if not own or (self._own_served + 1) * len(MISTAKES) > (self._generic_served + 1) * own:
            return ""
        if not self._own:
            self._own = self._random.sample(list(self._own_names), own)
        return self._own[0]

    def own_done(self) -> None:
        """It was made."""
        self._own.pop(0)
        self._own_served += 1

    def generic(self) -> Iterator[str]:
        """Generic mistakes to try, those that have waited longest first."""
        yield from list(self._generic)
        waiting = set(self._generic)
        more = [name for name in self._random.sample(list(MISTAKES), len(MISTAKES)) if name not in waiting]
        self._generic += more
        yield from more

    def generic_done(self, name: str) -> None:
        """It was planted."""
        self._generic.remove(name)
        self._generic_served += 1


def _occurred_at(event: Event) -> int:
    return event.occurred_at


def _chance(seed: int, *of: str) -> Random:
    """The chance of one part of the floor: adding a table does not change what happens at the others."""
    return Random("/".join((str(seed), *of)))  # noqa: S311  # a simulation has to be repeatable, not secret


def _employee(random: Random) -> str:
    return f"E-{random.randrange(1000, 10000)}"


def _check(plan: Plan) -> None:
    if not plan.games:
        raise BadInput("no game is named", "--games", "name one or more with commas, as blackjack,craps")
    if not 1 <= plan.tables <= 999:
        raise BadInput(f"{plan.tables} tables cannot be simulated", "--tables", "give 1 to 999")
    if plan.rounds < 1:
        raise BadInput(f"{plan.rounds} rounds cannot be simulated", "--rounds", "give 1 or more")
    if not 0 <= plan.mistakes <= 1:
        raise BadInput(f"{plan.mistakes} is no share of the rounds", "--mistakes", "give 0 to 1, as 0.05 for one in twenty")
    if not is_day(plan.gaming_day):
        raise BadInput(f"{plan.gaming_day!r} is no date", "--day", "write it as 2026-11-29")
    if not FIRST_DAY <= plan.gaming_day <= LAST_DAY:
        raise BadInput(f"{plan.gaming_day} cannot be simulated", "--day", f"give {FIRST_DAY} to {LAST_DAY}")
    try:
        ZoneInfo(plan.clock.time_zone)
    except (ZoneInfoNotFoundError, ValueError) as fault:
        raise BadInput(f"{plan.clock.time_zone!r} is no time zone", "--time-zone", "write it as America/Chicago") from fault
