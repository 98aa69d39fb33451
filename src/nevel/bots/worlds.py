"""An expert for any game: it imagines what others may hide, believes what fits their moves, and plays it out.

It needs no game's code besides the rules and policies (`nevel.bots.glances` makes some). Worlds are imagined where the
moves that can be followed back began, and the moves are made again in them: the less likely the others would have made
their moves there, the less likely that world is taken. How well the others play is imagined, too, so that it is
believed as far as it explains what they did: an expert that expects only good play is beaten by odd play.
"""

from typing import Any

import numpy as np

from nevel.bots.mind import Mind
from nevel.bots.policy import ALL_LEVELS, STRONG
from nevel.bots.world_sampling import SeenGame, sample
from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge


class WorldsMind(Mind):
    """Plays every legal move out in worlds that explain what others did."""

    scratch = 4

    def __init__(self) -> None:
        super().__init__(STRONG)

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
        past: Knowledge = knowledge
        seen = SeenGame(past.seat, past.states, past.movers, past.moves, as_bytes(past.states), as_bytes(scratch))
        # How everybody plays in the world that is tried, and in the one that is taken.
        levels = np.full((2, dispatch.MOST_SEATS), self.policy, np.int64)
        sample(scratch, seen, worlds, levels, ALL_LEVELS, plans, live, rng, out, totals)


def as_bytes(states: np.ndarray) -> np.ndarray:
    """The same records as rows of bytes, which can be compared."""
    return states.view(np.uint8).reshape(len(states), -1)
