"""A scene as pixels, with the drawings of the table. Numbers are drawn like them, so no font is needed."""

import io
from functools import lru_cache
from importlib import resources
from typing import TypeAlias

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from nevel.game.registry import all_games
from nevel.game.vocabulary import View
from nevel.lab.scene import Block, Cell, scene, text_of

RENDER_MODES = ("ansi", "rgb_array")
Rendered: TypeAlias = str | NDArray[np.uint8]

WIDTH, HEIGHT = 960, 640
CELL, GAP, MARGIN, HEAD = 56, 6, 14, 40
INK, QUIET, CARD, PANEL, ASKED = "#1f2a36", "#8494a3", "#fbfdff", "#ffffff", "#b3541e"

#: Digits as one would draw them with a finger, in boxes ten wide and sixteen high.
DIGITS = {
    "0": "M5 1C1 1 1 15 5 15S9 1 5 1z",
    "1": "M2 4L6 1V15",
    "2": "M1 4C2 0 9 0 9 5 9 8 3 11 1 15H9",
    "3": "M1 2C5 -1 10 3 8 6 7 8 5 8 4 8 11 8 10 15 5 15 3 15 2 14 1 13",
    "4": "M7 15V1L1 11H10",
    "5": "M9 1H2L1.5 7C8 4 11 10 8 13.5 6 16 2 15 1 13",
    "6": "M8 1C3 3 1 8 1 11 1 16 9 16 9 11 9 6 3 6 1.5 10",
    "7": "M1 1H9L4 15",
    "8": "M5 1C-1 1 1 7 5 7.5S11 15 5 15 -1 8.500 5 7.5 11 1 5 1z",
    "9": "M9 6C7 11 1 10 1 5.500 1 0 9 0 9 5.500 9 9 8 12 6 15",
    "-": "M2 8H8",
}


def render(view: View, mode: str | None) -> Rendered | None:
    """A view in one of the RENDER_MODES; None where nothing is to be shown."""
    if mode is None:
        return None
    return text_of(view) if mode == "ansi" else pixels(scene(view))


def pixels(blocks: list[Block]) -> NDArray[np.uint8]:
    """The scene as an array of height x width x RGB."""
    image = Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=picture(blocks), skip_system_fonts=True)))
    return np.asarray(image.convert("RGB"))


def picture(blocks: list[Block]) -> str:
    """The scene as SVG, in lines as long as makes it largest; whatever its size, it is shown whole."""
    layouts = (laid_out(blocks, WIDTH * share / 8) for share in range(4, 17))
    scale, parts = max(layouts, key=lambda layout: layout[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" color="{INK}">'
        '<linearGradient id="mist" x2="0" y2="1"><stop stop-color="#eef2f6"/><stop offset="1" stop-color="#c9d3dc"/>'
        f'</linearGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#mist)"/>'
        f'<g transform="scale({scale:.4f})">{"".join(parts)}</g></svg>'
    )


def laid_out(blocks: list[Block], longest: float) -> tuple[float, list[str]]:
    """Blocks beside each other while there is room, then below; with how much they may be enlarged to fit."""
    parts: list[str] = []
    x, y, tallest, widest = MARGIN, MARGIN, 0, 0
    for block in blocks:
        width, height = size_of(block)
        if x > MARGIN and x + width > longest:
            x, y, tallest = MARGIN, y + tallest + MARGIN, 0
        parts.append(f'<g transform="translate({x} {y})">{draw_block(block, width, height)}</g>')
        x += width + MARGIN
        widest = max(widest, x)
        tallest = max(tallest, height)
    return min(WIDTH / widest, HEIGHT / (y + tallest + MARGIN)), parts


def size_of(block: Block) -> tuple[int, int]:
    columns = max(len(row) for row in block.rows)
    return columns * (CELL + GAP) + GAP, HEAD + len(block.rows) * (CELL + GAP)


def draw_block(block: Block, width: int, height: int) -> str:
    edge = f'stroke="{ASKED}" stroke-width="3"' if block.is_asked else 'stroke="#ffffff"'
    parts = [
        f'<rect width="{width}" height="{height}" rx="12" fill="{PANEL}" fill-opacity=".55" {edge}/>',
        f'<g color="{ASKED if block.is_asked else QUIET}">{placed(block.drawing, GAP, 5, 30)}</g>',
    ]
    for row, cells in enumerate(block.rows):
        for column, cell in enumerate(cells):
            x, y = GAP + column * (CELL + GAP), HEAD - GAP / 2 + row * (CELL + GAP)
            parts.append(f'<g transform="translate({x} {y})">{draw_cell(cell)}</g>')
    return "".join(parts)


def draw_cell(cell: Cell) -> str:
    if cell.number is None and cell.drawing is None:
        return f'<rect width="{CELL}" height="{CELL}" rx="9" fill="none" stroke="{QUIET}" stroke-opacity=".35"/>'
    card = f'<rect width="{CELL}" height="{CELL}" rx="9" fill="{CARD}"/>'
    if cell.number is None:
        return card + placed(cell.drawing, 6, 6, CELL - 12)
    if cell.drawing is None:
        return card + number(cell.number, CELL / 2, CELL / 2, 28)
    return card + placed(cell.drawing, 4, 3, 27) + number(cell.number, CELL - 20, CELL - 15, 19)


def number(value: int, x: float, y: float, height: float) -> str:
    """A number around a point."""
    digits = str(value)
    scale = height / 16
    left = x - len(digits) * 13 * scale / 2 + 1.5 * scale
    strokes = "".join(f'<path transform="translate({13 * i} 0)" d="{DIGITS[d]}"/>' for i, d in enumerate(digits))
    return (
        f'<g transform="translate({left:.1f} {y - height / 2:.1f}) scale({scale:.3f})" fill="none" '
        f'stroke="{INK}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">{strokes}</g>'
    )


def placed(drawing: str | None, x: float, y: float, size: float) -> str:
    """A drawing of the table in a square."""
    file = drawing_of(drawing) if drawing else ""
    return file.replace("<svg ", f'<svg x="{x}" y="{y}" width="{size}" height="{size}" ', 1)


@lru_cache
def drawing_of(name: str) -> str:
    """The text of a drawing's file, shared or a game's own; nothing where there is none of this name."""
    # Files, not modules: the drawings belong to the page, but nothing of it is imported.
    packages = [resources.files("nevel"), *(spec.file() for spec in all_games().values())]
    files = (package.joinpath("web", "drawings", f"{name}.svg") for package in packages)
    return next((file.read_text("utf-8") for file in files if file.is_file()), "")
