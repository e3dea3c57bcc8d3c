"""What the table posts for a round, held against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from processors.games.pure_21_5.wagers import BANK

if TYPE_CHECKING:
    from processors.games.pure_21_5.table import Table

BANK_TURN: Final = "bank_turn"


def check(game: Table) -> None:
    """Number of decks, turn of the bank, and no limit on the player-dealer's wager.

    More than two hands in a row with the same player-dealer shows only over rounds; here the turn is the first or second.
    """
    opened, terms = game.opened, game.terms
    at = opened.sequence
    if opened.decks and opened.decks not in terms.decks.value:
        allowed = f"{min(terms.decks.value)} to {max(terms.decks.value)}"
        sentence = f"The game is played with {allowed} decks; this table has {opened.decks}."
        game.find("RULE_MISMATCH", at, sentence, cite=terms.decks.cite)
    turn = opened.options.get(BANK_TURN)
    turns = terms.bank_turns.value
    if turn is not None and turn not in [str(number) for number in range(1, turns + 1)]:
        sentence = f"The bank is offered on after {turns} hands; this is said to be turn {turn!r} of the player-dealer."
        game.find("RULE_MISMATCH", at, sentence, cite=terms.bank_turns.cite)
    limit = opened.limits.get(BANK)
    if limit is not None and limit["maximum_minor"]:
        sentence = "A maximum is posted for the player-dealer's wager, which has none."
        game.find("RULE_MISMATCH", at, sentence, cite=terms.bank_maximum.cite)
