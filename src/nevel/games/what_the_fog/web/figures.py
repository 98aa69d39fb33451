"""What the Fog?!, drawn: days, tokens, influence, predictions and score sheets."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from nevel.game.box import Box
from nevel.web.help.figures import Figure
from nevel.web.help.ink import Ink

PART = 64
TIMES = ("time-morning", "time-midday", "time-evening", "time-night")
NAME_WIDTH = 84
LINE = 34


Weather = Literal["rain", "snow", "fog", "clouds", "thunder", "sun"]


class TokenPiles(Figure, frozen=True, tag="token-piles"):
    """The three piles of weather tokens, and whether their tops may go back into the supply."""

    tops: tuple[Weather, Weather, Weather]
    can_return: bool

    def draw(self, game: str) -> str:
        return draw_token_piles(self)


class Day(Figure, frozen=True, tag="day"):
    """A day board as far as it is filled, and where the next token lies on it."""

    day: int
    tokens: tuple[Weather, ...]
    lay: Weather | None = None
    part: int = 0
    action: Literal["", "swap", "reveal"] = ""
    completes: bool = False
    refused: str = ""

    def draw(self, game: str) -> str:
        return draw_day(self, Box.of(game).content["days"][str(self.day)])


class Forecaster(Struct, frozen=True, forbid_unknown_fields=True):
    """A player with open cards, and what they count for."""

    name: str
    cards: tuple[Weather, ...]
    influence: int
    claims: bool = False


class Influence(Figure, frozen=True, tag="influence"):
    """A full day and everybody's influence on it."""

    tokens: tuple[Weather, Weather, Weather, Weather]
    players: tuple[Forecaster, ...]

    def draw(self, game: str) -> str:
        return draw_influence(self)


class Predictions(Figure, frozen=True, tag="predictions"):
    """A day was completed by the first of these players: their arrows before and after, in the order they are asked."""

    players: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    next: str

    def draw(self, game: str) -> str:
        return draw_predictions(self)


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A score sheet: a row a round, with prediction, claimed days and score."""

    name: str
    rows: tuple[tuple[int, int, int], ...]
    total: int
    wins: bool = False


class Sheets(Figure, frozen=True, tag="sheets"):
    """Score sheets beside each other."""

    sheets: tuple[Sheet, ...]

    def draw(self, game: str) -> str:
        return draw_sheets(self)


def draw_token(ink: Ink, x: float, y: float, weather: str, kind: str = "token") -> None:
    ink.disc(x, y, 24, kind)
    ink.drawing(f"weather-{weather}", x, y, 34, kind)


def draw_day(figure: Day, symbols: Sequence[str]) -> str:
    """A day board; `symbols` are those of its four parts."""
    top = 70 if figure.lay else 6
    ink = Ink(4 * PART + 12, top + PART + 34)
    x0, y = 6 + PART / 2, top + PART / 2
    for part in range(4):
        x = x0 + part * PART
        ink.box(x, y, PART - 4, PART - 4, "part")
        ink.drawing(TIMES[part], x, y + PART / 2 + 14, 20, "muted")
        if part < len(figure.tokens):
            draw_token(ink, x, y, figure.tokens[part])
        elif symbols[part]:
            ink.drawing(f"action-{symbols[part]}", x, y, 30, "muted")
    if figure.lay:
        x = x0 + (figure.part - 1 if figure.part else 1.5) * PART
        draw_token(ink, x, 28, figure.lay, "token refused" if figure.refused else "token played")
        ink.drawing("cross" if figure.refused else "arrow-down", x, 62, 16, "refused" if figure.refused else "played")
    return ink.svg("day")


def draw_token_piles(figure: TokenPiles) -> str:
    ink = Ink(3 * 72 + 40, 66)
    for i, weather in enumerate(figure.tops):
        x = 34 + i * 72
        for depth in (2, 1):
            ink.disc(x + 3 * depth, 30 + 3 * depth, 24, "muted")
        draw_token(ink, x, 30, weather)
    is_equal = figure.can_return
    ink.drawing("check" if is_equal else "cross", 3 * 72 + 24, 30, 24, "played" if is_equal else "refused")
    return ink.svg("token-piles")


def draw_influence(figure: Influence) -> str:
    """Under each token what every player's cards count for on it, then the sum."""
    width = NAME_WIDTH + 4 * PART + 60
    ink = Ink(width, PART + 8 + LINE * len(figure.players))
    for i, token in enumerate(figure.tokens):
        draw_token(ink, NAME_WIDTH + (i + 0.5) * PART, PART / 2, token)
    for row, player in enumerate(figure.players):
        y = PART + 8 + (row + 0.5) * LINE
        kind = "claims" if player.claims else ""
        ink.line(4, y - LINE / 2, width - 4, y - LINE / 2, "muted")
        ink.words(8, y, player.name, 15, kind, "start")
        for i, token in enumerate(figure.tokens):
            ink.words(NAME_WIDTH + (i + 0.5) * PART, y, player.cards.count(token), 16, "muted")
        ink.words(NAME_WIDTH + 4 * PART + 14, y, player.influence, 18, kind)
        if player.claims:
            ink.drawing("crown", NAME_WIDTH + 4 * PART + 42, y, 20, "claims")
    return ink.svg("influence")


def draw_predictions(figure: Predictions) -> str:
    """Everybody's arrow before and after, from left to right in the order they are asked."""
    ink = Ink(len(figure.players) * NAME_WIDTH, 96)
    for i, name in enumerate(figure.players):
        x = (i + 0.5) * NAME_WIDTH
        before, after = figure.before[i], figure.after[i]
        ink.words(x, 42, name, 15)
        ink.words(x - 18, 72, before, 18, "muted")
        ink.drawing("arrow-right", x, 72, 14, "muted")
        ink.words(x + 18, 72, after, 18, "played" if after > before else "")
        if i == 0:
            ink.drawing("marker-cloud", x, 16, 26)
        if name == figure.next:
            ink.drawing("play", x, 16, 22, "next")
    return ink.svg("predictions")


def draw_sheets(figure: Sheets) -> str:
    """Score sheets with their columns ?, ! and =."""
    column, sheet_width = 36, 4 * 36 + 20
    rows = max(len(sheet.rows) for sheet in figure.sheets)
    ink = Ink(sheet_width * len(figure.sheets), LINE * (rows + 2) + 8)
    for i, sheet in enumerate(figure.sheets):
        x0 = i * sheet_width + 10 + column / 2
        for j, head in enumerate("?!="):
            ink.words(x0 + (j + 1) * column, LINE / 2, head, 16, "muted")
        for row, numbers in enumerate(sheet.rows, 1):
            y = (row + 0.5) * LINE
            ink.line(x0 - column / 2, y - LINE / 2, x0 + 3.5 * column, y - LINE / 2, "muted")
            ink.words(x0, y, row, 14, "muted")
            for j, number in enumerate(numbers):
                ink.words(x0 + (j + 1) * column, y, str(number).replace("-", "\u2212"), 16)
        y = (rows + 1.5) * LINE
        ink.line(x0 - column / 2, y - LINE / 2, x0 + 3.5 * column, y - LINE / 2, "")
        ink.words(x0 - column / 2, y, sheet.name, 15, "claims" if sheet.wins else "", "start")
        ink.words(x0 + 3 * column, y, str(sheet.total).replace("-", "\u2212"), 18, "claims" if sheet.wins else "")
        if sheet.wins:
            ink.drawing("crown", x0 + 1.8 * column, y, 22, "claims")
    return ink.svg("sheets")
