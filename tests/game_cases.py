"""Reads the cases that stand beside the games: `processors/games/<game>/cases/*.yaml`.

    round: {game: craps, jurisdiction: us-ks-south-central, gaming_day: 2021-06-01, limits: {"*": {minimum_minor: 500}}}
    cases:
      - name: A seven on the come-out wins the pass line and loses the don't pass
        rule: 111-501-44(c)(2), (6)
        sum: 10.00 at 1 to 1 = 10.00
        events:
          - wager w1 seat 1 pass 1000
          - roll 3-4
        expect:
          wagers: {w1: {result: WIN, paid_minor: 1000, stake_returned_minor: 1000}}
          discrepancies: []

`round` of a case is laid over that of the file. RoundOpened comes first and RoundClosed last by themselves (`open: true`
leaves the round open). An event is written in full ({type: ..., ...}) or short:

    wager ID [seat N] BET [on X] AMOUNT [parent ID] [from ID] [tip]      change ID AMOUNT [REASON]     call ID on|off
    deal SEAT[.HAND] CARD     deal dealer CARD|??     deal burn|discard CARD      expose dealer POSITION CARD
    expose SEAT[.HAND] POSITION CARD      discard dealer|SEAT[.HAND] POSITION REASON [CARD]      act SEAT[.HAND] ACTION [ID]
    check hole      close betting      roll A-B [shooter N] [no_roll REASON]      fee ID FEE AMOUNT [seat N]
    meter ID AMOUNT      settle ID RESULT [paid N] [returned N] [no_action N] [fee_returned N] [to dealer]
    retract SEQUENCE      void REASON      shuffle SHOE
    hand dealer|SEAT[.HAND] CARD|?? ... (each dealt face down)      show dealer|SEAT[.HAND] CARD ... (each turned up)

`wagers` lists, for each wager named, the fields of its settlement to the patron; `dealer_minor` what goes to the dealer in
all; `contributions` by progressive in millionths; `discrepancies` the kinds, exactly, each as KIND or as
{kind: ..., due_minor: ...}. A case without any `settle` asks only what is due.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import processors.games
from events import yaml12
from events.errors import BadInput
from events.intake import Script
from events.model import Event

GAMES = Path(str(processors.games.__path__[0]))
"""Where the installed games are: in the checkout, or in the wheel that is tested."""
OPENED = {"type": "RoundOpened", "table_id": "case", "occurred_at": "2021-06-01T18:00:00Z", "currency": "USD"}


class Case(NamedTuple):
    """One case: where it stands, its sentence, its events, and what must come out."""

    where: str
    name: str
    events: list[Event]
    expect: Mapping[str, Any]

    @property
    def asks_only_what_is_due(self) -> bool:
        """Whether nobody recorded a settlement."""
        return not any(type(event).__name__ == "SettlementRecorded" for event in self.events)


def all_cases(games: Path = GAMES) -> Iterator[Case]:
    """Every case of every game."""
    for path in sorted(games.glob("*/cases/*.yaml")):
        yield from read_cases(path)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one file. Raises BadInput with file and line."""
    document = yaml12.parse(path.read_text(encoding="utf-8"), str(path))
    shared = document.value.get("round", {})
    for index, case in enumerate(document.value["cases"]):
        where = f"{path.parent.parent.name}/{path.name}:{document.line(('cases', index))}"
        unknown = set(case) - {"name", "rule", "sum", "round", "events", "expect", "open"}
        if unknown or not {"name", "rule", "events", "expect"} <= set(case):
            raise BadInput(f"a case has name, rule, events and expect; unknown or missing: {unknown or set(case)}", where)
        try:
            yield Case(where, case["name"], events_of(case, shared, index), case["expect"])
        except (BadInput, ValueError, IndexError) as fault:
            raise BadInput(str(fault), where) from fault


def events_of(case: Mapping[str, Any], shared: Mapping[str, Any], index: int = 0) -> list[Event]:
    """The events of a case, laid over what its file shares. Raises BadInput or ValueError where a line is none."""
    opened = {**OPENED, "round_id": f"case-{index}", **shared, **case.get("round", {})}
    items: list[Any] = [opened, *(one for item in case["events"] for one in _several(item))]
    if not case.get("open", False):
        items.append({"type": "RoundClosed"})
    script = Script()
    return [script.event(item if isinstance(item, Mapping) else short(item)) for item in items]


def _several(item: Any) -> list[Any]:
    """The events of a line about many cards; any other item is one event."""
    verb, *words = item.split() if isinstance(item, str) else [""]
    if verb == "hand":
        face_down = {"type": "CardDealt", **_spot(words[0]), "face_up": False}
        return [{**face_down, "card": "" if card == "??" else card} for card in words[1:]]
    if verb == "show":
        return [f"expose {words[0]} {position} {card}" for position, card in enumerate(words[1:])]
    return [item]


def short(text: str) -> dict[str, Any]:
    """The event that a short line states."""
    verb, *words = text.split()
    return {"type": _TYPES[verb], **_VERBS[verb](words)}


def _options(words: list[str], *names: str) -> dict[str, str]:
    """The words behind each of `names`, taken out of `words`."""
    found = {}
    for name in names:
        if name in words:
            place = words.index(name)
            found[name] = words[place + 1]
            del words[place : place + 2]
    return found


def _spot(word: str) -> dict[str, Any]:
    if word in ("dealer", "burn", "discard"):
        return {"to": word.upper()}
    seat, _, hand = word.partition(".")
    return {"to": "SEAT", "seat": int(seat), "hand": int(hand or 1)}


def _hand(word: str) -> dict[str, Any]:
    return {key: value for key, value in _spot(word).items() if key != "to"}


def _wager(words: list[str]) -> dict[str, Any]:
    options = _options(words, "seat", "on", "parent", "from")
    tip = words[-1] == "tip"
    wager_id, bet, amount = words[:3]
    return {
        "wager_id": wager_id,
        "bet": bet,
        "amount_minor": int(amount),
        "seat": int(options.get("seat", 0)),
        "on": options.get("on", ""),
        "parent": options.get("parent", ""),
        "carried_from": options.get("from", ""),
        "for_dealer": tip,
    }


def _deal(words: list[str]) -> dict[str, Any]:
    unread = words[1] == "??"
    return {**_spot(words[0]), "card": "" if unread else words[1], "face_up": not unread}


def _settle(words: list[str]) -> dict[str, Any]:
    options = _options(words, "paid", "returned", "no_action", "fee_returned", "to")
    return {
        "wager_id": words[0],
        "result": words[1],
        "paid_minor": int(options.get("paid", 0)),
        "stake_returned_minor": int(options.get("returned", 0)),
        "no_action_minor": int(options.get("no_action", 0)),
        "fee_returned_minor": int(options.get("fee_returned", 0)),
        "paid_to": options.get("to", "patron").upper(),
    }


def _roll(words: list[str]) -> dict[str, Any]:
    options = _options(words, "shooter", "no_roll")
    dice = [int(die) for die in words[0].split("-")]
    return {"dice": dice, "shooter": int(options.get("shooter", 1)), "no_roll": options.get("no_roll", "")}


def _fee(words: list[str]) -> dict[str, Any]:
    options = _options(words, "seat")
    wager_id = "" if words[0] == "-" else words[0]
    return {"wager_id": wager_id, "fee": words[1], "amount_minor": int(words[2]), "seat": int(options.get("seat", 0))}


_TYPES = {
    "wager": "WagerPlaced", "change": "WagerChanged", "call": "WagerCalled", "deal": "CardDealt", "expose": "CardExposed",
    "discard": "CardDiscarded", "act": "PlayerActed", "check": "HoleCardChecked", "close": "BettingClosed",
    "roll": "DiceRolled", "fee": "FeeCollected", "meter": "MeterRead", "settle": "SettlementRecorded",
    "retract": "EventRetracted", "void": "RoundVoided", "shuffle": "ShoeShuffled",
}  # fmt: skip

_VERBS: dict[str, Any] = {
    "wager": _wager,
    "change": lambda w: {"wager_id": w[0], "amount_minor": int(w[1]), "reason": w[2] if len(w) > 2 else ""},
    "call": lambda w: {"wager_id": w[0], "working": {"on": True, "off": False}[w[1]]},
    "deal": _deal,
    "expose": lambda w: {**_spot(w[0]), "position": int(w[1]), "card": w[2]},
    "discard": lambda w: {**_spot(w[0]), "position": int(w[1]), "reason": w[2], "card": w[3] if len(w) > 3 else ""},
    "act": lambda w: {**_hand(w[0]), "action": w[1], "wager_id": w[2] if len(w) > 2 else ""},
    "check": lambda w: {},
    "close": lambda w: {},
    "roll": _roll,
    "fee": _fee,
    "meter": lambda w: {"progressive_id": w[0], "amount_minor": int(w[1])},
    "settle": _settle,
    "retract": lambda w: {"retracts": int(w[0])},
    "void": lambda w: {"reason": w[0] if w else ""},
    "shuffle": lambda w: {"shoe_id": w[0]},
}
