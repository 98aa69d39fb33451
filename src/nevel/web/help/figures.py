"""Small drawings beside the rules, as data. What a figure claims is checked by the real rules in the tests.

They use the drawings of the page by name (`<use href="#check">`): the page has those as symbols. Each game has figures
of its own besides (`games/GAME/web/figures.py`).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from nevel.web.help.ink import Ink

NO_ARROWS: Mapping[str, str] = {}


class Figure(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something drawn. Subclasses say what is seen and what follows from it."""

    def draw(self, game: str) -> str:
        """The figure as an SVG element, for the rules page of this game."""
        raise NotImplementedError


class Cards(Figure, frozen=True, tag="cards"):
    """A row of drawings by name."""

    drawings: tuple[str, ...]

    def draw(self, game: str) -> str:
        return draw_cards(self.drawings)


def draw_cards(drawings: Sequence[str], arrows: Mapping[str, str] = NO_ARROWS) -> str:
    """A row of cards, with the arrows of those that have one."""
    has_arrows = any(arrows.get(name) for name in drawings)
    columns = min(len(drawings), 8)
    rows = -(-len(drawings) // columns)
    height = 78 if has_arrows else 64
    ink = Ink(columns * 62 + 4, rows * (height + 8))
    for i, name in enumerate(drawings):
        x, y = 2 + (i % columns + 0.5) * 62, (i // columns + 0.5) * (height + 8)
        ink.box(x, y, 54, height, "card")
        ink.drawing(name, x, y - (8 if has_arrows else 0), 42)
        if arrow := arrows.get(name):
            ink.drawing(f"arrow-{arrow}", x, y + 27, 16, "arrow")
    return ink.svg("cards")


def drawings_of(svg: str) -> set[str]:
    """The names of the drawings a figure uses: those the page needs as symbols."""
    return {part.split('"', 1)[0] for part in svg.split('href="#')[1:]}
