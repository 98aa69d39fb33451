"""Warming up: compiles rules and bots, or loads them from the cache, while the server answers other requests."""

import asyncio
import threading
from contextlib import suppress
from functools import cache

import numpy as np

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import COMMON, LADDER
from nevel.engine.legality import mark_legal
from nevel.game.game import Game
from nevel.game.registry import all_games, find
from nevel.players.player import BotPlayer
from nevel.players.table import play_to_end
from nevel.study.forecasts import predictions_of
from nevel.study.mist import look_into
from nevel.study.parts import parts_of
from nevel.study.reviewing import Reviewing
from nevel.tables.domain.undo import has_taught
from nevel.web.rendering.board import board_of
from nevel.web.server import logs

#: The games. What a process has warmed up for them stays warm, however many servers it starts.
ALL = tuple(all_games())
#: The seed of games in which bots that search come to all that they may have to think about, endgames too.
LONG_GAME = 2


class Warming:
    """A thread that compiles first the rules, which every table needs, then the bots, which only some tables need.

    What replays and reviews need beyond that comes last.
    """

    def __init__(self, levels: tuple[str, ...] = LADDER, names: tuple[str, ...] = ALL) -> None:
        self.levels = levels
        self.names = names
        self.rules = asyncio.Event()
        self.bots = asyncio.Event()
        self.study = asyncio.Event()
        self.thread: threading.Thread | None = None

    @property
    def is_over(self) -> bool:
        return self.bots.is_set()

    @property
    def is_under_way(self) -> bool:
        return self.thread is not None and self.thread.is_alive()

    def start(self) -> None:
        # Nobody can interrupt a compiler: whoever stops the server doesn't wait for this thread.
        loop = asyncio.get_running_loop()
        self.thread = threading.Thread(target=self._run, args=[loop], name="warming", daemon=True)
        self.thread.start()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            warm_rules(self.names)
            self._tell(loop, self.rules)
            warm_bots(self.levels, self.names)
            logs.note("warm")
            self._tell(loop, self.bots)
            warm_study(self.names)
            self._tell(loop, self.study)
        except Exception:
            logs.log.exception("a mistake of ours while warming up")
            # Nobody waits for ever: whoever needs what couldn't be compiled is told so.
            self._tell(loop, self.rules)

    def _tell(self, loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(event.set)


@cache
def warm_rules(names: tuple[str, ...] = ALL) -> None:
    """Play a game of each kind to its end, and look at it as tables do: nothing is left for them to compile."""
    for name in names:
        game = Game(find(name), 2, seed=1)
        before = game.copy()
        first = game.prompts()[0]
        game.why_lost(first.seat, first.moves[0])
        game.lost_moves(first.seat)
        game.play(first.seat, first.moves[0])
        has_taught(before, game, [0, 1])
        game.rewind(0)
        play_to_the_end(game)
        game.knowledge(0)
        for seat in (0, 1, None):
            game.view(seat)
        board_of(name).warm()


@cache
def warm_bots(levels: tuple[str, ...] = LADDER, names: tuple[str, ...] = ALL) -> None:
    """Let a bot of every level think about every game; those that search play it to its end.

    Which of its functions a search calls depends on the position and on whether others play: what isn't compiled by
    then would be when somebody waits for it.
    """
    for name in names:
        spec = find(name)
        game = Game(spec, 2, seed=1)
        mark_legal(game.state, 0, np.zeros(spec.rules.MOVES, np.int64))  # all that a search falls back on
        for level in levels:
            bot = Bot(level, budget=Budget(playouts=1))
            if level in COMMON:
                bot.hint(game.knowledge(0))
                bot.move(game.knowledge(game.waiting_for[0]))
            else:
                for seats in spec.seats[:2]:
                    play_to_end(Game(spec, seats, seed=LONG_GAME), dict.fromkeys(range(seats), BotPlayer(bot)))


@cache
def warm_study(names: tuple[str, ...] = ALL) -> None:
    """Look at every game as replays and reviews do, with something said that tells of a hand."""
    for name in names:
        game = Game(find(name), 2, seed=1)
        asked = game.prompts()[0]
        game.play(asked.seat, asked.moves[0])
        if hints := game.hints(1 - asked.seat):
            game.play(1 - asked.seat, hints[0])
        if parts_of(game.spec).hidden:
            look_into(game.knowledge(asked.seat), game.name)
        play_to_the_end(game)
        Reviewing(game, playouts=1).run()
        if parts_of(game.spec).predictions:
            predictions_of(game, 0)


def play_to_the_end(game: Game) -> None:
    """Play a game to its end: whoever is asked first makes the first legal move."""
    while not game.is_over:
        prompt = game.prompts()[0]
        game.play(prompt.seat, prompt.moves[0])
