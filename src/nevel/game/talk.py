"""Limits on what players may say in the chat while a game is played."""

import re
from typing import TYPE_CHECKING, NamedTuple

from nevel.game.clause import Clause

if TYPE_CHECKING:
    from collections.abc import Callable

    from nevel.game.game import Game


class TalkRule(NamedTuple):
    """Bounds on chat: numbers that may not be told, what tells them without naming them, and when all are silent.

    Numbers are those from 2 to 99, in digits or in words (`nevel.tables.referee`).
    """

    #: Refuses a message in which a number can be read.
    numbers: Clause
    #: The clause by which nobody may say anything now, or None.
    silence: "Callable[[Game], Clause | None]"
    #: What tells a number now without naming it, or None: a pattern for small letters without accents.
    telling: "Callable[[Game], re.Pattern[str] | None]" = lambda _: None
    #: Number words that count something everybody sees, as in “the third pile”: a pattern for the same letters.
    harmless: re.Pattern[str] | None = None
