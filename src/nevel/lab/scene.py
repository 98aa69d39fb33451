"""A table as environments show it: blocks of cells, each with a word, a number and a drawing, for text and pixels."""

from typing import NamedTuple

from nevel.games.extreme import ExtremeView
from nevel.games.misty import MistyView
from nevel.games.the_game import TheGameView
from nevel.games.vocabulary import View
from nevel.games.what_the_fog import WhatTheFogView

SHAPES = ("circle", "triangle", "square", "diamond", "hexagon")


class Cell(NamedTuple):
    """A card, a token or a space. Without a word, a number or a drawing it is an empty space."""

    word: str = ""
    number: int | None = None
    drawing: str | None = None

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.word, "" if self.number is None else str(self.number)) if part) or "·"


class Block(NamedTuple):
    """Rows of cells that belong together: the piles, a hand, a window."""

    label: str
    drawing: str
    rows: list[list[Cell]]
    #: Whether it belongs to a seat that is waited for.
    is_asked: bool = False


def scene(view: View) -> list[Block]:
    """The table one seat sees, block by block."""
    if isinstance(view, TheGameView):
        return the_game(view)
    if isinstance(view, WhatTheFogView):
        return what_the_fog(view)
    assert isinstance(view, MistyView)
    return misty(view)


def the_game(view: TheGameView) -> list[Block]:
    commands = view.commands if isinstance(view, ExtremeView) else {}

    def card(number: int, word: str = "", drawing: str | None = None) -> Cell:
        command = commands.get(number)
        word = " ".join(part for part in (word, command) if part)
        return Cell(word, number, f"command-{command}" if command else drawing)

    piles = [card(pile.top, pile.name, "pile-rising" if pile.is_rising else "pile-falling") for pile in view.piles]
    blocks = [
        Block("piles", f"back-{view.game}", [piles]),
        Block("draw pile", "draw-pile", [[Cell("", view.draw_pile)]]),
    ]
    for player in view.players:
        own = view.hand if player.seat == view.you else player.hand
        cells = (
            [card(number) for number in own] if own is not None else [Cell("cards", player.held, f"back-{view.game}")]
        )
        blocks.append(seat_block(view, player.seat, [cells or [Cell()]]))
    return blocks


def what_the_fog(view: WhatTheFogView) -> list[Block]:
    days = [
        [
            weather(part.weather) if part.weather else Cell(part.symbol or "", None, symbol_drawing(part.symbol))
            for part in day.parts
        ]
        for day in view.days
    ]
    piles = [weather(pile.weather, pile.size) if pile.weather else Cell() for pile in view.piles]
    blocks = [Block("days", "day", days), Block("piles", "token", [piles])]
    if view.lifted:
        blocks.append(Block("lifted", "token", [[weather(view.lifted)]]))
    for player in view.players:
        open_cards = [weather(kind, count) for kind, count in player.open.items()]
        figures = [Cell("hidden", player.held, f"back-{view.game}"), Cell("predicts", player.prediction, "barometer")]
        rows = [[*figures, Cell("points", player.total, "trophy")], open_cards or [Cell()]]
        if player.seat == view.you and view.hand:
            rows.append([weather(kind, count) for kind, count in view.hand.items()])
        blocks.append(seat_block(view, player.seat, rows))
    return blocks


def weather(kind: str, count: int | None = None) -> Cell:
    return Cell(kind, count, f"weather-{kind}")


def symbol_drawing(symbol: str | None) -> str | None:
    return f"action-{symbol}" if symbol else None


def misty(view: MistyView) -> list[Block]:
    blocks: list[Block] = []
    for player in view.players:
        window = player.window
        columns = range(ord(window.first[0]), ord(window.last[0]) + 1)
        rows = range(int(window.first[1]), int(window.last[1]) + 1)
        lying = {card.space: card.card for card in window.cards if not card.is_covered}
        cells = [
            [motif(lying[space]) if (space := f"{chr(column)}{row}") in lying else Cell() for column in columns]
            for row in rows
        ]
        blocks.append(seat_block(view, player.seat, [[Cell("rounds", player.wins, "trophy")], *cells]))
    if view.hand:
        blocks.append(Block("hand", "back-misty", [[motif(kind, count) for kind, count in view.hand.items()]]))
    return blocks


def motif(kind: str, count: int | None = None) -> Cell:
    return Cell(kind, count, f"misty-{kind}")


def seat_block(view: View, seat: int, rows: list[list[Cell]]) -> Block:
    label = f"player {seat}" + (" (you)" if seat == view.you else "")
    return Block(label, f"shape-{SHAPES[seat]}", rows, seat in view.waiting_for)


def text_of(view: View) -> str:
    """The scene in plain words, a line for every row."""
    lines: list[str] = []
    for block in scene(view):
        mark = "> " if block.is_asked else "  "
        for number, row in enumerate(block.rows):
            label = mark + block.label if number == 0 else ""
            lines.append(f"{label:<18}" + "  ".join(cell.text for cell in row))
    return "\n".join(lines) + "\n"
