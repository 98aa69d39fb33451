"""The best activation of a Misty window, exactly.

The position depends only on the set of activated cards, so a search over sets (at most 2^12) sees every order.
"""

from nevel.engine.compiling import compiled, helper
from nevel.games.misty.rules.window import SIDE, can_move, movable, score

SETS = 1 << 12


@helper
def spaces_with_arrows(s, seat, spaces):
    """Write the spaces whose cards have an arrow into `spaces`; gives how many."""
    count = 0
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            kind = s.window[seat, row, column]
            if kind and s.arrow[kind - 1]:
                spaces[count] = row * SIDE + column
                count += 1
    return count


@compiled
def best_activation(s, seat, spaces, values):
    """The most points this window can still make, and the space to activate first (-1: none is left).

    `spaces` has room for 12, `values` for 2^12 int16; both are scratch.
    """
    count = spaces_with_arrows(s, seat, spaces)
    start = 0
    for i in range(count):
        if (s.activated[seat] >> spaces[i]) & 1:
            start |= 1 << i
    # A larger set is a larger number, so going down through the numbers every set's successors are known before it.
    for chosen in range((1 << count) - 1, start - 1, -1):
        if chosen & start != start:
            continue
        activated = 0
        for i in range(count):
            if (chosen >> i) & 1:
                activated |= 1 << spaces[i]
        best = -1
        for i in range(count):
            if not (chosen >> i) & 1 and can_move(s, seat, activated, spaces[i] // SIDE, spaces[i] % SIDE):
                best = max(best, values[chosen | 1 << i])
        values[chosen] = score(s, seat, activated) if best < 0 else best
    activated = s.activated[seat]
    if movable(s, seat, activated):
        for i in range(count):
            if (
                not (start >> i) & 1
                and can_move(s, seat, activated, spaces[i] // SIDE, spaces[i] % SIDE)
                and values[start | 1 << i] == values[start]
            ):
                return values[start], spaces[i]
    return values[start], -1
