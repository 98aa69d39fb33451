"""The bots of What the Fog?!"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.bots.policy import BEGINNER, RANDOM, STRONG, GameBots
from nevel.engine.compiling import helper
from nevel.games.what_the_fog.bots import beginner, simple, strong
from nevel.games.what_the_fog.bots.mind import WhatTheFogMind


@helper
def move(s, seat, policy, rng, levels):
    if levels is not None:
        if policy == BEGINNER:
            return beginner.beginner_move(s, seat, rng)
        if policy == STRONG:
            return strong.strong_move(s, seat, rng)
    if policy == RANDOM:
        return simple.random_move(s, seat, rng)
    # A casual player judges by averages, as the simple yardstick does.
    return simple.simple_move(s, seat)


BOTS = GameBots(move, WhatTheFogMind(STRONG))
