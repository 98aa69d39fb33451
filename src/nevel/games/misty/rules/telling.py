"""Events of Misty that only inform players and change nothing: not compiled in where there is no trace."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import helper
from nevel.engine.tracing import EVERYONE, note
from nevel.games.misty.rules.table import BLURRED, EATEN, HAND, MOVED
from nevel.games.misty.rules.window import FLOWER, MONSTER, SIDE, SPACES, destination, is_clear, kinds_of, stack


@helper
def tell_hands(s, trace):
    """Everyone looks at the hand they have now."""
    for seat in range(s.seats):
        for kind in range(kinds_of(s)):
            if s.hand[seat, kind]:
                note(trace, HAND, seat, seat, kind, s.hand[seat, kind])


@helper
def tell_window(s, seat, trace):
    """How a window came to what it scores (MI-A2 to MI-X1)."""
    for i in range(s.moves[seat]):
        space = s.order[seat, i]
        note(trace, MOVED, EVERYONE, seat, space, destination(s, seat, space // SIDE, space % SIDE))
    tell_eating(s, seat, trace)
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            if stack(s, seat, s.activated[seat], row, column) > 1:
                note(trace, BLURRED, EVERYONE, seat, row * SIDE + column, 0)


@helper
def tell_eating(s, seat, trace):
    """Which monster eats which flower, nearest first (MI-A6). It changes no score, so only those who watch need it."""
    eaten = 0  # spaces of monsters and flowers already paired, as bits
    while True:
        nearest = 2 * SIDE
        eater = -1
        flower = -1
        for a in range(SPACES):
            if (eaten >> a) & 1 or not is_clear(s, seat, s.activated[seat], a // SIDE, a % SIDE, MONSTER):
                continue
            for b in range(SPACES):
                if (eaten >> b) & 1 or not is_clear(s, seat, s.activated[seat], b // SIDE, b % SIDE, FLOWER):
                    continue
                distance = abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)
                if distance < nearest:
                    nearest = distance
                    eater = a
                    flower = b
        if eater < 0:
            return
        eaten |= (1 << eater) | (1 << flower)
        note(trace, EATEN, EVERYONE, seat, eater, flower)
