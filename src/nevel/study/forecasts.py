"""A forecaster's record: how good somebody's predictions were in What the Fog?!, and how good was to be expected.

A prediction counts as it stands at the end of its round. What to expect of it is asked at the moment it was settled, of
what its seat knew then: hands that explain what the others did, and everyone giving up a card as the bots would.
"""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.bots.what_the_fog_evidence import blank_pages
from nevel.bots.what_the_fog_likelihoods import count_claims
from nevel.games.game import Game
from nevel.languages import SpokenError, mark
from nevel.rules import any_game, what_the_fog
from nevel.rules.knowledge import Knowledge
from nevel.rules.what_the_fog_table import DAYS, OVER, PREDICTING
from nevel.study.mist import TRUST, lanes

#: Worlds in which every prediction is tried.
WORLDS = 200


class Prediction(msgspec.Struct, frozen=True):
    """What somebody predicted for a round, and what came of it."""

    round: int
    #: How many moves had been made when it was settled: the moment of the replay right after it.
    at: int
    predicted: int
    claimed: int
    points: int
    #: The chance to claim as many days, and the points to expect, when it was settled.
    chance: float
    expected: float

    @property
    def is_hit(self) -> bool:
        return self.predicted == self.claimed


class Tally(msgspec.Struct, frozen=True):
    """Predictions added up."""

    made: int
    hits: int
    #: As many hits as were to be expected.
    expected_hits: float
    points: int
    expected_points: float


class Record(msgspec.Struct, frozen=True):
    """Somebody's predictions over some games: all of them, and by the number of days predicted."""

    games: int
    all: Tally
    by_prediction: dict[int, Tally]


def predictions_of(game: Game, seat: int) -> list[Prediction]:
    """The predictions of one seat, one for every round that was counted."""
    if game.vocabulary.rules is not what_the_fog:
        raise SpokenError(mark("Predictions are made in What the Fog?!, not in {game}."), game=game.vocabulary.title)
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
        shares = claims_to_expect(until(knowledge, at))
        expected = sum(share * points_for(predicted, claims, number) for claims, share in enumerate(shares))
        found.append(Prediction(number, at, predicted, claimed, points, shares[predicted], expected))
    return found


def until(knowledge: Knowledge, at: int) -> Knowledge:
    """What was known after `at` moves."""
    return Knowledge(knowledge.seat, knowledge.states[: at + 1], knowledge.movers[:at], knowledge.moves[:at])


def claims_to_expect(knowledge: Knowledge) -> list[float]:
    """How likely every number of days is that the seat will claim in this round."""
    counts: NDArray[np.float64] = np.zeros(DAYS + 1)
    scratch = any_game.new_states(what_the_fog, 2)
    count_claims(scratch, *knowledge[1:], knowledge.seat, WORLDS, lanes(), TRUST, *blank_pages(), counts)
    return [float(count) / WORLDS for count in counts]


def points_for(predicted: int, claimed: int, round_number: int) -> int:
    """FOG-X1 and FOG-X2."""
    return predicted + round_number if predicted == claimed else -abs(predicted - claimed)


def add_up(games: Iterable[Sequence[Prediction]]) -> Record:
    """The record of somebody's predictions, game by game."""
    by_game = list(games)
    every = [prediction for game in by_game for prediction in game]
    numbers = sorted({prediction.predicted for prediction in every})
    by_prediction = {number: tally(one for one in every if one.predicted == number) for number in numbers}
    return Record(len(by_game), tally(every), by_prediction)


def tally(predictions: Iterable[Prediction]) -> Tally:
    some = list(predictions)
    return Tally(
        len(some),
        sum(one.is_hit for one in some),
        sum(one.chance for one in some),
        sum(one.points for one in some),
        sum(one.expected for one in some),
    )
