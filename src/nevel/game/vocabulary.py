"""The interface every game implements in words: options, questions, views and events."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import Layout, LazyRecord, Position
from nevel.languages import SpokenError, mark


class OptionError(SpokenError):
    """An option or number of seats the game doesn't have."""

    def __init__(self, game: str, name: str, value: object, allowed: Sequence[object]) -> None:
        known = ", ".join(str(item) for item in allowed)
        super().__init__(
            mark("{game}: {name} is {value}; choose from {known}."), game=game, name=name, value=value, known=known
        )
        self.game = game
        self.name = name
        self.value = value
        self.allowed = tuple(allowed)


class UnknownOptionError(SpokenError):
    """The name of an option the game doesn't have."""

    def __init__(self, game: str, name: str, known: Sequence[str]) -> None:
        message = mark("{game} has no option {name}; it has {known}.")
        super().__init__(message, game=game, name=name, known=", ".join(known))
        self.name = name


class Option(msgspec.Struct, frozen=True):
    """A choice made before the game: its values, the usual one first, and the clause it comes from."""

    name: str
    values: tuple[int, ...]
    clause: str
    title: str
    #: What games were played with that were saved before the option existed; None for an option that was always there.
    formerly: int | None = None
    #: Whether results of games with another than the usual value aren't added to the others.
    counts_apart: bool = False

    def read(self, game: str, value: object) -> int:
        """The value, if the option has it. Yes and no are 1 and 0."""
        if isinstance(value, int) and int(value) in self.values:
            return int(value)
        raise OptionError(game, self.name, value, self.values)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat may see, field by field. `you` is None for a spectator."""

    game: str
    seats: int
    you: int | None
    waiting_for: list[int]
    is_over: bool


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: by which clause, with how many points per seat, and for whom it is a victory."""

    clause: str
    points: list[int]
    winners: list[int]


class Prompt(msgspec.Struct, frozen=True):
    """Who is asked what, and all answers the rules allow."""

    seat: int
    question: str
    message: str
    moves: tuple[str, ...]

    def sentence(self, teller: Teller) -> str:
        """The question as it is put to the player."""
        return teller.say(self.message)


class Vocabulary(ABC):
    """The words of one game. Stateless: every question is about a position."""

    name: ClassVar[str]
    rules: ClassVar[ModuleType]
    moves: ClassVar[Moves]
    options: ClassVar[tuple[Option, ...]]
    view_type: ClassVar[type[View]]
    #: What a player is asked, by question.
    questions: ClassVar[dict[str, str]]
    #: Fields that were added to the record when games had been saved: its last ones, and 0 in all of those games.
    later_fields: ClassVar[tuple[str, ...]] = ()
    #: Fields that were made longer then: how many entries they had before, in their last dimension; the others are 0.
    lengthened: ClassVar[Mapping[str, int]] = {}

    def read_options(self, given: Mapping[str, object]) -> dict[str, int]:
        """All options of the game: those given, the others as usual."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise UnknownOptionError(self.name, name, tuple(known))
        return {
            option.name: option.read(self.name, given.get(option.name, option.values[0])) for option in self.options
        }

    def recall_options(self, saved: Mapping[str, int]) -> dict[str, int]:
        """The options of a saved game, which may be older than some of them."""
        formerly = {option.name: option.formerly for option in self.options if option.formerly is not None}
        return {**saved, **{name: value for name, value in formerly.items() if name not in saved}}

    def options_apart(self, options: Mapping[str, int]) -> list[Option]:
        """The options by which a game isn't counted with the others."""
        apart = [option for option in self.options if option.counts_apart]
        return [option for option in apart if options.get(option.name, option.values[0]) != option.values[0]]

    def option_numbers(self, options: Mapping[str, int]) -> NDArray[np.int64]:
        """The options as the rules take them."""
        return np.array([options[option.name] for option in self.options], np.int64)

    def check_seats(self, seats: int) -> None:
        low, high = self.rules.SEATS
        if not low <= seats <= high:
            raise OptionError(self.name, "seats", seats, tuple(range(low, high + 1)))

    def is_hint(self, move: Move) -> bool:
        """Whether a move only says something: legal for seats nobody waits for."""
        return False

    def wish_to_start(self, s: Position, seat: int) -> int:
        """How strongly a seat has hinted that it would like to take the first turn."""
        return 0

    def has_private_moves(self, s: Position) -> bool:
        """Whether `is_still_private` can be true at all in this position."""
        return False

    def is_still_private(self, s: Position, seat: int, move: Move) -> bool:
        """Whether nobody has seen a seat's last move and nothing others have done since depends on it.

        No such move draws anything.
        """
        return False

    def kept_by(self, move: Move) -> str | None:
        """The clause by which a move is never taken back, if there is one."""
        return None

    @cached_property
    def layout(self) -> Layout:
        first_hint = self.rules.MOVES - len(self.hint_numbers)
        return Layout(self.rules.STATE, self.rules.MOVES, first_hint, self.later_fields, self.lengthened)

    @cached_property
    def hint_numbers(self) -> frozenset[int]:
        """The moves that only say something: the last ones."""
        return frozenset(move.number for move in self.moves.all if self.is_hint(move))

    @abstractmethod
    def question(self, s: Position, seat: int) -> str:
        """Which of `questions` is put to a seat that is waited for."""

    @abstractmethod
    def describe(self, move: Move, teller: Teller) -> str:
        """A move as an invitation: what a button or a numbered choice says."""

    def view(self, s: Position, seat: int | None) -> View:
        """What a seat may see; None is a spectator."""
        if s.common is None:
            s.common = self.common_view(s)
        if seat is None:
            return self.view_type(**s.common, you=None)
        return self.view_type(**{**s.common, **self.own_view(s, seat, s.common)}, you=seat)

    @abstractmethod
    def common_view(self, s: Position) -> dict[str, Any]:
        """The fields of a spectator's view, but for `you`: what everybody may see. Put together once for all seats."""

    @abstractmethod
    def own_view(self, s: Position, seat: int, common: dict[str, Any]) -> dict[str, Any]:
        """The fields that are different for a seat: what it may see besides."""

    @abstractmethod
    def events(self, rows: Sequence[TraceRow], before: LazyRecord) -> list[tuple[int, Event]]:
        """What happened, each with who may know of it. `before` is the position it happened in."""

    @abstractmethod
    def tell_outcome(self, outcome: Outcome, teller: Teller) -> str:
        """The end of the game in a sentence or two."""


def group_rows(rows: Sequence[TraceRow], together: Mapping[int, int]) -> list[list[TraceRow]]:
    """Rows that tell one event together: same kind, same audience, and the same first `together[kind]` facts."""
    if len(rows) == 1:  # as after most moves
        return [[rows[0]]]
    groups: list[list[TraceRow]] = []
    for row in rows:
        last = groups[-1][0] if groups else None
        width = together.get(row.kind)
        if (
            last is not None
            and width is not None
            and (last.kind, last.audience, last.facts[:width]) == (row.kind, row.audience, row.facts[:width])
        ):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups
