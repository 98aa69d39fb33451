"""Evaluates an unfinished Misty window: the points to expect once it is full (compiled).

The worth is a sum of learnt weights, one for every small pattern in sight: squares of two by two and lines of three
spaces, with a ring of spaces around the window that are still open to it or out of reach; the shape so far; how many
flowers and monsters there are. `tuning/misty.py` learns the weights from games between players who go by them.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.chance import below
from nevel.engine.compiling import helper
from nevel.games.misty import rules as misty
from nevel.games.misty.bots.activation import best_score, card_on
from nevel.games.misty.rules.table import CARDS
from nevel.games.misty.rules.window import FLOWER, MONSTER, SIDE, SMILE, kinds_of

# What a space looks like: empty within the window, an arrow (1 to 4 as in the rules), …
EMPTY, PLAIN, SMILING, FLOWERING, MONSTROUS, BEYOND, OPEN = 0, 5, 6, 7, 8, 9, 10
LOOKS = 11

#: Patterns mean something else when much is still to come, and in the beginners' variant: which weights are used by
#: variant and spaces left.
STAGES = 9
STAGE_OF = np.array(((0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5), (6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8)), np.int64)

# Weights, one block after the other.
SQUARES = LOOKS**4
LINES = LOOKS**3
PER_STAGE = SQUARES + 2 * LINES
BEASTS = STAGES * PER_STAGE  # beginners' variant or not, spaces left, flowers, monsters
SHAPES = BEASTS + 2 * (CARDS + 1) * 16  # … width, height
WEIGHTS = SHAPES + 2 * (CARDS + 1) * 16

#: Room for all patterns of a window.
PATTERNS = 64


# ---------------------------------------------------------------- windows


@helper
def look_of(s, kind):
    """How a card looks to whoever judges a window."""
    if s.arrow[kind]:
        return s.arrow[kind]
    if kind == SMILE:
        return SMILING
    if kind == FLOWER:
        return FLOWERING
    return MONSTROUS if kind == MONSTER else PLAIN


@helper
def capacity(s):
    """How many cards fill a window."""
    return 9 if s.beginners else CARDS


@helper
def worth(s, seat, space, kind, weights, patterns):
    """The points to expect of the seat's window if `kind` is laid on `space` (-1: as it is).

    `patterns`, unless None, gets their number and the weights that were added up.
    """
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    laid = s.laid[seat]
    if space >= 0:
        top, bottom = min(top, space // SIDE), max(bottom, space // SIDE)
        left, right = min(left, space % SIDE), max(right, space % SIDE)
        laid += 1
    width, height = right - left + 1, bottom - top + 1
    wider = OPEN if misty.can_span(s, width + 1, height) else BEYOND
    higher = OPEN if misty.can_span(s, width, height + 1) else BEYOND
    both = OPEN if misty.can_span(s, width + 1, height + 1) else BEYOND
    spaces_left = capacity(s) - laid
    stage = STAGE_OF[s.beginners, spaces_left] * PER_STAGE
    total = 0.0
    count = 0
    flowers = 0
    monsters = 0
    # Rows as numbers, four bits a space, the ring included: the one before the one above, the one above, this one.
    edge = both | both << 4 * (width + 1)
    above = 0
    row_now = edge
    for column in range(width):
        row_now |= higher << 4 * (column + 1)
    ring = row_now
    for row in range(top, bottom + 2):
        before, above = above, row_now
        if row > bottom:
            row_now = ring
        else:
            row_now = wider | wider << 4 * (width + 1)
            for column in range(left, right + 1):
                card = card_on(s, seat, row, column, space, kind)
                if card:
                    look = look_of(s, card - 1)
                    row_now |= look << 4 * (column - left + 1)
                    flowers += look == FLOWERING
                    monsters += look == MONSTROUS
        for column in range(width + 1):
            corner = above >> 4 * column
            under = row_now >> 4 * column
            square = (corner & 15) * 1331 + (corner >> 4 & 15) * 121 + (under & 15) * 11 + (under >> 4 & 15)
            total += weights[stage + square]
            if patterns is not None:
                count += 1
                patterns[count] = stage + square
        if row > top:
            for column in range(width):
                line = above >> 4 * column
                level = (line & 15) * 121 + (line >> 4 & 15) * 11 + (line >> 8 & 15)
                shift = 4 * (column + 1)
                upright = (before >> shift & 15) * 121 + (line >> 4 & 15) * 11 + (row_now >> shift & 15)
                total += weights[stage + SQUARES + level] + weights[stage + SQUARES + LINES + upright]
                if patterns is not None:
                    patterns[count + 1] = stage + SQUARES + level
                    patterns[count + 2] = stage + SQUARES + LINES + upright
                    count += 2
    variant = (s.beginners * (CARDS + 1) + spaces_left) * 16
    beasts = BEASTS + variant + 4 * min(flowers, 3) + min(monsters, 3)
    shape = SHAPES + variant + 4 * (width - 1) + height - 1
    if patterns is not None:
        patterns[count + 1] = beasts
        patterns[count + 2] = shape
        patterns[0] = count + 2
    return total + weights[beasts] + weights[shape]


@helper
def prospect(s, seat, space, kind, weights):
    """The points to expect with this card there: exactly when it is the last."""
    if s.laid[seat] + 1 == capacity(s):
        return float(best_score(s, seat, 0, space, kind))
    return worth(s, seat, space, kind, weights, None)


@helper
def best_space_for(s, seat, kind, weights):
    """Where a card is worth most, and how much."""
    best = -1
    most = -1000.0
    if s.laid[seat] == 0:
        best = SIDE * SIDE // 2
        return best, prospect(s, seat, best, kind, weights)
    for row in range(max(s.bottom[seat] - 3, s.top[seat] - 1, 0), min(s.top[seat] + 4, s.bottom[seat] + 2, SIDE)):
        for column in range(
            max(s.right[seat] - 3, s.left[seat] - 1, 0), min(s.left[seat] + 4, s.right[seat] + 2, SIDE)
        ):
            space = row * SIDE + column
            if misty.space_refusal(s, seat, space) == 0:
                points = prospect(s, seat, space, kind, weights)
                if points > most:
                    most = points
                    best = space
    return best, most


@helper
def best_pick(s, seat, weights, wavering, rng):
    """The card of the hand worth most, where to lay it, and how many points to expect.

    `wavering` is how many points a card may seem better or worse than it is, at random, from `rng`.
    """
    best, best_space = -1, -1
    most = -1000.0
    points_of_best = 0.0
    looks = 0
    for kind in range(kinds_of(s)):
        if s.hand[seat, kind]:
            look = look_of(s, kind)
            if looks >> look & 1:
                continue  # the same arrow under another picture
            looks |= 1 << look
            space, points = best_space_for(s, seat, kind, weights)
            seeming = points
            if wavering > 0:
                seeming += wavering * (below(rng, 2001) - 1000) / 1000
            if seeming > most:
                most = seeming
                points_of_best = points
                best, best_space = kind, space
    return best, best_space, points_of_best
