"""A game at a table: a move made, how things stand, and who may do what, each in one call.

Numba takes long to look into a single record it is given and next to nothing for an array of them, so these take
`states`: the position, and room for the one before the last move.
"""

from nevel.rules import any_game, chance
from nevel.rules.compiling import compiled


@compiled
def play(states, seat, move, key, trace):
    """Make a move, if it is legal; gives 0, or the clause that forbids it.

    With a `key` that isn't zero the chance of this move is drawn from it.
    """
    s = states[0]
    clause = any_game.refusal(s, seat, move)
    if clause == 0:
        states[1] = s
        if key[0] or key[1] or key[2] or key[3]:
            chance.key(s.chance, key[0], key[1], key[2], key[3])
        any_game.apply(s, seat, move, trace)
    return clause


@compiled
def standing(states, result):
    """Write points and victory by seat into `result`, then a row with the clause that ended it, 0 if none did, and who
    is waited for, as bits.
    """
    s = states[0]
    result[any_game.MOST_SEATS, 0] = any_game.outcome(s, result)
    result[any_game.MOST_SEATS, 1] = any_game.waiting(s)


@compiled
def list_legal(states, seat, moves, found):
    """Write the numbers of a seat's legal moves into `found`; gives how many there are."""
    s = states[0]
    count = 0
    for move in range(moves):
        if any_game.refusal(s, seat, move) == 0:
            found[count] = move
            count += 1
    return count
