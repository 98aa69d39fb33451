"""What one seat knows of a game: the position as far as it may see it, now and before every move."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.rules import any_game, chance
from nevel.rules.compiling import compiled

#: A move the seat didn't see when it was made.
HIDDEN = -1


class Knowledge(NamedTuple):
    """Everything a seat is entitled to. Nothing else of a game ever reaches a bot.

    `states` are positions with everything erased that the seat couldn't know at that moment: one before each move, and
    the present one last. `movers` and `moves` are who moved and how.
    """

    seat: int
    states: np.ndarray
    movers: NDArray[np.int64]
    moves: NDArray[np.int64]

    @property
    def state(self) -> Any:
        """The present position."""
        return self.states[-1]


@compiled
def remember(states, seat, movers, moves, keys):
    """Play a game again from `states[0]`, leaving before every move, and at the end, what the seat saw of it.

    A row of `keys` that isn't zero is the key its move drew its chance from. Hidden moves of others are wiped out.
    """
    for i in range(moves.shape[0]):
        states[i + 1] = states[i]
        s = states[i + 1]
        any_game.conceal(states[i], seat)
        if keys[i, 0] or keys[i, 1] or keys[i, 2] or keys[i, 3]:
            chance.key(s.chance, keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3])
        is_hidden = movers[i] != seat and any_game.is_secret(s, moves[i])
        any_game.apply(s, movers[i], moves[i], None)
        if is_hidden:
            moves[i] = HIDDEN
    any_game.conceal(states[moves.shape[0]], seat)
