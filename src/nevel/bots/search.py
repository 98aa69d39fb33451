"""Thinking: play-outs over what a mind considers, more of them where the choice is close."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.evaluation import Budget, Choice, Evaluation
from nevel.bots.mind import PLAYOUTS, POINTS, SQUARES, TOTALS, WINS, Mind
from nevel.rules import any_game
from nevel.rules.knowledge import Knowledge

#: Worlds between two looks at the clock and at what may be dropped. Fixed, so that a number of play-outs decides all.
STRIDE = 8
#: Worlds every plan is given before any is dropped.
FAIR_TRIAL = 32
#: A plan is dropped when the best is ahead of it by this many standard errors.
CLEARLY = 2.5

Progress = Callable[[float], None]


class Search:
    """One position thought about by one mind."""

    def __init__(self, mind: Mind, knowledge: Knowledge, lanes: NDArray[np.int64], is_thorough: bool) -> None:
        self.mind = mind
        self.knowledge = knowledge
        self.lanes = lanes
        self.is_thorough = is_thorough  # every legal move is looked at, none is dropped
        self.plans = mind.plans(knowledge, is_thorough)
        self.totals = np.zeros((len(self.plans), TOTALS))
        self.live = np.ones(len(self.plans), np.int64)

    def run(
        self, budget: Budget, stop: threading.Event | None = None, progress: Progress | None = None
    ) -> Evaluation:
        """Think until the budget is spent, the choice is clear or `stop` is set. Releases the interpreter's lock."""
        scratch = any_game.new_states(any_game.game_of(self.knowledge.state), self.mind.scratch)
        started = time.perf_counter()
        worlds = 0
        spent = 0.0
        while spent < 1:
            self.mind.sample(scratch, self.knowledge, self.plans, self.live, STRIDE, self.lanes, self.totals)
            worlds += STRIDE
            spent = share_spent(budget, float(self.totals[:, PLAYOUTS].sum()), time.perf_counter() - started)
            if progress:
                progress(min(spent, 1.0))
            if stop is not None and stop.is_set():
                break
            if not self.is_thorough and worlds >= FAIR_TRIAL:
                self.drop_the_hopeless()
                if self.live.sum() == 1:
                    spent = 1.0
        return self.evaluation(is_complete=spent >= 1)

    def utilities(self) -> NDArray[np.float64]:
        """What moves are chosen by: the chance to win, and points to tell apart what wins equally often."""
        counts = np.maximum(self.totals[:, PLAYOUTS], 1)
        return (self.totals[:, WINS] + self.mind.worth_of_point * self.totals[:, POINTS]) / counts

    def errors(self) -> NDArray[np.float64]:
        """Standard errors of the chances; one success and one failure more keep few play-outs from looking sure."""
        counts = self.totals[:, PLAYOUTS]
        mean = (self.totals[:, WINS] + 1) / (counts + 2)
        square = (self.totals[:, SQUARES] + 1) / (counts + 2)
        return np.sqrt(np.maximum(square - mean * mean, 1e-9) / np.maximum(counts, 1))

    def drop_the_hopeless(self) -> None:
        utilities, errors = self.utilities(), self.errors()
        best = int(np.argmax(np.where(self.live > 0, utilities, -np.inf)))
        margins = CLEARLY * np.hypot(errors, errors[best])
        self.live &= (utilities >= utilities[best] - margins).astype(np.int64)

    def evaluation(self, is_complete: bool) -> Evaluation:
        """A move is worth as much as the best plan that begins with it."""
        utilities, errors = self.utilities(), self.errors()
        order = np.lexsort((self.plans[:, 0], -utilities, -self.live))
        counts = np.maximum(self.totals[:, PLAYOUTS], 1)
        means = self.totals[:, WINS] / counts
        points = self.totals[:, POINTS] / counts
        by_move: dict[int, Choice] = {}
        for i in order:
            move = int(self.plans[i, 0])
            if move not in by_move:
                by_move[move] = Choice(
                    move, float(means[i]), float(errors[i]), float(points[i]), int(self.totals[i, PLAYOUTS])
                )
        return Evaluation(tuple(by_move.values()), int(self.totals[:, PLAYOUTS].sum()), is_complete)


def share_spent(budget: Budget, playouts: float, seconds: float) -> float:
    """How much of a budget is used up, from 0 to 1 and beyond."""
    shares: list[Any] = [0.0]
    if budget.playouts is not None:
        shares.append(playouts / max(budget.playouts, 1))
    if budget.seconds is not None:
        shares.append(seconds / max(budget.seconds, 1e-6))
    return max(shares)
