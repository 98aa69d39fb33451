"""Small pictures of figures, as SVG: readable on paper and on screen, in the light and in the dark."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 640
ROW = 34
TALL_ROW = 72
MOST_BARS = 60
LETTER = 8.0  # how wide a letter is, about
LONGEST_LABEL = 32

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 16px }
  .quiet { font-size: 12px; fill: #59636e }
  .grid { stroke: #d1d9e0 }
  .whisker { stroke: #0b57a4; stroke-width: 2 }
  .dot { fill: #0b57a4 }
  .bar { fill: #6ca3d9 }
  .line { stroke: #0b57a4; stroke-width: 2; fill: none }
  .other1 { stroke: #b3541e } .dot.other1 { fill: #b3541e; stroke: none }
  .other2 { stroke: #1a7f37 } .dot.other2 { fill: #1a7f37; stroke: none }
  .other3 { stroke: #8250df } .dot.other3 { fill: #8250df; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .whisker { stroke: #79b8ff }
    .dot { fill: #79b8ff }
    .bar { fill: #3b6ea5 }
    .line { stroke: #79b8ff }
    .other1 { stroke: #f0a36b } .dot.other1 { fill: #f0a36b; stroke: none }
    .other2 { stroke: #56d364 } .dot.other2 { fill: #56d364; stroke: none }
    .other3 { stroke: #d2a8ff } .dot.other3 { fill: #d2a8ff; stroke: none }
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

    parts = opening(title, height)
    parts += upright_grid(ticks, x, top, bottom, write)
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


def opening(title: str, height: int) -> list[str]:
    """How every picture begins."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="12" y="28">{escape(title)}</text>',
    ]


def upright_grid(
    ticks: Sequence[float], x: Callable[[float], float], top: int, bottom: int, write: Callable[[float], str]
) -> list[str]:
    """A line for every round number, with the number under it."""
    parts: list[str] = []
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{top - 8}" y2="{bottom}"/>')
        parts.append(
            f'<text class="quiet" x="{x(tick)}" y="{bottom + 18}" text-anchor="middle">{escape(write(tick))}</text>'
        )
    return parts


def distribution_plot(
    title: str, groups: Mapping[str, Sequence[float]], note: str = "", write: Callable[[float], str] = plain
) -> str:
    """A row of bars for every name: how often each of its figures came up; the dot is their mean."""
    figures = [figure for group in groups.values() for figure in group]
    lowest, highest = min(figures, default=0.0), max(figures, default=1.0)
    names = {name: shortened(name) for name in groups}
    left = 32 + LETTER * max((len(label) for label in names.values()), default=0)
    right = WIDTH - 72
    top = 56
    bottom = top + TALL_ROW * len(groups)
    # A bar for every whole number, or for several of them where there are many.
    wide = max(1, math.ceil((highest - lowest) / MOST_BARS))
    first, last = math.floor(lowest / wide) * wide - 0.5, math.floor(highest / wide) * wide + wide - 0.5

    def x(value: float) -> float:
        return round(left + (value - first) / (last - first) * (right - left), 1)

    parts = opening(title, bottom + (58 if note else 34))
    ticks = [tick for tick in round_numbers(lowest, highest) if first <= tick <= last and tick == round(tick)]
    parts += upright_grid(ticks, x, top, bottom, write)
    for number, (name, group) in enumerate(groups.items()):
        floor = top + TALL_ROW * (number + 1) - 6
        parts.append(f'<text x="12" y="{floor - 12}">{escape(names[name])}</text>')
        counts = Counter(math.floor(figure / wide) * wide for figure in group)
        most = max(counts.values(), default=1)
        for start, count in sorted(counts.items()):
            low, high = x(start - 0.5), x(start + wide - 0.5)  # bars stand around the number they count
            tall = round((TALL_ROW - 14) * count / most, 1)
            parts.append(
                f'<rect class="bar" x="{low:g}" width="{max(high - low - 0.6, 0.6):.1f}"'
                f' y="{floor - tall:g}" height="{tall:g}"/>'
            )
        if group:
            mean = sum(group) / len(group)
            parts.append(f'<circle class="dot" cx="{x(mean)}" cy="{floor}" r="4"/>')
            parts.append(
                f'<text x="{WIDTH - 12}" y="{floor - 12}" text-anchor="end">{escape(write(round(mean, 1)))}</text>'
            )
    if note:
        parts.append(f'<text class="quiet" x="12" y="{bottom + 44}">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def line_plot(
    title: str, lines: Mapping[str, Sequence[Dot]], note: str = "", write: Callable[[float], str] = plain
) -> str:
    """A line for every name over the same few places, with whiskers; up to four names, told apart by a key."""
    places = list(dict.fromkeys(dot.label for dots in lines.values() for dot in dots))
    every = [dot for dots in lines.values() for dot in dots]
    ticks = round_numbers(min((dot.low for dot in every), default=0.0), max((dot.high for dot in every), default=1.0))
    left, right, top, bottom = 72, WIDTH - 24, 76, 316
    step = (right - left) / max(len(places), 1)

    def y(value: float) -> float:
        return round(bottom - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (bottom - top), 1)

    def x(place: str, number: int) -> float:
        return round(left + step * (places.index(place) + 0.5) + 7 * (number - (len(lines) - 1) / 2), 1)

    parts = opening(title, bottom + (58 if note else 34))
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(tick)}" y2="{y(tick)}"/>')
        parts.append(
            f'<text class="quiet" x="{left - 8}" y="{y(tick) + 4}" text-anchor="end">{escape(write(tick))}</text>'
        )
    for place in places:
        middle = round(left + step * (places.index(place) + 0.5), 1)
        parts.append(f'<text class="quiet" x="{middle}" y="{bottom + 18}" text-anchor="middle">{escape(place)}</text>')
    across = 12.0
    for number, (name, dots) in enumerate(lines.items()):
        other = f" other{number % 4}" if number % 4 else ""
        parts.append(f'<circle class="dot{other}" cx="{across + 6:g}" cy="49" r="5"/>')
        parts.append(f'<text x="{across + 16:g}" y="54">{escape(shortened(name))}</text>')
        across += 34 + LETTER * len(shortened(name))
        points = " ".join(f"{x(dot.label, number)},{y(dot.value)}" for dot in dots)
        parts.append(f'<polyline class="line{other}" points="{points}"/>')
        for dot in dots:
            at = x(dot.label, number)
            parts.append(f'<line class="whisker{other}" x1="{at}" x2="{at}" y1="{y(dot.low)}" y2="{y(dot.high)}"/>')
            parts.append(f'<circle class="dot{other}" cx="{at}" cy="{y(dot.value)}" r="4.5"/>')
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
