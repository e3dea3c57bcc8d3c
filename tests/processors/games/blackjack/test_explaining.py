"""What is said of a settlement, step by step, as a floor manager would say it at the table."""

from __future__ import annotations

from typing import Any

import pytest

from processors import rulebook
from processors.replay import explain_round
from processors.rulebook import Rulebook
from tests.processors.games.blackjack.rounds import told


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return rulebook.load()


def said(book: Rulebook, wager_id: str, lines: list[Any], **opened: Any) -> list[tuple[str, str]]:
    steps = explain_round(told(lines, **opened), book, only_due=True)[wager_id]
    return [(step.text, step.cite.paragraph) for step in steps]


def first_cards(cards: str, up: str) -> list[str]:
    one, two = cards.split()
    return [f"deal 1 {one}", "deal dealer ??", f"deal 1 {two}", "deal dealer ??", f"expose dealer 0 {up}"]


def test_a_hand_is_told_card_by_card_with_the_dealers_and_the_sum(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", *first_cards("Th 5d", "6c"), "act 1 HIT", "deal 1 4s", "act 1 STAND",
        "expose dealer 1 Td", "deal dealer 2s",
    ]  # fmt: skip
    assert said(book, "w1", lines) == [
        ("10.00 on main, seat 1.", ""),
        ("Seat 1 held ten of hearts, five of diamonds, four of spades: hard 19.", "111-301-5(e)"),
        ("The dealer held six of clubs, ten of diamonds, two of spades: hard 18.", "111-301-6(j)(2)"),
        ("The wager wins 1 to 1: 10.00 x 1 = 10.00, and the stake comes back.", "111-301-5(e)"),
        ("WIN: 10.00 paid to the patron, 10.00 stake returned.", "111-301-5(e)"),
    ]


def test_a_blackjack_against_a_nine_needs_no_hole_card(book: Rulebook) -> None:
    lines = ["wager w1 seat 1 main 1000", *first_cards("Ah Kd", "9c"), "expose dealer 1 7d"]
    assert said(book, "w1", lines)[1:4] == [
        ("Seat 1 held ace of hearts, king of diamonds: a blackjack.", "111-301-5(e)"),
        ("The dealer's first card was the nine of clubs: a blackjack is paid at once.", "111-301-6(g)(1)"),
        ("Blackjack, so the wager wins 3 to 2: 10.00 x 3/2 = 15.00, and the stake comes back.", "111-301-6(g)(1)"),
    ]


def test_an_undecided_wager_says_what_is_missing(book: Rulebook) -> None:
    lines = ["wager w1 seat 1 main 1000", *first_cards("Th 9d", "6c"), "act 1 STAND", "expose dealer 1 Ad"]
    assert ("It cannot be decided: the dealer stood on soft 17 and had to draw.", "111-301-5(e)") in said(book, "w1", lines)


def test_a_refused_wager_says_why_and_by_which_paragraph(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", "close betting", "wager t1 seat 1 three_card 500 parent w1",
        *first_cards("Th 9d", "6c"), "act 1 STAND", "expose dealer 1 Td", "deal dealer 2s",
    ]  # fmt: skip
    assert ("The three card wager was made after betting had closed.", "111-301-5(c)") in said(book, "t1", lines)


def test_an_optional_wager_is_told_by_its_three_cards(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", "wager t1 seat 1 three_card 500 parent w1", *first_cards("2h 9h", "Kh"),
        "act 1 STAND", "expose dealer 1 8s",
    ]  # fmt: skip
    assert said(book, "t1", lines) == [
        ("5.00 on three card, seat 1.", ""),
        (
            "The first two cards of seat 1 were two of hearts and nine of hearts, "
            "the dealer's first card the king of hearts.",
            "111-301-5(k)(2)(A)",
        ),
        ("Flush, so the wager wins 9 to 1: 5.00 x 9 = 45.00, and the stake comes back.", "111-301-5(k)(2)(A)"),
        ("WIN: 45.00 paid to the patron, 5.00 stake returned.", "111-301-5(k)(2)(A)"),
    ]


def test_a_share_of_the_pot_says_what_the_meter_showed(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", "wager x1 seat 1 blazing_7s 500 parent w1", *first_cards("7d 7d", "7d"),
        "meter B7 1234567", "act 1 STAND", "expose dealer 1 Ts",
    ]  # fmt: skip
    steps = said(book, "x1", lines, progressives={"blazing_7s": "B7"}, meters={"B7": 1000000})
    assert ("The meter stood at 12,345.67.", "111-301-5(j)(6)") in steps
    assert steps[-2] == ("Three 7s of diamonds win 100 percent of it, up to the cent.", "111-301-5(j)(5)")
    assert steps[-1] == ("WIN: 12,345.67 paid to the patron.", "111-301-5(j)(5)")


def test_a_pot_that_two_hands_share_says_so(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", "wager x1 seat 1 blazing_7s 500 parent w1",
        "wager w2 seat 2 main 1000", "wager x2 seat 2 blazing_7s 500 parent w2",
        "deal 1 7h", "deal 2 7h", "deal dealer ??", "deal 1 7h", "deal 2 7h", "deal dealer ??", "expose dealer 0 7h",
        "meter B7 1234567", "act 1 STAND", "act 2 STAND", "expose dealer 1 Ts",
    ]  # fmt: skip
    steps = said(book, "x2", lines, progressives={"blazing_7s": "B7"}, meters={"B7": 1000000})
    share = "Three 7s of a suit win 10 percent of it, divided equally among 2 hands, up to the cent."
    assert steps[-2:] == [
        (share, "111-301-5(j)(5)"),
        ("WIN: 617.29 paid to the patron.", "111-301-5(j)(5)"),  # 1,234.567 / 2 = 617.2835
    ]


def test_the_meter_is_not_mentioned_where_the_pot_is_not_won(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", "wager x1 seat 1 blazing_7s 500 parent w1", *first_cards("7d 9d", "7d"),
        "meter B7 1234567", "act 1 STAND", "expose dealer 1 Ts",
    ]  # fmt: skip
    steps = said(book, "x1", lines, progressives={"blazing_7s": "B7"}, meters={"B7": 1000000})
    assert steps[-2] == ("One 7, so the wager wins 2 for 1: 5.00 x 2 = 10.00; the stake is in it.", "111-301-5(j)(5)")
    assert not any("meter" in text for text, _ in steps)


@pytest.mark.parametrize(
    ("amount", "options", "sum_told"),
    [
        (1500, {"smallest_chip_minor": "100"}, "15.00 x 3/2, up to the next chip of 1.00, = 23.00"),
        (1500, {}, "15.00 x 3/2 = 22.50"),
        (101, {}, "1.01 x 3/2, to the nearest cent, = 1.52"),
    ],
)
def test_a_payment_that_is_not_even_says_how_it_was_rounded(
    book: Rulebook, amount: int, options: dict[str, str], sum_told: str
) -> None:
    lines = [f"wager w1 seat 1 main {amount}", *first_cards("Ah Kd", "9c"), "expose dealer 1 7d"]
    words = f"Blackjack, so the wager wins 3 to 2: {sum_told}, and the stake comes back."
    assert (words, "111-301-6(g)(1)") in said(book, "w1", lines, options=options)


def test_a_double_that_goes_back_on_a_dealers_blackjack_says_why(book: Rulebook) -> None:
    lines = [
        "wager w1 seat 1 main 1000", *first_cards("6h 5d", "Kc"), "wager d1 seat 1 double 1000 parent w1",
        "act 1 DOUBLE d1", "deal 1 9s", "expose dealer 1 Ad",
    ]  # fmt: skip
    assert said(book, "d1", lines)[-2:] == [
        ("The dealer's blackjack takes the original wager only; what the double added goes back.", "111-301-6(g)(3)"),
        ("PUSH: 10.00 stake returned.", "111-301-6(g)(3)"),
    ]
