"""What nearly all tests need is compiled before the first, a game a process: no two of them compile the same."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from nevel.bots.policy import POLICIES
from nevel.boxes import Box
from nevel.games import VOCABULARIES
from nevel.lab.simulation import Simulation
from nevel.lab.vector import VectorEnvironment
from nevel.rules.compiling import IS_COMPILED, cache_folder
from nevel.web.warming import warm_bots, warm_rules, warm_study


def is_cold() -> bool:
    """Whether nothing is compiled yet."""
    return IS_COMPILED and not any(cache_folder().rglob("*.nbc"))


def compile_games(cores: int) -> None:
    with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(compile_game, VOCABULARIES))


def compile_game(name: str) -> None:
    warm_rules((name,))
    warm_bots(names=(name,))
    warm_study((name,))
    compile_lab(name)


def compile_lab(name: str) -> None:
    """Simulations of the yardsticks alone and of all levels, and an environment for learning."""
    words = VOCABULARIES[name]
    options = words.option_numbers(words.read_options({}))
    for level in ("simple", "casual"):
        Simulation(words.rules, 2, Box.of(name).numbers, options, [POLICIES[level]] * 2, 1).piece(0, 1)
    environment = VectorEnvironment(name, seats=2, count=2)
    environment.reset()
    environment.step(environment.random_actions())
