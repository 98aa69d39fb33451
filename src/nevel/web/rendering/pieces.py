"""Pieces of pages, drawn once and kept. Most of a board is the same after a move, and much of it for everybody."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from html import escape
from sys import intern
from typing import Any

from minijinja import safe

from nevel.game.event import Teller
from nevel.languages import Language
from nevel.web.rendering.templates import in_ascii, templates

#: Pieces kept, of all tables together, and what is drawn around texts; the longest unused goes first.
KEPT = 6_144
AROUND_KEPT = 4_096
#: Stands at either end of a mark; no page has this character.
EDGE = "\0"
#: What pieces are: texts that templates don't escape.
SAFE = type(safe(""))


class Piece:
    """A small template and what fills it.

    A piece follows from its language, its inputs and the texts it shows, and from nothing else: `fill` is given a
    teller who knows nobody's name. So it can be kept under its inputs, and whoever is drawn the same piece gave the
    same inputs: nobody is shown what they don't know already. In one place inputs are always of one type, since 1 and
    True are equal.

    What is different at every table, such as names and addresses, is `shown`: texts that `fill` and the template may
    put anywhere, and of which they ask nothing but whether they are empty. What is drawn around them is kept for all.
    """

    def __init__(self, template: str, fill: Callable[..., dict[str, Any]]) -> None:
        self.template = template
        self.fill = fill

    def __call__(self, language: Language, *inputs: Hashable, shown: tuple[str, ...] = ()) -> str:
        if not shown:
            return kept(self, language, inputs)
        return around(self, language, inputs, tuple(map(bool, shown))).fill([written(text) for text in shown])

    def draw(self, language: Language, *inputs: Hashable) -> str:
        """The piece, drawn anew; texts it shows come after its inputs."""
        return in_ascii(templates(language.code).render(self.template, **self.fill(Teller(language), *inputs)))


class Skeleton:
    """Something drawn with marks in it, and cut there: whatever belongs in these places can be put in."""

    __slots__ = ("_parts", "_places")

    def __init__(self, drawn: str) -> None:
        # Many skeletons of one template have parts in common.
        self._parts = [intern(part) for part in drawn.split(EDGE)]
        #: Where each mark stands, and which it is.
        self._places = [(place, int(self._parts[place])) for place in range(1, len(self._parts), 2)]

    def fill(self, texts: Sequence[str]) -> str:
        parts = self._parts.copy()
        for place, number in self._places:
            parts[place] = texts[number]
        return str.__new__(SAFE, "".join(parts))


def mark_for(number: int) -> str:
    """What is drawn in the place of a text."""
    return f"{EDGE}{number}{EDGE}"


@lru_cache(KEPT)
def kept(piece: Piece, language: Language, inputs: tuple[Hashable, ...]) -> str:
    return safe(piece.draw(language, *inputs))


@lru_cache(AROUND_KEPT)
def around(piece: Piece, language: Language, inputs: tuple[Hashable, ...], are_there: tuple[bool, ...]) -> Skeleton:
    """A piece with marks where it shows texts, those that aren't empty."""
    marks = [mark_for(number) if is_there else "" for number, is_there in enumerate(are_there)]
    return Skeleton(piece.draw(language, *inputs, *marks))


@lru_cache(KEPT)
def written(text: str) -> str:
    """A text that stands in a page as it is."""
    return safe(in_ascii(escape(text)))


def together(pieces: Iterable[str]) -> str:
    """Several pieces, one after the other."""
    return str.__new__(SAFE, "\n".join(pieces))
