"""Reads the description of a box of Misty and rejects an impossible one."""

from typing import cast

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, Wording
from nevel.games.misty.events import KIND_NAMES
from nevel.languages import mark

ARROWS = ("", "up", "down", "left", "right")
DRAWINGS = (
    "rocket",
    "balloon",
    "leaf",
    "raindrop",
    "truck",
    "scooter",
    "tractor",
    "unicycle",
    "heart",
    "star",
    "house",
    "smile",
    "flower",
    "monster",
)
STILL = ("smile", "flower", "monster")
#: What a kind of turned cards is called: as its drawing, and this.
TURNED = "-2"
#: The kinds of cards as the rules number them: every drawing, then those that may exist with the opposite arrow, too.
KINDS = (*DRAWINGS, *(f"{drawing}{TURNED}" for drawing in DRAWINGS if drawing not in STILL))
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left", "": ""}

ARROW_CHOICES = (
    ("", mark("none")),
    ("up", mark("upwards")),
    ("down", mark("downwards")),
    ("left", mark("to the left")),
    ("right", mark("to the right")),
)


def split_kind(kind: str) -> tuple[str, str]:
    """A kind's drawing, and what says that it is turned."""
    drawing = kind.removesuffix(TURNED)
    return drawing, kind[len(drawing) :]


def drawing_of(kind: str) -> str:
    return split_kind(kind)[0]


def row_of(kind: str) -> BoxRow:
    """What can be corrected of one drawing: some never have an arrow."""
    count = BoxField(f"cards.{kind}.count", 0, 54)
    if kind in STILL:
        return BoxRow(Wording(KIND_NAMES[kind]), (count, None, None))
    arrow = BoxField(f"cards.{kind}.arrow", choices=ARROW_CHOICES)
    return BoxRow(Wording(KIND_NAMES[kind]), (count, arrow, BoxField(f"cards.{kind}.turned", 0, 54, default=0)))


SECTIONS = (
    BoxSection(
        key="cards",
        clause="MI-B2",
        title=mark("Drawings"),
        source=mark(
            "The rule sheet says 54 cards. Which drawings there are, how many of each, and where their arrows point is "
            "our reconstruction. Of some drawings there may be cards that point the opposite way, too."
        ),
        columns=(Wording(mark("Cards")), Wording(mark("Arrow")), Wording(mark("of which opposite"))),
        rows=tuple(row_of(kind) for kind in DRAWINGS),
        is_reconstructed=True,
        total=54,
    ),
)


def read_box(box: Box) -> list[int]:
    cards = box.section("cards", DRAWINGS)
    counts, arrows = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    for drawing in DRAWINGS:
        key, card = f"cards.{drawing}", cards[drawing]
        if not isinstance(card, dict):
            raise box.error(key, mark("must have a count and an arrow, and nothing else but how many are turned."))
        card = cast("dict[str, object]", card)
        if set(card) | {"turned"} != {"count", "arrow", "turned"}:
            raise box.error(key, mark("must have a count and an arrow, and nothing else but how many are turned."))
        count = box.whole_number(f"{key}.count", card["count"], 0, 54)
        turned = box.whole_number(f"{key}.turned", card.get("turned", 0), 0, 54)
        arrow = card["arrow"]
        if arrow not in ARROWS:
            reason = mark('is {value}; it must be "up", "down", "left", "right" or "".')
            raise box.error(f"{key}.arrow", reason, value=arrow)
        if arrow and drawing in STILL:
            raise box.error(f"{key}.arrow", mark("is {value}; this card stays where it is."), value=arrow)
        if turned > count:
            raise box.error(f"{key}.turned", mark("is {value}, more than there are of this drawing."), value=turned)
        if turned and not arrow:
            raise box.error(f"{key}.turned", mark("is {value}, but this drawing has no arrow."), value=turned)
        counts[drawing], arrows[drawing] = count - turned, ARROWS.index(str(arrow))
        if turned:
            other = f"{drawing}{TURNED}"
            counts[other], arrows[other] = turned, ARROWS.index(OPPOSITE[str(arrow)])
    box.total("cards", sum(counts.values()), 54)
    return [*counts.values(), *arrows.values()]
