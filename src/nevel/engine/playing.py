"""Compiled entry points for a game at a table: make a move, read the result, list legal moves.

Numba takes 10 to 25 µs to unpack a single record argument and 2 for an array of records, so these take `states`: the
position, and room for the one before the last move.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled_holding_gil, helper


@compiled_holding_gil
def play(states, seat, move, key_0, key_1, key_2, key_3, trace, result):
    """Make a move, if it is legal, and say how things stand then; gives 0, or the clause that forbids it.

    With a key that isn't zero, in four words, the chance of this move is drawn from it.
    """
    s = states[0]
    clause = dispatch.refusal(s, seat, move)
    if clause == 0:
        states[1] = s
        if key_0 or key_1 or key_2 or key_3:
            chance.key(s.chance, key_0, key_1, key_2, key_3)
        dispatch.apply(s, seat, move, trace)
        stand(s, result)
    return clause


@compiled_holding_gil
def standing(states, result):
    """Write points and victory by seat into `result`, then a row with the clause that ended it, 0 if none did, and who
    is waited for, as bits.
    """
    stand(states[0], result)


@helper
def stand(s, result):
    result[dispatch.MOST_SEATS, 0] = dispatch.outcome(s, result)
    result[dispatch.MOST_SEATS, 1] = dispatch.waiting(s)


@compiled_holding_gil
def list_legal(states, seats, first_hint, mask, found):
    """Write every seat's legal moves in order into its row of `found`, after how many they are and how many of them
    come before the first hint. `mask` is room for all moves.
    """
    s = states[0]
    for seat in range(seats):
        dispatch.mark_moves(s, seat, mask)
        count = 0
        before = 0
        for move in range(mask.shape[0]):
            if mask[move]:
                found[seat, 2 + count] = move
                count += 1
                if move < first_hint:
                    before = count
        found[seat, 0] = count
        found[seat, 1] = before


@compiled_holding_gil
def list_losing_clauses(states, seat, moves, found):
    """Write for each of a seat's legal moves into `found` by which clause it can only lose, or 0."""
    for i in range(moves.shape[0]):
        found[i] = dispatch.losing_clause(states[0], seat, moves[i])
