"""Looks some turns ahead in imagined games of The Game, with the learnt worth of positions (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from typing import Any, NamedTuple

from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, UTILITY, UTILITY_SQUARES, WINS
from nevel.engine import dispatch
from nevel.engine.compiling import compiled, helper
from nevel.games.the_game.bots.endgame import WON, solve
from nevel.games.the_game.bots.imagined import follow_plan, imagine_going_on, imagine_world
from nevel.games.the_game.bots.learnt.turn import BROAD, NARROW, find_turns
from nevel.games.the_game.bots.learnt.worth import chance_of
from nevel.games.the_game.rules.table import END_TURN, OVER, cards_left

#: With so few cards to draw, games are played to the end in thought: what was learnt isn't exact enough there.
LAST_DRAWN = 6


class TurnScratch(NamedTuple):
    """Scratch arrays for finding the turns of one position."""

    workspace: Any
    #: Sums over all cards that several turns share.
    sums: Any
    turn: Any


class LearntTools(NamedTuple):
    """What was learnt about positions, how far to look ahead with it, and the scratch arrays that takes."""

    weights: Any
    #: How many cards are left in the end on average, by cards left now and chance to win in tenths.
    lefts: Any
    #: Turns looked at after one's own.
    ahead: Any
    workspace: Any
    sums: Any
    #: Scratch for a turn, and for the best one found.
    turns: Any
    #: Gets the worth of the best turn found.
    worth: Any


@compiled
def list_best(states, seat, trust, rng, weights, scratch, turns, worths, found):
    """The best turns in some imagined worlds; `found` gets how many in each."""
    for world in range(found.shape[0]):
        imagine_world(states, seat, trust, rng)
        found[world] = find_turns(
            states[1], seat, weights, scratch.workspace, scratch.sums, scratch.turn, turns[world], worths[world], BROAD
        )


@helper
def take_best_turn(s, learnt):
    """Finish the turn of whoever is to move as well as possible, without drawing; False when there is no way to."""
    seat, weights, turns = s.active, learnt.weights, learnt.turns
    if find_turns(s, seat, weights, learnt.workspace, learnt.sums, turns[0], turns[1:], learnt.worth, NARROW) == 0:
        return False
    for i in range(1, turns[1, 0] + 1):
        if s.phase != OVER:
            dispatch.apply(s, seat, turns[1, i], None)
    return True


@compiled
def sample(scratch, seat, plans, live, worlds, rng, trust, tools, learnt, totals):
    """Every live plan in the same imagined worlds, and the best that can follow it."""
    for _ in range(worlds):
        imagine_going_on(scratch, seat, trust, rng, tools.numbers, tools.passed)
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            s = follow_plan(scratch, seat, plans[i])
            chance_to_win = 0.0
            seen = 0
            while s.phase != OVER:
                if s.left == 0:
                    finish(scratch[2:], tools, learnt)
                    break
                seen += s.played == 0  # the rest of a turn that was begun doesn't count
                if not take_best_turn(s, learnt):
                    break
                chance_to_win = chance_of(learnt.worth[0])
                if (seen >= learnt.ahead and s.left > LAST_DRAWN) or s.phase == OVER:
                    break
                dispatch.apply(s, s.active, END_TURN, None)
            if s.phase == OVER:
                chance_to_win = 1.0 if cards_left(s) == 0 else 0.0
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += chance_to_win
            totals[i, SQUARES] += chance_to_win * chance_to_win
            left = cards_left(s)
            totals[i, POINTS] -= left if s.phase == OVER else learnt.lefts[left, int(chance_to_win * 9.999)]
            totals[i, UTILITY] += chance_to_win
            totals[i, UTILITY_SQUARES] += chance_to_win * chance_to_win


@helper
def finish(states, tools, learnt):
    """Play a game without a draw pile to its end: by the best turns, or another way if a short look finds one."""
    s = states[0]
    states[1] = s
    while s.phase != OVER and take_best_turn(s, learnt):
        if s.phase != OVER:
            dispatch.apply(s, s.active, END_TURN, None)
    s.phase = OVER
    if cards_left(s) == 0:
        return
    if solve(states[1:], tools.tried, tools.path, tools.numbers, tools.passed, tools.most) == WON:
        s.held[:] = 0
