"""The bots of liar's dice: how good a move looks, and how good a position; the rest is Nevel's."""

import math

import numpy as np
from nevel.bots import glances
from nevel.bots.policy import STRONG, GameBots
from nevel.bots.worlds import WorldsMind
from nevel.engine.compiling import helper

from liars_dice import rules

#: The probability that at least `needed` of `dice` show a face, ones included or not: AT_LEAST[wild, dice, needed].
AT_LEAST = np.array(
    [
        [
            [
                sum(math.comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(needed, dice + 1))
                for needed in range(rules.MOST_DICE + 1)
            ]
            for dice in range(rules.MOST_DICE + 1)
        ]
        for p in (1 / 6, 1 / 3)
    ]
)


@helper
def truth(s, seat, bid, policy):
    """How likely a bid holds for one who sees only the dice of this seat, and, if strong, listens to the others."""
    face = bid % rules.FACES
    needed = bid // rules.FACES + 1 - rules.showing(s, s.dice[seat], face)
    if policy == STRONG:
        for other in range(s.seats):
            needed -= other != seat and s.said[other] != rules.NO_BID and s.said[other] % rules.FACES == face
    hidden = rules.dice_on_table(s) - s.left[seat]
    return AT_LEAST[s.wild, hidden, max(needed, 0)]


@helper
def appeal(s, seat, move, policy):
    """What a move is expected to win or lose in dice: a bid that nobody doubts neither wins nor loses."""
    if move == rules.LIAR:
        return 1 - 2 * truth(s, seat, s.bid, policy)
    # Others doubt a bid as far as it looks unlikely to one who sees no dice at all.
    doubt = 1 - AT_LEAST[s.wild, rules.dice_on_table(s), move // rules.FACES + 1]
    return doubt * (2 * truth(s, seat, move, policy) - 1)


@helper
def prospect(s, seat):
    """The chance to win when all have rolled anew: about as the squares of the dice people have left."""
    total = 0.0
    for other in range(s.seats):
        total += s.left[other] * s.left[other]
    return s.left[seat] * s.left[seat] / total


BOTS = GameBots(glances.move, WorldsMind(), appeal=appeal, prospect=prospect)
