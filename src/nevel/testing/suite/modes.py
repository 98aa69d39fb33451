"""Checks that one rulebook plays the same at every speed. Run as a program, prints the games that are compared."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from nevel.engine.compiling import IS_COMPILED
from nevel.game.registry import find
from nevel.languages import mark
from nevel.testing.check import check, fail, skip
from nevel.testing.refusals import refusals
from nevel.testing.subject import Subject, rekey

#: Moves of each game that are compared: interpreted rules take their time.
MOVES = 60
PATIENCE_SECONDS = 600


@check(mark("Interpreted and compiled rules play the same games"), is_slow=True)
def interpreted_equals_compiled(subject: Subject) -> None:
    """The same games are played in a process with NUMBA_DISABLE_JIT=1: every position, refusal, concealed and imagined
    record and observation is the same to the byte.

    They differ where code means something else to Numba: an integer that overflows, a name of a NumPy method as a
    field, a division of negative numbers, something written outside of an array.
    """
    if not IS_COMPILED:
        skip(mark("the rules are already interpreted here"))
    interpreted = subprocess.run(
        [sys.executable, "-m", "nevel.testing.suite.modes", subject.name],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    if interpreted.returncode:
        fail(f"interpreted rules fail: {interpreted.stderr[-2000:]}")
    for ours, theirs in zip(lines_of(subject), interpreted.stdout.splitlines(), strict=True):
        if ours != theirs:
            fail(f"compiled: {ours}\ninterpreted: {theirs}")


def lines_of(subject: Subject) -> Iterator[str]:
    """Some games, each move with digests of what the rules make of it."""
    rules = subject.spec.rules
    width = sum(length for _, length in rules.OBSERVATION)
    for seats, options in subject.few_tables:
        dice = subject.dice(("modes", seats, options))
        game = subject.new(seats, dice.getrandbits(64), options)
        # What bots decide isn't compared here, so nothing of theirs is asked for.
        for moment in subject.play(game, dice, is_sensible=False):
            where = f"{seats} {options} {len(moment.log)} {moment.log[-1].move if moment.log else 'dealt'}"
            yield f"{where} {moment.fingerprint()} {moment.outcome}"
            if len(moment.log) % 8 == 0 or moment.is_over:
                seat = dice.randrange(seats)
                out: Any = np.zeros(width, np.int64)
                rules.observe(moment.state, seat, out)
                twin = moment.copy()
                rules.conceal(twin.state, seat)
                concealed = twin.state.tobytes()
                rekey(twin, dice)
                rules.imagine(twin.state, seat)
                parts = out.tobytes(), concealed, twin.state.tobytes(), refusals(moment.state, seat).tobytes()
                yield f"{where} {' '.join(map(digest, parts))}"
            if len(moment.log) >= MOVES:
                break


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=6).hexdigest()


if __name__ == "__main__":
    for line in lines_of(Subject(find(sys.argv[1]))):
        sys.stdout.write(line + "\n")
