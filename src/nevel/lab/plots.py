"""Small pictures of figures, as SVG: readable on paper and on screen, in the light and in the dark."""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 640
ROW = 34
LETTER = 8.0  # how wide a letter is, about
LONGEST_LABEL = 32

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 16px }
  .quiet { font-size: 12px; fill: #59636e }
  .grid { stroke: #d1d9e0 }
  .whisker { stroke: #0b57a4; stroke-width: 2 }
  .dot { fill: #0b57a4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .whisker { stroke: #79b8ff }
    .dot { fill: #79b8ff }
  }
"""


class Dot(NamedTuple):
    """A figure and where it lies with some confidence."""

    label: str
    value: float
    low: float
    high: float


def plain(number: float) -> str:
    return f"{number:g}"


def dot_plot(title: str, dots: Sequence[Dot], note: str = "", write: Callable[[float], str] = plain) -> str:
    """A row for every figure: its name, a dot with whiskers, and the figure itself."""
    lowest = min((dot.low for dot in dots), default=0.0)
    highest = max((dot.high for dot in dots), default=1.0)
    ticks = round_numbers(lowest, highest)
    labels = [shortened(dot.label) for dot in dots]
    left = 32 + LETTER * max((len(label) for label in labels), default=0)
    right = WIDTH - 72
    top = 56
    bottom = top + ROW * len(dots)
    height = bottom + (58 if note else 34)

    def x(value: float) -> float:
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return round(left + share * (right - left), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="12" y="28">{escape(title)}</text>',
    ]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{top - 8}" y2="{bottom}"/>')
        parts.append(
            f'<text class="quiet" x="{x(tick)}" y="{bottom + 18}" text-anchor="middle">{escape(write(tick))}</text>'
        )
    for number, (dot, label) in enumerate(zip(dots, labels, strict=True)):
        y = top + ROW * number + ROW // 2
        parts.append(f'<text x="12" y="{y + 5}">{escape(label)}</text>')
        parts.append(f'<line class="whisker" x1="{x(dot.low)}" x2="{x(dot.high)}" y1="{y}" y2="{y}"/>')
        for end in (dot.low, dot.high):
            parts.append(f'<line class="whisker" x1="{x(end)}" x2="{x(end)}" y1="{y - 5}" y2="{y + 5}"/>')
        parts.append(f'<circle class="dot" cx="{x(dot.value)}" cy="{y}" r="6"/>')
        parts.append(f'<text x="{WIDTH - 12}" y="{y + 5}" text-anchor="end">{escape(write(dot.value))}</text>')
    if note:
        parts.append(f'<text class="quiet" x="12" y="{bottom + 44}">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def shortened(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def round_numbers(low: float, high: float, about: int = 5) -> list[float]:
    """Numbers people like, from below `low` to above `high`.

    >>> round_numbers(870, 1430)
    [800.0, 1000.0, 1200.0, 1400.0, 1600.0]
    """
    reach = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(reach / about))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * about >= reach)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * number, 10) for number in range(first, max(last, first + 1) + 1)]
