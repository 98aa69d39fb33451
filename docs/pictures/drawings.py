"""Lay all drawings out side by side, small and large, by day and by night. `make picture` writes the sheets anew.

The sheets go to `build/drawings`: a page to open in a browser, and pictures of it where Chromium is found.
"""

import math
import os
import shutil
import subprocess
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRAWINGS = ROOT / "src" / "nevel" / "web" / "drawings"
SHEETS = ROOT / "build" / "drawings"
SIZES = (20, 48, 120)
WIDTH = 1200
#: Ground, ink, three layers of mist and the light behind the glass.
THEMES = {
    "light": "#eef1f3;color:#26323a;--mist-1:#dfe5e9;--mist-2:#cdd6dc;--mist-3:#b5c2ca;--glow:#eaa94a",
    "dark": "#141b22;color:#dbe4ea;--mist-1:#1d2730;--mist-2:#293641;--mist-3:#394956;--glow:#ffc56b",
}
STYLE = """body{margin:0;font:11px sans-serif}section{box-sizing:border-box;padding:8px 16px}
div{display:flex;flex-wrap:wrap}figure{margin:0;text-align:center;overflow:hidden}figcaption{opacity:.7}"""


def is_large(name: str) -> bool:
    """Whether a drawing is a picture of its own rather than a sign."""
    return name.startswith(("back-", "scene-", "icon"))


def figure(name: str, height: int, cell: tuple[int, int], captioned: bool) -> str:
    drawing = (DRAWINGS / f"{name}.svg").read_text("utf-8").replace("<svg", f'<svg height="{height}"', 1)
    caption = f"<figcaption>{name}</figcaption>" if captioned else ""
    return f'<figure style="width:{cell[0]}px;height:{cell[1]}px">{drawing}{caption}</figure>'


def sheet(theme: str, size: int) -> tuple[str, int]:
    """One sheet and its height: the signs at one size, captioned where there is room, and last the pictures."""
    names = sorted((path.stem for path in DRAWINGS.glob("*.svg")), key=lambda name: (is_large(name), name))
    is_last = size == max(SIZES)
    total, parts = 16, ""
    for large, members in groupby(names, is_large):
        if large and not is_last:
            continue
        captioned = large or size > 20
        drawn = 240 if large else size
        cell = (390 if large else max(size + 18, 78 * captioned), drawn + (24 if captioned else 14))
        figures = [figure(name, drawn, cell, captioned) for name in members]
        parts += f"<div>{''.join(figures)}</div>"
        total += cell[1] * math.ceil(len(figures) / ((WIDTH - 32) // cell[0]))
    return f'<section style="width:{WIDTH}px;height:{total}px;background:{THEMES[theme]}">{parts}</section>', total


def page(body: str) -> str:
    return f'<!doctype html><meta charset="utf-8"><title>Nevel: the drawings</title><style>{STYLE}</style>{body}'


def find_chromium() -> str | None:
    """The browser named by NEVEL_CHROMIUM, or one on the path."""
    candidates = (os.environ.get("NEVEL_CHROMIUM"), "chromium", "google-chrome")
    return next((found for name in candidates if name and (found := shutil.which(name))), None)


def photograph(chromium: str, source: Path, target: Path, height: int) -> None:
    sandbox = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    options = ["--headless", *sandbox, "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{height}"]
    subprocess.run(
        [chromium, *options, f"--screenshot={target}", source.as_uri()], check=True, capture_output=True, timeout=120
    )


if __name__ == "__main__":
    SHEETS.mkdir(parents=True, exist_ok=True)
    chromium = find_chromium()
    everything = ""
    for theme in THEMES:
        for size in SIZES:
            section, height = sheet(theme, size)
            everything += section
            if chromium:
                source = SHEETS / f"{theme}-{size}.html"
                source.write_text(page(section), "utf-8")
                photograph(chromium, source, source.with_suffix(".png"), height)
                source.unlink()
    (SHEETS / "index.html").write_text(page(everything), "utf-8")
