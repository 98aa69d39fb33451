"""A search keeps to its budget."""

import time
from typing import Any

import numpy as np

import nevel
from nevel.bots.evaluation import Budget
from nevel.bots.mind import Mind
from nevel.bots.playing_out import PLAYOUTS
from nevel.bots.policy import STRONG
from nevel.bots.search import STRIDE, Search
from nevel.engine import chance


class SlowMind(Mind):
    """Takes so many seconds for every world, and counts them."""

    def __init__(self, slowness: float) -> None:
        super().__init__(STRONG)
        self.slowness = slowness
        self.worlds: list[int] = []

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        self.worlds.append(worlds)
        time.sleep(self.slowness * worlds)
        totals[:, PLAYOUTS] += worlds


def worlds_of(budget: Budget, slowness: float) -> list[int]:
    """How many worlds are looked at between looks at the clock."""
    mind = SlowMind(slowness)
    knowledge = nevel.new("misty", seats=2, seed=1).knowledge(0)
    evaluation = Search(mind, knowledge, np.arange(1, 1 + chance.RNG_WORDS), is_thorough=True).run(budget)
    assert evaluation.is_complete
    return mind.worlds


def test_no_more_worlds_are_imagined_than_there_is_time_for() -> None:
    assert 1 <= sum(worlds_of(Budget(seconds=0.25), 0.1)) <= 2


def test_a_world_that_takes_longer_than_there_is_time_is_the_only_one() -> None:
    assert worlds_of(Budget(seconds=0.01), 0.1) == [1]


def test_quick_worlds_are_imagined_a_stride_at_once() -> None:
    first, rest, *others = worlds_of(Budget(seconds=0.2), 0.001)
    assert (first, rest) == (1, STRIDE - 1)
    assert STRIDE in others


def test_a_number_of_playouts_decides_all() -> None:
    legal = len(nevel.new("misty", seats=2, seed=1).legal_moves(0))
    assert worlds_of(Budget(playouts=3 * STRIDE * legal), 0.01) == [STRIDE] * 3
