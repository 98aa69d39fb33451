"""What a game may tell the kit about itself, so that more of it can be checked. All of it may be missing."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from nevel.crowd.choosing import Choosing
from nevel.game.registry import find
from nevel.game.spec import GameSpec


class TestingParts(NamedTuple):
    """What `GameSpec.testing` names."""

    #: No test, though its name begins like one: Pytest leaves it alone.
    __test__ = False

    #: How many pieces of each kind a record of the rules has, wherever they lie: the same from the deal to the end.
    #: It may also refuse records that contradict themselves, with an assertion.
    conserved: Callable[[Any], Sequence[int]] | None = None
    #: By (seats, seed): how many lines of one, two, … moves there are from that deal, hints aside.
    perft: Mapping[tuple[int, int], Sequence[int]] = {}
    #: Moves made in the open by which others learn nothing but that they were made, whatever is drawn: `end turn`.
    quiet_moves: frozenset[str] = frozenset()
    #: The clauses by which a game can end, and whether somebody wins by them.
    ends: Mapping[str, bool] = {}
    #: More moves than a game of so many players can take, hints aside, where that can be said closer than
    #: `GameSpec.longest_game`.
    most_moves: Callable[[int], int] | None = None
    #: The seed of the recorded game, where the usual one is dull.
    golden_seed: int = 1
    #: How the clients of a load test choose moves, where a game of random ones ends before it has begun.
    choosing: Callable[[random.Random], Choosing] = Choosing


NOTHING = TestingParts()


def parts_of(spec: GameSpec) -> TestingParts:
    """What a game tells the kit; nothing, if it names no such part."""
    return spec.load("testing") if spec.testing else NOTHING


def choosing_for(game: str, chance: random.Random) -> Choosing:
    """How the clients of a load test choose the moves of a game."""
    return parts_of(find(game)).choosing(chance)
