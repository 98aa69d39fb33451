"""What every board gives: the values of its templates, `boards/GAME.html` and `boards/GAME-hand.html`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from nevel.games.telling import Event, Teller
from nevel.tables.view import TableView

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]

#: Every chair has a shape and, with it, a colour, so that colour alone never tells who is who.
SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class Board(ABC):
    """One game's board. Stateless: everything is asked about a view."""

    #: Whether it shows things that a view no longer has, and so has to be told what happened.
    looks_back: ClassVar[bool] = False

    def __init__(self, game: str) -> None:
        self.game = game

    @abstractmethod
    def draw(self, view: TableView, teller: Teller, doomed: Mapping[str, str]) -> Values:
        """The values of both templates. `doomed` are moves that can only lose, each with a sentence why."""

    def look_back(self, view: TableView, told: Sequence[Event], teller: Teller) -> Values:
        """What is shown of what happened before, from all that the viewer was told."""
        return {}

    @abstractmethod
    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[Values]:
        """What everybody sees of a player, for the strip of players: each an icon, a text and what it means."""

    def result(self, view: TableView, teller: Teller) -> Values:
        """What more there is to show when the game is over."""
        return {}


def fact(icon: str, text: object, title: str) -> Values:
    """Something about a player: a drawing, a short text, and what a screen reader says instead of both."""
    return {"icon": icon, "text": str(text), "title": title}
