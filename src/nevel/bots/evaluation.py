"""What a bot thinks of a position: a worth for every move, and how sure it is."""

from typing import NamedTuple


class Budget(NamedTuple):
    """How long to think: until this many play-outs or this many seconds, whichever comes first."""

    playouts: int | None = None
    seconds: float | None = None


class Choice(NamedTuple):
    """One legal move as a bot sees it."""

    move: int
    #: The chance to win the game after it, from 0 to 1.
    value: float
    #: The standard error of that chance.
    error: float
    #: The points to expect: cards left (negative), points, rounds won, as the game counts its result.
    points: float
    playouts: int


class Evaluation(NamedTuple):
    """Every legal move, the best first."""

    choices: tuple[Choice, ...]
    playouts: int
    #: False if the search was stopped before its budget was spent.
    is_complete: bool

    @property
    def best(self) -> Choice:
        return self.choices[0]
