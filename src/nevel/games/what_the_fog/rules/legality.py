"""All legal moves of What the Fog?! at once."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled, helper
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    DISCARDING,
    LIFT,
    LIFTING,
    PARTS,
    PASS,
    PILES,
    PLACE,
    PLACING,
    PREDICTING,
    RAISE,
    RETURN,
    REVEAL,
    REVEALING,
    SWAP,
    SWAPPING,
    WEATHERS,
)


@compiled
def mark_moves(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal."""
    for move in range(mask.shape[0]):
        mask[move] = 0
    count = 0
    if s.phase <= SWAPPING:
        if s.active == seat:
            if s.phase == LIFTING:
                count = mark_piles(s, mask)
            elif s.phase == PLACING:
                count = mark_days(s, mask)
            else:
                count = mark_cards(s, seat, mask, SWAP)
    elif s.phase == PREDICTING:
        if s.predictor == seat:
            mask[RAISE] = 1
            mask[PASS] = 1
            count = 2
    elif s.chosen[seat] == 0:
        if s.phase == REVEALING:
            count = mark_cards(s, seat, mask, REVEAL)
        elif s.phase == DISCARDING:
            count = mark_cards(s, seat, mask, DISCARD)
    return count


@helper
def mark_piles(s, mask):
    count = 0
    for pile in range(PILES):
        mask[LIFT + pile] = s.pile_size[pile] > 0
        count += s.pile_size[pile] > 0
    are_equal = s.top[0] != 0 and s.top[0] == s.top[1] and s.top[0] == s.top[2]
    mask[RETURN] = are_equal
    return count + are_equal


@helper
def mark_days(s, mask):
    count = 0
    for day in range(s.days):
        mask[PLACE + day] = s.filled[day] < PARTS
        count += s.filled[day] < PARTS
    return count


@helper
def mark_cards(s, seat, mask, first):
    """Every weather of which the seat holds a hidden card."""
    count = 0
    for weather in range(WEATHERS):
        mask[first + weather] = s.hand[seat, weather] > 0
        count += s.hand[seat, weather] > 0
    return count
