"""Chooses a client's move: a random one, but of cards for rising and falling piles the one that leaves most room.

At random such a game is lost after a dozen cards, and a load of it would be mostly tables that begin.
"""

import random
from collections.abc import Sequence

RISING, FALLING = "up", "down"
FIRST, LAST = 1, 100
END_TURN = "end turn"


class Choosing:
    """Chooses for everybody at one table, and remembers what was played there."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.tops = dict[str, int]()

    def choose(self, moves: Sequence[str]) -> str:
        if moves[-1] == END_TURN:
            return END_TURN
        if not moves[0].startswith("play "):
            return self.chance.choice(moves)
        move = min(moves, key=self.cost)
        _, card, pile = move.split()
        self.tops[pile] = int(card)
        return move

    def cost(self, move: str) -> int:
        """By how much a card shortens its pile; less than nothing for a trick back."""
        _, card, pile = move.split()
        if pile.startswith(RISING):
            return int(card) - self.tops.get(pile, FIRST)
        return self.tops.get(pile, LAST) - int(card)
