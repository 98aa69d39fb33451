"""The bots of Misty."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.bots.policy import BEGINNER, CASUAL, RANDOM, STRONG, GameBots
from nevel.engine.compiling import helper
from nevel.games.misty.bots import levels as glances
from nevel.games.misty.bots import simple
from nevel.games.misty.bots.mind import MistyMind


@helper
def move(s, seat, policy, rng, levels):
    if levels is not None:
        if policy == BEGINNER:
            return glances.beginner_move(s, seat, rng)
        if policy == CASUAL:
            return glances.casual_move(s, seat, rng)
        if policy == STRONG:
            return glances.strong_move(s, seat, rng)
    if policy == RANDOM:
        return simple.random_move(s, seat, rng)
    return simple.simple_move(s, seat)


BOTS = GameBots(move, MistyMind(STRONG))
