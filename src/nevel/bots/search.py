"""Monte Carlo search: plays plans out in imagined worlds, more often where the choice is close."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.evaluation import Budget, Choice, Evaluation
from nevel.bots.mind import Mind, Plans, errors_of
from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, TOTALS, WINS
from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge

#: Worlds between two looks at what may be dropped. Fixed, so that a number of play-outs decides all.
STRIDE = 8
#: Worlds every plan is given before any is dropped.
FAIR_TRIAL = 32
#: A plan is dropped when the best is ahead of it by this many standard errors. They are those of independent worlds;
#: since all plans are tried in the same ones, their difference is surer than that.
CLEARLY = 2.0

Progress = Callable[[float], None]


class Search:
    """A search in one position, by one mind."""

    def __init__(self, mind: Mind, knowledge: Knowledge, rng: NDArray[np.int64], is_thorough: bool) -> None:
        self.started = time.perf_counter()
        self.mind = mind
        self.knowledge = knowledge
        self.rng = rng
        self.is_thorough = is_thorough  # every legal move is looked at, none is dropped
        self.plans: Plans = mind.plans(knowledge, is_thorough)
        self.totals = np.zeros((len(self.plans.moves), TOTALS))
        self.live = np.ones(len(self.plans.moves), np.int64)

    def run(self, budget: Budget, stop: threading.Event | None = None, progress: Progress | None = None) -> Evaluation:
        """Think until the budget is spent, the choice is clear or `stop` is set. Releases the interpreter's lock."""
        scratch = dispatch.new_states(dispatch.rules_of(self.knowledge.state), self.mind.scratch)
        worlds = 0
        spent = 0.0
        next_few = STRIDE if budget.seconds is None else 1
        while spent < 1:
            began = time.perf_counter()
            self.mind.sample(scratch, self.knowledge, self.plans.moves, self.live, next_few, self.rng, self.totals)
            now = time.perf_counter()
            worlds += next_few
            spent = share_spent(budget, float(self.totals[:, PLAYOUTS].sum()), now - self.started)
            if budget.seconds is not None:
                # As many of the rest of the stride as fit into what is left of the time.
                fitting = int(next_few * (budget.seconds - (now - self.started)) / max(now - began, 1e-9))
                next_few = min(STRIDE - worlds % STRIDE, fitting)
                spent = spent if next_few > 0 else 1.0
            if progress:
                progress(min(spent, 1.0))
            if stop is not None and stop.is_set():
                break
            if not self.is_thorough and worlds >= FAIR_TRIAL and worlds % STRIDE == 0:
                self.drop_the_hopeless()
                if self.live.sum() == 1:
                    spent = 1.0
        return self.evaluation(is_complete=spent >= 1)

    def judged(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The utility of every plan and its standard error: from play-outs and the first estimate together."""
        means, errors = self.mind.utilities(self.totals)
        counts = self.totals[:, PLAYOUTS]
        known = counts > 0
        if not known.any():
            return self.plans.handicaps, errors
        share = counts / np.maximum(counts + self.mind.first_glance, 1)
        handicaps = self.plans.handicaps
        glance = float(np.average(means[known] - handicaps[known], weights=counts[known])) + handicaps
        return share * means + (1 - share) * glance, share * errors

    def drop_the_hopeless(self) -> None:
        utilities, errors = self.judged()
        best = int(np.argmax(np.where(self.live > 0, utilities, -np.inf)))
        margins = CLEARLY * np.hypot(errors, errors[best])
        self.live &= (utilities >= utilities[best] - margins).astype(np.int64)

    def best_plans(self) -> dict[int, int]:
        """The best plan that may begin with each move, by its row; the best move first."""
        utilities, _ = self.judged()
        order = np.lexsort((self.plans.moves[:, 0], -utilities, -self.live))
        by_move: dict[int, int] = {}
        for row in order.tolist():
            for move in self.plans.first_moves(row):
                by_move.setdefault(move, row)
        return by_move

    def evaluation(self, is_complete: bool) -> Evaluation:
        """A move is worth as much as the best plan that may begin with it."""
        choices = tuple(choice_of(move, self.totals[row]) for move, row in self.best_plans().items())
        return Evaluation(choices, int(self.totals[:, PLAYOUTS].sum()), is_complete)


def choice_of(move: int, totals: NDArray[np.float64]) -> Choice:
    """A move as a row of totals shows it."""
    playouts, wins, squares, points = (totals[column] for column in (PLAYOUTS, WINS, SQUARES, POINTS))
    error = errors_of(playouts, wins, squares)
    count = max(float(playouts), 1.0)
    return Choice(move, float(wins) / count, float(error), float(points) / count, int(playouts))


def share_spent(budget: Budget, playouts: float, seconds: float) -> float:
    """How much of a budget is used up, from 0 to 1 and beyond."""
    shares: list[Any] = [0.0]
    if budget.playouts is not None:
        shares.append(playouts / max(budget.playouts, 1))
    if budget.seconds is not None:
        shares.append(seconds / max(budget.seconds, 1e-6))
    return max(shares)
