"""Plays games to their end with compiled policies, and samples plans that way (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.bots import policy
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper

#: Columns of the totals a mind adds to, a row for every plan: play-outs, wins, their squares, points; and two for a
#: mind that chooses by something else than the chance to win: that utility and its squares.
PLAYOUTS, WINS, SQUARES, POINTS, UTILITY, UTILITY_SQUARES = range(6)
TOTALS = 6


@helper
def play_on(s, policies, rng, trace, levels):
    """Play a game to its end; gives the number of moves, hints not counted."""
    moves = 0
    seats = dispatch.waiting(s)
    while seats:
        talk(s, policies, rng, trace, levels)
        for seat in range(s.seats):
            if seats >> seat & 1:
                move = policy.move(s, seat, policies[seat], rng, levels)
                if move >= 0:
                    dispatch.apply(s, seat, move, trace)
                    moves += 1
                    break
        seats = dispatch.waiting(s)
    return moves


@helper
def talk(s, policies, rng, trace, levels):
    """Let everyone say what they want to say before somebody moves."""
    for seat in range(s.seats):
        hint = policy.hint(s, seat, policies[seat], rng, levels)
        while hint >= 0:
            dispatch.apply(s, seat, hint, trace)
            hint = policy.hint(s, seat, policies[seat], rng, levels)


@compiled
def play_out(s, policies, rng, trace, levels):
    """Entry point: play one game to its end."""
    return play_on(s, policies, rng, trace, levels)


@compiled
def play_games(states, seats, box, options, policies, levels, out, points, wins, lengths):
    """Play as many games as `lengths` has room for, each keyed from the chance of the third state.

    The game is played in the first state; the policies draw from the chance of the second. `out` is scratch.
    """
    s = states[0]
    rng = states[1].chance
    for game in range(lengths.shape[0]):
        chance.branch(s.chance, states[2].chance)
        chance.branch(rng, states[2].chance)
        dispatch.setup(s, seats, box, options, None)
        lengths[game] = play_on(s, policies, rng, None, levels)
        dispatch.outcome(s, out)
        for seat in range(seats):
            points[game, seat] = out[seat, 0]
            wins[game, seat] = out[seat, 1]


@compiled
def decide(s, seat, number, rng, levels):
    """The policy's move for whichever game the record belongs to."""
    return policy.move(s, seat, number, rng, levels)


@compiled
def say(s, seat, number, rng, levels):
    """The policy's hint."""
    return policy.hint(s, seat, number, rng, levels)


@compiled
def sample(scratch, seat, policies, levels, plans, live, worlds, rng, out, totals):
    """Flat play-outs, in the same imagined worlds for every plan: differences are then surer than values."""
    for _ in range(worlds):
        scratch[1] = scratch[0]
        chance.branch(scratch[1].chance, rng)
        dispatch.imagine(scratch[1], seat)
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            scratch[2] = scratch[1]
            s = scratch[2]
            for j in range(plans.shape[1]):
                if plans[i, j] >= 0:
                    dispatch.apply(s, seat, plans[i, j], None)
            play_on(s, policies, rng, None, levels)
            dispatch.outcome(s, out)
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += out[seat, 1]
            totals[i, SQUARES] += out[seat, 1]
            totals[i, POINTS] += out[seat, 0]
