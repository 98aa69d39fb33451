"""Predictions in What the Fog?!, and what was to be expected of them.

A prediction counts as it stands at the end of its round. What to expect of it is asked at the moment it was settled, of
what its seat knew then: hands that explain what the others did, and everyone giving up a card as the bots would.
"""

import numpy as np
from numpy.typing import NDArray

from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.game import Game
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.bots.evidence import evidence_pages
from nevel.games.what_the_fog.bots.likelihoods import count_claims
from nevel.games.what_the_fog.rules.table import DAYS, OVER, PREDICTING
from nevel.study.forecasts import Prediction
from nevel.study.mist import fixed_rng

#: How much others' moves are taken to tell: as much as the expert takes them to.
TRUST = 1.0
#: Worlds in which every prediction is tried.
WORLDS = 200


def predictions_of(game: Game, seat: int) -> list[Prediction]:
    """The predictions of one seat, one for every round that was counted."""
    knowledge = game.knowledge(seat)
    final = knowledge.state
    settled: dict[int, int] = {}  # the moment after the last prediction of every round
    for i in range(len(knowledge.moves)):
        before = knowledge.states[i]
        if before.phase == PREDICTING and knowledge.movers[i] == seat:
            settled[int(before.round_number)] = i + 1
    is_over = final.phase == OVER
    found = list[Prediction]()
    for number, at in settled.items():
        if number == final.round_number and not is_over:
            continue  # not counted yet
        predicted, claimed, points = (int(figure) for figure in final.sheet[seat, number - 1])
        now = knowledge.states[at]
        # Where nobody had a card left to give up, the days were counted at once.
        is_counted = now.round_number != number or now.phase == OVER
        shares = certainly(claimed) if is_counted else claims_to_expect(until(knowledge, at))
        expected = sum(share * points_for(predicted, claims, number) for claims, share in enumerate(shares))
        found.append(Prediction(number, at, predicted, claimed, points, shares[predicted], expected))
    return found


def until(knowledge: Knowledge, at: int) -> Knowledge:
    """What was known after `at` moves."""
    return Knowledge(knowledge.seat, knowledge.states[: at + 1], knowledge.movers[:at], knowledge.moves[:at])


def claims_to_expect(knowledge: Knowledge) -> list[float]:
    """How likely every number of days is that the seat will claim in this round."""
    counts: NDArray[np.float64] = np.zeros(DAYS + 1)
    scratch = dispatch.new_states(what_the_fog, 2)
    count_claims(scratch, knowledge, WORLDS, fixed_rng(), TRUST, evidence_pages(), counts)
    return [float(count) / WORLDS for count in counts]


def certainly(claimed: int) -> list[float]:
    """The same for days that were counted."""
    return [float(claims == claimed) for claims in range(DAYS + 1)]


def points_for(predicted: int, claimed: int, round_number: int) -> int:
    """FOG-X1 and FOG-X2."""
    return predicted + round_number if predicted == claimed else -abs(predicted - claimed)
