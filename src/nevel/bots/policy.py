"""Policies: compiled functions by which the levels of any game move without searching."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from nevel.engine import dispatch
from nevel.engine.compiling import IS_COMPILED, IS_FOR_GPU, helper
from nevel.game.registry import by_rules

if TYPE_CHECKING:
    from nevel.bots.mind import Mind

RANDOM, SIMPLE, BEGINNER, CASUAL, STRONG = range(5)
POLICIES = {"random": RANDOM, "simple": SIMPLE, "beginner": BEGINNER, "casual": CASUAL, "strong": STRONG}


#: Given to the functions below, all levels are compiled into them; None leaves only the two yardsticks, which makes a
#: first simulation start several times sooner.
ALL_LEVELS = True


def levels_in(policies: Sequence[int]) -> bool | None:
    """What to compile for these policies."""
    return None if max(policies) <= SIMPLE else ALL_LEVELS


@helper
def no_hint(s, seat, policy, rng, levels):
    """Say nothing: the hint of every game without hints."""
    return -1


@helper
def no_appeal(s, seat, move, policy):
    """Every move looks the same."""
    return 0.0


@helper
def no_prospect(s, seat):
    """Nothing is known of a position before the game is over."""
    return -1.0


class GameBots(NamedTuple):
    """The bots of one game: the policies of its levels, and the mind of its expert.

    A game that only says how moves look gets its levels from `nevel.bots.glances` and its expert from
    `nevel.bots.worlds`.
    """

    #: `move(s, seat, policy, rng, levels)`, compiled: the number of a move, or -1 to wait for another seat.
    move: Callable[..., Any]
    expert: "Mind"
    #: The same for hints; -1 to say nothing.
    hint: Callable[..., Any] = no_hint
    #: `appeal(s, seat, move, policy)`, compiled: how good a legal move looks to a level, a floating-point number.
    appeal: Callable[..., Any] = no_appeal
    #: `prospect(s, seat)`, compiled: the seat's chance to win, from 0 to 1, right after something was drawn by chance;
    #: -1 where only playing on can tell.
    prospect: Callable[..., Any] = no_prospect


def bots_of(rules: ModuleType) -> GameBots:
    """The bots of the game whose rules these are."""
    bots = by_rules(rules).load("bots")
    assert isinstance(bots, GameBots), bots
    return bots


def move(s: Any, seat: Any, policy: Any, rng: Any, levels: Any) -> Any:
    """The move of a policy in this seat, with `rng` for its own random numbers; -1 to wait for another seat."""
    return bots_of(dispatch.rules_of(s)).move(s, seat, policy, rng, levels)


def hint(s: Any, seat: Any, policy: Any, rng: Any, levels: Any) -> Any:
    """The hint a policy would give now in this seat, asked or not; -1 for none."""
    return bots_of(dispatch.rules_of(s)).hint(s, seat, policy, rng, levels)


def appeal(s: Any, seat: Any, move: Any, policy: Any) -> Any:
    """How good a legal move looks to a level of whichever game the record belongs to."""
    return bots_of(dispatch.rules_of(s)).appeal(s, seat, move, policy)


def prospect(s: Any, seat: Any) -> Any:
    """The seat's chance to win at a glance, or -1."""
    return bots_of(dispatch.rules_of(s)).prospect(s, seat)


def count_moves(s: Any) -> Any:
    """How many moves the game has, legal or not."""
    return dispatch.rules_of(s).MOVES


if IS_COMPILED or IS_FOR_GPU:
    from nevel.engine.compiling import INLINED_OPTIONS, as_written, overload

    @overload(move, jit_options=INLINED_OPTIONS)
    def _move(s, seat, policy, rng, levels):
        return as_written(bots_of(dispatch.rules_of_type(s)).move)

    @overload(hint, jit_options=INLINED_OPTIONS)
    def _hint(s, seat, policy, rng, levels):
        return as_written(bots_of(dispatch.rules_of_type(s)).hint)

    @overload(appeal, jit_options=INLINED_OPTIONS)
    def _appeal(s, seat, move, policy):
        return as_written(bots_of(dispatch.rules_of_type(s)).appeal)

    @overload(prospect, jit_options=INLINED_OPTIONS)
    def _prospect(s, seat):
        return as_written(bots_of(dispatch.rules_of_type(s)).prospect)

    @overload(count_moves, jit_options=INLINED_OPTIONS)
    def _count_moves(s):
        moves = dispatch.rules_of_type(s).MOVES
        return lambda s: moves
