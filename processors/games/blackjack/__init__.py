"""Blackjack: Southwest Kansas and South Dakota."""

from processors.games.blackjack.dealer import make_dealer
from processors.games.blackjack.engine import Blackjack
from processors.games.blackjack.outcomes import outcomes
from processors.games.blackjack.terms import Terms
from processors.kernel.definition import Definition

GAME = Definition("blackjack", Blackjack, Terms, make_dealer, outcomes)
