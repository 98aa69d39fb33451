"""Draws figures as SVG: cards, tokens, words and named drawings, all in the colour of the text."""

from html import escape


class Ink:
    """An SVG picture that is being drawn. Everything has a class for the page's style sheets."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.parts: list[str] = []

    def drawing(self, name: str, x: float, y: float, size: float, kind: str = "") -> None:
        """One of the drawings, by the name of its symbol; x and y are its centre."""
        place = f'x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"'
        self.parts.append(f'<use href="#{name}" {place}{css(kind)}/>')

    def box(self, x: float, y: float, width: float, height: float, kind: str, is_dashed: bool = False) -> None:
        """A rounded rectangle around a centre."""
        place = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="6"'
        dashes = ' stroke-dasharray="4 4"' if is_dashed else ""
        self.parts.append(f'<rect {place} fill="none" stroke="currentColor" stroke-width="1.5"{dashes}{css(kind)}/>')

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        place = f'cx="{x:g}" cy="{y:g}" r="{radius:g}"'
        self.parts.append(f'<circle {place} fill="none" stroke="currentColor" stroke-width="1.5"{css(kind)}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        place = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
        self.parts.append(f'<line {place} stroke="currentColor" stroke-width="1"{css(kind)}/>')

    def words(
        self, x: float, y: float, words: object, size: float = 16, kind: str = "", anchor: str = "middle"
    ) -> None:
        """A word or a number; y is its middle."""
        style = f'font-size="{size:g}" text-anchor="{anchor}" dominant-baseline="central" fill="currentColor"'
        self.parts.append(f'<text x="{x:g}" y="{y:g}" {style}{css(kind)}>{escape(str(words))}</text>')

    def svg(self, kind: str) -> str:
        """The whole figure. The text beside it tells the same, so it is hidden from those who listen."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        body = "".join(self.parts)
        return f'<svg xmlns="http://www.w3.org/2000/svg" class="figure {kind}" {size} aria-hidden="true">{body}</svg>'


def css(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
