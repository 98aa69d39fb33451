"""Ratings: the mathematics, the tournament, the picture."""

import doctest
import gc
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

import nevel
from nevel.bots.evaluation import Budget
from nevel.cli.lab.simulate import results
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.figures import intervals, plots
from nevel.lab.figures.intervals import wilson
from nevel.lab.figures.plots import Dot, dot_plot
from nevel.lab.matches.ladder import SCALE, Ladder, fit, lineups
from nevel.lab.matches.match import Match, Matches, MatchStoppedError, policies_of
from nevel.lab.matches.spreading import spread
from nevel.lab.simulation import TableSimulation
from nevel.lab.tournaments.export import rating_figures
from nevel.lab.tournaments.report import event

QUICK = Budget(playouts=40)


def tournament(game: str, seats: int, levels: list[str], deals: int, seed: int = 1) -> Ladder:
    return Ladder(Matches(find(game), seats, Box.of(game), {}, seed, QUICK), levels, deals)


@pytest.mark.parametrize("module", [intervals, plots])
def test_examples_in_docstrings_are_true(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_wilson_s_interval_is_the_known_one() -> None:
    assert wilson(0.0, 10).rounded(4) == (0.0, 0.2775)
    assert wilson(1.0, 10).rounded(4) == (0.7225, 1.0)
    assert wilson(0.3, 50).rounded(4) == (0.191, 0.4375)
    assert wilson(0.5, 0) == (0, 1)


def test_ratings_are_those_that_make_what_happened_likeliest() -> None:
    """Whoever is three times as strong as the next wins three of four; strengths known, tallies as expected."""
    strengths = np.log([1.0, 3.0, 9.0, 0.2])
    chances = 1 / (1 + np.exp(strengths[np.newaxis, :] - strengths[:, np.newaxis]))
    tallies = 100 * chances
    np.fill_diagonal(tallies, 0)
    found = fit(tallies[np.newaxis])[0]
    assert np.allclose(found - found[0], strengths - strengths[0], atol=1e-6)


def test_ratings_are_found_where_one_wins_nearly_everything() -> None:
    tallies = np.array([[[0, 1e6, 5e5], [1e-3, 0, 100], [1e-3, 1e-3, 0]]])
    found = fit(tallies)[0]
    met = tallies[0] + tallies[0].T
    expected = met / (1 + np.exp(found[np.newaxis, :] - found[:, np.newaxis]))
    assert np.allclose(expected.sum(axis=1) - np.diag(expected), tallies[0].sum(axis=1), rtol=1e-3)


def test_everyone_sits_in_every_chair_as_often() -> None:
    assert lineups("a", "b", 2) == [("a", "b"), ("b", "a")]
    assert len(lineups("a", "b", 4)) == 2
    for seats in (3, 5):
        found = lineups("a", "b", seats)
        assert len(found) == 2 * seats
        for seat in range(seats):
            assert [lineup[seat] for lineup in found].count("a") == seats


@pytest.mark.parametrize(("game", "seats"), [("the-game", 2), ("extreme", 3), ("what-the-fog", 2), ("misty", 3)])
def test_a_ladder_says_who_is_stronger_on_any_number_of_cores(game: str, seats: int) -> None:
    one, two = (tournament(game, seats, ["random", "simple"], deals=12) for _ in range(2))
    assert list(one.run(cores=1))[-1] == len(one.jobs())
    assert list(two.run(cores=2))[-1] == len(one.jobs())
    assert one.ratings() == two.ratings()
    assert one.pairings() == two.pairings()
    strongest, weakest = one.ratings()
    assert (strongest.level, weakest.level, weakest.rating) == ("simple", "random", 1000)
    assert strongest.interval.low > 1050
    assert strongest.interval.low < strongest.rating < strongest.interval.high
    (pairing,) = one.pairings()
    assert pairing.score < 0.3
    assert pairing.interval.low <= pairing.score <= pairing.interval.high
    assert (strongest.win_rate is not None) == one.is_cooperative


def test_twenty_wins_of_twenty_leave_an_interval() -> None:
    ladder = tournament("the-game", 2, ["random", "casual"], deals=20)
    list(ladder.run(cores=1))
    (pairing,) = ladder.pairings()
    assert pairing.score == 0
    casual, random = ladder.ratings()
    assert casual.rating == 1000
    assert random.rating == pytest.approx(1000 - SCALE * np.log(21))
    assert random.interval.low < random.rating - 100
    assert random.interval.high > random.rating + 100


def test_equal_results_are_half_a_win_each() -> None:
    ladder = tournament("extreme", 2, ["random", "simple"], deals=4)
    list(ladder.run(cores=1))
    ladder.played = {number: match._replace(points=[-5, -5], winners=[]) for number, match in ladder.played.items()}
    assert ladder.scores().tolist() == [[0.5]] * 4


def test_left_early_a_ladder_leaves_what_is_under_way() -> None:
    ladder = tournament("misty", 2, ["random", "simple"], deals=500)
    for _ in ladder.run(cores=2):
        break
    gc.collect()
    assert ladder.matches.stop.is_set()
    with pytest.raises(MatchStoppedError):
        ladder.matches.play(0, ["random", "simple"])


def test_spread_work_that_fails_says_so() -> None:
    stop = threading.Event()

    def work(number: int) -> int:
        if number == 3:
            raise ZeroDivisionError
        stop.wait(0.01 * number)
        return number

    with pytest.raises(ZeroDivisionError):
        list(spread(work, 50, 2, stop))
    assert sorted(spread(lambda number: number, 50, 3)) == [(number, number) for number in range(50)]


def test_only_levels_that_dont_think_are_compiled() -> None:
    rules = find("misty").vocabulary.rules
    assert policies_of(rules, ["random", "simple"]) == [0, 1]
    assert policies_of(rules, ["random", "program:bot"]) is None


def test_the_picture_is_a_drawing_in_light_and_dark() -> None:
    dots = [Dot("expert & co <3", 1400, 1350, 1460), Dot("casual", 1000, 1000, 1000), Dot("x" * 99, 700, 500, 850)]
    drawn = dot_plot("Misty · 3 “players”", dots, "A note")
    root = ElementTree.fromstring(drawn)
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 3
    across = [float(circle.attrib["cx"]) for circle in circles]
    assert across == sorted(across, reverse=True)
    assert all(0 < x < 640 for x in across)
    assert "prefers-color-scheme: dark" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    ElementTree.fromstring(dot_plot("Nothing", []))


def test_tables_that_win_together_may_count_points() -> None:
    """Only cards left are counted below zero, and only then does a win leave none."""
    ladder = tournament("the-game", 2, ["random", "casual"], deals=2)
    ladder.matches.spec = replace(ladder.matches.spec, score="points")
    levels = {number: job.lineup[0] for number, job in enumerate(ladder.jobs())}
    won, lost = Match([7, 7], [0, 1], 20), Match([7, 7], [], 20)
    ladder.played = {number: won if level == "casual" else lost for number, level in levels.items()}
    assert ladder.scores().tolist() == [[0.0]] * 2  # as many points, but casual has won
    casual, random = ladder.ratings()
    assert (casual.win_rate, casual.points, random.win_rate, random.points) == (1.0, 7.0, 0.0, 7.0)
    assert rating_figures(casual, ladder.matches.spec)["mean_points"] == 7.0
    assert "mean_cards_left" not in rating_figures(casual, ladder.matches.spec)
    report = event(ladder, nevel.language("en"))
    assert "Points, on average" in "".join(report)
    assert "Cards left" not in "".join(report)


def test_a_simulation_counts_what_its_game_counts() -> None:
    played = TableSimulation(tournament("the-game", 2, ["random"], 1).matches, ("random", "random"))
    played.points, played.wins, played.lengths = [np.array([[-5, -5]])], [np.array([[1, 1]])], [np.array([9])]
    spec = find("the-game")
    assert results(played, spec, 2)["mean_cards_left"] == 5.0
    assert results(played, replace(spec, score="points"), 2)["mean_points"] == -5.0
