"""Chooses a client's moves: at random, where a game doesn't bring a better choice (`TestingParts.choosing`)."""

import random
from collections.abc import Sequence


class Choosing:
    """Chooses for everybody at one table, at random. A subclass may know a game by the texts of its moves."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def begin(self) -> None:
        """Prepare for a new game."""

    def choose(self, moves: Sequence[str]) -> str:
        return self.chance.choice(moves)
