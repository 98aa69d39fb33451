"""Games played to their end by compiled policies, without anything in between."""

from nevel.bots import policy
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper


@helper
def play_on(s, policies, rng, trace, levels):
    """Play a game to its end; gives how many moves that took, what was said not counted."""
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
    """The same, for one game that is called for from outside."""
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
