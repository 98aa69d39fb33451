"""Crafted windows of Misty, and activating them."""

from nevel.games.misty.rules.table import ACTIVATING, MOVE
from tests.rules.positions import CORNER, act, space, windows


def cell_of(number):
    return number // 7 - CORNER, number % 7 - CORNER


def alone(picture, is_small=True):
    """A window to activate beside one without arrows, which is done already."""
    return windows(picture, "ooo ooo ooo" if is_small else "oooo oooo oooo", is_small=is_small)


def activate(s, seat, *cells):
    """Activate the cards built on these spaces; gives all events."""
    events = []
    for cell in cells:
        events += act(s, seat, MOVE + space(*cell))
    return events


def final_score(picture, *cells, is_small=True):
    """The score of a window activated in this order; one without arrows waits for another to be done."""
    if cells:
        s = alone(picture, is_small)
        activate(s, 0, *cells)
    else:
        s = windows(picture, "^oo ooo ooo", is_small=is_small)
        activate(s, 1, (0, 0))
    assert s.phase != ACTIVATING
    return int(s.score[0])
