"""Pages around pieces: what stands between the pieces of a frame is drawn once for all frames of the same shape.

The shape of a frame is everything its template is given, with only a mark where a piece goes. Two frames of one shape
differ in nothing but their pieces, whoever they are for: a template may show a piece, or ask whether it is there, and
nothing else.
"""

from collections.abc import Hashable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, cast

from minijinja import safe
from msgspec import Struct

from nevel.web.pages.templates import templates

#: Skeletons kept, of all games and languages together; the longest unused goes first.
KEPT = 2_048
#: Stands at either end of a mark; no page has this character.
EDGE = "\0"
#: What pieces are.
SAFE = type(safe(""))


class Mark(Enum):
    """What stands in a shape where a piece goes, whatever it says."""

    PIECE = "piece"


class Several(Struct, frozen=True):
    """Values in a shape, with their names where they have any."""

    names: tuple[str, ...] | None
    values: tuple[Hashable, ...]


class Skeleton(NamedTuple):
    """A page without its pieces: the texts between them, and which piece comes after each but the last."""

    texts: tuple[str, ...]
    pieces: tuple[int, ...]

    def fill(self, pieces: list[str]) -> str:
        parts = [self.texts[0]]
        for number, text in zip(self.pieces, self.texts[1:], strict=True):
            parts.append(pieces[number])
            parts.append(text)
        return "".join(parts)


def draw(speech: str, template: str, values: Mapping[str, Any]) -> str:
    """A template filled with values, among them pieces, which are safe strings."""
    pieces = list[str]()
    return skeleton(speech, template, shape_of(dict(values), pieces)).fill(pieces)


def shape_of(value: Any, pieces: list[str]) -> Hashable:
    """The shape of a value; its pieces are added to those of the page."""
    kind = cast("type[object]", type(value))
    if kind is SAFE:
        if value:
            pieces.append(value)
            return Mark.PIECE
        return ""
    if kind is dict:
        return Several(tuple(value), tuple([shape_of(one, pieces) for one in value.values()]))
    if kind is list:
        return Several(None, tuple([shape_of(one, pieces) for one in value]))
    return value


@lru_cache(KEPT)
def skeleton(speech: str, template: str, shape: Hashable) -> Skeleton:
    """A template drawn with marks instead of pieces, and cut there."""
    marks = list[str]()
    texts = templates(speech).render(template, **marked(shape, marks)).split(EDGE)
    return Skeleton(tuple(texts[::2]), tuple(map(int, texts[1::2])))


def marked(shape: Any, marks: list[str]) -> Any:
    """Values of this shape, with a mark for every piece."""
    if shape is Mark.PIECE:
        marks.append(safe(f"{EDGE}{len(marks)}{EDGE}"))
        return marks[-1]
    if not isinstance(shape, Several):
        return shape
    values = [marked(one, marks) for one in shape.values]
    return values if shape.names is None else dict(zip(shape.names, values, strict=True))
