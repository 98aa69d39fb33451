"""Many games on a GPU, each on one thread, with the rules and the bots as they are.

This module is for a process of its own, started with NEVEL_COMPILE_FOR=cuda: there everything compiled becomes part of
a kernel (`lab/gpu_kernels.py`). A piece of the work has the games it has on the CPU: a seed gives the same results.
"""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from nevel.bots.policy import SIMPLE
from nevel.lab import gpu_kernels
from nevel.lab.simulation import PIECE, PolicyGames, piece_key
from nevel.languages import SpokenError, mark
from nevel.rules.chance import LANES
from nevel.rules.compiling import IS_FOR_GPU

cuda: Any = importlib.import_module("numba.cuda")
kernels: Any = gpu_kernels

#: Games a launch: enough to keep every processor of a large GPU busy for many blocks.
LAUNCH = 4_000 * PIECE
#: Threads a block where the pieces' chance is drawn.
DRAWING = 64

LOCAL, SHARED = "local", "shared"


class Tuning(NamedTuple):
    """How a kernel is laid out. `python -m bench.gpu` tries several; what is played doesn't depend on it."""

    #: Where a thread keeps its game: `local` memory, or the `shared` memory of its block.
    memory: str = LOCAL
    #: Threads a block.
    threads: int = 128
    #: At most so many registers a thread, so that more threads run at once; 0 for as many as it takes.
    registers: int = 0
    #: At most so many threads at once on a multiprocessor, one game after the other, so that their records fit into the
    #: memory next to it; 0 for a thread a game.
    together: int = 0

    def blocks(self, games: int) -> int:
        """How many blocks play so many games."""
        enough = -(-games // self.threads)
        if not self.together:
            return enough
        return min(enough, cuda.get_current_device().MULTIPROCESSOR_COUNT * self.together // self.threads)


USUAL = Tuning()


class NoGpuError(SpokenError):
    """There is nothing to play on."""


def check_gpu() -> str:
    """What the GPU is called; a NoGpuError if there is none."""
    if not cuda.is_available():
        raise NoGpuError(mark("No GPU was found that games can be played on (NVIDIA, with its driver)."))
    if not IS_FOR_GPU:
        return "simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@dataclass
class GpuSimulation(PolicyGames):
    """As `simulation.Simulation`, and with the same results, between `random` and `simple` bots."""

    tuning: Tuning = USUAL
    launch: int = LAUNCH

    def __post_init__(self) -> None:
        if max(self.policies) > SIMPLE:
            raise SpokenError(mark("On a GPU the bots random and simple play; the others need a processor."))
        if IS_FOR_GPU and max(abs(self.box)) > np.iinfo(np.int8).max:
            raise SpokenError(mark("This box has numbers above 127, which are too large for a GPU."))

    def warm_up(self) -> None:
        """Compile before the clock starts."""
        for _ in replace(self, points=[], wins=[], lengths=[]).run(1):
            pass

    def run(self, games: int, cores: int = 0) -> Iterator[int]:
        """Play in large launches; yields how many games are done, for a progress bar."""
        given = [cuda.to_device(np.asarray(part, np.int64)) for part in (self.box, self.options, self.policies)]
        room = 0
        seeds: Any = None
        points: Any = None
        winners: Any = None
        lengths: Any = None
        for first in range(0, games, self.launch):
            count = min(self.launch, games - first)
            if count != room:
                room = count
                seeds = cuda.device_array((room, 2 * LANES), kernels.WORD)
                points = cuda.device_array((self.seats, room), np.int16)
                winners = cuda.device_array(room, np.int8)
                lengths = cuda.device_array(room, np.int32)
            self.play(first, seeds, given, points, winners, lengths)
            self.points.append(points.copy_to_host().T)
            self.wins.append(winners.copy_to_host()[:, np.newaxis] >> np.arange(self.seats, dtype=np.int8) & 1)
            self.lengths.append(lengths.copy_to_host())
            yield first + count

    def play(self, first: int, seeds: Any, given: Sequence[Any], points: Any, winners: Any, lengths: Any) -> None:
        """One launch: the games from `first` on, as many as there is room for."""
        pieces = range(first // PIECE, -(-(first + len(lengths)) // PIECE))
        keys = np.array([piece_key(self.seed, piece) for piece in pieces]).astype(kernels.WORD)
        blocks = -(-len(keys) // DRAWING)
        kernels.dealing_kernel()[blocks, DRAWING](cuda.to_device(keys), seeds)
        memory, threads, registers, _ = self.tuning
        is_simple = set(self.policies) == {SIMPLE}
        kernel = kernels.playing_kernel(self.game, is_simple, memory == SHARED, threads, registers)
        box, options, policies = given
        kernel[self.tuning.blocks(len(lengths)), threads](
            seeds, self.seats, box, options, policies, points, winners, lengths
        )
