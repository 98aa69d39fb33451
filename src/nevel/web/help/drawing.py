"""Figures as SVG. They use the drawings by name (`<use href="#weather-snow">`): the page has those as symbols."""

from functools import cache

from nevel.boxes import Box
from nevel.web.help.drawing_piles import draw_piles
from nevel.web.help.drawing_weather import draw_day, draw_influence, draw_predictions, draw_sheets, draw_token_piles
from nevel.web.help.drawing_window import draw_building, draw_window
from nevel.web.help.figures import AnyFigure, Building, Cards, Day, Influence, Piles, Predictions, Sheets, TokenPiles
from nevel.web.help.ink import Ink


def draw(figure: AnyFigure, game: str) -> str:
    """A figure of a game's handbook as an SVG element."""
    if isinstance(figure, Piles):
        return draw_piles(figure, commands_by_card() if game == "extreme" else {})
    if isinstance(figure, Cards):
        return draw_cards(figure)
    if isinstance(figure, Day):
        return draw_day(figure, Box.of(game).content["days"][str(figure.day)])
    if isinstance(figure, TokenPiles):
        return draw_token_piles(figure)
    if isinstance(figure, Influence):
        return draw_influence(figure)
    if isinstance(figure, Predictions):
        return draw_predictions(figure)
    if isinstance(figure, Sheets):
        return draw_sheets(figure)
    if isinstance(figure, Building):
        return draw_building(figure, arrows_by_kind())
    return draw_window(figure, arrows_by_kind())


def drawings_of(svg: str) -> set[str]:
    """The names of the drawings a figure uses: those the page needs as symbols."""
    return {part.split('"', 1)[0] for part in svg.split('href="#')[1:]}


def draw_cards(figure: Cards) -> str:
    """A row of cards, each with its arrow if it has one."""
    arrows = {f"misty-{kind}": arrow for kind, arrow in arrows_by_kind().items()}
    has_arrows = any(arrows.get(name) for name in figure.drawings)
    columns = min(len(figure.drawings), 8)
    rows = -(-len(figure.drawings) // columns)
    height = 78 if has_arrows else 64
    ink = Ink(columns * 62 + 4, rows * (height + 8))
    for i, name in enumerate(figure.drawings):
        x, y = 2 + (i % columns + 0.5) * 62, (i // columns + 0.5) * (height + 8)
        ink.box(x, y, 54, height, "card")
        ink.drawing(name, x, y - (8 if has_arrows else 0), 42)
        if arrow := arrows.get(name):
            ink.drawing(f"arrow-{arrow}", x, y + 27, 16, "arrow")
    return ink.svg("cards")


@cache
def commands_by_card() -> dict[int, str]:
    commands: dict[str, list[int]] = Box.of("extreme").content["commands"]
    return {card: command for command, cards in commands.items() for card in cards}


@cache
def arrows_by_kind() -> dict[str, str]:
    cards: dict[str, dict[str, str]] = Box.of("misty").content["cards"]
    return {kind: card["arrow"] for kind, card in cards.items()}
