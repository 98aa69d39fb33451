"""Warming up: everything compiled is compiled or read from its cache before anybody waits for it."""

from nevel import games
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER
from nevel.games.game import Game
from nevel.tables.undo import has_taught


def warm_up(levels: tuple[str, ...] = LADDER) -> None:
    """Deal every game, look at it, make a move, and let a bot of every level think about it."""
    for vocabulary in games.VOCABULARIES.values():
        game = Game(vocabulary, 2, seed=1)
        for level in levels:
            bot = Bot(level, budget=Budget(playouts=1))
            bot.hint(game.knowledge(0))
            bot.move(game.knowledge(game.waiting_for[0]))
        before = game.copy()
        game.play(game.waiting_for[0], game.prompts()[0].moves[0])
        game.view(0)
        game.view(None)
        has_taught(before, game, [0, 1])
