"""All legal moves of a seat at once."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import compiled


@compiled
def mark_legal(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal."""
    count = 0
    for move in range(mask.shape[0]):
        mask[move] = dispatch.refusal(s, seat, move) == 0
        count += mask[move]
    return count
