"""A table as environments show it: blocks of cells, each with a word, a number and a drawing, for text and pixels."""

from collections.abc import Callable
from typing import NamedTuple

from nevel.game.registry import find
from nevel.game.vocabulary import View
from nevel.lab.observations import Meanings

SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class Cell(NamedTuple):
    """A card, a token or a space. Without a word, a number or a drawing it is an empty space."""

    word: str = ""
    number: int | None = None
    drawing: str | None = None

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.word, "" if self.number is None else str(self.number)) if part) or "·"


class Block(NamedTuple):
    """Rows of cells that belong together: the piles, a hand, a window."""

    label: str
    drawing: str
    rows: list[list[Cell]]
    #: Whether it belongs to a seat that is waited for.
    is_asked: bool = False


class LabParts(NamedTuple):
    """What the lab needs of a game."""

    #: What each part of an observation means.
    observation: Meanings
    #: The table one seat sees, block by block.
    scene: Callable[[View], list[Block]]


def scene(view: View) -> list[Block]:
    """The table one seat sees, block by block."""
    parts = find(view.game).load("lab")
    assert isinstance(parts, LabParts), parts
    return parts.scene(view)


def seat_block(view: View, seat: int, rows: list[list[Cell]]) -> Block:
    label = f"player {seat}" + (" (you)" if seat == view.you else "")
    return Block(label, f"shape-{SHAPES[seat]}", rows, seat in view.waiting_for)


def text_of(view: View) -> str:
    """The scene in plain words, a line for every row."""
    lines: list[str] = []
    for block in scene(view):
        mark = "> " if block.is_asked else "  "
        for number, row in enumerate(block.rows):
            label = mark + block.label if number == 0 else ""
            lines.append(f"{label:<18}" + "  ".join(cell.text for cell in row))
    return "\n".join(lines) + "\n"
