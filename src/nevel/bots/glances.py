"""Levels for a game that only says how good its moves look: the weaker the level, the more it follows its whims.

A level takes a move with a probability that grows with its appeal (a softmax). One scale fits all games if the appeal
of a move is about what it does to the seat's chances, from -1 to 1. A game's bots are then
`GameBots(glances.move, expert, appeal=…)`.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

from nevel.bots.policy import BEGINNER, CASUAL, RANDOM, SIMPLE, appeal, count_moves
from nevel.engine import chance, dispatch
from nevel.engine.compiling import helper


@helper
def sharpness(policy):
    """How much a difference in appeal counts for a level."""
    if policy == RANDOM:
        return 0.0
    if policy == BEGINNER:
        return 2.5
    if policy == CASUAL:
        return 5.0
    return 40.0


@helper
def inclination(s, seat, candidate, policy):
    """How strongly a level is inclined to a legal move, beside others."""
    if policy == RANDOM:
        return 1.0
    return math.exp(sharpness(policy) * appeal(s, seat, candidate, policy))


@helper
def move(s, seat, policy, rng, levels):
    """A legal move by lot, likelier the better it looks; the best-looking one for the simple yardstick."""
    chosen = -1
    total = 0.0
    for candidate in range(count_moves(s)):
        if dispatch.refusal(s, seat, candidate):
            continue
        weight = inclination(s, seat, candidate, policy)
        if policy == SIMPLE:
            if weight > total:
                total = weight
                chosen = candidate
        else:
            # Each of the moves seen so far is the chosen one with the probability it has among them.
            total += weight
            if chance.word(rng) * total < weight * (chance.MASK + 1):
                chosen = candidate
    return chosen


@helper
def plausibility(s, seat, played, policy):
    """The probability with which a level would make this legal move."""
    total = 0.0
    for candidate in range(count_moves(s)):
        if dispatch.refusal(s, seat, candidate) == 0:
            total += inclination(s, seat, candidate, policy)
    return inclination(s, seat, played, policy) / total
