"""What every board gives: the values of its templates, `boards/GAME.html` and `boards/GAME-hand.html`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct

from nevel.games.game import Game
from nevel.games.telling import Event, Teller
from nevel.rules.tracing import EVERYONE
from nevel.tables.view import TableView

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]

#: Every chair has a shape and, with it, a colour, so that colour alone never tells who is who.
SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class Fact(Struct, frozen=True):
    """Something about a player: a drawing, a short text, and what a screen reader says instead of both."""

    icon: str
    text: str
    title: str


def fact(icon: str, text: object, title: str) -> Fact:
    return Fact(icon, str(text), title)


class Board(ABC):
    """One game's board. Stateless: everything is asked about a view."""

    def __init__(self, game: str) -> None:
        self.game = game

    @abstractmethod
    def draw(
        self, view: TableView, teller: Teller, doomed: Mapping[str, str], suffix: str = "", recalled: Any = None
    ) -> Values:
        """The values of both templates. `doomed` are moves that can only lose, each with a sentence why; `suffix` is
        what the names of a hand's elements end with where there are several hands; `recalled` is what `recall` gave,
        where there is a past.
        """

    def recall(self, told: Iterator[Event], is_over: bool) -> Any:
        """What is needed of what everybody was told, newest first: read once for all who look."""
        return None

    def look_back(self, view: TableView, recalled: Any, teller: Teller) -> Values:
        """What is shown of what a view no longer has."""
        return {}

    @abstractmethod
    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[Fact]:
        """What everybody sees of a player, for the strip of players: each an icon, a text and what it means."""

    def result(self, view: TableView, teller: Teller) -> Values:
        """What more there is to show when the game is over."""
        return {}


def newest_first(game: Game) -> Iterator[Event]:
    """What happened, as far as everybody may know, from now back to the beginning."""
    for events in chain((entry.events for entry in reversed(game.log)), (game.opening,)):
        for audience, event in reversed(events):
            if audience == EVERYONE:
                yield event
