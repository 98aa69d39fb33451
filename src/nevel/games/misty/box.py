"""Reads the description of a box of Misty and rejects an impossible one."""

from typing import cast

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, Wording
from nevel.games.misty.events import KIND_NAMES
from nevel.languages import mark

ARROWS = ("", "up", "down", "left", "right")
KINDS = (
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

ARROW_CHOICES = (
    ("", mark("none")),
    ("up", mark("upwards")),
    ("down", mark("downwards")),
    ("left", mark("to the left")),
    ("right", mark("to the right")),
)


def row_of(kind: str) -> BoxRow:
    """What can be corrected of one drawing: some never have an arrow."""
    arrow = None if kind in STILL else BoxField(f"cards.{kind}.arrow", choices=ARROW_CHOICES)
    return BoxRow(Wording(KIND_NAMES[kind]), (BoxField(f"cards.{kind}.count", 0, 54), arrow))


SECTIONS = (
    BoxSection(
        key="cards",
        clause="MI-B2",
        title=mark("Drawings"),
        source=mark(
            "The rule sheet says 54 cards. Which drawings there are, how many of each, and where their arrows point is "
            "our reconstruction."
        ),
        columns=(Wording(mark("Cards")), Wording(mark("Arrow"))),
        rows=tuple(row_of(kind) for kind in KINDS),
        is_reconstructed=True,
        total=54,
    ),
)


def read_box(box: Box) -> list[int]:
    cards = box.section("cards", KINDS)
    counts: list[int] = []
    arrows: list[int] = []
    for kind in KINDS:
        key = f"cards.{kind}"
        card = cards[kind]
        if not isinstance(card, dict):
            raise box.error(key, mark("must have a count and an arrow, and nothing else."))
        card = cast("dict[str, object]", card)
        if set(card) != {"count", "arrow"}:
            raise box.error(key, mark("must have a count and an arrow, and nothing else."))
        counts.append(box.whole_number(f"{key}.count", card["count"], 0, 54))
        arrow = card["arrow"]
        if arrow not in ARROWS:
            reason = mark('is {value}; it must be "up", "down", "left", "right" or "".')
            raise box.error(f"{key}.arrow", reason, value=arrow)
        if arrow and kind in STILL:
            raise box.error(f"{key}.arrow", mark("is {value}; this card stays where it is."), value=arrow)
        arrows.append(ARROWS.index(str(arrow)))
    box.total("cards", sum(counts), 54)
    return [*counts, *arrows]
