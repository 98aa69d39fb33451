"""All legal moves of Misty at once. Spaces are bits here, one for each of the frame."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled, helper
from nevel.games.misty.rules.table import ACTIVATING, MOVE, PICK, PICKING, PLACE, PLACING, can_span
from nevel.games.misty.rules.window import SIDE, SPACES, kinds_of, movable

#: Every space but the first, and every space but the last, of each row: what a step to the right or left may reach.
NOT_FIRST = sum(1 << space for space in range(SPACES) if space % SIDE > 0)
NOT_LAST = sum(1 << space for space in range(SPACES) if space % SIDE < SIDE - 1)
FRAME = (1 << SPACES) - 1


@compiled
def mark_moves(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal."""
    for move in range(mask.shape[0]):
        mask[move] = 0
    count = 0
    if s.phase == PICKING:
        if s.chosen[seat] == 0:
            for kind in range(kinds_of(s)):
                mask[PICK + kind] = s.hand[seat, kind] > 0
                count += s.hand[seat, kind] > 0
    elif s.phase == PLACING:
        if s.choice[seat]:
            count = mark_spaces(s, seat, mask)
    elif s.phase == ACTIVATING and s.done[seat] == 0:
        bits = movable(s, seat, s.activated[seat])
        for row in range(s.top[seat], s.bottom[seat] + 1):
            for column in range(s.left[seat], s.right[seat] + 1):
                space = row * SIDE + column
                mask[MOVE + space] = bits >> space & 1
                count += bits >> space & 1
    return count


@helper
def free_spaces(s, seat):
    """The free spaces beside a card (MI-T4), as bits."""
    taken = 0
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            taken |= (s.window[seat, row, column] != 0) << (row * SIDE + column)
    wide = taken | (taken << 1 & NOT_FIRST) | (taken >> 1 & NOT_LAST)
    return (wide | wide << SIDE | wide >> SIDE) & FRAME & ~taken


@helper
def mark_spaces(s, seat, mask):
    """The free spaces beside a card that leave the window no larger than it may be (MI-T5, MI-V1)."""
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    free = free_spaces(s, seat)
    count = 0
    for row in range(max(top - 1, 0), min(bottom + 2, SIDE)):
        height = max(bottom, row) - min(top, row) + 1
        for column in range(max(left - 1, 0), min(right + 2, SIDE)):
            width = max(right, column) - min(left, column) + 1
            space = row * SIDE + column
            legal = free >> space & int(can_span(s, width, height))
            mask[PLACE + space] = legal
            count += legal
    return count
