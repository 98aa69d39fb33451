"""A command: what somebody asks of a table, and what every command may need to know before it decides."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from nevel.game.event import hyphenated
from nevel.game.game import Game
from nevel.languages import mark
from nevel.tables.domain.chair import Chair
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.refusals import MalformedError, NotAllowedError, WrongTimeError
from nevel.tables.domain.table import OPEN, PLAYING, Table

#: Rows after which a table does nothing any more but come to its end: several times as many as the longest games have
#: with much that is said and taken back. Whoever opens the table plays all of them again.
MOST_ROWS = 5_000


class Asker(NamedTuple):
    """Who asks, and what else the answer depends on."""

    person: str
    #: Whether a person hasn't been seen for a while: then others may let a bot play for them.
    is_asleep: Callable[[str], bool] = lambda _: False
    #: Their name for this very command, by which a repeat is recognised; none when it is empty.
    command_id: str = ""

    @property
    def command(self) -> str:
        """What the log calls this command."""
        return f"{self.person}:{self.command_id}" if self.command_id else ""


class Command(Struct, frozen=True, tag_field="command", tag=hyphenated, forbid_unknown_fields=True):
    """Something a person asks."""

    #: Whether it is done even at a table with `MOST_ROWS`: what a game needs to come to its end.
    is_essential: ClassVar[bool] = False
    #: Whether it takes so long that it is decided on another thread than everything else.
    is_slow: ClassVar[bool] = False

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        """The facts that follow. Raises a TableError when it can't be done."""
        raise NotImplementedError


def decide_once(command: Command, table: Table, asker: Asker) -> Sequence[AnyFact]:
    """The facts that follow from a command, the last of them with its id; none when the log has it already."""
    name = asker.command
    if table.answer_to(name) is not None:
        return []
    if table.seq >= MOST_ROWS and not command.is_essential:
        raise WrongTimeError(mark("So much has happened at this table that you can only finish the game."))
    new = command.decide(table, asker)
    if not new or new[-1].command == name:
        return new
    return [*new[:-1], table.sign(new[-1], name)]


def own_chair(table: Table, asker: Asker, chair: int | None) -> int:
    """The chair somebody means; they needn't say which when they have only one."""
    if chair is not None and 0 <= chair < len(table.chairs) and table.chairs[chair].person == asker.person:
        return chair
    own = table.chairs_of(asker.person)
    if chair is None and len(own) == 1:
        return own[0]
    raise NotAllowedError(mark("That is not your chair."))


def any_chair(table: Table, chair: int) -> Chair:
    if not 0 <= chair < len(table.chairs):
        raise MalformedError(mark("There is no chair {chair} at this table."), chair=chair + 1)
    return table.chairs[chair]


def need_open(table: Table) -> None:
    if table.phase != OPEN:
        raise WrongTimeError(mark("The game has already started."))
    if table.is_shuffling:
        raise WrongTimeError(mark("The cards are being shuffled."))


def need_playing(table: Table) -> Game:
    if table.phase == OPEN:
        raise WrongTimeError(mark("The game hasn't started yet."))
    if table.phase != PLAYING or table.game is None:
        raise WrongTimeError(mark("The game is over."))
    return table.game


def need_host(table: Table, asker: Asker) -> None:
    if asker.person != table.host:
        raise NotAllowedError(mark("Only the host can do that."))
