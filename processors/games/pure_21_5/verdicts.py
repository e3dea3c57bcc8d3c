"""What each wager has coming against the player-dealer's hand, before anyone asks how far the bank reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from processors.games.pure_21_5.player_dealer import PlayerDealerHand
from processors.games.pure_21_5.wagers import RED_FLEX, tip_beside
from processors.kernel.cards import Card
from processors.kernel.citation import Citation
from processors.kernel.money import divide
from processors.kernel.odds import Odds
from processors.kernel.twenty_one import Spot, TwentyOneHand, is_natural
from processors.kernel.twenty_one_table import TwentyOneWager
from processors.kernel.words import spoken

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

PURE_HALVES: Final = 43
"""A Pure 21.5 in half points."""
ROWS: Final = (
    "", "", "two_red", "three_red", "four_red", "five_red", "six_red", "seven_red", "eight_red",
)  # fmt: skip
"""The row of a Red Flex paytable by the number of red cards in a row."""


class Verdict(NamedTuple):
    """What a wager has coming. `odds` are those of a WIN; `returned_minor` is what a LOSE gives back (surrender).

    `most_odds` is the best that an UNDECIDED wager could still win, None where that is not known; `why` is its reason.
    """

    result: Literal["WIN", "LOSE", "PUSH", "VOID", "UNDECIDED"]
    cite: Citation
    prize: str = ""
    odds: Odds | None = None
    returned_minor: int = 0
    most_odds: Odds | None = None


def of_hand(game: Table, spot: Spot, hand: TwentyOneHand, wager: TwentyOneWager, dealer: PlayerDealerHand) -> Verdict:
    """The verdict on a game wager, a split or a double."""
    terms = game.terms
    if dealer.pure:
        return _against_pure(game, spot, hand, wager)
    if dealer.pure is None and not _check_found_none(game):
        return _undecided(game, hand, dealer)
    if hand.closed == "surrendered":
        return _surrendered(game, wager)
    if hand.unread or hand.size < 2 or hand.asked:
        return _undecided(game, hand, dealer, "the hand is not complete")
    if not hand.closed and game.round_closed_at < 0:
        return _undecided(game, hand, dealer, "the player had not decided when the record broke off")
    if is_pure(game, hand):
        if terms.pure_against_21.value == "ties":
            if not dealer.complete:
                return _undecided(game, hand, dealer)
            if dealer.total.points == 21:
                return Verdict("PUSH", terms.pure_against_21.cite, "Pure 21.5 against 21")
        return Verdict("WIN", terms.pure_pays.cite, "Pure 21.5", terms.pure_pays.value)
    if hand.total.busted:
        return _over(game, hand, dealer)
    if not dealer.complete:
        return _undecided(game, hand, dealer)
    if dealer.over:
        return Verdict("WIN", terms.player_dealer_over.cite, "the hand that is not over", terms.wins_pay.value)
    return _nearer(game, halves(game, hand), 2 * dealer.total.points)


def _check_found_none(game: Table) -> bool:
    """Whether play went on after the down card was looked at: then it made no Pure 21.5, whatever it is."""
    return game.checked_at >= 0 and bool(game.acts) and game.checked_at < game.acts[-1].sequence


def is_pure(game: Table, hand: TwentyOneHand) -> bool:
    """An ace and a bonus card on the initial deal (Value of the Cards, P-03)."""
    if hand.is_natural:
        return True
    two = hand.hard == 11 and hand.has_ace and hand.size == 2 and not hand.unread
    return bool(two and hand.from_split and game.terms.pure_after_split.value)


def halves(game: Table, hand: TwentyOneHand) -> int:
    """The total in half points: a bonus card dealt with an ace on the initial deal is 10.5 for good."""
    if is_pure(game, hand):
        return PURE_HALVES
    cards = hand.known()
    with_half = not hand.from_split and len(cards) > 2 and is_natural(cards[0], cards[1])
    return 2 * hand.points + (1 if with_half else 0)


def _against_pure(game: Table, spot: Spot, hand: TwentyOneHand, wager: TwentyOneWager) -> Verdict:
    """The first two cards decide; what was wagered later should never have been (P-12)."""
    terms = game.terms
    if wager.bet in ("double", "split"):
        rule = terms.later_money_at_pure
        if rule.value == "returned":
            return Verdict("VOID", rule.cite, "player-dealer's Pure 21.5")
        return Verdict("LOSE", rule.cite, "player-dealer's Pure 21.5")
    if hand.closed == "surrendered" and terms.surrender.value == "early":
        return _surrendered(game, wager)
    first = [card for card in spot.initial_cards() if card is not None]
    if len(first) < 2:
        return Verdict("UNDECIDED", terms.pure_ends_round.cite, "the hand is not complete", most_odds=terms.pure_pays.value)
    if is_natural(*first[:2]):
        return Verdict("PUSH", terms.both_pure.cite, "Pure 21.5 on both sides")
    return Verdict("LOSE", terms.pure_ends_round.cite, "player-dealer's Pure 21.5")


def _surrendered(game: Table, wager: TwentyOneWager) -> Verdict:
    rule = game.terms.surrender_returns_percent
    half = divide(wager.action_minor * rule.value, 100, rounding=game.rounding)
    return Verdict("LOSE", rule.cite, "surrendered", returned_minor=half)


def _over(game: Table, hand: TwentyOneHand, dealer: PlayerDealerHand) -> Verdict:
    terms = game.terms
    nearer = terms.both_over.value == "nearer_wins"
    if not dealer.complete and (nearer or dealer.may_be_three_eights):
        return _undecided(game, hand, dealer)
    if dealer.is_three_eights:
        return Verdict("PUSH", terms.both_over_against_888.cite, "over against three eights")
    if not dealer.complete or not dealer.over:
        return Verdict("LOSE", terms.player_over.cite, "over")
    if nearer:
        return _nearer(game, -hand.points, -dealer.total.points)
    return Verdict("LOSE", terms.both_over.cite, "both over")


def _nearer(game: Table, player: int, player_dealer: int) -> Verdict:
    terms = game.terms
    if player == player_dealer:
        return Verdict("PUSH", terms.tie.cite, "tie")
    if player > player_dealer:
        return Verdict("WIN", terms.nearer.cite, "the hand nearer to 21.5", terms.wins_pay.value)
    return Verdict("LOSE", terms.nearer.cite)


def _undecided(game: Table, hand: TwentyOneHand, dealer: PlayerDealerHand, why: str = "") -> Verdict:
    terms = game.terms
    most = terms.pure_pays if is_pure(game, hand) or hand.unread or hand.size < 2 else terms.wins_pay
    return Verdict("UNDECIDED", terms.stood_too_early.cite, why or dealer.why, most_odds=most.value)


def of_red_flex(game: Table, wager: TwentyOneWager, dealer: PlayerDealerHand) -> Verdict:
    """The verdict on a Red Flex bet: the run of red cards from the top card on."""
    terms, table = game.terms, wager.paytable
    first_two = terms.red_flex_first_two
    if table is None:
        return Verdict("UNDECIDED", terms.red_flex_longer_runs.cite, "the paytable is unknown")
    run, broken = run_of(game, dealer)
    if run < 2 and broken:
        return Verdict("LOSE", first_two.cite, "a black card among the first two")
    if not broken and not dealer.complete:
        most = max(table.pays.values(), key=lambda odds: odds.win)
        return Verdict("UNDECIDED", terms.stood_too_early.cite, dealer.why, most_odds=most)
    if first_two.value == "same_suit" and dealer.counted[0].suit != dealer.counted[1].suit:
        return Verdict("LOSE", first_two.cite, "two red suits")
    row = _row(game, table.pays, run)
    if row is None:
        return Verdict("LOSE", terms.red_flex_longer_runs.cite, f"{run} red cards have no row")
    return Verdict("WIN", table.cite, spoken(row), table.pays[row])


def run_of(game: Table, dealer: PlayerDealerHand) -> tuple[int, bool]:
    """How many red cards came in a row from the top card on, and whether a black one broke the run."""
    counted: tuple[Card, ...] = dealer.counted
    if dealer.over and not game.terms.red_flex_counts_bust_card.value:
        counted = counted[:-1]
    run = 0
    for card in counted:
        if not card.is_red:
            return run, True
        run += 1
    return run, False


def _row(game: Table, pays: Any, run: int) -> str | None:
    if run < len(ROWS) and ROWS[run] in pays:
        return ROWS[run]
    if game.terms.red_flex_longer_runs.value == "as_printed":
        return None
    longest = next(row for row in reversed(ROWS) if row in pays)
    return longest if run > ROWS.index(longest) else None


def verdicts_of(game: Table, spot: Spot, dealer: PlayerDealerHand) -> list[tuple[TwentyOneWager, Verdict]]:
    """Every open wager of a spot in the order in which it is settled: the game wagers, then the Red Flex bets.

    A tip beside the player's own wager rides on the hand that keeps that wager when it is split.
    """
    found: list[tuple[TwentyOneWager, Verdict]] = []
    for hand in spot.hands:
        for wager in (hand.wager, hand.double):
            if wager is not None and not wager.settled:
                found.append((wager, of_hand(game, spot, hand, wager, dealer)))
    tip = tip_beside(spot)
    if tip is not None and spot.hands:
        found.append((tip, of_hand(game, spot, spot.hands[0], tip, dealer)))
    for wager in sorted(spot.others, key=lambda other: bool(other.for_dealer)):
        if wager.bet == RED_FLEX and not wager.settled:
            found.append((wager, of_red_flex(game, wager, dealer)))
    return found
