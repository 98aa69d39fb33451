"""The chance to win before the deal, from which luck is measured."""

import threading

from nevel.bots.bot import Bot
from nevel.game.game import Game
from nevel.study.perspective import ReviewStoppedError

#: Deals a table that wins together is tried on.
DEALS = 48

_measured: dict[tuple[object, ...], float] = {}


def prior_of(game: Game, bot: Bot, playouts: int, stop: threading.Event | None = None) -> float:
    """An equal share of the victory, or where all win together how often experts do, measured once for each table."""
    if not game.spec.is_cooperative:
        return 1.0 / game.seats
    options = tuple(sorted(game.options.items()))
    table = (game.name, game.seats, options, game.box.numbers.tobytes(), bot.seed, playouts)
    if table not in _measured:
        total = 0.0
        for deal in range(DEALS):
            fresh = Game(game.spec, game.seats, deal, game.box, options=game.options)
            total += bot.expect(fresh.knowledge(0), playouts, stop).value
            if stop is not None and stop.is_set():
                raise ReviewStoppedError
        _measured[table] = total / DEALS
    return _measured[table]
