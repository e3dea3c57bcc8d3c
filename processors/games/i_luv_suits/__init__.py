"""I Luv Suits: seven cards, and the longest flush wins (K.A.R. 111-301-74 to 111-301-76)."""

from processors.games.i_luv_suits.dealer import ILuvSuitsDealer
from processors.games.i_luv_suits.engine import ILuvSuits
from processors.games.i_luv_suits.outcomes import outcomes
from processors.games.i_luv_suits.terms import Terms
from processors.kernel.definition import Definition

GAME = Definition("i_luv_suits", ILuvSuits, Terms, ILuvSuitsDealer, outcomes)
