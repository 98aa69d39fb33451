"""The kernels of `gpu.py`: dealing, and one game per thread. Compiled by Numba for a GPU, or run in its simulator.

What makes them fast: records as narrow as their numbers (`engine/narrow.py`), each in memory of its own thread, which
the hardware lays out so that threads beside each other read what lies beside each other; one loop per move, in which
every thread plays for whichever seat is to act, so that threads stay together; and nothing written but the outcome.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import importlib
from functools import lru_cache
from typing import Any

import numpy as np

from nevel.bots import policy
from nevel.bots.policy import SIMPLE
from nevel.engine import chance, dispatch, narrow
from nevel.engine.chance import RNG_WORDS
from nevel.engine.compiling import IS_FOR_GPU, compiled, natural, small
from nevel.engine.dispatch import MOST_SEATS
from nevel.lab.simulation import PIECE

cuda: Any = importlib.import_module("numba.cuda")

#: What is interpreted, in Numba's simulator, needs wide words: it would overflow.
WORD = np.uint32 if IS_FOR_GPU else np.int64


def record_of(game):
    """The record a thread plays on, as a kernel names it."""
    if IS_FOR_GPU:
        from nevel.engine.compiling import from_dtype

        return from_dtype(narrow.narrowed(game.STATE, game.WIDER_FIELDS))
    return np.dtype((np.record, game.STATE))


@lru_cache
def dealing_kernel():
    """The kernel that draws the chance of every game from its piece's, as `playing_out.play_games` does."""

    @cuda.jit
    def deal(keys, seeds):
        piece = cuda.grid(1)
        if piece >= keys.shape[0]:
            return
        parent = cuda.local.array(RNG_WORDS, WORD)
        rng = cuda.local.array(RNG_WORDS, WORD)
        for lane in range(RNG_WORDS):
            parent[lane] = keys[piece, lane]
        for game in range(piece * PIECE, min((piece + 1) * PIECE, seeds.shape[0])):
            for half in range(2):
                chance.branch(rng, parent)
                for lane in range(RNG_WORDS):
                    seeds[game, half * RNG_WORDS + lane] = rng[lane]

    return deal


@lru_cache
def playing_kernel(game, is_simple, is_shared, threads, registers):
    """The kernel that plays games, each on a thread. Where all are the simple bot, nothing else is compiled into it."""
    record = record_of(game)

    @compiled
    def policy_of(policies, seat):
        return SIMPLE if is_simple else policies[seat]

    @compiled
    def play_on(s, rng, policies):
        """As `playing_out.play_on`, but one loop a move: all threads move together, whichever seat is to act."""
        moves = 0
        asked = small(dispatch.waiting(s))
        while asked:
            seat = natural(0)
            while not asked >> seat & 1:
                seat = natural(seat + 1)
            move = small(policy.move(s, seat, policy_of(policies, seat), rng, None))
            if move >= 0:
                dispatch.apply(s, seat, move, None)
                moves += 1
                asked = small(dispatch.waiting(s))
            else:
                asked = small(asked & ~(1 << seat))  # it would rather wait for another
        return moves

    @compiled
    def play_game(s, i, seeds, seats, box, options, policies, points, wins, lengths):
        rng = cuda.local.array(RNG_WORDS, WORD)
        out = cuda.local.array((MOST_SEATS, 2), np.int32)
        for lane in range(RNG_WORDS):
            s.chance[lane] = seeds[i, lane]
            rng[lane] = seeds[i, RNG_WORDS + lane]
        dispatch.setup(s, seats, box, options, None)
        lengths[i] = play_on(s, rng, policies)
        dispatch.outcome(s, out)
        for seat in range(seats):
            points[seat, i] = out[seat, 0]
            wins[seat, i] = out[seat, 1]

    def play_in_local(seeds, seats, box, options, policies, points, wins, lengths):
        room = cuda.local.array(1, record)
        i = cuda.grid(1)
        if i < lengths.shape[0]:
            play_game(room[0], i, seeds, seats, box, options, policies, points, wins, lengths)

    def play_in_shared(seeds, seats, box, options, policies, points, wins, lengths):
        room = cuda.shared.array(threads, record)
        i = cuda.grid(1)
        if i < lengths.shape[0]:
            play_game(room[cuda.threadIdx.x], i, seeds, seats, box, options, policies, points, wins, lengths)

    kernel = play_in_shared if is_shared else play_in_local
    return cuda.jit(max_registers=registers or None)(kernel) if IS_FOR_GPU else cuda.jit(kernel)
