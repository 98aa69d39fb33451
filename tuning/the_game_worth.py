"""Learns what positions of The Game are worth, on a GPU, and writes it into `the_game/bots/learnt/worth.npz`.

    NEVEL_COMPILE_FOR=cuda python -m tuning.the_game_worth 1,2,3 --seconds 300

A generation of players who see each other's cards play thousands of games at once, one on each thread, with the rules
as they are, always the turn whose end is worth most. Then the worth of every position on the way is moved towards the
worth one turn later and the end of the game (TD(λ)), in small batches; each weight by the mean error of the positions
it counts for. At first a game counts for more the fewer cards are left, in the end hardly anything but a win counts.

It needs numba-cuda and a GPU; a minute on one H200 is five million games. The same number of generations gives
nearly the same weights: what many threads add up at once is rounded in any order.
"""

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np
from numba import cuda

from nevel.engine import chance
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.learnt.turn import BROAD, TURN, find_turns
from nevel.games.the_game.bots.learnt.workspace import (
    LOOKS,
    SUM_CACHE_SIZE,
    WORKSPACE_ROWS,
    WORKSPACE_WIDTH,
    reset_workspace,
)
from nevel.games.the_game.bots.learnt.worth import GRAIN, PATTERNS, WEIGHTS, add_up, chance_of
from nevel.games.the_game.rules.table import END_TURN, OVER, START, cards_left

TARGET = Path(the_game.__file__).parents[1] / "bots" / "learnt" / "worth.npz"
GAMES = 131072
BATCHES = 256
TURNS = 64
THREADS = 64
#: How much of the aim comes from the end of the game, the rest by way of the next turn.
DIRECTNESS = 0.8
#: A batch in which a weight counted less often than this says little about it.
FEW = 5.0
#: A position has about this many patterns, each of which takes its share of a correction.
SHARE = 4 / 170
#: What cards left are worth: by share of the time, e-folding.
NEARNESS = ((0.35, 10.0), (0.55, 5.0), (0.75, 2.5), (1.0, 1.0))
#: What is learnt already is refined as in the last part of the time.
REFINING = 0.6
HANDS = (8, 7, 6, 6, 6)


@cuda.jit
def play(states, seeds, seats, box, options, weights, patterns, worths, workspaces, kept, turns, best, lengths, lefts):
    """A whole game on every thread. Leaves the patterns and the worth at the end of every turn."""
    i = cuda.grid(1)
    if i >= lefts.shape[0]:
        return
    s = states[i]
    workspace = workspaces[:, :, i]
    for lane in range(4):
        s.chance[lane] = seeds[i, lane]
    the_game.setup(s, seats, box, options, None)
    if seats > 1:
        the_game.apply(s, chance.below(s.chance, seats), START, None)
    length = 0
    while s.phase != OVER and length < TURNS:
        seat = s.active
        if find_turns(s, seat, weights, workspace, kept[:, :, i], turns[i, 0], turns[i, 1:], best[i], BROAD) == 0:
            break
        for card in range(1, turns[i, 1, 0] + 1):
            if s.phase != OVER:
                the_game.apply(s, seat, turns[i, 1, card], None)
        if s.phase == OVER:
            break
        reset_workspace(s, seat, workspace)
        tops = s.tops
        worths[i, length] = add_up(weights, workspace[LOOKS], tops[0], tops[1], tops[2], tops[3], patterns[i, length])
        length += 1
        the_game.apply(s, seat, END_TURN, None)
    lengths[i] = length
    lefts[i] = cards_left(s)


@cuda.jit
def aim(worths, lengths, lefts, nearness, aims):
    """What the worth of every position should have been."""
    i = cuda.grid(1)
    if i >= lengths.shape[0]:
        return
    target = math.exp(-lefts[i] / nearness)
    for turn in range(lengths[i] - 1, -1, -1):
        aims[i, turn] = target
        target = DIRECTNESS * target + (1 - DIRECTNESS) * chance_of(worths[i, turn])


@cuda.jit
def compare(patterns, aims, lengths, weights, batch, errors, counts):
    """Add up, for every weight, the errors of the positions of one batch it counts for."""
    thread = cuda.grid(1)
    i = thread // TURNS * BATCHES + batch
    turn = thread % TURNS
    if i >= lengths.shape[0] or turn >= lengths[i]:
        return
    at = patterns[i, turn]
    worth = 0.0
    for k in range(1, at[0] + 1):
        worth += weights[at[k]]
    error = aims[i, turn] - chance_of(worth)
    for k in range(1, at[0] + 1):
        cuda.atomic.add(errors, at[k], error)
        cuda.atomic.add(counts, at[k], 1.0)


@cuda.jit
def improve(weights, errors, counts, rate):
    """Move every weight by its mean error, shared among all that counted."""
    at = cuda.grid(1)
    if at >= weights.shape[0] or counts[at] == 0:
        return
    weights[at] += rate * errors[at] / (counts[at] + FEW) * SHARE * GRAIN
    errors[at] = 0
    counts[at] = 0


def learn(seats: int, seconds: float, seed: int, known: np.ndarray | None) -> np.ndarray:
    """The weights for a number of players; what is `known` already is only refined."""
    chances = np.random.default_rng(seed)
    give = cuda.to_device
    states = give(np.zeros(GAMES, the_game.STATE))
    weights, errors, counts = (give(np.zeros(WEIGHTS, np.float32)) for _ in range(3))
    begun = 0.0
    if known is not None:
        weights = give(known.astype(np.float32))
        begun = REFINING
    patterns = cuda.device_array((GAMES, TURNS, PATTERNS), np.int32)
    worths, aims = (cuda.device_array((GAMES, TURNS)) for _ in range(2))
    workspaces = give(
        np.zeros((WORKSPACE_ROWS, WORKSPACE_WIDTH, GAMES), np.int16)
    )  # threads side by side read side by side
    kept = give(np.zeros((2, SUM_CACHE_SIZE, GAMES), np.float32))
    turns = give(np.zeros((GAMES, 2, TURN), np.int64))
    best = give(np.zeros((GAMES, 1)))
    lengths, lefts = (give(np.zeros(GAMES, np.int64)) for _ in range(2))
    box, options = give(np.array(HANDS, np.int64)), give(np.array([2, 0, 0], np.int64))
    blocks = GAMES // THREADS
    started = told = time.time()
    generation = 0
    while (spent := begun + (1 - begun) * (time.time() - started) / seconds) < 1:
        nearness = next(value for until, value in NEARNESS if spent < until)
        seeds = give(chances.integers(1, 1 << 32, (GAMES, 4)))
        play[blocks, THREADS](
            states, seeds, seats, box, options, weights, patterns, worths, workspaces, kept, turns, best, lengths, lefts
        )
        if generation == 0:
            cuda.synchronize()
            started = time.time()  # compiling doesn't count
        aim[blocks, THREADS](worths, lengths, lefts, nearness, aims)
        rate = 1 - spent + 0.03
        for batch in chances.permutation(BATCHES):
            compare[GAMES // BATCHES * TURNS // THREADS, THREADS](
                patterns, aims, lengths, weights, int(batch), errors, counts
            )
            improve[(WEIGHTS + THREADS - 1) // THREADS, THREADS](weights, errors, counts, rate)
        generation += 1
        if time.time() - told > 15:
            told = time.time()
            left = lefts.copy_to_host()
            played = f"{generation * GAMES / 1e6:.1f} million games"
            result = f"{(left == 0).mean():.1%} won, {left.mean():.2f} cards left"
            sys.stderr.write(f"{seats} seats, {played}, {spent:.0%}: {result}\n")
    return weights.copy_to_host()


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn what positions of The Game are worth.")
    parser.add_argument("seats", help="numbers of players, with commas")
    parser.add_argument("--seconds", type=float, default=300, help="for each number of players")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--refine", action="store_true", help="go on with what the file has")
    parser.add_argument("--out", type=Path, default=TARGET)
    given = parser.parse_args()
    learnt: dict[str, np.ndarray] = dict(np.load(given.out)) if given.out.exists() else {}
    for seats in map(int, given.seats.split(",")):
        known = learnt.get(str(seats)) if given.refine else None
        weights = learn(seats, given.seconds, given.seed, known)
        learnt[str(seats)] = np.clip(np.rint(weights), -32000, 32000).astype(np.int16)
        np.savez_compressed(given.out, **learnt)


if __name__ == "__main__":
    main()
