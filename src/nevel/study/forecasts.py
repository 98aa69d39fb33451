"""Statistics of players' predictions: how often they came true, and how often was to be expected.

A prediction counts as it stands at the end of its round. What to expect of it is asked at the moment it was settled, of
what its seat knew then.
"""

from collections.abc import Iterable, Sequence

import msgspec

from nevel.game.game import Game
from nevel.game.registry import all_games
from nevel.languages import SpokenError, mark
from nevel.study.parts import parts_of


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


class PredictionTotals(msgspec.Struct, frozen=True):
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
    all: PredictionTotals
    by_prediction: dict[int, PredictionTotals]


def predictions_of(game: Game, seat: int) -> list[Prediction]:
    """The predictions of one seat, one for every round that was counted."""
    predictions = parts_of(game.spec).predictions
    if predictions is None:
        known = ", ".join(spec.title for spec in all_games().values() if parts_of(spec).predictions)
        message = mark("There are predictions in {known}, not in {game}.")
        raise SpokenError(message, known=known, game=game.spec.title)
    return predictions(game, seat)


def add_up(games: Iterable[Sequence[Prediction]]) -> Record:
    """The record of somebody's predictions, game by game."""
    by_game = list(games)
    every = [prediction for game in by_game for prediction in game]
    numbers = sorted({prediction.predicted for prediction in every})
    by_prediction = {number: tally(one for one in every if one.predicted == number) for number in numbers}
    return Record(len(by_game), tally(every), by_prediction)


def tally(predictions: Iterable[Prediction]) -> PredictionTotals:
    some = list(predictions)
    return PredictionTotals(
        len(some),
        sum(one.is_hit for one in some),
        sum(one.chance for one in some),
        sum(one.points for one in some),
        sum(one.expected for one in some),
    )
