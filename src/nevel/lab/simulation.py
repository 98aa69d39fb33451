"""Whole games played out by compiled policies, thousands a second, on all cores."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from nevel.bots import policy
from nevel.rules import any_game, chance
from nevel.rules.any_game import MOST_SEATS
from nevel.rules.compiling import compiled
from nevel.rules.tracing import blank

#: Games a piece of work. A seed's games don't depend on how many cores share them.
PIECE = 1000


@compiled
def play_out(s, policies, lanes, trace):
    """Play a game to its end; gives how many moves that took."""
    moves = 0
    while True:
        seats = any_game.waiting(s)
        if seats == 0:
            return moves
        for seat in range(s.seats):
            if seats >> seat & 1:
                move = policy.move(s, seat, policies[seat], lanes)
                if move >= 0:
                    any_game.apply(s, seat, move, trace)
                    moves += 1
                    break


@compiled
def play_games(states, seats, box, options, policies, master, trace, results, wins, lengths):
    """Play as many games as `lengths` has room for, each keyed from the master stream."""
    s = states[0]
    lanes = states[1].chance
    out = np.zeros((MOST_SEATS, 2), np.int64)
    for game in range(lengths.shape[0]):
        chance.branch(s.chance, master)
        chance.branch(lanes, master)
        any_game.setup(s, seats, box, options, trace)
        lengths[game] = play_out(s, policies, lanes, trace)
        any_game.outcome(s, out)
        for seat in range(seats):
            results[game, seat] = out[seat, 0]
            wins[game, seat] = out[seat, 1]


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

    def piece(self, number: int, games: int) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]:
        """Play one numbered piece of the work; the same number gives the same games."""
        digest = hashlib.blake2b(f"{self.seed}/{number}".encode(), digest_size=16).digest()
        master = np.zeros(chance.LANES, np.int64)
        chance.key(master, *(int(word) for word in np.frombuffer(digest, "<u4")))
        points = np.zeros((games, MOST_SEATS), np.int32)
        wins = np.zeros((games, MOST_SEATS), np.int8)
        lengths = np.zeros(games, np.int32)
        policies = np.array(self.policies, np.int64)
        play_games(
            any_game.new_states(self.game, 2),
            self.seats,
            self.box,
            self.options,
            policies,
            master,
            blank(0),
            points,
            wins,
            lengths,
        )
        return points, wins, lengths

    def run(self, games: int, cores: int) -> Iterator[int]:
        """Play on `cores` threads; yields how many games are done, for a progress bar."""
        sizes = [PIECE] * (games // PIECE) + ([games % PIECE] if games % PIECE else [])
        pieces: dict[int, tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]] = {}
        done = 0
        with ThreadPoolExecutor(cores) as pool:
            numbers = iter(range(len(sizes)))
            running: dict[Future[tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]], int] = {}
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
