"""Learns the weights of the Misty bots and writes them into `src/nevel/games/misty/bots/learnt.py`.

    python -m tuning.misty [minutes]

Players who go by the weights of `bots/worth.py` play rounds against each other; after each round the worth of every
window on the way is moved towards the worth one card later and the points it made in the end (TD(λ) on the positions
after a move). Every weight has a step of its own, which shrinks when its errors cancel out (temporal coherence).
A window and its mirror image are worth the same, so four weights are learnt as one. In the first half players now and
then do something at random, and think well of shapes they don't know: without that they settle for half a point less.

From rounds of finished players it then takes how far scores stray from what was expected, and how often how many
players share a round; the chance to win the game follows from that for every standing.
"""

import base64
import itertools
import sys
import time
import zlib
from pathlib import Path

import numpy as np

from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper
from nevel.game.box import Box
from nevel.games.misty import rules as misty
from nevel.games.misty.bots import worth as misty_worth
from nevel.games.misty.bots.mirroring import first_images, mirror_images
from nevel.games.misty.bots.simple import random_kind
from nevel.games.misty.bots.worth import PATTERNS, SHAPES, WEIGHTS, best_pick, worth
from nevel.games.misty.rules.table import ACTIVATING, PICK, PLACE, PLACING
from nevel.games.misty.rules.window import SPACES

TARGET = Path(misty_worth.__file__).with_name("learnt.py")
#: How much of the step towards the final score is taken directly, the rest by way of the next card.
DIRECTNESS = 0.5
#: What every shape of window is thought worth at first: more than it is, so that all are tried.
HOPE = 11.0
#: How often of a thousand times a player at first does something else than it thinks best.
MOST_CURIOUS = 60
#: Weights are kept as whole numbers of this part of a point.
GRAIN = 1000
SEED = (20, 26, 1, 2)


@helper
def random_pick(s, seat, rng):
    """Any card of the hand on any space."""
    kind = random_kind(s, seat, rng)
    if s.laid[seat] == 0:
        return kind, SPACES // 2
    while True:
        space = chance.below(rng, SPACES)
        if misty.space_refusal(s, seat, space) == 0:
            return kind, space


@helper
def play_round(s, weights, curiosity, rng, patterns, worths, scores):
    """One round between players who go by the weights, leaving what they saw after every card.

    Of `worths` the first row is what the best move promised, the second the move made. One in a thousand times
    `curiosity` they do something else, so that nothing is thought bad only because it was never tried.
    """
    number = s.round_number
    spaces = np.zeros(4, np.int64)
    while s.phase != ACTIVATING and s.round_number == number:
        for seat in range(s.seats):
            kind, space, points = best_pick(s, seat, weights, 0.0, s.chance)
            laid = s.laid[seat]
            worths[0, seat, laid] = points
            if laid + 1 < misty_worth.capacity(s):
                if chance.below(rng, 1000) < curiosity:
                    kind, space = random_pick(s, seat, rng)
                points = worth(s, seat, space, kind, weights, patterns[seat, laid])
            else:
                scores[seat] = int(points)
            worths[1, seat, laid] = points
            spaces[seat] = space
            s.chosen[seat] = 1
            s.choice[seat] = kind + 1
        s.chosen[s.seats - 1] = 0
        misty.apply(s, s.seats - 1, PICK + s.choice[s.seats - 1] - 1, None)
        if s.phase == PLACING:
            for seat in range(s.seats):
                misty.apply(s, seat, PLACE + spaces[seat], None)


@compiled
def learn(s, box, weights, errors, sizes, images, patterns, worths, rounds, curiosity, rng):
    """Play rounds of two to four players and learn from them; gives the mean score."""
    scores = np.zeros(4, np.int64)
    options = np.zeros(1, np.int64)
    total = 0.0
    windows = 0
    for _ in range(rounds):
        options[0] = chance.below(rng, 4) == 0
        chance.branch(s.chance, rng)
        misty.setup(s, 2 + chance.below(rng, 3), box, options, None)
        play_round(s, weights, curiosity, rng, patterns, worths, scores)
        capacity = 9 if options[0] else 12
        for seat in range(s.seats):
            if not options[0]:
                total += scores[seat]
                windows += 1
            aim = float(scores[seat])
            for laid in range(capacity - 2, -1, -1):
                promised = worths[0, seat, laid + 1]
                # What came of a whim says nothing about what came before it.
                is_whim = worths[1, seat, laid + 1] != promised
                aim = promised if is_whim else DIRECTNESS * aim + (1 - DIRECTNESS) * promised
                count = patterns[seat, laid, 0]
                error = aim - worths[1, seat, laid]
                for i in range(1, count + 1):
                    at = patterns[seat, laid, i]
                    step = abs(errors[at]) / sizes[at] if sizes[at] > 0 else 1.0
                    weights[at] += step * error / count
                    errors[at] += error
                    sizes[at] += abs(error)
                    for image in range(3):
                        other = images[at, image]
                        weights[other] = weights[at]
                        errors[other] = errors[at]
                        sizes[other] = sizes[at]
    return total / max(windows, 1)


@compiled
def survey(s, seats, is_beginners, box, weights, patterns, worths, rounds, rng, strays, shared):
    """Rounds between finished players: squares of errors by cards laid, and how often how many share a round."""
    scores = np.zeros(4, np.int64)
    options = np.full(1, is_beginners, np.int64)
    total = 0.0
    for _ in range(rounds):
        chance.branch(s.chance, rng)
        misty.setup(s, seats, box, options, None)
        play_round(s, weights, 0, rng, patterns, worths, scores)
        winners = 0
        for seat in range(seats):
            winners += scores[seat] == scores[:seats].max()
            total += scores[seat]
            for laid in range(9 if is_beginners else 12):
                strays[laid + 1] += (scores[seat] - worths[1, seat, laid]) ** 2
        shared[winners] += 1
    return total / rounds / seats


def standings(seats: int, shared: np.ndarray) -> np.ndarray:
    """The share of the game a player can expect, by own wins and by how many others have won a round."""
    chances = np.zeros((2, 4))
    share_of = shared / shared.sum()
    value: dict[tuple[int, ...], np.ndarray] = {}

    def expect(wins: tuple[int, ...]) -> np.ndarray:
        if max(wins) >= 2:
            won = np.array([n >= 2 for n in wins], float)
            return won / won.sum()
        if wins not in value:
            total = np.zeros(seats)
            for size in range(1, seats + 1):
                groups = list(itertools.combinations(range(seats), size))
                for group in groups:
                    after = tuple(n + (i in group) for i, n in enumerate(wins))
                    total += share_of[size] / len(groups) * expect(after)
            value[wins] = total
        return value[wins]

    for own in range(2):
        for others in range(seats):
            chances[own, others] = expect((own, *(int(i < others) for i in range(seats - 1))))[0]
    return chances


def write(weights: np.ndarray, strays: np.ndarray, chances: np.ndarray) -> None:
    """As text that Python reads back: weights packed, the rest as numbers."""
    firsts = np.unique(first_images())
    whole = np.clip(np.rint(weights[firsts] * GRAIN), -32768, 32767).astype("<i2")
    packed = base64.b85encode(zlib.compress(whole.tobytes(), 9)).decode()
    lines = [packed[i : i + 110] for i in range(0, len(packed), 110)]
    numbers = np.array2string(np.round(strays, 3), separator=", ", max_line_width=100)
    shares = np.array2string(np.round(chances, 4), separator=", ", max_line_width=100)
    text = f'''"""Learnt weights of the Misty bots. Written by `python -m tuning.misty`, not by hand."""

import base64
import zlib

import numpy as np

from nevel.games.misty.bots.mirroring import spread

# fmt: off

#: How far scores stray from what was expected (standard deviations), by variant and cards laid.
STRAYS = np.array({numbers})

#: The share of a game to expect between rounds, by seats, own wins and how many others have won a round.
STANDINGS = np.array({shares})

#: What patterns are worth, packed: one of each pattern and its mirror images, in parts of a point.
PACKED = (
{"".join(f'    "{line}"{chr(10)}' for line in lines)})
#: What every pattern is worth, in points.
WEIGHTS = spread(np.frombuffer(zlib.decompress(base64.b85decode(PACKED)), "<i2") / {GRAIN}).astype(np.float32)
'''
    TARGET.write_text(text, "utf-8")


def main(minutes: float) -> None:
    box = Box.of("misty").numbers
    s = dispatch.new_states(misty)[0]
    rng = np.array(SEED, np.int64)
    weights, errors, sizes = np.zeros(WEIGHTS), np.zeros(WEIGHTS), np.zeros(WEIGHTS)
    images = mirror_images()
    patterns, worths = np.zeros((4, 12, PATTERNS), np.int64), np.zeros((2, 4, 12))
    weights[SHAPES:] = HOPE
    started = time.monotonic()
    rounds = 0
    while (spent := (time.monotonic() - started) / 60 / minutes) < 1:
        curiosity = int(MOST_CURIOUS * max(0.0, 1 - 2 * spent))  # the second half is played in earnest
        mean = learn(s, box, weights, errors, sizes, images, patterns, worths, 20000, curiosity, rng)
        rounds += 20000
        sys.stdout.write(f"{rounds} rounds, {mean:.3f} points a window\n")
        sys.stdout.flush()
    strays, chances = np.zeros((2, 13)), np.zeros((5, 2, 4))
    for is_beginners in range(2):
        for seats in (2, 3, 4):
            shared = np.zeros(5)
            count = 6000
            mean = survey(
                s, seats, is_beginners, box, weights, patterns, worths, count, rng, strays[is_beginners], shared
            )
            sys.stdout.write(f"{seats} seats, beginners {is_beginners}: {mean:.3f} points, shared {shared.tolist()}\n")
            if not is_beginners:
                chances[seats] = standings(seats, shared)
        strays[is_beginners] = np.sqrt(strays[is_beginners] / (count * 9))
    write(weights, strays, chances)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
