"""A forecaster's record says what was predicted, what came of it, and what was to be expected."""

import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine.tracing import EVERYONE
from nevel.games.what_the_fog.events import Scored
from nevel.games.what_the_fog.forecasts import claims_to_expect, until
from nevel.games.what_the_fog.rules.table import PARTS
from nevel.languages import SpokenError
from nevel.study.forecasts import add_up, predictions_of
from tests.rules.all_revealed import last_predictions, revealing_game


def played(seed: int, seats: int = 3, rounds: int = 4) -> nevel.Game:
    """A game between quick bots, or its first rounds."""
    game = nevel.new("what-the-fog", seats=seats, seed=seed)
    bot = Bot("strong", seed, Budget(playouts=1))
    while not game.is_over and game.state.round_number <= rounds:
        for seat in game.waiting_for:
            number = bot.move(game.knowledge(seat))
            assert number is not None
            game.play(seat, game.vocabulary.moves[number])
    return game


@pytest.fixture(scope="module")
def games() -> list[nevel.Game]:
    return [played(seed) for seed in range(6)]


def scores(game: nevel.Game, seat: int) -> list[Scored]:
    """What was told of a seat's scores."""
    told = [event for entry in game.log for audience, event in entry.events if audience == EVERYONE]
    return [event for event in told if isinstance(event, Scored) and event.seat == seat]


def test_what_was_predicted_is_what_was_told(games: list[nevel.Game]) -> None:
    for game in games:
        for seat in range(game.seats):
            found = predictions_of(game, seat)
            assert [(one.round, one.predicted, one.claimed, one.points) for one in found] == [
                (event.round, event.predicted, event.claimed, event.score) for event in scores(game, seat)
            ]
            for one in found:
                assert game.log[one.at - 1].seat == seat
                assert game.log[one.at - 1].move.text in ("raise", "pass")
                days = until(game.knowledge(seat), one.at).state
                assert (days.filled[: days.days] == PARTS).all(), "settled when no token is left to lay"
                assert 0 <= one.chance <= 1
                assert -7 <= one.expected <= one.predicted + one.round


def test_what_was_counted_at_once_left_nothing_to_expect() -> None:
    game = revealing_game(2)
    assert list(last_predictions(game))
    for seat in range(game.seats):
        found = predictions_of(game, seat)
        assert [one.round for one in found] == [1, 2, 3, 4]
        for one in found:
            assert one.chance == (one.predicted == one.claimed)
            assert one.expected == one.points


def test_sums(games: list[nevel.Game]) -> None:
    found = [predictions_of(game, 0) for game in games]
    record = add_up(found)
    every = [one for some in found for one in some]
    assert record.games == len(games)
    assert record.all.made == len(every) == 4 * len(games)
    assert record.all.hits == sum(one.predicted == one.claimed for one in every)
    assert record.all.points == sum(one.points for one in every)
    for name in ("made", "hits", "points", "expected_hits", "expected_points"):
        parts = [getattr(tally, name) for tally in record.by_prediction.values()]
        assert sum(parts) == pytest.approx(getattr(record.all, name))
    assert list(record.by_prediction) == sorted({one.predicted for one in every})
    assert add_up([]).all.made == 0


def test_what_was_to_be_expected_is_about_what_came(games: list[nevel.Game]) -> None:
    """Over all seats of some games: luck evens out. The games are always the same, so this doesn't waver."""
    record = add_up(predictions_of(game, seat) for game in games for seat in range(game.seats))
    assert record.all.made == 72
    assert record.all.expected_hits == pytest.approx(record.all.hits, abs=0.12 * record.all.made)
    assert record.all.expected_points == pytest.approx(record.all.points, abs=0.6 * record.all.made)


def test_the_same_game_gives_the_same_record(games: list[nevel.Game]) -> None:
    assert predictions_of(games[0], 1) == predictions_of(games[0], 1)


def test_a_game_that_goes_on_has_the_rounds_that_were_counted() -> None:
    game = played(3, seats=2, rounds=1)
    assert [one.round for one in predictions_of(game, 0)] == [1]
    assert predictions_of(nevel.new("what-the-fog", seats=2), 0) == []


def test_other_games_have_no_predictions() -> None:
    with pytest.raises(SpokenError, match="Misty"):
        predictions_of(nevel.new("misty", seats=2), 0)


def test_claims_can_be_expected_at_any_moment(games: list[nevel.Game]) -> None:
    """Also while most tokens still lie in piles nobody can see into."""
    knowledge = games[0].knowledge(0)
    for at in range(0, len(knowledge.moves) - 1, 9):
        assert sum(claims_to_expect(until(knowledge, at))) == pytest.approx(1)
