"""Files browsers keep: styles, scripts, fonts, all drawings as one sheet. Their address changes with their content."""

import hashlib
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from nevel.game.registry import all_games
from nevel.game.spec import GameSpec
from nevel.web.assets.light_dark import with_fallbacks

SHEET = "drawings.svg"
STYLE = "nevel.css"

OPENING = re.compile(r"^\s*<svg\b([^>]*)>(.*)</svg>\s*$", re.DOTALL)
NOT_IN_A_SYMBOL = re.compile(r"""\s(?:xmlns|width|height|role|aria-hidden)="[^"]*\"""")


class Assets:
    """The files under one address that tells their version."""

    def __init__(self) -> None:
        web = resources.files("nevel.web")
        self.files = dict(read(web / "static"))
        self.drawings = drawings_in(web / "drawings")
        for spec in all_games().values():
            self.files[style_of(spec)] = spec.file("web", "style.css").read_bytes()
            self.drawings |= drawings_in(spec.file("web", "drawings"))
        # How games look wherever they are spoken of.
        self.files[STYLE] += b"".join(worlds())
        for name in self.files:
            if name.endswith(".css"):
                self.files[name] = with_fallbacks(self.files[name].decode()).encode()
        self.files[SHEET] = sheet(self.drawings).encode()
        self.files |= {f"drawings/{name}.svg": text.encode() for name, text in self.drawings.items()}
        self.version = hashlib.sha256(b"".join(part for _, part in sorted(self.files.items()))).hexdigest()[:12]

    def address(self, name: str) -> str:
        return f"/static/{self.version}/{name}"

    def __call__(self, name: str) -> bytes | None:
        return self.files.get(name)


def worlds() -> list[bytes]:
    """The colours of all games that have some of their own, a file of each package once."""
    files = {spec.package: spec.file("web", "world.css") for spec in all_games().values()}
    return [file.read_bytes() for file in files.values() if file.is_file()]


def style_of(spec: GameSpec) -> str:
    """The name under which browsers are given the style of a game's board; games of one package share it."""
    return f"{spec.package.rpartition('.')[2].replace('_', '-')}.css"


def drawings_in(folder: Traversable) -> dict[str, str]:
    """The drawings of a folder by their names; none if there is no such folder."""
    if not folder.is_dir():
        return {}
    return {name.removesuffix(".svg"): text.decode() for name, text in read(folder)}


def read(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    """All files of a folder that browsers are given, with their names."""
    found = list[tuple[str, bytes]]()
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir():
            found += read(item, f"{prefix}{item.name}/")
        elif not item.name.endswith(".py"):
            found.append((prefix + item.name, item.read_bytes()))
    return found


def sheet(drawings: dict[str, str]) -> str:
    """All drawings as symbols of one picture, so that a page asks for one file instead of a hundred."""
    symbols = "".join(symbol(name, text) for name, text in drawings.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def symbol(name: str, text: str) -> str:
    found = OPENING.match(text)
    assert found, f"{name}.svg isn't a drawing"
    return f'<symbol id="{name}"{NOT_IN_A_SYMBOL.sub("", found[1])}>{found[2]}</symbol>'


@cache
def assets() -> Assets:
    return Assets()
