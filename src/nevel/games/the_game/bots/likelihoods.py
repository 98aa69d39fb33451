"""Counts who has which card of The Game in imagined worlds that fit what was said (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled
from nevel.games.the_game.bots.imagined import imagine_world
from nevel.games.the_game.bots.talk import heed
from nevel.games.the_game.rules.table import CARDS, LOWEST, MARGIN, ON_A_PILE


@compiled
def count_holders(scratch, seat, trust, worlds, rng, counts):
    """Count in how many worlds every card is where, from what the first record knows.

    A row of `counts` is a card, from the lowest on; column 0 is the draw pile, the others are hands. Every world is
    made from the one before, by as many exchanges as a fresh one would be.
    """
    imagine_world(scratch, seat, trust, rng)
    s = scratch[1]
    for _ in range(worlds):
        heed(s, seat, trust, rng)
        for i in range(CARDS):
            where = s.where[MARGIN + LOWEST + i]
            if where not in (ON_A_PILE, 1 + seat):
                counts[i, where] += 1
