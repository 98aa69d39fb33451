"""A player that sees one seat: it gets a concealed state and answers with a move."""

import hashlib
from typing import Any

import numpy as np

from nevel.bots import policy
from nevel.bots.policy import POLICIES
from nevel.rules import chance
from nevel.rules.compiling import compiled


@compiled
def decide(s, seat, number, lanes):
    """The policy's move for whichever game the record belongs to."""
    return policy.move(s, seat, number, lanes)


class UnknownBotError(ValueError):
    """A name that is no bot's."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown bot {name!r}; known are {', '.join(POLICIES)}")
        self.name = name


class Bot:
    """One chair's bot, with chance of its own: the same seed plays the same."""

    def __init__(self, name: str, seed: int = 0) -> None:
        if name not in POLICIES:
            raise UnknownBotError(name)
        self.name = name
        self.lanes = np.zeros(chance.LANES, np.int64)
        digest = hashlib.blake2b(str(seed).encode(), digest_size=16, person=b"nevel bot").digest()
        chance.key(self.lanes, *(int(word) for word in np.frombuffer(digest, "<u4")))

    def move(self, concealed: Any, seat: int) -> int | None:
        """The number of the move it makes, or None to wait for another seat."""
        number = int(decide(concealed, seat, POLICIES[self.name], self.lanes))
        return None if number < 0 else number
