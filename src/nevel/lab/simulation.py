"""Whole games played out by compiled policies, thousands a second, on all cores."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from nevel.bots.playing_out import play_games
from nevel.rules import any_game
from nevel.rules.any_game import MOST_SEATS

Piece = tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]

#: Games a piece of work. A seed's games don't depend on how many cores share them.
PIECE = 1000


@dataclass
class Simulation:
    """Games of one kind between fixed policies, counted as they are played."""

    game: ModuleType
    seats: int
    box: NDArray[np.int64]
    options: NDArray[np.int64]
    policies: Sequence[int]
    seed: int
    points: list[NDArray[np.int32]] = field(default_factory=list[NDArray[np.int32]])
    wins: list[NDArray[np.int8]] = field(default_factory=list[NDArray[np.int8]])
    lengths: list[NDArray[np.int32]] = field(default_factory=list[NDArray[np.int32]])

    def piece(self, number: int, games: int) -> Piece:
        """Play one numbered piece of the work; the same number gives the same games."""
        digest = hashlib.blake2b(f"{self.seed}/{number}".encode(), digest_size=16).digest()
        states = any_game.new_states(self.game, 3)
        states[2].chance[:] = np.frombuffer(digest, "<u4")
        points = np.zeros((games, MOST_SEATS), np.int32)
        wins = np.zeros((games, MOST_SEATS), np.int8)
        lengths = np.zeros(games, np.int32)
        policies = np.array(self.policies, np.int64)
        play_games(
            states,
            self.seats,
            self.box,
            self.options,
            policies,
            np.zeros((MOST_SEATS, 2), np.int64),
            points,
            wins,
            lengths,
        )
        return points, wins, lengths

    def run(self, games: int, cores: int) -> Iterator[int]:
        """Play on `cores` threads; yields how many games are done, for a progress bar."""
        sizes = [PIECE] * (games // PIECE) + ([games % PIECE] if games % PIECE else [])
        pieces: dict[int, Piece] = {}
        done = 0
        with ThreadPoolExecutor(cores) as pool:
            numbers = iter(range(len(sizes)))
            running: dict[Future[Piece], int] = {}
            try:
                while True:
                    # Only as many as can run: an interrupted simulation leaves nothing behind in the queue.
                    while len(running) < cores and (number := next(numbers, None)) is not None:
                        running[pool.submit(self.piece, number, sizes[number])] = number
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        number = running.pop(future)
                        pieces[number] = future.result()
                        done += sizes[number]
                    yield done
            finally:
                for future in running:
                    future.cancel()
        for number in sorted(pieces):
            points, wins, lengths = pieces[number]
            self.points.append(points)
            self.wins.append(wins)
            self.lengths.append(lengths)
