"""What is said when somebody asks why: it can be read aloud, and each step has its paragraph."""

from __future__ import annotations

from processors.replay import explain_round
from tests.processors.games.i_luv_suits.rounds import lines
from tests.processors.games.rounds import book


def steps(*text: str, wager: str, **opened: object) -> list[str]:
    return [step.text for step in explain_round(lines(*text, **opened), book(), only_due=True)[wager]]


def test_an_ante_that_wins_is_explained_hand_by_hand() -> None:
    said = steps(
        "wager a seat 1 ante 1000", "hand 1 6d 5d 3d 2d Ah Kc Qs", "hand dealer Ks 9s 4s Kh 4h 7c 8c",
        "wager p seat 1 play 1000 parent a", "act 1 PLAY p", wager="a",
    )  # fmt: skip
    assert said == [
        "10.00 on ante, seat 1.",
        "Seat 1 holds: six of diamonds, five of diamonds, three of diamonds, two of diamonds, ace of hearts, "
        "king of clubs, queen of spades.",
        "Its best hand is a four card flush: 6, 5, 3, 2 of diamonds.",
        "The dealer holds: king of spades, nine of spades, four of spades, king of hearts, four of hearts, "
        "seven of clubs, eight of clubs.",
        "The dealer's best hand is a three card flush: king, 9, 4 of spades.",
        "The dealer qualifies; seat 1's hand ranks higher than the dealer's.",
        "The wager wins 1 to 1: 10.00 x 1 = 10.00, and the stake comes back.",
        "WIN: 10.00 paid to the patron, 10.00 stake returned.",
    ]


def test_a_play_wager_against_a_dealer_who_does_not_qualify_is_said_to_be_a_tie() -> None:
    said = steps(
        "wager a seat 1 ante 1000", "hand 1 6d 5d 3d 2d Ah Kc Qs", "hand dealer 8s 7s 4s Kh 4h 7c Jc",
        "wager p seat 1 play 2000 parent a", "act 1 PLAY p", wager="p",
    )  # fmt: skip
    assert "The dealer does not qualify, which takes at least a flush of 3 cards with a 9 or higher." in said
    assert "The play wager is a tie." in said
    assert "10.00 of it has no action and goes back." in said
    assert said[-1] == "PUSH: 10.00 stake returned, 10.00 without action returned."


def test_a_shared_pot_is_explained_as_a_sum() -> None:
    said = steps(
        "wager a seat 1 ante 1000", "wager g seat 1 progressive 100 parent a", "wager b seat 2 ante 1000",
        "wager h seat 2 progressive 100 parent b", "meter ILS 250045", "hand 1 9d 8d 7d 6d 5d 4d 2s",
        "hand 2 8h 7h 6h 5h 4h 3h 3s", "hand dealer Ks 9s 4s Kh Th 7c 8c", "act 1 FOLD a", "act 2 FOLD b", wager="h",
        progressives={"progressive": "ILS"},
    )  # fmt: skip
    assert said[2:] == [
        "Seat 2 folded: the ante is forfeited.",
        "The bonus wagers stay in play.",
        "Its longest straight flush is a six card straight flush: 8, 7, 6, 5, 4, 3 of hearts.",
        "10% of the pot of 2,500.45 is 250.045; 2 hands qualify for it.",
        "Divided by 2 and rounded up: 125.03; the stake is in it.",
        "WIN: 125.03 paid to the patron.",
    ]


def test_a_payout_that_was_limited_says_by_what() -> None:
    said = steps(
        "wager a seat 1 ante 1000", "wager f seat 1 flush_rush 20000 parent a", "hand 1 Ad Jd 8d 6d 5d 3d 2d",
        "hand dealer Ks 9s 4s Kh 4h 7c 8c", "act 1 FOLD a", wager="f",
        limits={"*": {"minimum_minor": 500, "maximum_minor": 10000}},
    )  # fmt: skip
    assert "No more is paid than the posted maximum times the highest odds." in said
    assert said[-1] == "WIN: 30,000.00 paid to the patron, 200.00 stake returned."


def test_a_hand_with_an_unread_card_is_said_to_be_unknown() -> None:
    said = steps(
        "wager a seat 1 ante 1000", "wager s seat 1 super_flush_rush 500 parent a", "hand 1 6d 5d 3d 2d Ah Kc ??",
        "hand dealer Ks 9s 4s Kh 4h 7c 8c", "act 1 FOLD a", wager="s",
    )  # fmt: skip
    assert "The hand cannot be ranked: its cards are not all known." in said
    assert said[-1] == "UNDECIDED: nothing to hand over."


def test_every_step_but_the_stake_names_a_paragraph() -> None:
    events = lines(
        "wager a seat 1 ante 1000", "wager s seat 1 super_flush_rush 500 parent a", "hand 1 6d 5d 4d 2d Ah Kc Qs",
        "hand dealer Ks 9s 4s Kh 4h 7c 8c", "wager p seat 1 play 1000 parent a", "act 1 PLAY p",
    )  # fmt: skip
    for first, *rest in explain_round(events, book(), only_due=True).values():
        assert first.cite.paragraph == ""
        assert all(step.cite.paragraph.startswith("111-301-7") for step in rest), rest
