"""What every board gives: the values of its game's templates, `board.html` and `hand.html`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar

from msgspec import Struct

from nevel.engine.tracing import EVERYONE
from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.tables.views.view import TableView
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]

#: Every chair has a shape and, with it, a colour, so that colour alone never tells who is who.
SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class SeatFact(Struct, frozen=True):
    """Something about a player: a drawing, a short text, and what a screen reader says instead of both."""

    icon: str
    text: str
    title: str


def fact(icon: str, text: object, title: str) -> SeatFact:
    return SeatFact(icon, str(text), title)


class MistLook(Struct, frozen=True):
    """How a replay shows what could be known of hidden cards."""

    #: What the cards that nobody holds are called.
    deck: str
    #: The drawing of a card begins with this and a hyphen.
    icons: str = ""
    #: What cards are called, by their notation.
    names: dict[str, str] = {}
    #: The lowest and highest card, where cards are numbers and shown as one large grid.
    numbers: tuple[int, int] | None = None
    #: Whether cards are shown where they can't be, too: the same few in every hand.
    shows_impossible: bool = False


class Board(ABC):
    """One game's board. Stateless: everything is asked about a view."""

    #: The figures its rules pages may have, as a union of structs (`nevel.web.help.figures`).
    figures: ClassVar[Any] = Cards
    #: What a step of its guide may point at: the names in `data-point`, each with what it is.
    guide_points: ClassVar[dict[str, str]] = COMMON_POINTS
    #: How a replay shows what could be known; None where nothing is worked out.
    mist: ClassVar[MistLook | None] = None
    #: What a puzzle shows besides the hand: the shared board, and what stands beside it.
    puzzle_parts: ClassVar[frozenset[str]] = frozenset({"board"})

    def __init__(self, game: str) -> None:
        self.game = game

    def warm(self) -> None:  # noqa: B027 - most boards have nothing to compile
        """Compile what drawing needs, when a server starts."""

    def is_own_card(self, game: Game, card: int, seat: int) -> bool:
        """Whether a card that isn't hidden is in this seat's hand; asked where cards are numbers."""
        return False

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
    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[SeatFact]:
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


def board_of(game: str) -> Board:
    """The board of a game."""
    board = find(game).load("board")
    assert isinstance(board, Board), board
    return board
