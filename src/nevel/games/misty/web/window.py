"""A Misty window as it is drawn: a grid of panes, in which cards, open spaces and outlines have their places."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nevel.game.event import Teller
from nevel.games.misty.box import drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.words import CardView, WindowView
from nevel.languages import Language, mark
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values

#: A window is so wide and high at the most, lying or standing (MI-T5); three by three for beginners (MI-V1).
SHAPES = ((4, 3), (3, 4))
BEGINNERS_SHAPES = ((3, 3),)
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ARROW_WORDS = {
    "up": mark("moves up"),
    "down": mark("moves down"),
    "left": mark("moves left"),
    "right": mark("moves right"),
}


class Space(NamedTuple):
    """A space of the frame, counted from the top left."""

    column: int
    row: int

    @classmethod
    def read(cls, name: str) -> "Space":
        return cls(ord(name[0]) - ord("a"), int(name[1]) - 1)

    def towards(self, arrow: str, steps: int = 1) -> "Space":
        x, y = STEPS[arrow]
        return Space(self.column + x * steps, self.row + y * steps)

    def __str__(self) -> str:
        return f"{'abcdefg'[self.column]}{self.row + 1}"


class Extent(NamedTuple):
    """A rectangle of spaces, from its first to its last."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, window: WindowView) -> "Extent":
        return cls(*Space.read(window.first), *Space.read(window.last))

    @classmethod
    def around(cls, spaces: Iterable[Space]) -> "Extent":
        columns, rows = zip(*spaces, strict=True)
        return cls(min(columns), min(rows), max(columns), max(rows))

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    def has(self, space: Space) -> bool:
        return self.left <= space.column <= self.right and self.top <= space.row <= self.bottom

    def fits(self, shape: tuple[int, int]) -> bool:
        return self.width <= shape[0] and self.height <= shape[1]

    def reach(self, shape: tuple[int, int]) -> "Extent":
        """All spaces that belong to some window of this shape in which this one fits."""
        width, height = shape
        return Extent(self.right - width + 1, self.bottom - height + 1, self.left + width - 1, self.top + height - 1)

    def wider(self) -> "Extent":
        """With one more space on every side."""
        return Extent(self.left - 1, self.top - 1, self.right + 1, self.bottom + 1)

    def within(self, other: "Extent") -> "Extent":
        """What two rectangles that overlap have in common."""
        return Extent(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def at(self, space: Space) -> str:
        """Where a space is in this rectangle, as classes: column and row from 1."""
        return f"c-{space.column - self.left + 1} r-{space.row - self.top + 1}"

    def holding(self, inner: "Extent") -> str:
        """Where a rectangle is in this one, as classes."""
        return f"{self.at(Space(inner.left, inner.top))} w-{inner.width} h-{inner.height}"


def shapes_of(is_beginners: bool) -> Sequence[tuple[int, int]]:
    return BEGINNERS_SHAPES if is_beginners else SHAPES


def reaches(extent: Extent, is_beginners: bool) -> list[Extent]:
    """How far a window can still grow: once lying, once standing, as far as either is still possible."""
    return [extent.reach(shape) for shape in shapes_of(is_beginners) if extent.fits(shape)]


def origin(card: CardView) -> Space:
    """Where a card was built: what it is known by."""
    space = Space.read(card.space)
    return space.towards(card.arrow, -1) if card.has_moved and card.arrow else space


def say_card(card: str, arrow: str | None, language: Language) -> str:
    """Rocket, moves up."""
    name = language.say(KIND_NAMES[card])
    return f"{name}, {language.say(ARROW_WORDS[arrow])}" if arrow else name


def name_of(card: CardView, seat: int) -> str:
    """What a card is called as long as it lies in somebody's window, wherever it moves."""
    return f"{seat}-{origin(card) if card.has_moved else card.space}"


def look_of(card: CardView, canvas: Extent, placed: str = "") -> str:
    """Where a card is drawn and how, as classes; `placed` is the space on which one was placed last."""
    look = canvas.at(Space.read(card.space))
    if card.is_covered:
        look = f"{look} is-covered{' is-above' if card.has_moved else ''}"
    return f"{look} is-latest" if card.space == placed else look


class Pane(Fragment, frozen=True):
    """A card in somebody's window, named after where it was built. `source` is where it comes from when it is new."""

    template = "misty/pane.html"
    kind: str
    #: Which way it still moves.
    arrow: str | None
    is_covered: bool
    is_latest: bool
    space: Text
    look: Text
    name: Text
    source: Text

    @classmethod
    def of(cls, card: CardView, look: str, name: str, source: str, is_latest: bool) -> "Pane":
        arrow = None if card.has_moved else card.arrow
        places = Text(card.space), Text(look), Text(name), Text(source)
        return cls(card.card, arrow, card.is_covered, is_latest, *places)

    @property
    def id(self) -> str:
        return f"card-{self.name}"

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {
            "kind": drawing_of(self.kind),
            "from": self.source,
            "says": self.say(teller),
        }

    def say(self, teller: Teller) -> str:
        """A3: rocket, moves up, covered."""
        said = teller.language.say_pair(self.space, say_card(self.kind, self.arrow, teller.language))
        if self.is_covered:
            said = ", ".join((said, teller.say(mark("covered"))))
        if self.is_latest:
            said = ", ".join((said, teller.say(mark("placed last"))))
        return said


def in_layers(window: WindowView) -> list[CardView]:
    """The cards of a window: what hasn't moved lies below what came to cover it."""
    return sorted(window.cards, key=lambda card: card.has_moved)


class Glass(Fragment, frozen=True):
    """A window as everybody sees it; `placed` is the space on which a card was placed last."""

    template = "misty/glass.html"
    #: Whose it is, and in which round.
    name: Text
    extent: Extent
    seat: Inner[int]
    window: Inner[WindowView]
    placed: Inner[str]

    @property
    def id(self) -> str:
        return f"glass-{self.name}"

    def parts(self) -> Parts:
        extent, seat, placed = self.extent, self.seat, self.placed
        return {
            "panes": tuple(
                [
                    Pane.of(
                        card, look_of(card, extent, placed), name_of(card, seat), f"seat-{seat}", card.space == placed
                    )
                    for card in in_layers(self.window)
                ]
            )
        }

    def fill(self, teller: Teller) -> Values:
        extent = self.extent
        return {"size": f"cols-{extent.width} rows-{extent.height}", "sash": extent.holding(extent)}
