"""Deals I Luv Suits for simulation. What is due is worked out here again, without the engine and its ranking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from events.model import (
    BettingClosed,
    CardDealt,
    CardExposed,
    ContributionRecorded,
    MeterRead,
    MeterReset,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    WagerPlaced,
)
from processors.kernel.dealing import Dealt, Narrator, Planted, TableSetup

RANKS: Final = "23456789TJQKA"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in "cdhs")
SEATS: Final = 6
PROGRESSIVE: Final = "ILS"
LIMITS: Final = {
    "ante": {"minimum_minor": 1000, "maximum_minor": 50000},
    "flush_rush": {"minimum_minor": 500, "maximum_minor": 10000},
    "super_flush_rush": {"minimum_minor": 500, "maximum_minor": 10000},
    "progressive": {"minimum_minor": 500, "maximum_minor": 500},
}
ANTES_MINOR: Final = (1000, 1500, 2500, 5000, 10000)
FLUSH_RUSH: Final = {4: 1, 5: 10, 6: 100, 7: 300}
SUPER_FLUSH_RUSH: Final = {3: 7, 4: 75, 5: 100, 6: 200, 7: 500}
FIXED_PRIZES: Final = {3: 3, 4: 50, 5: 300}
PLAY_LIMIT: Final = {2: 1, 3: 1, 4: 1, 5: 2, 6: 3, 7: 3}
POT_START_MINOR: Final = 100000

MISTAKES: Final = (
    "play_too_large", "dealt_out_of_order", "late_wager", "over_maximum", "settled_out_of_order", "card_not_exposed",
)  # fmt: skip


class Worth(NamedTuple):
    """A hand: the ranks of its best flush (2 to 14, highest first) and of its longest run (where the ace is 14 or 1)."""

    flush: list[int]
    run: list[int]


class Spot:
    """A seat in one round: its cards, what they are worth, and its wagers by bet (a tip as `tip_ante`, `tip_play`)."""

    def __init__(self, seat: int, cards: Sequence[str]) -> None:
        self.seat = seat
        self.cards = cards
        self.worth = worth(cards)
        self.wagers: dict[str, WagerPlaced] = {}
        self.plays = False
        self.play_in_action_minor = 0


class ILuvSuitsDealer:
    """One table. The progressive pot grows from round to round."""

    mistakes: Sequence[str] = MISTAKES

    def __init__(self, setup: TableSetup, random: Random) -> None:
        self.setup = setup
        self.random = random
        self.pot_minor = POT_START_MINOR + 110 * random.randrange(5000)

    def deal(self, round_id: str, opened_at: int, mistake: str = "") -> Dealt:
        """Deal the next round, house-correct but for the `mistake` asked for."""
        return _Round(self, round_id, opened_at, mistake).deal()


class _Round:
    def __init__(self, table: ILuvSuitsDealer, round_id: str, opened_at: int, mistake: str) -> None:
        self.table, self.random, self.mistake = table, table.random, mistake
        self.says = Narrator(table.setup, round_id, opened_at)
        self.planted: list[Planted] = []
        deck = list(DECK)
        self.random.shuffle(deck)
        patrons = max(1, min(len(table.setup.patrons), SEATS))
        seats = sorted(self.random.sample(range(1, SEATS + 1), self.random.randint(1, patrons)))
        if mistake == "settled_out_of_order" and len(seats) == 1:
            seats = sorted({seats[0], seats[0] % SEATS + 1})
        self.spots = [Spot(seat, deck[7 * place : 7 * place + 7]) for place, seat in enumerate(seats)]
        self.house = deck[-7:]
        self.house_worth = worth(self.house)

    def deal(self) -> Dealt:
        self._open()
        for spot in self.spots:
            self._bet(spot)
        self.says.say(BettingClosed)
        self._feed_the_pot()
        self._deal_cards()
        if self.mistake == "late_wager":
            self._late_wager()
        for spot in self.spots:
            self._decide(spot)
        self._settle()
        self.says.say(RoundClosed)
        return Dealt(self.says.events, self.planted)

    # --- before the cards --------------------------------------------------------------------------------------------

    def _open(self) -> None:
        setup = self.table.setup
        self.says.say(
            RoundOpened,
            game="i_luv_suits",
            jurisdiction=setup.jurisdiction,
            gaming_day=setup.gaming_day,
            currency=setup.currency,
            decks=1,
            dealer_id=setup.dealer_id,
            limits=LIMITS,
            progressives={"progressive": self._pot_id()},
            meters={self._pot_id(): self.table.pot_minor},
        )

    def _pot_id(self) -> str:
        return f"{PROGRESSIVE}-{self.table.setup.table_id}"

    def _bet(self, spot: Spot) -> None:
        ante = self.random.choice(ANTES_MINOR)
        if self.mistake == "over_maximum" and not self.planted:
            ante = LIMITS["ante"]["maximum_minor"] + self.random.choice((500, 1000, 10000))
            self.planted.append(Planted("ABOVE_MAXIMUM", f"ante{spot.seat}"))
        self._place(spot, "ante", ante)
        for bet, chance in (("flush_rush", 0.4), ("super_flush_rush", 0.25)):
            if self.random.random() < chance:
                self._place(spot, bet, self.random.choice((500, 1000, 2500)))
        if self.random.random() < 0.3:
            self._place(spot, "progressive", LIMITS["progressive"]["minimum_minor"])
        if self.random.random() < 0.05:
            self._place(spot, "ante", 1000, tip=True)

    def _place(self, spot: Spot, bet: str, amount_minor: int, *, tip: bool = False) -> WagerPlaced:
        name = f"tip_{bet}" if tip else bet
        parent = "" if bet == "ante" else ("tip_ante" if tip else "ante")
        patrons = self.table.setup.patrons
        placed = self.says.say(
            WagerPlaced,
            wager_id=f"{name}{spot.seat}",
            seat=spot.seat,
            patron_id=patrons[spot.seat % len(patrons)] if patrons else "",
            bet=bet,
            amount_minor=amount_minor,
            tender="VOUCHER" if self.random.random() < 0.02 else "CHIPS",
            parent=spot.wagers[parent].wager_id if parent else "",
            for_dealer=tip,
        )
        spot.wagers[name] = placed
        return placed

    def _feed_the_pot(self) -> None:
        fed = [spot.wagers["progressive"] for spot in self.spots if "progressive" in spot.wagers]
        for wager in fed:
            share = wager.amount_minor * 22 // 100
            self.says.say(
                ContributionRecorded,
                after_seconds=0,
                progressive_id=self._pot_id(),
                amount_minor=share,
                wager_id=wager.wager_id,
            )
            self.table.pot_minor += share
        if fed:
            self.says.say(MeterRead, progressive_id=self._pot_id(), amount_minor=self.table.pot_minor)

    # --- the cards and the decisions ---------------------------------------------------------------------------------

    def _deal_cards(self) -> None:
        stacks: list[tuple[int, Sequence[str]]] = [(spot.seat, spot.cards) for spot in self.spots]
        stacks.append((0, self.house))
        if self.mistake == "dealt_out_of_order":
            place = self.random.randrange(len(stacks) - 1)
            stacks[place], stacks[place + 1] = stacks[place + 1], stacks[place]
            self.planted.append(Planted("DEALT_OUT_OF_ORDER"))
        for seat, cards in stacks:
            for card in cards:
                to = "SEAT" if seat else "DEALER"
                self.says.say(CardDealt, after_seconds=0, to=to, seat=seat, card=card, face_up=False)

    def _late_wager(self) -> None:
        spot = self.random.choice(self.spots)
        late = self.says.say(
            WagerPlaced, wager_id=f"late{spot.seat}", seat=spot.seat, bet="flush_rush", amount_minor=500,
            parent=spot.wagers["ante"].wager_id,
        )  # fmt: skip
        self.planted.append(Planted("LATE_WAGER", late.wager_id))
        self._record(late, "VOID", returned=500)

    def _decide(self, spot: Spot) -> None:
        must_play = self.mistake in ("settled_out_of_order", "card_not_exposed", "play_too_large")
        length, ante = len(spot.worth.flush), spot.wagers["ante"]
        # folding anything below a nine high three card flush is close to the best play
        spot.plays = must_play or length > 3 or (length == 3 and spot.worth.flush[0] >= 9)
        if not spot.plays:
            self.says.say(PlayerActed, after_seconds=4, seat=spot.seat, action="FOLD", wager_id=ante.wager_id)
            self._record(ante, "LOSE")
            if "tip_ante" in spot.wagers:
                self._record(spot.wagers["tip_ante"], "LOSE")
            return
        times = PLAY_LIMIT[length]
        amount = times * ante.amount_minor
        if times > 1 and self.random.random() < 0.2:
            amount = ante.amount_minor
        spot.play_in_action_minor = amount
        if self.mistake == "play_too_large" and not self.planted:
            spot.play_in_action_minor = times * ante.amount_minor
            amount = spot.play_in_action_minor + ante.amount_minor
            self.planted.append(Planted("ABOVE_MAXIMUM", f"play{spot.seat}"))
        play = self._place(spot, "play", amount)
        self.says.say(PlayerActed, after_seconds=4, seat=spot.seat, action="PLAY", wager_id=play.wager_id)
        if "tip_ante" in spot.wagers and self.random.random() < 0.5:
            self._place(spot, "play", spot.wagers["tip_ante"].amount_minor, tip=True)

    # --- settling ----------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        self._show("DEALER", 0, self.house)
        remaining = list(reversed(self.spots))
        if self.mistake == "settled_out_of_order":
            remaining.reverse()
            self.planted.append(Planted("SETTLED_OUT_OF_ORDER"))
        shares = self._pot_shares()
        hidden = self.random.choice(self.spots) if self.mistake == "card_not_exposed" else None
        if hidden is not None:
            self.planted.append(Planted("CARD_NOT_EXPOSED", hidden.wagers["ante"].wager_id))
        for spot in remaining:
            if spot is not hidden:
                self._show("SEAT", spot.seat, spot.cards)
            if spot.plays:
                self._settle_against_the_house(spot)
            self._settle_bonus(spot, shares)
        self._pay_from_the_pot(sum(shares.values()))

    def _show(self, to: str, seat: int, cards: Sequence[str]) -> None:
        for position, card in enumerate(cards):
            self.says.say(CardExposed, after_seconds=0, to=to, seat=seat, position=position, card=card)

    def _settle_against_the_house(self, spot: Spot) -> None:
        house, mine = self.house_worth.flush, spot.worth.flush
        qualifies = len(house) > 3 or (len(house) == 3 and house[0] >= 9)
        better = (len(mine), mine) > (len(house), house)
        equal = mine == house
        for name in ("ante", "tip_ante", "play", "tip_play"):
            if name not in spot.wagers:
                continue
            wager = spot.wagers[name]
            stake = spot.play_in_action_minor if name == "play" else wager.amount_minor
            excess = wager.amount_minor - stake
            if not qualifies and name.endswith("play"):
                self._record(wager, "PUSH", returned=stake, no_action=excess)
            elif not qualifies or better:
                self._win(wager, stake, stake, excess)
            elif equal:
                self._record(wager, "PUSH", returned=stake, no_action=excess)
            else:
                self._record(wager, "LOSE", no_action=excess)

    def _settle_bonus(self, spot: Spot, shares: dict[str, int]) -> None:
        length, run = len(spot.worth.flush), len(spot.worth.run)
        for bet, times in (("flush_rush", FLUSH_RUSH.get(length)), ("super_flush_rush", SUPER_FLUSH_RUSH.get(run))):
            if bet in spot.wagers:
                wager = spot.wagers[bet]
                if times is None:
                    self._record(wager, "LOSE")
                else:
                    self._win(wager, wager.amount_minor, times * wager.amount_minor)
        if "progressive" in spot.wagers:
            wager = spot.wagers["progressive"]
            paid = shares.get(wager.wager_id, FIXED_PRIZES.get(run, 0) * wager.amount_minor)
            self._record(wager, "WIN" if paid else "LOSE", paid=paid)

    def _win(self, wager: WagerPlaced, stake: int, won: int, excess: int = 0) -> None:
        if wager.for_dealer:
            self._record(wager, "WIN", paid=stake + won, to="DEALER")
        else:
            self._record(wager, "WIN", paid=won, returned=stake, no_action=excess)

    def _record(
        self, wager: WagerPlaced, result: str, *, paid: int = 0, returned: int = 0, no_action: int = 0, to: str = "PATRON"
    ) -> None:
        self.says.say(
            SettlementRecorded,
            wager_id=wager.wager_id,
            result=result,
            paid_minor=paid,
            stake_returned_minor=returned,
            no_action_minor=no_action,
            paid_to=to,
        )

    # --- the pot -----------------------------------------------------------------------------------------------------

    def _pot_shares(self) -> dict[str, int]:
        """What each progressive wager wins of the pot, by wager: a tenth or all of it, divided and rounded up."""
        tenth: list[str] = []
        whole: list[str] = []
        for spot in self.spots:
            run = spot.worth.run
            if "progressive" in spot.wagers and len(run) >= 6:
                is_tenth = len(run) == 6 and 14 not in run and 1 not in run
                (tenth if is_tenth else whole).append(spot.wagers["progressive"].wager_id)
        pot = self.table.pot_minor
        shares = {wager: -(-pot // (10 * len(tenth))) for wager in tenth}
        shares.update({wager: -(-pot // len(whole)) for wager in whole})
        return shares

    def _pay_from_the_pot(self, paid: int) -> None:
        """The meter after a prize: begun again once the whole was won, else less what was paid."""
        if not paid:
            return
        if paid >= self.table.pot_minor:
            self.table.pot_minor = POT_START_MINOR
            self.says.say(MeterReset, progressive_id=self._pot_id(), amount_minor=POT_START_MINOR, reason="progressive won")
        else:
            self.table.pot_minor -= paid
            self.says.say(MeterRead, progressive_id=self._pot_id(), amount_minor=self.table.pot_minor, reason="prize paid")


def worth(cards: Sequence[str]) -> Worth:
    """What seven cards are worth, looked up suit by suit."""
    flush: list[int] = []
    run: list[int] = []
    for suit in "cdhs":
        ranks = sorted((RANKS.index(card[0]) + 2 for card in cards if card[1] == suit), reverse=True)
        flush = max(flush, ranks, key=lambda each: (len(each), each))
        low_too = ranks + ([1] if 14 in ranks else [])
        streak = low_too[:1]
        for higher, lower in pairwise(low_too):
            streak = [*streak, lower] if higher == lower + 1 else [lower]
            if len(streak) >= 3 and len(streak) > len(run):
                run = streak
    return Worth(flush, run)
