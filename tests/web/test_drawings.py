"""The drawings: everything the games name has one, and each is safe to set into a page in the page's own colours."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import nevel.web
from nevel.bots.levels import LEVELS
from nevel.games.misty.box import ARROWS
from nevel.games.misty.box import DRAWINGS as MISTY_DRAWINGS
from nevel.games.the_game.box import COMMANDS
from nevel.games.the_game.events import PILE_HINTS, START_HINT_WORDS
from nevel.games.what_the_fog.box import SYMBOLS, WEATHERS
from nevel.games.what_the_fog.rules.table import PARTS
from tests.own_games import OWN_GAMES

PACKAGE = Path(nevel.__file__).parent
DRAWINGS = {path.stem: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("drawings/*.svg"))}
SVG = "{http://www.w3.org/2000/svg}"
#: What the system shows outside our pages, in colours of its own.
APP_ICONS = ("icon", "icon-maskable", "favicon", "favicon-yours")
SIZES = {"icon": "0 0 512 512", "icon-maskable": "0 0 512 512"}
FAMILY_SIZES = {"back": "0 0 60 84", "scene": "0 0 320 200"}
LIMITS = {"icon": 4096, "icon-maskable": 4096}
FAMILY_LIMITS = {"scene": 6144}
#: The only attributes a drawing needs: no id that could clash, no style, no link, no script.
ATTRIBUTES = {"viewBox", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "d"}
PAINTS = {"none", "currentColor"}
#: A paint the page may choose, with one that fits where it doesn't.
CHOSEN = re.compile(r"var\(--(mist-[123]|glow),#[0-9a-f]{6,8}\)")


def family(name: str) -> str:
    """What stands before the first dash; `back` alone is an arrow, not the back of a card."""
    return name.split("-")[0] if "-" in name else ""


def hint_drawing(hint: str) -> str:
    """The file name of a hint: `leave!` is drawn as `hint-leave-really`."""
    return f"hint-{hint.replace('!', '-really')}"


NAMED = [
    *(f"weather-{weather}" for weather in WEATHERS),
    *(f"action-{symbol}" for symbol in SYMBOLS if symbol),
    *(f"command-{command}" for command in COMMANDS),
    *(f"misty-{kind}" for kind in MISTY_DRAWINGS),
    *(f"arrow-{arrow}" for arrow in ARROWS if arrow),
    *(hint_drawing(hint) for hint in PILE_HINTS),
    *(f"hint-start-{strength}" for strength in range(1, len(START_HINT_WORDS) + 1)),
    *(f"level-{level}" for level in LEVELS),
]


@pytest.mark.parametrize("name", NAMED)
def test_everything_the_games_name_has_a_drawing(name: str) -> None:
    assert name in DRAWINGS


def test_every_part_of_a_day_and_every_seat_has_a_drawing() -> None:
    assert len([name for name in DRAWINGS if family(name) == "time"]) == PARTS
    seats = max(vocabulary.rules.SEATS[1] for vocabulary in OWN_GAMES.values())
    assert len([name for name in DRAWINGS if family(name) == "shape"]) >= seats


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_whole_and_small(name: str) -> None:
    root = ET.fromstring(DRAWINGS[name])
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == SIZES.get(name, FAMILY_SIZES.get(family(name), "0 0 48 48"))
    assert root.find(f".//{SVG}path") is not None
    assert len(DRAWINGS[name].encode()) <= LIMITS.get(name, FAMILY_LIMITS.get(family(name), 1536))


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_holds_nothing_but_shapes(name: str) -> None:
    shapes = {"svg", "g", "path", *(("circle", "rect") if name in APP_ICONS else ())}
    for element in ET.fromstring(DRAWINGS[name]).iter():
        assert element.tag.removeprefix(SVG) in shapes
        assert not (element.text or "").strip()
        assert not (element.tail or "").strip()
        if name not in APP_ICONS:
            assert set(element.attrib) <= ATTRIBUTES
        assert not {"id", "style", "class", "href"} & set(element.attrib)
        assert not [attribute for attribute in element.attrib if attribute.startswith(("on", "{"))]


@pytest.mark.parametrize("name", [name for name in DRAWINGS if name not in APP_ICONS])
def test_a_drawing_takes_the_colour_of_its_page(name: str) -> None:
    for element in ET.fromstring(DRAWINGS[name]).iter():
        for attribute in ("fill", "stroke"):
            paint = element.get(attribute)
            is_chosen = family(name) == "scene" and paint is not None and CHOSEN.fullmatch(paint)
            assert paint is None or paint in PAINTS or is_chosen, paint


def test_no_two_drawings_are_the_same() -> None:
    paths = [re.findall(r' d="([^"]*)"', drawing) for drawing in DRAWINGS.values()]
    assert len({tuple(path) for path in paths}) == len(paths)
