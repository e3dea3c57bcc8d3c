"""Craps in Kansas (K.A.R. 111-501-44 and 111-501-45). A round is one shooter's turn, first come-out to seven-out."""

from processors.games.craps.dealer import CrapsDealer
from processors.games.craps.engine import Craps
from processors.games.craps.outcomes import outcomes
from processors.games.craps.terms import Terms
from processors.kernel.definition import Definition

GAME = Definition("craps", Craps, Terms, CrapsDealer, outcomes)
