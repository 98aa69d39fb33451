"""What has happened at a table, one fact after the other. A table's log is nothing else, and a table is nothing more.

Facts hold people by their opaque ids; names and what people said are kept apart, where they can be deleted.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from nevel.game.event import hyphenated
from nevel.tables.domain.pace import Pace

#: What the links are for that a host hands out.
LinkPurpose = Literal["invitation", "spectator", "screen"]


class Fact(Struct, frozen=True, kw_only=True, tag_field="fact", tag=hyphenated, omit_defaults=True):
    """Something that happened at a table."""

    #: The id of the command it follows from, so that a repeat is answered the same after a restart and elsewhere too.
    #: Of several facts it is the last that bears it.
    command: str = ""


class Prelude(Struct, frozen=True, forbid_unknown_fields=True):
    """What was played elsewhere before: how it was dealt, and every move with the key its chance was drawn with."""

    seed: str
    moves: list[tuple[int, str, str | None]]
    names: list[str] = []


class Opened(Fact, frozen=True):
    """A table was opened: for which game, how it is played, and what its chance is bound to."""

    game: str
    chairs: int
    options: dict[str, int]
    pace: Pace
    stand_in: str  # the level of bots that play for people who left or sleep
    host: str
    commitment: str
    is_public: bool = False
    box: dict[str, Any] | None = None
    #: Chairs kept for people of the game before.
    reserved: dict[int, str] = {}
    #: A game that was brought along, to be looked at or gone on with.
    prelude: Prelude | None = None
    #: Whether everything can be taken back, and nothing counts.
    is_practice: bool = False
    #: How the cards are drawn; see `dealing`. Tables of older versions say nothing.
    dealing: int = 1


class Seated(Fact, frozen=True):
    """A person took a chair and added randomness of their own."""

    chair: int
    person: str
    contribution: str


class Promised(Fact, frozen=True):
    """A person promised a part of the shuffle, by its hash."""

    chair: int
    promise: str


class Shuffling(Fact, frozen=True):
    """The table is locked, and the parts that were promised are asked for."""


class Contributed(Fact, frozen=True):
    """A person showed the part of the shuffle they had promised."""

    chair: int
    part: str


class BotSeated(Fact, frozen=True):
    """A bot took a chair before the game."""

    chair: int
    level: str


class Vacated(Fact, frozen=True):
    """A chair became empty before the game: its person left or was removed, or its bot was removed."""

    chair: int
    is_kicked: bool = False


class HostChanged(Fact, frozen=True):
    """Another person became the host."""

    person: str


class LinksRenewed(Fact, frozen=True):
    """Links were taken back and others are valid: those the host hands out for these purposes, or that of a chair."""

    purposes: list[LinkPurpose] = []
    chair: int | None = None


class TermsChanged(Fact, frozen=True):
    """The host changed variants, pace or stand-ins before the game."""

    options: dict[str, int]
    pace: Pace
    stand_in: str


class GameStarted(Fact, frozen=True, tag="started"):
    """The cards were dealt. `after` is the fingerprint of the position."""

    after: str
    #: What they were dealt from, where it doesn't follow from the log any more: somebody's part of it was erased.
    seed: str = ""


class MovePlayed(Fact, frozen=True, tag="played"):
    """A move or a hint, the key its chance was drawn with, and the fingerprint of the position it led to."""

    chair: int
    move: str
    key: str
    after: str
    is_bot: bool = False


class BotTookOver(Fact, frozen=True):
    """A bot plays for a person who left, sleeps or ran out of time."""

    chair: int
    reason: str


class Reclaimed(Fact, frozen=True):
    """A person came back to their chair."""

    chair: int


class UndoAsked(Fact, frozen=True):
    """Somebody would like to take back their last move."""

    chair: int


class UndoAnswered(Fact, frozen=True):
    """Somebody agreed to that, or not."""

    chair: int
    is_agreed: bool


class Undone(Fact, frozen=True):
    """A move was taken back, somebody's last; `seq` is the row it stands in."""

    seq: int
    #: Whether everything after it was taken back too.
    and_after: bool = False


class Closed(Fact, frozen=True):
    """Everybody left before the game began, or the host put the table away."""


class Rematched(Fact, frozen=True):
    """The same people can meet again at another table."""

    table: str


AnyFact = (
    Opened
    | Seated
    | Promised
    | Shuffling
    | Contributed
    | BotSeated
    | Vacated
    | HostChanged
    | LinksRenewed
    | TermsChanged
    | GameStarted
    | MovePlayed
    | BotTookOver
    | Reclaimed
    | UndoAsked
    | UndoAnswered
    | Undone
    | Closed
    | Rematched
)


def named_in(fact: AnyFact) -> tuple[str, ...]:
    """The people whose ids stand in a fact, but for that of whoever asked for it, who sits there or is the host."""
    match fact:
        case Opened():
            return (fact.host, *fact.reserved.values())
        case Seated() | HostChanged():
            return (fact.person,)
        case _:
            return ()


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyFact)


def write(fact: AnyFact) -> str:
    """Encode a fact as JSON for the log."""
    return _encoder.encode(fact).decode()


def read(text: str) -> AnyFact:
    """Decode a fact from the log."""
    return _decoder.decode(text)
