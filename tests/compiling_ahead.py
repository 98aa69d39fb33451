"""What nearly all tests need is compiled before the first, a game a process: no two of them compile the same."""

import gc
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.playing_out import play_games
from nevel.bots.policy import POLICIES
from nevel.engine import narrow, tracing
from nevel.engine.compiling import IS_COMPILED, cache_folder
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.registry import all_games, find
from nevel.lab.episode import Episode
from nevel.lab.matches.match import Matches
from nevel.lab.simulation import Simulation
from nevel.lab.task import Task
from nevel.lab.vector import VectorEnvironment
from nevel.web.server.warming import warm_bots, warm_rules, warm_study

#: Rules with hundreds of moves take longest to compile: they come first, so that all cores end together.
GAMES = sorted(all_games(), key=lambda name: -find(name).vocabulary.rules.MOVES)


def is_cold() -> bool:
    """Whether nothing is compiled yet."""
    return IS_COMPILED and not any(cache_folder().rglob("*.nbc"))


def compile_games(cores: int) -> None:
    with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn")) as pool:
        done = [pool.submit(compile_game, name) for name in GAMES]
        done += [pool.submit(compile_narrow, name) for name in GAMES]
        for one in done:
            one.result()


def compile_game(name: str) -> None:
    # Compilers make millions of objects that last: looking through them all time and again takes a twelfth of the time.
    gc.set_threshold(200_000, 50, 100)
    warm_rules((name,))
    warm_bots(names=(name,))
    warm_study((name,))
    compile_lab(name)
    compile_for_tests(name)


def compile_lab(name: str) -> None:
    """Games between the yardsticks alone and between all levels, environments for learning, and what levels expect."""
    words = find(name).vocabulary
    options = words.option_numbers(words.read_options({}))
    for level in ("simple", "casual"):
        Simulation(words.rules, 2, Box.of(name).numbers, options, [POLICIES[level]] * 2, 1).piece(0, 1)
        Matches(find(name), 2, Box.of(name), {}, 1).play(0, [level] * 2)
    environment = VectorEnvironment(name, seats=2, count=2)
    environment.reset()
    environment.step(environment.random_actions())
    for trace in (None, tracing.blank()):
        episode = Episode(Task(name, 2))
        episode.begin(1)
        episode.sight(0)
        episode.act(int(episode.mask(episode.seat).argmax()), trace)
    game = Game(find(name), 2, seed=1)
    for level in ("casual", "expert"):
        Bot(level, budget=Budget(playouts=1)).evaluate(game.knowledge(game.waiting_for[0]))


def compile_for_tests(name: str) -> None:
    """What the tests of the rules call one by one, with everything that is told and with nothing."""
    rules = find(name).vocabulary.rules
    game = Game(find(name), 2, seed=1)
    number = game.legal_moves(game.waiting_for[0])[0].number
    for trace in (None, tracing.blank()):
        rules.apply(game.copy().state, game.waiting_for[0], number, trace)
    rules.mark_moves(game.state, 0, np.zeros(rules.MOVES, np.int8))
    for kind in (np.int8, np.int64):
        rules.observe(game.state, 0, np.zeros(sum(length for _, length in rules.OBSERVATION), kind))


def compile_narrow(name: str) -> None:
    """Games on the record that a GPU has, for which nothing is compiled yet."""
    rules = find(name).vocabulary.rules
    options = find(name).vocabulary.option_numbers(find(name).vocabulary.read_options({}))
    play_many(
        narrow.narrowed(rules.STATE, rules.WIDER_FIELDS), 2, Box.of(name).numbers, options, [POLICIES["simple"]] * 2, 1
    )


def play_many(
    record: np.dtype, seats: int, box: np.ndarray, options: np.ndarray, policies: Sequence[int], games: int
) -> tuple[np.ndarray, ...]:
    """Games between the yardsticks, on whichever record: the points, the winners and the lengths."""
    states = np.zeros(3, np.dtype((np.record, record)))
    states[2].chance[:] = (1, 2, 3, 4)
    results = np.zeros((games, 5), np.int32), np.zeros((games, 5), np.int8), np.zeros(games, np.int32)
    scratch = np.zeros((5, 2), np.int64)
    play_games(states, seats, box, options, np.array(policies), None, scratch, *results)
    return results
