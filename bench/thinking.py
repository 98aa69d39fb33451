"""Print how fast experts think: imagined games per second in the middle of a game, and how long a certain end takes.

python -m bench.thinking
"""

import time

from rich.console import Console
from rich.table import Table

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.game.game import Game

SECONDS = 3.0
POSITIONS = [
    ("the-game", 1, 40),
    ("the-game", 3, 40),
    ("the-game", 4, 40),
    ("extreme", 2, 30),
    ("what-the-fog", 2, 40),
    ("what-the-fog", 4, 60),
    ("misty", 2, 20),
    ("misty", 4, 60),
]


def middle(name: str, seats: int, moves: int) -> Game:
    """A game that strong players have played for a while, with somebody to move."""
    game = nevel.new(name, seats=seats, seed=4)
    bot = Bot("strong", seed=4)
    while len(game.log) < moves and not game.is_over:
        for seat in game.waiting_for:
            number = bot.move(game.knowledge(seat))
            if number is not None:
                game.play(seat, game.vocabulary.moves[number])
                break
    return game


def main() -> None:
    table = Table(title=f"Experts thinking for {SECONDS:.0f} s on one core, all moves looked at")
    for heading in ("game", "players", "legal moves", "imagined games a second", "µs each"):
        table.add_column(heading, justify="right" if heading != "game" else "left")
    for name, seats, moves in POSITIONS:
        game = middle(name, seats, moves)
        knowledge = game.knowledge(game.waiting_for[0])
        Bot("expert", budget=Budget(playouts=1)).evaluate(knowledge)
        started = time.perf_counter()
        found = Bot("expert", budget=Budget(seconds=SECONDS)).evaluate(knowledge)
        spent = time.perf_counter() - started
        each = spent / found.playouts
        table.add_row(name, str(seats), str(len(found.choices)), f"{1 / each:,.0f}", f"{each * 1e6:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
