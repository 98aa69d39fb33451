"""Decisions per second of random play in the lab's environments, beside those of its peers, in one run on one core.

`make bench-lab` sets up the peers in an environment of their own and runs this with its Python as the argument.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.lab_peers import measured, measured_at_table
from nevel.game.registry import all_games
from nevel.lab.pettingzoo import env
from nevel.lab.vector import VectorEnvironment

SEATS = 3
COUNT = 512
STEPS = 40

Row = tuple[str, str, float | str]


def vector(game: str, observes: bool) -> float:
    """Masks out, actions in; actions drawn from the masks by compiled code, as a policy's would be by its own."""
    games = VectorEnvironment(game, SEATS, COUNT, observes=observes)

    def play() -> int:
        for _ in range(STEPS):
            games.step(games.random_actions())
        return STEPS * COUNT

    return measured(play)


def peers(python: str) -> list[Row]:
    command = [python, str(Path(__file__).with_name("lab_peers.py"))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [(row["family"], row["name"], row.get("rate", row.get("problem", ""))) for row in rows]


def main() -> None:
    if hasattr(os, "sched_setaffinity"):  # one core for us and for the peers, who inherit it
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows: list[Row] = []
    for game in all_games():
        rows.append((f"Nevel vector, {COUNT} games, masks", game, vector(game, observes=False)))
    for game in all_games():
        rows.append((f"Nevel vector, {COUNT} games, masks and observations", game, vector(game, observes=True)))
    for game in all_games():
        rows.append(("Nevel PettingZoo", game, measured_at_table(env(game, SEATS))))
    if len(sys.argv) > 1:
        rows += peers(sys.argv[1])
    ours = next(rate for _, game, rate in rows if game == "the-game")
    assert isinstance(ours, float)
    table = Table("Environment", "Game", "Decisions a second", "Nevel's vector of The Game is")
    table.title = f"Random play, one core, {SEATS} seats in ours"
    for family, game, rate in rows:
        if not isinstance(rate, str):
            table.add_row(family, game, f"{rate:,.0f}", f"{ours / rate:,.1f} x")
        else:
            table.add_row(family, game, rate, "")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
