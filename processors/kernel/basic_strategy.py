"""One spot of a game of 21 played out by a fixed strategy, written down as the events of a house-correct round.

It decides what happens, never what is paid: that is the engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from events.model import CardDealt, CardExposed, Event, HoleCardChecked, PlayerActed, RoundClosed, WagerPlaced
from processors.kernel.cards import ACE, CARDS, Card
from processors.kernel.outcomes import say
from processors.kernel.twenty_one import LIMIT, POINTS, is_natural, is_ten_valued, must_draw, total_of

SEAT: Final = 1
MAIN: Final = "main"
MOST_HANDS: Final = 4
STRATEGY: Final = (
    "a fixed basic strategy: split aces and eights, 2, 3, 7 against 2 to 7, 6 against 2 to 6, 9 against 2 to 9 but 7; "
    "double 11 against 2 to 10, 10 against 2 to 9, 9 against 3 to 6, soft 13 to 18 against 5 and 6; stand on hard 17, on 13 "
    "against 2 to 6, on 12 against 4 to 6, on soft 19, on soft 18 against 2 to 8; never insure or surrender"
)
"""What `decide` does, in words."""
SPLITS: Final = {1: range(1, 11), 8: range(1, 11), 2: range(2, 8), 3: range(2, 8), 7: range(2, 8), 6: range(2, 7)}
"""Which pairs are split, by the points of a card, against which points of the dealer's card (an ace is one)."""
NINES_SPLIT_AGAINST: Final = (2, 3, 4, 5, 6, 8, 9)
DOUBLES: Final = {11: range(2, 11), 10: range(2, 10), 9: range(3, 7)}


class PlayedHand:
    """A hand being played: its number, the wager on it, its cards."""

    def __init__(self, number: int, wager_id: str, cards: list[Card], *, split: bool = False) -> None:
        self.number = number
        self.wager_id = wager_id
        self.cards = cards
        self.split = split

    @property
    def is_out(self) -> bool:
        """Whether the dealer's total no longer matters to it: over 21, or a blackjack."""
        return total_of(self.cards).busted or (not self.split and len(self.cards) == 2 and is_natural(*self.cards))


def decide(cards: Sequence[Card], up: Card, *, may_split: bool) -> str:
    """What the strategy does with an open hand of less than 21 against the dealer's card."""
    against, points, soft = POINTS[up.rank], *total_of(cards)
    if len(cards) == 2:
        first, second = POINTS[cards[0].rank], POINTS[cards[1].rank]
        against_pair = NINES_SPLIT_AGAINST if first == 9 else SPLITS.get(first, ())
        if may_split and first == second and against in against_pair:
            return "SPLIT"
        if against in ((5, 6) if soft else DOUBLES.get(points, ())) and (not soft or points <= 18):
            return "DOUBLE"
    if soft:
        stands = points >= 19 or (points == 18 and 2 <= against <= 8)
    else:
        stands = points >= 17 or (points >= 13 and 2 <= against <= 6) or (points == 12 and 4 <= against <= 6)
    return "STAND" if stands else "HIT"


class SpotPlayed:
    """A round with one spot. `events` grows; `stakes_minor` are the stakes of the main wager, doubles and splits by id.

    `opening` has the main wager already. `checks(up, natural)` says whether the dealer looks at the hole card before the
    player (who has a natural or not) acts; `up_dealt_open` whether the first card is dealt face up; `draws_regardless`
    whether the dealer also draws when no hand stands against the total any more.
    """

    def __init__(
        self,
        opening: Sequence[Event],
        stake_minor: int,
        draw: Callable[[], str],
        checks: Callable[[Card, bool], bool],
        *,
        up_dealt_open: bool,
        hits_soft_17: bool,
        draws_regardless: bool = False,
    ) -> None:
        self.events = list(opening)
        self.stake_minor = stake_minor
        self.stakes_minor = {MAIN: stake_minor}
        self.draw = draw
        self.hits_soft_17 = hits_soft_17
        self.draws_regardless = draws_regardless
        player = self._to_player(1)
        self.up = self._to_dealer(face_up=up_dealt_open)
        self.hands = [PlayedHand(1, MAIN, [player, self._to_player(1)])]
        self.dealer = [self.up, self._to_dealer(face_up=False)]
        if not up_dealt_open:
            self._say(CardExposed, "DEALER", self.up.code, position=0)
        self._play(checks)
        self._say(RoundClosed)

    def _play(self, checks: Callable[[Card, bool], bool]) -> None:
        checked = checks(self.up, is_natural(*self.hands[0].cards))
        if checked:
            self._say(HoleCardChecked)
        natural = is_natural(*self.dealer)
        if not (checked and natural):
            for hand in self.hands:  # grows while hands are split
                self._play_hand(hand)
        self._say(CardExposed, "DEALER", self.dealer[1].code, position=1)
        if not natural and (self.draws_regardless or not all(hand.is_out for hand in self.hands)):
            while must_draw(total_of(self.dealer), hits_soft_17=self.hits_soft_17):
                self.dealer.append(self._to_dealer(face_up=True))

    def _play_hand(self, hand: PlayedHand) -> None:
        if len(hand.cards) == 1:
            hand.cards.append(self._to_player(hand.number))
        while total_of(hand.cards).points < LIMIT and not (hand.split and hand.cards[0].rank == ACE):
            act = decide(hand.cards, self.up, may_split=len(self.hands) < MOST_HANDS)
            if act == "SPLIT":
                self._split(hand)
                continue
            self._act(hand, act, self._more(hand, "double") if act == "DOUBLE" else "")
            if act == "STAND":
                return
            hand.cards.append(self._to_player(hand.number))
            if act == "DOUBLE":
                return

    def _split(self, hand: PlayedHand) -> None:
        number = len(self.hands) + 1
        wager_id = self._more(hand, "split")
        self._act(hand, "SPLIT", wager_id)
        self.hands.insert(self.hands.index(hand) + 1, PlayedHand(number, wager_id, [hand.cards.pop()], split=True))
        hand.split = True
        hand.cards.append(self._to_player(hand.number))

    def _more(self, hand: PlayedHand, bet: str) -> str:
        wager_id = f"{bet} {len(self.stakes_minor)}"
        self.stakes_minor[wager_id] = self.stake_minor
        self._say(WagerPlaced, wager_id, bet, self.stake_minor, SEAT, parent=hand.wager_id)
        return wager_id

    def _act(self, hand: PlayedHand, action: str, wager_id: str = "") -> None:
        self._say(PlayerActed, action, SEAT, hand.number, wager_id)

    def _to_player(self, number: int) -> Card:
        code = self.draw()
        self._say(CardDealt, "SEAT", SEAT, number, code)
        return CARDS[code]

    def _to_dealer(self, *, face_up: bool) -> Card:
        code = self.draw()
        self._say(CardDealt, "DEALER", 0, 1, code, face_up)
        return CARDS[code]

    def _say(self, event_type: type[Event], *fields: Any, **more: Any) -> None:
        say(self.events, event_type, *fields, **more)


def looks_under(up: Card, *, tens: bool) -> bool:
    """Whether an ace lies up, or with `tens` a ten-valued card."""
    return up.rank == ACE or (tens and is_ten_valued(up))
