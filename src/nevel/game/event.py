"""Events of a game and how they become sentences in a language, with the players' names."""

import re
from collections.abc import Sequence

from msgspec import Struct

from nevel.engine.tracing import EVERYONE
from nevel.game.staging import Step
from nevel.languages import Language, mark


class Teller:
    """Writes sentences about a game in one language, with the names of its players."""

    def __init__(self, language: Language, names: Sequence[str] = ()) -> None:
        self.language = language
        self.names = names
        #: Bound here because they are called for every sentence.
        self.say = language.say
        self.say_count = language.say_count

    def name(self, seat: int) -> str:
        """What the player in a seat is called."""
        if seat < len(self.names):
            return self.names[seat]
        return self.language.say(mark("Player {number}"), number=seat + 1)

    def list_names(self, seats: Sequence[int]) -> str:
        return self.language.say_list(self.name(seat) for seat in seats)


def hyphenated(name: str) -> str:
    """A class name as it is written in JSON: TurnEnded becomes turn-ended."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Event(Struct, frozen=True, tag_field="event", tag=hyphenated):
    """Something that happened in a game. Subclasses have its facts and the sentence for it."""

    @property
    def sound(self) -> str:
        """The name of its sound, where that isn't the one of its class."""
        return ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """How it is shown on the board; most events need no more than the board as it is then."""
        return ()

    @property
    def told_otherwise_to(self) -> int | None:
        """The seat that another event tells the same, as “you”: nobody reads of themselves as of somebody else."""
        return None

    def tell(self, teller: Teller) -> str:
        """A sentence about it."""
        raise NotImplementedError


class ChosenInSecret(Event, frozen=True):
    """Somebody has chosen what others may not see; what it is, another event tells them alone."""

    seat: int

    @property
    def told_otherwise_to(self) -> int:
        return self.seat


def is_told_to(seat: int | None, audience: int, event: Event) -> bool:
    """Whether somebody reads the sentence about an event: it isn't kept from this seat, nor told to it otherwise."""
    return audience in (EVERYONE, seat) and (seat is None or event.told_otherwise_to != seat)


class TraceRow(Struct, frozen=True):
    """One row of the trace the rules write: a kind of event, who may know of it (-1: everyone), and its facts."""

    kind: int
    audience: int
    facts: tuple[int, ...]
