"""Games played to their end by compiled policies, without anything in between."""

from nevel.bots import policy
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper


@helper
def play_on(s, policies, lanes, trace, levels):
    """Play a game to its end; gives how many moves that took, what was said not counted."""
    moves = 0
    seats = dispatch.waiting(s)
    while seats:
        talk(s, policies, lanes, trace, levels)
        for seat in range(s.seats):
            if seats >> seat & 1:
                move = policy.move(s, seat, policies[seat], lanes, levels)
                if move >= 0:
                    dispatch.apply(s, seat, move, trace)
                    moves += 1
                    break
        seats = dispatch.waiting(s)
    return moves


@helper
def talk(s, policies, lanes, trace, levels):
    """Let everyone say what they want to say before somebody moves."""
    for seat in range(s.seats):
        hint = policy.hint(s, seat, policies[seat], lanes, levels)
        while hint >= 0:
            dispatch.apply(s, seat, hint, trace)
            hint = policy.hint(s, seat, policies[seat], lanes, levels)


@compiled
def play_out(s, policies, lanes, trace, levels):
    """The same, for one game that is called for from outside."""
    return play_on(s, policies, lanes, trace, levels)


@compiled
def play_games(states, seats, box, options, policies, levels, out, points, wins, lengths):
    """Play as many games as `lengths` has room for, each keyed from the chance of the third state.

    The game is played in the first state; the policies draw from the chance of the second. `out` is scratch.
    """
    s = states[0]
    lanes = states[1].chance
    for game in range(lengths.shape[0]):
        chance.branch(s.chance, states[2].chance)
        chance.branch(lanes, states[2].chance)
        dispatch.setup(s, seats, box, options, None)
        lengths[game] = play_on(s, policies, lanes, None, levels)
        dispatch.outcome(s, out)
        for seat in range(seats):
            points[game, seat] = out[seat, 0]
            wins[game, seat] = out[seat, 1]
