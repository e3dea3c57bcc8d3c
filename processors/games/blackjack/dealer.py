"""Deals blackjack for simulation: house-correct rounds from a shoe that lasts, and on request one with a mistake.

What is paid is worked out by `dealer_pay`, apart from the engine. The mistakes are those of this game; those of money and of
the record are planted by the simulator on top of a correct round.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from events.model import (
    BettingClosed,
    CardDealt,
    CardExposed,
    ContributionRecorded,
    HoleCardChecked,
    MeterRead,
    MeterReset,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    ShoeShuffled,
    WagerPlaced,
)
from processors.games.blackjack import dealer_house as house
from processors.games.blackjack import dealer_pay as pay
from processors.games.blackjack.dealer_cashier import Cashier
from processors.games.blackjack.dealer_players import PlayedHand, Player, wants_card, wants_double, wants_split
from processors.kernel.dealing import Dealt, Narrator, Planted, TableSetup

TRIES: Final = 400
START_POT_MINOR: Final = 1_000_000
MISTAKES: Final = (
    "dealer_drew",
    "dealer_stood",
    "late_wager",
    "over_maximum",
    "below_minimum",
    "impossible_card",
    "dealt_out_of_order",
    "hole_card_not_checked",
    "wrong_split_amount",
)
KANSAS_ONLY: Final = ("dealt_out_of_order", "hole_card_not_checked")
"""South Dakota's text at hand orders neither."""


class BlackjackDealer:
    """A table that is dealt round after round. Implements `processors.kernel.dealing.Dealer`."""

    def __init__(self, setup: TableSetup, random: Random) -> None:
        self.setup = setup
        self.random = random
        self.kansas = setup.jurisdiction == house.KANSAS
        self.rules = house.kansas(random) if self.kansas else house.south_dakota(random, setup.gaming_day)
        self.shoe = house.Shoe(self.rules.decks, f"{setup.table_id}-{setup.gaming_day}", random)
        self.pot_minor = START_POT_MINOR + 120 * random.randrange(5000)

    @property
    def mistakes(self) -> Sequence[str]:
        """The mistakes that this table can make."""
        return MISTAKES if self.kansas else [name for name in MISTAKES if name not in KANSAS_ONLY]

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        """Deal the next round; with a `mistake`, one that has it. Raises ValueError for a mistake that it does not know."""
        if mistake and mistake not in self.mistakes:
            raise ValueError(f"no mistake {mistake!r}; there are {', '.join(self.mistakes)}")
        for attempt in range(TRIES):
            before = copy.copy(self.shoe), list(self.shoe.cards), self.pot_minor
            fresh = self.shoe.low or attempt > 0
            if fresh:
                self.shoe.shuffle()
            dealing = Dealing(self, round_id, opened_at, mistake, fresh)
            dealing.run()
            if not mistake or dealing.planted:
                return Dealt(dealing.narrator.events, dealing.planted)
            # this round gave no occasion for the mistake: it was never dealt
            self.shoe, self.shoe.cards, self.pot_minor = before
        raise ValueError(f"no occasion for {mistake} in {TRIES} rounds")


class Dealing:
    """One round being dealt."""

    def __init__(self, table: BlackjackDealer, round_id: str, opened_at: int, mistake: str, fresh: bool) -> None:
        self.table, self.rules, self.random, self.shoe = table, table.rules, table.random, table.shoe
        self.mistake, self.fresh = mistake, fresh
        self.narrator = Narrator(table.setup, round_id, opened_at)
        self.say = self.narrator.say
        self.round_id = round_id
        self.planted: list[Planted] = []
        self.players: list[Player] = []
        self.cards: list[str] = []
        self.wagers = 0
        self.pot_minor = table.pot_minor
        self.progressive = f"{table.setup.table_id}-sevens"
        self.cashier = Cashier(self)

    def run(self) -> None:
        """Deal the round from its opening to its close."""
        self._open()
        self._bets()
        self._first_cards()
        self.cashier.side_bets()
        over = self._offer_insurance_and_check()
        self.cashier.blackjacks(over)
        if not over:
            for player in self.players:
                for hand in player.hands:  # grows while pairs are split
                    self._play(player, hand)
        if len(self.cards) > 1:
            self.say(CardExposed, to="DEALER", position=1, card=self.cards[1])
        if not over:
            self._draw()
        self.cashier.hands()
        self.say(RoundClosed)

    # --- the beginning ---------------------------------------------------------------------------------------------

    def _open(self) -> None:
        setup, rules = self.table.setup, self.rules
        progressive = "blazing_7s" in rules.side_bets
        self.say(
            RoundOpened, game="blackjack", jurisdiction=setup.jurisdiction, gaming_day=setup.gaming_day,
            currency=setup.currency, decks=rules.decks, shoe_id=self.shoe.shoe_id, dealer_id=setup.dealer_id,
            paytables=dict(rules.paytables), options=dict(rules.options), limits=house.limits(rules),
            progressives={"blazing_7s": self.progressive} if progressive else {},
            meters={self.progressive: self.pot_minor} if progressive else {},
        )  # fmt: skip
        if self.fresh:
            self.say(ShoeShuffled, shoe_id=self.shoe.shoe_id, after_seconds=90)

    def place(self, player: Player, bet: str, amount: int, parent: str = "", tip: bool = False) -> str:
        """Place a wager; its id."""
        self.wagers += 1
        wager_id = f"{self.round_id}-w{self.wagers}"
        self.say(
            WagerPlaced, wager_id=wager_id, bet=bet, amount_minor=amount, seat=player.seat, patron_id=player.patron,
            parent=parent, for_dealer=tip,
        )  # fmt: skip
        return wager_id

    def _bets(self) -> None:
        seats = self.random.sample(range(1, 7), self.random.randint(1, min(6, max(1, len(self.table.setup.patrons)))))
        patrons = self.random.sample(list(self.table.setup.patrons) or [""] * len(seats), len(seats))
        self.players = [Player(seat, patron) for seat, patron in zip(sorted(seats), patrons, strict=True)]
        odd = self.random.randrange(len(self.players)) if self.mistake in ("over_maximum", "below_minimum") else -1
        for index, player in enumerate(self.players):
            amount = 500 * self.random.randint(1, 20)
            if index == odd:
                amount = house.MAXIMUM + 2500 if self.mistake == "over_maximum" else house.MINIMUM - 100
            player.main = (self.place(player, "main", amount), amount, 0)
            if index == odd:
                kind = "ABOVE_MAXIMUM" if self.mistake == "over_maximum" else "BELOW_MINIMUM"
                self.planted.append(Planted(kind, player.main[0]))
            self._side_bets(player)
        self._feed()
        if self.random.random() < 0.5:
            self.say(BettingClosed)

    def _side_bets(self, player: Player) -> None:
        made: set[str] = set()
        for bet in self.rules.side_bets:
            needs = {"super_3": "trilux" if "trilux" in self.rules.side_bets else "three_card"}.get(bet)
            if self.random.random() > 0.25 or (needs and needs not in made):
                continue
            made.add(bet)
            amount = house.SEVENS_STAKE if bet == "blazing_7s" else 100 * self.random.randint(1, 25)
            player.extras.append((bet, self.place(player, bet, amount, player.main[0]), amount, False))
            if self.table.kansas and bet != "blazing_7s" and self.random.random() < 0.1:
                player.extras.append((bet, self.place(player, bet, 100, player.main[0], tip=True), 100, True))

    def _feed(self) -> None:
        """24 percent of each progressive wager goes on the meter, which is read before the cards."""
        fed = [wager_id for player in self.players for bet, wager_id, _, _ in player.extras if bet == "blazing_7s"]
        for wager_id in fed:
            share = house.SEVENS_STAKE * 24 // 100
            self.say(ContributionRecorded, progressive_id=self.progressive, amount_minor=share, wager_id=wager_id)
            self.pot_minor += share
        if fed:
            self.say(MeterRead, progressive_id=self.progressive, amount_minor=self.pot_minor)
        self.table.pot_minor = self.pot_minor

    def to_seat(self, player: Player, hand: PlayedHand) -> None:
        """One card face up to a hand."""
        hand.cards.append(self.shoe.draw())
        self.say(CardDealt, to="SEAT", seat=player.seat, hand=hand.number, card=hand.cards[-1])

    def _to_dealer(self, face_up: bool = False) -> None:
        self.cards.append(self.shoe.draw())
        self.say(CardDealt, to="DEALER", card=self.cards[-1] if face_up else "", face_up=face_up)

    def _first_cards(self) -> None:
        if self.mistake == "impossible_card":
            self.say(CardDealt, to="BURN", card=f"1{self.random.choice('cdhs')}")
            self.planted.append(Planted("IMPOSSIBLE_CARD"))
        for player in self.players:
            player.hands.append(PlayedHand(1, player.main, []))
        order = list(self.players)
        if self.mistake == "dealt_out_of_order" and len(order) > 1:
            at = self.random.randrange(len(order) - 1)
            order[at], order[at + 1] = order[at + 1], order[at]
            self.planted.append(Planted("DEALT_OUT_OF_ORDER"))
        for number, player in enumerate(order):
            self.to_seat(player, player.hands[0])
            if number == 0 and self.mistake == "late_wager":
                self._bet_late()
        self._to_dealer()
        for player in self.players:
            self.to_seat(player, player.hands[0])
        self._to_dealer()
        self.say(CardExposed, to="DEALER", position=0, card=self.cards[0])

    def _bet_late(self) -> None:
        player = self.random.choice(self.players)
        wager_id = self.place(player, self.rules.side_bets[0], 500, player.main[0])
        self.planted.append(Planted("LATE_WAGER", wager_id))
        self.cashier.record(wager_id, "VOID", returned=500)

    # --- insurance, even money and the hole card ----------------------------------------------------------------------

    def _offer_insurance_and_check(self) -> bool:
        """Whether the dealer's blackjack ends the round before anybody plays."""
        up = self.cards[0][0]
        naturals = [player for player in self.players if pay.natural(player.hands[0].cards)]
        if up == "A":
            for player in self.players:
                self._insure(player)
        left = [player for player in self.players if not player.hands[0].over]
        must = (up == "A" and bool(left)) or (up in pay.TENS and self.rules.checks_under_ten and bool(naturals))
        if not must:
            return False
        found = pay.natural(self.cards)
        if self.mistake == "hole_card_not_checked" and not found:
            self.planted.append(Planted("HOLE_CARD_NOT_CHECKED"))
        else:
            self.say(HoleCardChecked)
        return found

    def _insure(self, player: Player) -> None:
        hand = player.hands[0]
        stake = player.main[1]
        if self.rules.even_money and pay.natural(hand.cards) and self.random.random() < 0.5:
            self.say(PlayerActed, seat=player.seat, hand=1, action="EVEN_MONEY", wager_id=player.main[0])
            self.cashier.record(player.main[0], "WIN", paid=stake, returned=stake)
            hand.over = "even money"
        elif self.random.random() < 0.2:
            chip = self.rules.chip_minor
            amount = -(-stake // (2 * chip)) * chip if self.random.random() < 0.8 else max(chip, stake // 4 // chip * chip)
            player.insurance = (self.place(player, "insurance", amount, player.main[0]), amount, 0)
            self.say(PlayerActed, seat=player.seat, hand=1, action="INSURE", wager_id=player.insurance[0])

    # --- the players' decisions ---------------------------------------------------------------------------------------

    def _act(self, player: Player, hand: PlayedHand, action: str, wager_id: str = "") -> None:
        self.say(PlayerActed, seat=player.seat, hand=hand.number, action=action, wager_id=wager_id, after_seconds=3)

    def _play(self, player: Player, hand: PlayedHand) -> None:
        if len(hand.cards) == 1:
            self.to_seat(player, hand)
            if hand.aces:
                hand.over = "split ace"
        while not hand.over:
            if hand.points >= 21:
                hand.over = "natural" if pay.natural(hand.cards) and not hand.split else "21"
            elif len(hand.cards) == 2 and self._splits(player, hand):
                self._split(player, hand)
            elif len(hand.cards) == 2 and self.rules.late_surrender and hand.points == 16 and self.random.random() < 0.4:
                self._act(player, hand, "SURRENDER")
                hand.over = "surrendered"
            elif len(hand.cards) == 2 and wants_double(hand, self.cards[0], self.random):
                self._double(player, hand)
            elif wants_card(hand, self.cards[0], self.random):
                self._act(player, hand, "HIT")
                self.to_seat(player, hand)
                if hand.points > 21:
                    hand.over = "bust"
            else:
                self._act(player, hand, "STAND")
                hand.over = "stood"
        if hand.points > 21:
            hand.over = "bust"
            self.cashier.bust(hand)

    def _splits(self, player: Player, hand: PlayedHand) -> bool:
        return len(player.hands) < 4 and not hand.aces and wants_split(hand, self.cards[0], self.random)

    def _split(self, player: Player, hand: PlayedHand) -> None:
        original = player.main[1]
        amount = original
        if self.mistake == "wrong_split_amount" and not self.planted:
            amount = original + self.random.choice((-100, 100, 500))
        wager_id = self.place(player, "split", amount, hand.wager[0])
        if amount != original:
            self.planted.append(Planted("WRONG_AMOUNT", wager_id))
        self._act(player, hand, "SPLIT", wager_id)
        excess = max(0, amount - original)
        new = PlayedHand(len(player.hands) + 1, (wager_id, amount - excess, excess), [hand.cards.pop()])
        player.hands.insert(player.hands.index(hand) + 1, new)
        for part in (hand, new):
            part.split, part.aces = True, new.cards[0][0] == "A"
        self.to_seat(player, hand)
        if hand.aces:
            hand.over = "split ace"

    def _double(self, player: Player, hand: PlayedHand) -> None:
        stake = hand.wager[1]
        amount = stake if self.random.random() < 0.85 else max(100, stake // 2)
        hand.double = (self.place(player, "double", amount, hand.wager[0]), amount, 0)
        self._act(player, hand, "DOUBLE", hand.double[0])
        self.to_seat(player, hand)
        hand.over = "doubled"

    # --- the dealer's hand --------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw while a hand depends on it; the mistakes of this part draw once more, or once less."""
        live = [
            hand for player in self.players for hand in player.hands if hand.over in ("stood", "21", "doubled", "split ace")
        ]
        if pay.natural(self.cards):
            return
        while live and pay.draws(self.cards, self.rules.hits_soft_17):
            if self.mistake == "dealer_stood" and self.random.random() < 0.6:
                self.planted.append(Planted("DEALER_STOOD"))
                return
            self._to_dealer(face_up=True)
        if self.mistake == "dealer_drew" and live:
            self.say(CardDealt, to="DEALER", card=self.shoe.draw())
            self.planted.append(Planted("DEALER_DREW"))

    # --- the meter ----------------------------------------------------------------------------------------------------

    def take_from_pot(self, paid_minor: int, top: bool) -> None:
        """A prize was paid from the pot: the meter falls by it, or starts again after the top prize."""
        self.table.pot_minor = START_POT_MINOR if top else self.table.pot_minor - paid_minor
        if top:
            self.say(MeterReset, progressive_id=self.progressive, amount_minor=START_POT_MINOR, reason="top prize")


def make_dealer(setup: TableSetup, random: Random) -> Any:
    """A dealer for a table in Southwest Kansas or South Dakota."""
    return BlackjackDealer(setup, random)
