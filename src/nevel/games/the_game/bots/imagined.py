"""Imagines games of The Game and Extreme that fit what a seat knows, and plays them to the end (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math
from typing import Any, NamedTuple

from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, UTILITY, UTILITY_SQUARES, WINS
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper
from nevel.games.the_game.bots.endgame import WON, solve
from nevel.games.the_game.bots.playout import careful_move, play_rest
from nevel.games.the_game.bots.simple import opening, start_strength
from nevel.games.the_game.bots.talk import heed
from nevel.games.the_game.rules.table import CHOOSING, OVER, PLAYING, START, cards_left

#: Worlds thrown away because in them somebody couldn't have gone on.
MOST_IMPOSSIBLE = 30
#: A game that ends with this many cards left is worth a win divided by e: wins are too rare to choose by alone.
NEARNESS = 30.0


class PlayoutTools(NamedTuple):
    """What a play-out is judged with and the scratch arrays it writes to."""

    #: The tuned numbers of the position's judgement.
    numbers: Any
    #: Scratch for the judgement.
    passed: Any
    #: Scratch for the endgame search: moves tried so far, and the moves on the way.
    tried: Any
    path: Any
    #: Moves the endgame search may look at.
    most: Any


@compiled
def begin(s, seat):
    """What to do before the first turn."""
    return opening(s, seat)


@helper
def imagine_world(scratch, seat, trust, rng):
    """Make the second record a world that fits what the first knows and what was said."""
    scratch[1] = scratch[0]
    chance.branch(scratch[1].chance, rng)
    dispatch.imagine(scratch[1], seat)
    heed(scratch[1], seat, trust, rng)


@helper
def imagine_going_on(scratch, seat, trust, rng, numbers, passed):
    """The same, and whoever has the turn can go on: else the game would be over."""
    for _ in range(MOST_IMPOSSIBLE):
        imagine_world(scratch, seat, trust, rng)
        s = scratch[1]
        if s.phase != PLAYING or s.active == seat:
            return
        move = careful_move(s, s.active, True, numbers, passed)
        if dispatch.refusal(s, s.active, move) == 0 and dispatch.losing_clause(s, s.active, move) == 0:
            return


@helper
def let_somebody_start(s):
    """Before the first turn: whoever said that they would start best does, or whose cards say so."""
    keenest = 0
    most = 0
    for seat in range(s.seats):
        strength = s.start_hints[seat] if s.start_hints[seat] else start_strength(s, seat)
        if strength > most:
            most = strength
            keenest = seat
    dispatch.apply(s, keenest, START, None)


@helper
def follow_plan(scratch, seat, plan):
    """Make the third record what a plan leads to in the world of the second."""
    scratch[2] = scratch[1]
    s = scratch[2]
    for j in range(plan.shape[0]):
        if plan[j] >= 0 and s.phase != OVER:
            dispatch.apply(s, seat, plan[j], None)
    if s.phase == CHOOSING:
        let_somebody_start(s)
    return s


@compiled
def sample(scratch, seat, plans, live, worlds, rng, trust, tools, totals):
    """Play every live plan out in the same imagined worlds, the last cards as well as they can be played."""
    numbers, passed = tools.numbers, tools.passed
    for _ in range(worlds):
        imagine_going_on(scratch, seat, trust, rng, numbers, passed)
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            s = follow_plan(scratch, seat, plans[i])
            play_rest(s, numbers, passed, 1)
            if s.phase != OVER:
                scratch[3] = s
                play_rest(s, numbers, passed, 0)
                if cards_left(s) and solve(scratch[3:], tools.tried, tools.path, numbers, passed, tools.most) == WON:
                    s.left = 0
                    s.held[:] = 0
            left = cards_left(s)
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += left == 0
            totals[i, SQUARES] += left == 0
            totals[i, POINTS] -= left
            utility = math.exp(-left / NEARNESS)
            totals[i, UTILITY] += utility
            totals[i, UTILITY_SQUARES] += utility * utility
