"""All legal moves of a seat at once."""

from nevel.rules import any_game
from nevel.rules.compiling import compiled


@compiled
def mark_legal(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal."""
    count = 0
    for move in range(mask.shape[0]):
        mask[move] = any_game.refusal(s, seat, move) == 0
        count += mask[move]
    return count
