"""Print how fast the rules are: games per second, first compilation, warm start, one move at the table.

Everything runs on one core. Nothing is asserted: a benchmark tells, a test judges.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

import nevel
from nevel.bots.policy import POLICIES
from nevel.game.box import Box
from nevel.game.registry import all_games, find
from nevel.lab.simulation import Simulation

SECONDS = 3.0

GAMES = [
    ("the-game", 2, "simple", "100,000"),
    ("what-the-fog", 4, "random", "20,000"),
    ("misty", 4, "random", "20,000"),
    ("the-game", 5, "simple", ""),
    ("extreme", 2, "simple", ""),
    ("what-the-fog", 4, "simple", ""),
    ("misty", 4, "simple", ""),
]


def games_a_second(game: str, seats: int, bot: str) -> float:
    """Games played to their end, one after the other, for a few seconds."""
    vocabulary = find(game).vocabulary
    options = vocabulary.option_numbers(vocabulary.read_options({}))
    simulation = Simulation(vocabulary.rules, seats, Box.of(game).numbers, options, [POLICIES[bot]] * seats, seed=1)
    simulation.piece(0, 1)
    started, played = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - started) < SECONDS:
        simulation.piece(played, 500)
        played += 500
    return played / elapsed


FIRST_GAME = """
import numpy, sys, time
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.simulation import Simulation
started = time.perf_counter()
words = find(sys.argv[1]).vocabulary
options = words.option_numbers(words.read_options({}))
Simulation(words.rules, 2, Box.of(words.name).numbers, options, [1, 1], 1).piece(0, 1)
print(time.perf_counter() - started)
"""

FIRST_TABLE = """
import sys
import nevel
game = nevel.new(sys.argv[1], 2, seed=1)
game.prompts()
game.view(0)
"""


def fresh(program: str, game: str, cache: str) -> tuple[float, str]:
    """Run a program in a process of its own; seconds from start to end, and what it printed."""
    started = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", program, game], env=environment, check=True, capture_output=True, text=True
    )
    return time.perf_counter() - started, done.stdout


def first_compilation(game: str) -> float:
    """From an empty cache to the first game simulated."""
    with tempfile.TemporaryDirectory() as cache:
        return float(fresh(FIRST_GAME, game, cache)[1])


def table_starts(game: str) -> tuple[float, float]:
    """A process that lays out a table and asks the first question: with an empty cache, and with a warm one."""
    with tempfile.TemporaryDirectory() as cache:
        cold = fresh(FIRST_TABLE, game, cache)[0]
        warm = min(fresh(FIRST_TABLE, game, cache)[0] for _ in range(3))
        return cold, warm


def one_move(game: str) -> float:
    """Milliseconds for a move at the table: parse, check, apply, log, and the view of the seat that played."""
    dice = random.Random(1)
    spent: list[float] = []
    while len(spent) < 2000:
        played = nevel.new(game, seats=2, seed=dice.getrandbits(64))
        while not played.is_over:
            seat = played.waiting_for[0]
            prompt = played.prompt(seat)
            if prompt is None:
                break
            move = dice.choice(prompt.moves)
            started = time.perf_counter()
            if played.why_not(seat, move) is None:
                played.play(seat, move)
            played.view(seat)
            spent.append(time.perf_counter() - started)
    return float(np.median(spent)) * 1000


def main() -> None:
    console = Console()
    speeds = Table("Game", "Players", "Bot", "Games per second", "Wanted", title="Whole games, one core, compiled")
    for game, seats, bot, wanted in GAMES:
        speeds.add_row(game, str(seats), bot, f"{games_a_second(game, seats, bot):,.0f}", wanted)
    console.print(speeds)
    waits = Table(
        "Game", "First compilation (s)", "First table, cold (s)", "Warm start (s)", "One move (ms)", title="Waiting"
    )
    for game in all_games():
        cold, warm = table_starts(game)
        figures: list[Callable[[], float] | float] = [first_compilation(game), cold, warm, one_move(game)]
        waits.add_row(game, *(f"{figure:.2f}" for figure in figures))
    waits.add_row("wanted", "< 10", "", "< 1.5", "< 1")
    console.print(waits)


if __name__ == "__main__":
    main()
