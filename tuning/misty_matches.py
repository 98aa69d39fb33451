"""Measures the Misty levels against each other: the same deals for every seating, seats rotated.

    python -m tuning.misty_matches SEATS GAMES LEVEL OTHERS [seconds | playouts like 400p] [beginners]

One chair is LEVEL's, the others are OTHERS'; the level's chair goes round the table. A shared win counts by shares.
"""

import sys
import time
from typing import Any

import numpy as np

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.box import Box
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.table import ACTIVATING


class Match:
    """One game between bots, each shown only what its seat may know."""

    def __init__(self, bots: list[Bot], deal: int, is_beginners: bool) -> None:
        self.bots = bots
        self.states = dispatch.new_states(misty, 2)
        self.state: Any = self.states[0]
        self.moves = 0
        self.scores: list[list[int]] = []
        chance.key(self.state.chance, deal, 1, 2, 3)
        misty.setup(self.state, len(bots), Box.of("misty").numbers, np.array([int(is_beginners)]), None)

    def knowledge(self, seat: int) -> Knowledge:
        """The present position only: no level of this game looks back. Its length keys the bots' own chance."""
        self.states[1] = self.states[0]
        misty.conceal(self.states[1], seat)
        blank = np.zeros(self.moves, np.int64)
        return Knowledge(seat, self.states[1:2].copy(), blank, blank)

    def play(self) -> list[float]:
        """Each seat's share of the game."""
        s = self.state
        while seats := int(misty.waiting(s)):
            seat = (seats & -seats).bit_length() - 1
            move = self.bots[seat].move(self.knowledge(seat))
            number, is_last = int(s.round_number), s.phase == ACTIVATING
            misty.apply(s, seat, move, None)
            self.moves += 1
            if is_last and (s.round_number != number or not misty.waiting(s)):
                self.scores.append(s.score[: len(self.bots)].tolist())
        won = np.array([wins >= 2 for wins in s.wins[: len(self.bots)]], float)
        return (won / won.sum()).tolist()


def main(seats: int, games: int, level: str, others: str, budget: Budget, is_beginners: bool) -> None:
    shares: list[float] = []
    points: tuple[list[int], list[int]] = ([], [])
    started = time.monotonic()
    for number in range(games):
        chair = number % seats
        names = [others] * seats
        names[chair] = level
        bots = [Bot(name, seed=1000 * number + seat, budget=budget) for seat, name in enumerate(names)]
        match = Match(bots, number // seats + 1, is_beginners)
        shares.append(match.play()[chair])
        for scores in match.scores:
            points[0].append(scores[chair])
            points[1].extend(score for seat, score in enumerate(scores) if seat != chair)
        if number + 1 == games or (number + 1) % 50 == 0:
            error = np.std(shares) / len(shares) ** 0.5
            sys.stdout.write(
                f"{level} v {others}, {seats} seats, {number + 1} games: {np.mean(shares):.3f} +- {error:.3f}; "
                f"windows {np.mean(points[0]):.2f} v {np.mean(points[1]):.2f}; {time.monotonic() - started:.0f} s\n"
            )
            sys.stdout.flush()


def read_budget(text: str) -> Budget:
    return Budget(playouts=int(text[:-1])) if text.endswith("p") else Budget(seconds=float(text))


if __name__ == "__main__":
    main(
        int(sys.argv[1]),
        int(sys.argv[2]),
        sys.argv[3],
        sys.argv[4],
        read_budget(sys.argv[5]) if len(sys.argv) > 5 else Budget(seconds=0.1),
        len(sys.argv) > 6,
    )
