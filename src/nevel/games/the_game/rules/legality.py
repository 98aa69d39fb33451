"""All legal moves of The Game at once, without asking about every card there is."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled, inlined
from nevel.games.the_game.rules.table import CHOOSING, END_TURN, LOWEST, PILE_HINTS, PILES, PLAYING, START
from nevel.games.the_game.rules.talk import hint_refusal


@compiled
def mark_moves(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal.

    Moves the mask has no room for are left out: one that ends before the hints has none of them.
    """
    for move in range(mask.shape[0]):
        mask[move] = 0
    count = 0
    if s.phase == CHOOSING:
        mask[START] = 1
        count = 1
    elif s.phase == PLAYING and s.active == seat:
        count = mark_cards(s, seat, mask)
        mask[END_TURN] = s.played >= s.need
        count += s.played >= s.need
    for move in range(PILE_HINTS, mask.shape[0]):
        mask[move] = hint_refusal(s, seat, move) == 0
        count += mask[move]
    return count


@inlined
def mark_cards(s, seat, mask):
    """What `fits` says of every card in hand and every pile, written without branches: no processor can guess them."""
    count = 0
    up1, up2, down1, down2 = s.tops[0], s.tops[1], s.tops[2], s.tops[3]
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        move = (card - LOWEST) * PILES
        on_up1 = int(card > up1) | int(card == up1 - 10)
        on_up2 = int(card > up2) | int(card == up2 - 10)
        on_down1 = int(card < down1) | int(card == down1 + 10)
        on_down2 = int(card < down2) | int(card == down2 + 10)
        mask[move] = on_up1
        mask[move + 1] = on_up2
        mask[move + 2] = on_down1
        mask[move + 3] = on_down2
        count += on_up1 + on_up2 + on_down1 + on_down2
    return count
