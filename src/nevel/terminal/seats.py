"""Players in a terminal: each has a colour and a shape, so that colour never carries meaning alone."""

from rich.text import Text

from nevel.game.event import Teller

SHAPES = ("●", "▲", "■", "◆", "⬢")
COLOURS = ("cyan", "magenta", "yellow", "green", "red")


def seat_mark(seat: int, teller: Teller, is_active: bool = False) -> Text:
    """A player's shape and name; an arrow marks whose turn it is."""
    name = Text(f"{SHAPES[seat]} {teller.name(seat)}", style=f"bold {COLOURS[seat]}")
    if is_active:
        name.append(" ◂", style="bold")
    return name
