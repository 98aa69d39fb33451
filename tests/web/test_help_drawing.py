"""The figures as SVG."""

import re
from xml.etree import ElementTree

import pytest

from nevel.games.misty.box import ARROWS, DRAWINGS
from nevel.games.misty.web.figures import Window
from nevel.games.the_game.box import COMMANDS
from nevel.games.the_game.web.figures import Piles
from nevel.games.what_the_fog.box import SYMBOLS, WEATHERS
from nevel.games.what_the_fog.web.figures import Sheets
from nevel.web.help.figures import Figure, drawings_of
from nevel.web.help.handbook import handbook
from tests.own_games import OWN_GAMES

SVG = "{http://www.w3.org/2000/svg}"
KNOWN = {
    *(f"weather-{weather}" for weather in WEATHERS),
    *(f"action-{symbol}" for symbol in SYMBOLS if symbol),
    *(f"command-{command}" for command in COMMANDS),
    *(f"misty-{kind}" for kind in DRAWINGS),
    *(f"arrow-{arrow}" for arrow in ARROWS if arrow),
    *("time-morning", "time-midday", "time-evening", "time-night"),
    *("pile-rising", "pile-falling", "draw-pile", "trick", "marker-cloud", "play"),
    *("check", "cross", "crown", "lost", "trophy", "warning"),
}


def figures(game: str) -> list[Figure]:
    items = handbook(game, "en").items
    return [item.figure for item in items if item.figure] + [
        example.figure for item in items for example in item.examples
    ]


def written(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_figure_is_drawn_within_its_frame_with_known_drawings(game: str) -> None:
    for figure in figures(game):
        svg = figure.draw(game)
        assert drawings_of(svg) <= KNOWN
        root = ElementTree.fromstring(svg)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        assert len(list(root)) > 1
        for shape in root:
            x = float(shape.attrib.get("x", shape.attrib.get("cx", "0")))
            y = float(shape.attrib.get("y", shape.attrib.get("cy", "0")))
            is_text = shape.tag == f"{SVG}text"
            right = x + (0 if is_text else float(shape.attrib.get("width", "0")))
            bottom = y + (0 if is_text else float(shape.attrib.get("height", "0")))
            assert x >= 0 <= y, f"{figure}: {shape.attrib}"
            assert right <= width, f"{figure}: {shape.attrib}"
            assert bottom <= height, f"{figure}: {shape.attrib}"


@pytest.mark.parametrize("game", ["the-game", "extreme"])
def test_piles_show_their_cards(game: str) -> None:
    for figure in figures(game):
        if isinstance(figure, Piles):
            shown = [*figure.tops, *figure.hand, *(play.card for play in figure.plays)]
            assert {str(card) for card in shown} <= set(written(figure.draw(game)))


def test_commands_are_drawn_only_where_they_are_played() -> None:
    stop = next(figure for figure in figures("extreme") if isinstance(figure, Piles) and 42 in figure.hand)
    assert "command-stop" in drawings_of(stop.draw("extreme"))
    assert not {name for name in drawings_of(stop.draw("the-game")) if name.startswith("command-")}


def test_a_window_shows_every_card_before_and_after() -> None:
    for figure in figures("misty"):
        if isinstance(figure, Window):
            svg = figure.draw("misty")
            rows = figure.rows if figure.after == figure.rows else figure.rows + figure.after
            wanted = [kind for row in rows for kind in re.split(r"[ +]", row) if kind != "."]
            assert sorted(re.findall(r'"#misty-(\w+)"', svg)) == sorted(wanted)
            if figure.score is not None:
                assert f"= {figure.score}" in written(svg)


def test_sheets_show_every_number() -> None:
    for figure in figures("what-the-fog"):
        if isinstance(figure, Sheets):
            numbers = [number for sheet in figure.sheets for row in sheet.rows for number in row]
            for number in [*numbers, *(sheet.total for sheet in figure.sheets)]:
                assert str(number).replace("-", "\u2212") in written(figure.draw("what-the-fog"))
