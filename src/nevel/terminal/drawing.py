"""From a view to something Rich can print."""

from rich.console import RenderableType

from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.game.vocabulary import View


def draw(view: View, teller: Teller) -> RenderableType:
    """The table as one seat sees it."""
    return find(view.game).load("terminal")(view, teller)
