"""The tuned numbers of The Game's bots, read from the file that `python -m tuning.the_game` writes."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import tomllib
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.engine.compiling import IS_COMPILED
from nevel.engine.dispatch import rules_of
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.judgement import STEP
from nevel.games.the_game.rules import extreme

FILE = "numbers.toml"
CONTENT = tomllib.loads((files("nevel.games.the_game.bots") / FILE).read_text("utf-8"))


def table(name: str) -> NDArray[np.int64]:
    """The numbers for The Game and Extreme, and for one to five players."""
    rows = [CONTENT[game][name] for game in ("the-game", "extreme")]
    return np.rint(np.array(rows) * STEP).astype(np.int64)


#: For players who see each other's cards, in imagined worlds.
OPEN_NUMBERS = table("open")
#: For players who only hear what the others say.
STRONG_NUMBERS = table("strong")


def is_extreme(s: Any) -> Any:
    """1 for a record of Extreme, 0 for one of The Game."""
    return int(rules_of(s) is extreme)


if IS_COMPILED:
    from nevel.engine.compiling import INLINED_OPTIONS, overload
    from nevel.engine.dispatch import rules_of_type

    @overload(is_extreme, jit_options=INLINED_OPTIONS)
    def _is_extreme(s):
        number = int(rules_of_type(s) is extreme)
        assert number or rules_of_type(s) is the_game

        def constant(s):
            return number

        return constant
