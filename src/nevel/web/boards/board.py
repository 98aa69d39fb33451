"""What every board gives: the values of its templates, `boards/GAME.html` and `boards/GAME-hand.html`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from nevel.games.game import Game
from nevel.games.telling import Event, Teller
from nevel.rules.tracing import EVERYONE
from nevel.tables.view import TableView

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]

#: Every chair has a shape and, with it, a colour, so that colour alone never tells who is who.
SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class Board(ABC):
    """One game's board. Stateless: everything is asked about a view."""

    def __init__(self, game: str) -> None:
        self.game = game

    @abstractmethod
    def draw(self, view: TableView, teller: Teller, doomed: Mapping[str, str]) -> Values:
        """The values of both templates. `doomed` are moves that can only lose, each with a sentence why."""

    def look_back(self, view: TableView, told: Iterator[Event], teller: Teller) -> Values:
        """What is shown of what a view no longer has. `told` is all the viewer was told, newest first."""
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


def newest_first(game: Game, seat: int | None) -> Iterator[Event]:
    """What happened, as far as a seat (None: everyone) may know, from now back to the beginning."""
    audiences = (EVERYONE, EVERYONE if seat is None else seat)
    for events in chain((entry.events for entry in reversed(game.log)), (game.opening,)):
        for audience, event in reversed(events):
            if audience in audiences:
                yield event
