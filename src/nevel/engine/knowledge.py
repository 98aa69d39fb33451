"""What one seat may know of a game: its concealed positions, now and before every move."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled

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


class Past(NamedTuple):
    """A game as it really was: every position from the deal on, and which moves drew by chance.

    Everything is in it: what is made of it has to be concealed for somebody before anything else looks at it.
    """

    states: np.ndarray
    movers: NDArray[np.int64]
    moves: NDArray[np.int64]
    drew: NDArray[np.bool_]


@compiled
def replay(states: Any, movers: Any, moves: Any, keys: Any, drew: Any):
    """Replay a game from `states[0]`, writing every position; `drew` gets which moves used the random generator."""
    for i in range(moves.shape[0]):
        states[i + 1] = states[i]
        s = states[i + 1]
        if keys[i, 0] or keys[i, 1] or keys[i, 2] or keys[i, 3]:
            chance.key(s.chance, keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3])
        first, second, third, fourth = s.chance[0], s.chance[1], s.chance[2], s.chance[3]
        dispatch.apply(s, movers[i], moves[i], None)
        is_as_it_was = s.chance[0] == first and s.chance[1] == second and s.chance[2] == third
        drew[i] = not (is_as_it_was and s.chance[3] == fourth)


@compiled
def redraw(states: Any, seat: Any, mover: Any, move: Any, is_hidden_too: Any, rng: Any):
    """Make a move again with other random numbers, to see what a seat might have seen instead; starts at `states[0]`.

    Every further record gets what could have come of it, concealed for the seat. `is_hidden_too`: what the seat
    couldn't know before the move is drawn again as well.
    """
    for i in range(1, states.shape[0]):
        states[i] = states[0]
        s = states[i]
        if is_hidden_too:
            dispatch.conceal(s, seat)
        chance.branch(s.chance, rng)
        if is_hidden_too:
            dispatch.imagine(s, seat)
        dispatch.apply(s, mover, move, None)
        dispatch.conceal(s, seat)


@compiled
def remember(states: Any, seat: Any, movers: Any, moves: Any, keys: Any):
    """Replay a game from `states[0]`, writing what the seat knew before every move and at the end.

    A row of `keys` that isn't zero is the key its move drew its chance from. Hidden moves of others are wiped out.
    """
    for i in range(moves.shape[0]):
        states[i + 1] = states[i]
        s = states[i + 1]
        dispatch.conceal(states[i], seat)
        if keys[i, 0] or keys[i, 1] or keys[i, 2] or keys[i, 3]:
            chance.key(s.chance, keys[i, 0], keys[i, 1], keys[i, 2], keys[i, 3])
        is_hidden = movers[i] != seat and dispatch.is_secret(s, moves[i])
        dispatch.apply(s, movers[i], moves[i], None)
        if is_hidden:
            moves[i] = HIDDEN
    dispatch.conceal(states[moves.shape[0]], seat)
