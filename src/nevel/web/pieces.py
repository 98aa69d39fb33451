"""Pieces of pages, drawn once and kept. Most of a board is the same after a move, and much of it for everybody."""

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from html import escape
from typing import Any

from minijinja import safe

from nevel.games.telling import Teller
from nevel.languages import Language
from nevel.web.pages.templates import in_ascii, templates

#: Pieces kept, of all tables together; the longest unused goes first.
KEPT = 14_336


class Piece:
    """A small template and what fills it.

    A piece follows from its language and its inputs and from nothing else: `fill` is given a teller who knows nobody's
    name. So it can be kept under its inputs, and whoever is drawn the same piece gave the same inputs: nobody is shown
    what they don't know already. In one place inputs are always of one type, since 1 and True are equal.
    """

    def __init__(self, template: str, fill: Callable[..., dict[str, Any]]) -> None:
        self.template = template
        self.fill = fill

    def __call__(self, speech: Language, *inputs: Hashable) -> str:
        return kept(self, speech, inputs)

    def draw(self, speech: Language, *inputs: Hashable) -> str:
        """The piece, drawn anew."""
        return safe(in_ascii(templates(speech.code).render(self.template, **self.fill(Teller(speech), *inputs))))


@lru_cache(KEPT)
def kept(piece: Piece, speech: Language, inputs: tuple[Hashable, ...]) -> str:
    return piece.draw(speech, *inputs)


@lru_cache(KEPT)
def written(text: str) -> str:
    """A text that stands in a page as it is."""
    return safe(in_ascii(escape(text)))


def together(pieces: Iterable[str]) -> str:
    """Several pieces, one after the other."""
    return safe("\n".join(pieces))
