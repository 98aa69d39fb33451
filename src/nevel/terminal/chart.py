"""Chances over a game as a line chart of blocks: readable without colour, and by its figures without the drawing."""

from collections.abc import Sequence

from rich.text import Text

#: Eighths of a block, from nothing to a full one.
BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT = 5


def draw_chances(chances: Sequence[float], width: int, style: str, height: int = HEIGHT) -> Text:
    """Columns from left to right, one per moment or a mean of several; the scale goes from 0 to 100."""
    columns = squeeze(chances, width)
    lines: list[Text] = []
    for row in range(height - 1, -1, -1):
        scale = "100" if row == height - 1 else "0" if row == 0 else ""
        line = Text(f"{scale:>3} ┤", style="dim")
        filled = (BLOCKS[eighths(chance, row, height)] for chance in columns)
        lines.append(line.append("".join(filled).rstrip(), style=style))
    return Text("\n").join(lines)


def eighths(chance: float, row: int, height: int) -> int:
    """How much of a row a column fills. Even no chance at all leaves a line at the bottom."""
    full = max(round(chance * height * 8), 1)
    return min(max(full - row * 8, 0), 8)


def squeeze(chances: Sequence[float], width: int) -> list[float]:
    """As many columns as there is room for; each stands for the moments it covers, the last one for the end alone."""
    count = len(chances)
    if count <= width:
        return list(chances)
    columns: list[float] = []
    for column in range(width):
        first, last = column * count // width, (column + 1) * count // width
        columns.append(sum(chances[first:last]) / (last - first))
    return [*columns[:-1], chances[-1]]
