"""One round of Pure 21.5 being dealt by a house that knows its rules, but for the mistake that it is asked to make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from events.model import (
    BettingClosed,
    CardDealt,
    CardExposed,
    FeeCollected,
    HoleCardChecked,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    SettlementRecorded,
    ShoeShuffled,
    WagerPlaced,
)
from processors.games.pure_21_5 import dealer_pay as pay
from processors.kernel.dealing import Narrator, Planted

if TYPE_CHECKING:
    from processors.games.pure_21_5.dealer import PureDealer

STAKES: Final = (500, 500, 1000, 1000, 1500, 2500, 5000, 10000, 525, 1015)
AMPLE: Final = 1000
BANK_SIZES: Final = (1, 2, 4, 10, 40, AMPLE)
"""The bank's wager as so many tenths of all game wagers together: small ones are exhausted often."""
BONUS: Final = "TJQK"


class Played:
    """A hand on the table and the wagers on it."""

    def __init__(self, number: int, wager_id: str, stake_minor: int, cards: list[str], *, split: bool = False) -> None:
        self.number, self.wager_id, self.stake_minor, self.cards = number, wager_id, stake_minor, cards
        self.split = split
        self.done = False
        self.surrendered = False
        self.double: tuple[str, int] | None = None

    def as_it_lies(self) -> pay.Hand:
        """The hand at the end."""
        return pay.Hand(self.cards, self.split, self.surrendered)


class Seat:
    """A player at a betting spot."""

    def __init__(self, number: int, patron: str, *, tip: bool) -> None:
        self.number, self.patron, self.tip = number, patron, tip
        self.hands: list[Played] = []
        self.flex: tuple[str, int] | None = None


class Dealing:
    """The round from its opening to its close."""

    def __init__(self, table: PureDealer, round_id: str, opened_at: int, mistake: str, fresh: bool) -> None:
        self.table, self.random, self.shoe = table, table.random, table.shoe
        self.round_id, self.mistake, self.fresh = round_id, mistake, fresh
        self.narrator = Narrator(table.setup, round_id, opened_at)
        self.say = self.narrator.say
        self.planted: list[Planted] = []
        self.seats: list[Seat] = []
        self.wagers = 0
        self.rates = table.rates_of_every_bank if mistake == "bank_fee_wrong" else table.rates
        self.bank_id = ""
        self.bank_minor = 0
        self.bank: list[str] = []
        self.counted: list[str] = []
        self.late_id = self.over_id = ""

    def run(self) -> None:
        """Deal it."""
        self._open()
        self._bets()
        self._fees()
        self.say(BettingClosed)
        self._first_cards()
        up, hole = self.bank
        is_pure = pay.is_pure(self.bank)
        if up[0] in "A" + BONUS and not (self.mistake == "hole_card_not_checked" and not is_pure and self._will_act()):
            self.say(HoleCardChecked)
        elif up[0] in "A" + BONUS:
            self._plant("HOLE_CARD_NOT_CHECKED")
        if not is_pure:
            for seat in self._around():
                for hand in seat.hands:  # grows while pairs are split
                    self._play(seat, hand)
        self.say(CardExposed, to="DEALER", position=1, card=hole)
        self._draw()
        self._settle()
        self.say(RoundClosed)

    def _plant(self, kind: str, wager_id: str = "", due_minor: int = 0, recorded_minor: int = 0) -> None:
        self.planted.append(Planted(kind, wager_id, due_minor, recorded_minor))

    def _once(self, mistake: str) -> bool:
        return self.mistake == mistake and not self.planted

    def _around(self) -> list[Seat]:
        """The seats clockwise from the player-dealer's left."""
        bank = self.table.bank_seat
        return sorted(self.seats, key=lambda seat: (seat.number - bank) % 8)

    # --- the beginning ---------------------------------------------------------------------------------------------

    def _open(self) -> None:
        table, setup = self.table, self.table.setup
        turn = table.turn
        if self._once("third_bank_turn"):
            turn = 3
            self._plant("RULE_MISMATCH")
        options = {"bank_turn": str(turn)}
        if self.rates:
            options["collection_schedule"] = ";".join(f"{low}-{high}:{fee}" for (low, high), fee in self.rates.items())
        self.say(
            RoundOpened, game="pure_21_5", jurisdiction=setup.jurisdiction, gaming_day=setup.gaming_day,
            currency=setup.currency, decks=table.decks, shoe_id=self.shoe.shoe_id, dealer_id=setup.dealer_id,
            paytables={"red_flex": table.paytable}, options=options, limits=table.limits,
        )  # fmt: skip
        if self.fresh:
            self.say(ShoeShuffled, shoe_id=self.shoe.shoe_id, after_seconds=90)

    def place(self, seat: int, bet: str, amount: int, parent: str = "", tip: bool = False) -> str:
        """Place a wager; its id."""
        self.wagers += 1
        wager_id = f"{self.round_id}-w{self.wagers}"
        self.say(
            WagerPlaced, wager_id=wager_id, bet=bet, amount_minor=amount, seat=seat,
            patron_id=self.table.patrons.get(seat, ""), parent=parent, for_dealer=tip,
        )  # fmt: skip
        return wager_id

    def _bets(self) -> None:
        table, random = self.table, self.random
        others = [seat for seat in table.seats if seat != table.bank_seat]
        playing = [seat for seat in others if random.random() < 0.85] or others[:1]
        stakes = {seat: random.choice(STAKES) for seat in playing}
        odd = random.choice(playing)
        if self.mistake == "over_maximum":
            stakes[odd] = 35000
        elif self.mistake == "below_minimum":
            stakes[odd] = 300
        ample = self.mistake in ("dealer_stood", "settled_out_of_order")
        tenths = AMPLE * 30 if ample else random.choice(BANK_SIZES)
        self.bank_minor = max(1000, sum(stakes.values()) * tenths // 10)
        self.bank_id = self.place(table.bank_seat, "bank", self.bank_minor)
        for number in playing:
            seat = Seat(number, table.patrons[number], tip=random.random() < 0.03)
            wager_id = self.place(number, "main", stakes[number], tip=seat.tip)
            seat.hands.append(Played(1, wager_id, stakes[number], []))
            if random.random() < 0.4 or self.mistake == "settled_out_of_order":
                amount = random.choice((100, 500, 1000))
                seat.flex = self.place(number, "red_flex", amount, wager_id), amount
            self.seats.append(seat)
            if number == odd and self.mistake == "over_maximum":
                self._plant("ABOVE_MAXIMUM", wager_id)
            elif number == odd and self.mistake == "below_minimum":
                self._plant("BELOW_MINIMUM", wager_id)

    def _fees(self) -> None:
        rates = self.rates
        due = pay.fee_minor(rates, self.bank_minor)
        taken = due
        if due and self._once("bank_fee_wrong"):
            taken = due - 50
            self._plant("FEE_WRONG", "", due, taken)
        if taken:
            self.say(FeeCollected, fee="collection", amount_minor=taken, seat=self.table.bank_seat)
        for seat in self.seats:
            main = seat.hands[0]
            for wager in ((main.wager_id, main.stake_minor), seat.flex):
                fee = pay.fee_minor(rates, wager[1]) if wager else 0
                if wager and fee:
                    self.say(FeeCollected, fee="collection", amount_minor=fee, seat=seat.number, wager_id=wager[0])

    def _first_cards(self) -> None:
        targets: list[Seat | None] = [*self._around(), None]
        for second in (False, True):
            order = targets
            if not second and self._once("dealt_out_of_order"):
                order = [*targets[:-2], targets[-1], targets[-2]]
                self._plant("DEALT_OUT_OF_ORDER")
            for seat in order:
                if seat is not None:
                    self._card(seat, seat.hands[0])
                else:
                    card = self.shoe.cards.pop()
                    self.bank.append(card)
                    self.say(CardDealt, to="DEALER", card="" if second else card, face_up=not second)
            if not second and self._once("late_wager"):
                self._late_wager()

    def _late_wager(self) -> None:
        """A Red Flex bet after the first card: it has to go back, and does."""
        seat = next((seat for seat in self.seats if seat.flex is None), None)
        if seat is not None:
            self.late_id = self.place(seat.number, "red_flex", 500, seat.hands[0].wager_id)
            self._plant("LATE_WAGER", self.late_id)

    def _card(self, seat: Seat, hand: Played) -> None:
        card = self.shoe.cards.pop()
        hand.cards.append(card)
        self.say(CardDealt, to="SEAT", seat=seat.number, hand=hand.number, card=card)

    # --- the players -----------------------------------------------------------------------------------------------

    def _will_act(self) -> bool:
        """Whether any player still has something to decide."""
        return any(not pay.is_pure(hand.cards) for seat in self.seats for hand in seat.hands)

    def _act(self, seat: Seat, hand: Played, action: str, wager_id: str = "") -> None:
        self.say(PlayerActed, seat=seat.number, hand=hand.number, action=action, wager_id=wager_id)

    def _play(self, seat: Seat, hand: Played) -> None:
        while not hand.done:
            total, soft = pay.points(hand.cards)
            if len(hand.cards) < 2:
                self._card(seat, hand)
                hand.done = hand.split and hand.cards[0][0] == "A"
            elif total >= 21:
                hand.done = True
            else:
                self._decide(seat, hand, total, soft)

    def _decide(self, seat: Seat, hand: Played, total: int, soft: bool) -> None:
        random, first = self.random, len(hand.cards) == 2
        if first and self._may_split(seat, hand) and random.random() < 0.5:
            self._split(seat, hand)
        elif first and random.random() < (0.4 if total in (10, 11) else 0.05):
            self._double(seat, hand)
        elif first and not hand.split and random.random() < (0.2 if total in (15, 16) else 0.02):
            self._act(seat, hand, "SURRENDER")
            hand.surrendered = hand.done = True
        elif not soft and total >= 19 and self._once("hard_nineteen_hit"):
            self._plant("ACT_NOT_ALLOWED", hand.wager_id)
            self._act(seat, hand, "HIT")
            self._card(seat, hand)
        elif not soft and total <= 11 and self._once("hard_eleven_stood"):
            self._plant("ACT_NOT_ALLOWED", hand.wager_id)
            self._act(seat, hand, "STAND")
            hand.done = True
        elif self._hits(total, soft):
            self._act(seat, hand, "HIT")
            self._card(seat, hand)
        else:
            self._act(seat, hand, "STAND")
            hand.done = True

    def _hits(self, total: int, soft: bool) -> bool:
        """Chart 1A, and where it leaves the choice what players do."""
        if soft:
            return total <= 17 or (total <= 19 and self.random.random() < 0.2)
        if total <= 11 or total >= 19:
            return total <= 11
        return self.random.random() < (0.75 if total <= 16 else 0.1)

    def _may_split(self, seat: Seat, hand: Played) -> bool:
        first, second = ("T" if card[0] in BONUS else card[0] for card in hand.cards)
        return first == second and len(seat.hands) < 4 and not (hand.split and first == "A")

    def _split(self, seat: Seat, hand: Played) -> None:
        wager_id = self.place(seat.number, "split", hand.stake_minor, hand.wager_id, tip=seat.tip)
        self._act(seat, hand, "SPLIT", wager_id)
        number = len(seat.hands) + 1
        hand.split = True
        new = Played(number, wager_id, hand.stake_minor, [hand.cards.pop()], split=True)
        seat.hands.insert(seat.hands.index(hand) + 1, new)

    def _double(self, seat: Seat, hand: Played) -> None:
        stake = hand.stake_minor
        if self._once("double_over_wager"):
            wager_id = self.place(seat.number, "double", stake + 500, hand.wager_id, tip=seat.tip)
            self._plant("ABOVE_MAXIMUM", wager_id)
            self.over_id = wager_id
        else:
            stake = stake if self.random.random() < 0.8 or stake < 1000 else 500
            wager_id = self.place(seat.number, "double", stake, hand.wager_id, tip=seat.tip)
        hand.double = wager_id, stake
        self._act(seat, hand, "DOUBLE", wager_id)
        self._card(seat, hand)
        hand.done = True

    # --- the player-dealer and the payments ------------------------------------------------------------------------

    def _live(self) -> bool:
        """Whether a player's hand still stands against the player-dealer's total."""
        return any(
            not hand.surrendered and pay.points(hand.cards)[0] <= 21 and (hand.split or not pay.is_pure(hand.cards))
            for seat in self.seats
            for hand in seat.hands
        )

    def _draw(self) -> None:
        self.counted = list(self.bank)
        while not pay.is_pure(self.bank) and pay.bank_draws(self.counted):
            if self._once("dealer_stood") and self._live():
                self._plant("DEALER_STOOD")
                return
            self._bank_card(counts=True)
        if self._once("dealer_drew") and not pay.is_pure(self.bank) and pay.points(self.counted)[0] <= 21:
            self._bank_card(counts=False)
            self._plant("DEALER_DREW")

    def _bank_card(self, *, counts: bool) -> None:
        card = self.shoe.cards.pop()
        self.say(CardDealt, to="DEALER", card=card)
        if counts:
            self.counted.append(card)

    def _settle(self) -> None:
        seats = {seat.number: seat for seat in self.seats}
        bank = pay.Bank(self.bank_minor)
        blocks = []
        for number in pay.from_button(sorted(seats), self.bank[1]):
            seat = seats[number]
            block: list[dict[str, Any]] = []
            for hand in seat.hands:
                fifths = pay.fifths_won(hand.as_it_lies(), self.counted)
                block += self._paid(bank, hand.wager_id, hand.stake_minor, fifths, tip=seat.tip)
                if hand.double is not None:
                    block += self._paid(bank, *hand.double, fifths, tip=seat.tip)
            if seat.flex is not None:
                fifths = pay.flex_fifths(self.counted, self.table.paytable)
                block += self._paid(bank, *seat.flex, fifths, tip=False)
            blocks.append((seat, block))
        ends = [hand for seat, _ in (blocks[0], blocks[-1]) for hand in seat.hands]
        if self._once("settled_out_of_order") and not any(hand.surrendered for hand in ends):
            blocks.reverse()
            if len(blocks) == 1:
                blocks[0][1].reverse()  # with one player it is the Red Flex bet that comes first
            self._plant("SETTLED_OUT_OF_ORDER")
        if self.mistake == "late_wager" and self.planted:
            self._say_paid(wager_id=self.late_id, result="VOID", stake_returned_minor=500)
        for _, block in blocks:
            for fields in block:
                self._say_paid(**fields)
        own = bank.own()
        self._say_paid(
            wager_id=self.bank_id, result=own.result, paid_minor=own.paid_minor, stake_returned_minor=own.returned_minor
        )

    def _say_paid(self, **fields: Any) -> None:
        self.say(SettlementRecorded, **fields)

    def _paid(
        self, bank: pay.Bank, wager_id: str, stake_minor: int, fifths: int | None, *, tip: bool
    ) -> list[dict[str, Any]]:
        """The records of one wager's settlement."""
        paid = bank.settle(stake_minor, fifths)
        over = 500 if wager_id == self.over_id else 0
        if tip and paid.result == "WIN":
            given = paid.paid_minor + paid.returned_minor
            records = [{"wager_id": wager_id, "result": "WIN", "paid_minor": given, "paid_to": "DEALER"}]
            if paid.no_action_minor + over:
                records.append({"wager_id": wager_id, "result": "WIN", "no_action_minor": paid.no_action_minor + over})
            return records
        if paid.short_minor and self._once("bank_overreached"):
            due = paid.paid_minor + stake_minor + over
            self._plant("OVERPAID", wager_id, due, due + paid.short_minor)
            paid = pay.Paid("WIN", paid.paid_minor + paid.short_minor, stake_minor, 0)
        return [
            {
                "wager_id": wager_id, "result": paid.result, "paid_minor": paid.paid_minor,
                "stake_returned_minor": paid.returned_minor, "no_action_minor": paid.no_action_minor + over,
            }
        ]  # fmt: skip
