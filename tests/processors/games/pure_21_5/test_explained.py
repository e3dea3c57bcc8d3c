"""What a floor manager can read aloud: the hands, the action button and the bank's account."""

from __future__ import annotations

from processors.replay import explain_round
from tests.processors.games.pure_21_5.rounds import lines
from tests.processors.games.rounds import book

SHORT_BANK = (
    "wager bank seat 8 bank 1600", "wager w1 seat 1 main 1000", "wager w2 seat 2 main 1000", "wager w3 seat 3 main 1000",
    "deal 1 Td", "deal 2 Kd", "deal 3 Ts", "deal dealer 9c", "deal 1 6s", "deal 2 As", "deal 3 9s", "deal dealer ??",
    "act 1 STAND", "act 3 STAND", "expose dealer 1 8d",
)  # fmt: skip


def steps(*text: str, **opened: object) -> dict[str, list[str]]:
    explained = explain_round(lines(*text, **opened), book(), only_due=True)
    return {wager: [step.text for step in taken] for wager, taken in explained.items()}


def test_a_wager_that_the_bank_covers_in_part_shows_the_account_that_leads_to_it() -> None:
    # 8 over seats 1, 2, 3 begins at seat 2: 12.00 for the Pure 21.5, of 16.00; 4.00 are left for seat 3's 10.00
    assert steps(*SHORT_BANK)["w3"] == [
        "10.00 on main, seat 3.",
        "Seat 3 held ten of spades, nine of spades: hard 19.",
        "The player-dealer held nine of clubs, eight of diamonds: hard 17.",
        "The down card is the eight of diamonds: the action begins at seat 2.",
        "w2 won 12.00 from the bank: 0.00 becomes -12.00.",
        "w3 won 4.00 from the bank, all that its wager of 16.00 leaves: -12.00 becomes -16.00.",
        "6.00 of it has no action and goes back.",
        "WIN: 4.00 paid to the patron, 4.00 stake returned, 6.00 without action returned.",
    ]


def test_the_bank_s_own_verdict_shows_its_whole_account() -> None:
    assert steps(*SHORT_BANK)["bank"] == [
        "16.00 on bank, seat 8.",
        "The down card is the eight of diamonds: the action begins at seat 2.",
        "w2 won 12.00 from the bank: 0.00 becomes -12.00.",
        "w3 won 4.00 from the bank, all that its wager of 16.00 leaves: -12.00 becomes -16.00.",
        "w1 lost 10.00 to the bank: -16.00 becomes -6.00.",
        "LOSE: 10.00 stake returned.",
    ]


def test_a_loss_of_which_the_bank_may_take_nothing_is_told_as_a_loss() -> None:
    # 8 over seats 1, 2 begins at seat 2: its 10.00 are all that the bank's 10.00 may win
    told = steps(
        "wager bank seat 8 bank 1000", "wager w1 seat 1 main 1000", "wager w2 seat 2 main 1000", "deal 1 Td", "deal 2 Kd",
        "deal dealer 9c", "deal 1 6s", "deal 2 5s", "deal dealer ??", "act 1 STAND", "act 2 STAND", "expose dealer 1 8d",
    )  # fmt: skip
    assert told["w1"][3:] == [
        "The down card is the eight of diamonds: the action begins at seat 2.",
        "w2 lost 10.00 to the bank: 0.00 becomes 10.00.",
        "w1 lost 0.00 to the bank, all that its wager of 10.00 leaves: 10.00 becomes 10.00.",
        "10.00 of it has no action and goes back.",
        "VOID: 10.00 without action returned.",
    ]


def test_a_pure_21_5_that_is_paid_whole_shows_its_sum() -> None:
    assert steps(*SHORT_BANK)["w2"] == [
        "10.00 on main, seat 2.",
        "Seat 2 held king of diamonds, ace of spades: a Pure 21.5.",
        "The player-dealer held nine of clubs, eight of diamonds: hard 17.",
        "Pure 21.5, so the wager wins 6 to 5: 10.00 x 6/5 = 12.00, and the stake comes back.",
        "WIN: 12.00 paid to the patron, 10.00 stake returned.",
    ]


def test_a_red_flex_bet_counts_its_run() -> None:
    told = steps(
        "wager bank seat 8 bank 99999", "wager w1 seat 1 main 1000", "wager r1 seat 1 red_flex 500 parent w1",
        "deal 1 Tc", "deal dealer Kh", "deal 1 9c", "deal dealer ??", "check hole", "act 1 STAND", "expose dealer 1 5d",
        "deal dealer 4s",
    )  # fmt: skip
    assert told["r1"] == [
        "5.00 on red flex, seat 1.",
        "The player-dealer held king of hearts, five of diamonds, four of spades: hard 19.",
        "2 red cards in a row from the first, then a black one.",
        "Two red, so the wager wins 1 to 1: 5.00 x 1 = 5.00, and the stake comes back.",
        "WIN: 5.00 paid to the patron, 5.00 stake returned.",
    ]


def test_a_red_flex_bet_that_lost_names_the_black_card() -> None:
    bets = ("wager bank seat 8 bank 99999", "wager w1 seat 1 main 1000", "wager r1 seat 1 red_flex 500 parent w1")
    first = (*bets, "deal 1 Tc", "deal dealer 9s", "deal 1 9c", "deal dealer ??", "act 1 STAND", "expose dealer 1 8d")
    second = (*bets, "deal 1 Tc", "deal dealer 9d", "deal 1 9c", "deal dealer ??", "act 1 STAND", "expose dealer 1 8s")
    assert steps(*first)["r1"][2] == "The first card is black."
    assert steps(*second)["r1"][2] == "The first card is red and the second black."


def test_a_hand_with_an_unread_card_has_no_total() -> None:
    told = steps(
        "wager bank seat 8 bank 99999", "wager w1 seat 1 main 1000", "deal 1 Tc", "deal dealer 9s", "deal 1 4c",
        "deal dealer ??", "act 1 HIT", "deal 1 ??", "act 1 STAND", "expose dealer 1 8d",
    )  # fmt: skip
    assert told["w1"][1] == "Seat 1 held ten of clubs, four of clubs, an unread card."


def test_a_refused_wager_needs_no_hands() -> None:
    told = steps("wager bank seat 8 bank 99999", "wager w8 seat 8 main 1000", "wager w1 seat 1 main 1000", "deal 1 Tc")
    assert told["w8"] == ["10.00 on main, seat 8.", "VOID: 10.00 stake returned."]
