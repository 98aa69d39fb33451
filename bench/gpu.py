"""Print how many games per second a GPU plays, for all four games and several layouts of the kernel.

    NEVEL_COMPILE_FOR=cuda python -m bench.gpu                      # all games, with the layout they are played with
    NEVEL_COMPILE_FOR=cuda python -m bench.gpu the-game --all       # every layout, to find the best

Compiling doesn't count; dealing, playing and bringing the outcomes back do.
"""

import argparse
import time
from itertools import product

from rich.console import Console
from rich.table import Table

from nevel.bots.policy import SIMPLE
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.matches.gpu import LOCAL, SHARED, GpuSimulation, Tuning, check_gpu

SEATS = {"the-game": 2, "extreme": 2, "misty": 3, "what-the-fog": 4}
SECONDS = 5.0
#: Shared memory has 48 KiB for a block, which is 64 of the largest records.
LAYOUTS = [
    Tuning(memory, threads, registers)
    for memory, threads, registers in product((LOCAL, SHARED), (32, 64, 128, 256), (0, 64, 96))
    if memory == LOCAL or threads <= 64
]


def games_a_second(game: str, tuning: Tuning) -> float:
    """Whole games between simple bots, for a few seconds."""
    words = find(game).vocabulary
    options = words.option_numbers(words.read_options({}))
    seats = SEATS[game]
    numbers = Box.of(game).numbers
    played, spent = 0, 0.0
    GpuSimulation(words.rules, seats, numbers, options, [SIMPLE] * seats, 1, tuning).warm_up()
    games = 1_000
    while spent < SECONDS:
        simulation = GpuSimulation(words.rules, seats, numbers, options, [SIMPLE] * seats, played, tuning)
        started = time.perf_counter()
        for _ in simulation.run(games):
            pass
        elapsed = time.perf_counter() - started
        played, spent = played + games, spent + elapsed
        if elapsed < SECONDS / 4 and games < 256_000_000:
            games, played, spent = games * 4, 0, 0.0  # too short to be measured
    return played / spent


def main() -> None:
    parser = argparse.ArgumentParser(description="Games per second on a GPU.")
    parser.add_argument("games", nargs="*", help="which games; all by default")
    parser.add_argument("--all", action="store_true", help="every layout")
    given = parser.parse_args()
    table = Table("Game", "Players", "Layout", "Games per second", title=f"Whole games, simple bots, {check_gpu()}")
    for game in given.games or SEATS:
        for tuning in LAYOUTS if given.all else [Tuning()]:
            speed = games_a_second(game, tuning)
            table.add_row(game, str(SEATS[game]), " ".join(map(str, tuning)), f"{speed:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
