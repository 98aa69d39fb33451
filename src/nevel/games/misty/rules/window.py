"""One Misty window after it is built: which cards can move, what covers what, what it scores.

Since a card only ever moves one space, the position follows from which cards have been activated: `activated` is that
set, a bit a space. Nothing else has to be kept (MI-A2 to MI-A5).
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.compiling import helper

SIDE = 7  # the first card lies in the middle of a frame in which a window can grow any way
SPACES = SIDE * SIDE

NO_ARROW, UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3, 4
STEP = np.array((0, -SIDE, SIDE, -1, 1), np.int64)

SMILE, FLOWER, MONSTER = 11, 12, 13
#: Drawings, as the box counts them. All but the last three may exist with the opposite arrow, too: turned cards are
#: kinds of their own after all others, in the same order.
DRAWINGS = 14
TURNED = SMILE
KINDS = DRAWINGS + TURNED


@helper
def kinds_of(s):
    """How many kinds there may be cards of: few boxes have turned ones."""
    return DRAWINGS + s.turned


@helper
def arrow_at(s, seat, row, column):
    """The arrow of the card lying there when the window was built; none for a plain card or no card."""
    kind = s.window[seat, row, column]
    return s.arrow[kind - 1] if kind else NO_ARROW


@helper
def is_activated(activated, row, column):
    return (activated >> (row * SIDE + column)) & 1


@helper
def arrivals(s, seat, activated, row, column):
    """How many cards have moved onto this space."""
    count = 0
    if row < SIDE - 1 and is_activated(activated, row + 1, column) and arrow_at(s, seat, row + 1, column) == UP:
        count += 1
    if row > 0 and is_activated(activated, row - 1, column) and arrow_at(s, seat, row - 1, column) == DOWN:
        count += 1
    if column < SIDE - 1 and is_activated(activated, row, column + 1) and arrow_at(s, seat, row, column + 1) == LEFT:
        count += 1
    if column > 0 and is_activated(activated, row, column - 1) and arrow_at(s, seat, row, column - 1) == RIGHT:
        count += 1
    return count


@helper
def can_move(s, seat, activated, row, column):
    """Whether the card built here can still be activated (MI-A2, MI-A3)."""
    return (
        arrow_at(s, seat, row, column) != NO_ARROW
        and not is_activated(activated, row, column)
        and arrivals(s, seat, activated, row, column) == 0
    )


@helper
def destination(s, seat, row, column):
    """The space the arrow here leads to, or -1 if it leads out of the window (MI-A4)."""
    arrow = arrow_at(s, seat, row, column)
    if arrow == UP:
        row -= 1
    elif arrow == DOWN:
        row += 1
    elif arrow == LEFT:
        column -= 1
    elif arrow == RIGHT:
        column += 1
    if row < s.top[seat] or row > s.bottom[seat] or column < s.left[seat] or column > s.right[seat]:
        return -1
    return row * SIDE + column


@helper
def movable(s, seat, activated):
    """The spaces whose cards can still be activated, as bits: what `can_move` says of each, at once."""
    arrows = 0
    covered = 0  # with a row in front, for cards that leave the frame upwards
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            arrow = arrow_at(s, seat, row, column)
            space = row * SIDE + column
            arrows |= (arrow != NO_ARROW) << space
            covered |= (activated >> space & 1) << (space + SIDE + STEP[arrow])
    return arrows & ~activated & ~(covered >> SIDE)


@helper
def stack(s, seat, activated, row, column):
    """How many cards lie on a space."""
    stays = s.window[seat, row, column] != 0 and not is_activated(activated, row, column)
    return stays + arrivals(s, seat, activated, row, column)


@helper
def is_clear(s, seat, activated, row, column, kind):
    """Whether a card of this kind (one without arrow) lies here uncovered."""
    return s.window[seat, row, column] == kind + 1 and arrivals(s, seat, activated, row, column) == 0


@helper
def score(s, seat, activated):
    """The points of a window whose activation is done (MI-A6, MI-A7, MI-X1 to MI-X3)."""
    # Spaces onto which cards have moved, and those onto which several have: what `arrivals` says of each, at once.
    once = 0  # with a row in front, for cards that leave the frame upwards
    several = 0
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            space = row * SIDE + column
            target = (activated >> space & 1) << (space + SIDE + STEP[arrow_at(s, seat, row, column)])
            several |= once & target
            once |= target
    points = 0
    flowers = 0
    monsters = 0
    for row in range(s.top[seat], s.bottom[seat] + 1):
        smiles = 0
        for column in range(s.left[seat], s.right[seat] + 1):
            kind = s.window[seat, row, column] - 1
            space = row * SIDE + column
            covering = (once >> space + SIDE & 1) + (several >> space + SIDE & 1)
            stays = kind >= 0 and not is_activated(activated, row, column)
            points += stays + covering == 1
            is_seen = covering == 0
            flowers += is_seen and kind == FLOWER
            monsters += is_seen and kind == MONSTER
            smiles = smiles + 1 if is_seen and kind == SMILE else 0
            points += smiles > 0 and smiles % 2 == 0
    # An eaten flower loses its two points, one of them counted above; its monster keeps its own.
    eaten = min(flowers, monsters)
    return points + flowers - 2 * eaten
