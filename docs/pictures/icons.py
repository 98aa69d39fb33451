"""Draw the app's icons as PNG, for phones that take no drawings. `make picture` writes them anew."""

from pathlib import Path

import resvg_py

WEB = Path(__file__).parents[2] / "src" / "nevel" / "web"
#: The files, each with the drawing it is made from and its width; Apple rounds corners by itself.
ICONS = {
    "apple-touch-icon.png": ("icon-maskable", 180),
    "icon-192.png": ("icon", 192),
    "icon-512.png": ("icon", 512),
    "icon-maskable-512.png": ("icon-maskable", 512),
}


def draw_icon(drawing: str, width: int) -> bytes:
    """A drawing as PNG."""
    text = (WEB / "drawings" / f"{drawing}.svg").read_text("utf-8")
    return bytes(resvg_py.svg_to_bytes(svg_string=text, width=width, height=width))


if __name__ == "__main__":
    for name, (drawing, width) in ICONS.items():
        (WEB / "static" / name).write_bytes(draw_icon(drawing, width))
