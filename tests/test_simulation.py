"""Many games at once: the figures, and that they don't depend on how many cores share the work."""

import json

import numpy as np
import pytest

from nevel.bots.bot import Bot, UnknownBotError
from nevel.bots.policy import POLICIES
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.simulation import Simulation
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES


def simulation(game: str, seats: int, bot: str, seed: int = 1) -> Simulation:
    words = find(game).vocabulary
    options = words.option_numbers(words.read_options({}))
    return Simulation(words.rules, seats, Box.of(game).numbers, options, [POLICIES[bot]] * seats, seed)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_same_seed_gives_the_same_games_on_any_number_of_cores(game: str) -> None:
    one, two = simulation(game, 2, "random"), simulation(game, 2, "random")
    assert list(one.run(2500, cores=1))[-1] == 2500
    assert list(two.run(2500, cores=3))[-1] == 2500
    assert np.array_equal(np.concatenate(one.points), np.concatenate(two.points))
    assert np.array_equal(np.concatenate(one.lengths), np.concatenate(two.lengths))
    other = simulation(game, 2, "random", seed=2)
    list(other.run(2500, cores=1))
    assert not np.array_equal(np.concatenate(one.points), np.concatenate(other.points))


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_simple_bot_is_better_than_chance(game: str) -> None:
    seats = 2
    words = find(game).vocabulary
    options = words.option_numbers(words.read_options({}))
    if game in ("the-game", "extreme"):
        simple, chance = simulation(game, seats, "simple"), simulation(game, seats, "random")
        list(simple.run(300, cores=2))
        list(chance.run(300, cores=2))
        assert np.concatenate(simple.points)[:, 0].mean() > np.concatenate(chance.points)[:, 0].mean() + 20
    else:
        mixed = Simulation(words.rules, seats, Box.of(game).numbers, options, [1, 0], 1)
        list(mixed.run(300, cores=2))
        wins = np.concatenate(mixed.wins).mean(axis=0)
        assert wins[0] > wins[1] + 0.3


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBotError, match="random, simple"):
        Bot("genius")


def simulate(*arguments: str) -> dict[str, object]:
    done = run_nevel("simulate", *arguments, "--json", NEVEL_LANGUAGE="fr")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_figures_are_printed_as_json() -> None:
    figures = simulate("the-game", "--seats", "2", "--bots", "simple", "--games", "300", "--seed", "5")
    assert figures["game"] == "the-game"
    assert figures["seats"] == 2
    assert figures["games"] == 300
    assert figures["seed"] == 5
    assert figures.keys() >= {"seconds", "cores", "games_per_second", "win_rate", "mean_cards_left"}
    again = simulate("the-game", "--seats", "2", "--bots", "simple", "--games", "300", "--seed", "5", "--cores", "1")
    assert again["mean_cards_left"] == figures["mean_cards_left"]
    scores = simulate("misty", "--seats", "3", "--bots", "simple,random,random", "--games", "50", "--seed", "1")
    assert isinstance(scores["mean_scores"], list)
    assert len(scores["mean_scores"]) == 3
