"""After warming up nothing is left to compile for bots, whatever they come to think about: nobody waits for it."""

import gc
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER
from nevel.engine.compiling import IS_COMPILED
from nevel.game.game import Game
from nevel.game.registry import all_games, find
from nevel.players.player import BotPlayer
from nevel.players.table import play_to_end
from nevel.web.server.warming import warm_bots, warm_rules

#: The seeds of the games that are played.
SEEDS = (3, 4)


def compiled_so_far() -> set[tuple[str, str]]:
    """All functions there is machine code of, with the types it is for."""
    from numba.core.dispatcher import Dispatcher

    functions = [(one.py_func, one.overloads) for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {
        (f"{each.__module__}.{each.__qualname__}", str(types)) for each, versions in functions for types in versions
    }


def compiled_in_play(name: str) -> set[str]:
    """What was compiled while all levels played games with as many as can, in a process that had warmed up."""
    warm_rules((name,))
    warm_bots(LADDER, (name,))
    before = compiled_so_far()
    for seed in SEEDS:
        for seats in find(name).seats:
            bots = [Bot(LADDER[-1 - seat % len(LADDER)], budget=Budget(playouts=1)) for seat in range(seats)]
            for together in (bots, bots[:1] * seats):
                game = Game(find(name), seats, seed=seed)
                play_to_end(game, {seat: BotPlayer(bot) for seat, bot in enumerate(together)})
    return {function for function, _ in compiled_so_far() - before}


@pytest.mark.parametrize("name", all_games())
def test_nothing_is_compiled_while_bots_play(name: str) -> None:
    assert IS_COMPILED
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as fresh:
        assert fresh.submit(compiled_in_play, name).result() == set()
