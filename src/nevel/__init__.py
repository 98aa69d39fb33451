"""Nevel: tabletop games in which nobody sees everything.

>>> import nevel
>>> game = nevel.new("misty", seats=2, seed=5)
>>> move = game.prompt(0).moves[0]
>>> game.is_legal(0, move)
True
"""

from nevel.game import load, new, save
from nevel.game.box import Box, BoxError
from nevel.game.clause import Clause
from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.game.move import IllegalMoveError, MalformedMoveError, Move
from nevel.game.registry import UnknownGameError
from nevel.game.saving import LoadError
from nevel.game.vocabulary import OptionError, Outcome, Prompt, View
from nevel.languages import Language, language

__all__ = [
    "Box",
    "BoxError",
    "Clause",
    "Event",
    "Game",
    "IllegalMoveError",
    "Language",
    "LoadError",
    "MalformedMoveError",
    "Move",
    "OptionError",
    "Outcome",
    "Prompt",
    "Teller",
    "UnknownGameError",
    "View",
    "language",
    "load",
    "new",
    "save",
]
