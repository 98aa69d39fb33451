"""What the rules say to every move of a position at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.engine import dispatch
from nevel.engine.compiling import compiled


@compiled
def write_refusals(s: Any, seat: int, out: Any) -> None:
    """Write 0 for every legal move, for the others the number of the clause that forbids it."""
    for move in range(out.shape[0]):
        out[move] = dispatch.refusal(s, seat, move)  # pyright: ignore[reportUnknownMemberType]


def refusals(s: Any, seat: int) -> NDArray[np.int64]:
    """What is said to every move there is."""
    out = np.zeros(dispatch.rules_of(s).MOVES, np.int64)
    write_refusals(s, seat, out)
    return out
