"""Fits the chance to win What the Fog?! by a lead in points, from games of the strong level against itself.

After a round the chance to win is taken to be exp(total / temperature), each player's as a share of all players'. The
temperature of every number of seats and rounds is the one under which the simulated games are likeliest.

    python -m tuning.what_the_fog

writes src/nevel/games/what_the_fog/bots/tuning.py.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import nevel.games.what_the_fog.bots
from nevel.bots import policy
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled
from nevel.game.box import Box
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.table import ROUNDS

GAMES = 4000
SEED = 20
CANDIDATES = np.arange(1.0, 20.0, 0.1)
TARGET = Path(nevel.games.what_the_fog.bots.__file__).with_name("tuning.py")

FILE = '''"""Made by `python -m tuning.what_the_fog`: edit nothing here."""

import numpy as np

#: By seats and rounds played: how many points of difference make a player e times as likely to win.
TEMPERATURES = np.array(
    [
{rows}
    ]
)
'''


@compiled
def play(states, seats, box, options, out, totals, wins):
    """Play games of the strong level, noting every player's total after each round and who won."""
    s = states[0]
    for game in range(wins.shape[0]):
        chance.branch(s.chance, states[1].chance)
        dispatch.setup(s, seats, box, options, None)
        waiting = dispatch.waiting(s)
        while waiting:
            seat = 0
            while not waiting >> seat & 1:
                seat += 1
            dispatch.apply(s, seat, policy.move(s, seat, policy.STRONG, states[1].chance, True), None)
            waiting = dispatch.waiting(s)
        dispatch.outcome(s, out)
        for seat in range(seats):
            wins[game, seat] = out[seat, 1]
            total = 0
            for number in range(ROUNDS):
                total += s.sheet[seat, number, 2]
                totals[game, number, seat] = total


def likeliest(totals: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    """The temperature under which these totals make these victories likeliest."""

    def likelihood(temperature: float) -> float:
        logits = totals / temperature
        logits = logits - logits.max(1, keepdims=True)
        chances = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        return float((shares * chances).sum())

    return float(max(CANDIDATES, key=likelihood))


def temperatures(seats: int) -> list[float]:
    states = dispatch.new_states(what_the_fog, 2)
    chance.key(states[1].chance, SEED, seats, 0, 0)
    totals = np.zeros((GAMES, ROUNDS, seats))
    wins = np.zeros((GAMES, seats))
    out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
    play(states, seats, Box.of("what-the-fog").numbers, np.zeros(1, np.int64), out, totals, wins)
    shares = wins / wins.sum(1, keepdims=True)
    return [1.0] + [round(likeliest(totals[:, number], shares), 1) for number in range(ROUNDS - 1)]


def main() -> None:
    fewest, most = what_the_fog.SEATS
    rows = [[1.0] * ROUNDS] * fewest + [temperatures(seats) for seats in range(fewest, most + 1)]
    TARGET.write_text(FILE.format(rows="\n".join(f"        {row}," for row in rows)), "utf-8")


if __name__ == "__main__":
    main()
