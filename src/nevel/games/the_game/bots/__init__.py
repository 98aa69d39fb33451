"""The bots of The Game and of Extreme: the same levels; the experts differ."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.bots.policy import BEGINNER, CASUAL, RANDOM, SIMPLE, STRONG, GameBots
from nevel.engine.compiling import helper
from nevel.games.the_game.bots import levels as glances
from nevel.games.the_game.bots import simple, talk
from nevel.games.the_game.bots.learnt.mind import WorthMind
from nevel.games.the_game.bots.mind import TheGameMind


@helper
def level_move(s, seat, policy, rng):
    if policy == BEGINNER:
        return glances.beginner_move(s, seat, rng)
    if policy == CASUAL:
        return glances.casual_move(s, seat, rng)
    return glances.strong_move(s, seat, rng)


@helper
def move(s, seat, policy, rng, levels):
    if levels is not None and policy > SIMPLE:
        return level_move(s, seat, policy, rng)
    if policy == RANDOM:
        return simple.random_move(s, seat, rng)
    return simple.simple_move(s, seat)


@helper
def move_in_extreme(s, seat, policy, rng, levels):
    if levels is not None and policy > SIMPLE:
        return level_move(s, seat, policy, rng)
    if policy == RANDOM:
        return simple.random_move(s, seat, rng)
    return simple.simple_extreme_move(s, seat)


@helper
def hint(s, seat, policy, rng, levels):
    if levels is not None and policy >= CASUAL:
        return talk.next_hint(s, seat, policy == CASUAL)
    return -1


BOTS = GameBots(move, WorthMind(STRONG), hint)
EXTREME_BOTS = GameBots(move_in_extreme, TheGameMind(STRONG), hint)
