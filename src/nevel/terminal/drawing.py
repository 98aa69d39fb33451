"""From a view to something Rich can print."""

from rich.console import RenderableType

from nevel.games.misty import MistyView
from nevel.games.telling import Teller
from nevel.games.the_game import TheGameView
from nevel.games.vocabulary import View
from nevel.games.what_the_fog import WhatTheFogView
from nevel.terminal import misty, the_game, what_the_fog


def draw(view: View, teller: Teller) -> RenderableType:
    """The table as one seat sees it."""
    if isinstance(view, WhatTheFogView):
        return what_the_fog.draw(view, teller)
    if isinstance(view, MistyView):
        return misty.draw(view, teller)
    if isinstance(view, TheGameView):
        return the_game.draw(view, teller)
    raise TypeError(f"no drawing for {type(view).__name__}")
