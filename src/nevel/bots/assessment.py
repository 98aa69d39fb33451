"""Assesses a move that was played: what it cost beside the best one.

Among many options the one that looks best was also lucky in the imagined worlds it was tried in. So the best is chosen
in some worlds, and the difference to what was played is measured in others, the same for both.
"""

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.bots.evaluation import Budget, Choice, Evaluation
from nevel.bots.mind import PLAY_ON, Mind
from nevel.bots.playing_out import PLAYOUTS, POINTS, TOTALS, WINS
from nevel.bots.search import Search, choice_of
from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.registry import by_rules

#: A difference counts when it is more than this many of its standard errors; else luck in imagining may explain it.
SURELY = 2.0
#: Pieces a measurement is made in, at least: how they differ tells how sure it is.
PIECES = 16
#: Worlds between two looks at whether to stop.
MOST_AT_ONCE = 16


class MoveAssessment(NamedTuple):
    """What a move was worth, and what it cost beside the best."""

    #: Every option; what was played and the best as measured, the others as they looked.
    choices: tuple[Choice, ...]
    best: Choice
    played: Choice
    #: What was played lost so much beside the best, in chance and points; 0 where that can't be told from nothing.
    cost: float
    points_cost: float


def is_cooperative(s: np.record) -> bool:
    """Whether all win or lose together in the game of this record."""
    return by_rules(dispatch.rules_of(s)).is_cooperative


def counts_cards_left(s: np.record) -> bool:
    """Whether the points of the game of this record are cards left: none, for those who win."""
    return by_rules(dispatch.rules_of(s)).counts_cards_left


def assess(
    mind: Mind,
    knowledge: Knowledge,
    played: int,
    rng: Sequence[NDArray[np.int64]],
    playouts: int,
    stop: threading.Event | None = None,
) -> MoveAssessment:
    """Compare all options with twice `playouts`, then the best and the played one with `playouts` each."""
    search = Search(mind, knowledge, rng[0], is_thorough=True)
    evaluation = search.run(Budget(2 * playouts), stop)
    certain = mind.certain(knowledge, [choice.move for choice in evaluation.choices])
    if certain is not None:
        return exact_assessment(evaluation, certain, played, counts_cards_left(knowledge.state))
    rows = search.best_plans()
    best = evaluation.best.move
    pair = search.plans.moves[[rows[best], rows[played]]]
    if rows[best] == rows[played]:
        pair = pair[:1]
    pieces = measure(mind, knowledge, pair, rng[1], playouts * len(pair), stop)
    totals = pieces.sum(axis=0)
    measured = {best: choice_of(best, totals[0]), played: choice_of(played, totals[-1])}
    cost, points_cost = cost_of(pieces, totals)
    choices = tuple(measured.get(choice.move, choice) for choice in evaluation.choices)
    return MoveAssessment(choices, measured[best], measured[played], cost, points_cost)


def cost_of(pieces: NDArray[np.float64], totals: NDArray[np.float64]) -> tuple[float, float]:
    """How far the second plan stayed behind the first, in chance and in points; 0 unless it surely did."""
    costs: list[float] = []
    for column in (WINS, POINTS):
        means = pieces[:, :, column] / np.maximum(pieces[:, :, PLAYOUTS], 1)
        differences = means[:, 0] - means[:, -1]
        error = float(differences.std(ddof=1)) / len(differences) ** 0.5 if len(differences) > 1 else np.inf
        behind = float((totals[0, column] - totals[-1, column]) / max(totals[0, PLAYOUTS], 1))
        costs.append(behind if behind > SURELY * error else 0.0)
    return costs[0], costs[1]


def exact_assessment(
    evaluation: Evaluation, certain: Sequence[float], played: int, counts_cards: bool
) -> MoveAssessment:
    """The assessment where every option's result is known exactly. Who surely wins leaves no card."""
    choices = [
        choice._replace(value=value, error=0.0, points=0.0 if counts_cards and value == 1 else choice.points)
        for choice, value in zip(evaluation.choices, certain, strict=True)
    ]
    best = max(choices, key=lambda choice: (choice.value, choice.points))
    chosen = next(choice for choice in choices if choice.move == played)
    cost, points_cost = best.value - chosen.value, max(best.points - chosen.points, 0.0)
    return MoveAssessment(tuple(choices), best, chosen, cost, points_cost)


def expect(
    mind: Mind,
    knowledge: Knowledge,
    rng: NDArray[np.int64],
    playouts: int,
    stop: threading.Event | None = None,
) -> Choice:
    """The chance to win and the points a seat can expect, asked or not; the result once the game is over."""
    result = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
    if dispatch.outcome(knowledge.state, result):
        return Choice(-1, share_of_victory(knowledge.state, knowledge.seat), 0.0, float(result[knowledge.seat, 0]), 0)
    certain = mind.certain(knowledge, [-1])
    pieces = measure(mind, knowledge, PLAY_ON.moves, rng, 1 if certain else playouts, stop)
    found = choice_of(-1, pieces.sum(axis=0)[0])
    return found if certain is None else found._replace(value=certain[0], error=0.0)


def measure(
    mind: Mind,
    knowledge: Knowledge,
    plans: NDArray[np.int64],
    rng: NDArray[np.int64],
    playouts: int,
    stop: threading.Event | None,
) -> NDArray[np.float64]:
    """Play plans out until there are `playouts` in all; gives the totals of every plan, batch by batch."""
    scratch = dispatch.new_states(dispatch.rules_of(knowledge.state), mind.scratch)
    live = np.ones(len(plans), np.int64)
    # Some minds play eight times as many worlds as asked for.
    worlds = min(max(playouts // (len(plans) * PIECES * 8), 1), MOST_AT_ONCE)
    pieces: list[NDArray[np.float64]] = []
    spent = 0.0
    while spent < playouts and not (pieces and stop is not None and stop.is_set()):
        totals = np.zeros((len(plans), TOTALS))
        mind.sample(scratch, knowledge, plans, live, worlds, rng, totals)
        pieces.append(totals)
        spent += float(totals[:, PLAYOUTS].sum())
    return np.array(pieces)


def share_of_victory(s: np.record, seat: int) -> float:
    """A finished game as a number from 0 to 1: a victory is shared by those who are level, unless all win together."""
    result = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
    dispatch.outcome(s, result)
    winners = 1 if is_cooperative(s) else int(result[:, 1].sum())
    return float(result[seat, 1]) / max(winners, 1)
