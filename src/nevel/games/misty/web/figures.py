"""Misty's windows, drawn: before and after they are activated, or while they are built."""

from collections.abc import Mapping
from functools import cache

from nevel.game.box import Box
from nevel.web.help.figures import Cards, Figure, draw_cards
from nevel.web.help.ink import Ink

CELL = 58
EDGE = 22
COLUMNS = "abcdefg"


class Window(Figure, frozen=True, tag="window"):
    """A window of Misty, or a piece of one, before and after it is activated.

    A row is a line of cards; `.` is an empty space, `house+truck` a truck on a house. Spaces are a column's letter and
    a row's number, from `a1` at the top left.
    """

    rows: tuple[str, ...]
    moves: tuple[str, ...] = ()
    #: After the moves; where there is a score, also after the monsters have eaten.
    after: tuple[str, ...] = ()
    #: Cards that can't be moved then, with the clause that says so.
    refused: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
    score: int | None = None

    def draw(self, game: str) -> str:
        return draw_window(self, arrows_by_kind(game))


class Building(Figure, frozen=True, tag="building"):
    """A window in the making: where the next card may be placed, and where not."""

    rows: tuple[str, ...]
    fits: tuple[str, ...]
    refused: dict[str, str]

    def draw(self, game: str) -> str:
        return draw_building(self, arrows_by_kind(game))


class CardsWithArrows(Cards, frozen=True, tag="cards"):
    """A row of cards, each with its arrow if it has one."""

    def draw(self, game: str) -> str:
        return draw_cards(self.drawings, {f"misty-{kind}": arrow for kind, arrow in arrows_by_kind(game).items()})


class Grid:
    """A window somewhere in a figure."""

    def __init__(self, ink: Ink, x: float, rows: tuple[str, ...], arrows: Mapping[str, str]) -> None:
        self.ink = ink
        self.x = x
        self.cells = [row.split() for row in rows]
        self.arrows = arrows

    @property
    def width(self) -> float:
        return EDGE + CELL * len(self.cells[0])

    def centre(self, space: str) -> tuple[float, float]:
        """Where a space is, by its name."""
        column, row = COLUMNS.index(space[0]), int(space[1]) - 1
        return self.x + EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL

    def draw(self, shows_gaps: bool = True) -> None:
        """The cards and, at the edges, the letters and numbers of their spaces; a built window has gaps."""
        for column in range(len(self.cells[0])):
            self.ink.words(self.x + EDGE + (column + 0.5) * CELL, EDGE / 2, COLUMNS[column], 13, "muted")
        for row, line in enumerate(self.cells):
            self.ink.words(self.x + EDGE / 2, EDGE + (row + 0.5) * CELL, row + 1, 13, "muted")
            for column, kind in enumerate(line):
                x, y = self.centre(f"{COLUMNS[column]}{row + 1}")
                if kind == ".":
                    if shows_gaps:
                        self.ink.box(x, y, CELL - 6, CELL - 6, "empty muted", is_dashed=True)
                elif "+" in kind:
                    self.draw_stack(x, y, kind.split("+"))
                else:
                    self.draw_card(x, y, kind)

    def draw_card(self, x: float, y: float, kind: str) -> None:
        self.ink.box(x, y, CELL - 6, CELL - 6, "card")
        arrow = self.arrows[kind]
        self.ink.drawing(f"misty-{kind}", x, y - (5 if arrow else 0), 34)
        if arrow:
            self.ink.drawing(f"arrow-{arrow}", x, y + 18, 13, "arrow")

    def draw_stack(self, x: float, y: float, kinds: list[str]) -> None:
        """Cards on the same space wipe each other out."""
        self.ink.box(x, y, CELL - 6, CELL - 6, "card blurred")
        for i, kind in enumerate(kinds):
            self.ink.drawing(f"misty-{kind}", x - 8 + 14 * i, y - 6 + 10 * i, 28, "blurred")


def draw_window(figure: Window, arrows: Mapping[str, str]) -> str:
    """A window before and after; the small numbers are the order in which cards move."""
    width = EDGE + CELL * len(figure.rows[0].split())
    has_changed = figure.after != figure.rows
    score_width = 54 if figure.score is not None else 0
    ink = Ink((2 * width + 36 if has_changed else width) + score_width + 4, EDGE + CELL * len(figure.rows) + 4)
    before = Grid(ink, 0, figure.rows, arrows)
    before.draw()
    for number, space in enumerate(figure.moves, 1):
        x, y = before.centre(space)
        ink.words(x - 20, y - 18, number, 12, "order")
    middle = EDGE + CELL * len(figure.rows) / 2
    if has_changed:
        ink.drawing("arrow-right", width + 18, middle, 26, "muted")
        after = Grid(ink, width + 36, figure.after, arrows)
        after.draw()
        for space in figure.refused:
            x, y = after.centre(space)
            ink.drawing("cross", x + 18, y - 18, 16, "refused")
    if figure.score is not None:
        ink.words(ink.width - score_width / 2, middle, f"= {figure.score}", 20, "score")
    return ink.svg("window")


def draw_building(figure: Building, arrows: Mapping[str, str]) -> str:
    """A window in the making, with what may and may not be chosen."""
    ink = Ink(EDGE + CELL * len(figure.rows[0].split()) + 4, EDGE + CELL * len(figure.rows) + 4)
    grid = Grid(ink, 0, figure.rows, arrows)
    grid.draw(shows_gaps=False)
    for space in figure.fits:
        x, y = grid.centre(space)
        ink.box(x, y, CELL - 6, CELL - 6, "played", is_dashed=True)
        ink.drawing("check", x, y, 24, "played")
    for space in figure.refused:
        column, row = COLUMNS.index(space[0]), int(space[1]) - 1
        x, y = grid.centre(space)
        is_free = grid.cells[row][column] == "."
        ink.drawing("cross", *((x, y) if is_free else (x + 18, y - 18)), 24 if is_free else 16, "refused")
    return ink.svg("building")


@cache
def arrows_by_kind(game: str) -> dict[str, str]:
    """Where the cards of each kind move, by this game's box."""
    cards: dict[str, dict[str, str]] = Box.of(game).content["cards"]
    return {kind: card["arrow"] for kind, card in cards.items()}
