"""How many ways a game can go on from fixed deals, to a fixed depth: exact numbers, as perft in chess.

A rule that lets one move too many or too few through changes them.
"""

import numpy as np
import pytest

import nevel
from nevel.engine import dispatch, tracing
from nevel.engine.legality import mark_legal
from nevel.game.registry import find

COUNTS = {
    ("what-the-fog", 2, 1): [3, 12, 54, 204, 810],
    ("what-the-fog", 5, 2): [3, 12, 84, 963],
    ("the-game", 1, 1): [32, 784, 15120],
    ("the-game", 3, 2): [3, 72, 1264],
    ("extreme", 1, 1): [32, 798, 16124],
    ("extreme", 2, 2): [2, 56, 1108],
    ("misty", 2, 1): [11, 60, 552, 2520],
    ("misty", 4, 2): [20, 298, 2940],
}


def ways(name: str, seats: int, seed: int, depth: int) -> list[int]:
    """The number of lines of 1, 2, … `depth` moves; hints are no moves here, or there would be no end of them."""
    vocabulary = find(name).vocabulary
    rules = vocabulary.rules
    states = dispatch.new_states(rules, depth + 1)
    states[0] = nevel.new(name, seats, seed=seed).state
    counts = [0] * depth
    no_trace = tracing.blank(0)
    mask = np.zeros(rules.MOVES, np.int64)
    hints = np.array([vocabulary.is_hint(move) for move in vocabulary.moves.all])

    def explore(level: int) -> None:
        s = states[level]
        waiting = int(rules.waiting(s))
        for seat in (seat for seat in range(seats) if waiting >> seat & 1):
            mark_legal(s, seat, mask)
            for move in np.flatnonzero((mask != 0) & ~hints).tolist():
                counts[level] += 1
                if level + 1 < depth:
                    states[level + 1] = states[level]
                    rules.apply(states[level + 1], seat, move, no_trace)
                    explore(level + 1)

    explore(0)
    return counts


@pytest.mark.parametrize(("name", "seats", "seed"), COUNTS)
def test_the_number_of_ways_to_go_on(name: str, seats: int, seed: int) -> None:
    expected = COUNTS[name, seats, seed]
    assert ways(name, seats, seed, len(expected)) == expected
