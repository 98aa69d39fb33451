"""How a game's board is written: it turns what one viewer sees into fragments, plain values each with a template.

A board has one call, `Board.draw(look)`, which returns `BoardParts`: for every place of the page a tuple of fragments.
This is all there is to know:

    class Cup(Fragment, frozen=True):
        template = "liars-dice/cup.html"  # in the game's folder web/templates
        seat: int
        dice: tuple[int, ...]

        @property
        def id(self) -> str:
            return f"cup-{self.seat}"

        def fill(self, teller: Teller) -> Values:
            label = teller.say_count("{count} die", "{count} dice", len(self.dice))
            return {"name": teller.name(self.seat), "dice": self.dice, "label": label}

    class Cups(Fragment, frozen=True):
        template = "liars-dice/cups.html"
        element = "cups"
        dice: Inner[tuple[tuple[int, ...], ...]]

        def parts(self) -> Parts:
            return {"cups": tuple([Cup(seat, dice) for seat, dice in enumerate(self.dice)])}

- **Fields are plain values**: numbers, texts, frozen structs, tuples of these. Nothing in them is words yet. What can't
  be hashed, such as a list, may be among them where it rarely changes: it is drawn anew for every page.
- **`fill` finds the words**, in the viewer's language, and gives the template its values; without it a template is
  given the fields. It reads nothing but the fields and the teller. A name (`teller.name`) may be put anywhere, but not
  looked at, sorted by or cut.
- **The template** is minijinja, escaped as HTML: `{{ say("…") }}` for words that never change,
  `{% from "parts.html" import icon, seat %}` for drawings and the shapes of seats, `sheet` for where all drawings are.
  It begins with one element that has the fragment's id: `<li id="{{ id }}">`.
- **A fragment with an id is sent alone when its fields change**; everybody gets what changed for them and nothing else.
  Set `element = "pot"` where there is one of a kind, or write `id` where there are several. A fragment without an id is
  sent with the one around it.
- **Fragments may have fragments**: `parts` gives them by the names under which the template places them (`{{ cups }}`),
  always the same names. The template looks no further into them than whether there are any. Fields from which nothing
  but parts are made are declared as `Inner`: while they stay the same, no part is made or compared.
- **What is different at nearly every table** and isn't a name, such as a list of moves, may be declared as `Text`,
  several of the kind as `Texts`: the template shows each, or asks whether it is empty; `fill` may put them into a
  sentence.
- **What is made of a few plain values**, as one of many piles, may be a function with `@made_once` (`fragment`).
- **What was told and isn't in the position** any more, such as the last bid, is remembered by a `Memory`, which is told
  every public event once (`Board.remember`), and found in `look.memory`.
- **Moves** are buttons: `<button name="move" value="bid 3 5">`, exactly as the game writes them, offered when they are
  in `look.moves`. `is-target` is the class of what can be pressed on the board. `look.doomed` says which can only lose.
- **What is marked now**, such as the card played last, is a class in `BoardParts.marks`: it stands around the board,
  and nothing is drawn anew for a style (`.latest-3 #card-3`). `.waits-SEAT` stands there for whoever is waited for.
- **Motion**: an element with `data-card="x"` travels from where x was before; what is new comes from the element with
  the `data-place` that its `data-from` names. What happened is staged by steps that events name, which find places by
  id or `data-place` (docs/stagings.md). `data-point` names what a guide points at (`guide_points`).
- **Nobody is drawn what they don't know**, because `look.board` is all there is to draw from.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec import Struct

from nevel.engine.tracing import EVERYONE
from nevel.game.event import Event, Teller
from nevel.game.game import Entry, Game
from nevel.game.registry import find
from nevel.game.vocabulary import View
from nevel.tables.domain.table import OVER, PLAYING
from nevel.tables.views.view import PlayView
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.fragment import Fragment

NOTHING: Mapping[str, str] = {}

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
    #: The drawings of those cards of which it doesn't.
    drawings: dict[str, str] = {}
    #: What cards are called, by their notation.
    names: dict[str, str] = {}
    #: The lowest and highest card, where cards are numbers and shown as one large grid.
    numbers: tuple[int, int] | None = None
    #: Whether cards are shown where they can't be, too: the same few in every hand.
    shows_impossible: bool = False


class Look:
    """What a board is drawn from: what one viewer sees of a game, and where it is shown."""

    def __init__(
        self,
        play: PlayView,
        phase: str = PLAYING,
        *,
        is_screen: bool = False,
        memory: Any = None,
        doomed: Mapping[str, str] = NOTHING,
        suffix: str = "",
        is_replay: bool = False,
    ) -> None:
        assert play.board is not None
        #: The game as its viewer sees it, what they are asked and may say, and whether they may take back a move.
        self.board: View = play.board
        self.prompt = play.prompt
        self.hints = play.hints
        self.undo = play.undo
        self.is_playing = phase == PLAYING
        self.is_over = phase == OVER
        #: Whether it is shown to all, on a screen that nobody plays at.
        self.is_screen = is_screen
        #: What `Board.remember` gave, after everything that everybody was told.
        self.memory = memory
        #: Moves that can only lose, each with a sentence why.
        self.doomed = doomed
        #: What the ids in a hand end with where several hands are shown, as in a replay.
        self.suffix = suffix
        #: Whether a finished game is shown again: nobody is asked, and no result stands beside the board.
        self.is_replay = is_replay

    @cached_property
    def moves(self) -> frozenset[str]:
        """All moves the viewer may make now."""
        return frozenset(self.prompt.moves) if self.prompt else NO_MOVES


NO_MOVES = frozenset[str]()


class Memory(ABC):
    """What a board remembers of what everybody was told, from the beginning of the game."""

    @abstractmethod
    def take(self, event: Event) -> None:
        """Something happened after all that was taken before."""


class Recollection:
    """Tells a memory what happened since it was asked last; from the beginning after something was taken back."""

    __slots__ = ("_board", "_count", "_last", "_memory")

    def __init__(self, board: "Board") -> None:
        self._board = board
        self._memory: Memory | None = None
        self._count = 0
        self._last: Entry | None = None

    def of(self, game: Game) -> Memory | None:
        """The memory of everything that happened in a game so far."""
        log = game.log
        is_older = len(log) < self._count or (self._count > 0 and log[self._count - 1] is not self._last)
        if self._memory is None or is_older:
            self._memory, self._count = self._board.remember(), 0
            self._take(game.opening)
        for at in range(self._count, len(log)):
            self._take(log[at].events)
        self._count, self._last = len(log), log[-1] if log else None
        return self._memory

    def _take(self, events: Sequence[tuple[int, Event]]) -> None:
        if self._memory is not None:
            for audience, event in events:
                if audience == EVERYONE:
                    self._memory.take(event)


Fragments = tuple[Fragment, ...]


class BoardParts(Struct, frozen=True):
    """A board as fragments, by the place of the page where they stand."""

    #: What all share, above; what is the viewer's own, below it.
    shared: Fragments = ()
    hand: Fragments = ()
    #: Beside the board, above the story.
    side: Fragments = ()
    #: When the game is over: what belongs to the result, and what can be read at length under it.
    result: Fragments = ()
    rounds: Fragments = ()
    #: Classes of the element around the board: what is marked on it, such as the card that was played last.
    marks: tuple[str, ...] = ()
    #: Whether nobody may say anything now.
    is_silent: bool = False
    #: Whether a game that was lost was still a good one.
    is_good: bool = False


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
    def draw(self, look: Look) -> BoardParts:
        """The board as one viewer sees it."""

    def remember(self) -> Memory | None:
        """An empty memory, for boards that show more than the position."""
        return None

    @abstractmethod
    def seat_facts(self, board: View, seat: int, teller: Teller) -> list[SeatFact]:
        """What everybody sees of a player, for the strip of players: each an icon, a text and what it means."""


def recall(game: Game) -> Memory | None:
    """What the board of a game remembers of all that happened in it."""
    return Recollection(board_of(game.name)).of(game)


def board_of(game: str) -> Board:
    """The board of a game."""
    board = find(game).load("board")
    assert isinstance(board, Board), board
    return board
