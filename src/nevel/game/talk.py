"""Limits on what players may say in the chat while a game is played."""

from typing import TYPE_CHECKING, NamedTuple

from nevel.game.clause import Clause

if TYPE_CHECKING:
    from collections.abc import Callable

    from nevel.game.game import Game


class TalkRule(NamedTuple):
    """Bounds on chat: numbers that may not be told, and when nobody may say anything."""

    #: Refuses a message in which a number can be read.
    numbers: Clause
    #: The clause by which nobody may say anything now, or None.
    silence: "Callable[[Game], Clause | None]"
