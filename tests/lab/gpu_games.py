"""Plays games with the kernels and leaves their results in a file; for a process with NEVEL_COMPILE_FOR=cuda."""

import sys

import numpy as np

from nevel.bots.policy import POLICIES
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.lab.matches.gpu import GpuSimulation, NoGpuError, Tuning, check_gpu

NO_GPU = 3


def main(game: str, bots: str, games: int, launch: int, memory: str, threads: int, target: str) -> None:
    try:
        check_gpu()
    except NoGpuError:
        sys.exit(NO_GPU)
    words = find(game).vocabulary
    policies = [POLICIES[bot] for bot in bots.split(",")]
    simulation = GpuSimulation(
        words.rules,
        len(policies),
        Box.of(game).numbers,
        words.option_numbers(words.read_options({})),
        policies,
        seed=5,
        tuning=Tuning(memory, threads),
        launch=launch,
    )
    done = list(simulation.run(games))
    np.savez(
        target,
        done=done,
        points=np.concatenate(simulation.points),
        wins=np.concatenate(simulation.wins),
        lengths=np.concatenate(simulation.lengths),
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5], int(sys.argv[6]), sys.argv[7])
