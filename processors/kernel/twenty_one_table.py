"""The table of a game of 21: what the replay of a round remembers from event to event, whichever rules it is played by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from events.model import HoleCardChecked, RoundClosed, RoundOpened, RoundVoided, WagerPlaced
from processors.kernel.card_game import CardGame, Hand
from processors.kernel.citation import NOWHERE, Citation
from processors.kernel.dated import Paytable
from processors.kernel.game import Paytables, Wager
from processors.kernel.twenty_one import Spot, Turns, TwentyOneHand


class TwentyOneWager(Wager):
    """A wager; `elected` once the player's act took it up, `paytable` where the table names one for its bet.

    `refused` is set where the game keeps a wager that the rules did not permit out of all that follows.
    """

    __slots__ = ("elected", "paytable", "refused")

    def __init__(self, event: WagerPlaced) -> None:
        super().__init__(event)
        self.elected = False
        self.refused = False
        self.paytable: Paytable | None = None


class TwentyOneTable(CardGame):
    """State, and what a game of 21 says for itself; `twenty_one_deal` and `twenty_one_acts` are written for it.

    `playing` is set from the first decision of a player (or the hole card) on. A sequence is -1 while it has not happened.
    `expected` is the order of the first cards (seats, 0 for the dealer), `step` how far it has come, and `in_order` whether
    it was kept so far. `skip_next` are the hands, by seat and number, that get a card which does not count;
    `refused_splits` the seats at which a split was refused; `misplayed` the hands whose player acted as the rules do not
    allow: that is the finding, and no decision is missing. `dead` is set once the round was voided.

    Derived classes say: DEALER_NAME, whoever deals for the house; CLOSED_BY_CARDS, why cards alone close a hand;
    OVER_LIMIT and SPLIT_EQUALS, the words for the most that a wager may be and for what a split wager is equal to.
    """

    HAND_TYPE: ClassVar[type[Hand]] = TwentyOneHand
    MISDEALS: ClassVar[frozenset[str]] = frozenset({"DEALT_OUT_OF_ORDER", "CARD_NOT_EXPOSED", "HOLE_CARD_NOT_CHECKED"})
    DEALER_NAME: ClassVar[str] = "the dealer"
    CLOSED_BY_CARDS: ClassVar[Sequence[str]] = ("busted", "twenty_one", "doubled", "split_ace")
    OVER_LIMIT: ClassVar[str] = "; it may be {} at most"
    SPLIT_EQUALS: ClassVar[str] = "the original {}"

    def __init__(self, opened: RoundOpened, terms: Any, paytables: Paytables) -> None:
        super().__init__(opened, terms, paytables)
        self.spots: dict[int, Spot] = {}
        self.expected: Sequence[int] = ()
        self.step = 0
        self.in_order = True
        self.skip_next: set[tuple[int, int]] = set()
        self.refused_splits: set[int] = set()
        self.misplayed: set[Hand] = set()
        self.turns = Turns(())
        self.playing = False
        self.checked_at = self.hole_at = self.round_closed_at = -1
        self.dead = False

    # --- what a game says for itself ---------------------------------------------------------------------------------

    def cite_of_bet(self, bet: str) -> Citation:
        """The paragraph by which a bet is made."""
        return NOWHERE

    def void_refused(self, wager: Any, at: int, cite: Citation) -> None:
        """The wager of an act that is not allowed is void."""
        self.settle(wager, "VOID", at, cite)

    def begin_play(self, at: int) -> None:
        """The first decision, or a card after the first two: play begins."""

    def first_card_astray(self, seat: int, event: Any) -> None:
        """A first card came to `seat` (0 is the dealer) when it was not its turn."""

    def card_in_play(self, hand: TwentyOneHand, event: Any) -> None:
        """A card came to a player's hand after play began."""

    def look(self, hand: TwentyOneHand, at: int) -> None:
        """Close a hand that may not draw any more because of its cards."""

    # --- what every game of 21 does ----------------------------------------------------------------------------------

    def spot(self, seat: int) -> Spot:
        """The betting spot of a seat."""
        found = self.spots.get(seat)
        return found if found is not None else self.spots.setdefault(seat, Spot(seat))

    def may_split_on(self, seat: int) -> bool:
        """Whether the rules leave room for one more hand at a seat."""
        return bool(len(self.spot(seat).hands) < self.terms.split_hands.value)

    def hand_with(self, wager: Any) -> TwentyOneHand | None:
        """The hand on which a wager lies, as its own or as its double."""
        hands: Sequence[TwentyOneHand] = tuple(self.hands.values())
        return next((hand for hand in hands if hand.wager is wager or hand.double is wager), None)

    def hole_card_checked(self, event: HoleCardChecked) -> None:
        """The hole card was looked at."""
        if self.checked_at < 0:
            self.checked_at = event.sequence

    def round_voided(self, event: RoundVoided) -> None:
        """A dead hand: nothing of it is judged any more."""
        self.dead = True
        self.forget_misdeals()

    def round_closed(self, event: RoundClosed) -> None:
        """The round ended."""
        if self.round_closed_at < 0:
            self.round_closed_at = event.sequence
