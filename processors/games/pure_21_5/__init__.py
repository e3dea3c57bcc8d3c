"""Pure 21.5 Blackjack with the Red Flex bet (California)."""

from processors.games.pure_21_5.dealer import PureDealer
from processors.games.pure_21_5.engine import PureTwentyOneHalf
from processors.games.pure_21_5.outcomes import outcomes
from processors.games.pure_21_5.terms import Terms
from processors.kernel.definition import Definition

GAME = Definition("pure_21_5", PureTwentyOneHalf, Terms, PureDealer, outcomes=outcomes)
