"""All legal moves at once, where random games seldom go; everywhere else `nevel.testing` compares them."""

import numpy as np

from nevel.games.misty import rules as misty
from tests.rules.positions import begin, legal_moves


def check(s):
    """What is marked, in a mask that has something else in it before, is what isn't refused."""
    for seat in range(s.seats):
        mask = np.full(misty.MOVES, 7, np.int8)
        assert misty.mark_moves(s, seat, mask) == mask.sum()
        assert np.flatnonzero(mask).tolist() == legal_moves(s, seat)


def test_windows_at_the_edge_of_the_frame():
    """Misty: windows that grow to a corner, where a space has fewer neighbours."""
    for corner in range(4):
        s = begin(misty, 2, seed=corner)
        s.phase = 1
        s.choice[0] = 1
        s.window[0] = 0
        row, column = 6 * (corner // 2), 6 * (corner % 2)
        for reach in range(3):
            at = abs(row - reach), abs(column - reach)
            s.window[0, at[0], at[1]] = 1
            s.top[0], s.bottom[0] = min(row, at[0]), max(row, at[0])
            s.left[0], s.right[0] = min(column, at[1]), max(column, at[1])
            check(s)
