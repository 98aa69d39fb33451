"""How often levels win The Game with different numbers of players, with a picture: python win_rates.py win-rates.svg"""

import sys

from nevel.bots.policy import POLICIES
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.figures.intervals import wilson
from nevel.lab.figures.plots import Dot, dot_plot
from nevel.lab.simulation import Simulation


def win_rate(level, seats, games, seed=1):
    """The share of games a table of one level wins."""
    words = find("the-game").vocabulary
    options = words.option_numbers(words.read_options({}))
    policies = [POLICIES[level]] * seats
    simulation = Simulation(words.rules, seats, Box.of("the-game").numbers, options, policies, seed)
    for _ in simulation.run(games, cores=1):
        pass
    return float(sum(wins[:, 0].sum() for wins in simulation.wins)) / games


def study(path, levels=("casual", "strong"), seats=(1, 2, 3, 4, 5), games=2000):
    """Play, and draw a dot with its 95 % interval for every level and number of players."""
    dots = []
    for level in levels:
        for players in seats:
            rate = win_rate(level, players, games)
            dots.append(Dot(f"{level}, {players}", rate, *wilson(rate, games)))
            print(f"{level:>8} {players} players: {rate:6.1%}")
    note = f"{games} games each; whiskers are 95 % intervals"
    with open(path, "w", encoding="utf-8") as file:
        file.write(dot_plot("How often The Game is won", dots, note, "{:.0%}".format))


if __name__ == "__main__":
    study(sys.argv[1])
