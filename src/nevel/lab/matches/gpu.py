"""Many games on a GPU, each on one thread, with the rules and the bots as they are.

This module is for a process of its own, started with NEVEL_COMPILE_FOR=cuda: there everything compiled becomes part of
a kernel (`gpu_kernels.py`). A piece of the work has the games it has on the CPU: a seed gives the same results.
"""

import importlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from nevel.bots.policy import SIMPLE
from nevel.engine.chance import RNG_WORDS
from nevel.engine.compiling import IS_FOR_GPU
from nevel.lab.matches import gpu_kernels
from nevel.lab.simulation import PIECE, PolicyGames, piece_key
from nevel.languages import SpokenError, mark

cuda: Any = importlib.import_module("numba.cuda")
kernels: Any = gpu_kernels

#: Games per launch: enough to keep every processor of a large GPU busy for many blocks.
LAUNCH = 4_000 * PIECE
#: Launches at once: while one is played, another's outcomes are brought back.
LAUNCHES_AT_ONCE = 2
#: Threads per block where the pieces' chance is drawn.
DRAWING = 64

LOCAL, SHARED = "local", "shared"


class Tuning(NamedTuple):
    """How a kernel is laid out. `python -m bench.gpu` tries several; what is played doesn't depend on it."""

    #: Where a thread keeps its game: `local` memory, or the `shared` memory of its block.
    memory: str = SHARED
    #: Threads per block.
    threads: int = 64
    #: At most so many registers per thread, so that more threads run at once; 0 for as many as it takes.
    registers: int = 0


USUAL = Tuning()


class NoGpuError(SpokenError):
    """There is no GPU, or no driver for it."""


def check_gpu() -> str:
    """What the GPU is called; a NoGpuError if there is none."""
    if not cuda.is_available():
        raise NoGpuError(mark("No GPU was found that games can be played on (NVIDIA, with its driver)."))
    if not IS_FOR_GPU:
        return "simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class Launch:
    """Games played at once: their memory on the GPU, and room to which their outcomes are quickly brought back."""

    def __init__(self, seats: int, games: int) -> None:
        self.games = games
        self.stream: Any = cuda.stream()
        self.keys: Any = cuda.device_array((-(-games // PIECE), RNG_WORDS), kernels.WORD)
        self.seeds: Any = cuda.device_array((games, 2 * RNG_WORDS), kernels.WORD)
        # Points, wins and how long they took.
        outcomes = (((seats, games), np.int16), ((seats, games), np.int8), (games, np.int16))
        self.outcomes: list[Any] = [cuda.device_array(*outcome) for outcome in outcomes]
        self.brought_back: list[Any] = [cuda.pinned_array(*outcome) for outcome in outcomes]


@dataclass
class GpuSimulation(PolicyGames):
    """As `simulation.Simulation`, and with the same results, between `random` and `simple` bots."""

    tuning: Tuning = USUAL
    launch: int = LAUNCH

    def __post_init__(self) -> None:
        if max(self.policies) > SIMPLE:
            raise SpokenError(mark("On a GPU only the bots random and simple play; the others need a processor."))
        if IS_FOR_GPU and max(abs(self.box)) > np.iinfo(np.int8).max:
            raise SpokenError(mark("This box has numbers above 127, which are too large for a GPU."))

    def warm_up(self) -> None:
        """Compile before the clock starts."""
        for _ in replace(self, points=[], wins=[], lengths=[]).run(1):
            pass

    def run(self, games: int, cores: int = 0) -> Iterator[int]:
        """Play in large launches; yields how many games are done, for a progress bar."""
        given = [cuda.to_device(np.asarray(part, np.int64)) for part in (self.box, self.options, self.policies)]
        idle: list[Launch] = []
        playing: deque[Launch] = deque()
        for first in range(0, games, self.launch):
            count = min(self.launch, games - first)
            launch = idle.pop() if idle and idle[-1].games == count else Launch(self.seats, count)
            self.play(first, given, launch)
            playing.append(launch)
            if len(playing) == LAUNCHES_AT_ONCE:
                idle.append(self.count(playing.popleft()))
                yield first
        while playing:
            self.count(playing.popleft())
            yield games - sum(launch.games for launch in playing)

    def play(self, first: int, given: Sequence[Any], launch: Launch) -> None:
        """One launch: the games from `first` on, as many as there is room for."""
        keys = [piece_key(self.seed, first // PIECE + piece) for piece in range(len(launch.keys))]
        launch.keys.copy_to_device(np.array(keys).astype(kernels.WORD), stream=launch.stream)
        kernels.dealing_kernel()[-(-len(keys) // DRAWING), DRAWING, launch.stream](launch.keys, launch.seeds)
        memory, threads, registers = self.tuning
        is_simple = set(self.policies) == {SIMPLE}
        kernel = kernels.playing_kernel(self.game, is_simple, memory == SHARED, threads, registers)
        box, options, policies = given
        kernel[-(-launch.games // threads), threads, launch.stream](
            launch.seeds, self.seats, box, options, policies, *launch.outcomes
        )
        for outcome, room in zip(launch.outcomes, launch.brought_back, strict=True):
            outcome.copy_to_host(room, stream=launch.stream)

    def count(self, launch: Launch) -> Launch:
        """Wait for a launch and count its outcomes; gives it back, to be used again."""
        launch.stream.synchronize()
        points, wins, lengths = (room.copy() for room in launch.brought_back)
        self.points.append(points.T)
        self.wins.append(wins.T)
        self.lengths.append(lengths)
        return launch
