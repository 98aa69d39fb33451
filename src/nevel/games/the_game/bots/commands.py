"""What commands add to the cost of laying a card in Extreme; nothing in The Game, which has none."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from typing import Any

from nevel.engine.compiling import IS_COMPILED, inlined
from nevel.engine.dispatch import rules_of
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.extreme_turn import COMMANDS

#: Where the numbers of commands begin: laying each of them, then covering each.
LAYING = 16
COVERING = LAYING + COMMANDS
NUMBERS = COVERING + COMMANDS


@inlined
def laying_a_command(s, card, numbers):
    command = s.command[card]
    return numbers[LAYING + command - 1] if command else 0


@inlined
def covering_a_command(s, card, numbers):
    command = s.command[card]
    return numbers[COVERING + command - 1] if command else 0


@inlined
def no_command(s, card, numbers):
    return 0


def laying(s: Any, card: Any, numbers: Any) -> Any:
    """What it costs to lay this card for what it commands."""
    return laying_a_command(s, card, numbers) if rules_of(s) is extreme else 0


def covering(s: Any, card: Any, numbers: Any) -> Any:
    """What it costs to cover this card for what it commands; negative where that is a relief."""
    return covering_a_command(s, card, numbers) if rules_of(s) is extreme else 0


if IS_COMPILED:
    from nevel.engine.compiling import INLINED_OPTIONS, overload
    from nevel.engine.dispatch import rules_of_type

    @overload(laying, jit_options=INLINED_OPTIONS)
    def _laying(s, card, numbers):
        return laying_a_command if rules_of_type(s) is extreme else no_command

    @overload(covering, jit_options=INLINED_OPTIONS)
    def _covering(s, card, numbers):
        return covering_a_command if rules_of_type(s) is extreme else no_command
