"""What the levels do at a glance, for whichever game a record belongs to, in the compiled subset."""

from collections.abc import Sequence

from nevel.bots import (
    misty,
    misty_levels,
    the_game,
    the_game_levels,
    the_game_talk,
    what_the_fog,
    what_the_fog_beginner,
    what_the_fog_strong,
)
from nevel.rules import extreme as extreme_rules
from nevel.rules import misty as misty_rules
from nevel.rules import the_game as the_game_rules
from nevel.rules import what_the_fog as what_the_fog_rules
from nevel.rules.any_game import game_of
from nevel.rules.compiling import IS_COMPILED, IS_FOR_GPU, helper

RANDOM, SIMPLE, BEGINNER, CASUAL, STRONG = range(5)
POLICIES = {"random": RANDOM, "simple": SIMPLE, "beginner": BEGINNER, "casual": CASUAL, "strong": STRONG}


#: Given to the functions below, all levels are compiled into them; None leaves only the two yardsticks, which makes a
#: first simulation start several times sooner.
ALL_LEVELS = True


def levels_in(policies: Sequence[int]) -> bool | None:
    """What to compile for these policies."""
    return None if max(policies) <= SIMPLE else ALL_LEVELS


@helper
def move_in_what_the_fog(s, seat, policy, lanes, levels):
    if levels is not None:
        if policy == BEGINNER:
            return what_the_fog_beginner.beginner_move(s, seat, lanes)
        if policy == STRONG:
            return what_the_fog_strong.strong_move(s, seat, lanes)
    if policy == RANDOM:
        return what_the_fog.random_move(s, seat, lanes)
    # A casual player judges by averages, as the simple yardstick does.
    return what_the_fog.simple_move(s, seat)


@helper
def level_in_the_game(s, seat, policy, lanes):
    """The levels of The Game and of Extreme are the same."""
    if policy == BEGINNER:
        return the_game_levels.beginner_move(s, seat, lanes)
    if policy == CASUAL:
        return the_game_levels.casual_move(s, seat, lanes)
    return the_game_levels.strong_move(s, seat, lanes)


@helper
def move_in_the_game(s, seat, policy, lanes, levels):
    if levels is not None and policy > SIMPLE:
        return level_in_the_game(s, seat, policy, lanes)
    if policy == RANDOM:
        return the_game.random_move(s, seat, lanes)
    return the_game.simple_move(s, seat)


@helper
def move_in_extreme(s, seat, policy, lanes, levels):
    if levels is not None and policy > SIMPLE:
        return level_in_the_game(s, seat, policy, lanes)
    if policy == RANDOM:
        return the_game.random_move(s, seat, lanes)
    return the_game.simple_extreme_move(s, seat)


@helper
def move_in_misty(s, seat, policy, lanes, levels):
    if levels is not None:
        if policy == BEGINNER:
            return misty_levels.beginner_move(s, seat, lanes)
        if policy == CASUAL:
            return misty_levels.casual_move(s, seat, lanes)
        if policy == STRONG:
            return misty_levels.strong_move(s, seat, lanes)
    if policy == RANDOM:
        return misty.random_move(s, seat, lanes)
    return misty.simple_move(s, seat)


@helper
def hint_in_the_game(s, seat, policy, lanes, levels):
    if levels is not None and policy >= CASUAL:
        return the_game_talk.next_hint(s, seat, policy == CASUAL)
    return -1


@helper
def no_hint(s, seat, policy, lanes, levels):
    return -1


MOVE_IN = {
    what_the_fog_rules: move_in_what_the_fog,
    the_game_rules: move_in_the_game,
    extreme_rules: move_in_extreme,
    misty_rules: move_in_misty,
}
HINT_IN = {
    what_the_fog_rules: no_hint,
    the_game_rules: hint_in_the_game,
    extreme_rules: hint_in_the_game,
    misty_rules: no_hint,
}


def move(s, seat, policy, lanes, levels):
    """What the policy would do in this seat, with `lanes` for its own chance; -1 to wait for another seat."""
    return MOVE_IN[game_of(s)](s, seat, policy, lanes, levels)


def hint(s, seat, policy, lanes, levels):
    """What the policy would say now in this seat, asked or not; -1 for nothing."""
    return HINT_IN[game_of(s)](s, seat, policy, lanes, levels)


if IS_COMPILED or IS_FOR_GPU:
    from nevel.rules.any_game import BY_RECORD
    from nevel.rules.compiling import INLINED_OPTIONS, as_written, overload

    @overload(move, jit_options=INLINED_OPTIONS)
    def _move(s, seat, policy, lanes, levels):
        return as_written(MOVE_IN[BY_RECORD[s]])

    @overload(hint, jit_options=INLINED_OPTIONS)
    def _hint(s, seat, policy, lanes, levels):
        return as_written(HINT_IN[BY_RECORD[s]])
